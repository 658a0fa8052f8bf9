"""Whole matches at random, with people leaving and agreeing, for tests that hold everywhere."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

from dominoes.rules.match import Match
from dominoes.rules.options import Options

#: Every table that the rules offer: rules, seats, sides, and the further choices of a system.
TABLES: tuple[tuple[str, int, str, dict[str, Any]], ...] = (
    ("partners", 4, "partners", {}),
    ("partners", 4, "partners", {"double_six_opens": True}),
    ("draw", 2, "singles", {}),
    ("draw", 3, "singles", {}),
    ("draw", 4, "singles", {}),
    ("classic", 2, "singles", {}),
    ("classic", 4, "singles", {}),
    ("classic", 4, "partners", {}),
    ("fives", 2, "singles", {}),
    ("fives", 3, "singles", {}),
    ("fives", 4, "singles", {}),
    ("fives", 4, "partners", {}),
    ("fives", 2, "singles", {"opens": 1}),
    ("fives", 4, "partners", {"opens": 2}),
)


def deal(match: Match, chance: random.Random) -> None:
    """Deal the next hand at random."""
    deck = list(range(28))
    chance.shuffle(deck)
    lot = deck[: match.options.players] if match.lot_due else None
    chance.shuffle(deck)
    racks: list[list[int] | None] = []
    for size in match.rack_sizes:
        racks.append(deck[:size] if size else None)
        del deck[:size]
    match.deal(racks, deck[: match.boneyard_size], lot)


def leave(match: Match, chance: random.Random) -> None:
    """Some seat still in leaves."""
    match.leave(chance.choice([s for s in range(match.options.players) if s not in match.left]))


def games(
    seed: int, table: tuple[str, int, str, dict[str, Any]], *, restless: float = 0.0, hands: int = 4
) -> Iterator[Match]:
    """One match, given after every deal and every word (always the same object).

    ``restless`` is how likely somebody leaves, or the sides agree, at each ply.
    """
    chance = random.Random(seed)
    rules, players, sides, choices = table
    target = chance.choice([1, 25, 60, 150, 1000])
    match = Match(Options.of(rules, players, sides, target, **choices))
    while match.phase != "over" and match.hand_number < hands:
        deal(match, chance)
        yield match
        while match.phase == "play":
            if chance.random() < restless:
                if match.options.two_sided and chance.random() < 0.5:
                    match.agree()
                else:
                    leave(match, chance)
            else:
                match.play(match.turn or 0, chance.choice(match.legal_words()))
            yield match
        if match.phase == "deal" and chance.random() < restless * 4:
            leave(match, chance)
            yield match
