"""The tables in this process's memory, and the one way to change them.

Every change runs in the writing thread, inside a transaction: lock the table's row, fork the newest
state, let the command change the fork, write it, commit; only then does the fork become what
readers see, and only then is anybody told. On SQLite what is waiting is committed together (each
command in its own savepoint); on PostgreSQL each command has its own transaction, and commands of
other processes on the same table wait for its lock.

Without a writing thread (management commands, plain tests) commands run where they are called.
"""

from __future__ import annotations

import asyncio
import contextlib
import queue
import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from concurrent.futures import Future
from typing import Any, Concatenate, ParamSpec, TypeVar, cast

import structlog
from django.db import IntegrityError, close_old_connections, connection, transaction
from django.utils import translation

from dominoes.table import live as live_module
from dominoes.table import presence
from dominoes.table.catching import caught_up
from dominoes.table.live import Conflict, Live
from dominoes.table.models import Table

P = ParamSpec("P")
R = TypeVar("R")
Listener = Callable[[Live], None]

log = structlog.get_logger(__name__)

MOST_TOGETHER = 64  # commands in one commit on SQLite
TRIES = 3
MOST_KEPT = 20_000  # tables in memory, a few kB each; others are read again when needed


class NoSuchTable(LookupError):
    """There is no table with that code."""


# The tables used last, the longest unused first.
_published: OrderedDict[str, Live] = OrderedDict()
_publishing = threading.Lock()
_listeners: list[Listener] = []


def peek(code: str) -> Live | None:
    """The newest committed state that this process knows, without asking the database."""
    return _published.get(code)


def forget(code: str | None = None) -> None:
    """Drop a table (or all) from memory; it is read again when needed."""
    if code is None:
        _published.clear()
    else:
        _published.pop(code, None)


def on_change(listener: Listener) -> None:
    """Call `listener(live)` after each commit, in the thread that committed."""
    _listeners.append(listener)


def fresh(code: str) -> Live:
    """The table as the database has it now; reads only what this process doesn't know yet.

    Within a command it is what the command's own transaction sees; nobody else is shown that before
    it is committed. Raises NoSuchTable.
    """
    batch: Batch | None = getattr(_batch, "now", None)
    if batch is not None:
        return batch.newest(code)
    known = _published.get(code)
    if known is not None:
        live = caught_up(known)
        if live is not None:
            return live if live is known else _newest(live)
    row = Table.objects.filter(code=code).values_list("id", "seq").first()
    if row is None:
        forget(code)
        raise NoSuchTable(code)
    if known is not None and known.seq == row[1]:
        return known
    live = live_module.load(code)
    if live is None:
        raise NoSuchTable(code)
    live.here = presence.seats_here(live.table_id)
    return _newest(live)


def _newest(live: Live) -> Live:
    with _publishing:
        known = _published.get(live.code)
        if known is not None and known.seq > live.seq:
            return known
        _published[live.code] = live
        _published.move_to_end(live.code)
        if len(_published) > MOST_KEPT:
            _published.popitem(last=False)
    return live


def refresh_presence(code: str, here: frozenset[int] | None = None) -> Live | None:
    """Take in which seats are here (None: read it); the new state if that changed anything."""
    known = _published.get(code)
    if known is None:
        return None
    if here is None:
        here = presence.seats_here(known.table_id)
    if here == known.here:
        return None
    with _publishing:
        newest = _published.get(code, known)
        now_known = _published[code] = newest.with_presence(here)
    return now_known


class Batch:
    """The drafts of one transaction, published together once it is committed."""

    def __init__(self) -> None:
        self.drafts: dict[str, Live] = {}
        self.after: list[Callable[[], None]] = []
        self.careful = False

    def newest(self, code: str) -> Live:
        """Lock the row and give the state that a command has to start from."""
        with connection.cursor() as cursor:
            lock = " FOR UPDATE" if connection.features.has_select_for_update else ""
            cursor.execute(
                f"SELECT seq FROM {Table._meta.db_table} WHERE code=%s{lock}",  # noqa: S608
                [code],
            )
            row = cursor.fetchone()
        if row is None:
            raise NoSuchTable(code)
        for known in (self.drafts.get(code), _published.get(code)):
            if known is not None and known.seq == row[0]:
                return known
        known = _published.get(code)
        found = caught_up(known) if known is not None else None
        if found is None:
            found = live_module.load(code)
        if found is None:
            raise NoSuchTable(code)
        found.here = presence.seats_here(found.table_id)
        return found

    def publish(self) -> None:
        """After the commit: let readers see the drafts, then tell the listeners."""
        for draft in self.drafts.values():
            draft.touched = set()
            known = _published.get(draft.code)
            if known is not None:
                draft.presence = max(draft.presence, known.presence)
            _newest(draft)
            for listener in _listeners:
                try:
                    listener(draft)
                except Exception:  # telling others must never undo or stop a stored change
                    log.exception("telling of a change failed", table=draft.code)
        for call in self.after:
            call()


_batch = threading.local()


def _current() -> Batch:
    batch: Batch | None = getattr(_batch, "now", None)
    if batch is None:
        raise RuntimeError("commands run through store.call, store.run or store.submit")
    return batch


def careful() -> bool:
    """Whether the present command is being tried again, since something like it was stored."""
    return _current().careful


def after_commit(call: Callable[[], None]) -> None:
    """Run `call` once the present command is committed."""
    _current().after.append(call)


def change(
    code: str, command: Callable[Concatenate[Live, float, P], R], *args: P.args, **kwargs: P.kwargs
) -> R:
    """Run `command(draft, now, …)` on a table and write what it changed.

    Only within `call`, `run` or `submit`. A command that raises, or that changes nothing (it left
    `seq` as it was), writes nothing. Raises NoSuchTable, and whatever the command raises.
    """
    batch = _current()
    base = batch.newest(code)
    now = time.time()
    draft = base.fork()
    answer = command(draft, now, *args, **kwargs)
    if draft.seq != base.seq:
        live_module.flush(draft, base.seq, now)
        batch.drafts[code] = draft
    return answer


# The writing thread


class _Job:
    """A command to run, in the language of whoever asked for it: refusals are sentences."""

    __slots__ = ("args", "fn", "future", "kwargs", "language")

    def __init__(self, fn: Callable[..., Any], args: Any, kwargs: Any) -> None:
        self.fn, self.args, self.kwargs = fn, args, kwargs
        self.language = translation.get_language()
        self.future: Future[Any] = Future()

    def run(self) -> Any:
        with translation.override(self.language):
            return self.fn(*self.args, **self.kwargs)

    def answer(self, result: Any, problem: BaseException | None) -> None:
        if self.future.cancelled():
            return
        if problem is not None:
            self.future.set_exception(problem)
        else:
            self.future.set_result(result)


class _LoopJob(_Job):
    """A job that somebody awaits in an event loop: its future belongs to that loop."""

    __slots__ = ("loop", "waiting")

    def __init__(self, fn: Callable[..., Any], args: Any, kwargs: Any) -> None:
        self.fn, self.args, self.kwargs = fn, args, kwargs
        self.language = translation.get_language()
        self.loop = asyncio.get_running_loop()
        self.waiting: asyncio.Future[Any] = self.loop.create_future()

    def answer(self, result: Any, problem: BaseException | None) -> None:
        if self.waiting.done():
            return
        if problem is not None:
            self.waiting.set_exception(problem)
        else:
            self.waiting.set_result(result)


def _answer(outcome: list[tuple[_Job, Any, BaseException | None]]) -> None:
    """Give the jobs' answers to those who wait; an event loop is woken once for all of its own."""
    loops: dict[asyncio.AbstractEventLoop, list[tuple[_Job, Any, BaseException | None]]] = {}
    for entry in outcome:
        if isinstance(entry[0], _LoopJob):
            loops.setdefault(entry[0].loop, []).append(entry)
        else:
            entry[0].answer(entry[1], entry[2])
    for loop, entries in loops.items():
        with contextlib.suppress(RuntimeError):  # the loop has ended: nobody waits any more
            loop.call_soon_threadsafe(_answer_in_loop, entries)


def _answer_in_loop(entries: list[tuple[_Job, Any, BaseException | None]]) -> None:
    for job, result, problem in entries:
        job.answer(result, problem)


class Writer(threading.Thread):
    """The one thread of a process that writes."""

    def __init__(self) -> None:
        super().__init__(name="writer", daemon=True)
        self.jobs: queue.SimpleQueue[_Job | None] = queue.SimpleQueue()
        self.together = MOST_TOGETHER if connection.vendor == "sqlite" else 1

    def run(self) -> None:
        while True:
            job = self.jobs.get()
            if job is None:
                break
            batch = [job]
            while len(batch) < self.together:
                try:
                    more = self.jobs.get_nowait()
                except queue.Empty:
                    break
                if more is None:
                    self.jobs.put(None)
                    break
                batch.append(more)
            try:
                perform(batch)
            except BaseException:  # the thread must outlive anything that a job does
                log.exception("the writing thread met an error")
            if connection.vendor != "sqlite":
                close_old_connections()
        connection.close()

    def stop(self) -> None:
        """Finish what is waiting, then end."""
        self.jobs.put(None)
        self.join(10)


def perform(jobs: list[_Job]) -> None:
    """Run jobs in one transaction and resolve their futures once it is committed.

    Several jobs each have a savepoint of their own, so an error in one undoes that one alone. If
    the commit itself fails, the jobs are tried again one by one: a job's answer is given only when
    its work is stored.
    """
    batch = Batch()
    outcome: list[tuple[_Job, Any, BaseException | None]] = []
    _batch.now = batch
    try:
        if len(jobs) == 1:
            outcome.append((jobs[0], *_attempt(jobs[0], batch)))
        else:
            with transaction.atomic():
                outcome.extend((job, *_attempt(job, batch)) for job in jobs)
    except Exception as error:
        _batch.now = None
        forget()
        for job in jobs:
            if len(jobs) == 1:
                _answer([(job, None, error)])
            else:
                perform([job])
        return
    finally:
        _batch.now = None
    batch.publish()
    _answer(outcome)


def _attempt(job: _Job, batch: Batch) -> tuple[Any, BaseException | None]:
    """Run a job in a transaction (within one: a savepoint) of its own."""
    for left in reversed(range(TRIES)):
        drafts, after = dict(batch.drafts), len(batch.after)
        try:
            with transaction.atomic():
                return job.run(), None
        except (Conflict, IntegrityError) as error:
            # Somebody was faster: read what is there now, and look twice.
            for code in set(batch.drafts) | {str(error)}:
                forget(code)
            batch.drafts, batch.careful = drafts, True
            del batch.after[after:]
            if not left:
                return None, error
        except Exception as error:
            batch.drafts = drafts
            del batch.after[after:]
            return None, error
    raise AssertionError("unreachable")


_writer: Writer | None = None
_inline = threading.RLock()


def start_writer() -> None:
    """From now on commands run in a thread of their own (`serve` calls this)."""
    global _writer
    if _writer is None:
        _writer = Writer()
        _writer.start()


def stop_writer() -> None:
    """Let the writing thread finish what it has, and end it."""
    global _writer
    if _writer is not None:
        _writer.stop()
        _writer = None


def submit(fn: Callable[P, R], /, *args: P.args, **kwargs: P.kwargs) -> Future[R]:
    """Have `fn` run as a command; the future holds its answer once that is stored."""
    job = _Job(fn, args, kwargs)
    if _writer is not None and threading.current_thread() is not _writer:
        _writer.jobs.put(job)
    else:
        with _inline:
            perform([job])
    return job.future


def call(fn: Callable[P, R], /, *args: P.args, **kwargs: P.kwargs) -> R:
    """`submit` for synchronous code: waits for the answer."""
    if getattr(_batch, "now", None) is not None:
        return fn(*args, **kwargs)  # a command within a command shares its transaction
    return submit(fn, *args, **kwargs).result()


async def run(fn: Callable[P, R], /, *args: P.args, **kwargs: P.kwargs) -> R:
    """`submit` for the event loop."""
    if _writer is None:
        from asgiref.sync import sync_to_async

        return await sync_to_async(call)(fn, *args, **kwargs)
    job = _LoopJob(fn, args, kwargs)
    _writer.jobs.put(job)
    return cast(R, await job.waiting)
