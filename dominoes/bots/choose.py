"""Which move a bot makes, from nothing but its seat's view.

`easy` lays a heavy tile that fits; `steady` weighs every legal move: points now, weight shed, how
many of its own tiles will follow, what the opponents have shown to lack, what its partner lacks,
and the doubles that are hard to lay later. Neither sees, nor is told, anything that its seat isn't.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from typing import Final

from dominoes.bots.board import Board, Lay
from dominoes.rules.view import View

Chooser = Callable[[View, random.Random], str]


def choose(view: View, level: str, chance: random.Random | None = None) -> str:
    """The word that a bot of that level says; one of `view.legal`.

    `chance` decides between equal moves. Raises ValueError when the seat isn't on turn.
    """
    if not view.legal:
        raise ValueError("it is not this seat's turn")
    if len(view.legal) == 1:
        return view.legal[0]
    return LEVELS.get(level, _easy)(view, chance or random.Random())


def _easy(view: View, chance: random.Random) -> str:
    """The heaviest tile that fits, or now and then another one."""
    lays = [Lay.of(word) for word in view.legal]
    if chance.random() < 0.25:
        return chance.choice(lays).word
    heaviest = max(lay.weight for lay in lays)
    return chance.choice([lay for lay in lays if lay.weight == heaviest]).word


def _steady(view: View, chance: random.Random) -> str:
    board = Board.of(view)
    scored = [(_worth(board, lay), chance.random(), lay.word) for lay in map(Lay.of, view.legal)]
    return max(scored)[2]


# What a pip, a point in play and a number kept open are worth to the steady bot, in pips.
POINT: Final = 1.6
SHED: Final = 0.5
DOUBLE: Final = 2.5
FOLLOW: Final = 1.5
STUCK_FOE: Final = 4.0
STUCK_MATE: Final = 5.0
DEAD_END: Final = 3.0


def _worth(board: Board, lay: Lay) -> float:
    """How good a move looks, in pips; only the order matters."""
    after = board.after(lay)
    worth = POINT * after.scored + SHED * lay.weight
    if not after.rack:
        return worth + 100.0  # going out
    if lay.double:
        worth += DOUBLE
    follow = sum(1 for tile in after.rack if tile & after.values)
    worth += FOLLOW * min(follow, 4)
    if not follow:
        worth -= DEAD_END
    for seat in board.others:
        weight = 1.0 if board.next_seat == seat.seat else 0.5
        stuck = after.values <= set(seat.lacks)
        half = bool(after.values & set(seat.lacks))
        if seat.side == board.side:
            worth -= STUCK_MATE * weight * (stuck + 0.4 * half)
        else:
            worth += STUCK_FOE * weight * (stuck + 0.4 * half)
    # An end whose number nobody else can hold any more belongs to us alone.
    for value in after.values:
        left = board.unseen[value]
        own = sum(1 for tile in after.rack if value in tile)
        if not left:
            worth += 2.0 if own else -1.0
    return worth


LEVELS: Final[Mapping[str, Chooser]] = {"easy": _easy, "steady": _steady}
