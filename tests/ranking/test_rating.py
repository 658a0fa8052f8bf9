"""Glicko-2 as this site uses it: the published example, a second reckoning, a whole season."""

import math
import random
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ranking.rating import (
    PROVISIONAL_FROM,
    START,
    Rating,
    after_idle,
    after_match,
    after_period,
    idle_periods,
)

ratings = st.builds(
    Rating,
    st.floats(1000, 2200),
    st.floats(35, 350),
    st.floats(0.03, 0.1),
)


def test_the_example_of_glickmans_paper() -> None:
    met = [
        (Rating(1400, 30, 0.06), 1.0),
        (Rating(1550, 100, 0.06), 0.0),
        (Rating(1700, 300, 0.06), 0.0),
    ]
    after = after_period(Rating(1500, 200, 0.06), met)
    # The paper prints 1464.06 / 151.52 / 0.05999, from steps that it rounded.
    assert after.value == pytest.approx(1464.06, abs=0.02)
    assert after.deviation == pytest.approx(151.52, abs=0.01)
    assert after.volatility == pytest.approx(0.05999, abs=0.00001)


def by_the_paper(own: Rating, met: list[tuple[Rating, float]]) -> Rating:
    """Steps 2 to 8 of "Example of the Glicko-2 system", written down a second time."""
    scale, tau = 173.7178, 0.5
    mu, phi, sigma = (own.value - 1500) / scale, own.deviation / scale, own.volatility
    others = [((o.value - 1500) / scale, o.deviation / scale, score) for o, score in met]

    def g(p: float) -> float:
        return 1 / math.sqrt(1 + 3 * p * p / math.pi**2)

    def expected(m: float, p: float) -> float:
        return 1 / (1 + math.exp(-g(p) * (mu - m)))

    v = 1 / sum(g(p) ** 2 * expected(m, p) * (1 - expected(m, p)) for m, p, _ in others)
    gain = sum(g(p) * (score - expected(m, p)) for m, p, score in others)
    delta, a = v * gain, math.log(sigma**2)

    def f(x: float) -> float:
        power = math.exp(x)
        return (
            power * (delta**2 - phi**2 - v - power) / (2 * (phi**2 + v + power) ** 2)
            - (x - a) / tau**2
        )

    low = a - tau
    while f(low) < 0:
        low -= tau
    beyond = delta**2 - phi**2 - v
    high = max(a, math.log(beyond)) if beyond > 0 else a
    for _ in range(100):  # halving finds the zero as well as the paper's quicker method
        middle = (low + high) / 2
        low, high = (middle, high) if f(middle) > 0 else (low, middle)
    new_sigma = math.exp(low / 2)
    before = math.hypot(phi, new_sigma)
    new_phi = 1 / math.sqrt(1 / before**2 + 1 / v)
    return Rating(scale * (mu + new_phi**2 * gain) + 1500, min(scale * new_phi, 350.0), new_sigma)


@given(
    ratings, st.lists(st.tuples(ratings, st.sampled_from([0.0, 0.5, 1.0])), min_size=1, max_size=4)
)
def test_a_second_reckoning_agrees(own: Rating, met: list[tuple[Rating, float]]) -> None:
    ours, theirs = after_period(own, met), by_the_paper(own, met)
    # The package works the volatility out a little differently: less than half a rating point.
    assert ours.value == pytest.approx(theirs.value, abs=0.5)
    assert ours.deviation == pytest.approx(theirs.deviation, abs=0.5)
    assert ours.volatility == pytest.approx(theirs.volatility, abs=0.0005)


@given(ratings, ratings)
def test_a_win_never_lowers_and_a_loss_never_raises(one: Rating, other: Rating) -> None:
    winner, loser = after_match(one, other, 1)
    assert winner.value >= one.value
    assert loser.value <= other.value


@given(ratings, ratings, st.sampled_from([0.0, 0.5, 1.0]))
def test_it_does_not_matter_who_is_named_first(one: Rating, other: Rating, score: float) -> None:
    assert after_match(one, other, score) == after_match(other, one, 1 - score)[::-1]


@given(ratings, st.integers(0, 5000))
def test_time_widens_and_never_moves(own: Rating, periods: int) -> None:
    later = after_idle(own, periods)
    assert later.value == own.value
    assert own.deviation <= later.deviation <= START.deviation


def test_idle_periods_add_up_and_are_whole_weeks() -> None:
    own = Rating(1600, 60, 0.06)
    in_one = after_idle(own, 7)
    in_two = after_idle(after_idle(own, 3), 4)
    assert in_one.deviation == pytest.approx(in_two.deviation)
    then = datetime(2026, 1, 1, tzinfo=UTC)
    assert idle_periods(None, then) == 0
    assert idle_periods(then, then + timedelta(days=6, hours=23)) == 0
    assert idle_periods(then, then + timedelta(days=15)) == 2
    assert idle_periods(then, then - timedelta(days=15)) == 0


def test_no_match_at_all_is_a_period_of_rest() -> None:
    own = Rating(1600, 60, 0.06)
    assert after_period(own, []) == after_idle(own, 1)


def test_a_newcomer_is_provisional_for_about_ten_matches() -> None:
    own, settled = START, Rating(1500, 60, 0.06)
    played = 0
    while own.provisional:
        own, _ = after_match(own, settled, played % 2)
        played += 1
    assert 6 <= played <= 15
    assert START.provisional
    assert not Rating(1500, PROVISIONAL_FROM, 0.06).provisional


def test_a_long_season_orders_players_by_true_strength() -> None:
    """Sixteen players 60 points apart, 4,000 matches with the chances of their true strengths."""
    chance = random.Random(64)
    strength = [1050 + 60 * rank for rank in range(16)]
    now = [START] * len(strength)
    for _ in range(4000):
        one, other = chance.sample(range(len(strength)), 2)
        wins = 1 / (1 + 10 ** ((strength[other] - strength[one]) / 400))
        score = 1.0 if chance.random() < wins else 0.0
        now[one], now[other] = after_match(now[one], now[other], score)
    order = sorted(range(len(now)), key=lambda rank: now[rank].value)
    moved = [abs(place - rank) for place, rank in enumerate(order)]
    assert max(moved) <= 2
    assert _rank_correlation(order) > 0.97
    assert not any(rating.provisional for rating in now)
    # The scale is Glicko's own: the distance of the strongest to the weakest comes out true.
    spread = now[-1].value - now[0].value
    assert spread == pytest.approx(strength[-1] - strength[0], rel=0.2)


def _rank_correlation(order: list[int]) -> float:
    n = len(order)
    return 1 - 6 * sum((place - rank) ** 2 for place, rank in enumerate(order)) / (n * (n * n - 1))
