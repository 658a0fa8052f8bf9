"""A hand written like a score sheet: short racks, and each line says the seat and its word.

    hand = sheet("partners", "6-6 6-5", "6-4 1-0", "3-3 2-1", "5-5 0-0", lot="6-5 5-5 1-0 0-0")
    hand.say("0 6-6", "1 6-4 left", …)

Racks may be of any size here; everything else is the match as tables play it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Self

import pytest

from dominoes.rules.errors import RulesError
from dominoes.rules.match import Match
from dominoes.rules.options import Options
from dominoes.rules.tiles import parse_tile


def tiles(text: str) -> list[int]:
    """Tiles written one after the other."""
    return [parse_tile(name) for name in text.split()]


class ShortMatch(Match):
    """A match that takes racks and a boneyard of any size."""

    sizes: tuple[int, ...] = ()
    drawn: int = 0

    @property
    def rack_sizes(self) -> tuple[int, ...]:
        return self.sizes

    @property
    def boneyard_size(self) -> int:
        return self.drawn


class Sheet:
    """A match whose racks may be as short as a test wants them."""

    def __init__(self, rules: str, **options: Any) -> None:
        self.match = ShortMatch(Options.of(rules, **options))

    def deal(self, *racks: str | None, boneyard: str = "", lot: str | None = None) -> Self:
        """Deal short racks (None: the seat has left)."""
        held = [None if rack is None else tiles(rack) for rack in racks]
        drawn = tiles(boneyard)
        self.match.sizes = tuple(0 if rack is None else len(rack) for rack in held)
        self.match.drawn = len(drawn)
        self.match.deal(held, drawn, None if lot is None else tiles(lot))
        return self

    def say(self, *lines: str) -> Self:
        """Play lines such as ``2 6-4 left``, ``0 knock``, ``leave 3``, ``agree``."""
        for line in lines:
            if line == "agree":
                self.match.agree()
            elif line.startswith("leave "):
                self.match.leave(int(line[6:]))
            else:
                seat, _space, word = line.partition(" ")
                assert self.match.turn == int(seat), f"{line}: seat {self.match.turn} is on turn"
                self.match.play(int(seat), word)
        return self

    def refuses(self, line: str, code: str) -> RulesError:
        """A line that is refused, for the reason with that code, and changes nothing."""
        before = state(self.match)
        with pytest.raises(RulesError) as refused:
            self.say(line)
        assert refused.value.code == code, refused.value
        assert state(self.match) == before
        return refused.value

    def may(self, *words: str) -> None:
        """Exactly these words are legal now, in any order."""
        assert self.match.legal_words() == sorted(words)

    @property
    def scored(self) -> int:
        """The points in play of the last ply."""
        assert self.match.hand is not None
        return self.match.hand.scored

    def over(self, how: str, winner: int | None, points: int) -> None:
        """The hand has ended like this."""
        result = self.match.hand_result
        assert result is not None
        assert (result.how, result.winner, result.points) == (how, winner, points)


def sheet(
    rules: str,
    *racks: str,
    boneyard: str = "",
    lot: str | None = None,
    **options: Any,
) -> Sheet:
    """A match with its first hand dealt."""
    options.setdefault("players", len(racks))
    return Sheet(rules, **options).deal(*racks, boneyard=boneyard, lot=lot)


def state(match: Match) -> Sequence[object]:
    """Everything of a match that a refusal must leave alone."""
    hand = match.hand
    inner: tuple[object, ...] = ()
    if hand is not None:
        inner = tuple(
            repr(getattr(hand, name))
            for kind in type(hand).__mro__
            for name in getattr(kind, "__slots__", ())
        )
    return (
        match.phase,
        match.turn,
        match.ply,
        tuple(match.scores),
        match.left,
        match.hand_number,
        match.opener,
        match.hand_result,
        match.result,
        match.base(),
        match.logs(),
        inner,
    )
