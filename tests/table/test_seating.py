"""Seats before and between matches: mixing the teams."""

import random
from collections.abc import Collection
from typing import Any

import pytest

from dominoes.table import company, seating, store
from dominoes.table import play as play_commands
from dominoes.table.pictures import state_of
from dominoes.table.refusals import Refused
from dominoes.table.words_end import heard_by, match_over
from tests.table.finished import play
from tests.table.tables import Room, guest

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
    room.do(seating.rematch, 1)
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

    monkeypatch.setattr(company, "_keepers", [keeper])
    with pytest.raises(Refused, match="You can't sit at this table"):
        store.call(seating.sit, room.code, avoided.pk, 2)
    store.call(seating.sit, room.code, avoided.pk, 0)  # then that one is gone for good
