"""Programs that sit at tables and play, each over a socket of its own.

They know what the outside may rely on and nothing of the project's code.
"""

from __future__ import annotations

import asyncio
import itertools
import json
import random
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from tests.clients import PATIENCE, Address, Api, Closed, Person, Picture, Rejected, Socket
from tests.shapes import check_picture

Policy = Callable[[Picture], str]


def first_legal(picture: Picture) -> str:
    """Always the first of the legal moves."""
    return str(picture["legal"][0])


def any_legal(picture: Picture) -> str:
    """One of the legal moves, by chance."""
    return str(random.choice(picture["legal"]))


_ids = itertools.count()


@dataclass
class Asked:
    """A move that was sent and not answered yet."""

    id: str
    message: dict[str, Any]
    match: str


@dataclass
class Program:
    """One seat's program: looks, moves when it is on turn, says ready, comes back when cut off.

    `servers` are tried in turn. It plays until `matches` matches are over (`done`), or `stop`.
    """

    servers: Sequence[Address]
    code: str
    person: Person
    policy: Policy = any_legal
    pause: Callable[[], float] | None = None  # seconds to think
    matches: int = 1
    checks: bool = True  # look at each picture's shape
    keeps: bool = False  # keep every picture as text
    picture: Picture | None = None
    pictures: list[str] = field(default_factory=list)
    acknowledged: list[tuple[str, str, str]] = field(default_factory=list)  # match, id, word
    refusals: list[str] = field(default_factory=list)
    closes: list[int] = field(default_factory=list)
    over: set[str] = field(default_factory=set)
    done: asyncio.Event = field(default_factory=asyncio.Event)
    socket: Socket | None = None
    _asked: dict[str, Asked] = field(default_factory=dict)
    _moved_at: int = -1  # the seq of the picture that it moved on
    _readied: tuple[str, int] | None = None
    _which: int = field(default_factory=lambda: next(_ids))
    _ended: bool = False
    _fault: BaseException | None = None

    async def play(self, patience: float = 120.0) -> None:
        """Play until done. Raises what was wrong with a picture, TimeoutError."""
        async with asyncio.timeout(patience):
            while not self.done.is_set() and not self._ended:
                try:
                    await self._connected()
                except (OSError, Rejected, TimeoutError):
                    await asyncio.sleep(0.1)
                self._which += 1
                if self._fault is not None:
                    raise self._fault

    async def _connected(self) -> None:
        address = self.servers[self._which % len(self.servers)]
        path = f"/ws/table/{self.code}/"
        self.socket = ws = await Socket.open(
            address, path, token=self.person.token, listener=self._hear, patience=10
        )
        for asked in self._asked.values():
            ws.send(asked.message)
        finished = asyncio.ensure_future(self.done.wait())
        try:
            await asyncio.wait({finished, ws.gone}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            finished.cancel()
        if ws.gone.done():
            self.closes.append(ws.gone.result())
            if ws.gone.result() in (4401, 4403, 4404):
                raise Closed(ws.gone.result())
        else:
            ws.close()

    def stop(self) -> None:
        """Leave, without giving up the seat."""
        self._ended = True
        self.done.set()

    def _hear(self, text: str) -> None:
        try:
            message = json.loads(text)
            kind = message["type"]
            if kind == "table":
                if self.keeps:
                    self.pictures.append(text)
                if self.checks:
                    check_picture(message)
                self._look(message)
            elif kind == "ok":
                self._stored(message)
            elif kind == "error":
                self._turned_down(message)
        except Exception as fault:
            self._fault = fault
            self.stop()

    def _look(self, picture: Picture) -> None:
        if self.picture is not None and picture["seq"] < self.picture["seq"]:
            return
        self.picture = picture
        status, match = picture["status"], picture["match"]
        if status in ("over", "abandoned"):
            self.over.add(match)
            self._may_be_done()
        elif status == "between":
            if self._readied != (match, picture["hand"]):
                self._readied = (match, picture["hand"])
                self._send({"type": "ready"})
        elif status == "playing" and picture["legal"] and self._moved_at < picture["seq"]:
            self._move(picture)

    def _move(self, picture: Picture) -> None:
        self._moved_at = picture["seq"]
        id = f"{self._which}-{next(_ids)}-{picture['seq']}"
        word = self.policy(picture)
        message = {"type": "move", "id": id, "seq": picture["seq"], "move": word}
        self._asked[id] = Asked(id, message, picture["match"])
        if self.pause is None:
            self._send(message)
        else:
            asyncio.get_running_loop().call_later(self.pause(), self._send_again, id)

    def _send(self, message: dict[str, Any]) -> None:
        if self.socket is not None:
            self.socket.send(message)

    def _send_again(self, id: str) -> None:
        if id in self._asked:
            self._send(self._asked[id].message)

    def _may_be_done(self) -> None:
        if len(self.over) >= self.matches and not self._asked:
            self.done.set()

    def _stored(self, answer: dict[str, Any]) -> None:
        asked = self._asked.pop(answer["id"], None)
        if asked is not None:
            self.acknowledged.append((asked.match, asked.id, asked.message["move"]))
            self._may_be_done()

    def _turned_down(self, answer: dict[str, Any]) -> None:
        self.refusals.append(answer["code"])
        asked = self._asked.get(answer["id"])
        if answer["code"] in ("rate", "not_now"):
            wait = 0.1 if answer["code"] == "rate" else 0.3
            if asked is not None:
                asyncio.get_running_loop().call_later(wait, self._send_again, asked.id)
            elif answer["id"] is None:
                self._readied = None
                if self.picture is not None:
                    asyncio.get_running_loop().call_later(wait, self._look, self.picture)
        elif asked is not None:
            del self._asked[asked.id]
            self._may_be_done()
            if self.picture is not None and self.picture["seq"] > asked.message["seq"]:
                self._look(self.picture)


async def play_out(programs: Sequence[Program], patience: float = 120.0) -> None:
    """Let programs play until all are done; raises the first fault."""
    async with asyncio.TaskGroup() as group:
        for program in programs:
            group.create_task(program.play(patience))


async def play_table(
    address: Address,
    rules: str = "draw",
    people: int = 2,
    *,
    bots: int = 0,
    patience: float = 120.0,
    **choices: Any,
) -> tuple[str, list[Program]]:
    """A whole match between new guests (and bots); the match's id and the programs that played."""
    api = Api(address)
    try:
        crowd = await api.guests(people)
        code, match = await api.table(rules, crowd, bots=bots, **choices)
    finally:
        api.close()
    programs = [Program([address], code, person) for person in crowd]
    await play_out(programs, patience)
    return match, programs


async def until(fits: Callable[[], bool], patience: float = PATIENCE, every: float = 0.02) -> None:
    """Wait until something is true. Raises TimeoutError."""
    end = time.monotonic() + patience
    while not fits():
        if time.monotonic() > end:
            raise TimeoutError
        await asyncio.sleep(every)
