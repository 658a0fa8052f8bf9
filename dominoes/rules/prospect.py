"""What a viewer's moves would lead to, told from the view alone: for bots, and for advice."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from dominoes.rules.line import SpinnerHand
from dominoes.rules.moves import ENDS, LAID, OPEN, OPENS, lay
from dominoes.rules.systems import SYSTEMS
from dominoes.rules.tiles import HEAVY, LIGHT
from dominoes.rules.view import View


@dataclass(frozen=True, slots=True)
class Prospect:
    """After a move: the numbers of the open ends, and the points it scores in play."""

    values: frozenset[int]
    scored: int


def prospects(view: View) -> Mapping[str, Prospect]:
    """For each of the viewer's legal words that lays a tile: what it would lead to.

    Uses nothing that the viewer can't see. Words without a tile (draw, knock) are left out.
    """
    found = {}
    spins = SYSTEMS[view.options.rules].scores_in_play
    line = _line_of(view) if spins else None
    for word in view.legal:
        laid = LAID.get(word)
        if laid is None:
            continue
        tile, end = laid
        if line is not None:
            after = line.copy()
            total = after.extend(_move(tile, end, view.ends))
            found[word] = Prospect(frozenset(after.ends), 0 if total % 5 else total)
        else:
            ends = dict(view.ends)
            if end == OPEN:
                ends = {"left": HEAVY[tile], "right": LIGHT[tile]}
            else:
                ends[ENDS[end]] = HEAVY[tile] + LIGHT[tile] - ends[ENDS[end]]
            found[word] = Prospect(frozenset(ends.values()), 0)
    return found


def _move(tile: int, end: int, ends: Mapping[str, int]) -> int:
    if end == OPEN:
        return OPENS[tile]
    return lay(tile, end, HEAVY[tile] + LIGHT[tile] - ends[ENDS[end]])


def _line_of(view: View) -> SpinnerHand:
    """The line as it lies, laid again from the words that everyone heard."""
    line = SpinnerHand([0], (), 1, (0,), [1])
    for move in view.moves:
        laid = LAID.get(move.word)
        if laid is not None:
            shown = dict(zip(ENDS, line.ends, strict=False))
            line.extend(_move(*laid, shown))
    return line
