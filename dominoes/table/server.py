"""The web server: daphne's, with what live tables need.

- It listens on sockets that are handed to it, with a backlog for a thousand that come back at once.
- At SIGTERM it takes no more moves, closes every socket with 1012 ("come back"), lets requests and
  consumers finish within a grace, and then ends with status 0.
- It pings every socket and ends those that don't answer, and those that don't take what they are
  sent. The sweeper may have one pinged at any time, to know whether its line still stands.
- Messages and request bodies have a limit.

Importing this module installs Twisted's reactor, so it has to come before whatever else would.
"""

from __future__ import annotations

import asyncio
import socket
import time
from collections.abc import Awaitable, Callable, Iterable
from typing import Any, Final

from daphne.server import Server  # isort: skip  (first: it installs the reactor)

import autobahn.websocket.protocol as autobahn_protocol
import structlog
from daphne.http_protocol import HTTPFactory, WebRequest
from daphne.ws_protocol import WebSocketProtocol
from twisted.internet import defer, reactor

from dominoes.table import metrics, protocol

log = structlog.get_logger(__name__)


def _no_words(*_options: Any, **_more: Any) -> str:
    return ""


# For each socket autobahn makes a text of all its options, for a debug line that nobody reads: a
# third of what opening one costs.
autobahn_protocol.pformat = _no_words  # type: ignore[attr-defined]

PING_EVERY: Final = 5  # seconds
PING_PATIENCE: Final = 10
HANDSHAKE_PATIENCE: Final = 30
WATCH_EVERY: Final = 1.0
MOST_WAITING: Final = 256 * 1024  # bytes that a socket was sent and has not taken
MOST_UNREAD: Final = 512  # messages from a socket that nobody has looked at yet
MOST_BODY: Final = 256 * 1024  # bytes of a request's body
CUT_BODY: Final = 8 * 1024 * 1024
REQUEST_PATIENCE: Final = 60
GRACE: Final = 8.0  # seconds for all to finish at the end
MOVE_GRACE: Final = 2.0  # of them for moves that are being stored
BACKLOG: Final = 2048


class TableSocket(WebSocketProtocol):
    """A WebSocket: daphne's, with a lean way to send and limits in both directions."""

    last_ping: float
    autoPingPendingCall: Any  # noqa: N815
    heard = 0.0  # when bytes came last

    def dataReceived(self, data: bytes) -> None:  # noqa: N802
        """Take bytes from the network, without the words that the library makes of them."""
        self.heard = time.time()
        self._dataReceived(data)

    def ask(self) -> None:
        """Ping now, unless an answer is awaited. From any thread."""
        reactor.callFromThread(self._ask)

    def _ask(self) -> None:
        if self.state != self.STATE_OPEN or self.autoPingTimeoutCall is not None:
            return
        if self.autoPingPendingCall is not None:  # the answer to this one sets up the next
            self.autoPingPendingCall.cancel()
            self.autoPingPendingCall = None
        self._sendAutoPing()

    def onMessage(self, payload: bytes, isBinary: bool) -> None:  # noqa: N802, N803
        """Queue a message for its consumer, unless too many are waiting already."""
        if self.state != self.STATE_OPEN:
            return
        if self.application_queue.qsize() >= MOST_UNREAD:
            metrics.DROPPED.labels("flood").inc()
            self.sendClose(code=protocol.FLOOD)
            return
        pinged = self.last_ping
        super().onMessage(payload, isBinary)
        self.last_ping = pinged  # talking is no answer to a ping

    def onClose(self, wasClean: bool, code: int, reason: str) -> None:  # noqa: N802, N803
        """Tell the server, if the handshake came as far as to have one."""
        if hasattr(self, "server"):
            super().onClose(wasClean, code, reason)

    def _sendAutoPing(self) -> None:  # noqa: N802
        """Ping, unless an answer is awaited: a second ping would make the first one's foreign."""
        if self.autoPingTimeoutCall is None:
            super()._sendAutoPing()

    def sendMessage(  # noqa: N802
        self,
        payload: bytes,
        isBinary: bool = False,  # noqa: N803
        *_args: Any,
        **_more: Any,
    ) -> None:
        """Send one unfragmented frame.

        The limit on messages is for what clients send; the library's own method would hold what we
        send to it as well.
        """
        if self.state == self.STATE_OPEN:
            self._write(_frame_head(len(payload), isBinary) + payload)

    def _write(self, data: bytes) -> None:
        """Write to the network at once if nothing waits, which is one system call.

        The transport's own way is four: watch for "writable", see that it is, write, stop watching.
        Each lets the writing thread take over, and none but the one is needed almost always.
        """
        transport = self.transport
        if not self._waits(transport):
            sent = transport.writeSomeData(data)
            if not isinstance(sent, int):
                sent = 0  # the connection is lost; the transport finds out in its own way
            if sent == len(data):
                return
            data = data[sent:]
        transport.write(data)

    @staticmethod
    def _waits(transport: Any) -> bool:
        return bool(
            transport.dataBuffer
            or transport._tempDataBuffer
            or transport.disconnecting
            or transport.disconnected
        )

    def waiting(self) -> int:
        """How many bytes were sent to this client and are still in this process."""
        transport = self.transport
        if transport is None:
            return 0
        return len(transport.dataBuffer) - transport.offset + transport._tempDataLen

    def leave(self) -> None:
        """Tell the client that the server restarts: close code 1012."""
        if self.state == self.STATE_OPEN:
            self.sendCloseFrame(code=protocol.REPLACED_SERVER, isReply=False)
        elif self.state == self.STATE_CONNECTING and hasattr(self, "handshake_deferred"):
            self.serverReject()


def _frame_head(size: int, binary: bool) -> bytes:
    first = b"\x82" if binary else b"\x81"
    if size < 126:
        return first + size.to_bytes(1, "big")
    if size < 0x10000:
        return first + b"\x7e" + size.to_bytes(2, "big")
    return first + b"\x7f" + size.to_bytes(8, "big")


class LimitedRequest(WebRequest):
    """An HTTP request whose body has a limit, whether or not its length is declared.

    What is too long is read on and thrown away, so that the client gets its answer instead of a
    broken connection; what is far too long is cut off.
    """

    _taken = 0

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        # The site reads forms. Twisted would read them as well, and answer a broken one itself.
        self._parsePOSTFormSubmission = False

    def gotLength(self, length: int | None) -> None:  # noqa: N802
        """Learn how long the body is said to be."""
        super().gotLength(None if length is None else min(length, MOST_BODY))
        if length is not None and length > CUT_BODY:
            self.channel.transport.abortConnection()

    def handleContentChunk(self, data: bytes) -> None:  # noqa: N802
        """Take a part of the body."""
        self._taken += len(data)
        if self._taken <= MOST_BODY:
            super().handleContentChunk(data)
        elif self._taken > CUT_BODY and self.channel is not None:
            self.channel.transport.abortConnection()

    def process(self) -> Any:
        """Answer a request that is too long; hand the others to the site."""
        if self._taken <= MOST_BODY:
            return super().process()
        self.request_start = time.time()
        body = b'{"code": "too_large", "detail": "This request is too large."}'
        head = [(b"content-type", b"application/json"), (b"content-length", b"%d" % len(body))]
        # The API has no other word than 422 for what can't be taken as it is.
        status = 422 if self.path.startswith(b"/api/") else 413
        self.handle_reply({"type": "http.response.start", "status": status, "headers": head})
        self.handle_reply({"type": "http.response.body", "body": body})
        return None


class TableServer(Server):
    """See the module's text. `sockets` listen already; the server takes them over."""

    def __init__(
        self,
        application: Any,
        sockets: Iterable[socket.socket],
        *,
        on_start: Callable[[], None],
        on_stop: Callable[[], Awaitable[None]],
        busy: Callable[[], int],
    ) -> None:
        super().__init__(
            application,
            endpoints=["handed over"],
            http_timeout=REQUEST_PATIENCE,
            ping_interval=PING_EVERY,
            ping_timeout=PING_PATIENCE,
            websocket_timeout=-1,
            websocket_connect_timeout=HANDSHAKE_PATIENCE,
            websocket_handshake_timeout=HANDSHAKE_PATIENCE,
            websocket_max_message_size=protocol.MOST_BYTES,
            websocket_max_frame_size=protocol.MOST_BYTES,
            verbosity=2,  # what goes wrong in Twisted comes to our log
            server_name="",
        )
        self.endpoints: list[str] = []
        self.sockets = list(sockets)
        self.ports: list[Any] = []
        self.on_start, self.on_stop, self.busy = on_start, on_stop, busy
        self.failed = False

    def run(self) -> None:
        """Serve until SIGTERM or SIGINT."""
        # The reactor's own hook for this comes before the event loop runs.
        reactor._asyncioEventloop.call_soon(self._begin)
        super().run()

    def _begin(self) -> None:
        try:
            self.on_start()
            self._listen()
        except Exception:
            log.exception("the server could not begin")
            self.failed = True
            self.stop()

    def _listen(self) -> None:
        self.ws_factory.protocol = TableSocket
        # A message over the limit is answered with a close frame, not with a broken connection.
        self.ws_factory.setProtocolOptions(failByDrop=False, autoPingRestartOnAnyTraffic=False)
        factory = LimitedFactory(self)
        for one in self.sockets:
            one.setblocking(False)
            self.ports.append(reactor.adoptStreamPort(one.fileno(), one.family, factory))
            one.close()
        _later(WATCH_EVERY, self._watch)

    def create_application(self, protocol: Any, scope: dict[str, Any]) -> Any:
        """Make the application of a connection.

        A socket's can ask how much waits to be taken, and whether the other end is still there.
        """
        scope["root_path"] = self.root_path  # not what a client's header says
        if isinstance(protocol, TableSocket):
            scope["backlog"], scope["line"] = protocol.waiting, protocol
        return super().create_application(protocol, scope)

    def timeout_checker(self) -> None:
        """Look every second who has to be pinged and what takes too long."""
        for connection in list(self.connections):
            connection.check_timeouts()
        _later(1, self.timeout_checker)

    def _watch(self) -> None:
        """End the sockets that don't take what they are sent: it is all held in memory."""
        for connection in list(self.connections):
            if isinstance(connection, TableSocket) and connection.waiting() > MOST_WAITING:
                metrics.DROPPED.labels("slow").inc()
                connection.dropConnection(abort=True)
        _later(WATCH_EVERY, self._watch)

    def kill_all_applications(self) -> defer.Deferred[Any]:
        """Called as the reactor stops: end in good order, then let it stop."""
        farewell = asyncio.ensure_future(self._farewell(), loop=reactor._asyncioEventloop)
        return defer.Deferred.fromFuture(farewell)

    async def _farewell(self) -> None:
        began = time.monotonic()
        for port in self.ports:
            port.stopListening()
        try:
            await self.on_stop()
            # Polled: what is waited for is many things in several hands, and it is once in a life.
            while self.busy() and time.monotonic() - began < MOVE_GRACE:  # noqa: ASYNC110
                await asyncio.sleep(0.01)
            for connection in list(self.connections):
                if isinstance(connection, TableSocket):
                    connection.leave()
            while self._unfinished() and time.monotonic() - began < GRACE:  # noqa: ASYNC110
                await asyncio.sleep(0.02)
            late = self._unfinished()
            for task in late:
                task.cancel()
            await asyncio.gather(*late, return_exceptions=True)
            if late:
                log.warning("connections were cut off at the end", number=len(late))
        except Exception:
            log.exception("the end was not orderly")

    def _unfinished(self) -> list[asyncio.Task[Any]]:
        found = (details.get("application_instance") for details in self.connections.values())
        return [task for task in found if task is not None and not task.done()]


def _later(seconds: float, call: Callable[[], None]) -> None:
    reactor.callLater(seconds, call)  # type: ignore[arg-type]  # its stub takes itself for a class


class LimitedFactory(HTTPFactory):
    """Makes the connections that requests with a limited body come over."""

    def buildProtocol(self, addr: Any) -> Any:  # noqa: N802
        """Make the protocol of a new connection."""
        made = super().buildProtocol(addr)
        made.requestFactory = LimitedRequest
        return made


def listen(host: str | None, port: int) -> list[socket.socket]:
    """Listening sockets for a host's addresses, or (None) every address of the machine.

    Raises OSError where the port is taken or the host isn't this machine's.
    """
    if host is not None:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
        return [_listening(family, address) for family, _, _, _, address in found[:1]]
    sockets = [_listening(socket.AF_INET, ("0.0.0.0", port))]  # noqa: S104 (the embedded default)
    port = sockets[0].getsockname()[1]
    if socket.has_ipv6:
        try:
            sockets.append(_listening(socket.AF_INET6, ("::", port)))
        except OSError as error:
            log.info("not listening on IPv6", error=str(error))
    return sockets


def _listening(family: int, address: Any) -> socket.socket:
    made = socket.socket(family, socket.SOCK_STREAM)
    try:
        made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if family == socket.AF_INET6:
            # IPv4 has a socket of its own, so that its clients keep their plain addresses.
            made.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
        made.bind(address)
        made.listen(BACKLOG)
    except OSError:
        made.close()
        raise
    return made
