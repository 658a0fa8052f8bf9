"""Claims, holds, clocks of partners, two tabs: what goes on at a table while somebody doesn't."""

from __future__ import annotations

import pytest

from dominoes.table import play, store
from dominoes.table.models import Event, Table
from dominoes.table.refusals import Refused
from tests.table.tables import Room, guest

pytestmark = pytest.mark.django_db


def on_turn(room: Room) -> int:
    seat = room.game.turn
    assert seat is not None
    return seat


def test_only_who_plays_may_claim() -> None:
    room = Room("draw", players=4, turn_seconds=0).start()
    room.here(0, 1, 2, 3)
    idle = on_turn(room)
    left, claims, _other = (seat for seat in range(4) if seat != idle)
    room.do(play.leave, left)
    room.pass_time(301)
    for nobody in (None, guest().pk):
        with pytest.raises(Refused) as refused:
            store.call(play.claim, room.code, nobody)
        assert refused.value.code == "not_seated"
    with pytest.raises(Refused) as refused:
        room.do(play.claim, left)
    assert refused.value.code == "not_seated"
    before = room.live.seq
    room.do(play.claim, claims)
    # With more sides the match goes on without the seat.
    assert room.live.seq > before
    assert room.live.status == Table.PLAYING
    assert room.game.left == {left, idle}
    assert on_turn(room) != idle
    with pytest.raises(Refused) as refused:
        room.do(play.move, idle, "knock", room.live.seq, "too late")
    assert refused.value.code == "not_seated"


def test_play_goes_on_during_a_hold() -> None:
    room = Room("draw", players=3, kind="nearby").start()
    room.here(0, 1, 2)
    gone = (on_turn(room) + 2) % 3
    room.here(*(seat for seat in range(3) if seat != gone))
    assert set(room.live.clock.holds) == {gone}
    ply = room.game.ply
    room.move()
    assert room.game.ply == ply + 1 and set(room.live.clock.holds) == {gone}
    room.here(0, 1, 2)
    assert not room.live.clock.holds
    room.wait(31)
    assert room.live.in_match


def test_a_partner_loses_by_the_clock_as_well() -> None:
    room = Room("partners", turn_seconds=20).start()
    room.here(0, 1, 2, 3)
    slow = on_turn(room)
    room.wait(21)
    match = room.live.match
    assert match is not None and match.result == {
        "how": "forfeit",
        "winner": 1 - slow % 2,
        "seat": slow,
        "why": "time",
    }


def test_of_two_tabs_one_moves_and_the_other_is_told() -> None:
    room = Room("draw").start()
    seat, seq = on_turn(room), room.live.seq
    words = room.game.legal_words()
    first = room.do(play.move, seat, words[0], seq, "this tab")
    with pytest.raises(Refused) as refused:
        room.do(play.move, seat, words[-1], seq, "that tab")
    assert refused.value.code in ("stale", "not_your_turn")
    assert room.do(play.move, seat, words[0], seq, "this tab") == first  # sent again
    assert room.live.match is not None
    moves = Event.objects.filter(match_id=room.live.match.id, kind="move")
    assert [event.client_id for event in moves] == ["this tab"]
