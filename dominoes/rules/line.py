"""The line of play with a spinner, and any line as it lies on the table.

``SpinnerHand`` is a hand whose first double branches and whose open ends score in play.
``line_of`` lays a hand's moves out in arms, outward from the first tile, for whoever looks.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

from dominoes.rules.hand import BLOCKED, OUT, STOPPED, Hand
from dominoes.rules.moves import BIT, ENDS, KNOCK, LAYS, OPEN
from dominoes.rules.tiles import CARRIES, HEAVY, LIGHT, NAMES

_LEFT_LAYS, _RIGHT_LAYS, _UP_LAYS, _DOWN_LAYS = LAYS


class SpinnerHand(Hand):
    """A hand with the spinner: the first double laid is open on its long sides, then on its ends.

    ``counts`` is what each open end adds to the exposed ends (a double both its halves, an arm
    nothing before a tile lies on it). ``bare`` has a bit for each of left and right where the
    spinner's long side still waits for a tile; None: no spinner yet. ``wanting`` are the points
    each side lacks to the target: the hand stops when one of them has reached it in play.
    """

    __slots__ = ("bare", "counts", "side_of", "wanting")

    def __init__(
        self,
        racks: list[int],
        boneyard: tuple[int, ...],
        inside: int,
        side_of: Sequence[int],
        wanting: list[int],
    ) -> None:
        super().__init__(racks, boneyard, inside)
        self.counts: tuple[int, ...] = ()
        self.bare: int | None = None
        self.side_of = side_of
        self.wanting = wanting

    def _copy_into(self, twin: Self) -> None:
        super()._copy_into(twin)
        twin.counts = self.counts
        twin.bare = self.bare
        twin.side_of = self.side_of
        twin.wanting = self.wanting.copy()

    def play(self, move: int) -> None:
        """As in ``Hand``; the points scored by this ply are in ``scored`` afterwards."""
        if move not in self.legal:
            raise ValueError("not a legal move here")
        seat = self.turn
        racks = self.racks
        self.moves.append(move)
        self.seats.append(seat)
        self.scored = 0
        if move < KNOCK:
            rack = racks[seat] ^ BIT[move]
            racks[seat] = rack
            self.knocked = 0
            total = self.extend(move)
            if total and not total % 5:
                self.scored = total
                side = self.side_of[seat]
                self.wanting[side] -= total
                if self.wanting[side] <= 0:
                    self.end(STOPPED)
                    return
            if not rack:
                self.end(OUT)
                return
            seat = self.after[seat]
            self.turn = seat
        elif move == KNOCK:
            knocked = self.knocked | 1 << seat
            self.knocked = knocked
            if knocked == self.inside:
                self.end(BLOCKED)
                return
            seat = self.after[seat]
            self.turn = seat
        else:
            racks[seat] |= 1 << self.boneyard[self.drawn]
            self.drawn += 1
        rack = racks[seat]
        ends = self.ends
        left = ends[0]
        right = ends[1]
        laying = _LEFT_LAYS[left][rack & CARRIES[left]] + _RIGHT_LAYS[right][rack & CARRIES[right]]
        if len(ends) == 4:
            up = ends[2]
            down = ends[3]
            laying += _UP_LAYS[up][rack & CARRIES[up]] + _DOWN_LAYS[down][rack & CARRIES[down]]
        self.legal = laying or self.stuck()

    def empty_line(self) -> "SpinnerHand":
        return SpinnerHand([0], (), 1, (0,), [1])

    def extend(self, move: int) -> int:
        """Put the tile on the line; gives the sum of the exposed ends."""
        tile = move >> 6
        end = move >> 3 & 7
        heavy = HEAVY[tile]
        light = LIGHT[tile]
        if end == OPEN:
            self.ends = heavy, light
            if heavy == light:
                # Both long sides are still open; covering one leaves the other counting 2 × v.
                self.counts = 2 * heavy, 2 * heavy
                self.bare = 3
            else:
                self.counts = heavy, light
            return heavy + light
        shows = move & 7
        ends = list(self.ends)
        counts = list(self.counts)
        bare = self.bare
        spun = ends[end]
        ends[end] = shows
        counts[end] = 2 * shows if heavy == light else shows
        if bare is None:
            if heavy == light:
                self.bare = 1 << end
        elif bare:
            bare &= ~(1 << end)
            self.bare = bare
            if not bare:
                ends += [spun, spun]
                counts += [0, 0]
        self.ends = tuple(ends)
        self.counts = tuple(counts)
        return sum(counts)


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
    return dict(zip(ENDS, hand.ends, strict=False))


def laid(hand: Hand) -> int:
    """The tiles that lie on the line, as bits."""
    on_line = 0
    for move in hand.moves:
        on_line |= BIT[move]
    return on_line
