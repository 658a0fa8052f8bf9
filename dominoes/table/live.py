"""A table in a process's memory: read from the database, changed as a draft, written back.

A published `Live` is never changed again; a command changes a `fork()` of it, and only when that is
committed does the fork take its place (store.py). The present hand is rebuilt from the match's
`base` and the hand's events, so loading costs the same in the thirtieth hand as in the first.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from django.db import connection

from dominoes.rules.match import Match as Game
from dominoes.rules.options import Options
from dominoes.rules.tiles import parse_tile
from dominoes.rules.view import View, view_for
from dominoes.table.clock import Clock
from dominoes.table.models import Event, Match, MatchSeat, Seat, Table


class Conflict(RuntimeError):
    """Somebody else changed the table between our reading and our writing: read again."""


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
            new_events=[],
            touched=set(),
            _views={},
        )

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


def load(code: str) -> Live | None:
    """Read a table from the database; None where there is no such room."""
    row = Table.objects.select_related("match").filter(code=code).first()
    return from_row(row) if row else None


def from_row(row: Table) -> Live:
    """The table of a row, with its match as the log has it."""
    options = Options.of(
        row.rules,
        players=row.players,
        sides=row.sides,
        target=row.target,
        double_six_opens=row.double_six_opens,
    )
    live = Live(
        table_id=row.pk,
        code=row.code,
        choices=Choices(
            options, row.kind, row.ranked, row.private, row.turn_seconds, row.aid, row.replay
        ),
        status=row.status,
        seq=row.seq,
        position_seq=row.position_seq,
        seats=_read_seats(row.pk, row.players),
        clock=Clock.from_json(row.clock),
        removed=frozenset(json.loads(row.removed)),
        next_secret=bytes(row.next_secret),
        next_commit=row.next_commit,
        created_at=row.created_at,
    )
    if row.match is not None:
        _read_match(live, row.match)
    return live


def _read_seats(table_id: int, players: int) -> tuple[Holder | None, ...]:
    seats: list[Holder | None] = [None] * players
    for row in Seat.objects.filter(table_id=table_id).select_related("player"):
        person = row.player
        seats[row.seat] = Holder(
            seat=row.seat,
            player_id=row.player_id,
            name=person.name if person else bot_name(row.bot),
            bot=row.bot,
            guest=bool(person and person.is_guest),
            sat_at=row.sat_at,
            seed=row.seed,
            seed_commit=row.seed_commit,
            rematch=row.rematch,
        )
    return tuple(seats)


def bot_name(level: str) -> str:
    """How a bot of that level is called at the table."""
    return f"{level.capitalize()} bot"


def options_from(rules: str, stored: str) -> Options:
    """The options that a match's row holds."""
    return Options.of(rules, **json.loads(stored))


def _read_match(live: Live, row: Match) -> None:
    options = options_from(row.rules, row.options)
    people: list[int | None] = [None] * options.players
    for seat in MatchSeat.objects.filter(match_id=row.pk):
        people[seat.seat] = seat.player_id
    live.match = MatchInfo(
        id=row.pk,
        number=row.number,
        options=options,
        kind=row.kind,
        ranked=row.ranked,
        turn_seconds=row.turn_seconds,
        replay=row.replay,
        secret=bytes(row.secret),
        commit=row.commit,
        seeds=tuple(json.loads(row.seeds)),
        people=tuple(people),
        hand_from=row.hand_from,
        hand=row.hand,
        plies=row.plies,
        status=row.status,
        result=json.loads(row.result),
        started_at=row.started_at,
        ended_at=row.ended_at,
    )
    game = Game.resume(options, json.loads(row.base))
    autos: list[bool] = []
    number = 0
    # What was stored since the row was read belongs to a later state of the table.
    events = Event.objects.filter(match_id=row.pk, seq__lte=live.seq).order_by("number")
    columns = ("number", "kind", "seat", "word", "auto", "data")
    hand = events.filter(number__gte=row.hand_from)
    for number, kind, place, word, auto, data in hand.values_list(*columns):  # noqa: B007
        apply_event(game, kind, place, word, data)
        if kind in WORDS:
            autos.append(auto)
    lines = map(json.loads, events.filter(kind="hand").values_list("data", flat=True))
    live.hands = tuple(map(HandLine.of, lines))
    live.events = number
    live.autos = tuple(autos)
    live.game = game


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


def flush(draft: Live, was: int, now: float) -> None:
    """Write a draft; `was` is the seq it was made from. Raises Conflict if the row moved on."""
    table = Table._meta.db_table
    if "table" in draft.touched:
        changed = Table.objects.filter(pk=draft.table_id, seq=was).update(
            **_choice_columns(draft.choices),
            status=draft.status,
            seq=draft.seq,
            position_seq=draft.position_seq,
            clock=draft.clock.to_json(),
            due_at=draft.clock.due_at(),
            match_id=draft.match.id if draft.match else None,
            next_secret=draft.next_secret,
            next_commit=draft.next_commit,
            removed=json.dumps(sorted(draft.removed)),
        )
    else:
        with connection.cursor() as cursor:
            cursor.execute(
                f"UPDATE {table} SET status=%s, seq=%s, position_seq=%s, clock=%s, due_at=%s"  # noqa: S608
                " WHERE id=%s AND seq=%s",
                [
                    draft.status,
                    draft.seq,
                    draft.position_seq,
                    draft.clock.to_json(),
                    draft.clock.due_at(),
                    draft.table_id,
                    was,
                ],
            )
            changed = cursor.rowcount
    if changed != 1:
        raise Conflict(draft.code)
    if "seats" in draft.touched:
        _write_seats(draft)
    if draft.match is not None and "match" in draft.touched:
        _write_match(draft, draft.match)
    if draft.new_events:
        _write_events(draft, now)


def _choice_columns(choices: Choices) -> dict[str, Any]:
    options = choices.options
    return {
        "rules": options.rules,
        "players": options.players,
        "sides": options.sides,
        "target": options.target,
        "double_six_opens": options.double_six_opens,
        "kind": choices.kind,
        "ranked": choices.ranked,
        "private": choices.private,
        "turn_seconds": choices.turn_seconds,
        "aid": choices.aid,
        "replay": choices.replay,
    }


def _write_seats(draft: Live) -> None:
    Seat.objects.filter(table_id=draft.table_id).delete()
    Seat.objects.bulk_create(
        Seat(
            table_id=draft.table_id,
            seat=h.seat,
            player_id=h.player_id,
            bot=h.bot,
            sat_at=h.sat_at,
            seed=h.seed,
            seed_commit=h.seed_commit,
            rematch=h.rematch,
        )
        for h in draft.seats
        if h
    )


def _write_match(draft: Live, match: MatchInfo) -> None:
    assert draft.game is not None
    Match.objects.filter(pk=match.id).update(
        status=match.status,
        base=json.dumps(draft.game.base()),
        hand=match.hand,
        hand_from=match.hand_from,
        plies=match.plies,
        scores=json.dumps(draft.game.scores),
        result=json.dumps(match.result),
        ended_at=match.ended_at,
    )


def _write_events(draft: Live, now: float) -> None:
    rows = []
    for event in draft.new_events:
        draft.events += 1
        rows.append(
            (
                draft.match.id if draft.match else None,
                draft.events,
                event.kind,
                event.seat,
                event.word,
                event.auto,
                event.client_id,
                draft.seq,
                json.dumps(event.data) if event.data is not None else "",
                now,
            )
        )
    with connection.cursor() as cursor:
        cursor.executemany(
            f"INSERT INTO {Event._meta.db_table}"  # noqa: S608
            " (match_id, number, kind, seat, word, auto, client_id, seq, data, at)"
            " VALUES (%s, %s, %s, %s, %s, %s, %s, %s, %s, %s)",
            rows,
        )
    draft.new_events = []
