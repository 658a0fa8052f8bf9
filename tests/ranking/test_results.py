"""Results: once, whole, in the caller's transaction; what they pay and what they move."""

import subprocess
import sys
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

import pytest
from django.db import transaction
from pytest_django.fixtures import Settings

from ranking import profile
from ranking.models import Career, Player, RatingChange, Result, Side, Standing
from ranking.rating import START, after_idle, after_match
from ranking.results import Participant, record_result
from tests.ranking.conftest import AWARDS, MONDAY, account, duel, pairs

pytestmark = pytest.mark.django_db


def points(player: Player) -> int:
    return profile.figures(player).points


def changes(player: Player) -> int:
    return RatingChange.objects.filter(player=player).count()


# --- points -----------------------------------------------------------------------------------


def test_a_ranked_match_pays_what_came_with_it(ana: Player, ben: Player) -> None:
    duel(ana, ben, "won")
    assert (points(ana), points(ben)) == (25, 3)
    duel(ana, ben, "drawn")
    assert (points(ana), points(ben)) == (33, 11)
    now = profile.figures(ana)
    assert (now.won, now.drawn, now.lost) == (1, 1, 0)


def test_both_partners_get_the_full_award(
    ana: Player, ben: Player, cleo: Player, dan: Player
) -> None:
    pairs(ana, ben, cleo, dan, winner=1)
    assert [points(one) for one in (ana, ben, cleo, dan)] == [3, 25, 3, 25]


def test_a_casual_match_is_history_and_pays_nothing(ana: Player, ben: Player) -> None:
    duel(ana, ben, ranked=False)
    now = profile.figures(ana)
    assert (now.points, now.won, now.rating) == (0, 1, None)
    assert not Standing.objects.exists()
    assert Side.objects.filter(player=ana, counted_as="casual").count() == 1


def test_matches_with_bots_are_kept_apart(ana: Player, ben: Player) -> None:
    result = pairs(ana, "steady", ben, "easy")
    assert not result.ranked
    now = profile.figures(ana)
    assert (now.points, now.won, now.lost) == (0, 0, 0)
    record = profile.record(ana)[0]
    assert (record.bots.won, record.ranked.played, record.casual.played) == (1, 0, 0)


def test_what_a_partners_leaving_lost_is_marked(
    ana: Player, ben: Player, cleo: Player, dan: Player
) -> None:
    pairs(ana, ben, cleo, dan, winner=1, leaver=2)
    assert Side.objects.get(player=cleo).left
    assert not Side.objects.get(player=cleo).partner_left
    assert Side.objects.get(player=ana).partner_left
    assert not Side.objects.get(player=ben).partner_left
    assert profile.record(ana)[0].ranked.by_partner == 1


def test_a_forgotten_guest_leaves_a_nameless_seat(ana: Player) -> None:
    pairs(ana, None, None, None, ranked=False)
    assert Side.objects.filter(player=None, bot="").count() == 3


# --- rating -----------------------------------------------------------------------------------


def test_a_ranked_online_match_of_two_people_moves_both_ratings(ana: Player, ben: Player) -> None:
    duel(ana, ben)
    won, lost = after_match(START, START, 1)
    assert Career.objects.get(player=ana).rating == pytest.approx(won.value)
    assert Career.objects.get(player=ben).rating == pytest.approx(lost.value)
    now = profile.figures(ana)
    assert now.rating == round(won.value)
    assert now.provisional


def test_a_draw_counts_half(ana: Player, ben: Player) -> None:
    duel(ana, ben)
    duel(ben, ana, "drawn")
    first = after_match(START, START, 1)
    second = after_match(first[0], first[1], 0.5)
    assert Career.objects.get(player=ana).rating == pytest.approx(second[0].value)


@pytest.mark.parametrize("how", [{"ranked": False}, {"rated": False}, {"kind": "nearby"}], ids=str)
def test_no_other_match_of_two_moves_a_rating(ana: Player, ben: Player, how: Any) -> None:
    assert not duel(ana, ben, **how).rated
    assert not RatingChange.objects.exists()
    assert profile.figures(ana).rating is None


def test_partnerships_leave_ratings_alone(
    ana: Player, ben: Player, cleo: Player, dan: Player
) -> None:
    assert not pairs(ana, ben, cleo, dan).rated  # the caller asked for it
    assert not RatingChange.objects.exists()


def test_more_than_two_sides_leave_ratings_alone(ana: Player, ben: Player, cleo: Player) -> None:
    with transaction.atomic():
        result = record_result(
            game="quoits",
            variant="plain",
            key="three",
            url="",
            ranked=True,
            rated=True,
            kind="online",
            awards=AWARDS,
            participants=[
                Participant(ana.pk, 0, "won", 0),
                Participant(ben.pk, 1, "lost", 1),
                Participant(cleo.pk, 2, "lost", 2, left=True),
            ],
            ended_at=MONDAY,
        )
    assert not result.rated
    assert [points(one) for one in (ana, ben, cleo)] == [25, 3, 3]
    assert not Side.objects.get(player=ben).partner_left


def test_two_on_one_side_are_no_duel(ana: Player, ben: Player) -> None:
    with transaction.atomic():
        result = record_result(
            game="quoits",
            variant="together",
            key="together",
            url="",
            ranked=True,
            rated=True,
            kind="online",
            awards=AWARDS,
            participants=[Participant(ana.pk, 0, "won", 0), Participant(ben.pk, 0, "won", 1)],
            ended_at=MONDAY,
        )
    assert not result.rated


def test_the_first_three_of_a_pair_in_a_day_are_rated(
    ana: Player, ben: Player, cleo: Player, days: Callable[[int], datetime]
) -> None:
    for match in range(5):
        duel(ana, ben, "won" if match % 2 else "lost", ended_at=days(0) + timedelta(minutes=match))
    assert changes(ana) == changes(ben) == 3
    assert points(ana) == 25 * 2 + 3 * 3  # all five paid
    duel(ana, cleo)  # someone else, the same day
    assert changes(ana) == 4
    duel(ben, ana, ended_at=days(1))  # the same pair, the next day, seats changed
    assert changes(ana) == 5


def test_a_day_is_a_day_in_utc(ana: Player, ben: Player) -> None:
    late = MONDAY.replace(hour=23, minute=59)
    for match in range(3):
        duel(ana, ben, ended_at=late + timedelta(seconds=match))
    duel(ana, ben, ended_at=late + timedelta(minutes=1))
    assert changes(ana) == 4


def test_time_without_a_match_widens_the_deviation(
    ana: Player, ben: Player, days: Callable[[int], datetime]
) -> None:
    for day in range(12):
        duel(ana, ben, "won" if day % 2 else "lost", ended_at=days(day))
    before = RatingChange.objects.filter(player=ana).latest("id")
    duel(ana, ben, ended_at=days(11 + 7 * 20))
    after = RatingChange.objects.filter(player=ana).latest("id")
    fresh = after_match(
        *(
            START.__class__(change.rating, change.deviation, change.volatility)
            for change in RatingChange.objects.filter(result=before.result).order_by("-player")
        ),
        0,
    )
    assert after.deviation > fresh[1].deviation
    assert after_idle(START, 3) == START


# --- once -------------------------------------------------------------------------------------


def test_the_same_key_again_changes_nothing(ana: Player, ben: Player) -> None:
    first = duel(ana, ben, key="one")
    again = duel(ben, ana, key="one")
    assert first == again
    assert points(ana) == 25
    assert changes(ana) == 1
    assert Side.objects.count() == 2


def test_nothing_stays_of_a_transaction_that_fails(ana: Player, ben: Player) -> None:
    class Broken(Exception):
        pass

    def end_the_match() -> None:
        with transaction.atomic():
            duel(ana, ben)
            raise Broken

    with pytest.raises(Broken):
        end_the_match()
    for model in (Result, Side, Career, Standing, RatingChange):
        assert not model.objects.exists()


@pytest.mark.django_db(transaction=True)
def test_outside_a_transaction_nothing_is_recorded(transactional_db: None) -> None:
    ana, ben = account("Ana"), account("Ben")
    with pytest.raises(RuntimeError):
        record_result(
            game="quoits",
            variant="plain",
            key="bare",
            url="",
            ranked=True,
            rated=True,
            kind="online",
            awards=AWARDS,
            participants=[Participant(ana.pk, 0, "won", 0), Participant(ben.pk, 1, "lost", 1)],
            ended_at=MONDAY,
        )
    assert not Result.objects.exists()


def bad_seats(ana: Player, ben: Player) -> dict[str, list[Participant]]:
    return {
        "nobody": [],
        "one seat twice": [
            Participant(ana.pk, 0, "won", 0),
            Participant(ben.pk, 1, "lost", 0),
        ],
        "one person twice": [
            Participant(ana.pk, 0, "won", 0),
            Participant(ana.pk, 1, "lost", 1),
        ],
        "person and bot": [
            Participant(ana.pk, 0, "won", 0, bot="easy"),
            Participant(ben.pk, 1, "lost", 1),
        ],
        "one side, two outcomes": [
            Participant(ana.pk, 0, "won", 0),
            Participant(ben.pk, 0, "lost", 2),
        ],
    }


@pytest.mark.parametrize("what", ["nobody", "one seat twice", "one person twice",
                                  "person and bot", "one side, two outcomes"])  # fmt: skip
def test_a_result_that_contradicts_itself_is_refused(ana: Player, ben: Player, what: str) -> None:
    with pytest.raises(ValueError), transaction.atomic():
        record_result(
            game="quoits",
            variant="plain",
            key="bad",
            url="",
            ranked=True,
            rated=True,
            kind="online",
            awards=AWARDS,
            participants=bad_seats(ana, ben)[what],
            ended_at=MONDAY,
        )
    assert not Result.objects.exists()


def test_an_outcome_without_an_award_is_refused(ana: Player, ben: Player) -> None:
    with pytest.raises(ValueError, match="no award"), transaction.atomic():
        record_result(
            game="quoits",
            variant="plain",
            key="bad",
            url="",
            ranked=True,
            rated=True,
            kind="online",
            awards={"won": 1},
            participants=[Participant(ana.pk, 0, "won", 0), Participant(ben.pk, 1, "lost", 1)],
            ended_at=MONDAY,
        )


# --- no game ----------------------------------------------------------------------------------


def test_a_second_game_needs_no_change_here(ana: Player, ben: Player, settings: Settings) -> None:
    settings.RANKING_TITLES = {"quoits/plain": "Quoits"}
    duel(ana, ben, game="quoits", variant="plain")
    duel(ana, ben, "lost", game="tiddlywinks", variant="long-shot")
    titles = {record.title for record in profile.record(ana)}
    assert titles == {"Quoits", "Long shot"}  # the site named one of them
    assert points(ana) == 28
    assert changes(ana) == 2  # one rating for both


def test_the_ladder_imports_no_game() -> None:
    """Every module of the app is loaded with the game's packages barred."""
    program = """
import os, pkgutil, sys
class Barred:
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] in {"dominoes", "lobby"}:
            raise ImportError(name + " is barred")
sys.meta_path.insert(0, Barred())
from django.conf import settings
settings.configure(
    SECRET_KEY="x", USE_TZ=True, AUTH_USER_MODEL="ranking.Player", RATE_LIMITS=True,
    MAIL_CONFIGURED=False,
    DATABASES={"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": ":memory:"}},
    INSTALLED_APPS=["ranking", "django.contrib.admin", "django.contrib.auth",
                    "django.contrib.contenttypes", "django.contrib.sessions",
                    "django.contrib.messages"])
import django; django.setup()
import ranking
names = [m.name for m in pkgutil.walk_packages(ranking.__path__, "ranking.")]
for name in names:
    __import__(name)
print(len(names))
"""
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, timeout=60, check=False
    )
    assert done.returncode == 0, done.stderr
    assert int(done.stdout) > 20
