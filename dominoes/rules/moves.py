"""Moves as whole numbers, and the lists of moves made once when this module is read.

A laid tile is ``tile << 6 | end << 3 | value``, where ``value`` is what the end shows afterwards.
So laying a tile needs no arithmetic, and what a rack can lay on an end that shows ``p`` is found
by one look-up: ``LAYS[end][p][rack & CARRIED[p]]``. The words of records and messages ("6-4 left")
are made when someone asks for them.
"""

from typing import Final

from dominoes.rules.tiles import CARRIES, DOUBLES, HEAVY, LIGHT, NAMES, PIPS, TILES, tiles_in

LEFT, RIGHT, UP, DOWN, OPEN = range(5)
ENDS: Final = ("left", "right", "up", "down")

#: What an end shows that is not open. Nothing can be laid there: ``CARRIED`` and ``LAYS`` know it.
CLOSED: Final = 7
CARRIED: Final = (*CARRIES, 0)

#: Everything below this is a laid tile.
KNOCK: Final = TILES << 6
DRAW: Final = KNOCK + 1
#: Said, not played: seat ``move - LEAVE`` is out; both sides agreed to a draw.
LEAVE: Final = KNOCK + 2
AGREE: Final = LEAVE + 4

ONLY_KNOCK: Final = (KNOCK,)
ONLY_DRAW: Final = (DRAW,)


def lay(tile: int, end: int, shows: int) -> int:
    """The move that lays ``tile`` on ``end``, which shows ``shows`` afterwards."""
    return tile << 6 | end << 3 | shows


#: The move that opens the hand with a tile.
OPENS: Final[tuple[int, ...]] = tuple(lay(tile, OPEN, LIGHT[tile]) for tile in range(TILES))

#: The bit of the tile that a move lays (index: the move; 0 for what lays nothing).
BIT: Final[tuple[int, ...]] = tuple(1 << (move >> 6) for move in range(KNOCK)) + (0,) * 7

#: What the tile just laid counts at its end: a double both its halves (All Fives).
COUNTS: Final[tuple[int, ...]] = tuple(
    (move & 7) * (2 if BIT[move] & DOUBLES else 1) for move in range(KNOCK)
)


def _lists(end: int, pips: int) -> dict[int, tuple[int, ...]]:
    """For every set of tiles that carry ``pips``: the moves that lay them on ``end``."""
    table: dict[int, tuple[int, ...]] = {0: ()}
    for tile in tiles_in(CARRIED[pips]):
        move = (lay(tile, end, HEAVY[tile] + LIGHT[tile] - pips),)
        table.update([(rack | 1 << tile, moves + move) for rack, moves in table.items()])
    return table


LAYS: Final = tuple(tuple(_lists(end, pips) for pips in (*PIPS, CLOSED)) for end in range(4))

WORDS: Final[dict[int, str]] = {
    **{OPENS[tile]: NAMES[tile] for tile in range(TILES)},
    **{
        lay(tile, end, shows): f"{NAMES[tile]} {ENDS[end]}"
        for tile in range(TILES)
        for end in range(4)
        for shows in (HEAVY[tile], LIGHT[tile])
    },
    KNOCK: "knock",
    DRAW: "draw",
    **{LEAVE + seat: f"leave {seat}" for seat in range(4)},
    AGREE: "agree",
}

#: The words that a seat can be on turn with, taken apart: tile and end (``OPEN``: without one).
LAID: Final[dict[str, tuple[int, int]]] = {
    word: (move >> 6, move >> 3 & 7) for move, word in WORDS.items() if move < KNOCK
}


_CHUNK: Final = 0x7F
_OPENINGS: Final = tuple(
    tuple(tuple(OPENS[first + tile] for tile in tiles_in(rack)) for rack in range(_CHUNK + 1))
    for first in range(0, TILES, 7)
)


def opening_moves(rack: int) -> tuple[int, ...]:
    """Every tile of a rack as the move that opens with it."""
    first, second, third, fourth = _OPENINGS
    return (
        first[rack & _CHUNK]
        + second[rack >> 7 & _CHUNK]
        + third[rack >> 14 & _CHUNK]
        + fourth[rack >> 21]
    )


#: The next seat clockwise among those still in: ``AFTER[seats still in, as bits][seat]``.
AFTER: Final[tuple[tuple[int, ...], ...]] = tuple(
    tuple(
        next((s % 4 for s in range(seat + 1, seat + 5) if still_in >> s % 4 & 1), -1)
        for seat in range(4)
    )
    for still_in in range(16)
)
