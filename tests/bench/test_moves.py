"""The short form of ``bench moves``: it fails on ratios alone, with room for a busy machine."""

from __future__ import annotations

import pytest

from dominoes.bench import _figures as figures
from dominoes.bench import split
from dominoes.bench._figures import Row, Size
from dominoes.bench._servers import Setup

TRIES = 3  # another program's burst spoils one measurement, hardly three


@pytest.mark.alone
def test_moves_cost_less_than_at_a_bare_consumer() -> None:
    """By processor time, which what else runs on the machine disturbs less."""
    seen = []
    for _try in range(TRIES):
        rows = figures.rates(Setup(), Size(tables=16, seconds=1.5, rounds=2))
        ratios = {row.name: row.by_processor or 0.0 for row in rows}
        seen.append(ratios)
        if (
            ratios["most moves a second, JSON seats"] >= 1.0
            and ratios["most moves a second, HTML seats"] >= 0.6
        ):
            return
    pytest.fail(f"slower than a bare consumer, {TRIES} times: {seen}")


@pytest.mark.alone
def test_every_part_of_a_moves_time_is_found() -> None:
    parts = split.parts(Setup(), "json", seconds=2.0)
    assert set(parts) >= {"transaction", "rendering", "rules and the rest of the command"}
    assert all(value > 0 for value in parts.values()), parts
    assert sum(parts.values()) == pytest.approx(2 * parts["all"])


@pytest.mark.alone
def test_a_move_costs_no_more_late_in_a_long_match() -> None:
    seen = [figures.hands(Setup(), Size(hands=20))[0].ratio for _try in range(TRIES)]
    assert min(seen) <= 1.6, seen


@pytest.mark.parametrize(
    ("ratio", "by_processor", "more", "asked", "good"),
    [
        (0.9, 1.2, True, True, True),
        (0.9, 1.2, True, False, False),
        (0.9, None, True, True, False),
        (1.1, None, False, True, False),
        (0.9, None, False, False, True),
    ],
)
def test_what_is_good(
    ratio: float, by_processor: float | None, more: bool, asked: bool, good: bool
) -> None:
    row = Row("a figure", "1", "1", ratio, 1.0, more, by_processor)
    assert row.good(by_processor=asked) is good
