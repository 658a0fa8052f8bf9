"""A voided result leaves no trace in any figure, and the act of voiding can't be hidden."""

import random
from datetime import timedelta
from typing import Any

import pytest
from django.db import transaction
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.django import TestCase

from ranking import history, profile, tally
from ranking.acts import Act, OwnCause, Sealed, log_act
from ranking.models import Career, Player, RatingChange, Result, Standing
from ranking.results import VoidAlready, void_result
from tests.ranking.conftest import MONDAY, account, duel, pairs

pytestmark = pytest.mark.django_db


def everything() -> dict[str, Any]:
    """Every figure of everybody, without what numbers the rows carry."""
    careers = Career.objects.exclude(won=0, drawn=0, lost=0).order_by("player")
    return {
        "careers": [
            tuple(round(x, 9) if isinstance(x, float) else x for x in row)
            for row in careers.values_list(
                "player__name", "points", "ranked", "won", "drawn", "lost", "rating",
                "deviation", "volatility", "rated", "rated_at",
            )
        ],
        "standings": sorted(
            Standing.objects.values_list(
                "player__name", "game", "variant", "period", "points", "won", "drawn", "lost"
            )
        ),
        "changes": [
            tuple(round(x, 9) if isinstance(x, float) else x for x in row)
            for row in RatingChange.objects.order_by("result", "player").values_list(
                "result__key", "player__name", "opponent__name", "played_at", "before", "rating",
                "deviation", "volatility",
            )
        ],
    }  # fmt: skip


def test_points_and_record_go(ana: Player, ben: Player, cleo: Player, dan: Player) -> None:
    pairs(ana, ben, cleo, dan, key="first")
    pairs(ana, ben, cleo, dan, key="second", winner=1)
    void_result("first", account("Eva"), "two of them were one person")
    now = profile.figures(ana)
    assert (now.points, now.won, now.lost) == (3, 0, 1)
    assert profile.record(ana)[0].ranked.played == 1
    assert Standing.objects.get(player=ben, variant="", period="").points == 25
    assert profile.streaks(ana).outcome == "lost"
    assert profile.partners(ana)[0].played == 1


def test_ratings_are_as_if_it_had_never_been(ana: Player, ben: Player, cleo: Player) -> None:
    duel(ana, ben, key="to go", ended_at=MONDAY)
    duel(ben, cleo, key="later", ended_at=MONDAY + timedelta(hours=1))
    void_result("to go", None, "a reason")
    with_void = everything()
    assert profile.figures(ana).rating is None
    for model in (Result, Career, Standing):
        model.objects.all().delete()
    duel(ben, cleo, key="later", ended_at=MONDAY + timedelta(hours=1))
    assert with_void == everything()


def test_a_match_too_many_moves_up(ana: Player, ben: Player) -> None:
    for match in range(5):
        duel(ana, ben, key=f"m{match}", ended_at=MONDAY + timedelta(minutes=match))
    moved = set(RatingChange.objects.values_list("result__key", flat=True))
    assert moved == {"m0", "m1", "m2"}
    void_result("m1", None, "a reason")
    moved = set(RatingChange.objects.values_list("result__key", flat=True))
    assert moved == {"m0", "m2", "m3"}


def test_voiding_twice_or_nothing_changes_nothing(ana: Player, ben: Player) -> None:
    duel(ana, ben, key="one")
    void_result("one", None, "a reason")
    before = everything()
    with pytest.raises(VoidAlready, match="void already"):
        void_result("one", None, "another reason")
    assert void_result("no such match", None, "a reason") is None
    assert everything() == before
    assert Act.objects.count() == 1


def test_a_voided_result_is_not_recorded_again(ana: Player, ben: Player) -> None:
    duel(ana, ben, key="one")
    void_result("one", None, "a reason")
    assert duel(ana, ben, key="one").voided_at is not None
    assert profile.figures(ana).points == 0


def test_it_takes_a_reason(ana: Player, ben: Player) -> None:
    duel(ana, ben, key="one")
    with pytest.raises(ValueError, match="reason"):
        void_result("one", None, "  ")
    assert Result.objects.get().voided_at is None


def test_nobody_voids_what_they_played(ana: Player, ben: Player) -> None:
    duel(ana, ben, key="one")
    with pytest.raises(OwnCause, match="another keeper"):
        void_result("one", ben, "I lost")
    assert Result.objects.get().voided_at is None and not Act.objects.exists()
    ben.is_superuser = True  # who may be the only keeper
    void_result("one", ben, "I lost")
    assert Act.objects.get().by == ben


def test_the_players_see_it(ana: Player, ben: Player, cleo: Player, dan: Player) -> None:
    duel(ana, ben, key="one")
    void_result("one", cleo, "Played by one person.")
    entry = history.matches(ana, history.Wanted(voided=True), reader=ben)[0][0]
    assert entry.voided
    assert entry.points == 0
    assert entry.change is None
    assert entry.void_reason == "Played by one person."
    for stranger in (None, dan):
        entry = history.matches(ana, history.Wanted(voided=True), reader=stranger)[0][0]
        assert entry.voided and entry.void_reason == ""
    assert history.matches(ana) == ([], None)


def test_the_act_is_logged_and_sealed(ana: Player, ben: Player, cleo: Player) -> None:
    duel(ana, ben, key="one")
    void_result("one", cleo, "Played by one person.")
    act = Act.objects.get()
    assert (act.by, act.by_name, act.what, act.key) == (cleo, "Cleo", "void", "one")
    act.reason = "something else"
    for change in (
        act.save,
        act.delete,
        Act.objects.all().delete,
        lambda: Act.objects.update(reason=""),
        lambda: Act.objects.bulk_update([act], ["reason"]),
    ):
        with pytest.raises(Sealed), transaction.atomic():
            change()
    assert Act.objects.get().reason == "Played by one person."


def test_an_act_of_the_machine_itself_says_so() -> None:
    assert log_act(by=None, what="tidy", reason="old").by_name == "manage.py"


class AnySeason(TestCase):
    """Random seasons, with some results voided, against the same season without them."""

    @settings(max_examples=25)
    @given(st.integers(0, 10**9))
    def test_any_season_with_voids_equals_the_season_without(self, seed: int) -> None:
        chance = random.Random(seed)
        people = [account(f"p{n}") for n in range(5)]
        matches = []
        for number in range(chance.randint(3, 14)):
            when = MONDAY + timedelta(hours=chance.choice([1, 2, 30, 500]) * number // 3)
            four = chance.sample(people, 4)
            matches.append((number, when, four, chance.choice(["won", "drawn", "lost"]),
                            chance.random() < 0.8))  # fmt: skip

        def play(without: set[int]) -> None:
            for number, when, four, outcome, two in matches:
                if number in without:
                    continue
                if two:
                    duel(four[0], four[1], outcome, key=f"m{number}", ended_at=when)
                else:
                    pairs(*four, key=f"m{number}", ended_at=when)

        out = {n for n in range(len(matches)) if chance.random() < 0.3}
        play(set())
        for number in chance.sample(sorted(out), len(out)):
            void_result(f"m{number}", None, "a reason")
        voided = everything()
        for model in (RatingChange, Result, Career, Standing):
            model.objects.all().delete()
        play(out)
        assert voided == everything()
        # And counting one by one comes to the same as counting all anew.
        tally.recount([one.pk for one in people])
        assert voided == everything()
