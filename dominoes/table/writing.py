"""The writing thread of a process, and the jobs that wait for it."""

from __future__ import annotations

import asyncio
import contextlib
import queue
import threading
from collections.abc import Callable, Iterable
from concurrent.futures import Future
from typing import Any, Final

import structlog
from django.db import close_old_connections, connection
from django.utils import translation

from dominoes.table.threads import own_connection

log = structlog.get_logger(__name__)

MOST_TOGETHER: Final = 64  # jobs that are taken at once
IDLE: Final = 1.0  # seconds after which the connection is looked at before it is used again


class Job:
    """A command to run, in the language of whoever asked for it: refusals are sentences.

    `code` is that of the one table which the command changes, None where it may touch others.
    """

    __slots__ = ("args", "code", "fn", "future", "kwargs", "language", "sat_out")

    def __init__(
        self, fn: Callable[..., Any], args: Any, kwargs: Any, code: str | None = None
    ) -> None:
        self.fn, self.args, self.kwargs, self.code = fn, args, kwargs, code
        self.language = translation.get_language()
        self.sat_out = 0  # batches that it had to wait because its table was locked
        self.future: Future[Any] = Future()

    def run(self) -> Any:
        """Run the command; gives and raises what it gives and raises."""
        with translation.override(self.language):
            return self.fn(*self.args, **self.kwargs)

    def answer(self, result: Any, problem: BaseException | None) -> None:
        """Let whoever asked have the result, or the problem."""
        if self.future.done():
            return
        if problem is not None:
            self.future.set_exception(problem)
        else:
            self.future.set_result(result)


class LoopJob(Job):
    """A job that somebody awaits in an event loop: its future belongs to that loop."""

    __slots__ = ("loop", "waiting")

    def __init__(
        self, fn: Callable[..., Any], args: Any, kwargs: Any, code: str | None = None
    ) -> None:
        self.fn, self.args, self.kwargs, self.code = fn, args, kwargs, code
        self.language = translation.get_language()
        self.sat_out = 0
        self.loop = asyncio.get_running_loop()
        self.waiting: asyncio.Future[Any] = self.loop.create_future()

    def answer(self, result: Any, problem: BaseException | None) -> None:
        """As of any job; in the event loop."""
        if self.waiting.done():
            return
        if problem is not None:
            self.waiting.set_exception(problem)
        else:
            self.waiting.set_result(result)


Outcome = tuple[Job, Any, BaseException | None]


def answer(outcome: Iterable[Outcome]) -> None:
    """Give the jobs' answers to those who wait; an event loop is woken once for all of its own."""
    loops: dict[asyncio.AbstractEventLoop, list[Outcome]] = {}
    for entry in outcome:
        if isinstance(entry[0], LoopJob):
            loops.setdefault(entry[0].loop, []).append(entry)
        else:
            entry[0].answer(entry[1], entry[2])
    for loop, entries in loops.items():
        with contextlib.suppress(RuntimeError):  # the loop has ended: nobody waits any more
            loop.call_soon_threadsafe(_answer_in_loop, entries)


def _answer_in_loop(entries: list[Outcome]) -> None:
    for job, result, problem in entries:
        job.answer(result, problem)


class Writer(threading.Thread):
    """The one thread of a process that writes: takes whatever waits, and has it performed."""

    def __init__(
        self, perform: Callable[[list[Job], Callable[[], None] | None], list[Job]]
    ) -> None:
        """`perform` runs jobs and gives those that are to be tried again: see batch.py."""
        super().__init__(name="writer", daemon=True)
        self._perform = perform
        self._jobs: queue.SimpleQueue[Job | None] = queue.SimpleQueue()

    def put(self, job: Job) -> None:
        """Have a job done."""
        self._jobs.put(job)

    def run(self) -> None:
        own_connection()
        looks = connection.vendor != "sqlite"  # whether its connection still stands
        left: list[Job] = []
        while True:
            if not left:
                try:
                    job = self._jobs.get(timeout=IDLE if looks else None)
                except queue.Empty:
                    close_old_connections()
                    continue
                if job is None:
                    break
                left.append(job)
            jobs, left = self._with_others(left), []
            try:
                left = self._perform(jobs, close_old_connections if looks else None)
            except BaseException as error:  # the thread must outlive anything that a job does
                log.exception("the writing thread met an error")
                answer([(job, None, error) for job in jobs])
            if connection.errors_occurred:
                close_old_connections()
        late = self._with_others([])  # what was put while this thread ended
        if late:
            self._perform(late, None)
        connection.close()

    def _with_others(self, batch: list[Job]) -> list[Job]:
        """These jobs and what waits behind them, as far as it is taken together."""
        while len(batch) < MOST_TOGETHER:
            try:
                more = self._jobs.get_nowait()
            except queue.Empty:
                break
            if more is None:
                self._jobs.put(None)
                break
            batch.append(more)
        return batch

    def stop(self) -> None:
        """Finish what is waiting, then end."""
        self._jobs.put(None)
        self.join(10)
