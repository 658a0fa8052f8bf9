"""All Fives: the spinner, points in play, hands rounded to five, and the winner opens."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dominoes.rules.hand import Hand
from dominoes.rules.line import SpinnerHand
from dominoes.rules.systems.base import System
from dominoes.rules.tiles import HIGHEST_DOUBLE_ORDER

if TYPE_CHECKING:
    from dominoes.rules.options import Options


class Fives(System):
    name = "fives"
    tables = {2: ("singles",), 3: ("singles",), 4: ("singles", "partners")}
    target = 250
    choices = frozenset({"opens"})
    line_kind = SpinnerHand
    lot_order = HIGHEST_DOUBLE_ORDER

    def new_hand(
        self, options: Options, racks: list[int], boneyard: tuple[int, ...], wanting: list[int]
    ) -> Hand:
        return SpinnerHand(racks, boneyard, options.sides_by_seat, wanting)

    def rounded(self, pips: int) -> int:
        return (pips + 2) // 5 * 5
