"""Why these points: every scored play and every hand's result as plain data.

The page words it; the figures here always add up to the points that were given.
"""

from dataclasses import dataclass

from dominoes.rules.hand import Hand
from dominoes.rules.line import SpinnerHand
from dominoes.rules.moves import CLOSED, ENDS, KNOCK, OPEN, WORDS
from dominoes.rules.tiles import BY_NAME, NAMES, WEIGHT


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


@dataclass(frozen=True, slots=True)
class MoveView:
    """A word of a hand, never with the tile of a draw. ``seat`` is None for ``agree``.

    ``explain`` stands with every tile laid where plays score, also when it scored nothing.
    """

    seat: int | None
    word: str
    scored: int
    explain: PlayScore | None


def tell_moves(hand: Hand, rule: str, known: tuple[MoveView, ...] = ()) -> tuple[MoveView, ...]:
    """Every word of a hand with what it scored and why; ``known`` are its first ones, told before.

    ``rule`` is the row of the rule sheet for points in play.
    """
    line = type(hand)([])
    at_end = ["", "", "", ""]
    told: list[MoveView] = []
    for ply, (move, seat) in enumerate(zip(hand.moves, hand.seats, strict=True)):
        score: PlayScore | None = None
        if move < KNOCK:
            scored = line.extend(move)
            end = move >> 3 & 7
            if end < OPEN:
                at_end[end] = NAMES[move >> 6]
            else:
                at_end[:2] = NAMES[move >> 6], NAMES[move >> 6]
            if ply >= len(known) and isinstance(line, SpinnerHand):
                score = _exposed(line, at_end, end == OPEN, scored, rule)
        if ply >= len(known):
            points = 0 if score is None else score.scored
            told.append(MoveView(None if seat < 0 else seat, WORDS[move], points, score))
    return known + tuple(told)


def _exposed(line: SpinnerHand, at_end: list[str], lone: bool, scored: int, rule: str) -> PlayScore:
    """The exposed ends as they stand; a lone opening tile counts both its halves once."""
    if lone:
        weight = WEIGHT[BY_NAME[at_end[0]]]
        return PlayScore((EndCount("first", at_end[0], weight, True),), weight, scored, rule)
    counted = []
    uncounted = []
    for end, shows, tile, count in zip(ENDS, line.shows, at_end, line.counts, strict=True):
        if tile:
            counted.append(EndCount(end, tile, count, tile[0] == tile[-1]))
        elif shows != CLOSED:
            uncounted.append(end)
    return PlayScore(tuple(counted), line.total, scored, rule, tuple(uncounted))
