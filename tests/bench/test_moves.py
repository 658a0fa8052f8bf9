"""The short form of ``bench moves``: it fails on ratios alone, with room for a busy machine."""

from __future__ import annotations

import pytest

from dominoes.bench import _figures as figures
from dominoes.bench import pages
from dominoes.bench._figures import Row, Size
from dominoes.bench._servers import Setup


def test_moves_cost_less_than_at_a_bare_consumer() -> None:
    """By processor time, which what else runs on the machine hardly disturbs."""
    rows = figures.rates(Setup(), Size(tables=16, seconds=1.5, rounds=2))
    ratios = {row.name: row.by_processor or 0.0 for row in rows}
    assert ratios["most moves a second, JSON seats"] >= 1.0, ratios
    assert ratios["most moves a second, HTML seats"] >= 0.6, ratios


def test_a_move_costs_no_more_late_in_a_long_match() -> None:
    (row,) = figures.hands(Setup(), Size(hands=20))
    assert row.ratio <= 1.6, row


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


def test_pages_of_a_small_ladder(capfd: pytest.CaptureFixture[str]) -> None:
    pages.main(["--players", "50", "--matches", "100", "--open", "5", "--times", "2"])
    told = capfd.readouterr().out
    assert "table in play" in told
    assert "ladder" in told
