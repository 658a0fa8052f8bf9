"""What one viewer may know: ``view_for`` is the one place in the project that hides tiles."""

from dataclasses import dataclass, replace

from dominoes.rules.explain import MoveView
from dominoes.rules.hand import Hand
from dominoes.rules.line import LineView, line_of, open_before_each_ply, open_ends, tiles_laid
from dominoes.rules.match import Match
from dominoes.rules.moves import DRAW, KNOCK
from dominoes.rules.options import Options
from dominoes.rules.results import HandResult, MatchResult, Opener
from dominoes.rules.tiles import CARRIES, NAMES, PIPS, names_in


@dataclass(frozen=True, slots=True)
class SeatView:
    """A seat as everyone sees it.

    ``lacks`` are the numbers that it has shown to lack by knocking or drawing; ``knocked`` the
    open numbers at its knock, if it has knocked since it last laid a tile.
    """

    seat: int
    side: int
    tiles: int
    left: bool
    lacks: tuple[int, ...] = ()
    knocked: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class View:
    """The match as one viewer may see it (``viewer`` None: a spectator); nothing in it can change.

    ``unseen``: for each number how many tiles carry it that the viewer sees neither on the line
    nor in the own rack; None for a spectator. ``legal`` are the viewer's moves, if on turn.
    """

    viewer: int | None
    options: Options
    phase: str
    hand: int
    ply: int
    turn: int | None
    opener: Opener | None
    lot: tuple[str, ...] | None
    seats: tuple[SeatView, ...]
    scores: tuple[int | None, ...]
    line: LineView
    ends: dict[str, int]
    boneyard: int
    rack: tuple[str, ...] | None
    legal: tuple[str, ...]
    moves: tuple[MoveView, ...]
    unseen: tuple[int, ...] | None
    result: HandResult | None
    match_result: MatchResult | None


def view_for(match: Match, seat: int | None, everyone: View | None = None) -> View:
    """The match as ``seat`` sees it, or a spectator (None).

    ``everyone`` is the spectator's view of this very position, if it is known already: a seat's own
    differs in little.
    """
    if everyone is None:
        everyone = _for_everyone(match)
    if seat is None:
        return everyone
    hand = match.hand
    if hand is None:
        return replace(everyone, viewer=seat)
    rack = hand.racks[seat] if hand.inside >> seat & 1 else None
    return replace(
        everyone,
        viewer=seat,
        rack=None if rack is None else names_in(rack),
        legal=tuple(match.legal_words()) if seat == match.turn else (),
        unseen=None if rack is None else _unseen(hand, rack),
    )


def _for_everyone(match: Match) -> View:
    """What a spectator sees: nothing that any seat alone may know."""
    hand = match.hand
    if hand is None:
        return _before(match)
    deal = match.current
    return View(
        viewer=None,
        options=match.options,
        phase=match.phase,
        hand=match.hand_number,
        ply=match.ply,
        turn=match.turn,
        opener=match.opener,
        lot=None if deal is None or deal.lot is None else tuple(NAMES[t] for t in deal.lot),
        seats=_seats(match, hand),
        scores=tuple(match.scores),
        line=line_of(hand),
        ends=open_ends(hand),
        boneyard=len(hand.boneyard) - hand.drawn,
        rack=None,
        legal=(),
        moves=match.moves(),
        unseen=None,
        result=match.hand_result,
        match_result=match.result,
    )


def _before(match: Match) -> View:
    """Nothing is dealt yet."""
    options = match.options
    return View(
        viewer=None,
        options=options,
        phase=match.phase,
        hand=match.hand_number,
        ply=0,
        turn=None,
        opener=None,
        lot=None,
        seats=tuple(
            SeatView(s, options.side_of(s), 0, s in match.left) for s in range(options.players)
        ),
        scores=tuple(match.scores),
        line=LineView(),
        ends={},
        boneyard=0,
        rack=None,
        legal=(),
        moves=(),
        unseen=None,
        result=None,
        match_result=match.result,
    )


def _seats(match: Match, hand: Hand) -> tuple[SeatView, ...]:
    lacks, knocked = _shown(hand)
    return tuple(
        SeatView(
            seat=seat,
            side=match.options.side_of(seat),
            tiles=rack.bit_count(),
            left=seat in match.left,
            lacks=tuple(sorted(lacks[seat])),
            knocked=knocked[seat],
        )
        for seat, rack in enumerate(hand.racks)
    )


def _shown(hand: Hand) -> tuple[list[set[int]], list[tuple[int, ...]]]:
    """What every seat has shown: the numbers it lacks, and the ends at a knock not yet undone."""
    seats = len(hand.racks)
    lacks: list[set[int]] = [set() for _ in range(seats)]
    knocked: list[tuple[int, ...]] = [() for _ in range(seats)]
    before = open_before_each_ply(hand)
    for move, seat, ends in zip(hand.moves, hand.seats, before, strict=True):
        if move < KNOCK:
            knocked[seat] = ()
        elif move == KNOCK:
            lacks[seat] |= ends
            knocked[seat] = tuple(sorted(ends))
        elif move == DRAW:
            lacks[seat] = ends
    return lacks, knocked


def _unseen(hand: Hand, rack: int) -> tuple[int, ...]:
    seen = tiles_laid(hand) | rack
    return tuple(7 - (seen & CARRIES[pips]).bit_count() for pips in PIPS)


__all__ = ["LineView", "MoveView", "SeatView", "View", "view_for"]
