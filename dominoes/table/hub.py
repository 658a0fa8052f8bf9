"""Who looks at which table in this process, and how a change reaches them.

After each commit the writing thread says which table changed (`changed`); the event loop renders
its newest state once and hands it to each viewer. Other processes are told (neighbours.py), and
every two seconds this one looks whether its open tables moved on without its hearing of it.

Everything here but `changed`, `presence_changed` and `sign_out` belongs to the event loop.
"""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections import deque
from collections.abc import Coroutine, Iterable
from contextvars import Context
from dataclasses import replace
from typing import Any, Final, Protocol

import structlog

from dominoes.table import (
    automatic,
    looking,
    metrics,
    presence,
    protocol,
    reading,
    store,
    visitors,
    witness,
)
from dominoes.table.live import Live, Step
from dominoes.table.models import Table
from dominoes.table.neighbours import Neighbours
from dominoes.table.phrases import Pace
from dominoes.table.showing import Showing
from dominoes.table.visitors import Visitor

log = structlog.get_logger(__name__)

LOOK_EVERY: Final = 2.0
RECHECK_EVERY: Final = 30.0
CATCH_UP_EVERY: Final = 0.2
UNDER_WAY: Final = 0.5  # news of what the database has already may take this long to come
# Tables served before other sockets get a word in.
AT_ONCE: Final = 8


class Viewer(Protocol):
    """A socket at a table."""

    code: str
    visitor: Visitor

    async def show(self, showing: Showing) -> bool:
        """Send what is new to this viewer; False when it is slow and has to be shown it later."""
        ...

    async def hear(self, text: str) -> None:
        """Send a message as it is."""
        ...

    async def shut(self, code: int) -> None:
        """Close the socket with that code."""
        ...


class Hub:
    """The viewers of this process, by table. See the module's text."""

    def __init__(self) -> None:
        self.rooms: dict[str, set[Viewer]] = {}
        self.closing = False  # the server stops: no more messages are taken
        self.busy = 0  # messages being carried out
        self.moved: dict[str, float] = {}  # code → when the move arrived that is being made there
        self._slow: set[Viewer] = set()
        # code → what its viewers here were shown last: seq, and presence at that seq
        self._shown: dict[str, tuple[int, int]] = {}
        self._news: deque[tuple[str, bool, Step | None]] = deque()
        self._woken = False
        self._loop: asyncio.AbstractEventLoop | None = None
        self._tasks: set[asyncio.Task[Any]] = set()
        self._delivering = False
        self.neighbours = Neighbours(self.spawn, self._news_from)
        self.pace = Pace()
        self._came_or_went: set[str] = set()
        self._writing_rows = False

    # Viewers

    def join(self, viewer: Viewer) -> None:
        """From now on the viewer is shown every change of its table."""
        self._bind()
        self.rooms.setdefault(viewer.code, set()).add(viewer)

    def leave(self, viewer: Viewer) -> None:
        """The viewer is gone."""
        room = self.rooms.get(viewer.code)
        if room is not None:
            room.discard(viewer)
            if not room:
                del self.rooms[viewer.code]
                self._shown.pop(viewer.code, None)
        self._slow.discard(viewer)

    def viewers(self) -> list[Viewer]:
        """Everyone who looks at a table here."""
        return [viewer for room in self.rooms.values() for viewer in room]

    def _bind(self) -> None:
        loop = asyncio.get_running_loop()
        if self._loop is not loop:
            # Another loop than before (each test has its own): what belonged to it is gone.
            self.__init__()  # type: ignore[misc]
            self._loop = loop

    def spawn(self, work: Coroutine[Any, Any, None]) -> None:
        """Run a coroutine beside; it is kept alive until it ends."""
        # In a context of its own: nobody's language, nobody's thread.
        task = asyncio.get_running_loop().create_task(work, context=Context())
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    # From any thread

    def changed(self, live: Live) -> None:
        """A change of a table was stored (a listener of the store)."""
        self._notify(live.code, False, live.step)

    def presence_changed(self, code: str) -> None:
        """Somebody came to that table, or went."""
        self._notify(code, True)

    def sign_out(
        self, player_id: int, *, session: str = "", token: str = "", everything: bool = False
    ) -> None:
        """A sign-in ends: its sockets are closed, here at once, elsewhere after a look.

        `session` is a session's key, `token` a token's hash, `everything` whatever the player has.
        """
        self._call(self._signed_out, player_id, session, token, everything)

    def _call(self, fn: Any, *args: Any) -> None:
        if self._loop is not None and not self._loop.is_closed():
            self._loop.call_soon_threadsafe(fn, *args, context=Context())

    def _notify(self, code: str, only_presence: bool, step: Step | None = None) -> None:
        if self._loop is None:
            return  # nobody serves here: a command, or a test without sockets
        self._news.append((code, only_presence, step))
        if not self._woken:
            self._woken = True
            self._call(self._wake)

    # Changes, to the viewers of this process

    def _wake(self) -> None:
        self._woken = False
        if not self._delivering:
            self._delivering = True
            self.spawn(self._deliver())

    async def _deliver(self) -> None:
        try:
            while self._news:
                codes: dict[str, bool] = {}
                steps: dict[str, list[Step]] = {}
                while self._news:
                    code, only_presence, step = self._news.popleft()
                    codes[code] = codes.get(code, True) and only_presence
                    if step is not None:
                        steps.setdefault(code, []).append(step)
                for number, (code, only_presence) in enumerate(codes.items(), 1):
                    live = store.peek(code)
                    seq = live.seq if live else 0
                    self.neighbours.tell_change(code, seq, only_presence, steps.get(code, ()))
                    if code in self.rooms:
                        try:
                            await self._show(code, live)
                        except Exception:  # of that table alone; it is looked at again soon
                            metrics.ERRORS.labels("show").inc()
                            log.exception("a table could not be shown", table=code)
                    if number % AT_ONCE == 0:
                        await asyncio.sleep(0)
        finally:
            self._delivering = False

    async def _show(self, code: str, live: Live | None = None) -> None:
        """Show the newest state of a table to all who look at it here."""
        room = self.rooms.get(code)
        if not room:
            return
        since = self.moved.pop(code, None)
        try:
            live = live or store.peek(code) or await reading.run(store.fresh, code)
        except store.NoSuchTable:
            live = None
        if live is None or live.status == Table.CLOSED:
            for viewer in list(room):
                await self._shut(viewer, protocol.NO_SUCH_ROOM)
            return
        self._shown[code] = live.seq, live.presence
        showing = Showing(live)
        for viewer in list(room):
            try:
                if not await viewer.show(showing):
                    self._slow.add(viewer)
            except Exception:
                metrics.ERRORS.labels("show").inc()
                log.exception("a viewer could not be shown a table", table=code)
        if since is not None:
            metrics.MOVE_TO_SCREEN.observe(time.perf_counter() - since)

    async def _shut(self, viewer: Viewer, code: int) -> None:
        with contextlib.suppress(Exception):
            await viewer.shut(code)

    def say(self, code: str, seat: int, phrase: str) -> None:
        """A phrase for everybody at a table, here and in other processes."""
        self.neighbours.tell_phrase(code, seat, phrase)
        self.spawn(self._hear(code, seat, phrase))

    async def _hear(self, code: str, seat: int, phrase: str) -> None:
        text = protocol.said(seat, phrase)
        for viewer in list(self.rooms.get(code, ())):
            with contextlib.suppress(Exception):
                await viewer.hear(text)

    async def catch_up(self) -> None:
        """Show the newest to those who were slow, as soon as they have taken what they had."""
        while True:
            await asyncio.sleep(CATCH_UP_EVERY)
            slow, self._slow = self._slow, set()
            for viewer in slow:
                live = store.peek(viewer.code)
                shown = False
                with contextlib.suppress(Exception):
                    shown = live is not None and await viewer.show(Showing(live))
                if not shown and viewer in self.rooms.get(viewer.code, ()):
                    self._slow.add(viewer)

    # Presence

    def came_or_went(self, code: str) -> None:
        """A seat's socket opened or closed here: bring the database up to it, then tell."""
        self._came_or_went.add(code)
        if not self._writing_rows:
            self._writing_rows = True
            self.spawn(self._write_rows())

    async def _write_rows(self) -> None:
        try:
            while self._came_or_went:
                codes, self._came_or_went = self._came_or_went, set()
                try:
                    await store.run(presence.write_rows, time.time())
                    await self._tables_know(codes)
                except Exception:
                    metrics.ERRORS.labels("presence").inc()
                    log.exception("who is here could not be stored")
                    self._came_or_went |= codes
                    await asyncio.sleep(1)
        finally:
            self._writing_rows = False

    async def _tables_know(self, codes: Iterable[str]) -> None:
        """Let tables know who is there, as the database has it by now, and show it."""
        looks = (store.run_at(code, automatic.who_is_here) for code in codes)
        found = await asyncio.gather(*looks, return_exceptions=True)
        here = [one for one in found if isinstance(one, presence.Here)]
        await store.run(witness.note_connections, here, time.time())
        for one in here:
            store.refresh_presence(one.code, one.seats)
        for code in codes:
            self.presence_changed(code)
        for error in found:
            if isinstance(error, BaseException) and not isinstance(error, store.NoSuchTable):
                raise error

    # Other processes

    async def _news_from(self, message: dict[str, Any]) -> None:
        for code, seat, phrase in message.get("said", ()):
            await self._hear(code, seat, phrase)
        for player_id in message.get("recheck", ()):
            self.spawn(self._recheck_soon(player_id))
        stale, came_or_went = [], []
        steps = message.get("steps", {})  # a process of an older version tells none
        for code, seq, only_presence in message.get("tables", ()):
            if code in self.rooms:
                moved, live = store.follow(code, steps.get(code, ()))
                if live is None or live.seq < seq:
                    stale.append(code)
                elif moved or self._unseen(live):
                    await self._show(code, live)
                elif only_presence:
                    came_or_went.append(code)
        await self._read_again(stale, came_or_went)

    def _unseen(self, live: Live) -> bool:
        """Whether this process knows more of a table than it has shown.

        Whoever reads a table, for a page or to sweep it, brings the memory up and tells nobody.
        """
        return self._shown.get(live.code, (-1, 0)) < (live.seq, live.presence)

    async def _read_again(self, stale: Iterable[str], came_or_went: Iterable[str] = ()) -> None:
        stale, came_or_went = set(stale), set(came_or_went)
        if stale or came_or_went:
            try:
                for code in await reading.run(looking.read, stale, came_or_went):
                    await self._show(code)
            except Exception:
                metrics.ERRORS.labels("read").inc()
                log.exception("tables could not be read again")

    async def look_around(self) -> None:
        """Every two seconds: did open tables move on, or people come and go, unheard?"""
        while True:
            await asyncio.sleep(LOOK_EVERY)
            if not self.rooms:
                continue
            try:
                ahead, came_or_went = await reading.run(looking.look, list(self.rooms), time.time())
                if ahead:
                    await asyncio.sleep(UNDER_WAY)
                await self._read_again(looking.behind(ahead), came_or_went)
                for live in map(store.peek, list(self.rooms)):
                    if live is not None and self._unseen(live):
                        await self._show(live.code, live)
            except Exception:
                metrics.ERRORS.labels("read").inc()
                log.exception("the open tables could not be looked at")

    # Sign-ins that end

    def _signed_out(self, player_id: int, session: str, token: str, everything: bool) -> None:
        for viewer in self.viewers():
            who = viewer.visitor
            ended = who.session == session if who.session else bool(token) and who.token == token
            if who.player_id == player_id and (everything or ended):
                self.spawn(self._shut(viewer, protocol.SIGNED_OUT))
        self.neighbours.tell_sign_out(player_id)
        self.spawn(self._recheck_soon(player_id))

    async def _recheck_soon(self, player_id: int) -> None:
        await asyncio.sleep(1)  # the sign-out is told before it is stored
        with contextlib.suppress(Exception):
            await self.recheck([v for v in self.viewers() if v.visitor.player_id == player_id])

    async def recheck(self, viewers: Iterable[Viewer]) -> None:
        """Close those sockets whose sign-in holds no more, and note who is muted by now."""
        signed_in = [v for v in viewers if v.visitor.player_id is not None]
        if not signed_in:
            return
        people = [v.visitor for v in signed_in]
        ended = await reading.run(visitors.ended, people)
        muted = await reading.run(visitors.muted, {v.player_id for v in people if v.player_id})
        for viewer in signed_in:
            who = viewer.visitor
            if who.session in ended or who.token in ended:
                await self._shut(viewer, protocol.SIGNED_OUT)
            elif who.muted != (who.player_id in muted):
                viewer.visitor = replace(who, muted=not who.muted)

    async def keep_checking(self) -> None:
        """Ask every half minute whether the sign-ins of all sockets still hold."""
        while True:
            await asyncio.sleep(RECHECK_EVERY)
            try:
                await self.recheck(self.viewers())
            except Exception:
                metrics.ERRORS.labels("recheck").inc()
                log.exception("sign-ins could not be checked")

    # The life of a server

    def start(self) -> None:
        """Begin to listen and to look around; in the event loop that serves."""
        self._bind()
        for work in (self.neighbours.listen, self.look_around, self.catch_up, self.keep_checking):
            self.spawn(work())

    async def stop(self) -> None:
        """Stop what `start` began."""
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)


hub = Hub()
store.on_change(hub.changed)
