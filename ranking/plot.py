"""The plot of a rating as plain geometry; the template turns it into SVG."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

WIDTH, HEIGHT = 640, 240
LEFT, RIGHT, TOP, BOTTOM = 72, 10, 16, 34
"""Room for the numbers at the side and the dates below, in units of the view box.

On a phone a unit is half a pixel, and what is written is larger for that (ranking.css).
"""

MOST_POINTS = 240
"""More than these can't be told apart on a screen; the rest are left out evenly."""


@dataclass(frozen=True, slots=True)
class Point:
    """A rating after a match, and its deviation."""

    at: datetime
    value: float
    deviation: float


@dataclass(frozen=True, slots=True)
class Tick:
    """A line across the plot at a round rating."""

    y: float
    value: int


@dataclass(frozen=True, slots=True)
class Plot:
    """All that the template draws, rounded to tenths of a unit."""

    line: str
    band: str
    ticks: tuple[Tick, ...]
    last: tuple[float, float]
    first_at: datetime
    last_at: datetime
    now: int
    highest: int
    lowest: int
    matches: int
    width: int = WIDTH
    height: int = HEIGHT
    left: int = LEFT
    right: int = WIDTH - RIGHT
    baseline: int = HEIGHT - BOTTOM


def plot(points: Sequence[Point]) -> Plot | None:
    """The plot of these points, match by match from left to right; None for fewer than two."""
    if len(points) < 2:
        return None
    shown = _thin(points)
    values = [point.value for point in points]
    low, high = min(values), max(values)
    step = _step(high - low)
    floor, ceiling = step * math.floor((low - 1) / step), step * math.ceil((high + 1) / step)

    def x(index: int) -> float:
        return round(LEFT + (WIDTH - LEFT - RIGHT) * index / (len(shown) - 1), 1)

    def y(value: float) -> float:
        share = (min(max(value, floor), ceiling) - floor) / (ceiling - floor)
        return round(HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * share, 1)

    line = [(x(index), y(point.value)) for index, point in enumerate(shown)]
    above = [(x(i), y(point.value + point.deviation)) for i, point in enumerate(shown)]
    below = [(x(i), y(point.value - point.deviation)) for i, point in enumerate(shown)]
    return Plot(
        line=_path(line),
        band=_path([*above, *reversed(below)]),
        ticks=tuple(
            Tick(y(value), value) for value in range(int(floor), int(ceiling) + 1, int(step))
        ),
        last=line[-1],
        first_at=points[0].at,
        last_at=points[-1].at,
        now=round(points[-1].value),
        highest=round(high),
        lowest=round(low),
        matches=len(points) - 1,
    )


def _thin(points: Sequence[Point]) -> list[Point]:
    if len(points) <= MOST_POINTS:
        return list(points)
    span = (len(points) - 1) / (MOST_POINTS - 1)
    return [points[round(index * span)] for index in range(MOST_POINTS)]


def _step(spread: float) -> int:
    """A round distance between lines that gives three to six of them."""
    return next(step for step in (25, 50, 100, 200, 400, 800, 10**6) if spread / step <= 4)


def _path(points: Sequence[tuple[float, float]]) -> str:
    return " ".join(f"{x:g},{y:g}" for x, y in points)
