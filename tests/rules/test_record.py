"""Records that are wrong in ways nobody would think of: always a sentence, never a crash."""

from __future__ import annotations

import copy
import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dominoes.rules.errors import BadRecord
from dominoes.rules.proof import check_deals
from dominoes.rules.record import load, read_options, replay, write
from tests.rules.cases import MATCHES

SOUND: Any = next(case["record"] for case in MATCHES if len(case["record"]["hands"]) == 3)

#: Values of every kind, to stand where another kind is due.
ODD: list[Any] = [
    None, True, False, 0, -1, 2**70, 1.5, float("inf"), "", "x", "\udcff", "6-4 left\n", [], [None],
    [[]], {}, {"a": 1}, "6-4", ["6-4"], [["6-4"] * 7] * 4, 10**400,
]  # fmt: skip


def fault(record: object) -> BadRecord | None:
    """The fault of a record, which must be told in one printable line; None: there is none."""
    try:
        for _line in replay(record):
            pass
    except BadRecord as error:
        text = str(error)
        text.encode()
        assert "\n" not in text
        assert len(text) < 300
        return error
    return None


@pytest.mark.parametrize("value", ODD)
def test_anything_in_place_of_a_record(value: Any) -> None:
    found = fault(value)
    assert found is not None
    assert found.hand is None
    with pytest.raises(BadRecord):
        list(check_deals(value))


@pytest.mark.parametrize("key", ["format", "rules", "options", "hands"])
@pytest.mark.parametrize("value", ODD)
def test_anything_in_place_of_a_part(key: str, value: Any) -> None:
    found = fault(SOUND | {key: value})
    if (key, value) == ("hands", []):
        assert found is None
        return
    assert found is not None
    assert (found.hand is None) == (key != "hands" or not isinstance(value, list))


@pytest.mark.parametrize("key", ["format", "rules", "options", "hands"])
def test_a_part_that_is_missing(key: str) -> None:
    found = fault({name: value for name, value in SOUND.items() if name != key})
    assert found is not None
    assert found.hand is None


@pytest.mark.parametrize("key", ["players", "sides", "target", "double_six_opens", "opens"])
@pytest.mark.parametrize("value", ODD)
def test_anything_in_place_of_an_option(key: str, value: Any) -> None:
    found = fault(SOUND | {"options": SOUND["options"] | {key: value}})
    allowed = (key == "double_six_opens" and value is False) or (
        key in ("target", "opens") and type(value) is int and value >= (key == "target")
    )
    if not allowed or (key == "opens" and value != 0):
        assert found is not None
        assert found.hand is None


@pytest.mark.parametrize("key", ["players", "sides", "target"])
def test_an_option_that_is_missing(key: str) -> None:
    options = {name: value for name, value in SOUND["options"].items() if name != key}
    found = fault(SOUND | {"options": options})
    assert found is not None
    assert found.hand is None


@pytest.mark.parametrize("value", ODD)
def test_anything_in_place_of_a_hand(value: Any) -> None:
    found = fault(SOUND | {"hands": [SOUND["hands"][0], value, SOUND["hands"][2]]})
    assert found is not None
    assert (found.hand, found.ply) == (2, 0)


@pytest.mark.parametrize("key", ["racks", "boneyard", "moves", "lot"])
@pytest.mark.parametrize("value", ODD)
def test_anything_in_place_of_what_was_dealt(key: str, value: Any) -> None:
    record = copy.deepcopy(SOUND)
    if record["hands"][1].get(key) == value:
        return
    record["hands"][1][key] = value
    found = fault(record)
    assert found is not None
    # Too few moves make the next hand come too soon, odd ones are found where they are said.
    if key == "moves" and isinstance(value, list):
        assert (found.hand, found.ply) in ((3, 0), (2, 1))
    else:
        assert (found.hand, found.ply) == (2, 0)


@pytest.mark.parametrize("value", ODD)
def test_anything_in_place_of_a_tile(value: Any) -> None:
    for place in ("racks", "boneyard"):
        record = copy.deepcopy(SOUND)
        tiles = record["hands"][0][place]
        tiles = tiles[0] if place == "racks" else tiles
        if not tiles or tiles[0] == value:
            continue
        tiles[0] = value
        found = fault(record)
        assert found is not None
        assert (found.hand, found.ply) == (1, 0)


@pytest.mark.parametrize("value", [*ODD, "leave", "leave ", "leave -1", "leave 4", "leave 00",
                                   "leave ٣", "Leave 1", "knock ", "Draw", "pass", "agree 0",
                                   "leave 1 ", "6-4 LEFT", "1" * 10**6])  # fmt: skip
def test_anything_in_place_of_a_word(value: Any) -> None:
    record = copy.deepcopy(SOUND)
    if record["hands"][0]["moves"][2] == value:
        return
    record["hands"][0]["moves"][2] = value
    found = fault(record)
    assert found is not None
    assert (found.hand, found.ply) == (1, 3)


def test_negative_seats() -> None:
    for seat in ("leave -1", "leave -0"):
        record = copy.deepcopy(SOUND)
        record["hands"][0]["moves"][0] = seat
        found = fault(record)
        assert found is not None
        assert (found.hand, found.ply) == (1, 1)


def test_a_hand_without_moves_is_no_hand() -> None:
    record = copy.deepcopy(SOUND)
    del record["hands"][0]["moves"]
    found = fault(record)
    assert found is not None
    assert (found.hand, found.ply) == (1, 0)


def test_what_it_does_not_know_is_ignored() -> None:
    more = copy.deepcopy(SOUND) | {"players": [None, 5], "fair": "no", "result": {"x": []}}
    more["hands"][0]["note"] = [[[]]]
    more["options"]["colour"] = "red"
    assert list(replay(more)) == list(replay(SOUND))


def test_it_may_stop_anywhere() -> None:
    whole = list(replay(SOUND))
    for hand, hands in enumerate(SOUND["hands"]):
        for plies in range(0, len(hands["moves"]) + 1, 5):
            record = copy.deepcopy(SOUND)
            del record["hands"][hand + 1 :]
            del record["hands"][hand]["moves"][plies:]
            lines = list(replay(record))
            assert lines == whole[: len(lines)]
    assert list(replay(SOUND | {"hands": []})) == []


def test_a_match_that_has_not_begun_has_a_record() -> None:
    record = SOUND | {"hands": []}
    again = write(load(record))
    assert again["hands"] == []
    assert read_options(again) == read_options(record)


values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8)
    | st.sampled_from(["6-4", "6-6", "knock", "draw", "leave 1", "agree", "left"]),
    lambda inner: (
        st.lists(inner, max_size=8) | st.dictionaries(st.text(max_size=5), inner, max_size=4)
    ),
    max_leaves=20,
)  # fmt: skip


@settings(max_examples=300)
@given(st.data())
def test_one_thing_changed_anywhere(data: Any) -> None:
    record = copy.deepcopy(SOUND)
    inside: Any = record
    while True:
        keys = list(inside) if isinstance(inside, dict) else list(range(len(inside)))
        key = data.draw(st.sampled_from(keys))
        deeper = inside[key]
        if not isinstance(deeper, (dict, list)) or not deeper or data.draw(st.booleans()):
            inside[key] = data.draw(values)
            break
        inside = deeper
    found = fault(record)
    if found is None:
        again = load(record)
        assert json.dumps(write(again)["hands"])
