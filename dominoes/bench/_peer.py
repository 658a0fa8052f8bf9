"""The same random hands on the package ``dominoes`` from PyPI, to compare with.

It carries our own package's name, so it is never imported beside it: this file is run by its path
in a process of its own, with the folder that the package was installed to as its first argument.
"""

import json
import random
import sys
from time import process_time


def main(folder: str, seconds: str) -> None:
    """Play random hands for about so many seconds and print the figures as JSON."""
    sys.path.insert(0, folder)
    from dominoes import Game  # type: ignore[attr-defined]

    pick = random.random
    hands = plies = 0
    start = process_time()
    while (now := process_time()) - start < float(seconds):
        for _round in range(20):
            game = Game.new()
            while game.result is None:
                legal = game.valid_moves
                game.make_move(*legal[int(pick() * len(legal))])
            plies += len(game.moves)
        hands += 20
    sys.stdout.write(json.dumps({"hands": hands, "plies": plies, "seconds": now - start}))


if __name__ == "__main__":
    main(*sys.argv[1:])
