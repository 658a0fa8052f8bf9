"""A table in a process's memory, as readers see it and as a command changes it.

A published `Live` is never changed again; a command changes a `fork()` of it, and only when that is
committed does the fork take its place (store.py). rows.py reads it from the database and writes it.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

from dominoes.rules.match import Match as Game
from dominoes.rules.options import Options
from dominoes.rules.tiles import parse_tile
from dominoes.rules.view import View, view_for
from dominoes.table.clock import FRESH, Clock
from dominoes.table.models import Table


@dataclass(frozen=True, slots=True)
class Choices:
    """What the host chose; the same for everyone at the table."""

    options: Options
    kind: str  # "online" or "nearby"
    ranked: bool
    private: bool
    turn_seconds: int  # 0: none
    aid: bool
    replay: str  # "all" or "players"


@dataclass(frozen=True, slots=True)
class Holder:
    """Who holds a seat."""

    seat: int
    player_id: int | None
    name: str
    bot: str  # a level, "" for a person
    guest: bool
    sat_at: float
    seed: str = ""
    seed_commit: str = ""
    rematch: bool = False


@dataclass(frozen=True, slots=True)
class MatchInfo:
    """The stored facts of the present (or last) match that play needs."""

    id: str
    number: int
    options: Options
    kind: str
    ranked: bool
    turn_seconds: int
    replay: str
    secret: bytes = field(repr=False)  # never in a log
    commit: str
    seeds: tuple[str, ...]
    people: tuple[int | None, ...]  # player ids by seat as the match began, None for a bot
    hand_from: int
    hand: int
    plies: int
    status: str
    result: dict[str, Any] | None  # how, winner, seat, why
    started_at: float
    ended_at: float | None = None


@dataclass(frozen=True, slots=True)
class HandLine:
    """A finished hand, as it stands on the score sheet."""

    hand: int
    how: str  # "out", "blocked" or "stopped"
    winner: int | None
    points: int
    scores: tuple[int | None, ...]  # after it

    @classmethod
    def of(cls, line: Mapping[str, Any]) -> HandLine:
        """From the log's words, or from a line of a replay."""
        return cls(line["hand"], line["how"], line["winner"], line["points"], tuple(line["scores"]))


# An event as the log has it: number, kind, seat, word, auto, data.
Line = tuple[int, str, int | None, str, bool, str]


class Step(NamedTuple):
    """What one stored change made of a table, for a process that knows it as it was before."""

    was: int  # the seq before
    seq: int
    position_seq: int
    status: str
    clock: str
    match: str
    plies: int
    lines: Sequence[Line]


@dataclass(slots=True)
class NewEvent:
    """An event not yet written."""

    kind: str
    seat: int | None = None
    word: str = ""
    auto: bool = False
    client_id: str | None = None
    data: dict[str, Any] | None = None


@dataclass(slots=True)
class Live:
    """One table with its seats, clocks, match and hand. See the module's text."""

    table_id: int
    code: str
    choices: Choices
    status: str
    seq: int
    position_seq: int
    seats: tuple[Holder | None, ...]
    clock: Clock
    removed: frozenset[int]
    next_secret: bytes = field(repr=False)
    next_commit: str
    created_at: float
    match: MatchInfo | None = None
    game: Game | None = field(default=None, repr=False)
    autos: tuple[bool, ...] = ()  # of this hand's moves, which were made for the seat
    hands: tuple[HandLine, ...] = ()  # of this match, those that are finished
    events: int = 0  # the number of the match's last event
    here: frozenset[int] = frozenset()  # seats with a socket; known, not stored in the row
    presence: int = 0  # grows when `here` changes at the same seq
    step: Step | None = field(default=None, repr=False)  # that led here

    # Only in a draft: what has to be written.
    new_events: list[NewEvent] = field(default_factory=list, repr=False)
    touched: set[str] = field(default_factory=set, repr=False)  # "table", "match", "seats"

    _views: dict[int | None, View] = field(default_factory=dict, repr=False)

    def fork(self) -> Live:
        """A draft to change."""
        return replace(
            self,
            clock=self.clock.fork(),
            game=self.game.copy() if self.game else None,
            step=None,
            new_events=[],
            touched=set(),
            _views={},
        )

    def forget_views(self) -> None:
        """What was looked at while a command worked on this draft shows what was before it."""
        self._views = {}

    def with_presence(self, here: frozenset[int]) -> Live:
        """The same table with other seats present."""
        return replace(self, here=here, presence=self.presence + 1, _views=self._views)

    def view(self, seat: int | None) -> View | None:
        """What that seat (None: a spectator) may see of the match; None while there is none."""
        if self.game is None:
            return None
        found = self._views.get(seat)
        if found is None:
            everyone = None if seat is None else self.view(None)
            found = self._views[seat] = view_for(self.game, seat, everyone)
        return found

    # Reading

    def holder_of(self, player_id: int | None) -> Holder | None:
        """The seat that this person holds."""
        if player_id is None:
            return None
        return next((h for h in self.seats if h and h.player_id == player_id), None)

    @property
    def people(self) -> list[Holder]:
        """Seated persons, the longest there first."""
        return sorted((h for h in self.seats if h and not h.bot), key=lambda h: (h.sat_at, h.seat))

    @property
    def host(self) -> Holder | None:
        """The person there longest."""
        return next(iter(self.people), None)

    @property
    def in_match(self) -> bool:
        """Whether a match is being played, in a hand or between two."""
        return self.status in (Table.PLAYING, Table.BETWEEN)

    @property
    def people_in(self) -> list[Holder]:
        """Persons who are still in the match."""
        left = self.game.left if self.game else frozenset()
        return [h for h in self.seats if h and not h.bot and h.seat not in left]

    def missing(self, now: float, here: frozenset[int] | None = None) -> list[Holder]:
        """The people of a ranked room against whom no match may begin: they may not be there.

        They have no socket, and it is a while that they sat down or agreed to play. `here`: the
        seats with a socket, where somebody knows better than memory does.
        """
        if not self.choices.ranked:
            return []
        here, heard = self.here if here is None else here, self.clock.heard
        return [
            holder
            for holder in self.people
            if holder.seat not in here
            and now - max(holder.sat_at, heard.get(holder.player_id or 0, 0.0)) > FRESH
        ]

    @property
    def leavers(self) -> frozenset[int]:
        """The seats of those who left the match that is on, or the last one.

        Once a match is over people change seats, and others come: it is the people that count then,
        as long as they haven't sat down anew.
        """
        if self.game is None or self.match is None:
            return frozenset()
        left = self.game.left
        if self.in_match or not left:
            return left
        went = {self.match.people[seat] for seat in left}
        ended = self.match.ended_at
        return frozenset(
            holder.seat
            for holder in self.people
            if holder.player_id in went and (ended is None or holder.sat_at <= ended)
        )

    @property
    def timed(self) -> bool:
        """Whether turns have a clock: online, the host wants one, and not against bots alone."""
        return bool(
            self.match
            and self.match.kind == "online"
            and self.match.turn_seconds
            and len(self.people_in) > 1
        )

    # Changing a draft

    def log(self, kind: str, **about: Any) -> None:
        """Note an event, to be written with this change."""
        self.new_events.append(NewEvent(kind, **about))

    def touch(self, *what: str) -> None:
        """Note that rows beside the hot ones have to be written."""
        self.touched.update(what)

    def put(self, holder: Holder) -> None:
        """Set a seat's holder."""
        seats = list(self.seats)
        seats[holder.seat] = holder
        self.seats = tuple(seats)
        self.touch("seats")

    def empty(self, seat: int) -> None:
        """Nobody holds that seat any more."""
        seats = list(self.seats)
        seats[seat] = None
        self.seats = tuple(seats)
        self.touch("seats")

    def set_match(self, **changes: Any) -> None:
        """Change facts of the match, to be written."""
        assert self.match is not None
        self.match = replace(self.match, **changes)
        self.touch("match")


def bot_name(level: str) -> str:
    """How a bot of that level is called at the table."""
    return f"{level.capitalize()} bot"


def options_from(rules: str, stored: str) -> Options:
    """The options that a match's row holds."""
    return Options.of(rules, **json.loads(stored))


WORDS = ("move", "leave", "agree")


def apply_event(game: Game, kind: str, seat: int | None, word: str, data: str) -> None:
    """Bring a match up to date by one event of its log."""
    if kind == "move":
        assert seat is not None
        game.play(seat, word)
    elif kind == "deal":
        dealt = json.loads(data)
        game.deal(*dealt_tiles(dealt))
    elif kind == "leave":
        assert seat is not None
        game.leave(seat)
    elif kind == "agree":
        game.agree()
    elif kind == "end" and json.loads(data)["how"] == "abandoned":
        game.abandon()


def dealt_tiles(
    dealt: dict[str, Any],
) -> tuple[list[list[int] | None], list[int], list[int] | None]:
    """Racks, boneyard and lot of a stored deal, as the rules take them."""

    def tiles(names: list[str]) -> list[int]:
        return [parse_tile(name) for name in names]

    racks = [None if rack is None else tiles(rack) for rack in dealt["racks"]]
    return racks, tiles(dealt["boneyard"]), tiles(dealt["lot"]) if dealt.get("lot") else None
