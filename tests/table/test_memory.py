"""What a process knows of its tables: the newest state, and who came while that was made."""

from __future__ import annotations

import logging

import pytest

from dominoes.table import arriving, automatic, course, memory, presence, store, sweeper
from dominoes.table.live import Live
from dominoes.table.models import Match, Table
from tests.table.tables import Room

pytestmark = pytest.mark.django_db(transaction=True)


def later(live: Live, by: int = 1) -> Live:
    draft = live.fork()
    draft.seq += by
    return draft


def test_who_came_while_a_state_was_made_is_not_forgotten() -> None:
    room = Room()
    made_before = later(room.live)
    memory.refresh_presence(room.code, frozenset({0, 1}))
    kept = memory.keep(made_before)
    assert kept is made_before
    assert (kept.here, kept.presence) == ({0, 1}, 1)
    # Read anew, the same state doesn't replace one that knows more.
    again = kept.fork()
    again.here, again.presence = frozenset(), 0
    assert memory.keep(again) is kept
    assert memory.keep(later(kept, -1)) is kept


def test_a_state_that_is_stored_shows_what_the_command_did() -> None:
    room = Room("draw", bots=1).start()
    while room.live.in_match and room.game.turn != 1:
        room.move()

    def looks_then_plays(draft: Live, now: float) -> None:
        assert draft.view(1) is not None  # as a bot's move does
        automatic._act(draft, now)

    before = room.game.ply
    store.call(store.change, room.code, looks_then_plays)
    live = store.peek(room.code)
    assert live is not None
    for seat in (None, 0, 1):
        view = live.view(seat)
        assert view is not None and (view.ply != before or view.hand > 1)


def test_a_match_begins_with_who_is_there_by_then() -> None:
    room = Room("draw", players=3, kind="nearby")
    room.here(0, 1, 2)
    held = [h for h in presence._own.held.values() if h.seat == 1]
    presence.closed(held[0])  # and nobody has been told yet
    room.start()
    assert set(room.live.clock.holds) == {1}


def test_a_table_that_cannot_be_read_keeps_no_other_waiting(
    caplog: pytest.LogCaptureFixture,
) -> None:
    damaged, sound = (Room(turn_seconds=20).start() for _ in range(2))
    for room in (damaged, sound):
        room.here(0, 1)
        room.pass_time(30)
    assert damaged.live.match is not None
    Match.objects.filter(pk=damaged.live.match.id).update(base='{"broken": 1}')
    store.forget()
    with caplog.at_level(logging.ERROR):
        assert set(store.fresh_all([damaged.code, sound.code])) == {sound.code}
    with pytest.raises(store.NoSuchTable):
        store.fresh(damaged.code)
    with pytest.raises(store.NoSuchTable):
        store.call(store.change, damaged.code, lambda draft, now: course.bump(draft, moved=False))
    sweeper.sweep()
    assert sound.live.status == Table.OVER
    assert Table.objects.get(code=damaged.code).status == Table.PLAYING


def test_who_is_turned_away_is_not_there(monkeypatch: pytest.MonkeyPatch) -> None:
    room = Room()
    person = room.people[1]
    asked = arriving._Asked.__new__(arriving._Asked)
    asked.code = room.code
    asked.scope = {"user": person, "headers": [], "session": {}}
    visitor = arriving.Visitor(player_id=person.pk)
    monkeypatch.setattr(arriving.visitors, "read_handshake", lambda scope: scope)
    monkeypatch.setattr(arriving.visitors, "identify", lambda found: [visitor])

    def gone(*_about: object) -> None:
        raise OSError("no database")

    monkeypatch.setattr(presence, "all_here", gone)
    with pytest.raises(OSError, match="no database"):
        arriving._look_up([asked])
    assert presence.held_here(room.live.table_id) == frozenset()
