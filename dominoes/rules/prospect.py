"""What a viewer's moves would lead to, told from the view alone: for bots, and for advice."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from dominoes.rules.hand import Hand
from dominoes.rules.moves import LAID, OPEN, OPENS, lay
from dominoes.rules.systems import SYSTEMS
from dominoes.rules.tiles import WEIGHT
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
    line = SYSTEMS[view.options.rules].line_kind([])
    for said in view.moves:
        _extend(line, said.word)
    found = {}
    for word in view.legal:
        if word in LAID:
            after = line.copy()
            scored = _extend(after, word)
            found[word] = Prospect(frozenset(after.ends), scored)
    return found


def _extend(line: Hand, word: str) -> int:
    """Lay the tile of a word, if it has one, on a line; gives the points that it scores."""
    if word not in LAID:
        return 0
    tile, end = LAID[word]
    if end == OPEN:
        return line.extend(OPENS[tile])
    return line.extend(lay(tile, end, WEIGHT[tile] - line.shows[end]))
