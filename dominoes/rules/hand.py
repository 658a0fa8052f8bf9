"""One hand on a line with two ends: whose turn, what is legal, playing it, how it ended.

This is the core that every table runs on and every position is counted with, so it is kept small
and quick: racks are bits, moves are whole numbers (see ``moves.py``), and the list of legal moves
is ready after every ply. It knows no scores beyond the hand and no systems; ``match.py`` asks the
system for what differs.
"""

from typing import Self

from dominoes.rules.moves import (
    AFTER,
    AGREE,
    BIT,
    DRAW,
    KNOCK,
    LAYS,
    LEAVE,
    ONLY_DRAW,
    ONLY_KNOCK,
    OPEN,
    OPENS,
    RIGHT,
    opening_moves,
)
from dominoes.rules.tiles import CARRIES, HEAVY, LIGHT

_LEFT_LAYS, _RIGHT_LAYS = LAYS[0], LAYS[1]
_AT_RIGHT = RIGHT << 3

#: How a hand stands: still played; ended by the last tile, or by knocks; stopped because the match
#: ended inside it (by the target reached in play, a forfeit, an agreement).
PLAYED, OUT, BLOCKED, STOPPED = "", "out", "blocked", "stopped"


class Hand:
    """One hand from the deal to its end.

    ``racks`` are bits by seat, ``inside`` the seats still in (as bits), ``knocked`` the seats that
    have knocked since the last tile was laid, ``gone`` the tiles that went out of play with seats
    that left. ``drawn`` tiles of ``boneyard`` have been taken. ``turn`` is −1 once ``over`` says
    how the hand ended. ``moves`` and ``seats`` stand side by side: what was done, and by whom.
    """

    __slots__ = (
        "after",
        "boneyard",
        "drawn",
        "ends",
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
        "turn",
    )

    def __init__(self, racks: list[int], boneyard: tuple[int, ...], inside: int) -> None:
        self.racks = racks
        self.boneyard = boneyard
        self.drawn = 0
        self.gone = 0
        self.inside = inside
        self.after = AFTER[inside]
        self.knocked = 0
        self.ends: tuple[int, ...] = ()
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
        self._copy_into(twin)
        return twin

    def _copy_into(self, twin: Self) -> None:
        twin.racks = self.racks.copy()
        twin.boneyard = self.boneyard
        twin.drawn = self.drawn
        twin.gone = self.gone
        twin.inside = self.inside
        twin.after = self.after
        twin.knocked = self.knocked
        twin.ends = self.ends
        twin.opener = self.opener
        twin.turn = self.turn
        twin.legal = self.legal
        twin.over = self.over
        twin.scored = self.scored
        twin.moves = self.moves.copy()
        twin.seats = self.seats.copy()

    def open_with(self, seat: int, tile: int | None) -> None:
        """Give ``seat`` the opening, with any tile or with ``tile`` alone."""
        self.opener = self.turn = seat
        self.legal = opening_moves(self.racks[seat]) if tile is None else (OPENS[tile],)

    def play(self, move: int) -> None:
        """Play one of ``legal`` for the seat on turn; raises ``ValueError`` for any other move."""
        if move not in self.legal:
            raise ValueError("not a legal move here")
        seat = self.turn
        racks = self.racks
        self.moves.append(move)
        self.seats.append(seat)
        if move < KNOCK:
            rack = racks[seat] ^ BIT[move]
            racks[seat] = rack
            end = move & 56
            if not end:
                right = self.ends[1]
                left = move & 7
            elif end == _AT_RIGHT:
                left = self.ends[0]
                right = move & 7
            else:
                left = HEAVY[move >> 6]
                right = LIGHT[move >> 6]
            self.ends = left, right
            self.knocked = 0
            if not rack:
                self.end(OUT)
                return
            seat = self.after[seat]
            self.turn = seat
        elif move == KNOCK:
            knocked = self.knocked | 1 << seat
            self.knocked = knocked
            if knocked == self.inside:
                self.end(BLOCKED)
                return
            left, right = self.ends
            seat = self.after[seat]
            self.turn = seat
        else:
            racks[seat] |= 1 << self.boneyard[self.drawn]
            self.drawn += 1
            left, right = self.ends
        rack = racks[seat]
        self.legal = (
            _LEFT_LAYS[left][rack & CARRIES[left]] + _RIGHT_LAYS[right][rack & CARRIES[right]]
            or self.stuck()
        )

    def empty_line(self) -> "Hand":
        """A hand of this kind without any tile, on which a line can be laid again."""
        return Hand([0], (), 1)

    def extend(self, move: int) -> int:
        """Put a tile on the line and do nothing else; gives the points that it would count."""
        if move >> 3 & 7 == OPEN:
            self.ends = HEAVY[move >> 6], LIGHT[move >> 6]
        else:
            ends = list(self.ends)
            ends[move >> 3 & 7] = move & 7
            self.ends = tuple(ends)
        return 0

    def stuck(self) -> tuple[int, ...]:
        """What a seat with nothing to lay must do: draw while there is a boneyard, else knock."""
        return ONLY_DRAW if self.drawn < len(self.boneyard) else ONLY_KNOCK

    def end(self, how: str) -> None:
        """The hand is over: nobody is on turn."""
        self.over = how
        self.turn = -1
        self.legal = ()

    def list_moves(self) -> tuple[int, ...]:
        """What the seat on turn may do on a line that has begun."""
        rack = self.racks[self.turn]
        laying: tuple[int, ...] = ()
        for end, pips in enumerate(self.ends):
            laying += LAYS[end][pips][rack & CARRIES[pips]]
        return laying or self.stuck()

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
        if self.over or not self.ends:
            return
        if self.knocked == self.inside:
            self.end(BLOCKED)
        elif self.turn == seat:
            self.turn = self.after[seat]
            self.legal = self.list_moves()

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
