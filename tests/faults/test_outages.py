"""Time in which nobody could be reached, and servers behind the servers that go and come back.

Whatever happens, nobody loses on a clock that ran while no move could be stored, and nothing is
played for anybody.
"""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import pytest

from tests import services
from tests.clients import Picture, Socket
from tests.faults.audit import audit
from tests.faults.conftest import Tell
from tests.faults.farm import Farm
from tests.faults.load import Crowd, Match, begin
from tests.programs import until

TURN = 10  # seconds, the shortest that a room may have
LEFT = 15.0  # seconds that are left at least after an outage

# Two sides and more, partners, and a nearby table, whose seats are held for 30 seconds.
TABLES: list[tuple[tuple[str, int, str, int], dict[str, Any]]] = [
    (("draw", 2, "singles", 40), {}),
    (("partners", 4, "partners", 40), {}),
    (("fives", 3, "singles", 60), {}),
    (("classic", 2, "singles", 40), {"kind": "nearby"}),
    (("draw", 4, "singles", 40), {"turn_seconds": 0}),
]


def left_at(picture: Picture, moment: float) -> float:
    """The seconds from a moment until what the table waits for."""
    return datetime.fromisoformat(picture["due"]["at"]).timestamp() - moment


async def all_sit(farm: Farm, match: Match) -> list[Socket]:
    """Open a socket for every seat of a match; each at another process."""
    return [
        await Socket.open(
            farm.addresses[seat % len(farm.sites)], f"/ws/table/{match.code}/", token=person.token
        )
        for seat, person in enumerate(match.people)
    ]


async def all_here(ws: Socket, patience: float = 30.0) -> Picture:
    """The first picture in which everybody is there, and nobody's return is waited for."""
    seen: list[Picture] = []
    try:
        while not seen or not _nobody_is_missing(seen[-1]):
            seen.append(await ws.table(patience))
    except TimeoutError:
        raise AssertionError(f"not everybody came back: {seen[-1:]}") from None
    return seen[-1]


def _nobody_is_missing(picture: Picture) -> bool:
    here = all(seat["state"] == "here" for seat in picture["seats"])
    return here and picture["due"]["what"] != "return"


async def down_and_back(
    farm: Farm, end: Callable[[services.Site], object], real: float, shifted: float
) -> tuple[list[Match], list[float]]:
    """All processes go and come back, under tables that wait; what was left of each clock.

    Then the matches are played out.
    """
    matches = [
        await begin(farm, number, setup=setup, **choices)
        for number, (setup, choices) in enumerate(TABLES)
    ]
    before = []
    for match in matches:
        sockets = await all_sit(farm, match)
        before.append(await all_here(sockets[0]))
    for site in farm.sites:
        await asyncio.to_thread(end, site)
    await asyncio.sleep(real)
    if shifted:
        farm.let_pass(shifted)
    back = time.time()
    await asyncio.to_thread(farm.start, farm.sites)
    left, everybody = [], []
    for match, old in zip(matches, before, strict=True):
        everybody += (sockets := await all_sit(farm, match))
        picture = await all_here(sockets[0])
        for key in ("status", "hand", "ply", "turn", "moves", "scores", "line"):
            assert picture[key] == old[key], (match.code, key)
        assert picture["due"]["what"] == old["due"]["what"]
        left.append(left_at(picture, back))
        assert left[-1] >= LEFT, picture["due"]
    async with asyncio.TaskGroup() as group:
        for match in matches:
            group.create_task(match.play(120))
    for ws in everybody:
        ws.close()
    return matches, left


@dataclass(frozen=True)
class Down:
    """How long the processes are down: for real, and by a change of the stored times."""

    real: float
    shifted: float


@pytest.mark.parametrize(
    "down",
    [
        pytest.param(Down(0, 3600), id="short", marks=pytest.mark.faults),
        pytest.param(Down(75, 0), id="long", marks=pytest.mark.faults_long),
    ],
)
@pytest.mark.parametrize("end", [services.Site.kill, services.Site.stop], ids=["killed", "stopped"])
async def test_down_past_every_deadline_and_back(
    farm: Farm, embedded: Farm, down: Down, end: Callable[[services.Site], object], tell: Tell
) -> None:
    both = await asyncio.gather(
        *(down_and_back(one, end, down.real, down.shifted) for one in (farm, embedded))
    )
    for where, (matches, left) in zip((farm, embedded), both, strict=True):
        tally = await audit(where, matches)
        where_said = "PostgreSQL" if where.database else "SQLite"
        tell(
            f"{where_said}, {max(down.real, down.shifted):.0f} s down, at least {min(left):.1f} s "
            f"left afterwards; {tally}"
        )
        tally.clean()


# Under load


async def play_goes_on(crowds: list[Crowd], more: int) -> float:
    """Wait until so many more moves are acknowledged at each farm; the seconds that took."""
    began = time.monotonic()
    goals = [(crowd, crowd.moves + more) for crowd in crowds]
    await until(lambda: all(crowd.moves >= goal for crowd, goal in goals), 90)
    return time.monotonic() - began


async def under_load(
    farms: list[Farm], tables: int, tell: Tell, act: Callable[[], Awaitable[None]]
) -> None:
    """Something happens while programs play with the shortest clock there is."""
    crowds = [Crowd(farm, tables, 180, turn_seconds=TURN) for farm in farms]
    async with contextlib.AsyncExitStack() as stack:
        for crowd in crowds:
            await stack.enter_async_context(crowd.playing())
        await act()
        again = await play_goes_on(crowds, 4 * tables)
    for crowd in crowds:
        tally = await audit(crowd.farm, crowd.played)
        tell(f"{tables} tables, play went on {again:.1f} s after it; {tally}")
        tally.clean()


def seconds(short: float, long: float) -> Any:
    """The length of an outage in both forms."""
    return pytest.mark.parametrize(
        "length",
        [
            pytest.param(short, id="short", marks=pytest.mark.faults),
            pytest.param(long, id="long", marks=pytest.mark.faults_long),
        ],
    )


def tables_for(length: float) -> int:
    """More tables in the long form."""
    return 30 if length > 14 else 5


@seconds(3, 20)
async def test_redis_goes_and_comes_back(farm: Farm, length: float, tell: Tell) -> None:
    redis = farm.redis
    assert redis is not None

    async def act() -> None:
        await asyncio.to_thread(redis.stop)
        await asyncio.sleep(length)
        assert not await asyncio.to_thread(farm.sites[0].well)
        await asyncio.to_thread(redis.start)
        farm.sites[0].await_(farm.sites[0].well, "it was well again")

    await under_load([farm], tables_for(length), tell, act)


@seconds(3, 20)
async def test_postgres_restarts(farm: Farm, length: float, tell: Tell) -> None:
    postgres = farm.postgres
    assert postgres is not None

    async def act() -> None:
        await asyncio.to_thread(postgres.stop)
        await asyncio.sleep(length)
        await asyncio.to_thread(postgres.start)

    await under_load([farm], tables_for(length), tell, act)


@seconds(12, 35)
async def test_one_process_is_paused_for_longer_than_a_turn(
    farm: Farm, length: float, tell: Tell
) -> None:
    async def act() -> None:
        farm.sites[0].pause()
        await asyncio.sleep(length)
        farm.sites[0].resume()

    await under_load([farm], tables_for(length), tell, act)


@seconds(12, 35)
async def test_all_processes_are_paused_for_longer_than_a_turn(
    farm: Farm, embedded: Farm, length: float, tell: Tell
) -> None:
    """As when a machine sleeps: those with a database server, and the one with a file."""

    async def act() -> None:
        sites = [*farm.sites, *embedded.sites]
        for site in sites:
            site.pause()
        await asyncio.sleep(length)
        for site in sites:
            site.resume()

    await under_load([farm, embedded], tables_for(length), tell, act)
