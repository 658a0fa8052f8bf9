"""The server's own parts: frames, direct writes, limits. Whole it runs in test_serve.py."""

from __future__ import annotations

import socket
import time
from typing import Any

import pytest

from dominoes.table import server
from dominoes.table.server import TableSocket, _frame_head, listen


class Transport:
    """A transport whose network takes so many bytes at a time."""

    def __init__(self, takes: int | Exception) -> None:
        self.takes = takes
        self.network = b""
        self.dataBuffer = b""
        self.offset = 0
        self._tempDataBuffer: list[bytes] = []
        self._tempDataLen = 0
        self.disconnecting = self.disconnected = False

    def writeSomeData(self, data: bytes) -> int | Exception:  # noqa: N802 (Twisted's name)
        if isinstance(self.takes, Exception):
            return self.takes
        self.network += data[: self.takes]
        return min(self.takes, len(data))

    def write(self, data: bytes) -> None:
        self._tempDataBuffer.append(data)
        self._tempDataLen += len(data)

    @property
    def waiting(self) -> bytes:
        return b"".join(self._tempDataBuffer)


def opened(transport: Transport) -> TableSocket:
    made = TableSocket()
    made.transport = transport
    made.state = made.STATE_OPEN
    return made


@pytest.mark.parametrize(
    ("size", "head"),
    [
        (0, b"\x81\x00"),
        (125, b"\x81\x7d"),
        (126, b"\x81\x7e\x00\x7e"),
        (65_535, b"\x81\x7e\xff\xff"),
        (65_536, b"\x81\x7f\x00\x00\x00\x00\x00\x01\x00\x00"),
    ],
)
def test_frames_begin_as_the_protocol_has_it(size: int, head: bytes) -> None:
    assert _frame_head(size, binary=False) == head
    assert _frame_head(size, binary=True) == b"\x82" + head[1:]


def test_what_the_network_takes_is_written_at_once() -> None:
    transport = Transport(1_000_000)
    opened(transport).sendMessage(b"hello")
    assert transport.network == b"\x81\x05hello"
    assert transport.waiting == b""


def test_what_it_does_not_take_waits_in_order() -> None:
    transport = Transport(4)
    socket_ = opened(transport)
    socket_.sendMessage(b"hello")
    socket_.sendMessage(b"again")
    assert transport.network + transport.waiting == b"\x81\x05hello\x81\x05again"
    assert transport.network == b"\x81\x05he"
    assert socket_.waiting() == len(transport.waiting)


def test_a_lost_connection_is_left_to_the_transport() -> None:
    transport = Transport(ConnectionError())
    opened(transport).sendMessage(b"hello")
    assert transport.waiting == b"\x81\x05hello"


def test_nothing_is_sent_on_a_socket_that_closes() -> None:
    transport = Transport(1_000_000)
    socket_ = opened(transport)
    socket_.state = socket_.STATE_CLOSING
    socket_.sendMessage(b"hello")
    assert transport.network == transport.waiting == b""


def test_more_than_the_incoming_limit_may_be_sent() -> None:
    transport = Transport(1_000_000)
    socket_ = opened(transport)
    socket_.maxMessagePayloadSize = 16 * 1024
    socket_.sendMessage(b"x" * 100_000)
    assert len(transport.network) == 100_010


def test_who_takes_nothing_is_dropped(monkeypatch: pytest.MonkeyPatch) -> None:
    class Watched(TableSocket):
        dropped = False

        def dropConnection(self, abort: bool = False) -> None:  # noqa: N802 (autobahn's name)
            self.dropped = abort

    greedy, fine = Watched(), Watched()
    for socket_, waits in ((greedy, 300_000), (fine, 200_000)):
        socket_.transport = Transport(0)
        socket_.transport.write(b"x" * waits)
    monkeypatch.setattr(server, "_later", lambda *_args: None)
    watching: Any = object.__new__(server.TableServer)
    watching.connections = {greedy: {}, fine: {}, object(): {}}
    watching._watch()
    assert (greedy.dropped, fine.dropped) == (True, False)


def test_a_line_is_heard_of_with_whatever_comes_over_it(monkeypatch: pytest.MonkeyPatch) -> None:
    made = TableSocket()
    taken: list[bytes] = []
    made._dataReceived = taken.append
    assert made.heard == 0.0
    before = time.time()
    made.dataReceived(b"x")
    assert made.heard >= before
    assert taken == [b"x"]


class Scheduled:
    """A call that is to come."""

    cancelled = False

    def cancel(self) -> None:
        self.cancelled = True


def test_who_is_asked_is_pinged_once_until_the_answer_comes(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    pings: list[TableSocket] = []

    def ping(self: TableSocket) -> None:
        pings.append(self)
        self.autoPingTimeoutCall = object()  # as while an answer is awaited

    monkeypatch.setattr(server.WebSocketProtocol, "_sendAutoPing", ping)
    monkeypatch.setattr(server.reactor, "callFromThread", lambda call: call())
    made = opened(Transport(0))
    made.autoPingTimeoutCall = made.autoPingPendingCall = None
    made.ask()
    made.ask()
    assert pings == [made]
    made.autoPingTimeoutCall = None  # answered
    made.ask()
    made.autoPingTimeoutCall = None
    # The next ping was set up by that answer; this one's answer sets up another in its place.
    later = made.autoPingPendingCall = Scheduled()
    made.ask()
    assert pings == [made] * 3
    assert later.cancelled and made.autoPingPendingCall is None
    made.autoPingTimeoutCall, made.state = None, made.STATE_CLOSING
    made.ask()
    assert pings == [made] * 3


def test_it_listens_on_every_address_of_the_machine() -> None:
    sockets = listen(None, 0)
    try:
        port = sockets[0].getsockname()[1]
        assert {one.getsockname()[1] for one in sockets} == {port}
        for one in sockets:
            host = "127.0.0.1" if one.family == socket.AF_INET else "::1"
            socket.create_connection((host, port), timeout=5).close()
    finally:
        for one in sockets:
            one.close()


def test_it_listens_on_one_address_if_told_so() -> None:
    (one,) = listen("127.0.0.1", 0)
    with one:
        assert one.getsockname()[0] == "127.0.0.1"
        with pytest.raises(OSError, match="in use"):
            listen("127.0.0.1", one.getsockname()[1])
