"""What a move costs as a match grows: ``python -m tests.bench.long_match 31`` prints it.

In one process and without sockets: the command with its transaction, then the four JSON pictures
and the four pages that follow from it. Prints, as JSON, the median processor seconds of a move in
first hands of matches, and in those up to hand 31 of one: hand by hand in turns, so that a machine
that slows down slows both.
"""

from __future__ import annotations

import json
import os
import random
import statistics
import sys
import time

TURNS = 9  # hands of each sort that are measured


def main() -> None:
    """Play, print."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "dominoes.settings")
    import django

    django.setup()
    from tests.bench.filling import _table

    long, *short = (str(_table("draw", number)["code"]) for number in range(TURNS + 1))
    for _hand_number in range(int(sys.argv[1]) - TURNS):
        _hand(long)
    pairs = [(_hand(first), _hand(long)) for first in short]
    print(json.dumps([statistics.median(one) for one in zip(*pairs, strict=True)]))


def _hand(code: str) -> float:
    from dominoes.table import course, play, store
    from dominoes.table.live import Live
    from dominoes.table.showing import Page, Showing

    def deal(draft: Live, now: float) -> None:
        course.deal(draft, now)

    live = store.fresh(code)
    assert live.game is not None
    if live.game.phase == "deal":
        store.call(store.change, code, deal)
        live = store.fresh(code)
    chance = random.Random(live.game.hand_number if live.game else 0)
    pages = [Page() for _seat in range(4)]
    took = []
    while live.game is not None and live.game.phase == "play":
        seat = live.game.turn
        assert seat is not None
        word = chance.choice(live.game.legal_words())
        holder = live.seats[seat]
        assert holder is not None
        start = time.thread_time()
        store.call(play.move, code, holder.player_id, word, live.seq, str(live.seq))
        live = store.peek(code) or live
        showing = Showing(live)
        for place in range(4):
            showing.json(place)
            showing.html(place, "en", pages[place])
        took.append(time.thread_time() - start)
    return statistics.median(took)


if __name__ == "__main__":
    main()
