"""The boards: who stands where, pages, weeks, one's own place, and what that costs."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
import time_machine
from django.test import Client
from hypothesis import given, settings
from hypothesis import strategies as st

from ranking import ladder
from ranking.ladder import Board
from ranking.models import Career, Player, Standing
from ranking.tally import week_of
from tests.ranking.conftest import MONDAY, account, duel, pairs

pytestmark = [pytest.mark.django_db, pytest.mark.urls("tests.ranking.urls")]

POINTS = Board("points")


def crowd(*figures: tuple[float, int]) -> list[Player]:
    """Players with these ratings (0: none) and points."""
    people = [account(f"p{number:03}") for number in range(len(figures))]
    Career.objects.bulk_create(
        Career(
            player=one,
            rating=rating,
            rated=rating > 0,
            deviation=60,
            rated_at=datetime.now(UTC) if rating else None,
            points=points,
            ranked=1,
        )
        for one, (rating, points) in zip(people, figures, strict=True)
    )
    Standing.objects.bulk_create(
        Standing(player=one, points=points)
        for one, (_rating, points) in zip(people, figures, strict=True)
    )
    return people


def places(board: Board, offset: int = 0, size: int = 50) -> list[tuple[int, str]]:
    return [(row.place, row.name) for row in ladder.ladder_page(board, offset, size)]


def test_by_rating_and_the_unrated_after_them_by_points() -> None:
    crowd((1500, 10), (1700, 3), (0, 90), (1600, 0), (0, 95))
    assert places(Board()) == [(1, "p001"), (2, "p003"), (3, "p000"), (4, "p004"), (5, "p002")]
    unrated = ladder.ladder_page(Board(), 4)[0]
    assert unrated.rating is None
    assert unrated.provisional


def test_by_points() -> None:
    crowd((1500, 10), (1700, 3), (0, 90))
    assert places(POINTS) == [(1, "p002"), (2, "p000"), (3, "p001")]


def test_equal_figures_share_a_place() -> None:
    people = crowd((0, 9), (0, 7), (0, 7), (0, 7), (0, 5))
    expected = [(1, "p000"), (2, "p001"), (2, "p002"), (2, "p003"), (5, "p004")]
    assert places(POINTS) == expected
    assert places(POINTS, 2, 3) == expected[2:]  # also where a page begins among them
    own = ladder.own_place(POINTS, people[3])
    assert own is not None
    assert own.place == 2


@settings(max_examples=12)
@given(st.lists(st.tuples(st.sampled_from([0.0, 1500.0, 1600.5]), st.integers(0, 3)), max_size=12))
def test_pages_put_together_are_the_board(figures: list[tuple[float, int]]) -> None:
    Player.objects.all().delete()
    people = crowd(*figures)
    for board in (Board(), POINTS):
        whole = places(board)
        assert len(whole) == len(people) == ladder.length(board)
        pieces = [row for start in range(0, len(people), 3) for row in places(board, start, 3)]
        assert pieces == whole
        for place, name in whole:
            own = ladder.own_place(board, Player.objects.get(name=name))
            assert own is not None
            assert own.place == place
            page = ladder.page_of(board, own, 3)
            assert (place, name) in places(board, 3 * page - 3, 3)


def test_a_page_beyond_the_end_is_empty() -> None:
    crowd((0, 1))
    assert ladder.ladder_page(POINTS, 50) == []


def test_nobody_without_a_ranked_result_is_on_it(ana: Player, ben: Player) -> None:
    duel(ana, ben, ranked=False)
    assert places(Board()) == places(POINTS) == []
    assert ladder.own_place(Board(), ana) is None


def test_weeks_and_variants(
    ana: Player, ben: Player, cleo: Player, dan: Player, days: Callable[[int], datetime]
) -> None:
    duel(ana, ben, ended_at=days(0))
    duel(ana, ben, ended_at=days(6))  # Sunday
    duel(ben, ana, ended_at=days(7))  # the next Monday
    pairs(cleo, ana, dan, ben, ended_at=days(7))
    first, second = week_of(days(0)), week_of(days(7))
    assert places(Board("points", period=first)) == [(1, "Ana"), (2, "Ben")]
    assert [(row.name, row.points) for row in ladder.ladder_page(POINTS, 0)] == [
        ("Ana", 25 + 25 + 3 + 3), ("Ben", 3 + 3 + 25 + 3), ("Cleo", 25), ("Dan", 25)]  # fmt: skip
    plain = Board("points", "quoits", "plain", second)
    assert [(row.name, row.points, row.won, row.lost) for row in ladder.ladder_page(plain, 0)] == [
        ("Ben", 25, 1, 0), ("Ana", 3, 0, 1)]  # fmt: skip
    assert ladder.variants() == [("quoits", "pairs"), ("quoits", "plain")]


def test_weeks_have_neighbours() -> None:
    assert ladder.week_after("2026-W53") == "2027-W01"
    assert ladder.week_before("2027-W01") == "2026-W53"
    assert ladder.week_start("2026-W01") == datetime(2025, 12, 29, tzinfo=UTC)
    for wrong in ("", "2026", "2026-W54", "2026-W00", "week", "2026-W1", "٢٠٢٦-W01"):
        with pytest.raises(ValueError):
            ladder.week_start(wrong)


def test_a_rating_is_provisional_again_after_a_long_time(ana: Player, ben: Player) -> None:
    Career.objects.create(
        player=ana, ranked=1, rated=30, rating=1600, deviation=60, rated_at=MONDAY
    )
    for years, provisional in ((0, False), (1, False), (4, True)):
        with time_machine.travel(MONDAY + timedelta(days=365 * years), tick=False):
            row = ladder.ladder_page(Board(), 0)[0]
            assert row.provisional is provisional
            assert row.rating == 1600


# --- the page ---------------------------------------------------------------------------------


def test_the_page_says_how_ratings_work(client: Client) -> None:
    page = client.get("/ladder/").content.decode()
    for word in ("Glicko-2", "1500", "350", "0.06", "7 days", "110", "first 3 matches"):
        assert word in page


def test_the_page_says_what_is_paid_and_what_is_counted(
    client: Client, ana: Player, ben: Player
) -> None:
    duel(ana, ben)
    duel(ana, ben, ranked=False)
    page = client.get("/ladder/").content.decode()
    assert "a few for a loss, also by leaving" in page and "playing to the end" not in page
    assert "casual ones too" in page and ladder.ladder_page(Board(), 0)[0].won == 2
    page = client.get("/ladder/?by=points").content.decode()
    assert "the ranked matches of this board" in page and ladder.ladder_page(POINTS, 0)[0].won == 1


def test_a_week_that_is_over_promises_nothing(client: Client, ana: Player, ben: Player) -> None:
    duel(ana, ben)
    client.force_login(account("Cleo"))
    week = week_of(datetime.now(UTC))
    for query in ("", "by=points", "by=points&period=week", f"by=points&period={week}"):
        assert "not on this board yet" in client.get(f"/ladder/?{query}").content.decode()
    for query in ("by=points&period=2026-W10", f"by=points&period={ladder.week_before(week)}"):
        assert "not on this board yet" not in client.get(f"/ladder/?{query}").content.decode()


def test_the_page_shows_places_and_ones_own(client: Client) -> None:
    people = crowd(*((2000 - n, n) for n in range(130)))
    client.force_login(people[119])
    page = client.get("/ladder/").content.decode()
    assert "You are number 120 of 130" in page
    assert "page=3#me" in page
    last = client.get("/ladder/?page=3").content.decode()
    assert '<tr class="me" id="me">' in last
    assert "p129" in last
    assert "p129" in client.get("/ladder/?page=99999").content.decode()


@pytest.mark.parametrize(
    "query",
    [
        "by=points",
        "by=points&period=week",
        "by=points&period=2026-W10",
        "by=points&variant=quoits/plain",
        "page=x",
        "by=nonsense",
    ],
)
def test_every_board_has_a_page(client: Client, ana: Player, ben: Player, query: str) -> None:
    duel(ana, ben)
    assert client.get(f"/ladder/?{query}").status_code == 200


@pytest.mark.parametrize("period", ["2026-W99", "0001-W01", "9999-W52", "x"])
def test_a_week_that_is_none_is_not_there(client: Client, period: str) -> None:
    assert client.get(f"/ladder/?by=points&period={period}").status_code == 404


@pytest.mark.parametrize("path", ["/ladder/", "/ladder/?by=points&period=week&variant=quoits/plain",
                                  "/players/p000/", "/players/p000/matches/"])  # fmt: skip
def test_pages_ask_the_database_little(
    client: Client, path: str, django_assert_max_num_queries: Any
) -> None:
    people = crowd(*((2000 - n, n) for n in range(60)))
    for number in range(12):
        duel(people[0], people[number + 1], ended_at=datetime.now(UTC))
        pairs(people[0], people[number + 1], people[number + 14], people[number + 30])
    client.force_login(people[1])
    with django_assert_max_num_queries(20) as asked:
        assert client.get(path).status_code == 200
    assert len(asked) <= 16, [query["sql"] for query in asked.captured_queries]
