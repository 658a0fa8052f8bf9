"""Quick pairing from asking to the first hand: waiting, being asked, pairs, avoiding, leaving."""

from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
import time_machine
from django.utils import timezone

from dominoes.table import play, store
from dominoes.table.models import Table
from dominoes.table.refusals import Refused
from lobby import companions, pairing, rooms, standings
from lobby.models import Asker, Block, Proposal, Ticket
from lobby.standings import Wish, check_wish, waiting_now
from ranking.models import Player
from tests.lobby.conftest import MakePlayer

pytestmark = [pytest.mark.django_db, pytest.mark.servers]


class Clock:
    """The time of a test: it passes when the test says so."""

    def __init__(self, traveller: Any) -> None:
        self._traveller = traveller

    def shift(self, seconds: float) -> None:
        """Let so many seconds pass."""
        self._traveller.shift(seconds)


DUEL = check_wish(rules="draw", players=2, sides=None, ranked=False)
PAIRS = check_wish(rules="partners", players=4, sides=None, ranked=False)
RANKED = check_wish(rules="draw", players=2, sides=None, ranked=True)


@pytest.fixture
def clock() -> Iterator[Clock]:
    """A time of its own, which passes faster when a test says so."""
    with time_machine.travel("2030-05-01T12:00:00Z") as traveller:
        yield Clock(traveller)


@pytest.fixture
def people(guest: MakePlayer) -> list[Player]:
    return [guest(name) for name in ("Ana", "Ben", "Carla", "Dario", "Eva", "Flor")]


def states(*players: Player) -> list[str]:
    return [pairing.look(player).state for player in players]


def ask_all(wish: Wish, *players: Player) -> None:
    for player in players:
        pairing.ask(player, wish)


# --- alone


def test_two_who_ask_for_the_same_are_asked_and_then_play(
    people: list[Player], clock: Clock
) -> None:
    ana, ben = people[:2]
    pairing.ask(ana, DUEL)
    now = pairing.look(ana)
    assert (now.state, now.wish, now.others) == ("waiting", DUEL, 0)
    pairing.ask(ben, DUEL)
    now = pairing.look(ana)
    assert (now.state, now.confirmed, now.there, now.of) == ("asked", False, 0, 2)
    assert now.ends_at == pytest.approx(pairing.time.time() + 15, abs=2)
    assert not Table.objects.exists()
    assert pairing.confirm(ana) is None
    now = pairing.look(ana)
    assert (now.state, now.confirmed, now.there, now.of) == ("asked", True, 1, 2)
    code = pairing.confirm(ben)
    assert code
    room = rooms.find(code)
    assert (room.status, room.choices.ranked, room.choices.private) == ("playing", False, False)
    assert (room.options, room.choices.turn_seconds) == (DUEL.options, 60)
    assert {sitter.name for sitter in room.people} == {"Ana", "Ben"}
    for player in (ana, ben):
        now = pairing.look(player)
        assert (now.state, now.table) == ("go", code)
    assert not Ticket.objects.exists() and not Proposal.objects.exists()
    clock.shift(61)
    assert states(ana, ben) == ["out", "out"]
    assert not Asker.objects.exists()


def test_who_asks_for_something_else_isnt_paired(people: list[Player], account: MakePlayer) -> None:
    three = check_wish(rules="draw", players=3, sides=None, ranked=False)
    fives = check_wish(rules="fives", players=2, sides=None, ranked=False)
    ana, ben, carla = people[:3]
    pairing.ask(ana, DUEL)
    pairing.ask(ben, three)
    pairing.ask(carla, fives)
    pairing.ask(account("Gil"), RANKED)
    assert states(ana, ben, carla) == ["waiting"] * 3
    assert sorted(count for _, count in waiting_now()) == [1, 1, 1, 1]


def test_ranked_ones_are_for_accounts(people: list[Player], account: MakePlayer) -> None:
    with pytest.raises(Refused, match="signed-in") as refused:
        pairing.ask(people[0], RANKED)
    assert refused.value.status == 403
    gil, hana = account("Gil"), account("Hana")
    ask_all(RANKED, gil, hana)
    pairing.confirm(gil)
    code = pairing.confirm(hana)
    assert code
    choices = rooms.find(code).choices
    assert (choices.ranked, choices.aid, choices.turn_seconds) == (True, False, 60)


def test_four_seats(people: list[Player]) -> None:
    ask_all(PAIRS, *people[:4])
    assert [pairing.confirm(player) is None for player in people[:4]] == [True, True, True, False]
    room = rooms.find(pairing.look(people[0]).table)
    assert sorted(sitter.name for sitter in room.people) == ["Ana", "Ben", "Carla", "Dario"]


def test_asking_twice_is_asking_once(people: list[Player]) -> None:
    ana, ben = people[:2]
    ask_all(DUEL, ana, ana, ana)
    assert Ticket.objects.count() == Asker.objects.count() == 1
    assert states(ana) == ["waiting"]
    pairing.ask(ana, PAIRS)
    pairing.ask(ben, DUEL)
    assert states(ana, ben) == ["waiting", "waiting"]
    assert Ticket.objects.count() == 2


def test_whoever_doesnt_look_for_ten_seconds_is_gone(people: list[Player], clock: Clock) -> None:
    ana, ben = people[:2]
    pairing.ask(ana, DUEL)
    for _ in range(6):
        clock.shift(5)
        assert states(ana) == ["waiting"]
    clock.shift(11)
    assert waiting_now() == []
    pairing.ask(ben, DUEL)
    assert states(ben) == ["waiting"]  # nobody is there to be paired with
    now = pairing.look(ana)
    assert (now.state, now.note) == ("out", "gone")
    assert pairing.look(ana).note == ""


def test_most_looks_write_nothing(
    people: list[Player], clock: Clock, django_assert_max_num_queries: object
) -> None:
    ana = people[0]
    pairing.ask(ana, DUEL)
    seen = Asker.objects.get().seen_at
    clock.shift(2)
    assert states(ana) == ["waiting"]
    assert Asker.objects.get().seen_at == seen
    clock.shift(3)
    assert states(ana) == ["waiting"]
    assert Asker.objects.get().seen_at == pytest.approx(seen + 5, abs=2)


def test_leaving_the_queue(people: list[Player]) -> None:
    ana, ben = people[:2]
    pairing.ask(ana, DUEL)
    pairing.leave(ana)
    pairing.ask(ben, DUEL)
    assert states(ana, ben) == ["out", "waiting"]
    pairing.leave(ana)  # once more does no harm


def test_leaving_when_asked_sends_the_others_back(people: list[Player]) -> None:
    ana, ben, carla = people[:3]
    ask_all(DUEL, ana, ben)
    pairing.confirm(ana)
    pairing.leave(ben)
    now = pairing.look(ana)
    assert (now.state, now.confirmed) == ("waiting", False)
    pairing.ask(carla, DUEL)
    now = pairing.look(ana)
    assert (now.state, now.confirmed) == ("asked", False)


# --- are you there?


def test_absence_is_no_loss_and_the_others_keep_their_place(
    people: list[Player], clock: Clock
) -> None:
    ana, ben, carla, dario = people[:4]
    ask_all(DUEL, ana, ben)
    clock.shift(1)
    pairing.ask(carla, DUEL)
    pairing.confirm(ana)
    for _ in range(3):
        clock.shift(5)
        states(carla)
    # Time is up: Ben is out, Ana was before Carla and both are asked now.
    assert pairing.look(carla).state == "asked"
    assert pairing.look(ana).state == "asked"
    now = pairing.look(ben)
    assert (now.state, now.note) == ("out", "late")
    assert pairing.look(ben).note == ""
    assert not Table.objects.exists()
    pairing.ask(dario, DUEL)
    assert states(dario) == ["waiting"]


def test_a_late_yes_is_told_so(people: list[Player], clock: Clock) -> None:
    ana, ben = people[:2]
    ask_all(DUEL, ana, ben)
    pairing.confirm(ana)
    clock.shift(15)
    with pytest.raises(Refused, match="too late"):
        pairing.confirm(ben)
    assert states(ana) == ["waiting"]
    assert pairing.look(ben).note == "late"


def test_a_yes_that_nobody_asked_for(people: list[Player]) -> None:
    ana, ben = people[:2]
    for _ in range(2):
        with pytest.raises(Refused):
            pairing.confirm(ana)
        pairing.ask(ana, DUEL)
    pairing.ask(ben, DUEL)
    pairing.confirm(ana)
    assert pairing.confirm(ana) is None  # a double click
    code = pairing.confirm(ben)
    assert pairing.confirm(ana) == code
    assert Table.objects.count() == 1


def test_everyone_silent_is_everyone_out(people: list[Player], clock: Clock) -> None:
    ana, ben = people[:2]
    ask_all(DUEL, ana, ben)
    clock.shift(16)
    for player in (ana, ben):
        now = pairing.look(player)
        assert (now.state, now.note) == ("out", "late")
    assert not Ticket.objects.exists()


def test_being_asked_is_no_absence(people: list[Player], clock: Clock) -> None:
    """A page without a script doesn't reload while it asks."""
    ana, ben = people[:2]
    ask_all(DUEL, ana, ben)
    clock.shift(11)
    assert pairing.confirm(ana) is None
    assert pairing.confirm(ben)


# --- pairs of partners


def test_a_pair_is_found_opponents_and_sits_opposite(people: list[Player]) -> None:
    ana, ben, carla, dario = people[:4]
    pairing.ask(ana, PAIRS, pair=True)
    now = pairing.look(ana)
    assert (now.state, now.companion) == ("forming", "")
    offer = standings.pair_offer(now.code.lower())
    assert offer == (PAIRS, "Ana")
    ask_all(PAIRS, carla, dario)
    assert states(carla) == ["waiting"]
    pairing.join_pair(ben, now.code)
    assert states(ana, ben, carla, dario) == ["asked"] * 4
    assert pairing.look(ana).companion == "Ben"
    for player in people[:4]:
        code = pairing.confirm(player)
    assert code
    names = [sitter.name for sitter in rooms.find(code).seats if sitter]
    assert abs(names.index("Ana") - names.index("Ben")) == 2


def test_two_pairs(people: list[Player]) -> None:
    for one, other in (people[0:2], people[2:4]):
        pairing.ask(one, PAIRS, pair=True)
        pairing.join_pair(other, pairing.look(one).code)
    assert states(*people[:4]) == ["asked"] * 4


def test_pairs_need_partners_and_one_companion(people: list[Player]) -> None:
    ana, ben, carla = people[:3]
    with pytest.raises(Refused, match="partners"):
        pairing.ask(ana, DUEL, pair=True)
    pairing.ask(ana, PAIRS, pair=True)
    code = pairing.look(ana).code
    with pytest.raises(Refused, match="your own invitation"):
        pairing.join_pair(ana, code)
    for wrong in ("AAAAAA", "", "nonsense", "\0"):
        with pytest.raises(Refused):
            pairing.join_pair(ben, wrong)
    pairing.join_pair(ben, code)
    with pytest.raises(Refused, match="taken up"):
        pairing.join_pair(carla, code)
    assert standings.pair_offer(code) is None
    assert states(carla) == ["out"]


def test_no_ordinary_ticket_can_be_joined(people: list[Player]) -> None:
    ana, ben = people[:2]
    pairing.ask(ana, PAIRS)
    with pytest.raises(Refused):
        pairing.join_pair(ben, Ticket.objects.get().code)


def test_half_a_pair_is_not_paired(people: list[Player], clock: Clock) -> None:
    ana, ben, carla, dario = people[:4]
    pairing.ask(ana, PAIRS, pair=True)
    code = pairing.look(ana).code
    clock.shift(60)  # sending the link from another app takes its time
    pairing.join_pair(ben, code)
    ask_all(PAIRS, carla, dario)
    now = pairing.look(ben)
    assert (now.state, now.companion, now.companion_here) == ("forming", "Ana", False)
    assert [count for _, count in waiting_now()] == [2]
    assert states(ana, ben, carla, dario) == ["asked"] * 4


def test_a_companion_who_is_late_is_out_alone(people: list[Player], clock: Clock) -> None:
    ana, ben, carla, dario = people[:4]
    pairing.ask(ana, PAIRS, pair=True)
    pairing.join_pair(ben, pairing.look(ana).code)
    ask_all(PAIRS, carla, dario)
    for player in (ana, carla, dario):
        pairing.confirm(player)
    clock.shift(16)
    now = pairing.look(ana)
    assert (now.state, now.note, now.companion) == ("forming", "alone", "")
    assert states(carla, dario) == ["waiting", "waiting"]
    assert pairing.look(ben).note == "late"
    pairing.join_pair(ben, now.code)
    assert states(ana, ben, carla, dario) == ["asked"] * 4


def test_leaving_a_pair(people: list[Player]) -> None:
    ana, ben = people[:2]
    pairing.ask(ana, PAIRS, pair=True)
    pairing.join_pair(ben, pairing.look(ana).code)
    pairing.leave(ana)
    now = pairing.look(ben)
    assert (now.state, now.note) == ("forming", "alone")
    pairing.leave(ben)
    assert not Ticket.objects.exists()


# --- who may not, and whom one would rather not meet


def test_the_suspended_wait_outside(people: list[Player]) -> None:
    ana = people[0]
    ana.suspended_until = timezone.now() + timedelta(hours=1)
    ana.save()
    with pytest.raises(Refused, match="can't play until"):
        pairing.ask(ana, DUEL)


def test_whoever_plays_with_others_finishes_first(people: list[Player]) -> None:
    ana, ben = people[:2]
    ask_all(DUEL, ana, ben)
    pairing.confirm(ana)
    code = pairing.confirm(ben)
    assert code
    with pytest.raises(Refused, match=code):
        pairing.ask(ana, PAIRS)
    assert states(ben) == ["go"]
    store.call(play.leave, code, ana.pk)
    assert states(ben) == ["out"]  # a match that is over is nowhere to go
    pairing.ask(ana, PAIRS)
    assert states(ana) == ["waiting"]


@pytest.mark.parametrize("turned", [False, True])
def test_avoided_people_are_not_paired(people: list[Player], turned: bool) -> None:
    ana, ben, carla = people[:3]
    Block.objects.create(owner=ben if turned else ana, other=ana if turned else ben)
    ask_all(DUEL, ana, ben)
    assert states(ana, ben) == ["waiting", "waiting"]
    pairing.ask(carla, DUEL)
    assert states(ana, ben, carla) == ["asked", "waiting", "asked"]


def test_nor_do_they_become_a_pair(people: list[Player]) -> None:
    ana, ben = people[:2]
    Block.objects.create(owner=ana, other=ben)
    pairing.ask(ana, PAIRS, pair=True)
    with pytest.raises(Refused, match="taken up"):  # which tells nothing
        pairing.join_pair(ben, pairing.look(ana).code)


def test_kept_apart_knows_both_directions(people: list[Player]) -> None:
    ana, ben, carla = (player.pk for player in people[:3])
    Block.objects.create(owner_id=ana, other_id=ben)
    assert companions.kept_apart([ana, ben, carla]) == {frozenset((ana, ben))}
    assert companions.kept_apart([ana, carla]) == frozenset()


def test_a_closed_account_leaves_no_half_tickets(people: list[Player]) -> None:
    ana, ben = people[:2]
    pairing.ask(ana, DUEL)
    ana.delete()
    pairing.ask(ben, DUEL)
    assert states(ben) == ["waiting"]
    assert Ticket.objects.count() == 1
