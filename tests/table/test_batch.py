"""What is stored together: one transaction for plain commands, order kept, faults kept apart."""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext

from dominoes.table import automatic, course, play, presence, store
from dominoes.table.batch import PATIENCE, perform, perform_free
from dominoes.table.live import Live
from dominoes.table.models import Event, Match, Table
from dominoes.table.refusals import Refused
from dominoes.table.writing import Job
from tests.table.tables import Room

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.servers]


def at(code: str, fn: Callable[..., Any], *args: Any) -> Job:
    return Job(fn, (code, *args), {}, code)


def move_of(room: Room, client_id: str = "", word: str | None = None) -> Job:
    """The job of a legal move by the seat on turn (or of that word)."""
    live = room.live
    assert live.game is not None and live.game.turn is not None
    holder = live.seats[live.game.turn]
    assert holder is not None
    word = word or live.game.legal_words()[0]
    return at(room.code, play.move, holder.player_id, word, live.seq, client_id or None)


def test_moves_at_several_tables_take_as_many_statements_as_one_does() -> None:
    rooms = [Room("draw").start() for _number in range(5)]
    jobs = [move_of(room) for room in rooms]
    with CaptureQueriesContext(connection) as asked:
        perform(jobs)
    words = [query["sql"].split()[0] for query in asked if "sql" in query]
    assert len([word for word in words if word == "SELECT"]) == 1
    assert not [word for word in words if word in ("SAVEPOINT", "RELEASE")]
    for room, job in zip(rooms, jobs, strict=True):
        assert job.future.result().seq == room.live.seq == Table.objects.get(code=room.code).seq
        assert Event.objects.filter(match_id=room.live.match.id, kind="move").count() == 1  # type: ignore[union-attr]


def test_a_hand_that_ends_and_the_next_deal_are_plain() -> None:
    room = Room("draw").start()
    room.here(0, 1)
    while True:
        job = move_of(room)
        with CaptureQueriesContext(connection) as asked:
            perform([job])
        if room.live.status != Table.PLAYING:
            break
    assert not any("SAVEPOINT" in query["sql"] for query in asked)
    people = [person.pk for person in room.people]
    jobs = [at(room.code, play.ready, pk, f"r{pk}") for pk in people]
    with CaptureQueriesContext(connection) as asked:
        perform(jobs)
    assert len([q for q in asked if q["sql"].startswith("SELECT")]) == 1
    live = room.live
    assert live.status == Table.PLAYING and live.game is not None and live.game.hand_number == 2
    row = Match.objects.get(pk=live.match.id)  # type: ignore[union-attr]
    assert (row.hand, row.hand_from) == (2, live.match.hand_from)  # type: ignore[union-attr]
    store.forget(room.code)
    assert room.live.game.scores == live.game.scores  # type: ignore[union-attr]


def test_who_is_at_several_tables_is_asked_once() -> None:
    rooms = [Room("draw").start() for _number in range(4)]
    held = [
        presence.opened(room.live.table_id, number % 2, room.people[number % 2].pk)
        for number, room in enumerate(rooms)
    ]
    jobs = [at(room.code, automatic.who_is_here) for room in rooms]
    with CaptureQueriesContext(connection) as asked:
        perform(jobs)
    assert len([q for q in asked if q["sql"].startswith("SELECT")]) == 2
    assert not any("SAVEPOINT" in query["sql"] for query in asked)
    assert [job.future.result().seats for job in jobs] == [{0}, {1}, {0}, {1}]
    for one in held:
        presence.closed(one)


def test_a_refusal_undoes_nothing_of_the_others() -> None:
    one, two = Room("draw").start(), Room("draw").start()
    jobs = [move_of(one), move_of(two, word="knock"), move_of(two)]
    perform(jobs)
    assert jobs[0].future.result().seq == one.live.seq
    with pytest.raises(Refused):
        jobs[1].future.result()
    assert jobs[2].future.result().seq == two.live.seq


def _faulty(code: str) -> None:
    store.change(code, _bump)
    raise ValueError("a fault")


def _bump(draft: Live, _now: float) -> int:
    course.bump(draft, moved=False)
    return draft.seq


def _count(code: str) -> int:
    return store.change(code, _bump)


def test_a_fault_after_a_change_takes_that_change_back() -> None:
    room = Room()
    before = room.live.seq
    jobs = [at(room.code, _count), at(room.code, _faulty), at(room.code, _count)]
    perform(jobs)
    assert [jobs[0].future.result(), jobs[2].future.result()] == [before + 1, before + 2]
    with pytest.raises(ValueError, match="fault"):
        jobs[1].future.result()
    assert Table.objects.get(code=room.code).seq == before + 2


def _asks(code: str, said: list[str], word: str) -> None:
    """Not plain: looks something up."""
    Match.objects.count()
    said.append(word)
    store.change(code, _bump)


def _plain(code: str, said: list[str], word: str) -> None:
    store.change(code, _bump)
    said.append(word)


def test_commands_at_one_table_keep_their_order_when_one_needs_more() -> None:
    room, other = Room(), Room()
    before, said = room.live.seq, []
    jobs = [
        at(room.code, _asks, said, "first"),
        at(other.code, _plain, said, "elsewhere"),
        at(room.code, _plain, said, "second"),
    ]
    perform(jobs)
    assert said == ["elsewhere", "first", "second"]
    assert [job.future.result() for job in jobs] == [None] * 3
    assert room.live.seq == Table.objects.get(code=room.code).seq == before + 2


def test_an_id_that_the_log_has_is_answered_again_and_the_others_are_stored() -> None:
    one, two = Room("draw").start(), Room("draw").start()
    first = move_of(one, "same")
    perform([first])
    again = at(one.code, *([play.move, *first.args[1:]]))
    fresh = move_of(two)
    perform([again, fresh])
    assert again.future.result() == first.future.result()
    assert fresh.future.result().seq == two.live.seq
    assert Event.objects.filter(client_id="same").count() == 1


def test_a_repeated_ready_of_an_earlier_break_does_nothing() -> None:
    room = Room("draw", target=500).start()  # no hand ends the match
    room.here(0, 1)
    room.play_hand()
    people = [person.pk for person in room.people]
    perform([at(room.code, play.ready, people[0], "r1")])
    perform([at(room.code, play.ready, people[1], "r2")])
    room.play_hand()
    assert room.live.status == Table.BETWEEN
    before = room.live.seq
    again = at(room.code, play.ready, people[0], "r1")
    perform([again])
    assert again.future.result().seq < before
    assert room.live.seq == before and not room.live.clock.ready


def test_a_room_that_is_not_there_is_that_jobs_fault_alone() -> None:
    room = Room()
    before = room.live.seq
    jobs = [at("ZZZZZZ", _count), at(room.code, _count)]
    perform(jobs)
    with pytest.raises(store.NoSuchTable):
        jobs[0].future.result()
    assert jobs[1].future.result() == before + 1


@contextlib.contextmanager
def held_elsewhere(room: Room) -> Iterator[threading.Event]:
    """Another process has a table's row, until the event is set or the block ends."""
    locked, let_go = threading.Event(), threading.Event()

    def hold() -> None:
        with transaction.atomic():
            Table.objects.select_for_update().get(code=room.code)
            locked.set()
            let_go.wait(10)
        connection.close()

    other = threading.Thread(target=hold)
    other.start()
    try:
        assert locked.wait(10)
        yield let_go
    finally:
        let_go.set()
        other.join()


@pytest.mark.only_servers  # there is one process on SQLite
def test_a_table_that_another_process_holds_keeps_nobody_else_waiting() -> None:
    held, free = Room(), Room()
    before = held.live.seq
    jobs = [at(held.code, _count), at(free.code, _count)]
    with held_elsewhere(held) as let_go:
        working = threading.Thread(target=lambda: (perform(jobs), connection.close()))
        working.start()
        jobs[1].future.result(5)
        time.sleep(0.1)
        assert not jobs[0].future.done()
        let_go.set()
        assert jobs[0].future.result(5) == before + 1
        working.join()


@pytest.mark.only_servers
def test_what_a_lock_keeps_from_being_run_comes_first_in_the_next_batch() -> None:
    held, free = Room(), Room()
    before = held.live.seq
    first, then = at(held.code, _count), at(held.code, _count)
    with held_elsewhere(held):
        left = perform_free([first, at(free.code, _count), then])
        assert left == [first, then]
        for _more in range(PATIENCE - 1):
            left = perform_free(left)
        assert left == [first, then]
        late = at(held.code, _count)
    # Their patience is at an end: they would wait for the lock itself; it is free by now.
    with CaptureQueriesContext(connection) as asked:
        assert perform_free([*left, late]) == []
    assert [job.future.result(0) for job in (first, then, late)] == [before + n for n in (1, 2, 3)]
    assert len([q for q in asked if q["sql"].startswith("UPDATE")]) == 1
    assert Table.objects.get(code=held.code).seq == before + 3
