"""Bad company: those who don't read, shout, babble or flood. Others are served as before."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import json
import time
from collections import Counter
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass

import pytest

from tests.clients import HTML, JSON, Address, Rejected, Socket
from tests.faults.conftest import Tell
from tests.faults.farm import Farm
from tests.faults.pulse import Pulse, memory

MEMORY = 48.0  # MB that a process may grow by


@dataclass(frozen=True)
class Form:
    """How many, for how long, and by how much slower others may be served meanwhile."""

    deaf: int
    shouting: int
    seconds: float
    times: float
    more: float

    def bears(self, quiet: float, loud: float) -> bool:
        """Whether p95 under load is near enough to the quiet one, both in seconds."""
        return loud <= self.times * quiet + self.more


FORMS = [
    # The short form runs beside other tests on small machines.
    pytest.param(Form(24, 2, 4, 4, 0.2), id="short", marks=pytest.mark.faults),
    pytest.param(Form(200, 4, 20, 2, 0.02), id="long", marks=pytest.mark.faults_long),
]


@contextlib.asynccontextmanager
async def at_work(*work: asyncio.Task[None]) -> AsyncIterator[None]:
    """Have these go on during the block; what went wrong in one of them is raised."""
    try:
        yield
    finally:
        for task in work:
            task.cancel()
        for ended in await asyncio.gather(*work, return_exceptions=True):
            if isinstance(ended, Exception):
                raise ended


async def look_deafly(address: Address, codes: list[str], number: int) -> None:
    """Look on at one table after another and read nothing; come back when cut off."""
    for turn in itertools.count(number):
        with contextlib.suppress(OSError, Rejected, TimeoutError):
            ws = await Socket.open(
                address,
                f"/ws/table/{codes[turn % len(codes)]}/",
                subprotocol=(HTML, JSON)[turn % 2],
                receive_buffer=4096,
            )
            ws.stop_reading()
            try:
                while ws.code is None:
                    ws.send({"type": "ping"})
                    await asyncio.sleep(0.2)
            finally:
                ws.abort()


async def shout(address: Address, code: str, closes: Counter[int]) -> None:
    """Send a megabyte in one message, again and again."""
    while True:
        ws = await Socket.open(address, f"/ws/table/{code}/")
        ws.send_frame(1, b'{"type":"ping","pad":"' + b"x" * 1_000_000 + b'"}')
        closes[await ws.closing()] += 1
        await asyncio.sleep(0.1)


async def chatter(address: Address, code: str, closes: Counter[int]) -> None:
    """Send small messages faster than anybody may."""
    while True:
        ws = await Socket.open(address, f"/ws/table/{code}/", listener=lambda _text: None)
        while ws.code is None:
            for _ in range(20):
                ws.send({"type": "ping"})
            await asyncio.sleep(0.02)
        closes[await ws.closing()] += 1
        await asyncio.sleep(0.1)


@pytest.mark.parametrize("form", FORMS)
async def test_those_who_do_not_read_and_those_who_shout(
    embedded: Farm, form: Form, tell: Tell
) -> None:
    site, address = embedded.sites[0], embedded.addresses[0]
    shouted: Counter[int] = Counter()
    chattered: Counter[int] = Counter()
    async with asyncio.timeout(120 + 4 * form.seconds), Pulse(embedded, 4).beating() as pulse:
        quiet = await pulse.p95(form.seconds)
        before = memory(site)
        deaf = [
            asyncio.ensure_future(look_deafly(address, pulse.codes, n)) for n in range(form.deaf)
        ]
        async with at_work(*deaf):
            beside_deaf = await pulse.p95(form.seconds)
        loud = [
            asyncio.ensure_future(noise(address, pulse.codes[0], closes))
            for noise, closes in ((shout, shouted), (chatter, chattered))
            for _ in range(form.shouting)
        ]
        async with at_work(*loud):
            beside_loud = await pulse.p95(form.seconds)
        grown = memory(site) - before
        faults = [program.closes for program in pulse.programs if program.closes]
    tell(
        f"p95 of a move {quiet * 1000:.0f} ms when quiet, {beside_deaf * 1000:.0f} ms beside "
        f"{form.deaf} who read nothing, {beside_loud * 1000:.0f} ms beside "
        f"{shouted.total()} messages of 1 MB and {chattered.total()} floods of small ones; "
        f"{grown:+.1f} MB; nobody else was cut off"
    )
    assert not faults, "others were cut off"
    assert set(shouted) == {1009}
    assert set(chattered) <= {4429}
    assert form.bears(quiet, beside_deaf)
    assert form.bears(quiet, beside_loud)
    assert grown < MEMORY


# A flood from one address


@pytest.fixture
def limited(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Farm]:
    """A server that counts what each address does, behind a proxy that says who it is."""
    farm = Farm(
        tmp_path_factory.mktemp("limited"), 1, RATE_LIMITS="on", TRUSTED_PROXIES="127.0.0.1"
    )
    try:
        yield farm.mend()
    finally:
        farm.remove()


async def post(
    address: Address, path: str, body: object, by: str, token: str | None = None
) -> tuple[int, dict[str, object]]:
    """A POST to the API that comes from an address behind the proxy."""
    reader, writer = await asyncio.open_connection(*address)
    data = json.dumps(body).encode()
    head = [
        f"POST /api/v1/{path} HTTP/1.1",
        f"Host: {address[0]}",
        f"X-Forwarded-For: {by}",
        "Content-Type: application/json",
        f"Content-Length: {len(data)}",
        "Connection: close",
    ] + ([f"Authorization: Bearer {token}"] if token else [])
    writer.write("\r\n".join([*head, "", ""]).encode() + data)
    try:
        async with asyncio.timeout(30):
            answer = await reader.read()
    finally:
        writer.close()
    top, _, rest = answer.partition(b"\r\n\r\n")
    return int(top.split()[1]), json.loads(rest)


async def flood(address: Address, token: str, answers: Counter[tuple[str, int]]) -> None:
    """Guests and rooms from one address, forty a second."""
    for number in itertools.count():
        began = time.monotonic()
        path, body = (
            ("guests", {"name": f"Flood {number}"})
            if number % 2
            else ("rooms", {"rules": "draw", "kind": "online", "players": 2})
        )
        status, answer = await post(address, path, body, "198.51.100.7", token)
        answers[path, status] += 1
        assert status == 201 or {"code", "detail"} <= set(answer), answer
        await asyncio.sleep(max(0.0, began + 0.025 - time.monotonic()))


@pytest.mark.parametrize("form", FORMS)
async def test_a_flood_of_guests_and_rooms(limited: Farm, form: Form, tell: Tell) -> None:
    site, address = limited.sites[0], limited.addresses[0]
    answers: Counter[tuple[str, int]] = Counter()
    async with asyncio.timeout(120 + 4 * form.seconds), Pulse(limited, 4).beating() as pulse:
        quiet = await pulse.p95(form.seconds)
        before = memory(site)
        _, flooder = await post(address, "guests", {"name": "Flood"}, "198.51.100.7")
        flooding = asyncio.ensure_future(flood(address, str(flooder["token"]), answers))
        async with at_work(flooding):
            beside = await pulse.p95(2 * form.seconds)
            neighbour, made = await post(address, "guests", {"name": "Ana"}, "203.0.113.5")
            room, _ = await post(
                address,
                "rooms",
                {"rules": "draw", "kind": "online", "players": 2},
                "203.0.113.5",
                str(made["token"]),
            )
        grown = memory(site) - before
    tell(
        f"p95 of a move {quiet * 1000:.0f} ms when quiet, {beside * 1000:.0f} ms beside "
        f"{answers.total()} calls from one address ({answers['guests', 201]} guests and "
        f"{answers['rooms', 201]} rooms made, {answers['guests', 429] + answers['rooms', 429]} "
        f"refused); a neighbour was served; {grown:+.1f} MB"
    )
    assert (neighbour, room) == (201, 201)
    assert {status for _, status in answers} <= {201, 429}
    assert answers["guests", 201] <= 40
    assert answers["guests", 429]
    assert form.bears(quiet, beside)
    assert grown < MEMORY
