"""The threads of a server that do things by the clock: its heartbeat, and what falls due.

Any number of processes may sweep: each due thing happens once, under the table's lock. So that they
don't queue up behind each other, each takes its own share of the tables first, and another's only
when that is overdue.

What is played for a person, or lost, because of the clock is first up to the process that holds the
seat's oldest socket, whosever share the table is. It alone knows what has come from there: its
sweeper stands in line behind the moves that came in time. The others leave it alone for three
seconds. After that they know that the process lives, or find it late, and then the seat is in doubt
until its process has woken up or is buried: so nobody loses on a clock that ran out in the moments
after a process died.

That process also knows whether the seat's line still stands: a dead one is noticed by itself only
ten to sixteen seconds later. While a seat has its reserve, its time-out waits for a sign of life
that came after the deadline, and has the client asked for one; where none comes within two seconds,
the seat counts as one without a connection. Whatever was sent in time comes before the answer.
Where the reserve is used up nothing depends on it, and nothing is gained by not answering.
"""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Callable, Iterable
from concurrent.futures import Future
from functools import partial
from typing import Any, Final

import structlog
from django.db import close_old_connections, connection
from django.db.models import QuerySet

from dominoes.table import automatic, metrics, presence, store
from dominoes.table.clock import Clock
from dominoes.table.live import Live
from dominoes.table.models import Table
from dominoes.table.presence import Lost
from dominoes.table.threads import own_connection

log = structlog.get_logger(__name__)

SWEEP_EVERY: Final = 0.2  # seconds; nothing at a table is timed finer than that
OVERDUE: Final = 1.0  # another process's share that waits this long is anybody's
AT_ONCE: Final = 500
# Seconds in which a line has to show that it stands when a clock has run out. Less than LATE: until
# then the other processes leave it to this one to find out.
ANSWER_WITHIN: Final = 2.0


class Ticker(threading.Thread):
    """A thread that calls `tick` again and again; an error is logged and survived."""

    def __init__(self, name: str, tick: Callable[[], float]) -> None:
        """`tick` gives the seconds until it wants to be called again."""
        super().__init__(name=name, daemon=True)
        self._tick = tick
        self._ended = threading.Event()

    def run(self) -> None:
        own_connection()
        pause = 0.0
        while not self._ended.wait(pause):
            try:
                pause = self._tick()
            except Exception:
                metrics.ERRORS.labels(self.name).inc()
                log.exception("a tick failed", ticker=self.name)
                pause = 1.0
            if connection.vendor != "sqlite":
                close_old_connections()
        connection.close()

    def ask_to_stop(self) -> None:
        """Begin no further tick."""
        self._ended.set()

    def stop(self) -> None:
        """Finish the present tick, then end."""
        self._ended.set()
        if self.is_alive():
            self.join(10)


def beat() -> float:
    """The heartbeat's tick.

    On SQLite through the writing thread: while that writes commit after commit, a second connection
    may wait for its turn longer than a heart may stand still.
    """
    if connection.vendor == "sqlite":
        store.call(presence.beat, time.time())
    else:
        presence.beat(time.time())
    return presence.BEAT


def sweep() -> float:
    """The sweeper's tick: lost time first, then whatever is due."""
    now = time.time()
    if not presence.settled(now):
        return SWEEP_EVERY
    if presence.may_be_lost(now):
        for lost in store.call(make_up, now):
            log.warning(
                "time that doesn't count",
                seconds=round(lost.gap, 1),
                everyone=lost.everyone,
                seats=len(lost.seats),
            )
        # Sockets that opened before the first heartbeat, or went with a buried one, have no rows.
        store.call(presence.write_rows, now)
    # What was due by then, not what is due now: if this process is halted here and wakes up, time
    # was lost that the next tick makes up for.
    done = fire_due(now)
    return 0.0 if done >= AT_ONCE else SWEEP_EVERY


def make_up(now: float) -> list[Lost]:
    """In one transaction: count as alive, and move the deadlines by the time that doesn't count."""
    found = presence.lost_time(now)
    _lock(found)
    for lost in found:
        dropped = {table_id for table_id, _seat in lost.seats}
        codes = dict(Table.objects.filter(pk__in=dropped).values_list("pk", "code"))
        if lost.everyone:
            waiting = Table.objects.filter(due_at__isnull=False) | _without_deadline()
        else:
            waiting = Table.objects.filter(
                pk__in=[pk for pk, code in codes.items() if _waits_for(code, lost, now)]
            )
        _move_deadlines(waiting, lost.gap, now)
        for code in codes.values():
            with contextlib.suppress(store.NoSuchTable):
                automatic.presence_changed(code)
    return found


def _lock(found: list[Lost]) -> None:
    """Lock all tables concerned, in the same order in every process that does so."""
    if found and connection.features.has_select_for_update:
        pks = {table_id for lost in found for table_id, _seat in lost.seats}
        tables = Table.objects.filter(pk__in=pks)
        if any(lost.everyone for lost in found):
            tables |= Table.objects.filter(due_at__isnull=False) | _without_deadline()
        list(tables.select_for_update().order_by("pk").values_list("pk", flat=True))


def _move_deadlines(tables: QuerySet[Table], gap: float, now: float) -> None:
    """Move every deadline of these tables by `gap` seconds.

    Only the clocks are read: after an outage of a large site these are thousands of tables, and
    nobody should wait until the hand of each is rebuilt.
    """
    moved = []
    locked = tables.select_for_update() if connection.features.has_select_for_update else tables
    for id, code, seq, stored in list(locked.values_list("id", "code", "seq", "clock")):
        clock = Clock.from_json(stored)
        clock.move_all(gap, now)
        if clock.to_json() != stored:
            moved.append((clock.to_json(), clock.due_at(), seq + 1, id, seq))
            # What is in memory is old now; open tables are read again when they are looked at.
            store.after_commit(partial(store.forget, code))
    with connection.cursor() as cursor:
        cursor.executemany(
            f"UPDATE {Table._meta.db_table} SET clock=%s, due_at=%s, seq=%s"  # noqa: S608
            " WHERE id=%s AND seq=%s",
            moved,
        )


def _without_deadline() -> QuerySet[Table]:
    # At tables without a clock a claim counts from the last move; nothing there is due by itself.
    return Table.objects.filter(due_at__isnull=True, status=Table.PLAYING)


def _waits_for(code: str, lost: Lost, now: float) -> bool:
    """Whether the table waits for one of the seats that could not be reached.

    Not where the turn began after its player had come back elsewhere: nothing of it is lost.
    """
    try:
        live = store.fresh(code)
    except store.NoSuchTable:
        return False
    since, turn_from = now - lost.gap, live.clock.turn_from
    return any(
        seat in live.clock.holds
        or turn_from is None
        or turn_from <= since
        or not presence.came_back(live.table_id, seat, since, turn_from)
        for seat in _awaited(live)
        if (live.table_id, seat) in lost.seats
    )


def _awaited(live: Live) -> set[int]:
    """The seats whose time runs at a table."""
    seats = set(live.clock.holds)
    if live.status == Table.PLAYING and live.game is not None and live.game.turn is not None:
        seats.add(live.game.turn)
    return seats


def _share_of_due(now: float) -> dict[str, float]:
    """The tables at which this process does what is due, and since when it is.

    Those of its own share, and those where a person's time ran out who is connected here; another's
    overdue ones only where it has time left for them, so that processes which can't keep up don't
    all try the same.
    """
    rank, count = presence.share(now)
    due = Table.objects.filter(due_at__lte=now).order_by("due_at")[: AT_ONCE * count]
    own: dict[str, float] = {}
    overdue: dict[str, float] = {}
    for id, code, due_at in due.values_list("id", "code", "due_at"):
        if id % count == rank or _is_held_here(id, code):
            own[code] = due_at or now
        elif due_at is not None and due_at < now - OVERDUE:
            overdue[code] = due_at
    spare = max(0, AT_ONCE // 10 - len(own))
    return dict([*own.items()][:AT_ONCE] + [*overdue.items()][:spare])


def _is_held_here(id: int, code: str) -> bool:
    """Whether a table waits, as far as is known here, for a person who is connected here."""
    held = presence.held_here(id)
    live = store.peek(code) if held else None
    return live is not None and _played_for(live) in held


def _played_for(live: Live) -> int | None:
    """The person's seat for which something is played, or lost, when the first deadline is over."""
    due, game = live.clock.first(), live.game
    if due is None or due.what not in ("turn", "act") or game is None or game.turn is None:
        return None
    holder = live.seats[game.turn]
    return game.turn if holder is not None and not holder.bot else None


def _first_elsewhere(lives: Iterable[Live]) -> dict[tuple[int, int], float]:
    """`presence.first_elsewhere` of the seats for which something is to be played."""
    seats = ((live.table_id, _played_for(live)) for live in lives)
    return presence.first_elsewhere({(id, seat) for id, seat in seats if seat is not None})


def _is_anothers(live: Live, elsewhere: dict[tuple[int, int], float], now: float) -> bool:
    """Whether what is due is left to the process that holds the seat's oldest socket."""
    due, seat = live.clock.first(), _played_for(live)
    if due is None or seat is None or now - due.at > presence.LATE:
        return False
    there = elsewhere.get((live.table_id, seat))
    here = presence.first_here(live.table_id, seat)
    return there is not None and (here is None or there < here)


def _heard(live: Live, now: float) -> bool | None:
    """Whether the seat whose clock has run out is connected, if it has a socket here.

    None: that isn't known yet. True where nothing depends on it.
    """
    due, seat = live.clock.first(), _played_for(live)
    if due is None or due.what != "turn" or seat is None or seat in live.clock.reserve_used:
        return True
    if presence.heard_since(live.table_id, seat, due.at):
        return True
    return None if now - due.at <= ANSWER_WITHIN else False


def _what_to_do(
    live: Live, elsewhere: dict[tuple[int, int], float], now: float
) -> tuple[Callable[..., bool], tuple[Any, ...]] | None:
    """`automatic.duty` of a table where something is due, None where it isn't to be done yet."""
    if _is_anothers(live, elsewhere, now):
        return None
    heard, seat = _heard(live, now), _played_for(live)
    if heard is None:
        return None
    # A socket in another process may answer, which only that process knows.
    silent = not heard and (live.table_id, seat) not in elsewhere
    return automatic.duty(live, now, seat if silent else None)


def fire_due(now: float) -> int:
    """Do what is due; the number of tables at which something was.

    Bots think in this thread; what comes of it is stored by the writing thread, together.
    """
    mine = _share_of_due(now)
    if not mine:
        return 0
    doubt = presence.doubtful(now)
    asked: list[tuple[float, Future[bool]]] = []
    newest = store.fresh_all(list(mine))
    elsewhere = _first_elsewhere(newest.values())
    for code, due_at in mine.items():
        live = newest.get(code)
        if live is None or any((live.table_id, seat) in doubt for seat in _awaited(live)):
            continue
        try:
            what = _what_to_do(live, elsewhere, now)
        except Exception:  # a bot's fault is its own table's alone
            metrics.ERRORS.labels("sweep").inc()
            log.exception("what is due could not be found out", table=code)
            continue
        if what is not None:
            command, about = what
            asked.append((due_at, store.submit_at(code, command, *about)))
    done = 0
    for due_at, answer in asked:
        try:
            if answer.result():
                done += 1
                metrics.SWEEPER_LAG.observe(max(0.0, time.time() - due_at))
        except store.NoSuchTable:
            continue
        except Exception:
            metrics.ERRORS.labels("sweep").inc()
            log.exception("what was due could not be done")
    return done
