"""The tile and the set: names, pips, the two orders for choosing a tile.

A tile is a whole number from 0 to 27, in the order 0-0, 1-0, 1-1, 2-0, … 6-6 (by heavier half,
then by lighter half). A rack is held as one whole number too: bit ``t`` is set while tile ``t``
stands in it. That makes "which of these tiles carry a five" one ``&``.
"""

from collections.abc import Iterable, Iterator
from typing import Final

PIPS: Final = range(7)
TILES: Final = 28
ALL: Final = (1 << TILES) - 1

HEAVY: Final[tuple[int, ...]] = tuple(h for h in PIPS for _ in range(h + 1))
LIGHT: Final[tuple[int, ...]] = tuple(light for h in PIPS for light in range(h + 1))
WEIGHT: Final[tuple[int, ...]] = tuple(h + low for h, low in zip(HEAVY, LIGHT, strict=True))
NAMES: Final[tuple[str, ...]] = tuple(f"{h}-{low}" for h, low in zip(HEAVY, LIGHT, strict=True))
BY_NAME: Final[dict[str, int]] = {name: tile for tile, name in enumerate(NAMES)}
DOUBLES: Final[int] = sum(1 << t for t in range(TILES) if HEAVY[t] == LIGHT[t])
DOUBLE_SIX: Final = TILES - 1

#: For each number of pips, the tiles that carry it, as bits (always seven).
CARRIES: Final[tuple[int, ...]] = tuple(
    sum(1 << t for t in range(TILES) if p in (HEAVY[t], LIGHT[t])) for p in PIPS
)

#: The tiles whose weight has 1, 2, 4 or 8 in it: the pips of a rack are then four bit counts.
_WEIGHT_BITS: Final = tuple(
    sum(1 << t for t in range(TILES) if WEIGHT[t] >> k & 1) for k in range(4)
)
_W1, _W2, _W4, _W8 = _WEIGHT_BITS

#: Greater weight; at equal weight a double; then the heavier end.
HEAVIEST_ORDER: Final[tuple[int, ...]] = tuple(
    WEIGHT[t] * 100 + (HEAVY[t] == LIGHT[t]) * 10 + HEAVY[t] for t in range(TILES)
)
#: Any double before any other tile, the higher first; then greater weight, then the heavier end.
HIGHEST_DOUBLE_ORDER: Final[tuple[int, ...]] = tuple(
    (HEAVY[t] == LIGHT[t]) * 1000 + WEIGHT[t] * 10 + HEAVY[t] for t in range(TILES)
)


_BITS: Final[tuple[int, ...]] = tuple(1 << t for t in range(TILES))


def parse_tile(text: str) -> int:
    """The tile written ``text``, heavier half first; raises ``ValueError`` for anything else."""
    try:
        return BY_NAME[text]
    except (KeyError, TypeError):
        raise ValueError(f"{ascii(text)[:40]} is no tile of a double-six set") from None


def is_double(tile: int) -> bool:
    """Whether both halves of the tile carry the same number."""
    return HEAVY[tile] == LIGHT[tile]


def heaviest(tiles: Iterable[int]) -> int:
    """The first of some tiles in the order *heaviest*; raises ``ValueError`` if there are none."""
    return max(tiles, key=HEAVIEST_ORDER.__getitem__)


def highest_double(tiles: Iterable[int]) -> int:
    """The first of some tiles in the order *highest double*; ``ValueError`` if there are none."""
    return max(tiles, key=HIGHEST_DOUBLE_ORDER.__getitem__)


def rack_of(tiles: Iterable[int]) -> int:
    """Some different tiles as one rack of bits."""
    return sum(map(_BITS.__getitem__, tiles))


def tiles_in(rack: int) -> Iterator[int]:
    """The tiles of a rack in the set's own order."""
    while rack:
        bit = rack & -rack
        yield bit.bit_length() - 1
        rack ^= bit


def names_in(rack: int) -> tuple[str, ...]:
    """The tiles of a rack as they are written."""
    return tuple(NAMES[tile] for tile in tiles_in(rack))


def pips_in(rack: int) -> int:
    """The pips of a rack: a tile is worth both its halves."""
    return (
        (rack & _W1).bit_count()
        + 2 * (rack & _W2).bit_count()
        + 4 * (rack & _W4).bit_count()
        + 8 * (rack & _W8).bit_count()
    )
