"""An HTTP client and a WebSocket client for tests and benches; tests/programs.py plays with them.

They know what the outside may rely on and nothing of the project's code, and they are light: one
process can hold thousands of sockets and answer as fast as a server asks.
"""

from __future__ import annotations

import asyncio
import base64
import json
import os
import socket
import struct
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

JSON: Final = "dominoes.json.v1"
HTML: Final = "dominoes.html.v1"
PATIENCE: Final = 30.0
ABNORMAL: Final = 1006

Picture = dict[str, Any]
Address = tuple[str, int]


class Refused(Exception):
    """An HTTP call that wasn't answered with 2xx."""

    def __init__(self, status: int, body: Any) -> None:
        super().__init__(f"{status}: {body}")
        self.status, self.body = status, body


class Closed(Exception):
    """The socket was closed, with that code."""

    def __init__(self, code: int) -> None:
        super().__init__(f"closed: {code}")
        self.code = code


class Rejected(Exception):
    """The handshake was answered with that HTTP status."""

    def __init__(self, status: int) -> None:
        super().__init__(f"handshake: {status}")
        self.status = status


# HTTP


class Api:
    """JSON calls under `/api/v1/`, each over a connection that is kept for the next one."""

    def __init__(self, address: Address) -> None:
        self.address = address
        self._idle: list[tuple[asyncio.StreamReader, asyncio.StreamWriter]] = []

    async def call(self, method: str, path: str, body: Any = None, token: str | None = None) -> Any:
        """The answer's JSON. Raises Refused."""
        status, answer = await self.raw(method, path, body, token)
        if not 200 <= status < 300:
            raise Refused(status, answer)
        return answer

    async def raw(
        self, method: str, path: str, body: Any = None, token: str | None = None
    ) -> tuple[int, Any]:
        """Status and JSON (or text) of the answer."""
        data = b"" if body is None else json.dumps(body).encode()
        lines = [
            f"{method} /api/v1/{path} HTTP/1.1",
            f"Host: {self.address[0]}:{self.address[1]}",
            f"Content-Length: {len(data)}",
            "Content-Type: application/json",
        ]
        if token is not None:
            lines.append(f"Authorization: Bearer {token}")
        request = "\r\n".join([*lines, "", ""]).encode() + data
        while True:
            kept = bool(self._idle)
            reader, writer = (
                self._idle.pop() if kept else await asyncio.open_connection(*self.address)
            )
            try:
                writer.write(request)
                status, answer, keep = await self._answer(reader)
            except (ConnectionError, asyncio.IncompleteReadError):
                writer.close()
                if kept:
                    continue  # the server had ended it meanwhile
                raise
            if keep:
                self._idle.append((reader, writer))
            else:
                writer.close()
            return status, answer

    async def _answer(self, reader: asyncio.StreamReader) -> tuple[int, Any, bool]:
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
        status = int(head[0].split()[1])
        headers = {
            name.strip().lower(): value.strip()
            for name, _, value in (line.partition(":") for line in head[1:] if line)
        }
        if headers.get("transfer-encoding") == "chunked":
            body = b""
            while size := int(await reader.readline(), 16):
                body += await reader.readexactly(size)
                await reader.readline()
            await reader.readline()
        else:
            body = await reader.readexactly(int(headers.get("content-length", 0)))
        try:
            answer = json.loads(body) if body else None
        except ValueError:
            answer = body.decode(errors="replace")
        return status, answer, headers.get("connection", "").lower() != "close"

    def close(self) -> None:
        """End the connections that were kept."""
        for _, writer in self._idle:
            writer.close()
        self._idle.clear()

    # What players do

    async def guest(self, name: str = "Ana") -> Person:
        """A new guest; a name in use gets a suffix."""
        made = await self.call("POST", "guests", {"name": name})
        return Person(made["name"], made["token"])

    async def guests(self, number: int, name: str = "Ana") -> list[Person]:
        """Some new guests."""
        return [await self.guest(f"{name}{n}") for n in range(number)]

    async def room(self, host: Person, rules: str, **choices: Any) -> str:
        """Make a room; its code."""
        choices.setdefault("kind", "online")
        made = await self.call("POST", "rooms", {"rules": rules, **choices}, host.token)
        return str(made["code"])

    async def sit(self, code: str, person: Person, seat: int, seed: str | None = None) -> Any:
        """Take a seat."""
        body = {"seat": seat} | ({} if seed is None else {"seed": seed})
        return await self.call("POST", f"rooms/{code}/sit", body, person.token)

    async def bot(self, code: str, host: Person, seat: int, level: str | None = "easy") -> Any:
        """Put a bot on a seat, or (None) take it away."""
        return await self.call(
            "POST", f"rooms/{code}/bot", {"seat": seat, "level": level}, host.token
        )

    async def start(self, code: str, host: Person) -> str:
        """Begin the match; its id."""
        return str((await self.call("POST", f"rooms/{code}/start", {}, host.token))["match"])

    async def rematch(self, code: str, person: Person) -> str | None:
        """Agree to play again; the match's id once it began."""
        answer = await self.call("POST", f"rooms/{code}/rematch", {}, person.token)
        return None if answer["match"] is None else str(answer["match"])

    async def record(self, match: str, person: Person | None = None) -> dict[str, Any]:
        """The record of a match that is over."""
        token = person.token if person else None
        return dict(await self.call("GET", f"matches/{match}/record", token=token))

    async def table(
        self, rules: str = "draw", people: Sequence[Person] = (), *, bots: int = 0, **choices: Any
    ) -> tuple[str, str]:
        """A room whose seats these people take, then bots; begun. Its code and the match's id."""
        players = len(people) + bots
        if rules != "partners":
            choices.setdefault("players", players)
        code = await self.room(people[0], rules, **choices)
        for seat, person in enumerate(people[1:], 1):
            await self.sit(code, person, seat)
        for seat in range(len(people), players):
            await self.bot(code, people[0], seat)
        return code, await self.start(code, people[0])


@dataclass(frozen=True)
class Person:
    """A guest or an account, by its token."""

    name: str
    token: str = field(repr=False)


# WebSocket


class Socket(asyncio.Protocol):
    """A WebSocket client of few lines: text frames, pings answered, the close code kept."""

    def __init__(self) -> None:
        self.messages: asyncio.Queue[str | None] = asyncio.Queue()
        self.listener: Callable[[str], None] | None = None  # instead of the queue
        self.subprotocol: str | None = None
        self.address: Address = ("", 0)
        self.path = ""
        self.token: str | None = None
        self.code: int | None = None  # how it was closed
        self.bytes_received = 0
        self.frames_received = 0
        self.answers_pings = True
        self._opened: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.gone: asyncio.Future[int] = asyncio.get_running_loop().create_future()
        self._buffer = bytearray()
        self._partial = bytearray()
        self._shaken = False
        self.transport: asyncio.Transport | None = None

    @classmethod
    async def open(
        cls,
        address: Address,
        path: str,
        *,
        token: str | None = None,
        subprotocol: str | None = JSON,
        headers: Iterable[tuple[str, str]] = (),
        listener: Callable[[str], None] | None = None,
        receive_buffer: int | None = None,
        patience: float = PATIENCE,
    ) -> Socket:
        """Connect and shake hands. Raises Rejected, OSError, TimeoutError."""
        loop = asyncio.get_running_loop()
        sock = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
        sock.setblocking(False)
        if receive_buffer:
            sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_buffer)
        self = cls()
        self.listener, self.address, self.path, self.token = listener, address, path, token
        async with asyncio.timeout(patience):
            try:
                await loop.sock_connect(sock, address)
            except BaseException:
                sock.close()
                raise
            transport, _ = await loop.create_connection(lambda: self, sock=sock)
            key = base64.b64encode(os.urandom(16)).decode()
            lines = [
                f"GET {path} HTTP/1.1",
                f"Host: {address[0]}:{address[1]}",
                "Upgrade: websocket",
                "Connection: Upgrade",
                f"Sec-WebSocket-Key: {key}",
                "Sec-WebSocket-Version: 13",
            ]
            if subprotocol:
                lines.append(f"Sec-WebSocket-Protocol: {subprotocol}")
            if token is not None:
                lines.append(f"Authorization: Bearer {token}")
            lines.extend(f"{name}: {value}" for name, value in headers)
            transport.write("\r\n".join([*lines, "", ""]).encode())
            try:
                await self._opened
            except BaseException:
                transport.abort()
                raise
        return self

    # asyncio.Protocol

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self.transport = transport

    def connection_lost(self, exc: Exception | None) -> None:
        if not self._opened.done():
            self._opened.set_exception(ConnectionResetError("closed in the handshake"))
            self._opened.exception()  # seen, also where nobody waits for it any more
        if self.code is None:
            self.code = ABNORMAL
        if not self.gone.done():
            self.gone.set_result(self.code)
        self.messages.put_nowait(None)

    def data_received(self, data: bytes) -> None:
        self.bytes_received += len(data)
        self._buffer += data
        if not self._shaken and not self._shake():
            return
        self._frames()

    def _shake(self) -> bool:
        end = self._buffer.find(b"\r\n\r\n")
        if end < 0:
            return False
        head = self._buffer[:end].decode("latin-1").split("\r\n")
        del self._buffer[: end + 4]
        status = int(head[0].split()[1])
        if status != 101:
            if not self._opened.done():
                self._opened.set_exception(Rejected(status))
            return False
        for line in head[1:]:
            name, _, value = line.partition(":")
            if name.strip().lower() == "sec-websocket-protocol":
                self.subprotocol = value.strip()
        self._shaken = True
        if not self._opened.done():
            self._opened.set_result(None)
        return True

    def _frames(self) -> None:
        buffer = self._buffer
        while len(buffer) >= 2:
            first, size, start = buffer[0], buffer[1], 2
            if size == 126:
                if len(buffer) < 4:
                    return
                size, start = int.from_bytes(buffer[2:4], "big"), 4
            elif size == 127:
                if len(buffer) < 10:
                    return
                size, start = int.from_bytes(buffer[2:10], "big"), 10
            if len(buffer) < start + size:
                return
            payload = bytes(buffer[start : start + size])
            del buffer[: start + size]
            self._frame(first & 15, bool(first & 128), payload)

    def _frame(self, opcode: int, final: bool, payload: bytes) -> None:
        if opcode in (0, 1, 2):
            if final and not self._partial:
                self._text(payload)
            else:
                self._partial += payload
                if final:
                    whole, self._partial = bytes(self._partial), bytearray()
                    self._text(whole)
        elif opcode == 8:
            if self.code is None:
                self.code = int.from_bytes(payload[:2], "big") if len(payload) >= 2 else 1005
                self.send_frame(8, payload[:2])
            assert self.transport is not None
            self.transport.close()
        elif opcode == 9 and self.answers_pings:
            self.send_frame(10, payload)

    def _text(self, payload: bytes) -> None:
        self.frames_received += 1
        text = payload.decode()
        if self.listener is not None:
            self.listener(text)
        else:
            self.messages.put_nowait(text)

    # What a client does

    def send(self, message: Any) -> None:
        """Send an object as JSON."""
        self.send_frame(1, json.dumps(message).encode())

    def send_frame(self, opcode: int, payload: bytes, *, final: bool = True) -> None:
        """Send one frame. Its mask is zero, which is a mask as well and costs nothing."""
        size = len(payload)
        if size < 126:
            head = bytes([opcode | (128 if final else 0), 128 | size])
        elif size < 0x10000:
            head = bytes([opcode | (128 if final else 0), 254]) + struct.pack("!H", size)
        else:
            head = bytes([opcode | (128 if final else 0), 255]) + struct.pack("!Q", size)
        assert self.transport is not None
        if not self.transport.is_closing():
            self.transport.write(head + b"\0\0\0\0" + payload)

    async def get(self, patience: float = PATIENCE) -> dict[str, Any]:
        """The next message. Raises Closed."""
        async with asyncio.timeout(patience):
            text = await self.messages.get()
        if text is None:
            self.messages.put_nowait(None)
            assert self.code is not None
            raise Closed(self.code)
        return dict(json.loads(text))

    async def get_until(
        self, fits: Callable[[dict[str, Any]], bool], patience: float = PATIENCE
    ) -> dict[str, Any]:
        """The next message that fits; what comes before is dropped."""
        async with asyncio.timeout(patience):
            while True:
                message = await self.get(patience)
                if fits(message):
                    return message

    async def table(self, patience: float = PATIENCE) -> Picture:
        """The next picture."""
        return await self.get_until(lambda m: m.get("type") == "table", patience)

    async def ask(self, message: dict[str, Any], patience: float = PATIENCE) -> dict[str, Any]:
        """Send a message and give its answer: `ok`, `error` or `pong`."""
        self.send(message)
        return await self.get_until(lambda m: m["type"] in ("ok", "error", "pong"), patience)

    async def closing(self, patience: float = PATIENCE) -> int:
        """Wait until the socket is closed; the code."""
        async with asyncio.timeout(patience):
            return await asyncio.shield(self.gone)

    def stop_reading(self) -> None:
        """Take nothing more from the network."""
        assert self.transport is not None
        self.transport.pause_reading()

    def close(self, code: int = 1000) -> None:
        """Close in good order."""
        self.send_frame(8, code.to_bytes(2, "big"))
        if self.transport is not None:
            self.transport.close()

    def abort(self) -> None:
        """Vanish without a word."""
        if self.transport is not None:
            self.transport.abort()
