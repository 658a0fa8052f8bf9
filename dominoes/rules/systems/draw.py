"""Draw: singles; the highest double opens every hand; a blocked hand pays less one's own pips."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from dominoes.rules.hand import Hand
from dominoes.rules.systems.base import System, tied_for_least

if TYPE_CHECKING:
    from dominoes.rules.options import Options


class Draw(System):
    name = "draw"
    tables = {2: ("singles",), 3: ("singles",), 4: ("singles",)}
    forced = "every"

    def rack_size(self, players: int) -> int:
        return 7 if players == 2 else 5

    def judge_block(
        self,
        hand: Hand,
        options: Options,
        sums: Sequence[int | None],
        totals: Sequence[int | None],
    ) -> tuple[int | None, str | None]:
        tied = tied_for_least(sums)
        tiles = [hand.racks[seat].bit_count() for seat in tied]
        fewest = min(tiles)
        if tiles.count(fewest) > 1:
            return None, "equal_tiles"
        return tied[tiles.index(fewest)], "fewer_tiles" if len(tied) > 1 else None

    def own_pips(self, total: int) -> int:
        return total
