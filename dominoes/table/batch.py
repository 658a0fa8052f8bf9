"""Commands in transactions: those of several tables together, the others each in its own.

A command at one table mostly needs nothing of the database but that table's row, its match, its log
and who is there: it is *plain*. Plain commands that wait at the same time are one transaction: lock
their rows, let each change its draft in memory, write all of it, commit. Nothing else is asked of
the database meanwhile, so a refusal has nothing to undo, and no lock is waited for while others are
held: rows that another process has locked are left out. Their commands are tried again with what
waits by then, and after a few times by themselves.

Whatever turns out not to be plain, and whatever was in a transaction that could not be stored, runs
by itself: on PostgreSQL in its own transaction, on SQLite in a savepoint of a common one.
"""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, Concatenate, Final, ParamSpec, TypeVar

import structlog
from django.db import IntegrityError, connection, transaction

from dominoes.table import memory, neighbours, presence, rows
from dominoes.table.catching import all_newest, joined, step
from dominoes.table.live import Live
from dominoes.table.models import Table
from dominoes.table.rows import Conflict, Writes
from dominoes.table.writing import Job, Outcome, answer

P = ParamSpec("P")
R = TypeVar("R")

log = structlog.get_logger(__name__)

TRIES: Final = 3
PATIENCE: Final = 3  # batches that a command sits out while its table is another process's
PLAIN: Final = frozenset({"match"})  # what a plain command may touch beside the table and its log


class NoSuchTable(LookupError):
    """There is no table with that code."""


class _NotPlain(Exception):
    """The command needs more of the database than a plain one has."""


class Batch:
    """The drafts of one transaction, published together once it is committed."""

    def __init__(self) -> None:
        self.drafts: dict[str, Live] = {}
        self.after: list[Callable[[], None]] = []
        self.careful = False
        self.read: set[str] = set()

    def newest(self, code: str) -> Live:
        """Lock the row and give the state that a command has to start from. Raises NoSuchTable."""
        self.read.add(code)
        seqs = _locked([code], wait=True)
        if code not in seqs:
            raise NoSuchTable(code)
        draft = self.drafts.get(code)
        if draft is not None and draft.seq == seqs[code]:
            return draft
        found = _states(seqs)
        if code not in found:
            raise NoSuchTable(code)
        return found[code]

    def seats_here(self, table_id: int) -> frozenset[int]:
        """Which seats of a table have a living socket, in this process or another."""
        return presence.seats_here(table_id)

    def write(self, draft: Live, was: int, now: float) -> None:
        """Write what a command made of the state with the seq `was`."""
        rows.flush(draft, was, now)

    def change(
        self,
        code: str,
        command: Callable[Concatenate[Live, float, P], R],
        *args: P.args,
        **kwargs: P.kwargs,
    ) -> R:
        """See `store.change`."""
        base = self.newest(code)
        now = moment()
        draft = base.fork()
        result = command(draft, now, *args, **kwargs)
        draft.forget_views()
        if draft.seq != base.seq:
            if neighbours.outside_layer() is not None:
                draft.step = step(base, draft)
                if base is self.drafts.get(code):  # one that nobody has been told of
                    draft.step = joined(base.step, draft.step)
            self.write(draft, base.seq, now)
            self.drafts[code] = draft
        return result

    def publish(self) -> None:
        """After the commit: let readers see the drafts, then tell the listeners."""
        for draft in self.drafts.values():
            memory.committed(draft)
        for call in self.after:
            call()


class Plain(Batch):
    """A batch in which nothing is asked of the database while commands run."""

    def __init__(self, codes: Iterable[str]) -> None:
        """Lock the rows of these tables, as far as nobody else has them, and know their state."""
        super().__init__()
        self.writes = Writes()
        self.bases = _states(_locked(sorted(codes), wait=False))
        self._tables = [live.table_id for live in self.bases.values()]
        self._here: dict[int, frozenset[int]] | None = None
        self._asking = False

    def newest(self, code: str) -> Live:
        """The state of a table of this batch, after what its commands did before."""
        base = self.drafts.get(code) or self.bases.get(code)
        if base is None:
            raise _NotPlain
        return base

    def seats_here(self, table_id: int) -> frozenset[int]:
        """The same; asked once for all tables of the batch."""
        if self._here is None:
            self._asking = True
            try:
                self._here = presence.all_here(self._tables)
            finally:
                self._asking = False
        return self._here[table_id]

    def guard(self, execute: Callable[..., Any], *about: Any) -> Any:
        """Let no command ask the database for anything."""
        if self._asking:
            return execute(*about)
        raise _NotPlain

    def write(self, draft: Live, was: int, now: float) -> None:
        """Take down what has to be written at the end."""
        if draft.touched - PLAIN:
            raise _NotPlain
        self.writes.add(draft, was, now)

    def attempt(self, job: Job) -> Any:
        """Run a job; if it raises, all is as before it."""
        drafts, after, mark = dict(self.drafts), len(self.after), self.writes.mark()
        try:
            return job.run()
        except BaseException:
            self.drafts = drafts
            del self.after[after:]
            self.writes.back_to(mark)
            raise


def _locks() -> bool:
    """Whether rows can be locked: on SQLite there is but one process that writes."""
    return bool(connection.features.has_select_for_update)


def _locked(codes: list[str], *, wait: bool) -> dict[str, int]:
    """The `seq` of each of these tables, with its row locked until the end of the transaction.

    Without `wait`, tables that somebody else has locked are left out.
    """
    places = ", ".join(["%s"] * len(codes))
    lock = ""
    if _locks():
        lock = " FOR UPDATE" if wait else " FOR UPDATE SKIP LOCKED"
    with connection.cursor() as cursor:
        cursor.execute(
            f"SELECT code, seq FROM {Table._meta.db_table} WHERE code IN ({places}){lock}",  # noqa: S608
            codes,
        )
        return dict(cursor.fetchall())


def _states(seqs: Mapping[str, int]) -> dict[str, Live]:
    """The states of tables whose rows, locked by us, have these `seq`s."""
    known = {code: memory.peek(code) for code in seqs}
    found = {c: live for c, live in known.items() if live is not None and live.seq == seqs[c]}
    missing = [code for code in seqs if code not in found]
    return found | all_newest(missing) if missing else found


# The batch of the present command

_present = threading.local()


def present() -> Batch | None:
    """The batch that this thread works on, if it does."""
    batch: Batch | None = getattr(_present, "batch", None)
    return batch


def current() -> Batch:
    """The same for commands, which always have one."""
    batch = present()
    if batch is None:
        raise RuntimeError("commands run through store.call, store.run or store.submit")
    return batch


# The time


@contextlib.contextmanager
def as_of(at: float) -> Iterator[None]:
    """Within the block, commands that run in this thread take it to be that time."""
    before = getattr(_present, "moment", None)
    _present.moment = at
    try:
        yield
    finally:
        _present.moment = before


def moment() -> float:
    """The time that a command is told."""
    at: float | None = getattr(_present, "moment", None)
    return time.time() if at is None else at


# Performing


def perform(jobs: list[Job]) -> None:
    """Run jobs in transactions, and answer each once what it did is stored.

    Commands at one table are run in the order in which they came.
    """
    while jobs:
        jobs = perform_free(jobs)


def perform_free(jobs: list[Job], renew: Callable[[], None] | None = None) -> list[Job]:
    """`perform`, but gives the jobs whose tables another process has locked just now.

    Those are to be tried again before any later ones. `renew` makes sure of the connection; it is
    called before a command that has a transaction of its own.
    """
    rest, locked = _together(jobs)
    if connection.vendor == "sqlite":
        _by_themselves(rest)
    else:
        for job in rest:
            if renew is not None:
                renew()
            _by_themselves([job])
    return locked


def _together(jobs: list[Job]) -> tuple[list[Job], list[Job]]:
    """Run the plain ones of these in one transaction.

    Gives those that are to be run by themselves, and those to be tried again.
    """
    codes = {job.code for job in jobs if job.code is not None}
    if not codes:
        return jobs, []
    outcome: list[Outcome] = []
    rest: list[Job] = []
    locked: list[Job] = []
    try:
        with transaction.atomic():
            batch = _present.batch = Plain(codes)
            taken = codes - batch.bases.keys() if _locks() else set()
            with connection.execute_wrapper(batch.guard):
                for job in jobs:
                    if job.code in taken and job.sat_out < PATIENCE:
                        locked.append(job)
                        continue
                    if job.code not in batch.bases:
                        rest.append(job)
                        continue
                    try:
                        outcome.append((job, batch.attempt(job), None))
                    except _NotPlain:
                        # Whatever else waits at this table has to wait for this one.
                        del batch.bases[job.code]
                        rest.append(job)
                    except Exception as error:  # a refusal, or a fault: that job's alone
                        outcome.append((job, None, error))
            batch.writes.store()
    except Exception as error:
        if not isinstance(error, Conflict | IntegrityError | NoSuchTable):
            log.warning("commands could not be stored together", error=repr(error))
        for code in codes:
            memory.forget(code)
        return jobs, []  # each by itself, and its own error to whom it concerns
    finally:
        _present.batch = None
    batch.publish()
    answer(outcome)
    for job in locked:
        job.sat_out += 1
    return rest, locked


def _by_themselves(jobs: list[Job]) -> None:
    """Run jobs in one transaction, each in a savepoint if there are several.

    An error in one undoes that one alone. If the commit fails, they are tried again one by one.
    """
    if not jobs:
        return
    batch = _present.batch = Batch()
    outcome: list[Outcome] = []
    try:
        if len(jobs) == 1:
            outcome.append((jobs[0], *_attempt(jobs[0], batch)))
        else:
            with transaction.atomic():
                outcome.extend((job, *_attempt(job, batch)) for job in jobs)
    except Exception as error:
        _present.batch = None
        memory.forget()
        for job in jobs:
            if len(jobs) == 1:
                answer([(job, None, error)])
            else:
                _by_themselves([job])
        return
    finally:
        _present.batch = None
    batch.publish()
    answer(outcome)


def _attempt(job: Job, batch: Batch) -> tuple[Any, BaseException | None]:
    """Run a job in a transaction (within one: a savepoint) of its own."""
    for left in reversed(range(TRIES)):
        drafts, after = dict(batch.drafts), len(batch.after)
        try:
            with transaction.atomic():
                return job.run(), None
        except (Conflict, IntegrityError) as error:
            # Somebody was faster: read what is there now, and look twice.
            for code in batch.read:
                memory.forget(code)
            batch.drafts, batch.careful = drafts, True
            del batch.after[after:]
            if not left:
                return None, error
        except Exception as error:
            batch.drafts = drafts
            del batch.after[after:]
            return None, error
    raise AssertionError("unreachable")
