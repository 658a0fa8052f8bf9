"""Rooms as the lobby shows them: one by its code, those that are open, those to watch, one's own.

Read from the committed rows alone, in a fixed number of queries however many rooms there are.
"""

from __future__ import annotations

import json
import re
import time
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from django.db.models import Case, Count, Exists, F, OuterRef, Q, QuerySet, Subquery, When
from django.db.models.functions import Coalesce

from dominoes.rules.options import Options
from dominoes.table import company, presence, store
from dominoes.table.fragments_parts import system_name
from dominoes.table.live import Choices, bot_name
from dominoes.table.models import CODE_LENGTH, CODE_LETTERS, Seat, Socket, Table
from lobby import words
from ranking.models import Player

OPEN, PLAYING, CLOSED = "open", "playing", "closed"

FRESH = 60.0
"""Seconds for which somebody who sat down counts as there, before a socket is open."""

MOST = 100
"""Most rooms in a list."""

OWN = 10
"""Of one's own tables, so many are looked at."""

_CODE = re.compile(f"[{CODE_LETTERS}]{{{CODE_LENGTH}}}")
_IN_MATCH = (Table.PLAYING, Table.BETWEEN)
_NO_MATCH = (Table.OPEN, Table.OVER, Table.ABANDONED)


@dataclass(frozen=True, slots=True)
class Sitter:
    """A taken seat."""

    seat: int
    name: str
    bot: str | None  # its level
    player_id: int | None
    sat_at: float

    @property
    def shown(self) -> str:
        """The name on pages: a bot's is in the reader's language."""
        return words.bot_name(self.bot) if self.bot else self.name


@dataclass(frozen=True, slots=True)
class Room:
    """A room as whoever has its code may know it."""

    code: str
    choices: Choices
    status: str  # OPEN, PLAYING or CLOSED
    seats: tuple[Sitter | None, ...]
    match: str | None
    commit: str
    scores: tuple[int | None, ...]
    removed: frozenset[int]

    @property
    def options(self) -> Options:
        return self.choices.options

    @property
    def people(self) -> list[Sitter]:
        """Seated persons, the longest there first."""
        people = [sitter for sitter in self.seats if sitter and not sitter.bot]
        return sorted(people, key=lambda sitter: (sitter.sat_at, sitter.seat))

    @property
    def host(self) -> Sitter | None:
        """The person there longest."""
        return next(iter(self.people), None)

    @property
    def free(self) -> list[int]:
        """The seats that nobody holds."""
        return [seat for seat, sitter in enumerate(self.seats) if sitter is None]

    @property
    def taken(self) -> int:
        """How many seats are held."""
        return len(self.seats) - len(self.free)

    def sitter(self, player_id: int | None) -> Sitter | None:
        """The seat that this person holds."""
        return next((s for s in self.people if s.player_id == player_id), None)

    def shuts_out(self, player: Player | None) -> bool:
        """Whether this person, who doesn't sit here, is avoided by the host. Asks the database."""
        if player is None or self.host is None or self.sitter(player.pk) is not None:
            return False
        return company.is_shut_out(player.pk, self.host.player_id)

    # What pages say of it

    @property
    def system(self) -> str:
        return system_name(self.options.rules)

    @property
    def facts(self) -> str:
        return words.facts(self.choices)

    @property
    def counts(self) -> str:
        choices = self.choices
        return words.counts(
            words.what_counts(choices.kind, choices.ranked, choices.options.players)
        )

    @property
    def names(self) -> str:
        """Who sits there, in the order of the seats."""
        return ", ".join(sitter.shown for sitter in self.seats if sitter)

    @property
    def sides(self) -> list[tuple[str, int | None]]:
        """Each side's names with its score, as far as hands have been finished."""
        out: list[tuple[str, int | None]] = []
        for side in range(self.options.side_count):
            sitters = [self.seats[seat] for seat in self.options.seats_of(side)]
            names = " & ".join(s.shown for s in sitters if s)
            out.append((names, self.scores[side] if side < len(self.scores) else None))
        return out

    def to_json(self) -> dict[str, Any]:
        """The room as programs get it."""
        return {
            "code": self.code,
            "rules": self.options.rules,
            "options": self.options.to_json(),
            "kind": self.choices.kind,
            "ranked": self.choices.ranked,
            "status": self.status,
            "host": self.host.name if self.host else None,
            "seats": [
                {"seat": s.seat, "name": s.name, "bot": s.bot} if s else None for s in self.seats
            ],
            "match": self.match,
            "commit": self.commit,
        }


def clean_code(text: str) -> str:
    """A code as it is stored, made from what somebody typed; "" when it can't be one."""
    code = re.sub(r"[\s\-]", "", text[:40]).upper()
    return code if _CODE.fullmatch(code) else ""


def find(code: str) -> Room:
    """The room with that code, in either case. Raises store.NoSuchTable."""
    clean = clean_code(code)
    rooms = _read(Table.objects.filter(code=clean)) if clean else []
    if not rooms:
        raise store.NoSuchTable(code)
    return rooms[0]


def _present(now: float) -> Q:
    """Somebody is there: a seat's socket is open, or a person sat down just now."""
    sockets = Socket.objects.filter(
        table_id=OuterRef("pk"), seat__isnull=False, process__beat__gt=now - presence.SILENT
    )
    sitting = Seat.objects.filter(
        table_id=OuterRef("pk"), player__isnull=False, sat_at__gt=now - FRESH
    )
    return Exists(sockets) | Exists(sitting)


def listed(now: float | None = None, *, hosts: frozenset[int] = frozenset()) -> list[Room]:
    """The open public rooms with somebody there, newest first; none of these `hosts`."""
    found = _but_of_hosts(_listable(_NO_MATCH, time.time() if now is None else now), hosts)
    return _read(found.order_by("-created_at")[:MOST])


def to_join(
    player: Player | None, *, avoid: frozenset[int] = frozenset(), most: int = 12
) -> list[Room]:
    """The newest open public rooms with a free seat in which the player doesn't sit yet.

    None in which somebody to `avoid` sits.
    """
    found = _listable(_NO_MATCH, time.time(), avoid)
    here = Seat.objects.filter(table_id=OuterRef("pk"))
    if player is not None:
        found = found.exclude(Exists(here.filter(player=player)))
    taken = here.order_by().values("table_id").annotate(n=Count("pk")).values("n")
    found = found.alias(taken=Coalesce(Subquery(taken), 0)).filter(taken__lt=F("players"))
    return _read(found.order_by("-created_at")[:most])


def to_watch(
    now: float | None = None,
    *,
    avoid: frozenset[int] = frozenset(),
    hosts: frozenset[int] = frozenset(),
    most: int = 3,
) -> list[Room]:
    """Public tables where people play just now, those with the newest match first.

    None in which somebody to `avoid` plays, and none of these `hosts`.
    """
    found = _listable(_IN_MATCH, time.time() if now is None else now, avoid)
    found = _but_of_hosts(found, hosts)
    return _read(found.order_by("-match__started_at")[:most])


def _listable(
    statuses: Iterable[str], now: float, avoid: frozenset[int] = frozenset()
) -> QuerySet[Table]:
    # A nearby room's code is its key: it is for those who were given it.
    rooms = Table.objects.filter(_present(now), status__in=statuses, private=False, kind="online")
    if avoid:
        theirs = Seat.objects.filter(table_id=OuterRef("pk"), player_id__in=avoid)
        rooms = rooms.exclude(Exists(theirs))
    return rooms


def _but_of_hosts(rooms: QuerySet[Table], hosts: frozenset[int]) -> QuerySet[Table]:
    """Without the rooms of these hosts. Whoever has been there longest is host, as in `Room`."""
    if not hosts:
        return rooms
    people = Seat.objects.filter(table_id=OuterRef("table_id"), player__isnull=False)
    host = people.order_by("sat_at", "seat").values("pk")[:1]
    theirs = Seat.objects.filter(table_id=OuterRef("pk"), player_id__in=hosts, pk=Subquery(host))
    return rooms.exclude(Exists(theirs))


def _read(rows: QuerySet[Table]) -> list[Room]:
    secrets = ("next_secret", "clock", "match__secret", "match__base", "match__seeds")
    tables = list(rows.select_related("match").defer(*secrets))
    seats: dict[int, list[Sitter]] = defaultdict(list)
    rows_of_seats = Seat.objects.filter(table_id__in=[t.pk for t in tables]).values_list(
        "table_id", "seat", "player__name", "bot", "player_id", "sat_at"
    )
    for table_id, seat, name, bot, player_id, sat_at in rows_of_seats:
        sitter = Sitter(seat, name or bot_name(bot), bot or None, player_id, sat_at)
        seats[table_id].append(sitter)
    return [_room(table, seats[table.pk]) for table in tables]


def _room(row: Table, sitters: list[Sitter]) -> Room:
    options = Options.of(
        row.rules,
        players=row.players,
        sides=row.sides,
        target=row.target,
        double_six_opens=row.double_six_opens,
    )
    seats: list[Sitter | None] = [None] * row.players
    for sitter in sitters:
        if sitter.seat < row.players:  # a change of the choices may be under way
            seats[sitter.seat] = sitter
    playing = row.status in _IN_MATCH
    match = row.match
    return Room(
        code=row.code,
        choices=Choices(
            options, row.kind, row.ranked, row.private, row.turn_seconds, row.aid, row.replay
        ),
        status=CLOSED if row.status == Table.CLOSED else PLAYING if playing else OPEN,
        seats=tuple(seats),
        match=match.pk if match else None,
        commit=match.commit if match and playing else row.next_commit,
        scores=tuple(json.loads(match.scores)) if match and playing else (),
        removed=frozenset(json.loads(row.removed)),
    )


@dataclass(frozen=True, slots=True)
class Waiting:
    """One of a person's own tables."""

    room: Room
    your_turn: bool

    @property
    def playing(self) -> bool:
        return self.room.status == PLAYING


def waiting_for(player: Player, most: int = 6) -> list[Waiting]:
    """The tables where this person sits and is waited for: matches first, one's turn before all.

    A match that the person left isn't among them, nor is a closed room.
    """
    mine = Table.objects.filter(seat_rows__player=player, status__in=(*_IN_MATCH, *_NO_MATCH))
    matches_first = Case(When(status__in=_IN_MATCH, then=0), default=1)
    found = []
    for room in _read(mine.order_by(matches_first, "-created_at")[:OWN]):
        your_turn = False
        if room.status == PLAYING:
            live = store.fresh(room.code)
            holder, game = live.holder_of(player.pk), live.game
            if holder is None or game is None or holder.seat in game.left:
                continue
            your_turn = live.status == Table.PLAYING and game.turn == holder.seat
        found.append(Waiting(room, your_turn))
    found.sort(key=lambda one: (not one.your_turn, not one.playing))
    return found[:most]


def busy_at(player: Player) -> str | None:
    """The table where this person plays a match that others wait in; None if there is none."""
    return next(
        (one.room.code for one in waiting_for(player) if one.playing and len(one.room.people) > 1),
        None,
    )
