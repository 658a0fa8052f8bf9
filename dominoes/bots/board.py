"""A seat's view as a bot thinks of it: tiles as sets of numbers, and the line after a move."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Self

from dominoes.rules.prospect import Prospect, prospects
from dominoes.rules.view import SeatView, View

Tile = frozenset[int]


@dataclass(frozen=True, slots=True)
class Lay:
    """A legal word, taken apart. Words without a tile (draw, knock) weigh nothing."""

    word: str
    halves: tuple[int, ...]
    end: str

    @classmethod
    @lru_cache(maxsize=512)
    def of(cls, word: str) -> Self:
        """The parts of a word such as `6-4 left`."""
        tile, _space, end = word.partition(" ")
        halves = (int(tile[0]), int(tile[2])) if tile[1:2] == "-" else ()
        return cls(word, halves, end)

    @property
    def weight(self) -> int:
        """Pips that leave the rack."""
        return sum(self.halves)

    @property
    def double(self) -> bool:
        return len(set(self.halves)) == 1


@dataclass(frozen=True, slots=True)
class After:
    """What the table and the own rack would be after a move."""

    rack: tuple[Tile, ...]
    values: frozenset[int]
    scored: int


@dataclass(frozen=True, slots=True)
class Board:
    """What the bot weighs its moves on."""

    seat: int
    side: int
    rack: tuple[Tile, ...]
    others: tuple[SeatView, ...]
    next_seat: int
    unseen: tuple[int, ...]
    prospects: Mapping[str, Prospect]

    @classmethod
    def of(cls, view: View) -> Self:
        """From the view of a seat that plays."""
        seat = view.viewer
        assert seat is not None and view.rack is not None
        inside = [s for s in view.seats if not s.left]
        others = tuple(s for s in inside if s.seat != seat)
        after = sorted(others, key=lambda s: (s.seat - seat) % len(view.seats))
        return cls(
            seat=seat,
            side=view.seats[seat].side,
            rack=tuple(frozenset(map(int, name.split("-"))) for name in view.rack),
            others=others,
            next_seat=after[0].seat if after else seat,
            unseen=view.unseen or (0,) * 7,
            prospects=prospects(view),
        )

    def after(self, lay: Lay) -> After:
        """The position after a move of one's own."""
        rack = list(self.rack)
        rack.remove(frozenset(lay.halves))
        prospect = self.prospects[lay.word]
        return After(tuple(rack), prospect.values, prospect.scored)
