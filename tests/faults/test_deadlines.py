"""What falls due is done once, however many sweep; a move and its time-out exclude each other."""

from __future__ import annotations

import asyncio
import itertools
import json
import random
import subprocess
import sys
import time
from collections import Counter
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import pytest

from tests import services
from tests.clients import Person, Picture, Socket
from tests.faults.conftest import Tell
from tests.faults.farm import Farm
from tests.faults.load import people

SPREAD = 3.0  # seconds within which all the deadlines lie

# By what is waited for: the kinds of the events that must follow, and how the table stands then.
EXPECTED = {
    "forfeit": (["leave", "hand", "end"], "over"),
    "deal": (["deal"], "playing"),
    "hold": (["hand", "end"], "abandoned"),
    "reserve": ([], "playing"),
}


def many_wait(farm: Farm, count: int) -> dict[str, Any]:
    """Make that many tables that wait for something; see waiting.py."""
    done = subprocess.run(
        [sys.executable, "-m", "tests.faults.waiting", str(count), str(SPREAD)],
        env=farm.env,
        cwd=services.ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-3000:]
    return dict(json.loads(done.stdout))


async def all_done(farm: Farm, marks: list[float], until: float) -> None:
    """Wait until none of these tables waits for what it waited for."""
    slots = ", ".join("?" * len(marks))
    while True:
        left = farm.rows(
            "SELECT count(*) FROM table_table t JOIN table_match m ON t.match_id = m.id"
            f" WHERE m.started_at IN ({slots}) AND t.due_at <= ?",
            *marks,
            time.time(),
        )[0][0]
        if not left and time.time() > until:
            return
        await asyncio.sleep(0.3)


def what_followed(farm: Farm, kind: str, about: dict[str, Any]) -> list[float]:
    """Hold the copies of one kind against what must have happened; how late each was done."""
    tables = {
        id: (status, seq, due)
        for id, status, seq, due in farm.rows(
            "SELECT m.id, t.status, t.seq, t.created_at FROM table_table t"
            " JOIN table_match m ON t.match_id = m.id WHERE m.started_at = ?",
            about["mark"],
        )
    }
    assert len(tables) == about["count"]
    events: dict[str, list[tuple[Any, ...]]] = {id: [] for id in tables}
    for id, *event in farm.rows(
        "SELECT m.id, e.kind, e.seat, e.word, e.auto, e.at FROM table_match m"
        " JOIN table_event e ON e.match_id = m.id WHERE m.started_at = ? AND e.number > ?"
        " ORDER BY m.id, e.number",
        about["mark"],
        about["events"],
    ):
        events[id].append(tuple(event))
    # They are alike, so what followed is alike: anything done twice, or half, stands out.
    stories = Counter(tuple(event[:4] for event in story) for story in events.values())
    assert len(stories) == 1, (kind, stories)
    assert len({seq for _, seq, _ in tables.values()}) == 1, kind
    story = next(iter(stories))
    kinds = [event[0] for event in story]
    if kind == "played for":
        assert {event[:2] for event in story} == {("move", about["turn"])}
        assert all(auto for *_, auto in story)
        assert [word for _, _, word, _ in story[:-1]] == ["draw"] * (len(story) - 1)
        assert story[-1][2] != "draw"
        status = "playing"
    else:
        expected, status = EXPECTED[kind]
        assert kinds == expected, kind
    assert {state for state, _, _ in tables.values()} == {status}
    if kind == "reserve":
        assert {seq for _, seq, _ in tables.values()} == {about["seq"] + 1}
    results = farm.rows(
        "SELECT count(r.id), count(DISTINCT m.id) FROM ranking_result r"
        " JOIN table_match m ON r.key = 'dominoes:' || m.id WHERE m.started_at = ?",
        about["mark"],
    )
    wanted = about["count"] if kind == "forfeit" else 0
    assert results == [(wanted, wanted)], kind
    return [story[0][4] - tables[id][2] for id, story in events.items() if story]


@dataclass(frozen=True)
class Many:
    """How many tables wait, and over how many processes."""

    tables: int
    processes: int


@pytest.mark.parametrize(
    "many",
    [
        pytest.param(Many(300, 3), id="short", marks=pytest.mark.faults),
        pytest.param(Many(10_000, 4), id="long", marks=pytest.mark.faults_long),
    ],
)
async def test_many_deadlines_within_seconds(farm: Farm, many: Many, tell: Tell) -> None:
    await asyncio.to_thread(farm.more, many.processes)
    told = await asyncio.to_thread(many_wait, farm, many.tables)
    marks = [about["mark"] for about in told["kinds"].values()]
    try:
        async with asyncio.timeout(60 + many.tables / 20):
            await all_done(farm, marks, told["first"] + SPREAD)
        took = time.time() - told["first"]
        late = sorted(
            itertools.chain.from_iterable(
                what_followed(farm, kind, about) for kind, about in told["kinds"].items()
            )
        )
    finally:
        for mark in marks:
            farm.rows(
                "UPDATE table_table SET due_at = NULL, clock = '{}', status = 'closed',"
                " seq = seq + 1 WHERE match_id IN"
                " (SELECT id FROM table_match WHERE started_at = ?)",
                mark,
            )
    middle, most = late[len(late) // 2], late[len(late) * 95 // 100]
    tell(
        f"{many.tables} deadlines within {SPREAD:.0f} s over {len(farm.sites)} processes, each "
        f"done once, all after {took:.1f} s; late by {middle:.2f} s in the middle, {most:.2f} s "
        f"at p95, {late[-1]:.2f} s at most"
    )


# A move and its time-out


@dataclass(frozen=True)
class Race:
    """A move that was sent around the end of its turn."""

    match: str
    seat: int
    id: str
    answer: dict[str, Any]
    last: Picture


async def race(farm: Farm, pair: list[Person], players: int, number: int) -> Race:
    """Sit, wait for one's turn to run out, and move at that very moment."""
    code, match = await farm.ask(lambda api: api.table("draw", pair, turn_seconds=10), first=number)
    sockets = [
        await Socket.open(
            farm.addresses[(number + n) % len(farm.sites)],
            f"/ws/table/{code}/",
            token=person.token,
        )
        for n, person in enumerate(pair)
    ]
    pictures = [
        await ws.get_until(
            lambda m: m["type"] == "table" and all(s["state"] == "here" for s in m["seats"])
        )
        for ws in sockets
    ]
    seat = pictures[0]["turn"]
    mine, ws = pictures[seat], sockets[seat]
    due = datetime.fromisoformat(mine["due"]["at"]).timestamp()
    await asyncio.sleep(due - time.time() + random.uniform(-0.05, 0.35))
    id = f"race {number}"
    ws.send({"type": "move", "id": id, "seq": mine["seq"], "move": mine["legal"][0]})
    answer: dict[str, Any] | None = None
    last = mine
    # Somebody's coming may still be told in between: it is the match that has to go on.
    while answer is None or not (last["moves"] or last["match_result"]):
        message = await ws.get()
        if message["type"] == "table":
            last = message
        elif message.get("id") == id:
            answer = message
    for other in sockets:
        other.close()
    return Race(match, seat, id, answer, last)


@pytest.mark.parametrize("players", [2, 3])
@pytest.mark.parametrize(
    "races",
    [
        pytest.param(25, id="short", marks=pytest.mark.faults),
        pytest.param(500, id="long", marks=pytest.mark.faults_long),
    ],
)
async def test_a_move_and_its_time_out(farm: Farm, races: int, players: int, tell: Tell) -> None:
    """Of two sides the time-out loses the match, of three it plays the turn."""
    crowd = await people(farm, 3 * players)
    places = asyncio.Semaphore(60)

    async def one(number: int) -> Race:
        start = number * players % len(crowd)
        async with places:
            return await race(farm, crowd[start : start + players], players, number)

    async with asyncio.timeout(60 + races):
        run = await asyncio.gather(*(one(number) for number in range(races)))
    won: Counter[str] = Counter()
    for result in run:
        events = farm.rows(
            "SELECT kind, seat, word, auto, client_id FROM table_event"
            " WHERE match_id = ? AND kind IN ('move', 'leave') ORDER BY number",
            result.match,
        )
        stored = [event for event in events if event[4] == result.id]
        first = events[0]
        assert first[1] == result.seat
        if result.answer["type"] == "ok":
            won["move"] += 1
            assert len(stored) == 1 and first == stored[0], events
            assert result.last["match_result"] is None
            assert not result.last["moves"][0]["auto"]
        else:
            won["time-out"] += 1
            assert not stored, events
            assert result.answer["code"] in ("over", "stale", "not_your_turn"), result.answer
            assert result.answer["detail"]
            assert first[3], events
            if players == 2:
                assert first[0] == "leave"
                assert result.last["match_result"]["why"] == "time"
            else:
                assert first[0] == "move"
                assert result.last["moves"][0]["auto"]
    tell(f"{races} races: {won['move']} moves were in time, {won['time-out']} were told no")
    assert won["time-out"], "nobody was late: the race was none"
    assert won["move"], "nobody was in time: the race was none"
