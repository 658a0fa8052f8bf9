"""What two people have played with and against each other, as those who judge them see it."""

from datetime import timedelta
from typing import Any

import pytest
from django.db import transaction

from ranking.models import Player
from ranking.results import Participant, record_result, void_result
from ranking.together import pairs as together
from tests.ranking.conftest import AWARDS, MONDAY, duel, pairs

pytestmark = [pytest.mark.django_db, pytest.mark.servers]


def three(*people: Player, winner: int) -> None:
    """A match of three, each for themselves."""
    with transaction.atomic():
        record_result(
            game="quoits",
            variant="three",
            key=f"three-{winner}",
            url="/matches/z/",
            ranked=True,
            rated=False,
            kind="online",
            awards=AWARDS,
            participants=[
                Participant(one.pk, seat, "won" if seat == winner else "lost", seat)
                for seat, one in enumerate(people)
            ],
            ended_at=MONDAY,
        )


def scores(*people: Player) -> list[tuple[int, int]]:
    return [(pair.won, pair.lost) for pair in together(people, "quoits", 20)]


def test_all_their_matches_count_though_the_newest_are_listed(ana: Player, ben: Player) -> None:
    for number in range(24):
        duel(ana, ben, ended_at=MONDAY + timedelta(hours=number))
    (pair,) = together([ben, ana], "quoits", 20)
    assert (pair.won, pair.lost) == (0, 24)
    assert len(pair.meetings) == 20 and pair.more
    assert pair.meetings[0].ended_at == MONDAY + timedelta(hours=23)
    assert {one.outcome for one in pair.meetings} == {"lost"}
    (pair,) = together([ana, ben], "quoits", 24)
    assert {one.outcome for one in pair.meetings} == {"won"} and not pair.more


def test_a_third_one_s_win_counts_for_neither(ana: Player, ben: Player, cleo: Player) -> None:
    three(ana, ben, cleo, winner=2)
    assert scores(ana, ben, cleo) == [(0, 0), (0, 1), (0, 1)]
    three(ana, ben, cleo, winner=0)
    assert scores(ana, ben, cleo) == [(1, 0), (1, 1), (0, 1)]
    assert scores(cleo, ben, ana) == [(1, 0), (1, 1), (0, 1)]


def test_partners_draws_and_void_matches_count_for_neither(
    ana: Player, ben: Player, cleo: Player, dan: Player
) -> None:
    pairs(ana, ben, cleo, dan, winner=0)  # Ana and Cleo against Ben and Dan
    assert scores(ana, cleo) == [(0, 0)]
    assert scores(ana, ben) == scores(cleo, dan) == [(1, 0)]
    duel(ana, ben, "drawn")
    duel(ana, ben, key="gone")
    duel(ana, ben, game="other")
    void_result("gone", None, "a test")
    assert scores(ana, ben) == [(1, 0)]
    listed = together([ana, ben], "quoits", 20)[0].meetings
    assert [one.voided for one in listed].count(True) == 1 and len(listed) == 3


def test_two_questions_for_any_four(
    ana: Player, ben: Player, cleo: Player, dan: Player, django_assert_num_queries: Any
) -> None:
    pairs(ana, ben, cleo, dan)
    with django_assert_num_queries(2):
        assert len(together([ana, ben, cleo, dan], "quoits", 20)) == 6
