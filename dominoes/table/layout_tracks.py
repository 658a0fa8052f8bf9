"""The tracks that the arms of the line follow, for each screen class: data, and what it means.

Everything is measured in units: half a tile's short side. A tile is 4 × 2 units, a double across
the line 2 × 4. A track is a row of cells of 2 × 2 units, each beside the one before; two stretches
of track are never neighbours, so between any two lanes a gap of one cell stays free, half of it for
the doubles of either lane. Tiles are laid along the track two cells at a time, a double across it
on one cell (``layout.py``).

The tracks are loops. In the loop of two arms the one arm runs from the first tile round to the
right, the other round to the left: each may become as long as the loop, because there are only 28
tiles for both. With four arms left and up share one loop, right and down the other, which is the
first one turned by half a turn about the spinner. That makes the tiles half as large again as with
a part of the table kept for each arm. That no line of any system can close a loop is proved state
by state in the tests (``tests/table/test_layout_proof.py``): change a track, and run them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

Cell = tuple[int, int]
Heading = tuple[int, int]

HEADINGS: Final[dict[str, Heading]] = {"N": (0, -1), "E": (1, 0), "S": (0, 1), "W": (-1, 0)}
CELL: Final = 2
SHAPES: Final = ("portrait", "landscape")


@dataclass(frozen=True, slots=True)
class Track:
    """The cells that one arm follows, outward; each is the corner of its square next to 0, 0.

    ``into[i]`` is the heading from the cell before into cell ``i``; past the last cell the track
    is taken to run straight on.
    """

    cells: tuple[Cell, ...]
    into: tuple[Heading, ...]

    @classmethod
    def along(cls, before: Cell, cells: tuple[Cell, ...]) -> Track:
        """A track whose first cell lies beside ``before``."""
        steps = zip((before, *cells), cells, strict=False)
        into = tuple(((x - u) // CELL, (y - v) // CELL) for (u, v), (x, y) in steps)
        return cls(cells, (*into, *into[-1:] * 4))


@dataclass(frozen=True, slots=True)
class Box:
    """A screen class for two or four arms: its size in units, the anchor's cell, and the tracks."""

    shape: str
    arms: int
    cols: int
    rows: int
    hub: Cell
    tracks: Mapping[str, Track]

    def unit(self, width: float, height: float) -> float:
        """Pixels per unit when the picture fills a box of that size; a short side is two units."""
        return min(width / self.cols, height / self.rows)


def _walk(start: Cell, runs: str) -> tuple[Cell, ...]:
    """The cells after ``start`` along runs such as ``"E4 S2"``, each a heading and its cells."""
    x, y = start
    cells = []
    for run in runs.split():
        step = HEADINGS[run[0]]
        for _ in range(int(run[1:])):
            x, y = x + CELL * step[0], y + CELL * step[1]
            cells.append((x, y))
    return tuple(cells)


def _two(shape: str, cols: int, rows: int, hub: Cell, right: str) -> Box:
    """``right``: from the anchor's cell all round to the cell on its left."""
    loop = _walk(hub, right)
    tracks = {"right": Track.along(hub, loop), "left": Track.along(hub, loop[::-1])}
    return Box(shape, 2, cols, rows, hub, tracks)


def _four(shape: str, cols: int, rows: int, hub: Cell, left: str) -> Box:
    """``left``: from the spinner's left side round to the cell above it.

    The spinner stands out one unit above and below its cell, so the tracks of its short ends lie
    one unit further out than the loop from which they are taken.
    """
    loop = _walk(hub, left)
    up = tuple((x, y - 1) for x, y in loop[::-1])
    top = (hub[0], hub[1] - 1)

    def turned(cells: tuple[Cell, ...]) -> tuple[Cell, ...]:
        return tuple((2 * hub[0] - x, 2 * hub[1] - y) for x, y in cells)

    tracks = {
        "left": Track.along(hub, loop),
        "right": Track.along(hub, turned(loop)),
        "up": Track.along(top, up),
        "down": Track.along((hub[0], hub[1] + 1), turned(up)),
    }
    return Box(shape, 4, cols, rows, hub, tracks)


BOXES: Final[dict[tuple[str, int], Box]] = {
    (box.shape, box.arms): box
    for box in (
        _two(
            "portrait",
            21,
            24,
            (11, 9),
            "E4 S2 W7 S2 E7 S2 W9 N10 E9 S2 W7 S2 E2",
        ),
        _two(
            "landscape",
            33,
            16,
            (12, 5),
            "E7 S2 W13 S2 E15 N6 W15 S2 E5",
        ),
        _four(
            "portrait",
            34,
            34,
            (16, 16),
            "W8 N2 E6 N3 W6 N2 E16 S2 W2 S3 W4 N3 W2 S4",
        ),
        _four(
            "landscape",
            48,
            26,
            (23, 12),
            "W11 N5 E6 S3 E3 N3 E13 S3 W11 S1",
        ),
    )
}
