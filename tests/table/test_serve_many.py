"""Several servers on one PostgreSQL and one Redis: one table, players here and there."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import Iterator
from datetime import datetime
from typing import Any

import pytest

from tests import services
from tests.clients import Address, Api, Person, Socket
from tests.programs import Program, play_out, until

pytestmark = pytest.mark.faults


def at(site: services.Site) -> Address:
    return ("127.0.0.1", site.port)


@pytest.fixture(scope="module")
def pair(
    postgres: services.Postgres,
    redis_server: services.Redis,
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[list[services.Site]]:
    """Two servers of one site."""
    scratch = tmp_path_factory.mktemp("pair")
    env = services.environment(scratch, DATABASE_URL=postgres.fresh(), REDIS_URL=redis_server.url)
    services.manage("migrate", "--verbosity", "0", env=env)
    sites = [services.Site(name, scratch, env) for name in ("one", "two")]
    try:
        for site in sites:
            site.start(wait=False)
        yield sites
    finally:
        for site in sites:
            site.remove()


@pytest.fixture
def two(pair: list[services.Site]) -> list[services.Site]:
    """Both of them running, whatever the test before did to one."""
    for site in pair:
        if site.running is None:
            site.start(wait=False)
    for site in pair:
        site.await_(site.well, "/healthz was well")
    return pair


async def spread(
    sites: list[services.Site], rules: str = "draw", people: int = 2, **choices: Any
) -> tuple[str, str, list[Person]]:
    """A table whose players come by different servers: code, match, people."""
    api = Api(at(sites[0]))
    crowd = await api.guests(people)
    code, match = await api.table(rules, crowd, **choices)
    api.close()
    return code, match, crowd


async def sockets_of(sites: list[services.Site], code: str, people: list[Person]) -> list[Socket]:
    return [
        await Socket.open(at(sites[n % len(sites)]), f"/ws/table/{code}/", token=person.token)
        for n, person in enumerate(people)
    ]


def states(message: dict[str, Any]) -> list[str]:
    return [seat["state"] for seat in message.get("seats", ())]


async def test_a_match_is_played_across_servers(two: list[services.Site]) -> None:
    code, match, people = await spread(two, "partners", 4, target=60)
    programs = [Program([at(two[n % 2])], code, person) for n, person in enumerate(people)]
    await play_out(programs, 90)
    api = Api(at(two[1]))
    record = await api.record(match, people[0])
    words = sorted(word for hand in record["hands"] for word in hand["moves"])
    assert sorted(word for p in programs for _, _, word in p.acknowledged) == words
    api.close()
    for site in two:
        assert '"level": "error"' not in site.output(), site.output()[-3000:]


async def test_what_happens_here_is_seen_there_at_once(two: list[services.Site]) -> None:
    code, _, people = await spread(two)
    sockets = await sockets_of(two, code, people)
    for ws in sockets:
        await ws.get_until(lambda m: states(m) == ["here", "here"])
    waits = []
    for _ in range(10):
        async with asyncio.timeout(10):
            pictures = [await newest(ws) for ws in sockets]
        mover = next(n for n, p in enumerate(pictures) if p["turn"] == n and p["legal"])
        seq = pictures[mover]["seq"]
        move = {"type": "move", "id": f"{seq}", "seq": seq, "move": pictures[mover]["legal"][0]}
        began = time.monotonic()
        sockets[mover].send(move)
        await sockets[1 - mover].get_until(lambda m, seq=seq: m.get("seq", 0) > seq)
        waits.append(time.monotonic() - began)
        await sockets[mover].get_until(lambda m, seq=seq: m.get("seq", 0) > seq)
        if pictures[mover]["ply"] > 8:
            break
    # Far below the two seconds after which each looks for itself.
    assert sorted(waits)[len(waits) // 2] < 0.5, waits
    assert (await sockets[0].ask({"type": "say", "phrase": "nice"}))["type"] == "ok"
    assert (await sockets[1].get_until(lambda m: m["type"] == "said"))["seat"] == 0


async def newest(ws: Socket) -> dict[str, Any]:
    """The present picture of that seat, by a second socket."""
    twin = await Socket.open(ws.address, ws.path, token=ws.token)
    try:
        return await twin.table()
    finally:
        twin.close()


async def test_sockets_outlive_an_idle_time(two: list[services.Site]) -> None:
    """A layer whose subscriber times out would end them after five seconds."""
    code, _, people = await spread(two)
    sockets = await sockets_of(two, code, people)
    await asyncio.sleep(8)
    assert [ws.code for ws in sockets] == [None, None]
    assert (await sockets[0].ask({"type": "say", "phrase": "moment"}))["type"] == "ok"
    await sockets[1].get_until(lambda m: m["type"] == "said", 5)


async def test_without_redis_play_goes_on(
    two: list[services.Site], redis_server: services.Redis
) -> None:
    code, _, people = await spread(two, "partners", 4, target=40)
    programs = [Program([at(two[n % 2])], code, person) for n, person in enumerate(people)]
    await asyncio.to_thread(redis_server.stop)
    try:
        playing = asyncio.ensure_future(play_out(programs, 120))
        await until(lambda: sum(len(p.acknowledged) for p in programs) >= 4, 30)
    finally:
        await asyncio.to_thread(redis_server.start)
    await playing
    assert all(not p.closes for p in programs)
    # Once it is back, servers hear each other again.
    code, _, people = await spread(two)
    sockets = await sockets_of(two, code, people)
    for _ in range(20):
        await sockets[0].ask({"type": "say", "phrase": "hello"})
        with contextlib.suppress(TimeoutError):
            await sockets[1].get_until(lambda m: m["type"] == "said", 1)
            break
    else:
        raise AssertionError("what is said here is not heard there")


async def test_a_killed_servers_seats_drop_and_come_back_elsewhere(
    two: list[services.Site],
) -> None:
    code, _, people = await spread(two)
    sockets = await sockets_of(two, code, people)
    await sockets[0].get_until(lambda m: states(m) == ["here", "here"])
    two[1].kill()
    began = time.monotonic()
    await sockets[0].get_until(lambda m: states(m) == ["here", "dropped"])
    assert time.monotonic() - began < 16
    back = await Socket.open(at(two[0]), f"/ws/table/{code}/", token=people[1].token)
    await sockets[0].get_until(lambda m: states(m) == ["here", "here"], 5)
    assert (await back.table())["you"] == 1


@pytest.mark.parametrize("end", ["pause", "kill"])
async def test_nobody_loses_by_the_clock_on_a_server_that_hangs_or_dies(
    two: list[services.Site], end: str
) -> None:
    """Not where the clock runs out at once, nor who comes back elsewhere before it is buried."""
    code, _, people = await spread(two, turn_seconds=10)
    sockets = await sockets_of(two, code, people)
    picture = await sockets[0].get_until(lambda m: states(m) == ["here", "here"])
    turn, due = picture["turn"], due_at(picture)
    there, elsewhere = two[turn], two[1 - turn]
    await asyncio.sleep(due - time.time() - 0.5)
    getattr(there, end)()
    try:
        await asyncio.sleep(2.5)
        back = await Socket.open(at(elsewhere), f"/ws/table/{code}/", token=people[turn].token)
        seen = await back.table()
        assert seen["status"] == "playing" and due_at(seen) == due
        seen = await back.get_until(lambda m: m["type"] == "table" and due_at(m) != due, 20)
        assert seen["status"] == "playing"
        assert due_at(seen) - time.time() > 10  # fifteen, less what it took to be shown
        move = {"type": "move", "id": "late", "seq": seen["seq"], "move": seen["legal"][0]}
        assert (await back.ask(move))["type"] == "ok"
    finally:
        if end == "pause":
            there.resume()


def due_at(message: dict[str, Any]) -> float:
    """When what the table waits for is due, 0 for nothing."""
    due = message["due"]
    return datetime.fromisoformat(due["at"]).timestamp() if due else 0.0


async def test_one_server_stops_in_good_order_and_the_other_takes_over(
    two: list[services.Site],
) -> None:
    code, match, people = await spread(two, "partners", 4, target=60)
    both = [at(site) for site in two]
    programs = [Program(both, code, person) for person in people]
    playing = asyncio.ensure_future(play_out(programs, 90))
    await until(lambda: sum(len(p.acknowledged) for p in programs) >= 6)
    assert await asyncio.to_thread(two[0].stop) == 0
    await until(lambda: sum(len(p.acknowledged) for p in programs) >= 30, 60)
    await asyncio.to_thread(two[0].start)
    assert await asyncio.to_thread(two[1].stop) == 0
    await playing
    assert {close for p in programs for close in p.closes} <= {1012}
    api = Api(at(two[0]))
    record = await api.record(match, people[0])
    words = sorted(word for hand in record["hands"] for word in hand["moves"])
    assert sorted(word for p in programs for _, _, word in p.acknowledged) == words
    api.close()


async def test_more_requests_at_once_than_the_pool_has_connections(
    two: list[services.Site],
) -> None:
    """Each holds a connection while it waits for the writing thread, which needs one as well."""
    api = Api(at(two[0]))
    host = (await api.guests(1))[0]

    async def room() -> str:
        own = Api(at(two[0]))
        try:
            return await own.room(host, "draw", players=2)
        finally:
            own.close()

    async with asyncio.timeout(20):
        codes = await asyncio.gather(*(room() for _number in range(40)))
    assert len(set(codes)) == 40
    # Those who don't wait for their answers keep nothing from the others.
    body = b'{"rules": "draw", "players": 2, "kind": "online"}'
    for _number in range(40):
        _reader, writer = await asyncio.open_connection(*at(two[0]))
        writer.write(
            b"POST /api/v1/rooms HTTP/1.1\r\nHost: 127.0.0.1\r\n"
            b"Content-Type: application/json\r\nAuthorization: Bearer %s\r\n"
            b"Content-Length: %d\r\n\r\n%s" % (host.token.encode(), len(body), body)
        )
        await writer.drain()
        writer.close()
    async with asyncio.timeout(20):
        assert await room()
    api.close()
