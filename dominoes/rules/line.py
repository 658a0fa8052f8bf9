"""The line of play: the line with a spinner, and any line as it lies on the table.

``SpinnerHand`` is a hand whose first double branches and whose exposed ends score in play.
``line_of`` lays a hand's moves out in arms, outward from the first tile, for whoever looks.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

from dominoes.rules.hand import Hand
from dominoes.rules.moves import BIT, CARRIED, CLOSED, COUNTS, ENDS, KNOCK, LAYS, OPEN
from dominoes.rules.tiles import DOUBLES, HEAVY, LIGHT, NAMES, WEIGHT

_LEFT_LAYS, _RIGHT_LAYS, _UP_LAYS, _DOWN_LAYS = LAYS
_BOTH_SIDES = 0b11


class SpinnerHand(Hand):
    """A hand with the spinner: the first double laid is open on its long sides, then on its ends.

    ``counts`` is what each end adds to the exposed ends, ``total`` their sum: a double both its
    halves, the spinner nothing once both long sides are covered, an arm nothing before a tile lies
    on it. ``bare`` has a bit for left and for right where the spinner's long side still waits for
    a tile; −1: no spinner yet. ``wanting`` are the points that each side lacks to the target: the
    hand stops when a side has reached it in play.
    """

    __slots__ = ("bare", "counts", "side_of", "total", "wanting")

    ARMS = 4

    def __init__(
        self,
        racks: list[int],
        boneyard: tuple[int, ...] = (),
        side_of: Sequence[int] = (),
        wanting: Sequence[int] = (),
    ) -> None:
        super().__init__(racks, boneyard)
        self.counts = [0] * self.ARMS
        self.total = 0
        self.bare = -1
        self.side_of = side_of
        self.wanting = list(wanting)

    def copy(self) -> Self:
        twin = super().copy()
        twin.counts = self.counts.copy()
        twin.total = self.total
        twin.bare = self.bare
        twin.side_of = self.side_of
        twin.wanting = self.wanting.copy()
        return twin

    def extend(self, move: int) -> int:
        """Put the tile on the line: a multiple of five above zero on the exposed ends scores."""
        end = move >> 3 & 7
        if end == OPEN:
            total = self._begin(move >> 6)
            return 0 if total % 5 else total
        count = COUNTS[move]
        self.total = total = self.total + count - self.counts[end]
        self.counts[end] = count
        bare = self.bare
        if bare > 0:
            if bare >> end & 1:
                self.bare = bare = bare ^ 1 << end
                if not bare:
                    # Both long sides carry a tile now: the two short ends open.
                    self.shows[2] = self.shows[3] = self.shows[end]
        elif bare < 0 and BIT[move] & DOUBLES:
            self.bare = 1 << end
        self.shows[end] = move & 7
        return 0 if total % 5 else total

    def reaches_target(self, seat: int, points: int) -> bool:
        side = self.side_of[seat]
        self.wanting[side] -= points
        return self.wanting[side] <= 0

    def fitting(self, rack: int) -> tuple[int, ...]:
        left, right, up, down = self.shows
        laying = _LEFT_LAYS[left][rack & CARRIED[left]] + _RIGHT_LAYS[right][rack & CARRIED[right]]
        if up != CLOSED:
            laying += _UP_LAYS[up][rack & CARRIED[up]] + _DOWN_LAYS[down][rack & CARRIED[down]]
        return laying

    def _begin(self, tile: int) -> int:
        """The opening tile, which alone counts both its halves once; gives its weight."""
        heavy = HEAVY[tile]
        light = LIGHT[tile]
        self.shows[:2] = heavy, light
        if heavy == light:
            # Entered for each long side: once either is covered, it still counts by the other.
            self.counts[:2] = 2 * heavy, 2 * heavy
            self.total = 4 * heavy
            self.bare = _BOTH_SIDES
        else:
            self.counts[:2] = heavy, light
            self.total = heavy + light
        return WEIGHT[tile]


@dataclass(frozen=True, slots=True)
class LineView:
    """The line as it lies: ``first`` stands in no arm, left and right run outward from it.

    ``spinner`` is the double that branches (All Fives); it may stand inside the left or right arm;
    ``up`` and ``down`` start beside it.
    """

    first: str | None = None
    left: tuple[str, ...] = ()
    right: tuple[str, ...] = ()
    up: tuple[str, ...] = ()
    down: tuple[str, ...] = ()
    spinner: str | None = None


def line_of(hand: Hand) -> LineView:
    """The line of a hand."""
    first: str | None = None
    spinner: str | None = None
    branches = isinstance(hand, SpinnerHand)
    arms: tuple[list[str], ...] = ([], [], [], [])
    for move in hand.moves:
        if move >= KNOCK:
            continue
        tile = move >> 6
        end = move >> 3 & 7
        if end == OPEN:
            first = NAMES[tile]
        else:
            arms[end].append(NAMES[tile])
        if branches and spinner is None and HEAVY[tile] == LIGHT[tile]:
            spinner = NAMES[tile]
    left, right, up, down = (tuple(arm) for arm in arms)
    return LineView(first, left, right, up, down, spinner)


def open_ends(hand: Hand) -> dict[str, int]:
    """The open ends of a hand's line and the number each shows."""
    return {name: pips for name, pips in zip(ENDS, hand.shows, strict=False) if pips != CLOSED}


def open_before_each_ply(hand: Hand) -> list[set[int]]:
    """What the open ends showed before each ply of a hand."""
    line = type(hand)([])
    before = []
    for move in hand.moves:
        before.append({pips for pips in line.shows if pips != CLOSED})
        if move < KNOCK:
            line.extend(move)
    return before


def tiles_laid(hand: Hand) -> int:
    """The tiles that lie on the line, as bits."""
    on_line = 0
    for move in hand.moves:
        on_line |= BIT[move]
    return on_line
