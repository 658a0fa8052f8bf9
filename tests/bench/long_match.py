"""What a move costs as a match grows: ``python -m tests.bench.long_match 31`` prints it by hand.

In one process and without sockets: the command with its transaction, then the four JSON pictures
and the four pages that follow from it. A JSON list of the median processor seconds of each hand.
"""

from __future__ import annotations

import json
import os
import random
import statistics
import sys
import time


def main() -> None:
    """Play, print."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "dominoes.settings")
    import django

    django.setup()
    from tests.bench.filling import _table

    code = str(_table("draw", 0)["code"])
    print(json.dumps([_hand(code) for _hand_number in range(int(sys.argv[1]))]))


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
            showing.html(place, "en", {}, pages[place])
        took.append(time.thread_time() - start)
    return statistics.median(took)


if __name__ == "__main__":
    main()
