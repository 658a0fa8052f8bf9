"""Sockets at tables inside the test's own process, and rooms that are looked at through them."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from http.cookies import SimpleCookie
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from channels.testing import WebsocketCommunicator
from django.test import Client

from dominoes.asgi import application
from dominoes.table.hub import hub
from ranking.models import Player
from ranking.players import make_token
from tests.table.tables import Room

Headers = list[tuple[bytes, bytes]]


class Socket(WebsocketCommunicator):
    """A program's or (with HTML) a page's socket, inside this process."""

    def __init__(
        self,
        code: str,
        headers: Headers | None = None,
        subprotocols: list[str] | None = None,
        host: bytes = b"localhost",
    ) -> None:
        super().__init__(
            application,
            f"/ws/table/{code}/",
            headers=[(b"host", host), *(headers or [])],
            subprotocols=subprotocols or [],
        )
        self.picture: dict[str, Any] = {}  # the newest that was read
        self.others: list[dict[str, Any]] = []  # what was read beside pictures

    async def open(self) -> dict[str, Any]:
        """Shake hands; the first message."""
        connected, _ = await self.connect(timeout=5)
        assert connected
        return await self.get()

    async def get(self) -> dict[str, Any]:
        """The next message."""
        message = dict(json.loads(await self.receive_from(timeout=5)))
        if message["type"] == "table":
            self.picture = message
        else:
            self.others.append(message)
        return message

    async def newest(self) -> dict[str, Any]:
        """The newest picture, once everything that goes on by itself is done."""
        for _ in range(500):
            if not (hub._tasks or hub._news):
                break
            await asyncio.sleep(0.002)
        assert not hub._tasks
        while not self.output_queue.empty():
            await self.get()
        return self.picture

    async def get_type(self, *kinds: str) -> dict[str, Any]:
        """The next message of one of these types."""
        while True:
            message = await self.get()
            if message["type"] in kinds:
                return message

    async def ask(self, **message: Any) -> dict[str, Any]:
        """Send a message; its answer."""
        await self.send_to(text_data=json.dumps(message))
        return await self.get_type("ok", "error", "pong")

    async def code(self) -> int:
        """Read until the socket is closed; how."""
        while True:
            output = await self.receive_output(timeout=5)
            if output["type"] == "websocket.close":
                return int(output.get("code", 1000))


def bearer(player: Player) -> Headers:
    return [(b"authorization", f"Bearer {make_token(player)}".encode())]


def cookie(player: Player) -> tuple[Client, Headers]:
    client = Client()
    client.force_login(player, backend="django.contrib.auth.backends.ModelBackend")
    jar: SimpleCookie = client.cookies
    value = jar["sessionid"].value
    origin = (b"origin", b"http://localhost")
    return client, [(b"cookie", f"sessionid={value}".encode()), origin]


@sync_to_async
def started(rules: str = "draw", **choices: Any) -> Room:
    return Room(rules, **choices).start()


@sync_to_async
def new_room(rules: str = "draw", **choices: Any) -> Room:
    return Room(rules, **choices)


@pytest.fixture(autouse=True)
async def quiet_hub() -> AsyncIterator[None]:
    """Each test has its own event loop; what the hub began in it ends with it."""
    yield
    await hub.stop()
    hub.closing = False


class Seated:
    """A room with a socket for each person."""

    def __init__(self, room: Room, sockets: list[Socket]) -> None:
        self.room, self.sockets = room, sockets

    async def pictures(self) -> list[dict[str, Any]]:
        """The newest picture of each socket."""
        return [await socket.newest() for socket in self.sockets]


async def seated(room: Room) -> Seated:
    sockets = [Socket(room.code, await sync_to_async(bearer)(p)) for p in room.people]
    for socket in sockets:
        await socket.open()
    made = Seated(room, sockets)
    await made.pictures()
    return made
