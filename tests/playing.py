"""Small helpers for tests that play: deals by chance, moves by chance."""

import random

from dominoes.rules.match import Match
from dominoes.rules.tiles import TILES


def deal_next(match: Match, chance: random.Random) -> None:
    """Deal the next hand of a match from a washed set."""
    deck = list(range(TILES))
    chance.shuffle(deck)
    racks: list[list[int] | None] = []
    for size in match.rack_sizes:
        racks.append(deck[:size] if size else None)
        del deck[:size]
    lot = None
    if match.lot_due:
        lot = chance.sample(range(TILES), match.options.players)
    match.deal(racks, deck[: match.boneyard_size], lot)


def play_on(match: Match, chance: random.Random) -> Match:
    """Play a match to its end by chance."""
    while match.phase != "over":
        if match.phase == "deal":
            deal_next(match, chance)
        assert match.turn is not None
        match.play(match.turn, chance.choice(match.legal_words()))
    return match
