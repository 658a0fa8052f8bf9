"""The set, the two orders, and the lists of moves made from them."""

from __future__ import annotations

import pytest

from dominoes.rules.moves import (
    AFTER,
    BIT,
    CLOSED,
    ENDS,
    LAID,
    LAYS,
    OPEN,
    OPENS,
    WORDS,
    opening_moves,
)
from dominoes.rules.tiles import (
    ALL,
    CARRIES,
    DOUBLES,
    HEAVY,
    LIGHT,
    NAMES,
    WEIGHT,
    heaviest,
    highest_double,
    is_double,
    names_in,
    parse_tile,
    pips_in,
    rack_of,
    tiles_in,
)
from tests.rules.sheet import tiles


def test_the_double_six_set_in_the_fair_decks_order() -> None:
    assert NAMES[:7] == ("0-0", "1-0", "1-1", "2-0", "2-1", "2-2", "3-0")
    assert NAMES[-1] == "6-6"
    assert len(set(NAMES)) == 28
    for tile, name in enumerate(NAMES):
        assert parse_tile(name) == tile == HEAVY[tile] * (HEAVY[tile] + 1) // 2 + LIGHT[tile]
        assert WEIGHT[tile] == HEAVY[tile] + LIGHT[tile]
        assert is_double(tile) == (name[0] == name[2])
    assert sum(WEIGHT) == pips_in(ALL) == 168


@pytest.mark.parametrize("text", ["4-6", "7-0", "6-4 ", "", "64", None, 5, [], "6–4"])
def test_what_is_no_tile(text: object) -> None:
    with pytest.raises(ValueError, match="no tile"):
        parse_tile(text)  # type: ignore[arg-type]


def test_each_number_is_on_seven_tiles() -> None:
    for pips, carries in enumerate(CARRIES):
        assert carries.bit_count() == 7
        assert all(str(pips) in name for name in names_in(carries))
    assert DOUBLES.bit_count() == 7


def test_racks_as_bits() -> None:
    rack = rack_of(tiles("6-4 0-0 3-1"))
    assert names_in(rack) == ("0-0", "3-1", "6-4")
    assert list(tiles_in(rack)) == sorted(tiles("6-4 0-0 3-1"))
    assert pips_in(rack) == 14


@pytest.mark.parametrize(
    ("held", "first"),
    [
        ("6-4 6-5 5-5", "6-5"),  # greater weight
        ("6-4 5-5", "5-5"),  # at equal weight the double
        ("5-4 6-3", "6-3"),  # then the heavier end
        ("6-3 5-4 4-4", "6-3"),
        ("0-0 1-0", "1-0"),
    ],
)
def test_heaviest(held: str, first: str) -> None:
    assert NAMES[heaviest(tiles(held))] == first


@pytest.mark.parametrize(
    ("held", "first"),
    [
        ("6-5 0-0", "0-0"),  # any double before any other tile
        ("2-2 4-4 6-5", "4-4"),  # the higher double
        ("5-4 6-3 6-2", "6-3"),  # without one: weight, then the heavier end
    ],
)
def test_highest_double(held: str, first: str) -> None:
    assert NAMES[highest_double(tiles(held))] == first


def test_no_tiles_have_no_first() -> None:
    with pytest.raises(ValueError):
        heaviest([])
    with pytest.raises(ValueError):
        highest_double([])


def test_every_list_of_moves_lays_what_it_says() -> None:
    for end in range(4):
        for pips in range(7):
            table = LAYS[end][pips]
            assert len(table) == 128
            for rack, moves in table.items():
                laid = 0
                for move in moves:
                    tile = move >> 6
                    laid |= BIT[move]
                    assert move >> 3 & 7 == end
                    assert {pips, move & 7} == {HEAVY[tile], LIGHT[tile]}
                    assert WORDS[move] == f"{NAMES[tile]} {ENDS[end]}"
                assert laid == rack
        assert LAYS[end][CLOSED] == {0: ()}


def test_words_are_taken_apart_again() -> None:
    assert len(LAID) == 28 * 5
    for word, (tile, end) in LAID.items():
        assert word == NAMES[tile] + ("" if end == OPEN else f" {ENDS[end]}")


def test_opening_moves_are_the_whole_rack() -> None:
    for rack in (0, 1, ALL, DOUBLES, *CARRIES, rack_of(tiles("6-6 0-0 3-1"))):
        assert opening_moves(rack) == tuple(OPENS[tile] for tile in tiles_in(rack))


@pytest.mark.parametrize(
    ("inside", "seat", "after"),
    [
        ({0, 1, 2, 3}, 3, 0), ({0, 1, 2}, 2, 0), ({0, 1}, 1, 0), ({0, 2}, 0, 2), ({1, 3}, 2, 3),
        ({1, 3}, 3, 1), ({2}, 2, 2), ({0, 3}, 1, 3),
    ],
)  # fmt: skip
def test_the_next_seat_clockwise_still_in(inside: set[int], seat: int, after: int) -> None:
    assert AFTER[sum(1 << s for s in inside)][seat] == after
