"""One hand on a line with two ends: whose turn, what is legal, playing it, how it ended.

This is the core that every table runs on and every position is counted with, so it is kept small
and quick: racks are bits, moves are whole numbers (see ``moves.py``), and the list of legal moves
is ready after every ply. It knows no match and no systems; ``match.py`` asks the system for what
differs.
"""

from __future__ import annotations

from typing import Self

from dominoes.rules.moves import (
    AFTER,
    AGREE,
    BIT,
    CARRIED,
    CLOSED,
    KNOCK,
    LAYS,
    LEAVE,
    ONLY_DRAW,
    ONLY_KNOCK,
    OPEN,
    OPENS,
    opening_moves,
)
from dominoes.rules.tiles import HEAVY, LIGHT

_LEFT_LAYS, _RIGHT_LAYS = LAYS[:2]

#: How a hand stands: still played; ended by the last tile, or by knocks; stopped because the match
#: ended inside it (by the target reached in play, a forfeit, an agreement).
PLAYED, OUT, BLOCKED, STOPPED = "", "out", "blocked", "stopped"


class Hand:
    """One hand from the deal to its end.

    ``racks`` are bits by seat, ``inside`` the seats still in (as bits), ``knocked`` the seats that
    have knocked since the last tile was laid, ``gone`` the tiles that went out of play with seats
    that left. ``drawn`` tiles of ``boneyard`` have been taken. ``shows`` is what each end shows
    (``CLOSED``: not open). ``turn`` is −1 once ``over`` says how the hand ended. ``moves`` and
    ``seats`` stand side by side: what was done, and by whom. ``scored`` are the points in play of
    the last ply.
    """

    __slots__ = (
        "after",
        "boneyard",
        "drawn",
        "gone",
        "inside",
        "knocked",
        "legal",
        "moves",
        "opener",
        "over",
        "racks",
        "scored",
        "seats",
        "shows",
        "turn",
    )

    #: How many ends a line of this kind can have.
    ARMS = 2

    def __init__(self, racks: list[int], boneyard: tuple[int, ...] = ()) -> None:
        inside = 0
        for seat, rack in enumerate(racks):
            if rack:
                inside |= 1 << seat
        self.racks = racks
        self.boneyard = boneyard
        self.drawn = 0
        self.gone = 0
        self.inside = inside
        self.after = AFTER[inside]
        self.knocked = 0
        self.shows = [CLOSED] * self.ARMS
        self.opener = -1
        self.turn = -1
        self.legal: tuple[int, ...] = ()
        self.over = PLAYED
        self.scored = 0
        self.moves: list[int] = []
        self.seats: list[int] = []

    def copy(self) -> Self:
        """The same position again, free to go another way."""
        twin = object.__new__(type(self))
        twin.racks = self.racks.copy()
        twin.boneyard = self.boneyard
        twin.drawn = self.drawn
        twin.gone = self.gone
        twin.inside = self.inside
        twin.after = self.after
        twin.knocked = self.knocked
        twin.shows = self.shows.copy()
        twin.opener = self.opener
        twin.turn = self.turn
        twin.legal = self.legal
        twin.over = self.over
        twin.scored = self.scored
        twin.moves = self.moves.copy()
        twin.seats = self.seats.copy()
        return twin

    @property
    def ends(self) -> tuple[int, ...]:
        """What the open ends show, in the order left, right, up, down; empty before the opening."""
        return tuple(pips for pips in self.shows if pips != CLOSED)

    @property
    def begun(self) -> bool:
        """Whether a tile lies on the line."""
        return self.shows[0] != CLOSED

    def open_with(self, seat: int, tile: int | None) -> None:
        """Give ``seat`` the opening, with any tile or with ``tile`` alone."""
        self.opener = self.turn = seat
        self.legal = opening_moves(self.racks[seat]) if tile is None else (OPENS[tile],)

    def play(self, move: int) -> None:
        """Play one of ``legal`` for the seat on turn; raises ``ValueError`` for any other move.

        Whoever has nothing to lay draws while there is a boneyard, and stays on turn; else knocks.
        The hand ends with a seat's last tile, or once every seat still in has knocked since the
        last tile; it stops where a play reaches the target.
        """
        if move not in self.legal:
            raise ValueError("not a legal move here")
        seat = self.turn
        racks = self.racks
        self.moves.append(move)
        self.seats.append(seat)
        if move < KNOCK:
            racks[seat] = rack = racks[seat] ^ BIT[move]
            self.knocked = 0
            self.scored = points = self.extend(move)
            if points and self.reaches_target(seat, points):
                self.end(STOPPED)
                return
            if not rack:
                self.end(OUT)
                return
            self.turn = seat = self.after[seat]
        elif move == KNOCK:
            self.scored = 0
            self.knocked = knocked = self.knocked | 1 << seat
            if knocked == self.inside:
                self.end(BLOCKED)
                return
            self.turn = seat = self.after[seat]
        else:
            self.scored = 0
            racks[seat] |= 1 << self.boneyard[self.drawn]
            self.drawn += 1
        self.legal = self.fitting(racks[seat]) or self.stuck()

    def extend(self, move: int) -> int:
        """Put the tile on the line, where its other half becomes the end that it joins.

        Gives the points that the exposed ends score: on a line with two ends always 0.
        """
        end = move >> 3 & 7
        if end < OPEN:
            self.shows[end] = move & 7
        else:
            self.shows[:2] = HEAVY[move >> 6], LIGHT[move >> 6]
        return 0

    def reaches_target(self, seat: int, points: int) -> bool:
        """Count points scored in play for a seat's side; whether that ends the match."""
        return False

    def fitting(self, rack: int) -> tuple[int, ...]:
        """Every way to lay a tile of this rack on the line as it is."""
        left, right = self.shows
        return _LEFT_LAYS[left][rack & CARRIED[left]] + _RIGHT_LAYS[right][rack & CARRIED[right]]

    def stuck(self) -> tuple[int, ...]:
        """What a seat with nothing to lay must do: draw while there is a boneyard, else knock."""
        return ONLY_DRAW if self.drawn < len(self.boneyard) else ONLY_KNOCK

    def end(self, how: str) -> None:
        """The hand is over: nobody is on turn."""
        self.over = how
        self.turn = -1
        self.legal = ()

    def leave(self, seat: int) -> None:
        """A seat is out for good and its tiles are out of play; also after the hand has ended.

        The turn goes on to the next seat, and the hand is blocked if all the others have knocked
        since the last tile. An opening that is still to be made is given away by the match.
        """
        self.say(LEAVE + seat, seat)
        self.inside &= ~(1 << seat)
        self.after = AFTER[self.inside]
        self.knocked &= self.inside
        self.gone |= self.racks[seat]
        self.racks[seat] = 0
        if self.over or not self.begun:
            return
        if self.knocked == self.inside:
            self.end(BLOCKED)
        elif self.turn == seat:
            self.turn = seat = self.after[seat]
            self.legal = self.fitting(self.racks[seat]) or self.stuck()

    def give_up(self, seat: int) -> None:
        """A seat has left a match of two sides, which ends with that."""
        self.say(LEAVE + seat, seat)

    def agree(self) -> None:
        """Both sides have agreed to a draw."""
        self.say(AGREE, -1)

    def say(self, move: int, seat: int) -> None:
        """Write down a word that is said, not played."""
        self.moves.append(move)
        self.seats.append(seat)
        self.scored = 0
