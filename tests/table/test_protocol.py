"""Messages of the socket: what is read, what is refused, and which id the refusal carries."""

import contextlib
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dominoes.table import protocol
from dominoes.table.phrases import PHRASES
from dominoes.table.protocol import BadMessage, Message, choose_format, read


def text(**message: Any) -> str:
    return json.dumps(message)


def test_a_move_is_read_with_its_id_seq_and_word() -> None:
    found = read(text(type="move", id="a1", seq=17, move="6-4 left"))
    assert found == Message("move", "a1", seq=17, move="6-4 left")


@pytest.mark.parametrize("kind", sorted(protocol.PLAIN))
def test_plain_messages_need_no_id(kind: str) -> None:
    assert read(text(type=kind)) == Message(kind)
    assert read(text(type=kind, id="x")) == Message(kind, "x")


def test_unknown_keys_are_ignored() -> None:
    assert read(text(type="ping", colour="red", nested={"a": [1]})) == Message("ping")


def test_a_seed_is_taken_in_lower_case() -> None:
    assert read(text(type="seed", seed="AbC1")).seed == "abc1"
    assert read(text(type="seed", seed="")).seed == ""
    assert len(read(text(type="seed", seed="f" * 64)).seed) == 64


@pytest.mark.parametrize("phrase", list(PHRASES))
def test_every_phrase_can_be_said(phrase: str) -> None:
    assert read(text(type="say", phrase=phrase)).phrase == phrase


@pytest.mark.parametrize(
    "message",
    [
        {},
        {"type": None},
        {"type": 3},
        {"type": "dance"},
        {"type": ["ping"]},
        {"type": "move", "seq": 1, "move": "6-4"},
        {"type": "move", "id": None, "seq": 1, "move": "6-4"},
        {"type": "move", "id": "a", "move": "6-4"},
        {"type": "move", "id": "a", "seq": "1", "move": "6-4"},
        {"type": "move", "id": "a", "seq": True, "move": "6-4"},
        {"type": "move", "id": "a", "seq": -1, "move": "6-4"},
        {"type": "move", "id": "a", "seq": 1.0, "move": "6-4"},
        {"type": "move", "id": "a", "seq": 1},
        {"type": "move", "id": "a", "seq": 1, "move": ""},
        {"type": "move", "id": "a", "seq": 1, "move": 64},
        {"type": "move", "id": "a", "seq": 1, "move": "6" * 65},
        {"type": "seed"},
        {"type": "seed", "seed": 5},
        {"type": "seed", "seed": "xyz"},
        {"type": "seed", "seed": "f" * 65},
        {"type": "seed", "seed": "ff\n"},
        {"type": "say"},
        {"type": "say", "phrase": "you hold the 6-4"},
        {"type": "say", "phrase": ["nice"]},
        {"type": "ping", "id": 7},
        {"type": "ping", "id": ""},
        {"type": "ping", "id": "x" * 65},
        {"type": "ping", "id": "a\0b"},
    ],
)
def test_what_is_of_the_wrong_kind_is_refused(message: dict[str, Any]) -> None:
    with pytest.raises(BadMessage) as refusal:
        read(json.dumps(message))
    id = message.get("id")
    fits = isinstance(id, str) and 0 < len(id) <= 64 and "\0" not in id
    assert refusal.value.id == (id if fits else None)
    assert str(refusal.value).endswith(".")


@pytest.mark.parametrize(
    "raw",
    [
        "",
        "{",
        "[]",
        "null",
        '"ping"',
        "1",
        "NaN",
        '{"type": "ping"',
        '{"type": "\\ud800"}',
        "[" * 9000,
    ],
)
def test_what_is_no_json_object_is_refused(raw: str) -> None:
    with pytest.raises(BadMessage) as refusal:
        read(raw)
    assert refusal.value.id is None


def test_binary_messages_and_large_ones_are_refused() -> None:
    with pytest.raises(BadMessage):
        read(None)
    most = text(type="ping", pad="x" * 17_000)
    with pytest.raises(BadMessage):
        read(most)


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
        lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
        max_leaves=10,
    )
    | st.dictionaries(
        st.sampled_from(["type", "id", "seq", "move", "seed", "phrase"]),
        st.sampled_from(["move", "say", "seed", "ping", "6-4 left", "", "ff"]) | st.integers(),
    )
)
def test_whatever_comes_is_read_or_refused(message: Any) -> None:
    found: Message | None = None
    with contextlib.suppress(BadMessage):
        found = read(json.dumps(message))
    assert found is None or found.type in {*protocol.PLAIN, "move", "seed", "say"}


@pytest.mark.parametrize(
    ("offered", "chosen"),
    [
        ([], None),
        (["chat"], None),
        ([protocol.HTML], protocol.HTML),
        (["chat", protocol.JSON, protocol.HTML], protocol.JSON),
    ],
)
def test_the_first_known_format_is_chosen(offered: list[str], chosen: str | None) -> None:
    assert choose_format(offered) == chosen


def test_answers_are_json_of_the_promised_shape() -> None:
    assert json.loads(protocol.ok("a", 3)) == {"type": "ok", "id": "a", "seq": 3}
    assert json.loads(protocol.pong(3)) == {"type": "pong", "seq": 3}
    assert json.loads(protocol.said(2, "nice")) == {"type": "said", "seat": 2, "phrase": "nice"}
    refusal = json.loads(protocol.error(None, "stale", "Look again."))
    assert refusal == {"type": "error", "id": None, "code": "stale", "detail": "Look again."}
