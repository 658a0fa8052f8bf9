"""The store: nothing is seen before it is committed, an error undoes one job, languages travel."""

import threading

import pytest
from django.db import transaction
from django.utils import translation
from django.utils.translation import gettext as _

from dominoes.table import course, live, memory, play, store
from dominoes.table.batch import perform
from dominoes.table.models import Table
from dominoes.table.refusals import Refused
from dominoes.table.writing import Job
from tests.table.tables import Room

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def writer() -> object:
    store.start_writer()
    yield store._writer
    store.stop_writer()


def _bump(draft: live.Live, _now: float) -> int:
    course.bump(draft, moved=False)
    return draft.seq


def test_what_fresh_reads_within_a_command_is_not_shown_to_others() -> None:
    room = Room()
    before = room.live.seq
    seen: list[int] = []

    def command() -> None:
        store.change(room.code, _bump)
        assert store.fresh(room.code).seq == before + 1
        peeked = store.peek(room.code)
        seen.append(peeked.seq if peeked else -1)
        raise Refused("not_now", "Enough.")

    with pytest.raises(Refused):
        store.call(command)
    assert seen == [before]
    assert room.live.seq == Table.objects.get(code=room.code).seq == before


def test_an_error_in_one_job_undoes_that_job_alone() -> None:
    rooms = [Room() for _ in range(3)]
    before = [room.live.seq for room in rooms]

    def faulty() -> None:
        store.change(rooms[1].code, _bump)
        raise ValueError("a fault")

    jobs = [
        Job(store.change, (rooms[0].code, _bump), {}),
        Job(faulty, (), {}),
        Job(store.change, (rooms[2].code, _bump), {}),
    ]
    perform(jobs)
    assert jobs[0].future.result() == before[0] + 1
    with pytest.raises(ValueError, match="fault"):
        jobs[1].future.result()
    assert jobs[2].future.result() == before[2] + 1
    assert [room.live.seq for room in rooms] == [before[0] + 1, before[1], before[2] + 1]


def test_a_commit_that_fails_gives_no_answer_and_shows_nothing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    room, other = Room(), Room()
    before = room.live.seq
    real = transaction.Atomic.__exit__
    depth = threading.local()

    def fail(self: object, *about: object) -> object:
        if getattr(depth, "on", False) and about[0] is None:
            depth.on = False
            raise_in = RuntimeError("the disk is full")
            real(self, RuntimeError, raise_in, None)  # type: ignore[arg-type]
            raise raise_in
        return real(self, *about)  # type: ignore[arg-type]

    def last() -> None:
        depth.on = True

    jobs = [Job(store.change, (room.code, _bump), {}), Job(last, (), {})]
    monkeypatch.setattr(transaction.Atomic, "__exit__", fail)
    perform(jobs)
    monkeypatch.undo()
    # The last job's savepoint failed: it alone is undone, the first one is stored once.
    assert jobs[0].future.result() == before + 1
    assert room.live.seq == before + 1
    assert other.live.seq == Table.objects.get(code=other.code).seq


def test_a_stored_change_by_another_process_is_seen_before_the_next_command() -> None:
    room = Room().start()
    kept = room.live
    room.move()
    memory._known[room.code] = kept  # as a process that heard nothing of it
    turn = kept.game.turn if kept.game else None
    holder = kept.seats[turn or 0]
    assert holder is not None and kept.game is not None
    with pytest.raises(Refused) as refused:
        store.call(
            play.move, room.code, holder.player_id, kept.game.legal_words()[0], kept.seq, "again"
        )
    assert refused.value.code == "stale"


def test_refusals_are_in_the_language_of_whoever_asked(writer: object) -> None:
    def say() -> str | None:
        return translation.get_language()

    with translation.override("es"):
        assert store.call(say) == "es"
    with translation.override("en"):
        assert store.call(say) == "en"
    assert _("Draw")


def test_many_threads_change_one_table_without_losing_a_change(writer: object) -> None:
    room = Room()
    before = room.live.seq
    futures = [store.submit(store.change, room.code, _bump) for _number in range(200)]
    assert sorted(f.result() for f in futures) == list(range(before + 1, before + 201))
    assert Table.objects.get(code=room.code).seq == before + 200


async def test_a_command_that_an_event_loop_awaits_runs_in_its_language(writer: object) -> None:
    with translation.override("es"):
        assert await store.run(translation.get_language) == "es"
