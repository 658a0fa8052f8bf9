"""What a picture of a table must look like, and what it must not tell, by its JSON alone."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import datetime
from typing import Any, Final

TILE: Final = re.compile(r"[0-6]-[0-6]")
WORD: Final = re.compile(r"draw|knock|agree|leave [0-3]|[0-6]-[0-6]( (left|right|up|down))?")
HEX: Final = re.compile(r"[0-9a-f]{64}")
ENDS: Final = ("left", "right", "up", "down")

KEYS: Final = {
    "type", "seq", "room", "match", "status", "you", "rules", "options", "hand", "ply", "turn",
    "due", "now", "opener", "lot", "offer", "commit", "seats", "scores", "line", "ends", "boneyard",
    "rack", "legal", "moves", "result", "match_result",
}  # fmt: skip

# Where a tile may stand in a picture; nowhere else, not even as part of a text.
PLACES: Final = re.compile(
    r"rack\.\d+|legal\.\d+|lot\.\d+|line\.first|line\.spinner|line\.(left|right|up|down)\.\d+"
    r"|moves\.\d+\.move|result\.racks\.\d+\.\d+"
)


def check_picture(picture: dict[str, Any]) -> None:
    """Raise AssertionError where a picture isn't as promised, or tells what it must not."""
    assert set(picture) == KEYS, set(picture) ^ KEYS
    assert picture["type"] == "table"
    assert _whole(picture["seq"]) and re.fullmatch(r"[A-Z0-9]{6}", picture["room"])
    status = picture["status"]
    assert status in ("open", "playing", "between", "over", "abandoned"), status
    _times(picture)
    _seats(picture)
    _line(picture)
    _own(picture)
    for move in picture["moves"]:
        assert set(move) == {"seat", "move", "scored", "auto"}, move
        assert WORD.fullmatch(move["move"]), move
        assert _whole(move["scored"]) and isinstance(move["auto"], bool)
    _results(picture)
    assert HEX.fullmatch(picture["commit"]), picture["commit"]
    if status == "open":
        assert picture["hand"] == picture["ply"] == 0
        assert picture["match"] is None
    else:
        assert isinstance(picture["match"], str)
        assert (
            picture["ply"] == len([m for m in picture["moves"] if m["move"] not in ("agree",)])
            or status != "playing"
        )
    told = list(tiles_told(picture))
    for place, _ in told:
        assert PLACES.fullmatch(place), f"a tile at {place}"


def _whole(value: Any) -> bool:
    return type(value) is int and value >= 0


def _times(picture: dict[str, Any]) -> None:
    datetime.fromisoformat(picture["now"])
    due = picture["due"]
    if due is not None:
        assert set(due) == {"what", "seat", "at"}
        assert due["what"] in ("return", "turn", "deal", "claim")
        assert datetime.fromisoformat(due["at"]).utcoffset() is not None
        assert picture["status"] in ("playing", "between")


def _seats(picture: dict[str, Any]) -> None:
    players = picture["options"]["players"]
    assert len(picture["seats"]) == players
    for number, seat in enumerate(picture["seats"]):
        if seat is None:
            continue
        assert set(seat) == {"seat", "name", "side", "tiles", "state"}, seat
        assert seat["seat"] == number and _whole(seat["tiles"])
        assert seat["state"] in ("here", "dropped", "away", "left", "bot")
    sides = 2 if picture["options"]["sides"] == "partners" else players
    assert len(picture["scores"]) == sides
    turn = picture["turn"]
    assert turn is None or 0 <= turn < players
    assert (turn is not None) == (picture["status"] == "playing"), (turn, picture["status"])
    you = picture["you"]
    assert you is None or picture["seats"][you] is not None


def _line(picture: dict[str, Any]) -> None:
    line = picture["line"]
    assert set(line) == {"first", "left", "right", "up", "down", "spinner"}
    laid = [line["first"]] if line["first"] else []
    for arm in ENDS:
        laid += line[arm]
    assert len(set(laid)) == len(laid), f"a tile lies twice: {laid}"
    assert all(TILE.fullmatch(tile) for tile in laid)
    assert line["spinner"] is None or line["spinner"] in laid
    assert set(picture["ends"]) <= set(ENDS)
    assert bool(picture["ends"]) == bool(laid) or picture["status"] == "open"
    assert all(value in range(7) for value in picture["ends"].values())
    assert _whole(picture["boneyard"])
    in_hands = sum(seat["tiles"] for seat in picture["seats"] if seat)
    assert len(laid) + picture["boneyard"] + in_hands <= 28


def _own(picture: dict[str, Any]) -> None:
    you, rack, legal = picture["you"], picture["rack"], picture["legal"]
    if you is None:
        assert rack is None and legal == []
        return
    if rack is not None:
        assert len(rack) == picture["seats"][you]["tiles"] or picture["status"] in (
            "over",
            "abandoned",
        )
        assert not set(rack) & set(_laid(picture)), "own tiles lie on the line as well"
    if legal:
        assert picture["status"] == "playing" and picture["turn"] == you
        assert legal == sorted(legal)
        assert all(WORD.fullmatch(word) for word in legal)
        assert rack is not None
        assert {word.split()[0] for word in legal if TILE.match(word)} <= set(rack)


def _results(picture: dict[str, Any]) -> None:
    result, end = picture["result"], picture["match_result"]
    if result is not None:
        assert set(result) == {"how", "winner", "points", "racks", "seed"}, result
        assert result["how"] in ("out", "blocked", "stopped")
        assert picture["status"] != "playing", "the racks of a hand in play"
        assert HEX.fullmatch(result["seed"])
    if end is not None:
        assert set(end) == {"how", "winner", "seat", "why"}, end
        assert end["how"] in ("target", "forfeit", "agreed", "abandoned")
        assert end["why"] in ("left", "time", "dropped", None)
    assert (end is not None) == (picture["status"] in ("over", "abandoned"))


def _laid(picture: dict[str, Any]) -> list[str]:
    line = picture["line"]
    return [*([line["first"]] if line["first"] else []), *(t for arm in ENDS for t in line[arm])]


def tiles_told(value: Any, place: str = "") -> Iterator[tuple[str, str]]:
    """Every tile that stands anywhere in a picture, with its place."""
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from tiles_told(inner, f"{place}.{key}" if place else str(key))
    elif isinstance(value, list):
        for number, inner in enumerate(value):
            yield from tiles_told(inner, f"{place}.{number}")
    # Names and times are free text, in which a tile could only stand by chance.
    elif isinstance(value, str) and not re.search(r"name|now|\.at$|room|match$", place):
        for tile in TILE.findall(value):
            yield place, tile
