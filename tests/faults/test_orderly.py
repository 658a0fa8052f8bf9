"""Servers that stop in good order: everybody is told to come back, and comes back elsewhere."""

from __future__ import annotations

import asyncio
import time

import pytest

from tests.clients import Person, Socket
from tests.faults.audit import audit
from tests.faults.conftest import Tell
from tests.faults.farm import Farm
from tests.faults.load import Crowd, people

BACK_WITHIN = 5.0  # seconds, from the signal until each shows its table again

Seated = tuple[str, Person, Socket]


async def fill(farm: Farm, sockets: int) -> list[Seated]:
    """Tables in play with four seats each, every seat with a socket at the first process."""
    seated: list[Seated] = []
    for _table in range(sockets // 4):
        four = await people(farm, 4)
        code, _match = await farm.ask(lambda api, four=four: api.table("partners", four))  # type: ignore[misc]
        for person in four:
            ws = await Socket.open(
                farm.addresses[0], f"/ws/table/{code}/", token=person.token, patience=30
            )
            await ws.table()
            seated.append((code, person, ws))
    return seated


async def come_back(farm: Farm, code: str, person: Person, ws: Socket) -> tuple[int, int, float]:
    """Wait for the end of a socket, and open it elsewhere: its close code, the seq, when."""
    closed = await ws.closing(30)
    again = await Socket.open(
        farm.addresses[1], f"/ws/table/{code}/", token=person.token, patience=30
    )
    picture = await again.table()
    now = time.monotonic()
    assert picture["you"] is not None
    again.close()
    return closed, picture["seq"], now


@pytest.mark.parametrize(
    "sockets",
    [
        pytest.param(80, id="short", marks=pytest.mark.faults),
        pytest.param(500, id="long", marks=pytest.mark.faults_long),
    ],
)
async def test_everybody_is_back_soon_after_a_server_stops(
    farm: Farm, sockets: int, tell: Tell
) -> None:
    seated = await fill(farm, sockets)
    before = dict(farm.rows("SELECT code, seq FROM table_table"))
    coming = [asyncio.ensure_future(come_back(farm, *one)) for one in seated]
    await asyncio.sleep(0)
    began = time.monotonic()
    ending = asyncio.ensure_future(asyncio.to_thread(farm.sites[0].stop))
    back = await asyncio.gather(*coming)
    assert await ending == 0
    took = max(now for _code, _seq, now in back) - began
    tell(f"{len(seated)} sockets at a server that stops: all back elsewhere after {took:.1f} s")
    assert {closed for closed, _seq, _now in back} == {1012}
    assert all(seq >= before[code] for (code, _, _), (_, seq, _) in zip(seated, back, strict=True))
    assert took < BACK_WITHIN


@pytest.mark.parametrize(
    ("tables", "rounds"),
    [
        pytest.param(6, 1, id="short", marks=pytest.mark.faults),
        pytest.param(30, 4, id="long", marks=pytest.mark.faults_long),
    ],
)
async def test_a_rolling_restart_ends_no_match(
    farm: Farm, tables: int, rounds: int, tell: Tell
) -> None:
    crowd = Crowd(farm, tables, 90 + 60 * rounds)
    slowest = 0.0
    async with crowd.playing():
        for _round in range(rounds):
            for site in farm.sites:
                began = time.monotonic()
                assert await asyncio.to_thread(site.stop) == 0
                slowest = max(slowest, time.monotonic() - began)
                await asyncio.to_thread(farm.start, [site])
    closes = {code for match in crowd.played for p in match.programs for code in p.closes}
    tally = await audit(farm, crowd.played)
    tell(
        f"every process restarted {rounds} times under {tables} tables, the slowest end took"
        f" {slowest:.1f} s; {tally}"
    )
    tally.clean()
    assert closes <= {1012}
