"""Matches with fair deals and their proof, and each of them with one thing changed."""

from __future__ import annotations

import copy
import json
from typing import Any

from dominoes.rules.deal import Chain, deal_hand, draw_lot
from dominoes.rules.match import Match
from dominoes.rules.options import Options
from dominoes.rules.record import write

SECRET = bytes(range(32))
SEEDS = ("ab" * 32, "", "0123", "f")


def fair_record(
    rules: str, players: int, sides: str, *, leaver: int | None = None, opens: int | None = None
) -> Any:
    """A whole match with fair deals and its proof."""
    match = Match(Options.of(rules, players, sides, 60, opens=opens))
    chain, seeds = Chain(SECRET), SEEDS[:players]
    while match.phase == "deal":
        hand = match.hand_number + 1
        value = chain.value(hand)
        racks, boneyard = deal_hand(
            chain.commit, seeds, hand, value, match.rack_sizes, match.boneyard_size
        )
        lot = draw_lot(chain.commit, seeds, value) if match.lot_due else None
        match.deal(racks, boneyard, lot)
        if leaver is not None and hand == 1:
            match.leave(leaver)
        while match.phase == "play":
            match.play(match.turn or 0, match.timeout_word())
    record = write(match)
    record["fair"] = {
        "match": "m1",
        "commit": chain.commit,
        "seeds": list(seeds),
        "hands": [chain.value(k).hex() for k in range(1, match.hand_number + 1)],
    }
    return json.loads(json.dumps(record))


RECORDS = {
    "partners": fair_record("partners", 4, "partners"),
    "draw, one left": fair_record("draw", 3, "singles", leaver=1),
    "classic, one left": fair_record("classic", 4, "singles", leaver=2),
    "fives": fair_record("fives", 2, "singles"),
}


def changes(record: Any) -> dict[str, tuple[int | None, Any]]:
    """Records with one thing changed, by what it is, and the hand where it must be found.

    None: it belongs to no hand.
    """
    found: dict[str, tuple[int | None, Any]] = {}

    def change(name: str, hand: int | None) -> Any:
        found[name] = (hand, copy.deepcopy(record))
        return found[name][1]

    def racks(changed: Any, hand: int) -> list[list[str]]:
        return [rack for rack in changed["hands"][hand - 1]["racks"] if rack is not None]

    first, second, *_rest = racks(change("a tile against another", 2), 2)
    first[0], second[0] = second[0], first[0]
    first, *_rest = racks(change("an order", 1), 1)
    first[0], first[1] = first[1], first[0]
    first, second, *_rest = racks(change("a tile moved to the next rack", 2), 2)
    second.insert(0, first.pop())
    change("the last rack taken out", 2)["hands"][1]["racks"].pop()
    change("a rack that isn't there", 1)["hands"][0]["racks"][-1] = None

    change("a seed", 1)["fair"]["seeds"][0] = "cd"
    change("a value", 2)["fair"]["hands"][1] = "0" * 64
    change("the commitment", 1)["fair"]["commit"] = "1" * 64
    values = change("two values", 1)["fair"]["hands"]
    values[0], values[1] = values[1], values[0]
    change("a value too few", len(record["hands"]))["fair"]["hands"].pop()
    change("the last hand taken out", None)["hands"].pop()

    hands = change("a lot too many", 2)["hands"]
    hands[1]["lot"] = [tile for rack in hands[0]["racks"] for tile in (rack or ["0-0"])[:1]]
    if "lot" in record["hands"][0]:
        lot = change("the lot", 1)["hands"][0]["lot"]
        lot[0], lot[1] = lot[1], lot[0]
        del change("a lot taken out", 1)["hands"][0]["lot"]
    if record["hands"][0]["boneyard"]:
        yard = change("the boneyard", 1)["hands"][0]["boneyard"]
        yard[0], yard[-1] = yard[-1], yard[0]
        change("the last of the boneyard taken out", 1)["hands"][0]["boneyard"].pop()
        change("an empty boneyard", 1)["hands"][0]["boneyard"] = []
        del change("a boneyard taken out", 1)["hands"][0]["boneyard"]
    else:
        change("a boneyard where there is none", 1)["hands"][0]["boneyard"] = ["6-6"]
    return found
