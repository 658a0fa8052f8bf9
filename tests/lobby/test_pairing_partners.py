"""Quick pairing in pairs, and of people who may not or would rather not meet."""

from datetime import timedelta

import pytest
from django.utils import timezone

from dominoes.table import play, store
from dominoes.table.refusals import Refused
from lobby import companions, pairing, rooms, standings
from lobby.models import Block, Proposal, Ticket
from lobby.standings import waiting_now
from ranking.models import Player
from tests.lobby.waiting import DUEL, PAIRS, Clock, ask_all, states

pytestmark = [pytest.mark.django_db, pytest.mark.servers]


# --- pairs of partners --------------------------------------------------------------------------


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


# --- who may not, and whom one would rather not meet --------------------------------------------


def test_the_suspended_wait_outside(people: list[Player]) -> None:
    ana = people[0]
    ana.suspended_until = timezone.now() + timedelta(hours=1)
    ana.save()
    with pytest.raises(Refused, match="can't play until"):
        pairing.ask(ana, DUEL)


def suspend(player: Player) -> None:
    Player.objects.filter(pk=player.pk).update(suspended_until=timezone.now() + timedelta(hours=1))


def test_who_is_suspended_while_waiting_is_out(people: list[Player], clock: Clock) -> None:
    ana, ben, carla = people[:3]
    pairing.ask(ana, DUEL)
    suspend(ana)
    pairing.ask(ben, DUEL)
    assert states(ben) == ["waiting"]
    now = pairing.look(ana)
    assert (now.state, now.note) == ("out", "barred")
    assert pairing.look(ana).note == ""
    pairing.ask(carla, DUEL)
    assert states(ben, carla) == ["asked", "asked"]


def test_who_says_yes_is_not_put_out_for_another_who_may_not_play(
    people: list[Player], clock: Clock
) -> None:
    ana, ben, carla = people[:3]
    ask_all(DUEL, ana, ben)
    pairing.confirm(ana)
    suspend(ana)
    with pytest.raises(Refused, match="somebody else wasn't there"):
        pairing.confirm(ben)
    assert states(ana, ben) == ["out", "waiting"]
    clock.shift(5)
    pairing.ask(carla, DUEL)  # Ben has kept his place
    pairing.confirm(carla)
    code = pairing.confirm(ben)
    assert code and {s.name for s in rooms.find(code).people} == {"Ben", "Carla"}


def test_the_suspended_who_say_yes_are_told_why_not(people: list[Player]) -> None:
    ana, ben = people[:2]
    ask_all(DUEL, ana, ben)
    pairing.confirm(ben)
    suspend(ana)
    with pytest.raises(Refused, match="can't play until"):
        pairing.confirm(ana)
    assert states(ana, ben) == ["out", "waiting"]
    assert not Proposal.objects.exists()


def test_a_suspended_companion_is_out_alone(people: list[Player]) -> None:
    ana, ben, carla, dario = people[:4]
    pairing.ask(ana, PAIRS, pair=True)
    pairing.join_pair(ben, pairing.look(ana).code)
    ask_all(PAIRS, carla, dario)
    suspend(ben)
    with pytest.raises(Refused, match="another try"):
        pairing.confirm(carla)
    now = pairing.look(ana)
    assert (now.state, now.note, now.companion) == ("forming", "alone", "")
    assert states(ben, carla, dario) == ["out", "waiting", "waiting"]


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
