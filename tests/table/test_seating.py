"""Seats before and between matches: mixing the teams."""

import random
from collections.abc import Collection
from types import SimpleNamespace
from typing import Any

import pytest

from dominoes.table import beginning, company, fragments, seating, store
from dominoes.table import play as play_commands
from dominoes.table.phrases import Pace
from dominoes.table.pictures import state_of
from dominoes.table.refusals import Refused
from dominoes.table.words_end import heard_by, match_over
from tests.table.finished import play
from tests.table.tables import Room, guest, picture_of

pytestmark = pytest.mark.django_db


def names(room: Room) -> list[str]:
    return [holder.name if holder else "" for holder in room.live.seats]


class Chance:
    """Chance that turns every order round."""

    def shuffle(self, places: list[int]) -> None:
        places.reverse()


def test_mixed_teams_are_the_same_people_in_other_seats(monkeypatch: pytest.MonkeyPatch) -> None:
    room = Room("partners", bots=1)
    before, host = names(room), room.live.host
    monkeypatch.setattr(random, "SystemRandom", Chance)
    room.do(seating.mix_teams, 0)
    assert names(room) == before[::-1]
    assert [holder.seat for holder in room.live.seats if holder] == [0, 1, 2, 3]
    now = room.live.host
    assert host and now and (now.player_id, now.seat) == (host.player_id, 3)
    store.forget()
    assert names(room) == before[::-1]  # as it is stored


def test_free_seats_are_mixed_as_well(monkeypatch: pytest.MonkeyPatch) -> None:
    room = Room("partners", bots=1)
    room.do(seating.stand, 1)
    monkeypatch.setattr(random, "SystemRandom", Chance)
    room.do(seating.mix_teams, 0)
    assert [bool(name) for name in names(room)] == [True, True, False, True]


def test_partners_change_by_chance() -> None:
    room = Room("partners")
    partners = set()
    for _ in range(40):
        live = room.live
        assert live.host is not None
        store.call(seating.mix_teams, room.code, live.host.player_id)
        first, second = names(room)[0::2]
        partners.add(frozenset((first, second)))
    assert len(partners) > 2


def test_mixing_voids_agreements_to_play_again() -> None:
    room = Room("partners", target=25)
    play(room)
    room.do(beginning.rematch, 1)
    assert sum(holder.rematch for holder in room.live.people) == 1
    room.do(seating.mix_teams, 0)
    assert not any(holder.rematch for holder in room.live.people)


@pytest.mark.parametrize(("seat", "begun", "why"), [(1, False, "forbidden"), (0, True, "playing")])
def test_only_the_host_mixes_and_not_in_a_match(seat: int, begun: bool, why: str) -> None:
    room: Any = Room("partners")
    if begun:
        room.start()
    before = room.live.seq
    with pytest.raises(Refused) as refused:
        room.do(seating.mix_teams, seat)
    assert refused.value.code == why
    assert room.live.seq == before


def test_whoever_takes_the_seat_of_somebody_who_left_has_not_left() -> None:
    room = Room("draw").start()
    room.here(1)
    room.do(play_commands.leave, 0)
    assert state_of(room.live, 0.0).newcomers == frozenset()
    newcomer = guest()
    store.call(seating.sit, room.code, newcomer.pk, 0)
    state = state_of(room.live, 0.0)
    assert state.newcomers == {0}
    view = room.live.view(None)
    assert view is not None
    told = heard_by(match_over(state, view, names(room)), 1, 1)
    assert told == "You win the match."


def left_and_replaced(in_their_seat: str) -> tuple[Room, int]:
    """A match for two that seat 1 left; somebody else sits there now, or a bot. With who came."""
    room = Room("draw").start()
    room.here(0)
    room.do(play_commands.leave, 1)
    assert state_of(room.live, 0.0).seats[1].state == "left"  # type: ignore[union-attr]
    newcomer = guest()
    if in_their_seat == "a bot":
        room.do(seating.set_bot, 0, 1, "easy")
    else:
        store.call(seating.sit, room.code, newcomer.pk, 1)
    return room, newcomer.pk


def test_a_newcomer_in_a_leaver_s_seat_is_seated_like_anybody() -> None:
    room, newcomer = left_and_replaced("a person")
    assert picture_of(room.live, None)["seats"][1]["state"] == "dropped"  # no socket yet
    with pytest.raises(Refused) as refused:
        store.call(seating.sit, room.code, guest().pk, 1)
    assert refused.value.code == "taken"
    with pytest.raises(Refused) as refused:
        room.do(seating.set_bot, 0, 1, "easy")
    assert refused.value.code == "taken"
    assert 'value="start"' in controls(room, 0)
    assert 'value="rematch"' in controls(room, 1)
    room.do(beginning.start, 0)
    live = room.live
    assert live.in_match
    assert live.match is not None and live.match.people[1] == newcomer


def test_a_bot_in_a_leaver_s_seat_is_a_bot_and_one_can_begin() -> None:
    room, _newcomer = left_and_replaced("a bot")
    assert picture_of(room.live, None)["seats"][1]["state"] == "bot"
    assert 'value="start"' in controls(room, 0)
    room.do(beginning.start, 0)
    assert room.live.in_match


def test_who_left_is_a_leaver_in_any_seat_until_they_sit_down_anew() -> None:
    room = Room("draw", players=3).start()
    room.here(0, 1)
    room.do(play_commands.leave, 2)
    room.do(play_commands.leave, 1)
    assert not room.live.in_match
    assert room.live.leavers == {1, 2}
    leaver = room.people[2].pk
    room.do(seating.stand, 1)
    store.call(seating.sit, room.code, leaver, 1)  # only moves over
    assert room.live.leavers == {1}
    store.call(seating.sit, room.code, room.people[1].pk, 2)
    assert room.live.leavers == {1}
    store.call(seating.stand, room.code, leaver)
    store.call(seating.sit, room.code, leaver, 1)
    assert room.live.leavers == frozenset()


def test_a_rematch_after_seats_were_changed_is_an_ordinary_match() -> None:
    for changed in (False, True):
        room = Room("fives", target=25)
        play(room)
        room.here(0, 1)
        if changed:
            room.do(seating.stand, 1)
            store.call(seating.sit, room.code, guest().pk, 1)
        for seat in (0, 1):
            room.do(beginning.rematch, seat)
        live = room.live
        assert live.match is not None and live.in_match
        assert (live.match.options.opens is None) is changed


def controls(room: Room, seat: int) -> str:
    """What the page of that seat offers."""
    live = room.live
    return fragments.own(state_of(live, 0.0), live.view(seat), seat)["controls"]


def test_who_has_gone_and_still_holds_a_seat_is_not_seated_with_whom_they_avoid(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    room = Room("draw", players=3).start()
    room.here(1, 2)
    for seat in (0, 2):
        room.do(play_commands.leave, seat)
    assert not room.live.in_match
    room.do(seating.stand, 2)
    avoided, owner = guest(), room.people[0].pk  # who isn't here, but may come back to the seat

    def keeper(people: Collection[int], others: Collection[int]) -> set[tuple[int, int]]:
        return {(owner, avoided.pk)} if owner in people and avoided.pk in others else set()

    monkeypatch.setattr(company, "_sources", [keeper])
    with pytest.raises(Refused, match="You can't sit at this table"):
        store.call(seating.sit, room.code, avoided.pk, 2)
    store.call(seating.sit, room.code, avoided.pk, 0)  # then that one is gone for good


# --- how often --------------------------------------------------------------------------------


def test_seats_and_seeds_change_so_often_and_no_oftener(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = [1000.0]
    monkeypatch.setattr(seating, "time", SimpleNamespace(monotonic=lambda: clock[0]))
    room = Room("draw", players=3)
    room.do(seating.stand, 2)
    for number in range(29):  # sitting down was one change
        give_seed(room, number)
    before = room.live.seq
    for again in (
        lambda: give_seed(room, 30),
        lambda: room.do(seating.sit, 1, 2),
        lambda: room.do(seating.sit, 1, 2),
    ):
        with pytest.raises(Refused, match=r"at once\. Wait 10 seconds") as refused:
            again()
        assert (refused.value.code, refused.value.status) == ("rate", 429)
    assert room.live.seq == before
    give_seed(room, 28)  # nothing new
    room.do(seating.set_bot, 0, 2, "easy")  # another person has their own
    room.do(seating.set_bot, 0, 2, None)
    clock[0] += 10
    room.do(seating.sit, 1, 2)
    assert room.live.seats[1] is None


def give_seed(room: Room, number: int) -> None:
    room.do(play_commands.seed, 1, f"{number:x}")


def test_a_bot_is_not_put_and_taken_away_without_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(seating, "_changes", Pace(most=4, within=10.0))
    room = Room("draw", bots=1)
    for level in ("steady", None, "easy"):
        room.do(seating.set_bot, 0, 1, level)
    with pytest.raises(Refused, match="many changes"):
        room.do(seating.set_bot, 0, 1, "steady")
    room.do(seating.stand, 0)  # one can always go
