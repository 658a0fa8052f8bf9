"""Random legal hands on the engine that the tables run on, for as long as one asks.

Run as a process of its own by the bench ``rules``: ``python -m dominoes.bench._hands KIND SECONDS``
prints how many hands (or positions) it did, how many plies they had, and in how many seconds of
processor time, which a machine that is busy with other things does not blur.
"""

import json
import random
import sys
from collections.abc import Callable
from time import process_time

from dominoes.rules.hand import Hand
from dominoes.rules.match import Match
from dominoes.rules.options import Options
from dominoes.rules.perft import perft
from dominoes.rules.systems import SYSTEMS
from dominoes.rules.tiles import TILES, tiles_in

#: Tiles as bits: a rack is then the sum of its tiles.
_SET = [1 << tile for tile in range(TILES)]

#: What can be measured: rules and sides, all with four seats.
KINDS = {
    "partners": ("partners", "partners"),
    "draw": ("draw", "singles"),
    "fives": ("fives", "partners"),
}


def hand_player(rules: str, sides: str) -> Callable[[], int]:
    """A function that deals a hand, plays it at random to its end, settles it; gives its plies.

    The full list of legal moves is made at every ply, and each move is checked against it.
    """
    system = SYSTEMS[rules]
    options = Options.of(rules, 4, sides)
    size = system.rack_size(4)
    draws = system.draws(4)
    pick = random.random

    def play() -> int:
        deck = deal()
        racks = [sum(deck[first : first + size]) for first in range(0, 4 * size, size)]
        rest = deck[4 * size :] if draws else []
        boneyard = tuple(tile.bit_length() - 1 for tile in rest)
        hand = system.new_hand(options, racks, boneyard, [options.target] * options.side_count)
        opener, tile = 0, system.must_open(options, True, racks)
        if tile is not None:
            opener = next(seat for seat, rack in enumerate(racks) if rack >> tile & 1)
        hand.open_with(opener, tile)
        while not hand.over:
            legal = hand.legal
            hand.play(legal[int(pick() * len(legal))])
        system.settle(hand, options)
        return len(hand.moves)

    return play


def deal() -> list[int]:
    """The set in random order, as bits."""
    return sorted(_SET, key=lambda _tile: random.random())  # noqa: S311 - nothing rests on it


def match_player() -> Callable[[], int]:
    """A function that plays a whole hand of Partners as a table does: by seat and by word."""
    options = Options.of("partners", target=10**6)
    match = Match(options)

    def play() -> int:
        deck = [tile.bit_length() - 1 for tile in deal()]
        racks = [deck[first : first + 7] for first in range(0, TILES, 7)]
        match.deal(racks, [], deck[:4] if match.lot_due else None)
        while match.phase == "play":
            words = match.legal_words()
            match.play(match.turn or 0, words[int(random.random() * len(words))])  # noqa: S311
        return match.ply

    return play


def counter() -> Callable[[], int]:
    """A function that counts all the sequences of six plies from a position of All Fives."""
    options = Options.of("fives", 4, "partners")
    deck = sorted(_SET, key=lambda tile: (tile * 7919) % 1009)
    racks = [sum(deck[first : first + 7]) for first in range(0, TILES, 7)]
    hand: Hand = SYSTEMS["fives"].new_hand(options, racks, (), [250, 250])
    hand.open_with(0, next(tiles_in(racks[0])))
    return lambda: sum(perft(hand, 6))


def measure(play: Callable[[], int], seconds: float) -> dict[str, float]:
    """Call it for about so many seconds; how often, with how many plies, and how long exactly."""
    rounds = plies = 0
    start = process_time()
    while (now := process_time()) - start < seconds:
        for _round in range(20):
            plies += play()
        rounds += 20
    return {"hands": rounds, "plies": plies, "seconds": now - start}


def main(kind: str, seconds: str) -> None:
    """Measure one kind and print the figures as JSON."""
    if kind == "perft":
        play = counter()
    elif kind == "match":
        play = match_player()
    else:
        play = hand_player(*KINDS[kind])
    play()
    sys.stdout.write(json.dumps(measure(play, float(seconds))))


if __name__ == "__main__":
    main(*sys.argv[1:])
