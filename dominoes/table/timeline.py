"""All that happened during a match, in order: moves and what they took, connections, phrases."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from heapq import merge
from operator import attrgetter
from typing import Any

from django.utils.translation import gettext as _

from dominoes.table.models import Connection, Event, Match, Said
from dominoes.table.phrases import PHRASES
from dominoes.table.words import move_name


@dataclass(frozen=True, slots=True)
class Line:
    """One thing that happened."""

    at: float
    hand: int
    ply: int  # of a move: its number in the hand; of anything else: after how many moves
    seat: int | None
    kind: str  # an event's, or "connection" or "phrase"
    said: str  # a sentence for people
    seconds: float | None  # of a move: since the seat could make it
    auto: bool  # made for the seat, which had run out of time
    lost: bool = False  # the seat's connection

    @property
    def when(self) -> datetime:
        """The time, for people."""
        return datetime.fromtimestamp(self.at, UTC)

    @property
    def clock(self) -> str:
        """The time of day to the second."""
        return f"{self.when:%H:%M:%S}"


def lines(match: Match) -> list[Line]:
    """A match's lines. Of one that is being played, no tile is told."""
    return list(merge(_events(match), _connections(match), _phrases(match), key=attrgetter("at")))


def timings(match: Match) -> list[list[Any]]:
    """What each move took: hand, ply, seat, seconds, whether it was made for the seat."""
    return [
        [line.hand, line.ply, line.seat, round(line.seconds or 0.0, 2), line.auto]
        for line in _events(match)
        if line.kind == "move"
    ]


def _events(match: Match) -> Iterator[Line]:
    told = match.status != Match.PLAYING
    hand = ply = 0
    before = match.started_at
    columns = ("kind", "seat", "word", "auto", "data", "at")
    events = Event.objects.filter(match=match).order_by("number")
    for kind, seat, word, auto, data, at in events.values_list(*columns):
        seconds = None
        about: dict[str, Any] = json.loads(data) if data else {}
        if kind == "deal":
            hand, ply = about["hand"], 0
        elif kind in ("move", "leave", "agree"):
            ply += 1
            if kind == "move":
                seconds = max(0.0, at - before)
        if kind in ("deal", "move", "leave"):
            before = at
        yield Line(at, hand, ply, seat, kind, _sentence(kind, word, about, told), seconds, auto)


def _sentence(kind: str, word: str, about: dict[str, Any], told: bool) -> str:
    if kind == "move":
        if word == "draw":
            return _("draws")
        if word == "knock":
            return _("knocks")
        return _("lays %(word)s") % {"word": move_name(word)} if told else _("lays a tile")
    if kind == "leave":
        by_time = about.get("why") == "time"
        return _("has lost on time") if by_time else _("leaves the match")
    if kind == "hand":
        return _("The hand is over: %(points)d points") % {"points": about["points"]}
    if kind == "end":
        how = {
            "target": _("target"),
            "forfeit": _("forfeit"),
            "agreed": _("agreed draw"),
            "abandoned": _("abandoned"),
        }.get(about["how"], about["how"])
        return _("The match is over: %(how)s") % {"how": how}
    return {
        "deal": _("The hand is dealt"),
        "agree": _("The draw is agreed"),
        "ready": _("is ready"),
        "offer": _("offers a draw"),
        "accept": _("accepts the draw"),
        "claim": _("claims that the seat on turn has left"),
        "back": _("is back"),
    }.get(kind, kind)


def _connections(match: Match) -> Iterator[Line]:
    for row in Connection.objects.filter(match=match).order_by("at", "pk"):
        said = _("Connection regained") if row.here else _("Connection lost")
        yield Line(row.at, 0, 0, row.seat, "connection", said, None, False, lost=not row.here)


def _phrases(match: Match) -> Iterator[Line]:
    for row in Said.objects.filter(match=match).order_by("at", "pk"):
        said = _("says “%(phrase)s”") % {"phrase": PHRASES.get(row.phrase, row.phrase)}
        yield Line(row.at, row.hand, row.ply, row.seat, "phrase", said, None, False)
