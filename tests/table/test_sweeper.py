"""What goes by the clock: lost time is made up for, what is due is done once, by whom it may."""

from __future__ import annotations

import threading
import time
from typing import Any

import pytest
from django.db import close_old_connections

from dominoes.table import automatic, metrics, presence, store, sweeper
from dominoes.table.live import Live
from dominoes.table.models import Process, Socket, Table
from dominoes.table.presence import Lost
from tests.table.tables import Room

pytestmark = pytest.mark.django_db(transaction=True)


def make_up(lost: list[Lost], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(presence, "lost_time", lambda _now: lost)
    assert store.call(sweeper.make_up, time.time()) == lost


def test_an_outage_counts_for_nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    rooms = [Room(turn_seconds=30).start() for _ in range(3)]
    claimed = Room(turn_seconds=0).start()
    nearby = Room(kind="nearby").start()
    nearby.here(0)
    waiting = Room()
    before = {room.code: room.live.clock for room in [*rooms, claimed, nearby, waiting]}
    for room in [*rooms, claimed, nearby, waiting]:
        room.pass_time(3600)
    now = time.time()
    make_up([Lost(3600.0, True, frozenset())], monkeypatch)
    assert sweeper.fire_due(time.time()) == 0
    for room in rooms:
        assert room.live.clock.turn_at == pytest.approx(before[room.code].turn_at)
    assert claimed.live.clock.turn_from == pytest.approx(before[claimed.code].turn_from)
    assert nearby.live.clock.holds[1] == pytest.approx(before[nearby.code].holds[1])
    assert waiting.live.clock.gone_at == pytest.approx(before[waiting.code].gone_at)
    assert all(room.live.status == Table.PLAYING for room in rooms)
    assert now < min(room.live.clock.due_at() or 0 for room in rooms)


def test_at_least_fifteen_seconds_are_left(monkeypatch: pytest.MonkeyPatch) -> None:
    room = Room(turn_seconds=30).start()
    room.pass_time(29)
    make_up([Lost(2.0, True, frozenset())], monkeypatch)
    left = (room.live.clock.turn_at or 0) - time.time()
    assert 14 < left <= 15


def test_only_seats_that_could_not_be_reached_get_their_time_back(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    on_turn, off_turn, other = (Room(turn_seconds=30).start() for _ in range(3))
    turns = [room.game.turn for room in (on_turn, off_turn)]
    seats = frozenset({(on_turn.live.table_id, turns[0]), (off_turn.live.table_id, 1 - turns[1])})
    before = [room.live.clock.turn_at for room in (on_turn, off_turn, other)]
    make_up([Lost(20.0, False, seats)], monkeypatch)
    after = [room.live.clock.turn_at for room in (on_turn, off_turn, other)]
    assert after == pytest.approx([before[0] + 20.0, before[1], before[2]])


def test_a_turn_that_began_when_its_player_was_back_has_lost_nothing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    before, after = (Room(turn_seconds=30).start() for _ in range(2))
    due = [room.live.clock.turn_at for room in (before, after)]
    now = time.time()
    for room, opened in ((before, now + 1), (after, now - 1)):
        presence.opened(room.live.table_id, room.game.turn, None, opened)
    seats = frozenset({(room.live.table_id, room.game.turn) for room in (before, after)})
    make_up([Lost(10.0, False, seats)], monkeypatch)
    found = [room.live.clock.turn_at for room in (before, after)]
    assert found == pytest.approx([due[0] + 10.0, due[1]])


def test_whoever_came_back_from_a_process_that_hangs_has_time_left(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The whole of it: the move is swallowed, the clock runs out, the page comes back here."""
    room = Room(turn_seconds=10).start()
    table, turn = room.live.table_id, room.game.turn
    presence.begin(time.time())
    sweeper.sweep()
    presence.opened(table, 1 - turn, None)
    hung = Process.objects.create(id="hung", beat=time.time() - 7)
    Socket.objects.create(process=hung, table_id=table, seat=turn, opened=time.time() - 60)
    room.pass_time(13)
    presence.opened(table, turn, None)
    sweeper.sweep()
    assert room.live.status == Table.PLAYING
    assert (room.live.clock.turn_at or 0) < time.time()
    Process.objects.filter(pk="hung").update(beat=time.time() - presence.SILENT - 0.1)
    sweeper.sweep()
    assert room.live.status == Table.PLAYING
    assert (room.live.clock.turn_at or 0) > time.time() + 14
    assert not room.live.clock.reserve_used
    presence.reset()


def test_a_silent_processs_seats_are_seen_to_drop(monkeypatch: pytest.MonkeyPatch) -> None:
    room = Room(kind="nearby")
    gone = Process.objects.create(id="gone", beat=time.time())
    Socket.objects.create(process=gone, table_id=room.live.table_id, seat=1)
    presence.opened(room.live.table_id, 0, None)
    room.start()
    store.call(automatic.presence_changed, room.code)
    assert room.live.clock.holds == {}
    gone.delete()
    make_up([Lost(11.0, False, frozenset({(room.live.table_id, 1)}))], monkeypatch)
    assert set(room.live.clock.holds) == {1}
    assert room.live.clock.holds[1] > time.time() + 25


def test_nothing_is_due_for_a_seat_in_doubt(monkeypatch: pytest.MonkeyPatch) -> None:
    room = Room(turn_seconds=10).start()
    room.here(0, 1)
    room.pass_time(11)
    seat = (room.live.table_id, room.game.turn)
    monkeypatch.setattr(presence, "doubtful", lambda _now: frozenset({seat}))
    assert sweeper.fire_due(time.time()) == 0
    assert room.live.status == Table.PLAYING
    monkeypatch.setattr(presence, "doubtful", lambda _now: frozenset())
    assert sweeper.fire_due(time.time()) == 1
    assert room.live.status == Table.OVER


def test_each_process_takes_its_share_first(monkeypatch: pytest.MonkeyPatch) -> None:
    rooms = [Room(turn_seconds=10).start() for _ in range(4)]
    for room in rooms:
        room.here(0, 1)
        room.pass_time(10.5)
    monkeypatch.setattr(presence, "share", lambda _now: (1, 2))
    monkeypatch.setattr(sweeper, "OVERDUE", 60.0)
    assert sweeper.fire_due(time.time()) == 2
    over = {room.live.table_id % 2 for room in rooms if room.live.status == Table.OVER}
    assert over == {1}
    assert sweeper.fire_due(time.time() + 62) == 2


def test_a_process_that_cannot_keep_up_leaves_the_others_to_the_others(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Else all processes would do the oldest, each once too often."""
    rooms = [Room(turn_seconds=10).start() for _ in range(4)]
    for room in rooms:
        room.here(0, 1)
        room.pass_time(15)
    monkeypatch.setattr(presence, "share", lambda _now: (1, 2))
    monkeypatch.setattr(sweeper, "AT_ONCE", 20)  # with two of its own, it has none to spare
    assert sweeper.fire_due(time.time()) == 2
    monkeypatch.setattr(sweeper, "AT_ONCE", 500)
    assert sweeper.fire_due(time.time()) == 2


def held_elsewhere(room: Room, opened: float = 0.0, *, seat: int | None = None) -> None:
    """Another process, which lives, holds a socket of that seat, by default of the one on turn."""
    other, _ = Process.objects.get_or_create(id="other", defaults={"beat": time.time()})
    seat = room.game.turn if seat is None else seat
    Socket.objects.create(process=other, table_id=room.live.table_id, seat=seat, opened=opened)


def test_a_process_takes_those_whose_players_it_holds_whosever_share_they_are(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    rooms = [Room(turn_seconds=10).start() for _ in range(4)]
    for room in rooms:
        room.here(0, 1)
        room.pass_time(10.5)
        store.fresh(room.code)  # as one has it in memory whose socket is open
    monkeypatch.setattr(presence, "share", lambda _now: (1, 2))
    assert sweeper.fire_due(time.time()) == 4
    assert {room.live.status for room in rooms} == {Table.OVER}


def test_a_time_out_is_first_up_to_the_process_that_holds_the_seat() -> None:
    """A move that came in time may wait there in line."""
    room = Room(turn_seconds=10).start()
    room.here(1 - room.game.turn)
    held_elsewhere(room)
    room.pass_time(10.1)
    due = room.live.clock.turn_at or 0
    assert sweeper.fire_due(due + 2.9) == 0
    assert sweeper.fire_due(due + 3.1) == 1
    assert room.live.status == Table.OVER


def test_so_is_the_turn_of_a_seat_that_is_away() -> None:
    room = Room("draw", players=3, turn_seconds=10).start()
    seat = room.game.turn
    held_elsewhere(room)
    room.pass_time(14)
    assert sweeper.fire_due(time.time()) == 1
    while room.game.turn != seat:
        room.move()
    ply = room.game.ply
    room.pass_time(2.1)
    assert sweeper.fire_due(time.time()) == 0
    room.pass_time(3)
    assert sweeper.fire_due(time.time()) == 1
    assert room.game.ply > ply


@pytest.mark.parametrize("first_here", [True, False])
def test_of_two_processes_that_hold_a_seat_it_is_the_first(first_here: bool) -> None:
    room = Room(turn_seconds=10).start()
    presence.opened(room.live.table_id, room.game.turn, None, 1000.0)
    held_elsewhere(room, 1001.0 if first_here else 999.0)
    room.pass_time(11)
    assert sweeper.fire_due(time.time()) == first_here


def test_nothing_else_waits_for_another_process() -> None:
    """A bot's move, a deal, a hold: nobody is late there."""
    room = Room(bots=1).start()
    while room.game.turn == 0:
        room.move()
    held_elsewhere(room, seat=0)
    room.pass_time(5)
    assert sweeper.fire_due(time.time()) == 1


class Phone:
    """The line to somebody: when it was heard of last, and how often it was asked to answer."""

    def __init__(self, heard: float) -> None:
        self.heard, self.asked = heard, 0

    def ask(self) -> None:
        self.asked += 1


def on_the_phone(seconds_ago: float, **choices: Any) -> tuple[Room, Phone]:
    """A room where the clock of the seat on turn has just run out, and that seat's line."""
    room = Room(turn_seconds=10, **choices).start()
    room.here(1 - room.game.turn)
    phone = Phone(time.time() - seconds_ago)
    presence.opened(room.live.table_id, room.game.turn, None, line=phone)
    room.pass_time(10.01)
    return room, phone


def test_a_line_that_stands_is_heard_of_before_its_clock_counts_as_run_out() -> None:
    room, phone = on_the_phone(1)
    assert sweeper.fire_due(time.time()) == 0
    assert phone.asked == 1
    phone.heard = time.time()
    assert sweeper.fire_due(time.time()) == 1
    assert room.live.status == Table.OVER


def test_a_dead_line_that_nobody_noticed_yet_has_its_reserve() -> None:
    room, phone = on_the_phone(4)
    twin = Phone(time.time() - 3)
    presence.opened(room.live.table_id, room.game.turn, None, line=twin)
    due = room.live.clock.turn_at or 0
    assert sweeper.fire_due(due) == 0
    assert sweeper.fire_due(due + 1.9) == 0
    assert phone.asked == twin.asked == 2
    assert sweeper.fire_due(due + 2.1) == 1
    assert room.live.status == Table.PLAYING
    assert room.live.clock.on_reserve == room.game.turn
    # Which it has once: afterwards nothing is gained by not answering.
    room.pass_time(61)
    assert sweeper.fire_due(time.time()) == 1
    assert room.live.status == Table.OVER


def test_one_line_of_two_that_answers_is_enough() -> None:
    room, phone = on_the_phone(4)
    presence.opened(room.live.table_id, room.game.turn, None, line=Phone(time.time() + 1))
    assert sweeper.fire_due(time.time()) == 1
    assert room.live.status == Table.OVER
    assert phone.asked == 0


def test_a_socket_in_another_process_may_answer_for_a_dead_line_here() -> None:
    room, _phone = on_the_phone(4)
    held_elsewhere(room, time.time())
    due = room.live.clock.turn_at or 0
    assert sweeper.fire_due(due + 1.9) == 0
    assert sweeper.fire_due(due + 2.1) == 1
    assert room.live.status == Table.OVER


@pytest.mark.parametrize("back", [True, False])
def test_a_clock_that_runs_out_as_a_process_dies_waits_until_it_is_buried(back: bool) -> None:
    """Whether its player came back at once or not at all: from the first second on."""
    room = Room(turn_seconds=10).start()
    table, turn = room.live.table_id, room.game.turn
    presence.begin(time.time())
    sweeper.sweep()
    presence.opened(table, 1 - turn, None)
    died = Process.objects.create(id="died", beat=time.time() - 0.5)
    Socket.objects.create(process=died, table_id=table, seat=turn, opened=time.time() - 60)
    if back:
        presence.opened(table, turn, None)
    room.pass_time(10.1)
    for seconds in range(10):
        now = died.beat + 0.6 + seconds
        assert presence.beat(now)
        assert sweeper.fire_due(now) == 0
    assert room.live.status == Table.PLAYING
    now = died.beat + 10.5
    assert presence.beat(now)
    lost = store.call(sweeper.make_up, now)
    assert [(one.everyone, one.seats) for one in lost] == [(False, {(table, turn)})]
    assert (room.live.clock.turn_at or 0) >= now + 14.9
    presence.reset()


def test_bots_think_and_play(monkeypatch: pytest.MonkeyPatch) -> None:
    room = Room(bots=1).start()
    plies = 0
    for _ in range(12):
        if room.live.status != Table.PLAYING:
            break
        if room.game.turn == 0:
            room.move()
        else:
            before = room.game.ply
            room.pass_time(5)
            assert sweeper.fire_due(time.time()) == 1
            plies += room.game.ply - before
    assert plies > 0


def test_one_table_in_trouble_does_not_hold_up_the_others(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    rooms = [Room(turn_seconds=10).start() for _ in range(3)]
    for room in rooms:
        room.here(0, 1)
        room.pass_time(12)
    real = automatic.fire

    def fire(code: str, until: float | None) -> bool:
        if code == rooms[0].code:
            raise RuntimeError("a fault of ours")
        return real(code, until)

    monkeypatch.setattr(automatic, "fire", fire)
    errors = metrics.ERRORS.labels("sweep")._value.get()
    assert sweeper.fire_due(time.time()) == 2
    assert metrics.ERRORS.labels("sweep")._value.get() == errors + 1


def test_a_bot_that_fails_holds_up_its_own_table_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    rooms = [Room(bots=1).start() for _ in range(2)]
    for room in rooms:
        while room.game.turn == 0:
            room.move()
        room.pass_time(5)
    late = Room(turn_seconds=10).start()
    late.here(0, 1)
    late.pass_time(11)
    real, broken = automatic.duty, rooms[0].code

    def duty(live: Live, *about: Any) -> Any:
        if live.code == broken:
            raise RuntimeError("a fault of a bot")
        return real(live, *about)

    monkeypatch.setattr(automatic, "duty", duty)
    errors = metrics.ERRORS.labels("sweep")._value.get()
    assert sweeper.fire_due(time.time()) == 2
    assert late.live.status == Table.OVER
    assert metrics.ERRORS.labels("sweep")._value.get() == errors + 1


def test_what_competing_sweepers_find_due_happens_once() -> None:
    rooms = [Room("fives", players=3, turn_seconds=10).start() for _ in range(8)]
    for room in rooms:
        room.here(0, 1, 2)
        room.pass_time(12)
    done: list[int] = []

    def work() -> None:
        try:
            done.append(sweeper.fire_due(time.time()))
        finally:
            close_old_connections()

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sum(done) == len(rooms)
    assert {room.game.ply for room in rooms} == {1}


def test_a_ticker_survives_its_errors() -> None:
    ticked = threading.Event()
    calls: list[int] = []

    def tick() -> float:
        calls.append(1)
        if len(calls) == 1:
            raise RuntimeError("once")
        ticked.set()
        return 60.0

    ticker = sweeper.Ticker("sweeper", tick)
    ticker.start()
    assert ticked.wait(5)
    ticker.stop()
    assert not ticker.is_alive()


def test_what_fell_due_while_the_sweeper_itself_was_halted_is_not_done() -> None:
    """Halted between its look at the hearts and the lock, it fires for the time before alone."""
    room = Room(turn_seconds=10).start()
    room.here(0, 1)
    looked = time.time()
    live = room.live
    room.pass_time(11)
    command, about = automatic.duty(live, looked - 11)
    assert store.call(command, room.code, *about) is False
    assert room.live.status == Table.PLAYING
    command, about = automatic.duty(room.live, time.time())
    assert store.call(command, room.code, *about) is True
    assert room.live.status == Table.OVER


def test_a_buried_process_writes_no_rows_until_it_counts_again() -> None:
    room = Room().start()
    presence.begin(time.time())
    sweeper.sweep()
    presence.opened(room.live.table_id, 0, room.people[0].pk)
    Process.objects.all().delete()
    store.call(presence.write_rows, time.time())
    assert not Socket.objects.exists()
    assert presence.beat(time.time()) is False
    sweeper.sweep()
    assert [row.seat for row in Socket.objects.all()] == [0]
    presence.reset()
