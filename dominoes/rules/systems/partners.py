"""Partners: four seats, no boneyard, and the lightest single rack wins a blocked hand."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from dominoes.rules.hand import Hand
from dominoes.rules.systems.base import System, lightest_of, tied_for_least
from dominoes.rules.tiles import DOUBLE_SIX, HEAVIEST_ORDER

if TYPE_CHECKING:
    from dominoes.rules.options import Options


class Partners(System):
    name = "partners"
    tables = {4: ("partners",)}
    choices = frozenset({"double_six_opens"})
    lot_order = HEAVIEST_ORDER

    def draws(self, players: int) -> bool:
        return False

    def lot_due(self, options: Options) -> bool:
        return not options.double_six_opens

    def must_open(self, options: Options, first: bool, racks: Sequence[int]) -> int | None:
        return DOUBLE_SIX if first and options.double_six_opens else None

    def judge_block(
        self,
        hand: Hand,
        options: Options,
        sums: Sequence[int | None],
        totals: Sequence[int | None],
    ) -> tuple[int | None, str | None]:
        tied = tied_for_least(sums)
        if len({options.side_of(seat) for seat in tied}) > 1:
            return None, "lightest_on_both_sides"
        tie = "partners_together" if len(tied) > 1 else None
        return lightest_of(tied, sums, hand.opener), tie
