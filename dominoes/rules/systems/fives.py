"""All Fives: the spinner, points in play, hands rounded to five, and the winner opens."""

from __future__ import annotations

from collections.abc import Sequence
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
    lot_order = HIGHEST_DOUBLE_ORDER
    rounding = 5
    scores_in_play = True

    def new_hand(
        self, options: Options, racks: list[int], boneyard: Sequence[int], wanting: list[int]
    ) -> Hand:
        inside = sum(1 << seat for seat, rack in enumerate(racks) if rack)
        return SpinnerHand(racks, tuple(boneyard), inside, options.sides_by_seat, wanting)
