"""What every system has. A system is this class with a few of its words changed."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, ClassVar

from dominoes.rules.explain import HandScore
from dominoes.rules.hand import BLOCKED, OUT, STOPPED, Hand
from dominoes.rules.moves import AFTER
from dominoes.rules.tiles import TILES, highest_double, pips_in, tiles_in

if TYPE_CHECKING:
    from dominoes.rules.options import Options


class System:
    """One rule system: data, and how a blocked hand is judged where that differs."""

    #: The name in records and addresses.
    name: ClassVar[str]
    #: Which sides may be chosen, by number of seats.
    tables: ClassVar[dict[int, tuple[str, ...]]]
    #: The target unless the host chooses another.
    target: ClassVar[int] = 100
    #: Further options that this system knows, beside seats, sides and target.
    choices: ClassVar[frozenset[str]] = frozenset()
    #: The order in which the lot is judged; None: the first hand draws no lot.
    lot_order: ClassVar[tuple[int, ...] | None] = None
    #: Whose highest double must open: in ``every`` hand, in the ``first`` one, or ``never``.
    forced: ClassVar[str] = "never"
    #: Who opens later hands: the seat that ``won`` the last one, or the ``next`` after the opener.
    later: ClassVar[str] = "won"
    #: Points for a hand are rounded to the nearest multiple of this.
    rounding: ClassVar[int] = 1
    #: Whether plays score, and so a match can end inside a hand.
    scores_in_play: ClassVar[bool] = False

    def rack_size(self, players: int) -> int:
        """How many tiles a seat is dealt at a table opened for so many."""
        return 7

    def draws(self, players: int) -> bool:
        """Whether undealt tiles are a boneyard (else they stay out of play)."""
        return True

    def boneyard_size(self, players: int, dealt_seats: int) -> int:
        """How many tiles the boneyard has when so many seats of the table are dealt to."""
        if not self.draws(players):
            return 0
        return TILES - self.rack_size(players) * dealt_seats

    def lot_due(self, options: Options) -> bool:
        """Whether the first hand of a match draws lots."""
        return self.lot_order is not None and options.opens is None

    def must_open(self, options: Options, first: bool, racks: Sequence[int]) -> int | None:
        """The tile that must open the hand, given all the racks; None: any tile of the opener."""
        if self.forced == "every" or (first and self.forced == "first"):
            return highest_double(tile for rack in racks for tile in tiles_in(rack))
        return None

    def new_hand(
        self, options: Options, racks: list[int], boneyard: Sequence[int], wanting: list[int]
    ) -> Hand:
        """A hand just dealt; ``wanting`` is what each side lacks to the target."""
        inside = sum(1 << seat for seat, rack in enumerate(racks) if rack)
        return Hand(racks, tuple(boneyard), inside)

    def settle(self, hand: Hand, options: Options) -> HandScore:
        """Who has won a hand that is over, and what for; nobody, where it was stopped."""
        sums = [
            pips_in(rack) if hand.inside >> seat & 1 else None
            for seat, rack in enumerate(hand.racks)
        ]
        if hand.over == OUT:
            return self.score(hand, options, sums, hand.seats[-1], None)
        if hand.over == BLOCKED:
            return self.score(hand, options, sums, *self.judge_block(hand, options, sums))
        return self.score(hand, options, sums, None, None)

    def judge_block(
        self, hand: Hand, options: Options, sums: Sequence[int | None]
    ) -> tuple[int | None, str | None]:
        """The seat that wins a blocked hand for its side, or None; and the tie rule that spoke.

        Here: the side with the fewest pips, partners added together; tied, nobody.
        """
        totals = side_totals(options, sums)
        least = min(total for total in totals if total is not None)
        if totals.count(least) > 1:
            return None, "equal_totals"
        return lightest_of(options.seats_of(totals.index(least)), sums, hand.opener), None

    def own_pips(self, total: int) -> int:
        """What a blocked hand takes off the winner's points, given its own pips."""
        return 0

    def score(
        self,
        hand: Hand,
        options: Options,
        sums: Sequence[int | None],
        seat: int | None,
        tie: str | None,
    ) -> HandScore:
        """The points for a hand won by ``seat`` for its side: the other sides' pips."""
        side = None if seat is None else options.side_of(seat)
        totals = side_totals(options, sums)
        counted = tuple(
            s
            for s, pips in enumerate(sums)
            if side is not None and pips is not None and options.side_of(s) != side
        )
        raw = sum(sums[s] or 0 for s in counted)
        own = 0
        if side is not None and hand.over == BLOCKED:
            own = self.own_pips(totals[side] or 0)
        exact = raw - own
        points = (exact + self.rounding // 2) // self.rounding * self.rounding
        how = hand.over if hand.over in (OUT, BLOCKED) else STOPPED
        return HandScore(
            how=how,
            winner=side,
            seat=seat,
            sums=tuple(sums),
            side_sums=tuple(totals),
            counted=counted,
            raw=raw,
            subtracted=own,
            rounded=points - exact,
            points=points,
            tie=tie,
            rule=f"{self.name}.{how}",
        )


def side_totals(options: Options, sums: Sequence[int | None]) -> list[int | None]:
    """The pips of each side; None for a side that has left."""
    totals: list[int | None] = [None] * options.side_count
    for seat, pips in enumerate(sums):
        if pips is not None:
            side = options.side_of(seat)
            totals[side] = (totals[side] or 0) + pips
    return totals


def lightest_of(seats: Iterable[int], sums: Sequence[int | None], opener: int) -> int:
    """The lightest rack of some seats still in; equal: the first clockwise after the opener."""
    order = [(opener + step) % 4 for step in range(1, 5)]
    among = set(seats)
    held = [(sums[seat], seat) for seat in order if seat in among]
    least = min(pips for pips, _ in held if pips is not None)
    return next(seat for pips, seat in held if pips == least)


def next_in(inside: int, seat: int) -> int:
    """The next seat clockwise after ``seat`` among those still in (as bits)."""
    return AFTER[inside][seat]
