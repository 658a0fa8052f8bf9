"""A table's rows in the database: read into a `Live`, and what a command changed written back.

The present hand is rebuilt from the match's `base` and the hand's events, so loading costs the same
in the thirtieth hand as in the first. The statements that a move needs are plain SQL, and those of
several tables go to the database together.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import Any, Final, TypeVar

import structlog
from django.db import connection

from dominoes.rules.match import Match as Game
from dominoes.rules.options import Options
from dominoes.table import metrics
from dominoes.table.clock import Clock
from dominoes.table.live import (
    WORDS,
    Choices,
    HandLine,
    Holder,
    Line,
    Live,
    MatchInfo,
    apply_event,
    bot_name,
    options_from,
)
from dominoes.table.models import Event, Match, MatchSeat, Seat, Table

T = TypeVar("T")

log = structlog.get_logger(__name__)


class Conflict(RuntimeError):
    """Somebody else changed the table between our reading and our writing: read again."""


# Reading

AT_ONCE: Final = 200  # tables in a statement: SQLite has a limit of its own
# What `line` takes: an event as the log has it.
LINE: Final = "e.number, e.kind, e.seat, e.word, e.auto, e.data"
# `known` has a row for each match asked for: its id, where its hand begins, the table's seq.
_LOGS: Final = (
    "WITH known(match_id, hand_from, seq) AS (VALUES {places})"  # noqa: S608
    f" SELECT e.match_id, {LINE}"
    f" FROM known JOIN {Event._meta.db_table} e ON e.match_id = known.match_id"
    " WHERE e.seq <= known.seq AND (e.number >= known.hand_from OR e.kind = 'hand')"
    " ORDER BY e.match_id, e.number"
)


def load(code: str) -> Live | None:
    """Read a table from the database; None where there is no such room."""
    return load_all([code]).get(code)


def load_all(codes: Iterable[str]) -> dict[str, Live]:
    """Read many tables from the database with few statements; those that can be read."""
    wanted = list(codes)
    found: dict[str, Live] = {}
    for start in range(0, len(wanted), AT_ONCE):
        rows = Table.objects.select_related("match").filter(
            code__in=wanted[start : start + AT_ONCE]
        )
        found.update(_read(list(rows)))
    return found


def _read(rows: list[Table]) -> dict[str, Live]:
    """These tables, each with its match as the log has it."""
    seats = Seat.objects.filter(table_id__in=[row.pk for row in rows]).select_related("player")
    holders = _by(seats, "table_id")
    with_match = [row for row in rows if row.match is not None]
    places = _by(
        MatchSeat.objects.filter(match_id__in=[r.match_id for r in with_match]), "match_id"
    )
    logs = _logs(with_match)
    found = {}
    for row in rows:
        try:
            live = _table(row, holders.get(row.pk, ()))
            if (match := row.match) is not None:
                _add_match(live, match, places.get(match.pk, ()), logs.get(match.pk, ()))
        except Exception:  # a damaged table must not keep all the others from being read
            metrics.ERRORS.labels("read").inc()
            log.exception("a table can't be read", table=row.code)
            continue
        found[row.code] = live
    return found


def _by(rows: Iterable[T], name: str) -> dict[Any, list[T]]:
    groups: dict[Any, list[T]] = {}
    for row in rows:
        groups.setdefault(getattr(row, name), []).append(row)
    return groups


def _logs(rows: Sequence[Table]) -> dict[str, list[Line]]:
    """By match: the events of the hand that each row tells of, and the ends of those before it.

    What was stored since a row was read belongs to a later state of its table.
    """
    if not rows:
        return {}
    asked: list[Any] = []
    for row in rows:
        assert row.match is not None
        asked += [row.match.pk, row.match.hand_from, row.seq]
    with connection.cursor() as cursor:
        cursor.execute(_LOGS.format(places=", ".join(["(%s, %s, %s)"] * len(rows))), asked)
        logs: dict[str, list[Line]] = {}
        for match_id, *columns in cursor.fetchall():
            logs.setdefault(match_id, []).append(line(columns))
    return logs


def line(columns: Sequence[Any]) -> Line:
    """An event of the log, of its columns in a statement of plain SQL."""
    number, kind, seat, word, auto, data = columns
    return number, kind, seat, word, bool(auto), data  # SQLite has numbers for true and false


def _table(row: Table, holders: Iterable[Seat]) -> Live:
    options = Options.of(
        row.rules,
        players=row.players,
        sides=row.sides,
        target=row.target,
        double_six_opens=row.double_six_opens,
    )
    return Live(
        table_id=row.pk,
        code=row.code,
        choices=Choices(
            options, row.kind, row.ranked, row.private, row.turn_seconds, row.aid, row.replay
        ),
        status=row.status,
        seq=row.seq,
        position_seq=row.position_seq,
        seats=_seats(holders, row.players),
        clock=Clock.from_json(row.clock),
        removed=frozenset(json.loads(row.removed)),
        next_secret=bytes(row.next_secret),
        next_commit=row.next_commit,
        created_at=row.created_at,
    )


def _seats(rows: Iterable[Seat], players: int) -> tuple[Holder | None, ...]:
    seats: list[Holder | None] = [None] * players
    for row in rows:
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


def _add_match(live: Live, row: Match, places: Iterable[MatchSeat], log: Sequence[Line]) -> None:
    options = options_from(row.rules, row.options)
    people: list[int | None] = [None] * options.players
    for place in places:
        people[place.seat] = place.player_id
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
    hands: list[HandLine] = []
    for number, kind, seat, word, auto, data in log:
        if kind == "hand":
            hands.append(HandLine.of(json.loads(data)))
        if number < row.hand_from:
            continue
        apply_event(game, kind, seat, word, data)
        live.events = number
        if kind in WORDS:
            autos.append(auto)
    live.hands = tuple(hands)
    live.autos = tuple(autos)
    live.game = game


# Writing

_TABLE: Final = (
    f"UPDATE {Table._meta.db_table}"  # noqa: S608
    " SET status=%s, seq=%s, position_seq=%s, clock=%s, due_at=%s WHERE id=%s AND seq=%s"
)
# The same for many tables in one statement. PostgreSQL can't tell what a column of NULLs is.
_TABLES: Final = (
    f"UPDATE {Table._meta.db_table} AS t"  # noqa: S608
    " SET status=n.status, seq=n.seq, position_seq=n.position_seq, clock=n.clock,"
    " due_at=CAST(n.due_at AS double precision)"
    " FROM (VALUES {places}) AS n (status, seq, position_seq, clock, due_at, id, was)"
    " WHERE t.id=n.id AND t.seq=n.was"
)
_MATCH: Final = (
    f"UPDATE {Match._meta.db_table} SET status=%s, base=%s, hand=%s, hand_from=%s, plies=%s,"  # noqa: S608
    " scores=%s, result=%s, ended_at=%s WHERE id=%s"
)
_EVENTS: Final = (
    f"INSERT INTO {Event._meta.db_table}"  # noqa: S608
    " (match_id, number, kind, seat, word, auto, client_id, seq, data, at) VALUES "
)


class Writes:
    """What drafts change of their tables' clocks, matches and logs, to be written in one go."""

    def __init__(self) -> None:
        self._tables: list[tuple[Any, ...]] = []
        self._matches: list[tuple[Any, ...]] = []
        self._events: list[tuple[Any, ...]] = []

    def add(self, draft: Live, was: int, now: float) -> None:
        """Take down what a draft changed; `was` is the seq it was made from.

        Its seats and what the host chose are not among it.
        """
        self._tables.append(
            (
                draft.status,
                draft.seq,
                draft.position_seq,
                draft.clock.to_json(),
                draft.clock.due_at(),
                draft.table_id,
                was,
            )
        )
        if draft.match is not None and "match" in draft.touched:
            self._matches.append(_match_row(draft, draft.match))
        self._events += _event_rows(draft, now)

    def mark(self) -> tuple[int, int, int]:
        """How much there is now, for `back_to`."""
        return len(self._tables), len(self._matches), len(self._events)

    def back_to(self, mark: tuple[int, int, int]) -> None:
        """Forget what was taken down since."""
        del self._tables[mark[0] :]
        del self._matches[mark[1] :]
        del self._events[mark[2] :]

    def store(self) -> None:
        """Write all of it, in the present transaction.

        Raises Conflict if a row moved on, and IntegrityError where the log has an id already.
        """
        if not self._tables:
            return
        tables = _first_to_last(self._tables)
        with connection.cursor() as cursor:
            # A statement for each row costs a server a journey; SQLite has none, and repeats a
            # statement for less than it takes to read a long one.
            server = connection.vendor != "sqlite"
            if server and len(tables) > 1:
                cursor.execute(_TABLES.format(places=_places(tables)), _values(tables))
            else:
                _each(cursor, _TABLE, tables)
            if cursor.rowcount != len(tables):
                raise Conflict
            if self._matches:
                _each(cursor, _MATCH, self._matches)
            if self._events and server:
                cursor.execute(_EVENTS + _places(self._events), _values(self._events))
            elif self._events:
                _each(cursor, _EVENTS + _places(self._events[:1]), self._events)


def _each(cursor: Any, statement: str, rows: Sequence[tuple[Any, ...]]) -> None:
    if len(rows) == 1:
        cursor.execute(statement, rows[0])
    else:
        cursor.executemany(statement, rows)


def _first_to_last(tables: list[tuple[Any, ...]]) -> list[tuple[Any, ...]]:
    """For each table the last of its rows, with the seq that the first was made from."""
    joined: dict[int, tuple[Any, ...]] = {}
    for row in tables:
        *about, id, was = row
        joined[id] = (*about, id, joined[id][-1] if id in joined else was)
    return list(joined.values())


def _places(rows: Sequence[tuple[Any, ...]]) -> str:
    return ", ".join([f"({', '.join(['%s'] * len(rows[0]))})"] * len(rows))


def _values(rows: Sequence[tuple[Any, ...]]) -> list[Any]:
    return [value for row in rows for value in row]


def flush(draft: Live, was: int, now: float) -> None:
    """Write a draft, all of it; `was` is the seq it was made from. Raises Conflict."""
    writes = Writes()
    writes.add(draft, was, now)
    writes.store()
    if "table" in draft.touched:
        Table.objects.filter(pk=draft.table_id).update(
            **_choice_columns(draft.choices),
            match_id=draft.match.id if draft.match else None,
            next_secret=draft.next_secret,
            next_commit=draft.next_commit,
            removed=json.dumps(sorted(draft.removed)),
        )
    if "seats" in draft.touched:
        _write_seats(draft)


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


def _match_row(draft: Live, match: MatchInfo) -> tuple[Any, ...]:
    assert draft.game is not None
    return (
        match.status,
        json.dumps(draft.game.base()),
        match.hand,
        match.hand_from,
        match.plies,
        json.dumps(draft.game.scores),
        json.dumps(match.result),
        match.ended_at,
        match.id,
    )


def _event_rows(draft: Live, now: float) -> list[tuple[Any, ...]]:
    match_id = draft.match.id if draft.match else None
    rows: list[tuple[Any, ...]] = []
    for event in draft.new_events:
        draft.events += 1
        data = "" if event.data is None else json.dumps(event.data)
        rows.append(
            (match_id, draft.events, event.kind, event.seat, event.word, event.auto)
            + (event.client_id, draft.seq, data, now)
        )
    draft.new_events = []
    return rows
