"""Why these points: every scored play and every hand's result as plain data.

The page words it; the figures here always add up to the points that were given.
"""

from dataclasses import dataclass

from dominoes.rules.hand import Hand
from dominoes.rules.line import SpinnerHand
from dominoes.rules.moves import CLOSED, ENDS, KNOCK, OPEN
from dominoes.rules.tiles import NAMES, WEIGHT


@dataclass(frozen=True, slots=True)
class EndCount:
    """One exposed end: the tile that shows there, what it counts, and if both its halves do.

    ``end`` is ``left``, ``right``, ``up``, ``down``, or ``first`` for a lone opening tile.
    """

    end: str
    tile: str
    counted: int
    both_halves: bool


@dataclass(frozen=True, slots=True)
class PlayScore:
    """What the exposed ends came to after a tile: ``scored`` is ``total`` or nothing.

    ``uncounted`` names open ends that count nothing yet (an arm without a tile).
    """

    ends: tuple[EndCount, ...]
    total: int
    scored: int
    rule: str
    uncounted: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class HandScore:
    """Why a hand gave the points it gave: ``raw`` − ``subtracted`` + ``rounded`` = ``points``.

    ``how``: ``out``, ``blocked`` or ``stopped``. ``winner``: the side, ``seat``: the seat that won
    it for its side (in a blocked partnership its lighter rack), each None where nobody won.
    ``sums`` are the pips in each seat's rack (None: the seat has left), ``side_sums`` the totals
    by side. ``counted`` are the seats whose pips were added up to ``raw``; ``rounded`` is what
    rounding added or took. ``tie`` names the tie rule that spoke:

    * ``partners_together``: partners tied for the lightest rack won together;
    * ``lightest_on_both_sides``, ``equal_totals``, ``equal_tiles``: tied, nobody scores;
    * ``fewer_tiles``: equal pips, and fewer tiles won.

    ``rule`` is the row of the rule sheet, such as ``partners.blocked``.
    """

    how: str
    winner: int | None
    seat: int | None
    sums: tuple[int | None, ...]
    side_sums: tuple[int | None, ...]
    counted: tuple[int, ...]
    raw: int
    subtracted: int
    rounded: int
    points: int
    tie: str | None
    rule: str


def explain_plays(hand: Hand, rule: str) -> list[PlayScore | None]:
    """For each ply of a hand that scores in play: what the ends counted (None: no tile laid)."""
    if not isinstance(hand, SpinnerHand):
        return [None] * len(hand.moves)
    line = SpinnerHand([])
    at_end = ["", "", "", ""]
    told: list[PlayScore | None] = []
    for move in hand.moves:
        if move >= KNOCK:
            told.append(None)
            continue
        tile = move >> 6
        scored = line.extend(move)
        if move >> 3 & 7 == OPEN:
            at_end[:2] = NAMES[tile], NAMES[tile]
            lone = EndCount("first", NAMES[tile], WEIGHT[tile], True)
            told.append(PlayScore((lone,), WEIGHT[tile], scored, rule))
        else:
            at_end[move >> 3 & 7] = NAMES[tile]
            told.append(_exposed(line, at_end, scored, rule))
    return told


def _exposed(line: SpinnerHand, at_end: list[str], scored: int, rule: str) -> PlayScore:
    """The exposed ends of a line of two tiles or more."""
    counted = []
    uncounted = []
    for end, shows, tile, count in zip(ENDS, line.shows, at_end, line.counts, strict=True):
        if tile:
            counted.append(EndCount(end, tile, count, tile[0] == tile[-1]))
        elif shows != CLOSED:
            uncounted.append(end)
    return PlayScore(tuple(counted), line.total, scored, rule, tuple(uncounted))
