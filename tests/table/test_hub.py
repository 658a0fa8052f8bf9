"""The fan-out inside a process and between processes, with viewers and a layer made for it."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator
from typing import Any

import pytest
from asgiref.sync import sync_to_async

from dominoes.table import automatic, looking, memory, neighbours, presence, store
from dominoes.table import hub as hub_module
from dominoes.table.hub import Hub
from dominoes.table.live import Live
from dominoes.table.models import Process, Table
from dominoes.table.models import Socket as SocketRow
from dominoes.table.showing import Showing
from dominoes.table.visitors import Visitor
from tests.table.tables import Room

pytestmark = pytest.mark.django_db(transaction=True)


class Layer:
    """A layer that another process would share: keeps what is sent, fails when told to."""

    def __init__(self) -> None:
        self.sent: list[dict[str, Any]] = []
        self.incoming: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        self.added: list[tuple[str, str]] = []
        self.down = False

    async def new_channel(self) -> str:
        return "channel"

    async def group_add(self, group: str, channel: str) -> None:
        self.added.append((group, channel))

    async def group_send(self, group: str, message: dict[str, Any]) -> None:
        assert group == neighbours.GROUP
        if self.down:
            raise OSError("no layer")
        self.sent.append(message)

    async def receive(self, channel: str) -> dict[str, Any]:
        message = await self.incoming.get()
        if message.get("break"):
            raise OSError("cut off")
        return message


class Looker:
    """A viewer that keeps what it is shown."""

    def __init__(self, code: str) -> None:
        self.code = code
        self.visitor = Visitor()
        self.shown: list[Showing] = []
        self.heard: list[str] = []
        self.shut_with: list[int] = []
        self.slow = False
        self.broken = False

    async def show(self, showing: Showing) -> bool:
        if self.broken:
            raise RuntimeError("a viewer of its own kind")
        if not self.slow:
            self.shown.append(showing)
        return not self.slow

    async def hear(self, text: str) -> None:
        self.heard.append(text)

    async def shut(self, code: int) -> None:
        self.shut_with.append(code)


@pytest.fixture
def layer() -> Layer:
    return Layer()


@pytest.fixture
async def hub(layer: Layer, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Hub]:
    made = Hub()
    monkeypatch.setattr(hub_module, "hub", made)
    monkeypatch.setattr(neighbours, "outside_layer", lambda: layer)
    monkeypatch.setattr(memory, "_listeners", [made.changed])
    monkeypatch.setattr(hub_module, "LOOK_EVERY", 0.05)
    monkeypatch.setattr(hub_module, "CATCH_UP_EVERY", 0.02)
    made._bind()
    yield made
    await made.stop()


@sync_to_async
def started(rules: str = "draw", **choices: Any) -> Room:
    return Room(rules, **choices).start()


async def until(fits: Any) -> None:
    async with asyncio.timeout(5):
        while not fits():
            await asyncio.sleep(0.005)


async def test_a_change_is_rendered_once_for_all_viewers(hub: Hub) -> None:
    room = await started()
    lookers = [Looker(room.code) for _ in range(3)]
    elsewhere = Looker("QQQQQQ")
    for looker in [*lookers, elsewhere]:
        hub.join(looker)
    await sync_to_async(room.move)()
    await until(lambda: all(looker.shown for looker in lookers))
    seq = store.peek(room.code).seq  # type: ignore[union-attr]
    assert {looker.shown[-1].live.seq for looker in lookers} == {seq}
    assert len({id(looker.shown[-1]) for looker in lookers}) == 1
    assert elsewhere.shown == []


async def test_a_viewer_that_left_is_shown_nothing(hub: Hub) -> None:
    room = await started()
    stays, goes = Looker(room.code), Looker(room.code)
    hub.join(stays)
    hub.join(goes)
    hub.leave(goes)
    await sync_to_async(room.move)()
    await until(lambda: stays.shown)
    assert goes.shown == []
    hub.leave(stays)
    assert hub.rooms == {}


async def test_one_broken_viewer_does_not_keep_the_others_waiting(hub: Hub) -> None:
    room = await started()
    lookers = [Looker(room.code) for _ in range(3)]
    lookers[1].broken = True
    for looker in lookers:
        hub.join(looker)
    await sync_to_async(room.move)()
    await until(lambda: lookers[0].shown and lookers[2].shown)


async def test_a_slow_viewer_gets_the_newest_when_it_can_take_it(hub: Hub) -> None:
    room = await started()
    looker = Looker(room.code)
    looker.slow = True
    hub.join(looker)
    hub.start()
    for _ in range(3):
        await sync_to_async(room.move)()
    await asyncio.sleep(0.05)
    assert looker.shown == []
    looker.slow = False
    await until(lambda: looker.shown)
    assert looker.shown[-1].live.seq == store.peek(room.code).seq  # type: ignore[union-attr]


async def test_a_slow_viewer_is_remembered_while_its_table_is_read(hub: Hub) -> None:
    room = await started()
    looker = Looker(room.code)
    looker.slow = True
    hub.join(looker)
    hub.start()
    await sync_to_async(room.move)()
    await until(lambda: looker in hub._slow)
    memory.forget(room.code)
    looker.slow = False
    await asyncio.sleep(3 * hub_module.CATCH_UP_EVERY)
    assert looker.shown == []
    await sync_to_async(store.fresh)(room.code)
    await until(lambda: looker.shown)


async def test_others_are_told_the_code_the_seq_and_the_move_and_nothing_else(
    hub: Hub, layer: Layer
) -> None:
    room = await started()
    before = store.peek(room.code)
    await sync_to_async(room.move)()
    await until(lambda: layer.sent)
    live = store.peek(room.code)
    assert before is not None and live is not None and live.step is not None
    message = layer.sent[-1]
    assert message == {
        "type": "tables.news",
        "from": presence.process_id(),
        "tables": [[room.code, live.seq, False]],
        "steps": {room.code: [live.step]},
        "said": [],
        "recheck": [],
    }
    seat, word = before.view(None).turn, live.step.lines[0][3]  # type: ignore[union-attr]
    assert live.step.lines == ((before.events + 1, "move", seat, word, False, ""),)


async def test_others_are_told_every_step_also_of_changes_in_quick_succession(
    hub: Hub, layer: Layer
) -> None:
    room = await started()
    before = store.peek(room.code)
    assert before is not None

    def twice() -> None:
        room.move()
        room.move()

    hub._delivering = True  # as while it is busy with another table
    await sync_to_async(twice)()
    hub._delivering = False
    hub._wake()
    await until(lambda: any(message["steps"] for message in layer.sent))
    steps = next(message["steps"] for message in layer.sent if message["steps"])[room.code]
    assert [step.was for step in steps] == [before.seq, before.seq + 1]


async def test_a_layer_that_is_down_holds_nobody_up(hub: Hub, layer: Layer) -> None:
    room = await started()
    looker = Looker(room.code)
    hub.join(looker)
    layer.down = True
    await sync_to_async(room.move)()
    await until(lambda: looker.shown)
    layer.down = False
    await sync_to_async(room.move)()
    await until(lambda: layer.sent)


def behind_our_back(code: str) -> int:
    """Another process's move: the database has it, this process's memory hasn't."""
    known = store.peek(code)
    Table.objects.filter(code=code).update(seq=known.seq + 1)  # type: ignore[union-attr]
    return known.seq + 1  # type: ignore[union-attr]


async def test_what_another_process_tells_is_read_and_shown(hub: Hub, layer: Layer) -> None:
    room = await started()
    looker = Looker(room.code)
    hub.join(looker)
    hub.spawn(hub.neighbours.listen())
    seq = await sync_to_async(behind_our_back)(room.code)
    news = {"type": "tables.news", "from": "other", "tables": [[room.code, seq, False]]}
    await layer.incoming.put({"break": True})
    await layer.incoming.put({"type": "tables.news", "from": presence.process_id()})
    await layer.incoming.put(news)
    await until(lambda: looker.shown)
    assert looker.shown[-1].live.seq == seq
    assert layer.added[0] == (neighbours.GROUP, "channel")
    await layer.incoming.put(news)
    await layer.incoming.put({**news, "tables": [["QQQQQQ", 9, False]]})
    await layer.incoming.put({"from": "other", "said": [[room.code, 1, "nice"]]})
    await until(lambda: looker.heard)
    assert len(looker.shown) == 1


async def test_a_move_that_another_process_tells_is_shown_without_a_look_at_the_database(
    hub: Hub, layer: Layer, monkeypatch: pytest.MonkeyPatch
) -> None:
    room = await started()
    known = store.peek(room.code)
    await sync_to_async(room.move)()
    live = store.peek(room.code)
    assert known is not None and live is not None
    monkeypatch.setitem(memory._known, room.code, known)  # as a process that knows nothing of it
    looker = Looker(room.code)
    hub.join(looker)
    hub.spawn(hub.neighbours.listen())

    def never(*_about: Any) -> None:
        raise AssertionError("the database was asked")

    monkeypatch.setattr(looking, "read", never)
    news = {"tables": [[room.code, live.seq, False]], "steps": {room.code: [list(live.step or ())]}}
    await layer.incoming.put({"from": "other", **news})
    await until(lambda: looker.shown)
    assert looker.shown[-1].live.seq == live.seq
    shown = looker.shown[-1].live.game
    assert shown is not None and live.game is not None
    assert shown.moves() == live.game.moves()


async def test_what_nobody_told_is_found_by_looking(hub: Hub) -> None:
    room = await started()
    looker = Looker(room.code)
    hub.join(looker)
    hub.spawn(hub.look_around())
    seq = await sync_to_async(behind_our_back)(room.code)
    await until(lambda: looker.shown)
    assert looker.shown[-1].live.seq == seq


async def looked_at(hub: Hub) -> tuple[Room, Looker, Live]:
    """A room in a match, who looks at it here, and the state that they were shown."""
    room = await started()
    looker = Looker(room.code)
    hub.join(looker)
    known = store.peek(room.code)
    assert known is not None
    await hub._show(room.code, known)
    return room, looker, known


@pytest.mark.parametrize("told", [True, False])
async def test_what_somebody_read_meanwhile_is_shown_all_the_same(
    hub: Hub, layer: Layer, monkeypatch: pytest.MonkeyPatch, told: bool
) -> None:
    """A page, or the sweeper, reads a table before the news of its move come, or they never do."""
    room, looker, known = await looked_at(hub)
    monkeypatch.setattr(memory, "_listeners", [])
    await sync_to_async(room.move)()  # stored elsewhere, and read here: nobody is told
    live = store.peek(room.code)
    assert live is not None and looker.shown[-1].live is known
    if told:
        hub.spawn(hub.neighbours.listen())
        await layer.incoming.put({"from": "other", "tables": [[room.code, live.seq, True]]})
    else:
        hub.spawn(hub.look_around())
    await until(lambda: looker.shown[-1].live is live)


async def test_presence_that_was_only_read_is_shown_all_the_same(
    hub: Hub, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A page looks who is there, which brings the memory up and tells nobody."""
    # From then on a look finds that memory and database agree.
    monkeypatch.setattr(looking, "look", lambda _codes, _now: ({}, []))
    room, looker, known = await looked_at(hub)
    read = store.refresh_presence(room.code, known.here ^ {0})
    assert read is not None and read.seq == known.seq
    hub.spawn(hub.look_around())
    await until(lambda: looker.shown[-1].live.presence >= read.presence)


async def test_news_under_way_are_not_looked_up(hub: Hub, monkeypatch: pytest.MonkeyPatch) -> None:
    """The database is always a little ahead of the news: a look must not read what comes anyway."""
    room = await started()
    looker = Looker(room.code)
    hub.join(looker)
    known = store.peek(room.code)
    await sync_to_async(room.move)()
    newest = store.peek(room.code)
    assert known is not None and newest is not None
    monkeypatch.setitem(memory._known, room.code, known)
    read: list[set[str]] = []
    monkeypatch.setattr(looking, "read", lambda stale, _tables: read.append(stale) or [])
    looked, waited = asyncio.Event(), asyncio.Event()
    look = looking.look

    def noted(codes: list[str], now: float) -> Any:
        found = look(codes, now)
        loop.call_soon_threadsafe(looked.set if not looked.is_set() else waited.set)
        return found

    loop = asyncio.get_running_loop()
    monkeypatch.setattr(looking, "look", noted)
    monkeypatch.setattr(hub_module, "UNDER_WAY", 0.5)
    hub.spawn(hub.look_around())
    await looked.wait()
    memory.keep(newest)  # as the news have it
    await waited.wait()  # the next look comes after the first one's news have been waited for
    assert not read
    monkeypatch.setitem(memory._known, room.code, known)
    await until(lambda: read)
    assert read[0] == {room.code}


async def test_those_who_come_by_another_process_are_seen(hub: Hub) -> None:
    room = await started()
    looker = Looker(room.code)
    hub.join(looker)
    hub.spawn(hub.look_around())
    table = store.peek(room.code).table_id  # type: ignore[union-attr]

    def come() -> None:
        other = Process.objects.create(id="other", beat=time.time())
        SocketRow.objects.create(process=other, table_id=table, seat=1)

    await sync_to_async(come)()
    await until(lambda: looker.shown)
    assert looker.shown[-1].live.here == {1}
    await sync_to_async(Process.objects.all().delete)()
    await until(lambda: looker.shown[-1].live.here == frozenset())


async def test_a_table_that_is_gone_is_shut(hub: Hub) -> None:
    room = await started()
    looker = Looker(room.code)
    hub.join(looker)
    hub.spawn(hub.look_around())
    await sync_to_async(Table.objects.all().delete)()
    await until(lambda: looker.shut_with)
    assert looker.shut_with[0] == 4404


async def test_coming_and_going_is_stored_once_for_many(
    hub: Hub, monkeypatch: pytest.MonkeyPatch
) -> None:
    room = await started()
    calls: list[str] = []
    real = automatic.who_is_here

    def counted(code: str) -> presence.Here:
        calls.append(code)
        return real(code)

    monkeypatch.setattr(automatic, "who_is_here", counted)
    looker = Looker(room.code)
    hub.join(looker)
    live = store.peek(room.code)
    assert live is not None
    for seat in (0, 1):
        presence.opened(live.table_id, seat, None)
        for _ in range(10):
            hub.came_or_went(room.code)
    await until(lambda: looker.shown and looker.shown[-1].live.here == {0, 1})
    assert len(calls) <= 2


async def test_who_is_here_is_stored_when_the_database_is_back(
    hub: Hub, monkeypatch: pytest.MonkeyPatch
) -> None:
    room = await started()
    live = store.peek(room.code)
    assert live is not None
    looker = Looker(room.code)
    hub.join(looker)
    real, fails = automatic.who_is_here, [True]

    def flaky(code: str) -> presence.Here:
        if fails:
            fails.clear()
            raise OSError("no database")
        return real(code)

    monkeypatch.setattr(automatic, "who_is_here", flaky)
    presence.opened(live.table_id, 0, None)
    hub.came_or_went(room.code)
    await until(lambda: looker.shown and looker.shown[-1].live.here == {0})


def test_nobody_serves_nobody_is_told() -> None:
    made = Hub()
    room = Room()
    live = store.peek(room.code) or store.fresh(room.code)
    made.changed(live)
    made.presence_changed(room.code)
    assert not made._news
