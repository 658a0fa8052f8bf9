"""Several processes that end matches, take names and void at the same moment.

On SQLite in `make unit`, on PostgreSQL in `make servers`.
"""

import itertools
import threading
from collections.abc import Callable

import pytest
from django.db import connection

from ranking import players
from ranking.models import Career, Player, RatingChange, Result, Side, Standing
from ranking.results import void_result
from tests.ranking.conftest import MONDAY, account, duel, pairs

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.servers]


def together(*acts: Callable[[], object]) -> list[object]:
    """Do all of this at once, each in a thread with a connection of its own."""
    start = threading.Barrier(len(acts))
    answers: list[object] = [None] * len(acts)

    def run(index: int) -> None:
        try:
            start.wait(10)
            answers[index] = acts[index]()
        except Exception as fault:  # told to the test below
            answers[index] = fault
        finally:
            connection.close()

    threads = [threading.Thread(target=run, args=(index,)) for index in range(len(acts))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    for answer in answers:
        if isinstance(answer, Exception):
            raise answer
    return answers


def test_two_processes_record_the_same_match_once() -> None:
    ana, ben = account("Ana"), account("Ben")
    for number in range(8):
        first, second = together(*[lambda key=f"m{number}": duel(ana, ben, key=key)] * 2)
        assert first == second
    assert Result.objects.count() == 8
    assert Side.objects.count() == 16
    assert Career.objects.get(player=ana).points == 8 * 25
    assert RatingChange.objects.filter(player=ana).count() == 3


def test_matches_with_people_in_common_do_not_wait_for_each_other_for_ever() -> None:
    four = [account(f"p{number}") for number in range(4)]
    turned = [four[seat:] + four[:seat] for seat in range(4)]
    for number in range(5):
        together(
            *[
                lambda seats=seats, key=f"{number}-{index}": pairs(*seats, key=key)
                for index, seats in enumerate(turned)
            ]
        )
    careers = Career.objects.all()
    assert sum(career.points for career in careers) == 20 * (2 * 25 + 2 * 3)
    assert all(career.won + career.lost == 20 for career in careers)
    ever = Standing.objects.filter(variant="", period="")
    assert sorted(ever.values_list("points")) == sorted(careers.values_list("points"))


def test_ratings_follow_one_order_however_matches_come() -> None:
    ana, ben, cleo = (account(name) for name in ("Ana", "Ben", "Cleo"))
    together(
        *[lambda key=f"a{n}": duel(ana, ben, key=key) for n in range(2)],
        *[lambda key=f"b{n}": duel(ben, cleo, key=key) for n in range(2)],
        *[lambda key=f"c{n}": duel(cleo, ana, key=key) for n in range(2)],
    )
    for player in (ana, ben, cleo):
        steps = list(RatingChange.objects.filter(player=player).order_by("result"))
        assert len(steps) == 4
        assert steps[0].before == 1500
        for earlier, later in itertools.pairwise(steps):
            assert later.before == earlier.rating
        assert Career.objects.get(player=player).rating == steps[-1].rating


def test_a_void_and_new_results_come_out_as_if_one_after_the_other() -> None:
    ana, ben = account("Ana"), account("Ben")
    cleo, dan = account("Cleo"), account("Dan")
    duel(ana, ben, key="to go")
    together(
        lambda: void_result("to go", None, "a reason"),
        lambda: duel(ben, cleo, key="x"),
        lambda: duel(cleo, dan, key="y"),
        lambda: duel(ana, dan, key="z"),
    )
    assert not RatingChange.objects.filter(result__key="to go").exists()
    assert Career.objects.get(player=ana).points == 25
    for player in (ana, ben, cleo, dan):
        steps = list(RatingChange.objects.filter(player=player).order_by("result"))
        assert steps[0].before == 1500
        for earlier, later in itertools.pairwise(steps):
            assert later.before == earlier.rating
        assert Career.objects.get(player=player).rating == steps[-1].rating


def test_one_name_wanted_by_many_at_once() -> None:
    guests = together(*[lambda: players.create_guest("Ana")] * 6)
    names = {guest.name for guest in guests if isinstance(guest, Player)}
    assert len(names) == 6


def test_an_account_is_taken_once() -> None:
    def take() -> str:
        try:
            return players.create_account("Ana", None).name
        except ValueError:
            return "taken"

    assert sorted(map(str, together(*[take] * 4))) == ["Ana", "taken", "taken", "taken"]


def test_the_order_of_recording_is_the_order_of_rating() -> None:
    """A match that ended earlier but was recorded later comes later."""
    ana, ben = account("Ana"), account("Ben")
    duel(ana, ben, key="late", ended_at=MONDAY.replace(hour=14))
    duel(ana, ben, key="early", ended_at=MONDAY)
    steps = RatingChange.objects.filter(player=ana).order_by("result")
    assert [step.result.key for step in steps] == ["late", "early"]
