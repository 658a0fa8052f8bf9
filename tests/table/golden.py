"""Golden pictures: lines of every kind, drawn once and kept as SVG files.

`python -m tests.table.golden` draws them anew; look at them before they are committed.
"""

from __future__ import annotations

import sys
from itertools import product
from pathlib import Path

from dominoes.table.drawing_svg import picture_svg
from dominoes.table.layout_tracks import SHAPES
from tests.table.lines import Free

FOLDER = Path(__file__).parent / "golden"

# The arms of the table, the first tile, then words as players say them.
LINES: dict[str, tuple[int, str]] = {
    "one-tile": (2, "6-4"),
    "a-double-first": (2, "5-5 5-4 left,5-0 right"),
    "folding-both-ways": (
        2,
        (
            "6-4 6-6 left,4-3 right,6-1 left,3-3 right,1-1 left,3-0 right,5-1 left,0-0 right,"
            "5-4 left,2-0 right,4-4 left,2-2 right,4-1 left,3-2 right,6-3 right,6-2 right,2-1 left"
        ),
    ),
    "one-side-alone": (
        2,
        (
            "6-6 6-0 left,0-0 left,1-0 left,1-1 left,2-1 left,2-2 left,3-2 left,3-3 left,4-3 left,"
            "4-4 left,5-4 left,5-5 left,6-5 left,6-4 left,4-2 left,2-0 left,5-0 left,5-3 left,"
            "3-1 left,6-1 left,6-3 left,3-0 left,4-0 left,4-1 left,5-1 left,5-2 left,6-2 left"
        ),
    ),
    "turning-at-a-double": (2, "5-3 6-5 left,6-2 left,2-2 left,2-1 left"),
    "turning-at-a-double-of-four-arms": (
        4,
        "6-2 4-2 right,4-3 right,6-6 left,3-0 right,1-0 right,1-1 right,5-1 right",
    ),
    "before-the-spinner": (4, "6-4 6-3 left,4-2 right"),
    "a-spinner-in-an-arm": (4, "6-4 6-3 left,4-2 right,2-2 right,3-1 left"),
    "four-arms": (
        4,
        (
            "5-5 5-4 left,5-0 right,4-4 left,5-3 up,0-0 right,5-1 down,4-1 left,3-3 up,2-0 right,"
            "3-1 up,1-0 down,2-1 left,6-2 right,1-1 up,4-0 down,6-1 up,6-3 right"
        ),
    ),
    "one-arm-over-the-top": (
        4,
        (
            "6-6 6-5 right,6-0 left,0-0 left,1-0 left,1-1 left,2-1 left,2-2 left,3-2 left,3-3 left,"
            "4-3 left,4-4 left,5-4 left,5-5 left,5-0 left,2-0 left,4-2 left,6-4 left,6-3 left,"
            "5-3 left,5-1 left,3-1 left,3-0 left,4-0 left,4-1 left,6-1 left,6-2 left,5-2 left"
        ),
    ),
}


def line(name: str) -> tuple[int, Free, str]:
    """A line of the list: its arms, the line, and the tile laid last."""
    arms, words = LINES[name]
    first, _space, rest = words.partition(" ")
    free = Free(arms, first)
    last = first
    for word in rest.split(",") if rest else ():
        last, end = word.split()
        free.lay(last, end)
    return arms, free, last


def picture(name: str, shape: str) -> tuple[Path, str]:
    """A file, and what belongs into it."""
    arms, free, last = line(name)
    svg = picture_svg(free.line, free.ends, arms=arms, last=last, shape=shape)
    return FOLDER / f"{name}-{shape}.svg", str(svg)


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for name, shape in product(LINES, SHAPES):
        path, svg = picture(name, shape)
        path.write_text(svg)
        sys.stdout.write(f"{path.name}\n")
