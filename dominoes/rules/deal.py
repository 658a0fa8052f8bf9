"""Fair deals, ``dominoes-deal/1``: nobody chose the tiles, and anyone can check that afterwards.

A match has a chain of 32-byte values, each the SHA-256 of the one after it. The first, the
commitment, is shown before the seats give their seeds; hand ``k`` is shuffled with value ``k`` and
all the seeds, and the value is shown once the hand is over.
"""

import hmac
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from hashlib import sha256
from struct import Struct

from dominoes.rules.errors import BadDeal, _
from dominoes.rules.tiles import TILES

#: Hands that a match can have; after the last one it ends as abandoned.
HANDS = 1000
#: Every fiftieth value is remembered, so that the next hand's is a few hashes from it.
_RUNG = 50
#: A digest as eight big-endian numbers of 32 bits.
_EIGHT = Struct(">8I").unpack
#: From which word on a pick of ``last + 1`` would favour the low places, so that it is skipped.
_LIMITS = tuple(2**32 - 2**32 % (last + 1) for last in range(TILES))
_SEED = re.compile(r"[0-9a-fA-F]{0,64}\Z")


def _down(value: bytes, steps: int) -> bytes:
    for _step in range(steps):
        value = sha256(value).digest()
    return value


@lru_cache(maxsize=4096)
def _rung(secret: bytes, hand: int) -> bytes:
    return _down(secret, HANDS - hand)


@dataclass(frozen=True, slots=True)
class Chain:
    """A match's chain; ``secret`` is its last value, random and 32 bytes long."""

    secret: bytes

    def __post_init__(self) -> None:
        if len(self.secret) != 32:
            raise ValueError("the secret of a chain has 32 bytes")

    def value(self, hand: int) -> bytes:
        """``s(hand)``, for hands 0 (the commitment) to ``HANDS``; ``ValueError`` beyond."""
        if not 0 <= hand <= HANDS:
            raise ValueError(f"a chain has no hand {hand}")
        rung = min(HANDS, (hand // _RUNG + 1) * _RUNG)
        return _down(_rung(self.secret, rung), rung - hand)

    def values(self, hands: int) -> list[bytes]:
        """``s(1)`` to ``s(hands)``, each hashed once: what a record of so many hands reveals."""
        value = self.value(hands)
        found = [value] if hands else []
        for _step in range(hands - 1):
            value = sha256(value).digest()
            found.append(value)
        return found[::-1]

    @property
    def commit(self) -> str:
        """The commitment, in hex."""
        return self.value(0).hex()


def clean_seed(text: object) -> str:
    """A seat's seed as it is used: up to 64 hex digits in lower case. Raises ``BadDeal``."""
    if not isinstance(text, str) or not _SEED.match(text):
        raise BadDeal("seed", _("A seed is up to 64 hex digits."))
    return text.lower()


def label_of(commit: str, hand: int | str, seeds: Sequence[str]) -> str:
    """What is shuffled with: commitment, hand (or ``lot``), and the seeds in seat order."""
    return f"{commit}:{hand}:{','.join(seeds)}"


def words(key: bytes, label: str) -> Iterator[int]:
    """The stream of 32-bit numbers for one shuffle."""
    block = 0
    while True:
        yield from _EIGHT(hmac.digest(key, f"{label}:{block}".encode(), "sha256"))
        block += 1


def shuffled(key: bytes, label: str) -> list[int]:
    """The deck in the order in which it is dealt."""
    deck = list(range(TILES))
    stream = words(key, label)
    for last in range(TILES - 1, 0, -1):
        word = next(stream)
        while word >= _LIMITS[last]:
            word = next(stream)
        other = word % (last + 1)
        deck[last], deck[other] = deck[other], deck[last]
    return deck


def deal_hand(
    commit: str,
    seeds: Sequence[str],
    hand: int,
    value: bytes,
    sizes: Sequence[int],
    boneyard_size: int,
) -> tuple[list[list[int] | None], list[int]]:
    """The racks (None for a seat that left: size 0) and the boneyard of one hand.

    ``value`` is ``s(hand)``; ``sizes`` and ``boneyard_size`` are the match's for the next deal.
    """
    deck = shuffled(value, label_of(commit, hand, seeds))
    racks: list[list[int] | None] = []
    start = 0
    for size in sizes:
        racks.append(deck[start : start + size] if size else None)
        start += size
    return racks, deck[start : start + boneyard_size]


def draw_lot(commit: str, seeds: Sequence[str], value: bytes) -> list[int]:
    """The tile that each seat draws for the first hand; ``value`` is ``s(1)``."""
    return shuffled(value, label_of(commit, "lot", seeds))[: len(seeds)]
