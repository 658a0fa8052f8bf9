"""What each viewer of a match may know, by the record alone, and what it was shown.

The racks are followed here from the deals and words of the record, without asking the project's
own view of a match: a picture that shows a tile too many must not be excused by the code that let
it through.
"""

from __future__ import annotations

import json
import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from dominoes.rules.record import replay
from tests.shapes import tiles_told

Place = tuple[int, int]  # hand and ply

_IN_HTML = re.compile(r"\b([0-6])-([0-6])\b|#t([0-6])([0-6])\b")


@dataclass(frozen=True)
class Position:
    """Who holds what after a word of the record, and what lies open for all."""

    racks: tuple[frozenset[str], ...]
    open: frozenset[str]  # on the line, or drawn for the lot
    over: bool  # the hand is

    def may_know(self, seat: int | None) -> frozenset[str]:
        """The tiles that a seat (None: a spectator) may be shown."""
        shown = self.open
        if self.over:
            shown = shown.union(*self.racks)
        return shown if seat is None else shown | self.racks[seat]


def positions(record: dict[str, Any], *, abandoned: bool = False) -> dict[Place, Position]:
    """Every position of a match by hand and ply; a record that isn't legal raises BadRecord.

    `abandoned`: the match ended where the record stops, and the racks were shown.
    """
    found: dict[Place, Position] = {}
    hand: dict[str, Any] = {}
    racks: list[set[str]] = []
    laid: set[str] = set()
    place = (0, 0)
    for line in replay(record):
        event = line["event"]
        if event == "deal":
            hand = record["hands"][line["hand"] - 1]
            racks = [set(rack or ()) for rack in hand["racks"]]
            laid = set(hand.get("lot", ()))
            place = (line["hand"], 0)
        elif event in ("hand", "match"):
            found[place] = _position(racks, laid, True)
            continue
        else:
            place = (line["hand"], line["ply"])
            if event == "play":
                racks[line["seat"]].remove(line["tile"])
                laid.add(line["tile"])
            elif event == "draw":
                racks[line["seat"]].add(line["tile"])
        over = event != "deal" and line["turn"] is None
        found[place] = _position(racks, laid, over)
    if abandoned and found:
        last = found[place]
        found[place] = Position(last.racks, last.open, True)
    return found


def _position(racks: Sequence[set[str]], laid: set[str], over: bool) -> Position:
    return Position(tuple(frozenset(rack) for rack in racks), frozenset(laid), over)


def too_many(picture: dict[str, Any], found: dict[Place, Position]) -> list[str]:
    """The faults of a picture of that match: tiles its viewer may not know, a rack not its own."""
    you = picture["you"]
    position = found.get((picture["hand"], picture["ply"]))
    if position is None:
        return [f"no such position: hand {picture['hand']}, ply {picture['ply']}"]
    # An abandoned match's last position stood before it was abandoned, too.
    ended = picture["status"] in ("between", "over", "abandoned")
    known = position.may_know(you)
    if position.over and not ended:
        known = Position(position.racks, position.open, False).may_know(you)
    faults = [f"{tile} at {spot}" for spot, tile in tiles_told(picture) if tile not in known]
    rack = picture["rack"]
    if you is not None and rack is not None and picture["seats"][you]["state"] != "left":
        own = position.racks[you]
        if set(rack) != own:
            faults.append(f"the rack is {rack}, not {sorted(own)}")
    return [f"hand {picture['hand']}, ply {picture['ply']}, seat {you}: {f}" for f in faults]


class Course:
    """At which `seq` a table stood where, over all its matches."""

    def __init__(self) -> None:
        self._seqs: list[int] = []
        self._places: list[tuple[str, Place]] = []

    def add(self, match: str, events: Iterable[tuple[str, int]]) -> None:
        """A further match, by the kind and the `seq` of each of its events."""
        hand = ply = 0
        for kind, seq in events:
            if kind == "deal":
                hand, ply = hand + 1, 0
            elif kind in ("move", "leave", "agree"):
                ply += 1
            self._seqs.append(seq)
            self._places.append((match, (hand, ply)))

    def at(self, seq: int) -> tuple[str, Place] | None:
        """The match and the place in it; None before the first."""
        number = bisect_right(self._seqs, seq)
        return self._places[number - 1] if number else None


def tiles_in_html(text: str) -> Iterator[str]:
    """Every tile that a message for a page names or draws."""
    message = json.loads(text)
    html = " ".join([*message.get("html", {}).values(), message.get("say") or ""])
    for heavy, light, drawn, other in _IN_HTML.findall(html):
        first, second = heavy or drawn, light or other
        yield f"{max(first, second)}-{min(first, second)}"
