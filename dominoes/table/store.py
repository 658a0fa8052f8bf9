"""The one way to change tables.

Every change runs in the writing thread, inside a transaction: lock the table's row, fork the newest
state, let the command change the fork, write it, commit; only then does the fork become what
readers see, and only then is anybody told. batch.py has what is stored together.

Without a writing thread (management commands, plain tests) commands run where they are called.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Collection, Iterable, Sequence
from concurrent.futures import Future
from typing import Any, Concatenate, ParamSpec, TypeVar, cast

from asgiref.sync import sync_to_async

from dominoes.table import memory
from dominoes.table.batch import (
    NoSuchTable,
    as_of,
    current,
    moment,
    perform,
    perform_free,
    present,
)
from dominoes.table.catching import all_newest, stepped
from dominoes.table.live import Live
from dominoes.table.memory import forget, on_change, peek, refresh_presence
from dominoes.table.writing import Job, LoopJob, Writer

__all__ = [
    "NoSuchTable", "after_commit", "as_of", "call", "careful", "change", "follow", "forget",
    "fresh", "fresh_all", "moment", "on_change", "peek", "refresh_presence", "run", "run_at",
    "seats_here", "start_writer", "stop_writer", "submit", "submit_at",
]  # fmt: skip

P = ParamSpec("P")
R = TypeVar("R")


def fresh(code: str) -> Live:
    """The table as the database has it now; reads only what this process doesn't know yet.

    Within a command it is what the command's own transaction sees; nobody else is shown that before
    it is committed. Raises NoSuchTable.
    """
    batch = present()
    if batch is not None:
        return batch.newest(code)
    found = fresh_all([code])
    if code not in found:
        raise NoSuchTable(code)
    return found[code]


def fresh_all(codes: Collection[str]) -> dict[str, Live]:
    """`fresh` for many tables with few statements, outside of commands; those that there are."""
    newest = all_newest(codes)
    for code in codes:
        if code not in newest:
            forget(code)
    return {code: memory.keep(live) for code, live in newest.items()}


def follow(code: str, steps: Iterable[Sequence[Any]]) -> tuple[bool, Live | None]:
    """Take in what another process tells of a table, as far as it follows on what is known here.

    Gives whether anything was new, and the newest state that this process knows now.
    """
    moved = False
    for one in steps:
        known = peek(code)
        live = stepped(known, one) if known is not None else None
        if live is not None:
            memory.keep(live)
            moved = True
    return moved, peek(code)


# Within a command


def change(
    code: str, command: Callable[Concatenate[Live, float, P], R], *args: P.args, **kwargs: P.kwargs
) -> R:
    """Run `command(draft, now, …)` on a table and write what it changed.

    Only within `call`, `run` or `submit`. A command that raises, or that changes nothing (it left
    `seq` as it was), writes nothing; it may be run twice, so it changes nothing but its draft and
    the database. Raises NoSuchTable, and whatever the command raises.
    """
    return current().change(code, command, *args, **kwargs)


def seats_here(table_id: int) -> frozenset[int]:
    """Which seats of a table have a living socket, as the present command's transaction sees it."""
    return current().seats_here(table_id)


def careful() -> bool:
    """Whether the present command is being tried again, since something like it was stored."""
    return current().careful


def after_commit(call: Callable[[], None]) -> None:
    """Run `call` once the present command is committed."""
    current().after.append(call)


# Having commands run

_writer: Writer | None = None
_inline = threading.RLock()


def start_writer() -> None:
    """From now on commands run in a thread of their own (`serve` calls this)."""
    global _writer
    if _writer is None:
        _writer = Writer(perform_free)
        _writer.start()


def stop_writer() -> None:
    """Let the writing thread finish what it has, and end it."""
    global _writer
    if _writer is not None:
        _writer.stop()
        _writer = None


def submit(fn: Callable[P, R], /, *args: P.args, **kwargs: P.kwargs) -> Future[R]:
    """Have `fn` run as a command; the future holds its answer once that is stored."""
    return _put(Job(fn, args, kwargs)).future


def submit_at(
    code: str, fn: Callable[Concatenate[str, P], R], /, *args: P.args, **kwargs: P.kwargs
) -> Future[R]:
    """`submit` of `fn(code, …)`, which changes that table and no other: see batch.py."""
    return _put(Job(fn, (code, *args), kwargs, code)).future


def _put(job: Job) -> Job:
    if _writer is not None and threading.current_thread() is not _writer:
        _writer.put(job)
    else:
        with _inline:
            perform([job])
    return job


def call(fn: Callable[P, R], /, *args: P.args, **kwargs: P.kwargs) -> R:
    """`submit` for synchronous code: waits for the answer."""
    if present() is not None:
        return fn(*args, **kwargs)  # a command within a command shares its transaction
    return submit(fn, *args, **kwargs).result()


async def run(fn: Callable[P, R], /, *args: P.args, **kwargs: P.kwargs) -> R:
    """`submit` for the event loop."""
    if _writer is None:
        return await sync_to_async(call)(fn, *args, **kwargs)
    job = LoopJob(fn, args, kwargs)
    _writer.put(job)
    return cast(R, await job.waiting)


async def run_at(
    code: str, fn: Callable[Concatenate[str, P], R], /, *args: P.args, **kwargs: P.kwargs
) -> R:
    """`submit_at` for the event loop."""
    if _writer is None:
        return await sync_to_async(_call_at)(code, fn, *args, **kwargs)
    job = LoopJob(fn, (code, *args), kwargs, code)
    _writer.put(job)
    return cast(R, await job.waiting)


def _call_at(
    code: str, fn: Callable[Concatenate[str, P], R], /, *args: P.args, **kwargs: P.kwargs
) -> R:
    return submit_at(code, fn, *args, **kwargs).result()
