"""The gate before Django and the sockets: whose word counts, which names, which origins."""

import asyncio
import json
import socket
from ipaddress import ip_network
from typing import Any

import pytest
from pytest_django import Settings

from dominoes import security
from ranking import names

Headers = dict[str, str]


@pytest.fixture
def public(settings: Settings) -> None:
    """A public site with two names."""
    settings.PUBLIC = True
    settings.ALLOWED_HOSTS = ["play.example", ".tables.example"]


def ask(
    kind: str = "http",
    path: str = "/",
    client: str = "192.168.1.20",
    server: str = "192.168.1.7",
    **headers: str,
) -> tuple[dict[str, Any] | None, list[dict[str, Any]]]:
    """Send one request or handshake to the gate; gives what got through, and what was answered."""
    through: list[dict[str, Any]] = []
    said: list[dict[str, Any]] = []

    async def app(scope: dict[str, Any], receive: Any, send: Any) -> None:
        through.append(scope)

    async def receive() -> dict[str, Any]:
        return {"type": "websocket.connect"}

    async def send(message: Any) -> None:
        said.append(dict(message))

    scope = {
        "type": kind,
        "path": path,
        "scheme": "ws" if kind == "websocket" else "http",
        "client": [client, 50000],
        "server": [server, 8000],
        "headers": [
            (name.replace("_", "-").encode(), value.encode()) for name, value in headers.items()
        ],
    }
    asyncio.run(security.Gate(app)(scope, receive, send))
    return (through[0] if through else None), said


def dial(**headers: str) -> bool:
    """Open a socket with these headers; says whether it got through."""
    through, said = ask("websocket", "/ws/table/K7QF2M/", **headers)
    if through is None:
        assert said == [{"type": "websocket.close"}]
    return through is not None


class TestHosts:
    @pytest.mark.parametrize(
        "host",
        [
            *("localhost", "localhost:8000", "LOCALHOST:8000", "tables.localhost", "localhost."),
            *("127.0.0.1", "127.0.0.1:8000", "127.1.2.3", "[::1]:8000", "[::1]"),
            *("192.168.1.7:8000", "10.0.0.2", "172.16.0.1", "172.31.255.254", "169.254.10.10"),
            *("[fd12:3456::1]:8000", "[fe80::1]", "[::ffff:192.168.1.7]:8000"),
            *(socket.gethostname(), f"{socket.gethostname().partition('.')[0]}.local:8000"),
        ],
    )
    def test_this_machine_and_the_network_at_home_may(self, host: str) -> None:
        assert ask(host=host)[0] is not None

    @pytest.mark.parametrize(
        "host",
        [
            *(
                "evil.example",
                "evil.example:8000",
                "localhost.evil.example",
                "127.0.0.1.evil.example",
            ),
            *("203.0.113.9", "8.8.8.8:8000", "172.32.0.1", "192.169.1.1", "0.0.0.0", "100.64.0.1"),
            *("[2001:db8::1]", "[2a00::1]:8000", "[::ffff:8.8.8.8]"),
            *("", ":8000", "local", ".local", "other-machine.local", "a b", "localhost:8000:9"),
            *("localhost@evil.example", "evil.example#localhost", "[::1", "2130706433"),
        ],
    )
    def test_foreign_names_are_refused(self, host: str) -> None:
        through, said = ask(host=host)
        assert through is None
        assert said[0]["status"] == 400
        assert b"ALLOWED_HOSTS" in said[1]["body"]

    def test_the_address_that_was_called_counts_where_it_is_not_the_worlds(self) -> None:
        for own in ("192.0.2.2", "100.64.0.9"):
            assert ask(host=f"{own}:8000", server=own)[0] is not None
            assert ask(host=f"{own}:8000")[0] is None
        assert ask(host="8.8.8.8:8000", server="8.8.8.8")[0] is None
        assert ask(host="[2001:db8::7]:8000", server="2001:db8::7")[0] is not None
        assert ask(host="[2a00:1450::7]:8000", server="2a00:1450::7")[0] is None

    def test_two_host_headers_are_none_that_is_known(self) -> None:
        async def send(message: Any) -> None:
            said.append(message)

        async def app(*_: Any) -> None:
            raise AssertionError("got through")

        said: list[Any] = []
        scope = {
            "type": "http",
            "path": "/",
            "headers": [(b"host", b"localhost"), (b"host", b"evil.example")],
        }
        asyncio.run(security.Gate(app)(scope, None, send))  # type: ignore[arg-type]
        assert said[0]["status"] == 400

    def test_programs_are_told_as_programs_are(self) -> None:
        _, said = ask(path="/api/v1/ladder", host="evil.example")
        answer = json.loads(said[1]["body"])
        assert answer["code"] == "bad_host"
        assert set(answer) == {"code", "detail"}

    @pytest.mark.usefixtures("public")
    def test_a_public_site_has_its_own_names_only(self) -> None:
        for host in ("play.example", "PLAY.example:443", "eu.tables.example", "tables.example"):
            assert ask(host=host)[0] is not None, host
        for host in (
            "evil.example",
            "localhost",
            "192.168.1.7:8000",
            "127.0.0.1",
            "x.play.example",
        ):
            assert ask(host=host)[0] is None, host

    @pytest.mark.usefixtures("public")
    @pytest.mark.parametrize("path", ["/healthz", "/metrics"])
    def test_probes_come_by_address(self, path: str) -> None:
        through, _ = ask(path=path, host="10.0.0.5:8000")
        assert through is not None
        assert (b"host", b"play.example") in through["headers"]
        assert ask(path=f"{path}/more", host="10.0.0.5:8000")[0] is None


class TestOrigins:
    def test_the_sites_own_pages_may(self) -> None:
        assert dial(host="localhost:8000", origin="http://localhost:8000")
        assert dial(host="192.168.1.7:8000", origin="http://192.168.1.7:8000")
        assert dial(host="[::1]:8000", origin="http://[::1]:8000")
        assert dial(host="localhost", origin="http://localhost")
        assert dial(host="localhost:80", origin="http://localhost")
        assert dial(host="192.168.1.7", origin="https://192.168.1.7")

    def test_names_of_the_same_server_count_as_one(self) -> None:
        assert dial(host="127.0.0.1:8000", origin="http://localhost:8000")

    @pytest.mark.parametrize(
        "origin",
        [
            *("http://evil.example", "http://evil.example:8000", "https://localhost.evil.example"),
            *("http://localhost:3000", "http://localhost", "http://192.168.1.1:8000", "null", ""),
            *("http://localhost:8000@evil.example", "file://", "chrome-extension://localhost:8000"),
            *("http://localhost:8000.evil.example", "//localhost:8000", "localhost:8000"),
            *("http://[::1", "http://[localhost]:8000"),
        ],
    )
    def test_another_sites_page_may_not(self, origin: str) -> None:
        assert not dial(host="localhost:8000", origin=origin)

    def test_a_foreign_host_does_not_make_its_origin_right(self) -> None:
        assert not dial(host="evil.example", origin="http://evil.example")
        assert not dial(host="evil.example")

    def test_a_program_without_origin_may(self) -> None:
        assert dial(host="localhost:8000")
        assert dial(host="localhost:8000", authorization="Bearer abc")
        assert dial(host="localhost:8000", cookie="theme=dark; csrftoken=x")

    def test_a_session_without_origin_may_not(self) -> None:
        assert not dial(host="localhost:8000", cookie="sessionid=abc")
        assert not dial(host="localhost:8000", cookie="theme=dark; sessionid=abc")
        assert dial(host="localhost:8000", cookie="sessionid=abc", origin="http://localhost:8000")

    @pytest.mark.usefixtures("public")
    def test_a_public_site_may_stand_behind_a_proxy_that_drops_the_port(self) -> None:
        assert dial(host="play.example", origin="https://play.example")
        assert dial(host="play.example:8443", origin="https://play.example:8443")
        assert dial(host="tables.example", origin="https://eu.tables.example")
        assert not dial(host="play.example", origin="https://play.example:8443")
        assert not dial(host="play.example", origin="https://evil.example")
        assert not dial(host="play.example", origin="http://localhost")
        # What somebody between here and there could have sent in our name.
        assert not dial(host="play.example", origin="http://play.example")
        assert not dial(host="play.example:80", origin="http://play.example:80")


class TestForwarded:
    @pytest.fixture(autouse=True)
    def proxies(self, settings: Settings) -> None:
        settings.TRUSTED_PROXIES = (ip_network("10.0.0.0/24"), ip_network("::1/128"))

    def seen(self, client: str, kind: str = "http", **headers: str) -> tuple[str, str]:
        """Client and scheme as what stands behind the gate sees them."""
        through, _ = ask(kind, host="localhost", client=client, **headers)
        assert through is not None
        assert not [name for name, _ in through["headers"] if name.startswith(b"x-")]
        return through["client"][0], through["scheme"]

    def test_a_trusted_proxys_word_counts(self) -> None:
        told = {"x_forwarded_for": "203.0.113.5", "x_forwarded_proto": "https"}
        for proxy in ("10.0.0.9", "::1", "::ffff:10.0.0.9"):
            assert self.seen(proxy, **told) == ("203.0.113.5", "https"), proxy
        assert self.seen("10.0.0.9", "websocket", **told) == ("203.0.113.5", "wss")

    def test_anyone_elses_does_not(self) -> None:
        told = {"x_forwarded_for": "203.0.113.5", "x_forwarded_proto": "https"}
        assert self.seen("10.0.1.9", **told) == ("10.0.1.9", "http")
        assert self.seen("192.168.1.20", "websocket", **told) == ("192.168.1.20", "ws")

    @pytest.mark.parametrize(
        ("chain", "client"),
        [
            ("1.1.1.1, 203.0.113.5", "203.0.113.5"),  # the first is the client's own invention
            ("1.1.1.1,203.0.113.5, 10.0.0.7", "203.0.113.5"),  # two proxies of ours
            ("10.0.0.7", "10.0.0.7"),
            ("203.0.113.5:51000", "203.0.113.5"),
            ("[2001:db8::5]:51000", "2001:db8::5"),
            ("2001:db8::5", "2001:db8::5"),
            ("unknown", "10.0.0.9"),
            ("203.0.113.5, nonsense", "10.0.0.9"),
            ("", "10.0.0.9"),
        ],
    )
    def test_of_a_chain_the_last_that_is_not_ours_counts(self, chain: str, client: str) -> None:
        assert self.seen("10.0.0.9", x_forwarded_for=chain)[0] == client

    def test_of_several_schemes_the_nearest_proxys_counts(self) -> None:
        assert self.seen("10.0.0.9", x_forwarded_proto="https, http")[1] == "http"
        assert self.seen("10.0.0.9", x_forwarded_proto="gopher")[1] == "http"
        assert self.seen("10.0.0.9", "websocket", x_forwarded_proto="gopher")[1] == "ws"


def test_what_is_neither_page_nor_socket_passes() -> None:
    passed = []

    async def app(scope: dict[str, Any], receive: Any, send: Any) -> None:
        passed.append(scope["type"])

    asyncio.run(security.Gate(app)({"type": "lifespan"}, None, None))  # type: ignore[arg-type]
    assert passed == ["lifespan"]


def test_failed_sign_ins_count_for_all_spellings_of_a_name() -> None:
    names = {security.lockout_name(None, {"username": name}) for name in ("Ana", "ANA", "аna")}
    assert len(names) == 1
    assert security.lockout_name(None, {}) is None


def test_a_name_of_any_length_costs_no_more_than_a_long_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    read: list[int] = []
    once = names._fold_once
    monkeypatch.setattr(names, "_fold_once", lambda text: read.append(len(text)) or once(text))
    counted = security.lockout_name(None, {"username": "\ufdfa" * 80_000})
    assert counted is not None and len(counted) <= security.KEPT_NAME
    assert read and max(read) <= 20 * names.LONGEST
