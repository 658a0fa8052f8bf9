"""The statement that reads rooms for a list: each with its match and its seats, in one go.

Plain SQL: home shows three such lists, and making the statements through the ORM took longer than
all the rest of that page.
"""

# ruff: noqa: S608 (the pieces are ours, what people typed goes as a parameter)
from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import Any, Final

from django.db import connection

from dominoes.table import presence
from dominoes.table.clock import FRESH
from dominoes.table.models import Match, Process, Seat, Socket, Table
from ranking.models import Player

IN_MATCH: Final = (Table.PLAYING, Table.BETWEEN)
NO_MATCH: Final = (Table.OPEN, Table.OVER, Table.ABANDONED)

_TABLE, _MATCH, _SEAT, _PLAYER, _SOCKET, _PROCESS = (
    model._meta.db_table for model in (Table, Match, Seat, Player, Socket, Process)
)

NEWEST: Final = "-t.created_at"
NEWEST_MATCH: Final = "-m.started_at"
# Those in which others wait before those against bots alone, before all that isn't played.
MATCHES_FIRST: Final = (
    f"CASE WHEN t.status NOT IN ('{IN_MATCH[0]}', '{IN_MATCH[1]}') THEN 2"
    f" WHEN (SELECT COUNT(h.player_id) FROM {_SEAT} h WHERE h.table_id = t.id) > 1 THEN 0"
    " ELSE 1 END, -t.created_at"
)


@dataclass(frozen=True, slots=True)
class Which:
    """A condition on a room, where `t` is its table and `m` its present or last match, if any."""

    sql: str
    params: tuple[Any, ...] = ()


@dataclass(frozen=True, slots=True)
class RoomRow:
    """A table's columns as a list needs them: nothing of the racks, the seeds or the clock."""

    code: str
    rules: str
    players: int
    sides: str
    target: int
    double_six_opens: bool
    kind: str
    ranked: bool
    private: bool
    turn_seconds: int
    aid: bool
    replay: str
    status: str
    next_commit: str
    removed: str
    match: str | None
    commit: str | None
    scores: str | None


@dataclass(frozen=True, slots=True)
class SeatRow:
    """A seat that somebody holds."""

    seat: int
    name: str | None
    bot: str
    player_id: int | None
    sat_at: float


_COLUMNS: Final = (
    "t.code, t.rules, t.players, t.sides, t.target, t.double_six_opens, t.kind, t.ranked,"
    " t.private, t.turn_seconds, t.aid, t.replay, t.status, t.next_commit, t.removed,"
    ' m.id AS match_id, m."commit" AS match_commit, m.scores'
)
_WIDTH: Final = len(RoomRow.__dataclass_fields__)
_BOOLEANS: Final = [
    place
    for place, field in enumerate(RoomRow.__dataclass_fields__.values())
    if field.type == "bool"
]


def read(
    *conditions: Which, first: str = NEWEST, most: int = 1
) -> list[tuple[RoomRow, list[SeatRow]]]:
    """At most so many rooms for which every condition holds, those `first` that come first.

    One statement, however many rooms there are. Its text depends on the conditions, never on what
    somebody typed: values go as parameters.
    """
    sql = (
        f"WITH found AS (SELECT t.id AS table_id, ROW_NUMBER() OVER (ORDER BY {first}) AS place,"
        f" {_COLUMNS} FROM {_TABLE} t LEFT JOIN {_MATCH} m ON m.id = t.match_id"
        f" WHERE {' AND '.join(one.sql for one in conditions)}"
        f" ORDER BY {first} LIMIT %s)"
        " SELECT found.*, s.seat, p.name, s.bot, s.player_id, s.sat_at FROM found"
        f" LEFT JOIN {_SEAT} s ON s.table_id = found.table_id"
        f" LEFT JOIN {_PLAYER} p ON p.id = s.player_id"
        " ORDER BY place, s.seat"
    )
    with connection.cursor() as cursor:
        cursor.execute(sql, [*(value for one in conditions for value in one.params), most])
        rows = cursor.fetchall()
    found: dict[int, tuple[RoomRow, list[SeatRow]]] = {}
    for table_id, _place, *rest in rows:
        if table_id not in found:
            columns = rest[:_WIDTH]
            for place in _BOOLEANS:
                columns[place] = bool(columns[place])  # SQLite has none
            found[table_id] = RoomRow(*columns), []
        seat = rest[_WIDTH:]
        if seat[0] is not None:
            found[table_id][1].append(SeatRow(*seat))
    return list(found.values())


def coded(code: str) -> Which:
    """The room with this code."""
    return Which("t.code = %s", (code,))


def stands(statuses: Iterable[str]) -> Which:
    """Rooms that stand so."""
    return Which(*_among("t.status", tuple(statuses)))


def listable(now: float) -> Which:
    """Public rooms with somebody there: a seat's socket is open, or a person sat down just now.

    A nearby room's code is its key: it is for those who were given it.
    """
    return Which(
        "NOT t.private AND t.kind = 'online' AND ("
        f"EXISTS (SELECT 1 FROM {_SOCKET} o JOIN {_PROCESS} a ON a.id = o.process_id"
        " WHERE o.table_id = t.id AND o.seat IS NOT NULL AND a.beat > %s)"
        f" OR EXISTS (SELECT 1 FROM {_SEAT} h"
        " WHERE h.table_id = t.id AND h.player_id IS NOT NULL AND h.sat_at > %s))",
        (now - presence.SILENT, now - FRESH),
    )


def with_a_free_seat() -> Which:
    """Rooms that have room."""
    return Which(f"(SELECT COUNT(*) FROM {_SEAT} h WHERE h.table_id = t.id) < t.players")


def seating(player_id: int) -> Which:
    """Rooms in which this person sits."""
    return Which(
        f"t.id IN (SELECT h.table_id FROM {_SEAT} h WHERE h.player_id = %s)",
        (player_id,),
    )


def without(people: Collection[int]) -> Which:
    """Rooms in which none of these people sits."""
    if not people:
        return _ALL
    theirs, params = _among("h.player_id", tuple(people))
    return Which(
        f"NOT EXISTS (SELECT 1 FROM {_SEAT} h WHERE h.table_id = t.id AND {theirs})",
        params,
    )


def not_hosted_by(people: Collection[int]) -> Which:
    """Rooms of other hosts. Whoever has been there longest is host, as in `rooms.Room`."""
    if not people:
        return _ALL
    theirs, params = _among("h.player_id", tuple(people))
    return Which(
        f"NOT EXISTS (SELECT 1 FROM {_SEAT} h WHERE h.table_id = t.id AND {theirs} AND h.id ="
        f" (SELECT l.id FROM {_SEAT} l WHERE l.table_id = t.id AND l.player_id IS NOT NULL"
        " ORDER BY l.sat_at, l.seat LIMIT 1))",
        params,
    )


_ALL: Final = Which("1 = 1")


def _among(column: str, values: tuple[Any, ...]) -> tuple[str, tuple[Any, ...]]:
    return f"{column} IN ({', '.join(['%s'] * len(values))})", values
