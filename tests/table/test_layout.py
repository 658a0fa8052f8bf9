"""The picture of the line, on lines out of real hands and on the longest there are."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from random import Random

import pytest

from dominoes.rules.line import LineView
from dominoes.table.layout import Picture, Placed, anchored, halves, lay_out
from dominoes.table.layout_tracks import BOXES, SHAPES
from tests.table.lines import TABLES, Free, hand_of, long_line, tiles_of

Rect = tuple[float, float, float, float]


def rect(tile: Placed) -> Rect:
    return tile.x, tile.y, tile.x + tile.w, tile.y + tile.h


def overlap(a: Rect, b: Rect) -> bool:
    return a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]


def number_at(tile: Placed, x: float, y: float) -> int:
    """What the half of a tile shows that holds a point."""
    heavy, light = halves(tile.tile)
    first_half = y < tile.y + tile.h / 2 if tile.h > tile.w else x < tile.x + tile.w / 2
    # Upright the heavier half is on top, a quarter turn later on the right, and so on.
    return heavy if first_half == (tile.turn in (0, 270)) else light


def check_join(a: Placed, b: Placed) -> None:
    """Two neighbours touch along the whole short side of one of them, with equal numbers there."""
    x, y, u, v = (
        max(a.x, b.x),
        max(a.y, b.y),
        min(a.x + a.w, b.x + b.w),
        min(a.y + a.h, b.y + b.h),
    )
    assert (u - x, v - y) in ((0, 2), (2, 0)), (a, b)
    sides = [(s, s + n) for t in (a, b) for s, n in ((t.x, t.w), (t.y, t.h)) if n == 2]
    assert ((y, v) if u == x else (x, u)) in sides, (a, b)
    middle, nudge = ((x + u) / 2, (y + v) / 2), 0.5
    across = nudge if u == x else 0, nudge if v == y else 0
    shown = {
        number_at(t, middle[0] + s * across[0], middle[1] + s * across[1])
        for t, s in ((a, _side(a, b)), (b, _side(b, a)))
    }
    assert len(shown) == 1, (a, b, shown)


def _side(of: Placed, other: Placed) -> int:
    """On which side of the seam a tile lies: before it −1, after it 1."""
    return -1 if (of.x + of.w <= other.x or of.y + of.h <= other.y) else 1


@dataclass
class Watcher:
    """Looks at a line as it grows, on one screen class, and remembers where its tiles lie."""

    shape: str
    arms: int
    anchor: str | None = None
    seen: dict[str, Placed] | None = None

    def look(self, line: LineView, ends: dict[str, int]) -> Picture:
        picture = lay_out(line, ends, shape=self.shape, arms=self.arms)
        tiles = {tile.tile: tile for tile in picture.tiles}
        assert sorted(tiles) == sorted(tiles_of(line)) and len(picture.tiles) == len(tiles)
        anchor, chains = anchored(line)
        before = self.seen or {}
        if anchor != self.anchor:
            # Only the spinner, when it comes, has the line laid anew: once in a hand.
            assert self.anchor is None or (
                anchor == line.spinner and halves(self.anchor)[0] != halves(self.anchor)[1]
            )
            before = {}
        for name, tile in before.items():
            assert tiles[name] == tile, "a tile that lay has moved"
        self._places(picture, [t for name, t in tiles.items() if name not in before])
        for chain in chains.values():
            for a, b in zip((anchor, *chain), chain, strict=False):
                if b not in before:
                    check_join(tiles[a], tiles[b])
        self.anchor, self.seen = anchor, tiles
        return picture

    def _places(self, picture: Picture, fresh: Iterable[Placed]) -> None:
        rects = [rect(tile) for tile in picture.tiles]
        for tile in fresh:
            mine = rect(tile)
            assert mine[0] >= 0 and mine[1] >= 0, tile
            assert mine[2] <= picture.cols and mine[3] <= picture.rows, tile
            assert {tile.w, tile.h} == {2, 4}
            assert (tile.h > tile.w) == (tile.turn in (0, 180))
            assert sum(overlap(mine, other) for other in rects) == 1, tile  # itself alone
        squares = [(b.x, b.y, b.x + 2, b.y + 2) for b in picture.badges]
        for square in squares:
            assert square[0] >= 0 and square[1] >= 0
            assert square[2] <= picture.cols and square[3] <= picture.rows
            assert not any(overlap(square, other) for other in rects), square
            assert sum(overlap(square, other) for other in squares) == 1, square


def watchers(arms: int) -> list[Watcher]:
    return [Watcher(shape, arms) for shape in SHAPES]


@pytest.mark.parametrize(("rules", "players", "sides"), TABLES)
def test_lines_of_hands(rules: str, players: int, sides: str) -> None:
    rng = Random(f"{rules} {players} {sides}")
    arms = 4 if rules == "fives" else 2
    for _hand in range(40):
        watching = watchers(arms)
        for line, ends in hand_of(rng, rules, players, sides):
            for watcher in watching:
                picture = watcher.look(line, ends)
                assert {b.end: b.value for b in picture.badges} == ends


# Which ends are liked how much, and how many tiles come to lie in those liked best.
LONG = (
    (2, {"left": 1, "right": 1}, 27),
    (2, {"left": 1}, 27),
    (2, {"right": 1}, 27),
    (4, {"left": 1, "right": 1, "up": 1, "down": 1}, 27),
    (4, {"left": 1}, 26),
    (4, {"right": 1}, 26),
    (4, {"left": 0.2, "right": 0.2, "up": 30, "down": 0.2}, 22),
    (4, {"left": 0.2, "right": 0.2, "up": 0.2, "down": 30}, 22),
    (4, {"left": 10, "right": 0.2, "up": 10, "down": 0.2}, 25),
    (4, {"left": 0.2, "right": 10, "up": 0.2, "down": 10}, 25),
)


@pytest.mark.parametrize(("arms", "weights", "most"), LONG)
def test_long_lines(arms: int, weights: dict[str, float], most: int) -> None:
    rng = Random(f"{arms} {weights}")
    liked = [end for end, weight in weights.items() if weight >= 1]
    longest = 0
    for _line in range(40):
        watching = watchers(arms)
        for free in long_line(rng, arms, weights):
            for watcher in watching:
                watcher.look(free.line, dict(free.ends))
            longest = max(longest, sum(len(free.chains[end]) for end in liked))
    assert longest >= most


def grown(arms: int, first: str, *laid: str) -> Free:
    """A line by its words, checked and watched tile by tile."""
    free = Free(arms, first)
    watching = watchers(arms)
    for word in ("", *laid):
        if word:
            free.lay(*word.split())
        for watcher in watching:
            watcher.look(free.line, dict(free.ends))
    return free


# All 28 tiles in one round, each number meeting its own.
_ROUND = (
    "6-6 6-0 0-0 1-0 1-1 2-1 2-2 3-2 3-3 4-3 4-4 5-4 5-5 6-5 "
    "6-4 4-2 2-0 5-0 5-3 3-1 6-1 6-3 3-0 4-0 4-1 5-1 5-2 6-2"
)
ROUND = _ROUND.split()


@pytest.mark.parametrize("arms", [2, 4])
@pytest.mark.parametrize("ahead", [0, 1, 9, 14, 26, 27])
def test_the_whole_set_round_any_first_tile(arms: int, ahead: int) -> None:
    """The round cut open at each tile, so many tiles ahead of it and all others behind it."""
    for place, first in enumerate(ROUND):
        rest = ROUND[place + 1 :] + ROUND[:place]
        # The end that the next tile of the round fits; the other one fits the tile before.
        meets = set(first[::2]) & set(rest[0][::2])
        ends = ("left", "right") if first[0] in meets else ("right", "left")
        words = [f"{tile} {ends[0]}" for tile in rest[:ahead]]
        words += [f"{tile} {ends[1]}" for tile in rest[: ahead - 28 : -1]]
        free = grown(arms, first, *words)
        assert len(tiles_of(free.line)) == 28


def test_the_spinner_lays_the_line_anew_once() -> None:
    free = grown(4, "6-4", "6-3 left", "4-2 right", "2-2 right", "3-1 left", "2-0 right", "2-1 up")
    assert free.spinner == "2-2"
    picture = lay_out(free.line, free.ends, shape="landscape", arms=4)
    middle = picture.tiles[0]
    assert (middle.tile, middle.x + middle.w / 2, middle.y + middle.h / 2) == ("2-2", 24, 13)


def test_same_tiles_in_the_same_order_on_every_screen() -> None:
    free = grown(2, "6-4", "6-3 left", "4-2 right", "2-2 right", "3-1 left")
    upright, wide = (lay_out(free.line, free.ends, shape=shape, arms=2) for shape in SHAPES)
    assert [t.tile for t in upright.tiles] == [t.tile for t in wide.tiles]
    assert [(b.end, b.value) for b in upright.badges] == [(b.end, b.value) for b in wide.badges]


def test_an_empty_line_is_an_empty_picture() -> None:
    picture = lay_out(LineView(), {}, shape="portrait", arms=2)
    assert picture.tiles == () and picture.badges == ()


def test_what_is_no_line_is_refused() -> None:
    with pytest.raises(ValueError, match="does not carry the 6"):
        lay_out(LineView(first="6-4", left=("5-3",)), {}, shape="portrait", arms=2)
    with pytest.raises(ValueError, match="shows 6, not 2"):
        lay_out(LineView(first="6-4"), {"left": 2}, shape="portrait", arms=2)


# The short side of a tile in pixels on the part of a screen that is left for the line.
SCREENS = {
    "phone": ((366, 400), 33, 21),
    "phone on its side": ((460, 220), 27, 16),
    "tablet": ((780, 700), 58, 41),
    "desk": ((900, 480), 54, 36),
}


@pytest.mark.parametrize("screen", SCREENS)
def test_how_large_the_tiles_are(screen: str) -> None:
    (width, height), two, four = SCREENS[screen]
    for arms, least in ((2, two), (4, four)):
        units = [BOXES[shape, arms].unit(width, height) for shape in SHAPES]
        assert int(2 * max(units)) >= least


def test_the_style_sheet_has_the_same_grids() -> None:
    css = (Path(__file__).parents[2] / "static/css/line.css").read_text()
    grids = [tuple(map(int, g)) for g in re.findall(r"--cols: (\d+);\s+--rows: (\d+);", css)]
    order = [("portrait", 2), ("portrait", 4), ("landscape", 2), ("landscape", 4)]
    assert grids == [(BOXES[key].cols, BOXES[key].rows) for key in order]
    ratios = re.findall(r"min-aspect-ratio: (\d+)/(\d+)", css)
    assert [tuple(map(int, r)) for r in ratios] == [
        (BOXES["landscape", arms].cols, BOXES["portrait", arms].rows) for arms in (2, 4)
    ]
