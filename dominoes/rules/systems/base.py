"""What every system has. A system is this class with a few of its words changed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar

from dominoes.rules.explain import HandScore
from dominoes.rules.hand import BLOCKED, OUT, Hand
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
    #: The kind of hand, which knows how its line branches and whether plays score.
    line_kind: ClassVar[type[Hand]] = Hand
    #: Who opens later hands: the seat that ``won`` the last one, or the ``next`` after the opener.
    later: ClassVar[str] = "won"

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
        self, options: Options, racks: list[int], boneyard: tuple[int, ...], wanting: list[int]
    ) -> Hand:
        """A hand just dealt; ``wanting`` is what each side lacks to the target."""
        return self.line_kind(racks, boneyard)

    def settle(self, hand: Hand, options: Options) -> HandScore:
        """Who has won a hand that is over, and what for; nobody, where it was stopped.

        The winning side gets the pips of the other sides' racks, its own partner's cost nothing.
        """
        sides = options.sides_by_seat
        sums: list[int | None] = []
        totals: list[int | None] = [None] * options.side_count
        for seat, rack in enumerate(hand.racks):
            if hand.inside >> seat & 1:
                pips = pips_in(rack)
                sums.append(pips)
                totals[sides[seat]] = pips + (totals[sides[seat]] or 0)
            else:
                sums.append(None)
        how = hand.over
        winner: int | None = None
        tie: str | None = None
        if how == OUT:
            winner = hand.seats[-1]
        elif how == BLOCKED:
            winner, tie = self.judge_block(hand, options, sums, totals)
        side: int | None = None
        counted: tuple[int, ...] = ()
        raw = own = points = 0
        if winner is not None:
            side = sides[winner]
            for seat, held in enumerate(sums):
                if held is not None and sides[seat] != side:
                    counted += (seat,)
                    raw += held
            if how == BLOCKED:
                own = self.own_pips(totals[side] or 0)
            points = self.rounded(raw - own)
        return HandScore(
            how=how,
            winner=side,
            seat=winner,
            sums=tuple(sums),
            side_sums=tuple(totals),
            counted=counted,
            raw=raw,
            subtracted=own,
            rounded=points - (raw - own),
            points=points,
            tie=tie,
            rule=f"{self.name}.{how}",
        )

    def judge_block(
        self,
        hand: Hand,
        options: Options,
        sums: Sequence[int | None],
        totals: Sequence[int | None],
    ) -> tuple[int | None, str | None]:
        """The seat that wins a blocked hand for its side, or None; and the tie rule that spoke.

        ``sums`` are the pips by seat, ``totals`` by side. Here: the side with the fewest pips,
        partners added together; tied, nobody.
        """
        sides = tied_for_least(totals)
        if len(sides) > 1:
            return None, "equal_totals"
        return lightest_of(options.seats_of(sides[0]), sums, hand.opener), None

    def own_pips(self, total: int) -> int:
        """What a blocked hand takes off the winner's points, given its own pips."""
        return 0

    def rounded(self, pips: int) -> int:
        """The points for so many pips."""
        return pips


def tied_for_least(pips: Sequence[int | None]) -> list[int]:
    """The seats, or sides, with the fewest pips among those still in."""
    least = min(held for held in pips if held is not None)
    return [place for place, held in enumerate(pips) if held == least]


def lightest_of(seats: Sequence[int], sums: Sequence[int | None], opener: int) -> int:
    """The lightest rack of some seats still in; equal: the first clockwise after the opener.

    The opener itself comes last.
    """
    if len(seats) == 1:
        return seats[0]
    return min(seats, key=lambda seat: (sums[seat], (seat - opener - 1) % 4))


def next_in(inside: int, seat: int) -> int:
    """The next seat clockwise after ``seat`` among those still in (as bits)."""
    return AFTER[inside][seat]
