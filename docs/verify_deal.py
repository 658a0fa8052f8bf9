#!/usr/bin/env python3
"""Check the deals of a finished domino match from its record alone.

    python3 verify_deal.py RECORD.json

Needs Python 3.8 or later, no other package and no network, and shares no code with the site.
It prints a line for each hand, and ends with status 0 if every tile lies where the match was
committed to put it, with status 2 if one does not (it says which) or the file is no such record.

How it works. Before the seats gave their seeds, the site had shown a commitment: the SHA-256 of
the SHA-256 of … of a random number, a thousand times over. Hand k was shuffled with the k-th value
of that chain and the seeds of all the seats, and the value was shown when the hand was over. So:

1. the value of hand 1 must hash to the commitment, the value of hand 2 to that of hand 1, and so
   on: the values were fixed before anybody had given a seed;
2. shuffling again with value and seeds must give the lot where one is due, every rack, and the
   boneyard where there is one, tile by tile.

That shows that neither the site nor a player chose the tiles. What it cannot show: a site in
league with the player who gave a seed last could still have tried several seeds.
"""

# ruff: noqa: T201, B905 - it prints, and runs on older Pythons than the site does
import hashlib
import hmac
import json
import sys

DECK = [f"{high}-{low}" for high in range(7) for low in range(high + 1)]


# A wrong tile in the first hand may also come of a wrong seed: every deal then looks wrong.
SEED_DOUBT = "; perhaps a seed was changed"


class Fault(Exception):
    """What is wrong, in a sentence."""


def stream(key, label):
    """The 32-bit numbers that the shuffle is made with."""
    block = 0
    while True:
        digest = hmac.new(key, f"{label}:{block}".encode(), hashlib.sha256).digest()
        for start in range(0, 32, 4):
            yield int.from_bytes(digest[start : start + 4], "big")
        block += 1


def shuffle(key, label):
    """The deck as dealt: each place from the last swapped with a place up to it."""
    deck = list(DECK)
    words = stream(key, label)
    for last in range(len(deck) - 1, 0, -1):
        count = last + 1
        word = next(words)
        while word >= 2**32 - 2**32 % count:  # it would favour the first places
            word = next(words)
        pick = word % count
        deck[last], deck[pick] = deck[pick], deck[last]
    return deck


def compare(where, given, due, doubt=""):
    """Name the first tile that differs."""
    if not isinstance(given, list) or len(given) != len(due):
        raise Fault(f"{where} should have {len(due)} tiles")
    for place, (tile, right) in enumerate(zip(given, due), start=1):
        if tile != right:
            raise Fault(f"tile {place} of {where} is {tile!a}, but {right} was committed to{doubt}")


def read_hex(text, digits, what):
    """Hex digits in lower case, exactly so many or (``digits`` negative) at most so many."""
    allowed = isinstance(text, str) and all(c in "0123456789abcdefABCDEF" for c in text)
    if not allowed or len(text) > abs(digits) or (digits > 0 and len(text) != digits):
        raise Fault(f"{what} is not written in hex digits as it should be")
    return text.lower()


def chained(before, values):
    """Whether each value hashes to the one before it, the first to the commitment."""
    for value in values:
        if hashlib.sha256(value).digest() != before:
            return False
        before = value
    return True


class Table:
    """What the rules say of a deal: sizes, whether there is a boneyard, whether a lot is due."""

    def __init__(self, rules, options):
        if rules not in ("partners", "draw", "classic", "fives"):
            raise Fault(f"there are no rules by the name {rules!a}")
        self.players = options["players"]
        if self.players not in (2, 3, 4):
            raise Fault("the record is not of two, three or four seats")
        self.size = 5 if rules == "draw" and self.players > 2 else 7
        # Elsewhere the undealt tiles stay out of play.
        self.draws = rules in ("draw", "fives") or (rules == "classic" and self.players == 2)
        self.lot_due = (rules == "fives" and options.get("opens") is None) or (
            rules == "partners" and not options.get("double_six_opens")
        )
        self.left = set()


def check_hand(hand, number, table, commit, seeds, value, doubt):
    """One hand, tile by tile."""
    if number == 1 and table.lot_due:
        lot = shuffle(value, f"{commit}:lot:{','.join(seeds)}")
        compare("the lot", hand.get("lot"), lot[: len(seeds)], doubt)
    elif "lot" in hand:
        raise Fault("no lot is drawn for this hand")
    deck = shuffle(value, f"{commit}:{number}:{','.join(seeds)}")
    if len(hand["racks"]) != len(seeds):
        raise Fault(f"there should be {len(seeds)} racks")
    place = 0
    for seat, rack in enumerate(hand["racks"]):
        if seat not in table.left:
            compare(f"the rack of seat {seat}", rack, deck[place : place + table.size], doubt)
            place += table.size
        elif rack is not None:
            raise Fault(f"seat {seat} has left and is dealt to")
    compare("the boneyard", hand.get("boneyard"), deck[place:] if table.draws else [], doubt)
    table.left |= {seat for seat in range(len(seeds)) if f"leave {seat}" in hand["moves"]}


def check(record):
    """All hands of a record; yields a line for each that is right."""
    fair = record["fair"]
    commit = read_hex(fair["commit"], 64, "the commitment")
    seeds = [read_hex(seed, -64, f"the seed of seat {n}") for n, seed in enumerate(fair["seeds"])]
    table = Table(record["rules"], record["options"])
    if len(seeds) != table.players:
        raise Fault("there is not one seed for each seat")
    hands = record["hands"]
    values = [
        bytes.fromhex(read_hex(text, 64, f"the value of hand {number}"))
        for number, text in enumerate(fair["hands"], start=1)
    ]
    if len(hands) != len(values):
        raise Fault(f"{len(hands)} hands were dealt, but there are values for {len(values)}")
    before = bytes.fromhex(commit)
    doubt = SEED_DOUBT if chained(before, values) else ""
    for number, (hand, value) in enumerate(zip(hands, values), start=1):
        try:
            if not chained(before, [value]):
                raise Fault("its value does not hash to the one before it")
            check_hand(hand, number, table, commit, seeds, value, doubt if number == 1 else "")
        except Fault as fault:
            raise Fault(f"hand {number}: {fault}") from None
        before = value
        yield f"hand {number}: dealt as committed"


def main(arguments):
    """Check the file named; gives the exit status."""
    if len(arguments) != 1:
        print("usage: verify_deal.py RECORD.json", file=sys.stderr)
        return 2
    try:
        with open(arguments[0], "rb") as file:
            record = json.loads(file.read().decode("utf-8-sig"))
        count = 0
        for line in check(record):
            print(line)
            count += 1
    except Fault as fault:
        print(fault, file=sys.stderr)
    except OSError as error:
        print(f"{arguments[0]} cannot be read: {error.strerror}", file=sys.stderr)
    except (ValueError, RecursionError) as error:
        print(f"{arguments[0]} is not JSON: {error}", file=sys.stderr)
    except (KeyError, TypeError, AttributeError, IndexError):
        print(f"{arguments[0]} is no match record with a proof of its deals", file=sys.stderr)
    else:
        print(f"All deals are as committed ({count}).")
        return 0
    return 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
