"""Checking the deals of a match record against its commitment, seeds and values."""

import re
from collections.abc import Iterator, Mapping
from hashlib import sha256
from typing import Any

from dominoes.rules.deal import HANDS, deal_hand, draw_lot
from dominoes.rules.errors import BadRecord
from dominoes.rules.match import Match
from dominoes.rules.record import read_options, replay
from dominoes.rules.tiles import NAMES

_VALUE = re.compile(r"[0-9a-f]{64}\Z")
_SEED = re.compile(r"[0-9a-f]{0,64}\Z")
#: A wrong tile in the first hand may also come of a wrong seed: every deal then looks wrong.
_SEED_DOUBT = "; perhaps a seed was changed"


def check_deals(record: object) -> Iterator[str]:
    """A line for each hand whose deal is the one that was committed to.

    Raises ``BadRecord`` with the hand where it is not, for a record without a proof, and for one
    that is no legal match.
    """
    options = read_options(record)
    if not isinstance(record, Mapping):
        return
    commit, seeds, values = _read_proof(record.get("fair"), options.players)
    hands = record["hands"]
    before = bytes.fromhex(commit)
    sizes = Match(options).rack_sizes
    chained = _chained(commit, values)
    for number, hand in enumerate(hands, start=1):
        if not isinstance(hand, Mapping) or not isinstance(hand.get("racks"), list):
            raise BadRecord("the racks are missing", number)
        if number > HANDS:
            raise BadRecord(f"a match has at most {HANDS} hands", number)
        if number > len(values):
            raise BadRecord("the value that this hand was shuffled with is missing", number)
        value = bytes.fromhex(values[number - 1])
        if sha256(value).digest() != before:
            which = "the commitment" if number == 1 else f"the value of hand {number - 1}"
            raise BadRecord(f"the value of this hand does not hash to {which}", number)
        before = value
        doubt = _SEED_DOUBT if number == 1 and chained else ""
        if "lot" in hand:
            due = draw_lot(commit, seeds, value)
            _compare(number, "the lot", hand["lot"], due, doubt)
        racks = hand["racks"]
        present = [
            size if seat < len(racks) and racks[seat] is not None else 0
            for seat, size in enumerate(sizes)
        ]
        dealt, rest = deal_hand(commit, seeds, number, value, present, 28)
        for seat, rack in enumerate(dealt):
            if rack is not None:
                _compare(number, f"the rack of seat {seat}", racks[seat], rack, doubt)
        # Where undealt tiles stay out of play the record gives no boneyard.
        if hand.get("boneyard"):
            _compare(number, "the boneyard", hand["boneyard"], rest, doubt)
        yield f"hand {number}: dealt as committed"
    if len(values) > len(hands):
        raise BadRecord(f"there are values for {len(values)} hands, but {len(hands)} were dealt")
    for _line in replay(record):
        pass


def _read_proof(fair: object, players: int) -> tuple[str, list[str], list[str]]:
    """Commitment, seeds by seat and values by hand, in lower case."""
    if not isinstance(fair, Mapping):
        raise BadRecord("the record carries no proof of its deals (its key fair is missing)")
    commit = _hex(fair.get("commit"), _VALUE, "the commitment")
    seeds = fair.get("seeds")
    if not isinstance(seeds, list) or len(seeds) != players:
        raise BadRecord(f"the proof does not give the seeds of {players} seats")
    values = fair.get("hands")
    if not isinstance(values, list):
        raise BadRecord("the proof does not give the values of the hands")
    return (
        commit,
        [_hex(seed, _SEED, f"the seed of seat {seat}") for seat, seed in enumerate(seeds)],
        [_hex(value, _VALUE, f"the value of hand {k}") for k, value in enumerate(values, start=1)],
    )


def _hex(text: Any, shape: re.Pattern[str], what: str) -> str:
    if not isinstance(text, str) or not shape.match(text.lower()):
        digits = 64 if shape is _VALUE else "up to 64"
        raise BadRecord(f"{what} is not written as {digits} hex digits")
    return text.lower()


def _chained(commit: str, values: list[str]) -> bool:
    """Whether each value hashes to the one before it, the first to the commitment."""
    before = [commit, *values]
    return all(
        sha256(bytes.fromhex(value)).hexdigest() == before[at] for at, value in enumerate(values)
    )


def _compare(number: int, where: str, given: object, due: list[int], doubt: str) -> None:
    """Name the first tile that is not the one that was committed to; ``doubt`` is said after it."""
    if not isinstance(given, list) or len(given) != len(due):
        raise BadRecord(f"{where} should have {len(due)} tiles", number)
    for place, (name, tile) in enumerate(zip(given, due, strict=True), start=1):
        if name != NAMES[tile]:
            shown = ascii(name)[:20].strip("'\"")
            raise BadRecord(
                f"tile {place} of {where} is {shown}, but {NAMES[tile]} was committed to{doubt}",
                number,
            )
