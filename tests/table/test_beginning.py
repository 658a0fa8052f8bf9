"""Who has to be there before a match begins."""

from __future__ import annotations

import time
from typing import Any

import pytest
import time_machine
from django.test import Client

from dominoes.table import beginning, choosing, fragments, presence, seating, store
from dominoes.table.pictures import state_of
from dominoes.table.refusals import Refused
from tests.table.finished import play
from tests.table.tables import Room, member

pytestmark = pytest.mark.django_db


def controls(room: Room, seat: int, now: float) -> str:
    """What the page of that seat offers at that time."""
    live = room.live
    return fragments.own(state_of(live, now), live.view(seat), seat)["controls"]


def status(room: Room, seat: int, now: float) -> str:
    live = room.live
    return fragments.own(state_of(live, now), live.view(seat), seat)["status"]


def refused(room: Room, seat: int = 0) -> str:
    """The sentence with which this person isn't let begin."""
    before = room.live.seq
    with pytest.raises(Refused) as refusal:
        room.do(beginning.start, seat)
    assert (refusal.value.code, refusal.value.status) == ("not_now", 409)
    assert room.live.seq == before
    return refusal.value.detail


def test_programs_that_just_sat_down_begin_a_ranked_match_without_sockets() -> None:
    for players in (2, 3):
        assert Room("draw", players=players, ranked=True).start().live.in_match


def test_a_ranked_match_does_not_begin_against_somebody_who_has_gone() -> None:
    room = Room("draw", ranked=True)
    name = room.people[1].name
    room.here(0, 1)
    later = time.time() + 61
    with store.as_of(later):
        assert 'value="start"' in controls(room, 0, later)
        room.here(0)
        shown = controls(room, 0, later)
        assert 'value="start"' not in shown and f"when {name} is here" in shown
        assert f"{name} isn't here just now." in status(room, 0, later)
        assert f"{name} isn't here. Wait for them, or remove them" in refused(room)
        room.here(0, 1)
        assert 'value="start"' in controls(room, 0, later)
        room.start()
    assert room.live.in_match


def test_the_host_is_not_begun_against_either() -> None:
    room = Room("draw", ranked=True)
    room.here(1)
    room.pass_time(61)
    later = time.time() + 61
    with store.as_of(later):
        assert "start" not in controls(room, 1, later)
        assert f"{room.people[0].name} isn't here. Wait for them, or look" in refused(room, 1)
        room.here(0, 1)
        assert "Begin without the host" in controls(room, 1, later)
        room.do(beginning.start, 1)


def test_who_begins_is_there_and_a_casual_match_begins_as_ever() -> None:
    room = Room("draw", ranked=True)
    room.here(1)
    with store.as_of(time.time() + 61):
        room.start()
    casual = Room("draw")
    with store.as_of(time.time() + 3600):
        casual.start()
    assert room.live.in_match and casual.live.in_match


def test_to_sit_where_one_sits_says_that_one_is_there() -> None:
    room = Room("draw", ranked=True)
    before, now = room.live.seq, time.time()
    room.do(seating.sit, 1, 1)
    assert room.live.seq == before  # nothing new
    with store.as_of(now + 61):
        refused(room)
        room.do(seating.sit, 1, 1)
        stored = room.live.seq
        assert stored > before and room.live.people[1].seat == 1
        room.do(seating.sit, 1, 1)
        assert room.live.seq == stored
    store.forget()
    with store.as_of(now + 122):
        refused(room)
    with store.as_of(now + 120):
        room.start()
    assert room.live.in_match and not room.live.clock.heard


def test_to_change_seats_says_so_too() -> None:
    room = Room("draw", players=3, ranked=True)
    now = time.time()
    room.do(seating.stand, 2)
    with store.as_of(now + 59):
        room.do(seating.sit, 1, 2)
        store.call(seating.sit, room.code, room.people[2].pk, 1)
    with store.as_of(now + 118):
        assert room.live.host is not None and room.start().live.in_match


def test_a_page_without_a_script_says_so_by_being_loaded() -> None:
    room = Room("draw", ranked=True)
    browser = Client()
    browser.force_login(room.people[1], "django.contrib.auth.backends.ModelBackend")
    later = time.time() + 61
    with store.as_of(later):
        refused(room)
        assert browser.get(f"/tables/{room.code}/").status_code == 200
        seq = room.live.seq
        assert browser.get(f"/tables/{room.code}/").status_code == 200
        assert room.live.seq == seq
        room.start()
        seq = room.live.seq
        assert browser.get(f"/tables/{room.code}/").status_code == 200
    assert room.live.in_match and room.live.seq == seq


def test_a_page_knows_who_came_since_this_process_looked() -> None:
    room = Room("draw", ranked=True)
    browser = Client()
    browser.force_login(room.people[0], "django.contrib.auth.backends.ModelBackend")
    later = time.time() + 61
    with time_machine.travel(later, tick=False):
        assert 'value="start"' not in browser.get(f"/tables/{room.code}/").content.decode()
        live = room.live
        presence.opened(live.table_id, 1, room.people[1].pk)
        assert 'value="start"' in browser.get(f"/tables/{room.code}/").content.decode()


def over(**choices: bool) -> Room:
    """A match that is over; seat 1 would play again."""
    room = Room("draw", **choices)
    play(room)
    room.here(0, 1)
    room.do(beginning.rematch, 1)
    return room


def test_an_agreement_to_a_ranked_rematch_is_void_when_its_giver_has_gone() -> None:
    room = over(ranked=True)
    room.here(0)
    now = time.time()
    with store.as_of(now + 61):
        assert room.do(beginning.rematch, 0) is None
        assert [h.rematch for h in room.live.people] == [True, False]
        shown = controls(room, 0, now + 61)
        assert 'value="start"' not in shown
    with store.as_of(now + 80):  # comes back, and would play again
        room.here(0, 1)
        assert 'value="rematch"' in controls(room, 1, now + 80)
        assert room.do(beginning.rematch, 1)


def test_an_agreement_counts_for_a_minute_without_a_socket() -> None:
    room = over(ranked=True)
    room.here()
    now = time.time()
    with store.as_of(now + 61):
        room.do(beginning.rematch, 1)  # once more
    with store.as_of(now + 120):
        assert room.do(beginning.rematch, 0)


def test_an_agreement_to_a_casual_rematch_stands() -> None:
    room = over()
    room.here(0)
    with store.as_of(time.time() + 600):
        assert room.do(beginning.rematch, 0)


# --- what is played ---------------------------------------------------------------------------


def change(room: Room, **choices: Any) -> None:
    room.do(seating.choose, 0, choosing.check_choices(**{"rules": "draw", "players": 2} | choices))


@pytest.mark.parametrize(
    "other",
    [
        {"ranked": True},
        {"rules": "fives"},
        {"target": 50},
        {"turn_seconds": 10},
        {"kind": "nearby"},
        {"replay": "players"},
    ],
)
def test_what_the_host_changes_is_seen_before_it_begins(other: dict[str, Any]) -> None:
    room = Room("draw", people=[member(), member()])
    now = time.time()
    with store.as_of(now):
        change(room, **other)
        assert "changed just now" in refused(room)
    store.forget()
    with store.as_of(now + 9.5):
        assert "Give the others ten seconds" in refused(room)
    with store.as_of(now + 10):
        room.start()
    assert room.live.in_match and room.live.clock.changed_at is None


def test_not_when_the_host_changed_it_before_anybody_came() -> None:
    people = [member(), member()]
    room = Room("draw", people=people[:1], bots=1)
    room.do(seating.set_bot, 0, 1, None)
    change(room, ranked=True)
    store.call(seating.sit, room.code, people[1].pk, 1)
    assert room.start().live.in_match


def test_nor_when_the_others_are_bots_or_nothing_else_is_played() -> None:
    alone = Room("draw", bots=1)
    change(alone, target=50)
    alone.start()
    same = Room("draw")
    change(same)
    change(same, private=True)
    same.start()
    assert alone.live.in_match and same.live.in_match


def test_nor_when_the_one_who_could_not_see_it_has_gone() -> None:
    room = Room("draw")
    change(room, target=50)
    room.do(seating.stand, 1)
    room.do(seating.set_bot, 0, 1, "easy")
    assert room.start().live.in_match
