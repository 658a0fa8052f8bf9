"""Quick pairing from asking to the first hand: waiting, being asked, leaving."""

import pytest

from dominoes.table.models import Table
from dominoes.table.refusals import Refused
from lobby import pairing, rooms
from lobby.models import Asker, Proposal, Ticket
from lobby.standings import check_wish, waiting_now
from ranking.models import Player
from tests.lobby.conftest import MakePlayer
from tests.lobby.waiting import DUEL, PAIRS, RANKED, Clock, ask_all, states

pytestmark = [pytest.mark.django_db, pytest.mark.servers]


# --- alone --------------------------------------------------------------------------------------


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


# --- are you there? -----------------------------------------------------------------------------


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
