"""A real server: whole matches over sockets, how it ends, limits, what survives a kill."""

from __future__ import annotations

import asyncio
import contextlib
import json
import resource
import shutil
import signal
import socket
import sqlite3
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from tests import services
from tests.clients import Address, Api, Person, Rejected, Socket
from tests.programs import Program, play_table, until


@pytest.fixture(scope="module")
def prepared(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with an empty database, to be copied."""
    folder = tmp_path_factory.mktemp("prepared")
    services.manage("migrate", "--verbosity", "0", env=services.environment(folder))
    return folder


@pytest.fixture(scope="module")
def serving(prepared: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[services.Site]:
    folder = shutil.copytree(prepared, tmp_path_factory.mktemp("serve") / "data")
    with services.running_site(folder, prepared=True) as site:
        yield site


@pytest.fixture
def own_site(prepared: Path, tmp_path: Path) -> Iterator[services.Site]:
    """A server that the test may end."""
    folder = shutil.copytree(prepared, tmp_path / "data")
    with services.running_site(folder, prepared=True) as site:
        yield site


def address(site: services.Site) -> Address:
    return ("127.0.0.1", site.port)


async def two_at_a_table(site: services.Site, **choices: object) -> tuple[Api, str, list[Person]]:
    api = Api(address(site))
    people = await api.guests(2)
    code, _ = await api.table("draw", people, **choices)
    return api, code, people


@pytest.mark.parametrize(
    ("rules", "people", "choices"),
    [("partners", 4, {"target": 60}), ("fives", 2, {"target": 60})],
)
async def test_programs_play_whole_matches(
    serving: services.Site, rules: str, people: int, choices: dict[str, object]
) -> None:
    match, programs = await play_table(address(serving), rules, people, **choices)
    api = Api(address(serving))
    record = await api.record(match, programs[0].person)
    api.close()
    words = [word for hand in record["hands"] for word in hand["moves"]]
    acknowledged = [word for program in programs for _, _, word in program.acknowledged]
    assert sorted(acknowledged) == sorted(words)
    assert all(program.picture["match_result"] for program in programs if program.picture)


def test_it_may_hold_as_many_sockets_as_the_system_allows(prepared: Path, tmp_path: Path) -> None:
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    folder = shutil.copytree(prepared, tmp_path / "data")
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(soft, 1000), hard))
    try:
        with services.running_site(folder, prepared=True) as site:
            assert resource.prlimit(site.pid, resource.RLIMIT_NOFILE) == (hard, hard)
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


async def test_closing_tells_why(serving: services.Site) -> None:
    api, code, _ = await two_at_a_table(serving)
    for path, token, why in (
        ("/ws/table/AAAAAA/", None, 4404),
        (f"/ws/table/{code}/", "nonsense", 4401),
    ):
        ws = await Socket.open(address(serving), path, token=token)
        assert await ws.closing() == why
    for headers, path in (
        ([("Origin", "http://example.org")], f"/ws/table/{code}/"),
        ([("Cookie", "sessionid=abc")], f"/ws/table/{code}/"),
        ([("Host", "example.org")], f"/ws/table/{code}/"),
        ([], "/ws/elsewhere/"),
    ):
        with pytest.raises(Rejected):
            await Socket.open(address(serving), path, headers=headers)
    api.close()


async def test_messages_that_are_too_large_end_one_socket_cleanly(serving: services.Site) -> None:
    api, code, people = await two_at_a_table(serving)
    path = f"/ws/table/{code}/"
    good = await Socket.open(address(serving), path, token=people[0].token)
    seq = (await good.table())["seq"]
    most = await Socket.open(address(serving), path, token=people[1].token)
    most.send_frame(1, b'{"type":"ping","pad":"' + b"x" * 16_000 + b'"}')
    assert (await most.get_until(lambda m: m["type"] != "table"))["type"] == "pong"
    for payload in (b"x" * 17_000, b"x" * 1_000_000):
        bad = await Socket.open(address(serving), path, token=people[1].token)
        bad.send_frame(1, payload)
        assert await bad.closing() == 1009
    split = await Socket.open(address(serving), path, token=people[1].token)
    split.send_frame(1, b"x" * 9_000, final=False)
    split.send_frame(0, b"x" * 9_000)
    assert await split.closing() == 1009
    unreadable = await Socket.open(address(serving), path)
    unreadable.send_frame(1, b"\xff\xfe")
    assert await unreadable.closing() == 1007
    answer = await good.ask({"type": "ping"})
    assert answer["seq"] >= seq
    api.close()


async def test_bodies_that_are_too_large_are_refused(serving: services.Site) -> None:
    def post(size: int) -> tuple[int, str]:
        request = urllib.request.Request(
            f"{serving.url}/api/v1/guests",
            data=b'{"name": "' + b"x" * size + b'"}',
            headers={"Content-Type": "application/json"},
        )
        try:
            with urllib.request.urlopen(request, timeout=10) as answer:
                return answer.status, ""
        except urllib.error.HTTPError as error:
            return error.code, json.loads(error.read())["code"]

    assert (await asyncio.to_thread(post, 1_000))[0] == 422
    assert await asyncio.to_thread(post, 1_000_000) == (422, "too_large")


async def test_a_body_without_end_is_cut_off(serving: services.Site) -> None:
    reader, writer = await asyncio.open_connection(*address(serving))
    writer.write(
        b"POST /api/v1/guests HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n"
    )
    chunk = b"10000\r\n" + b"x" * 0x10000 + b"\r\n"
    sent = 0
    with contextlib.suppress(ConnectionError):
        while sent < 64 * 1024 * 1024:
            writer.write(chunk)
            await writer.drain()
            sent += len(chunk)
    assert sent < 32 * 1024 * 1024
    with contextlib.suppress(ConnectionError):
        assert await reader.read() == b""


async def test_those_who_do_not_answer_are_let_go(serving: services.Site) -> None:
    """Who answers no pings, or reads nothing (and talks on), is gone, and the others see it."""
    api = Api(address(serving))
    people = await api.guests(3)
    code, _ = await api.table("draw", people)
    path = f"/ws/table/{code}/"
    here = await Socket.open(address(serving), path, token=people[0].token)
    mute = await Socket.open(address(serving), path, token=people[1].token)
    mute.answers_pings = False
    deaf = await Socket.open(address(serving), path, token=people[2].token)

    def states(message: dict[str, object]) -> list[str]:
        seats = message.get("seats")
        return [seat["state"] for seat in seats] if isinstance(seats, list) else []

    await here.get_until(lambda m: states(m) == ["here", "here", "here"])
    deaf.stop_reading()
    began = time.monotonic()

    async def talk() -> None:
        while True:
            deaf.send({"type": "ping"})
            mute.send({"type": "ping"})
            await asyncio.sleep(0.5)

    talking = asyncio.ensure_future(talk())
    await here.get_until(lambda m: states(m) == ["here", "dropped", "dropped"])
    talking.cancel()
    assert 8 < time.monotonic() - began < 30
    assert here.code is None
    api.close()


async def test_a_line_that_died_unnoticed_has_its_reserve(serving: services.Site) -> None:
    """In both rooms a clock runs out; one of the two seats on turn still answers."""

    async def run_out(answers: bool) -> tuple[dict[str, Any], float]:
        api, code, people = await two_at_a_table(serving, turn_seconds=10)
        path = f"/ws/table/{code}/"
        sockets = [await Socket.open(address(serving), path, token=p.token) for p in people]
        picture = await sockets[0].get_until(
            lambda m: all(seat["state"] == "here" for seat in m.get("seats", [{"state": ""}]))
        )
        due = datetime.fromisoformat(picture["due"]["at"]).timestamp()
        await asyncio.sleep(due - time.time() - 1)
        sockets[picture["turn"]].answers_pings = answers
        other = sockets[1 - picture["turn"]]
        after = await other.get_until(
            lambda m: bool(m.get("match_result") or m.get("due", picture["due"]) != picture["due"]),
            20,
        )
        for ws in sockets:
            ws.close()
        api.close()
        return after, time.time() - due

    (there, _soon), (dead, later) = await asyncio.gather(run_out(True), run_out(False))
    assert there["match_result"]["why"] == "time"
    assert dead["due"]["what"] == "turn" and not dead["match_result"]
    left = datetime.fromisoformat(dead["due"]["at"]).timestamp() - time.time()
    assert 45 < left <= 60
    assert later > 1.5


async def test_a_bot_plays_by_the_clock(serving: services.Site) -> None:
    api = Api(address(serving))
    person = await api.guest()
    code, _ = await api.table("draw", [person], bots=1)
    program = Program([address(serving)], code, person)
    playing = asyncio.ensure_future(program.play(30))

    def moves_of_the_bot() -> int:
        moves = program.picture["moves"] if program.picture else []
        return sum(1 for move in moves if move["seat"] == 1)

    await until(lambda: moves_of_the_bot() >= 2)
    program.stop()
    await playing
    api.close()


async def test_at_the_end_every_socket_is_told_and_nothing_is_lost(
    own_site: services.Site,
) -> None:
    """SIGTERM in the middle of play: 1012 for all, status 0, and the match goes on afterwards."""
    api = Api(address(own_site))
    people = await api.guests(4)
    code, match = await api.table("partners", people, target=60)
    programs = [Program([address(own_site)], code, person) for person in people]
    crowd = [await Socket.open(address(own_site), f"/ws/table/{code}/") for _ in range(40)]
    playing = asyncio.gather(*(program.play(60) for program in programs))
    await until(lambda: sum(len(p.acknowledged) for p in programs) > 8)
    began = time.monotonic()
    status = await asyncio.to_thread(own_site.stop)
    assert status == 0, own_site.output()[-2000:]
    assert time.monotonic() - began < 8
    assert {await ws.closing(5) for ws in crowd} == {1012}
    assert [program.closes for program in programs] == [[1012]] * 4
    api.close()
    await asyncio.to_thread(own_site.start)
    await playing
    record = await api.record(match, people[0])
    words = sorted(word for hand in record["hands"] for word in hand["moves"])
    assert sorted(word for p in programs for _, _, word in p.acknowledged) == words
    api.close()
    assert '"level": "error"' not in own_site.output()


async def test_ctrl_c_ends_it_as_well(own_site: services.Site) -> None:
    assert await asyncio.to_thread(own_site.stop, signal.SIGINT) == 0


async def test_a_kill_loses_nothing_and_its_time_does_not_count(own_site: services.Site) -> None:
    api, code, people = await two_at_a_table(own_site, turn_seconds=10)
    path = f"/ws/table/{code}/"
    sockets = [await Socket.open(address(own_site), path, token=p.token) for p in people]
    picture = await sockets[0].table()
    mover = picture["turn"]
    picture = picture if mover == 0 else await sockets[1].table()
    message = {"type": "move", "id": "k", "seq": picture["seq"], "move": picture["legal"][0]}
    stored = await sockets[mover].ask(message)
    assert stored["type"] == "ok"
    own_site.kill()
    assert await sockets[0].closing() == 1006
    database = own_site.log.parent / "db.sqlite3"
    with sqlite3.connect(database) as db:
        # As if it had been down for an hour: far past every deadline.
        db.execute("UPDATE table_process SET beat = beat - 3600")
        row = db.execute("SELECT clock FROM table_table WHERE code = ?", [code]).fetchone()
        clock = {
            key: value - 3600 if isinstance(value, float) else value
            for key, value in json.loads(row[0]).items()
        }
        due = min(v for v in clock.values() if isinstance(v, float))
        db.execute(
            "UPDATE table_table SET clock = ?, due_at = ? WHERE code = ?",
            [json.dumps(clock), due, code],
        )
    await asyncio.to_thread(own_site.start)
    api.close()
    back = await Socket.open(address(own_site), path, token=people[mover].token)
    picture = await back.get_until(lambda m: m.get("due") is not None)
    assert picture["status"] == "playing"
    assert len(picture["moves"]) == 1
    assert (await back.ask(message))["seq"] == stored["seq"]
    await asyncio.sleep(1)
    picture = await (await Socket.open(address(own_site), path)).table()
    assert picture["status"] == "playing"
    api.close()


async def test_a_taken_port_is_told_in_a_sentence(prepared: Path) -> None:
    env = services.environment(prepared)
    with socket.socket() as held:
        held.bind(("0.0.0.0", 0))
        held.listen()
        port = str(held.getsockname()[1])
        done = services.manage("serve", "--port", port, env=env, check=False)
    assert done.returncode == 1
    assert "Can't listen there" in done.stderr
    assert "Traceback" not in done.stderr


async def test_many_come_at_once(serving: services.Site) -> None:
    api, code, people = await two_at_a_table(serving)
    path = f"/ws/table/{code}/"
    opened = await asyncio.gather(
        *(Socket.open(address(serving), path, token=people[n % 2].token) for n in range(200))
    )
    pictures = await asyncio.gather(*(ws.table() for ws in opened))
    assert {p["you"] for p in pictures} == {0, 1}
    for ws in opened:
        ws.close()
    api.close()


async def test_a_malformed_origin_is_refused_without_a_trace(serving: services.Site) -> None:
    for origin in ("garbage", "null"):
        reader, writer = await asyncio.open_connection("127.0.0.1", serving.port)
        lines = (
            "GET /ws/table/ACDEFG/ HTTP/1.1",
            f"Host: localhost:{serving.port}",
            "Upgrade: websocket",
            "Connection: Upgrade",
            f"Origin: {origin}",
            "Sec-WebSocket-Version: 13",
            "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
        )
        writer.write("\r\n".join((*lines, "", "")).encode())
        assert (await reader.readline()).split()[1] in (b"400", b"403")
        writer.close()
    await asyncio.sleep(0.2)
    assert "Traceback" not in serving.output()
