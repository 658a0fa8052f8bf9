"""Who is here: heartbeats of processes, and the seats whose sockets they hold.

A process writes its heartbeat every second, and a row for each seat's socket. A seat is here while
one of its sockets lives on a process whose heartbeat is fresh; the sockets of this very process are
known from memory. Nothing rests on a socket's end having been noticed: a process that dies takes
its sockets along as soon as its heartbeat is old.

Time in which nobody could reach a seat doesn't count (the rules' "no server ran"), and `lost_time`
tells of it once: of every table where no process ran at all, of certain seats where only the
process that held them fell silent. Until that is known, `doubtful` names the seats that nothing may
be played for.

Such a seat is one with a socket on a process that fell silent, unless another of its sockets was
open elsewhere before that: the seat could be reached by that one all the time. A socket that opened
elsewhere *since* is its player who comes back from the process that hangs. It makes the seat here
again, but gives back nothing of the time before, in which the move may have been sent that the
silent process swallowed.

All times are seconds since the epoch. What writes runs in the caller's thread, with its connection.
"""

from __future__ import annotations

import threading
import time
import uuid
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Final, NamedTuple, Protocol

from django.db import connection, transaction
from django.db.models import QuerySet

from dominoes.table.models import Process, Socket, Table

BEAT: Final = 1.0  # how often a process says that it is alive
LATE: Final = 3.0  # a heartbeat this old: its process may be dead or halted
SILENT: Final = 10.0  # this old: its sockets count no more

# The row that keeps the time of an orderly stop; it is no process.
STOPPED: Final = "stopped"


class Line(Protocol):
    """The connection under a socket of this process."""

    heard: float  # when anything came over it last

    def ask(self) -> None:
        """Have the other end answer. From any thread, and as often as one likes."""
        ...


@dataclass(frozen=True, slots=True)
class Held:
    """A seat's socket in this process."""

    handle: int
    table_id: int
    seat: int
    player_id: int | None
    opened: float
    line: Line | None = None  # None where nobody can be asked (in tests)


@dataclass(frozen=True, slots=True)
class Lost:
    """Time that doesn't count: `gap` seconds for everyone, or for these (table id, seat) pairs.

    The pairs are the seats whose sockets went with it, in both cases.
    """

    gap: float
    everyone: bool
    seats: frozenset[tuple[int, int]]


@dataclass(slots=True)
class _Own:
    """What this process knows of itself. Changed under `lock`, read from any thread."""

    id: str = ""
    began: float = 0.0
    beat: float = 0.0  # the last heartbeat that reached the database
    seen: dict[str, float] = field(default_factory=dict)  # others' heartbeats as it began
    held: dict[int, Held] = field(default_factory=dict)
    at: dict[int, dict[int, Held]] = field(default_factory=dict)  # table id → its sockets
    here: dict[int, frozenset[int]] = field(default_factory=dict)  # table id → seats
    rows: dict[int, int] = field(default_factory=dict)  # handle → id of its row
    handles: int = 0
    lock: threading.Lock = field(default_factory=threading.Lock)


_own = _Own()


def process_id() -> str:
    """This process's id, "" before `begin`."""
    return _own.id


def reset() -> None:
    """Forget everything that this process knows (for tests)."""
    global _own
    _own = _Own()


# Sockets of this process


def opened(
    table_id: int,
    seat: int,
    player_id: int | None,
    at: float | None = None,
    line: Line | None = None,
) -> Held:
    """A seat's socket opened here (`at`: by default now): the seat is here. Any thread."""
    at = time.time() if at is None else at
    with _own.lock:
        _own.handles += 1
        held = Held(_own.handles, table_id, seat, player_id, at, line)
        _own.held[held.handle] = held
        there = _own.at.setdefault(table_id, {})
        there[held.handle] = held
        _own.here[table_id] = frozenset(one.seat for one in there.values())
    return held


def closed(held: Held) -> None:
    """That socket is gone."""
    with _own.lock:
        if _own.held.pop(held.handle, None) is None:
            return
        there = _own.at[held.table_id]
        del there[held.handle]
        if there:
            _own.here[held.table_id] = frozenset(one.seat for one in there.values())
        else:
            del _own.at[held.table_id], _own.here[held.table_id]


class Here(NamedTuple):
    """Who is at a table, as a command found it."""

    code: str
    seats: frozenset[int]  # with a living socket, here or in another process
    match: str | None  # that is being played
    people: tuple[int, ...]  # the seats of persons who are in it
    changed: bool  # whether anything was stored because of it


def held_here(table_id: int) -> frozenset[int]:
    """The seats of a table with a socket in this process, from memory."""
    return _own.here.get(table_id, frozenset())


def heard_since(table_id: int, seat: int, at: float) -> bool:
    """Whether anything has come since `at` over a socket that a seat has in this process.

    If not, they are asked to answer. True as well where the seat has none.
    """
    held = [one for one in _sockets_here(table_id) if one.seat == seat]
    lines = [one.line for one in held if one.line is not None]
    if len(lines) < len(held) or not lines or any(line.heard >= at for line in lines):
        return True
    for line in lines:
        line.ask()
    return False


def _sockets_here(table_id: int) -> list[Held]:
    with _own.lock:
        return list(_own.at.get(table_id, {}).values())


def seats_here(table_id: int, now: float | None = None) -> frozenset[int]:
    """The seats of a table that have a living socket, in this process or another."""
    return all_here([table_id], now)[table_id]


def all_here(table_ids: Iterable[int], now: float | None = None) -> dict[int, frozenset[int]]:
    """`seats_here` for each of many tables, with few statements."""
    found = {table_id: set(held_here(table_id)) for table_id in table_ids}
    ids = list(found)
    for start in range(0, len(ids), 500):
        rows = (
            Socket.objects.filter(
                table_id__in=ids[start : start + 500],
                seat__isnull=False,
                process__beat__gt=(now or time.time()) - SILENT,
            )
            .exclude(process_id=_own.id)
            .values_list("table_id", "seat")
        )
        for table_id, seat in rows:
            if seat is not None:
                found[table_id].add(seat)
    return {table_id: frozenset(seats) for table_id, seats in found.items()}


def write_rows(now: float) -> None:
    """Bring the database's rows of this process's sockets up to what it holds.

    In a transaction; writes nothing before the first heartbeat, nor after others have buried this
    process: then it writes all of them once it counts as alive again. Nor while its own silence is
    to be made up for: that is done for the seats in the rows, also where a socket has ended since.
    """
    if not _own.id or not _own.beat or now - _own.beat > LATE:
        return
    with _own.lock:
        held, rows = dict(_own.held), dict(_own.rows)
    old = [handle for handle in rows if handle not in held]
    new = [one for handle, one in held.items() if handle not in rows]
    if not new and not old:
        return
    if not Process.objects.filter(pk=_own.id).exists():
        return
    tables = set(
        Table.objects.filter(pk__in={one.table_id for one in new}).values_list("pk", flat=True)
    )
    new = [one for one in new if one.table_id in tables]
    if old:
        Socket.objects.filter(pk__in=[rows[handle] for handle in old]).delete()
    made = Socket.objects.bulk_create(
        [
            Socket(
                process_id=_own.id,
                table_id=one.table_id,
                seat=one.seat,
                player_id=one.player_id,
                opened=now,
            )
            for one in new
        ]
    )

    def written() -> None:
        with _own.lock:
            for handle in old:
                _own.rows.pop(handle, None)
            for one, row in zip(new, made, strict=True):
                _own.rows[one.handle] = row.pk

    transaction.on_commit(written)


# Heartbeats


def begin(now: float) -> None:
    """This process comes up; it counts as alive from its first `lost_time` on.

    It looks at the heartbeats that stand there, so that `settled` can tell a neighbour that is
    alive from one that died a moment ago.
    """
    reset()
    _own.id = str(uuid.uuid4())
    _own.began = now
    _own.seen = {p.id: p.beat for p in Process.objects.exclude(pk=STOPPED) if p.beat > now - LATE}


def settled(now: float) -> bool:
    """Whether it is known if anybody ran before this process came up; until then nothing is due.

    Known at once where no heartbeat was recent; else as soon as a neighbour beats again or, when
    none does, after three seconds.
    """
    if not _own.seen or now - _own.began >= LATE:
        return True
    beats = Process.objects.filter(pk__in=list(_own.seen)).values_list("id", "beat")
    if any(beat > _own.seen[id] for id, beat in beats):
        _own.seen = {}
        return True
    return False


def beat(now: float) -> bool:
    """Say that this process is alive; False when it was silent itself: `lost_time` is due."""
    if not _own.beat or now - _own.beat > LATE:
        return False
    if not Process.objects.filter(pk=_own.id).update(beat=now):
        _own.beat = 0.0  # buried by another
        return False
    _own.beat = now
    return True


def awake() -> bool:
    """Whether this process knows how long no server ran; before that, no time counts here.

    True as well where no server is run (commands, plain tests).
    """
    return not _own.id or bool(_own.beat)


def healthy(now: float) -> bool:
    """Whether this process's heart beats, or (in tests) was never meant to."""
    return not _own.id or not _own.beat or now - _own.beat <= SILENT


def may_be_lost(now: float) -> bool:
    """Whether `lost_time` has anything to do: a look without a lock."""
    if not _own.beat or now - _own.beat > LATE:
        return True
    return _silent(now).exists()


def _silent(now: float) -> QuerySet[Process]:
    return Process.objects.filter(beat__lt=now - SILENT).exclude(pk__in=[_own.id, STOPPED])


def lost_time(now: float) -> list[Lost]:
    """Count this process as alive, bury those that aren't, and tell the time that doesn't count.

    To be called in a transaction, which the caller ends once it has moved the deadlines: what is
    told here is told to one caller only. Until `settled` there is nothing to tell.
    """
    lost = []
    if not _own.beat or now - _own.beat > LATE:
        silence = _come_back(now)
        if silence is not None:
            lost.append(silence)
    return lost + _bury(now)


def _come_back(now: float) -> Lost | None:
    """Be alive (again), and tell what nobody else could tell of the time before."""
    if connection.features.has_select_for_update:
        list(Process.objects.select_for_update().order_by("pk").values_list("pk", flat=True))
    beats = dict(Process.objects.values_list("id", "beat"))
    mine = beats.pop(_own.id, None)
    last = max([*beats.values(), *([] if mine is None else [mine])], default=None)
    beats.pop(STOPPED, None)
    # A heartbeat that stood there already as this process began, and hasn't moved, proves nothing.
    ran = any(now - at <= LATE and _own.seen.get(id) != at for id, at in beats.items())
    lost = None
    if not ran:
        if last is not None and now > last:
            lost = Lost(now - last, True, _only_on(beats))
        # Their sockets ended, or they will write their rows again when they come back.
        Process.objects.filter(pk__in=list(beats)).delete()
    elif mine is not None and now - mine > LATE:
        lost = Lost(now - mine, False, _only_on({_own.id: mine}))
    if mine is None:
        Process.objects.create(id=_own.id, started=_own.began or now, beat=now)
        with _own.lock:
            _own.rows.clear()
    else:
        Process.objects.filter(pk=_own.id).update(beat=now)
    transaction.on_commit(lambda: setattr(_own, "beat", now))
    return lost


def _bury(now: float) -> list[Lost]:
    """Take processes that have been silent for ten seconds out of the books."""
    silent = _silent(now)
    if connection.features.has_select_for_update:
        silent = silent.select_for_update(skip_locked=True)
    lost = []
    for id, since in list(silent.order_by("pk").values_list("pk", "beat")):
        lost.append(Lost(now - since, False, _only_on({id: since})))
        Process.objects.filter(pk=id).delete()
    return lost


def doubtful(now: float) -> frozenset[tuple[int, int]]:
    """The (table id, seat) pairs that nothing may be played for just now.

    Their sockets are on processes that missed heartbeats and aren't buried yet: they may be, or may
    have been until they came back elsewhere, unreachable through no fault of their own.
    """
    late = {
        id: beat
        for id, beat in Process.objects.exclude(pk=STOPPED).values_list("id", "beat")
        if now - beat > LATE and id != _own.id
    }
    return _only_on(late) if late else frozenset()


def _only_on(silent: Mapping[str, float]) -> frozenset[tuple[int, int]]:
    """The (table id, seat) pairs that nobody could reach since these processes' last heartbeats.

    They have a socket on one of them, and elsewhere none that was open by then.
    """
    since: dict[tuple[int, int], float] = {}
    theirs = Socket.objects.filter(process_id__in=list(silent), seat__isnull=False)
    for process, table_id, seat in theirs.values_list("process_id", "table_id", "seat"):
        if seat is not None:
            pair = table_id, seat
            since[pair] = max(silent[process], since.get(pair, silent[process]))
    if not since:
        return frozenset()
    tables = {table_id for table_id, _seat in since}
    elsewhere = list(
        Socket.objects.filter(table_id__in=tables, seat__isnull=False)
        .exclude(process_id__in=list(silent))
        .values_list("table_id", "seat", "opened")
    )
    if _own.id not in silent:
        held = (one for table_id in tables for one in _sockets_here(table_id))
        elsewhere += [(one.table_id, one.seat, one.opened) for one in held]
    reached = {
        (table_id, seat)
        for table_id, seat, opened in elsewhere
        if seat is not None and opened <= since.get((table_id, seat), 0.0)
    }
    return frozenset(since.keys() - reached)


def first_elsewhere(seats: Collection[tuple[int, int]]) -> dict[tuple[int, int], float]:
    """When the oldest socket opened that each of these (table id, seat) has in other processes.

    Those that have one, also in a process that died and isn't buried yet. For no seats it is no
    statement.
    """
    found: dict[tuple[int, int], float] = {}
    if seats:
        tables = {table_id for table_id, _seat in seats}
        rows = Socket.objects.filter(table_id__in=tables).exclude(process_id=_own.id)
        for table_id, seat, opened in rows.values_list("table_id", "seat", "opened"):
            if seat is not None and (table_id, seat) in seats:
                pair = table_id, seat
                found[pair] = min(opened, found.get(pair, opened))
    return found


def first_here(table_id: int, seat: int) -> float | None:
    """When the oldest socket opened that a seat has in this process, None if it has none."""
    opened = (one.opened for one in _sockets_here(table_id) if one.seat == seat)
    return min(opened, default=None)


def came_back(table_id: int, seat: int, after: float, by: float) -> bool:
    """Whether a socket of that seat, in any process, opened between these two times."""
    if any(one.seat == seat and after < one.opened <= by for one in _sockets_here(table_id)):
        return True
    rows = Socket.objects.filter(table_id=table_id, seat=seat)
    return rows.filter(opened__gt=after, opened__lte=by).exists()


def share(now: float) -> tuple[int, int]:
    """This process's place among those alive, and how many they are; (0, 1) before it counts."""
    alive = Process.objects.filter(beat__gt=now - LATE).exclude(pk=STOPPED)
    ids = sorted({*alive.values_list("pk", flat=True), _own.id})
    return ids.index(_own.id), len(ids)


def end(now: float) -> None:
    """This process stops in good order: its sockets are gone, and the time of it is kept."""
    if not _own.id or not _own.beat:
        return
    with transaction.atomic():
        Process.objects.filter(pk=_own.id).delete()
        if not Process.objects.filter(pk=STOPPED).update(beat=now):
            Process.objects.create(id=STOPPED, started=now, beat=now)
    _own.beat = 0.0
