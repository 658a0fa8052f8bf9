"""Where each tile of the line lies: pure geometry.

``lay_out`` takes a line as a picture shows it and gives every tile its place and turn, and every
open end the place of its number, for one screen class. The grid and its unit: ``layout_tracks.py``.

An arm is laid outward along its track, each tile by what lies before it in the same arm and by
nothing else. So a tile that lies stays where it is, whatever is laid after it, on any arm; only All
Fives lays the line anew, once, around the spinner when it comes. How a tile is laid:

- An ordinary tile takes the next two cells of the track, straight on or round a corner. Wherever it
  lies, it meets the tile before it along a whole short side of one of the two.
- A double lies across one cell where the track runs straight on before and after it. Where the
  track turns it takes two cells like any tile, across the way by which the line came.
- A double that comes one cell before a corner would lie along the line: it becomes the corner
  itself instead, one cell early, and the tile after it leads back to the track.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple, Protocol

from dominoes.table.layout_tracks import BOXES, CELL, SHAPES, Box, Cell, Heading, Track

ENDS: Final = ("left", "right", "up", "down")


class Line(Protocol):
    """A line of play as pictures have it: tiles by name, each arm outward."""

    @property
    def first(self) -> str | None: ...
    @property
    def left(self) -> Sequence[str]: ...
    @property
    def right(self) -> Sequence[str]: ...
    @property
    def up(self) -> Sequence[str]: ...
    @property
    def down(self) -> Sequence[str]: ...
    @property
    def spinner(self) -> str | None: ...


@dataclass(frozen=True, slots=True)
class Placed:
    """A tile on the table: its corner next to 0, 0 and its size in units.

    ``turn`` is clockwise in degrees from upright, the heavier half on top: at 90 the heavier half
    is on the right. ``arm`` is None for the anchor; ``value`` is what the half towards the anchor
    shows (the anchor: its left half).
    """

    tile: str
    arm: str | None
    x: int
    y: int
    w: int
    h: int
    turn: int
    value: int


@dataclass(frozen=True, slots=True)
class Badge:
    """An open end's number, on a square of 2 × 2 units before the end; no tile ever lies there."""

    end: str
    value: int
    x: int
    y: int


@dataclass(frozen=True, slots=True)
class Picture:
    """A line laid out: tiles and badges inside ``cols`` × ``rows`` units."""

    shape: str
    arms: int
    cols: int
    rows: int
    tiles: tuple[Placed, ...]
    badges: tuple[Badge, ...]


class Step(NamedTuple):
    """How far an arm has come: the next free cell of its track, and which way its last tile points.

    ``detour``: the cells of the next tile, after a double that became the corner itself; ``at``
    is then already where the tile after that one begins.
    """

    at: int
    heading: Heading
    detour: tuple[Cell, Cell] | None = None


def lay_out(line: Line, ends: Mapping[str, int], *, shape: str, arms: int) -> Picture:
    """The picture of ``line`` with its open ``ends``.

    ``shape`` is one of ``SHAPES``; ``arms`` is 4 for All Fives, from its first tile on, else 2.
    Raises ``ValueError`` where two neighbours of the line don't carry the same number.
    """
    box = BOXES[shape, arms]
    if line.first is None:
        return Picture(shape, arms, box.cols, box.rows, (), ())
    anchor, chains = anchored(line)
    heavy, light = halves(anchor)
    tiles = [_anchor(box, anchor)]
    badges = []
    for arm in ENDS[: box.arms]:
        step = start(box, arm, double=heavy == light)
        value = light if arm == "right" else heavy
        laid, step, value = _arm(box.tracks[arm], arm, chains[arm], step, value)
        tiles += laid
        if arm in ends:
            if ends[arm] != value:
                raise ValueError(f"the end {arm} shows {value}, not {ends[arm]}")
            badges.append(Badge(arm, value, *next_cell(box.tracks[arm], step)))
    return Picture(shape, arms, box.cols, box.rows, tuple(tiles), tuple(badges))


def pictures(line: Line, ends: Mapping[str, int], *, arms: int) -> tuple[Picture, ...]:
    """The picture for each screen class, in the order of ``SHAPES``; same tiles, same order."""
    return tuple(lay_out(line, ends, shape=shape, arms=arms) for shape in SHAPES)


def anchored(line: Line) -> tuple[str, dict[str, Sequence[str]]]:
    """The tile that the picture is built around, and the arms outward from it.

    It is the spinner, in arms of which the first tile may stand; without one the first tile.
    """
    if line.first is None:
        raise ValueError("an empty line has no anchor")
    chain = [*reversed(line.left), line.first, *line.right]
    place = len(line.left) if line.spinner is None else chain.index(line.spinner)
    return chain[place], {
        "left": chain[:place][::-1],
        "right": chain[place + 1 :],
        "up": line.up,
        "down": line.down,
    }


def halves(tile: str) -> tuple[int, int]:
    """The heavier and the lighter half of a tile: ``"6-4"`` has 6 and 4."""
    return int(tile[0]), int(tile[2])


def start(box: Box, arm: str, *, double: bool) -> Step:
    """Where an arm begins: beside a double it is the first cell of its track.

    An ordinary anchor lies along the line, on its own cell and the first one on the right.
    """
    return Step(int(arm == "right" and not double), box.tracks[arm].into[0])


def advance(track: Track, step: Step, *, double: bool) -> tuple[tuple[Cell, ...], Step]:
    """The cells of the next tile, from the anchor outward, and how far the arm then is.

    A double across has one cell, and stands out half a cell to both sides of it.
    """
    at, heading, detour = step
    into, cells = track.into, track.cells
    if detour is not None:
        return detour, Step(at, _heading(*detour))
    if not double:
        return cells[at : at + 2], Step(at + 2, into[at + 1])
    ahead, after = into[at + 1], into[at + 2]
    if heading == into[at] == ahead == after:
        return cells[at : at + 1], Step(at + 1, heading)
    if heading != ahead:
        return cells[at : at + 2], Step(at + 2, ahead)
    # One cell before a corner: the double becomes the corner, inside the track's own.
    foot = _beside(cells[at], after)
    return (cells[at], foot), _back(track, at, foot, after)


def _back(track: Track, at: int, foot: Cell, heading: Heading) -> Step:
    """How the tile after a double that became a corner leads back to the track.

    The double lies on cell ``at`` and on ``foot``, and points along ``heading``.
    """
    into, cells = track.into, track.cells
    begin = _beside(foot, heading)
    if begin == cells[at + 4]:  # the track itself, coming back two lanes on
        return Step(at + 6, heading, (begin, cells[at + 5]))
    if into[at + 4] == heading != into[at + 5]:  # three lanes on it turns again
        further = _beside(begin, heading)
        return Step(at + 6 if further == cells[at + 5] else at + 4, heading, (begin, further))
    return Step(at + 4, heading, (begin, cells[at + 3]))


def next_cell(track: Track, step: Step) -> Cell:
    """The cell where the arm's next tile begins: nothing lies there yet."""
    return track.cells[step.at] if step.detour is None else step.detour[0]


def _beside(cell: Cell, heading: Heading) -> Cell:
    return cell[0] + CELL * heading[0], cell[1] + CELL * heading[1]


def _heading(cell: Cell, to: Cell) -> Heading:
    return (to[0] - cell[0]) // CELL, (to[1] - cell[1]) // CELL


def _arm(
    track: Track, arm: str, chain: Iterable[str], step: Step, value: int
) -> tuple[list[Placed], Step, int]:
    """The tiles of one arm, how far it came, and the number at its end."""
    laid = []
    for tile in chain:
        heavy, light = halves(tile)
        if value not in (heavy, light):
            raise ValueError(f"{tile} does not carry the {value} that it lies beside")
        before = step
        cells, step = advance(track, step, double=heavy == light)
        laid.append(_placed(tile, arm, cells, before.heading, value))
        value = light if value == heavy else heavy
    return laid, step, value


def _placed(
    tile: str, arm: str | None, cells: tuple[Cell, ...], heading: Heading, value: int
) -> Placed:
    """The tile on its cells, the half that shows ``value`` on the first of them."""
    x, y = min(cells)
    if len(cells) == 1:
        if heading[0]:
            return Placed(tile, arm, x, y - 1, CELL, 2 * CELL, 0, value)
        return Placed(tile, arm, x - 1, y, 2 * CELL, CELL, 90, value)
    lying = cells[0][1] == cells[1][1]
    w, h = (2 * CELL, CELL) if lying else (CELL, 2 * CELL)
    heavy, light = halves(tile)
    if heavy == light:
        return Placed(tile, arm, x, y, w, h, 90 if lying else 0, value)
    # The heavier half is on the first cell or on the last: on the right, at the bottom, …
    top = _heading(cells[0], cells[1]) if value == light else _heading(cells[1], cells[0])
    return Placed(tile, arm, x, y, w, h, _TURNS[top], value)


_TURNS: Final[dict[Heading, int]] = {(0, -1): 0, (1, 0): 90, (0, 1): 180, (-1, 0): 270}


def _anchor(box: Box, tile: str) -> Placed:
    heavy, light = halves(tile)
    cells = (box.hub,) if heavy == light else (box.hub, _beside(box.hub, (1, 0)))
    return _placed(tile, None, cells, (1, 0), heavy)
