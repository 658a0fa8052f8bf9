"""Catching up with another process gives what reading the table from nothing gives."""

import json
import random
from dataclasses import fields

import pytest
from pytest_django import DjangoAssertNumQueries

from dominoes.table import neighbours, play, rows, store
from dominoes.table.batch import perform
from dominoes.table.catching import all_caught_up, stepped
from dominoes.table.live import Live
from dominoes.table.models import Event, Match, Table
from dominoes.table.writing import Job
from tests.table.tables import SETUPS, Room, picture_of

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def others_can_hear(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(neighbours, "outside_layer", object)


def caught_up(known: Live) -> Live | None:
    return all_caught_up([known])[0]


def same(one: Live, other: Live) -> None:
    """Two states of a table that nobody could tell apart."""
    known = {"game", "here", "presence", "step", "new_events", "touched", "_views"}
    for each in fields(Live):
        if each.name not in known:
            assert getattr(one, each.name) == getattr(other, each.name), each.name
    assert one.game is not None
    assert other.game is not None
    assert one.game.base() == other.game.base()
    for seat in (None, 0, 1):
        assert without_seats(one, seat) == without_seats(other, seat)


def without_seats(live: Live, seat: int | None) -> dict[str, object]:
    whole = picture_of(live, seat)
    whole.pop("seats")
    return whole


@pytest.mark.parametrize(("rules", "players", "sides"), SETUPS)
def test_every_step_of_a_match_can_be_caught_up_with(rules: str, players: int, sides: str) -> None:
    random.seed(f"catching {rules} {players} {sides}")
    room = Room(rules, players=players, sides=sides, target=60).start()
    behind = room.live
    hands = 0
    while room.live.in_match and hands < 3:
        for _ in range(random.randint(1, 4)):
            if room.live.status == Table.PLAYING:
                room.move()
        if room.live.status == Table.BETWEEN:
            room.do(play.ready, 0)
            check(behind, room)
            room.wait(11)
            hands += 1
        behind = check(behind, room)


def check(behind: Live, room: Room) -> Live:
    read = rows.load(room.code)
    assert read is not None
    made = caught_up(behind)
    if read.in_match:
        assert made is not None
        same(made, read)
    else:
        assert made is None
    return read


@pytest.mark.parametrize(("rules", "players", "sides"), SETUPS)
def test_what_other_processes_are_told_leads_to_the_same_table(
    rules: str, players: int, sides: str
) -> None:
    """As it goes through the layer; only a deal has to be read, since its tiles are secret."""
    random.seed(f"telling {rules} {players} {sides}")
    room = Room(rules, players=players, sides=sides, target=60).start()
    known, deals, steps = room.live, 0, 0
    while room.live.in_match and deals < 2:
        if room.live.status == Table.BETWEEN:
            seat = random.randrange(players)
            room.do(play.ready, seat)
            if random.random() < 0.3:
                room.wait(11)
        else:
            room.move()
        if room.live.seq == known.seq:
            continue  # ready was said before
        told = room.live.step
        if told is None:
            read = rows.load(room.code)
            assert read is not None
            changed = room.live.game is not None and room.live.game.ply == 0
            assert changed or not room.live.in_match
            deals += changed
            known = read
            continue
        steps += 1
        words = json.loads(json.dumps(told))
        assert "racks" not in json.dumps(words)
        made = stepped(known, words)
        assert made is not None
        read = rows.load(room.code)
        assert read is not None
        same(made, read)
        assert stepped(made, words) is None  # heard twice
        known = made
    assert deals or not room.live.in_match
    assert steps > 5


def test_a_step_from_elsewhere_is_not_followed() -> None:
    room, other = Room().start(), Room().start()
    before = room.live
    room.move()
    told = room.live.step
    assert told is not None
    room.move()
    assert stepped(room.live, told) is None  # of an earlier state
    assert stepped(other.live, told) is None  # of another match
    assert room.live.step is not None and stepped(before, room.live.step) is None  # one was missed
    wrong = (*told[:7], [[1, "move", 0, "7-7", False, ""]])
    assert stepped(before, wrong) is None


def test_changes_that_are_stored_together_are_told_as_one_step() -> None:
    room = Room("partners", players=4).start()
    while room.live.status == Table.PLAYING:
        room.move()
    before = room.live
    people = [room.people[seat].pk for seat in (0, 1)]
    jobs = [Job(play.ready, (room.code, who), {}, room.code) for who in people]
    perform(jobs)
    told = room.live.step
    assert told is not None and room.live.seq == before.seq + 2
    assert [line[1] for line in told.lines] == ["ready", "ready"]
    made = stepped(before, told)
    assert made is not None
    same(made, room.live)


def test_nothing_is_told_where_nobody_could_hear(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(neighbours, "outside_layer", lambda: None)
    room = Room().start()
    room.move()
    assert room.live.step is None


def test_many_tables_are_caught_up_with_together(
    django_assert_num_queries: DjangoAssertNumQueries,
) -> None:
    rooms = [Room().start() for _ in range(3)]
    behind = [room.live for room in rooms]
    rooms[0].move()
    rooms[2].do(play.leave, 0)
    with django_assert_num_queries(1):
        moved, still, ended = all_caught_up(behind)
    assert moved is not None
    same(moved, rooms[0].live)
    assert still is behind[1]
    assert ended is None
    codes = [room.code for room in rooms]
    store.forget(codes[1])
    found = store.fresh_all([*codes, "QQQQQQ"])
    assert {code: live.seq for code, live in found.items()} == {
        room.code: room.live.seq for room in rooms
    }


def test_what_is_known_already_is_kept() -> None:
    room = Room().start()
    assert caught_up(room.live) is room.live


def test_a_time_out_is_caught_up_with() -> None:
    room = Room("fives", players=3, turn_seconds=10).start()
    behind = room.live
    room.here(0, 1, 2)
    room.wait(11)
    check(behind, room)
    assert room.live.autos[0] is True


def test_leaving_is_caught_up_with() -> None:
    room = Room("fives", players=3).start()
    turn = room.live.game.turn  # type: ignore[union-attr]
    behind = room.live
    room.do(play.leave, (turn + 1) % 3)  # type: ignore[operator]
    made = check(behind, room)
    assert made.autos == (False,)


def test_nothing_is_made_up_where_more_has_changed() -> None:
    room = Room().start()
    behind = room.live
    room.do(play.leave, 0)
    assert caught_up(behind) is None
    ended = room.live
    assert caught_up(ended) is ended  # nothing has changed since
    Table.objects.update(seq=ended.seq + 1)
    assert caught_up(ended) is None  # no match is on any more
    Table.objects.all().delete()
    assert caught_up(behind) is None


@pytest.mark.parametrize("from_nothing", [True, False])
def test_what_is_stored_while_one_reads_belongs_to_a_later_state(
    from_nothing: bool,
) -> None:
    """Another process's move between our queries must not end up half in the picture."""
    room = Room("partners").start()
    behind = room.live
    room.move()
    seq = room.live.seq
    # The row as it stood one move ago, the events as they are now: what a torn read finds.
    Table.objects.filter(code=room.code).update(seq=seq - 1, status=behind.status)
    assert Event.objects.filter(kind="move").count() == 1
    store.forget()
    if from_nothing:
        read = rows.load(room.code)
    else:
        read = caught_up(behind)
    assert read is not None
    assert read.game is not None
    assert read.game.ply == 0
    assert read.seq == behind.seq
    assert Match.objects.count() == 1
