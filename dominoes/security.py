"""Who may speak to this site, decided before Django and the sockets see anything.

``Gate`` wraps the whole ASGI application: it settles who the client is and whether it came by TLS
(a proxy's word counts from ``TRUSTED_PROXIES`` only), refuses foreign ``Host`` names, and refuses
sockets that another site's page opens. What stands behind it asks no forwarded header any more.
"""

import ipaddress
import json
import socket
from collections.abc import Awaitable, Callable, Iterable, Mapping
from http.cookies import CookieError, SimpleCookie
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.http import HttpRequest
from django.http.request import split_domain_port, validate_host
from django.utils.translation import gettext as _

from dominoes.environment import Network

Scope = dict[str, Any]
Receive = Callable[[], Awaitable[dict[str, Any]]]
Send = Callable[[Mapping[str, Any]], Awaitable[None]]
Address = ipaddress.IPv4Address | ipaddress.IPv6Address
App = Callable[[Scope, Receive, Send], Awaitable[None]]

# What load balancers ask for, by an address that is no name of the site.
PROBES = frozenset({"/healthz", "/metrics"})

KEPT_NAME = 150  # letters of a name by which failed sign-ins are counted; the column holds more
_LOOPBACK = frozenset({"localhost", "127.0.0.1", "[::1]"})
# Not ipaddress.is_private: that holds ranges for documentation and tests as private too.
_PRIVATE = tuple(
    ipaddress.ip_network(text)
    for text in (
        *("127.0.0.0/8", "10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "169.254.0.0/16"),
        *("::1/128", "fc00::/7", "fe80::/10"),
    )
)
# Endings that nobody outside can register, under which routers and mDNS give out names.
_HOME_ENDINGS = ("", ".local", ".lan", ".home", ".home.arpa", ".internal", ".fritz.box")
_TOLD = frozenset({b"x-forwarded-for", b"x-forwarded-proto", b"x-real-ip", b"forwarded"})
_DEFAULT_PORTS = {"http": "80", "ws": "80", "https": "443", "wss": "443"}


def is_private(address: Address) -> bool:
    """Say whether an address is this machine's, or of a network at home."""
    return _within(address, _PRIVATE)


def home_host(host: str, arrived_at: str = "") -> bool:
    """Say whether a host (without port) is this machine or a private address.

    Pages that another site's name leads to (DNS rebinding) come with that name as ``Host``, so the
    names that count are localhost, addresses of private networks and this machine's own name. The
    address that the request ``arrived_at`` counts too, unless the whole world reaches it: networks
    at home are made of stranger ranges than the private ones at times.
    """
    name = host.lower().rstrip(".")
    if name == "localhost" or name.endswith(".localhost"):
        return True
    address = _address(name)
    if address is not None:
        here = not address.is_global and address == _address(arrived_at)
        return here or is_private(address)
    own = socket.gethostname().lower().partition(".")[0]
    return bool(own) and name in {own + ending for ending in _HOME_ENDINGS}


def allowed_host(header: str, arrived_at: str = "") -> bool:
    """Say whether a ``Host`` header (with or without port) names this site; see `home_host`."""
    host, _port = split_domain_port(header)
    if not host:
        return False
    if settings.PUBLIC:
        return validate_host(host, settings.ALLOWED_HOSTS)
    return home_host(host, arrived_at)


def own_origin(origin: str, host: str) -> bool:
    """Say whether an ``Origin`` is this very site, as the ``Host`` header of the request has it.

    Same name and same port. A public site's pages came by TLS, whoever says otherwise isn't one;
    the usual ports count as the same there, since proxies may leave the port out of ``Host``. On
    one machine ``localhost`` and its addresses are the same.
    """
    try:
        parts = urlsplit(origin)
        theirs, their_port = split_domain_port(parts.netloc)
        usual = _DEFAULT_PORTS[parts.scheme]
    except (ValueError, KeyError):
        return False
    ours, our_port = split_domain_port(host)
    their_port = their_port or usual
    if not theirs or (settings.PUBLIC and parts.scheme not in {"https", "wss"}):
        return False
    if settings.PUBLIC and their_port == usual:
        return validate_host(theirs, settings.ALLOWED_HOSTS)
    same_name = theirs == ours or (theirs in _LOOPBACK and ours in _LOOPBACK)
    return same_name and their_port == (our_port or usual)


def lockout_name(request: HttpRequest | None, credentials: Mapping[str, Any] | None) -> str | None:
    """Give the name that failed sign-ins are counted under: all spellings of one name together."""
    from ranking.names import fold

    given = (credentials or {}).get("username")
    if given is None and request is not None:
        given = request.POST.get("username")
    return fold(str(given))[:KEPT_NAME] if given else None


class Gate:
    """The ASGI application around the site's; see the module's text."""

    def __init__(self, app: App) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a request or socket through, or refuse it (400 for a page, 403 for a socket)."""
        if scope["type"] not in {"http", "websocket"}:
            await self.app(scope, receive, send)
            return
        scope = forwarded(scope, settings.TRUSTED_PROXIES)
        host = _header(scope, b"host")
        arrived_at, port = scope.get("server") or ("localhost", 80)
        if host is None:  # only a program inside this process asks without one
            host = f"{arrived_at}:{port}"
        allowed = allowed_host(host, str(arrived_at))
        if scope["type"] == "http":
            if scope["path"] in PROBES and not allowed:
                scope = _with_host(scope, "localhost" if not settings.PUBLIC else _site_name())
            elif not allowed:
                await _refuse_host(send, for_program=scope["path"].startswith("/api/"))
                return
        elif not (allowed and _own_socket(scope, host)):
            await receive()
            await send({"type": "websocket.close"})
            return
        await self.app(scope, receive, send)


def forwarded(scope: Scope, proxies: Iterable[Network]) -> Scope:
    """Give the scope with the client and scheme that trusted proxies tell, without their headers.

    Of ``X-Forwarded-For`` the last address that is no trusted proxy counts: what stands before it
    was written by the client.
    """
    networks = tuple(proxies)
    peer = _address((scope.get("client") or ("", 0))[0])
    changed = {**scope, "headers": [item for item in scope["headers"] if item[0] not in _TOLD]}
    if peer is None or not _within(peer, networks):
        return changed
    hops = (_header(scope, b"x-forwarded-for") or "").split(",")
    while hops and _within(peer, networks):
        hop = _address(_without_port(hops.pop().strip()))
        if hop is None:
            break
        peer = hop
    changed["client"] = [str(peer), 0]
    told = (_header(scope, b"x-forwarded-proto") or "").rpartition(",")[2].strip().lower()
    if told in {"http", "https"}:
        secure = told == "https"
        socket_scheme = "wss" if secure else "ws"
        changed["scheme"] = socket_scheme if scope["type"] == "websocket" else told
    return changed


def _without_port(text: str) -> str:
    """Some proxies write ``192.0.2.1:443`` and ``[2001:db8::1]:443``."""
    if text.startswith("["):
        return text[1:].partition("]")[0]
    return text.partition(":")[0] if text.count(":") == 1 else text


def _own_socket(scope: Scope, host: str) -> bool:
    """Another site's page is refused; a program without ``Origin`` must not bring a session."""
    origin = _header(scope, b"origin")
    if origin is not None:
        return own_origin(origin, host)
    try:
        cookies = SimpleCookie(_header(scope, b"cookie") or "")
    except CookieError:
        return False
    return settings.SESSION_COOKIE_NAME not in cookies


async def _refuse_host(send: Send, *, for_program: bool) -> None:
    text = _(
        "This site isn't known under this address. Open it by the address that was given to you, "
        "or ask its keeper to add the name to ALLOWED_HOSTS."
    )
    kind = b"text/plain; charset=utf-8"
    if for_program:
        text, kind = json.dumps({"code": "bad_host", "detail": text}), b"application/json"
    headers = [(b"content-type", kind), (b"x-content-type-options", b"nosniff")]
    await send({"type": "http.response.start", "status": 400, "headers": headers})
    await send({"type": "http.response.body", "body": text.encode()})


def _header(scope: Scope, name: bytes) -> str | None:
    values = [value for key, value in scope["headers"] if key == name]
    return b",".join(values).decode("latin1") if values else None


def _with_host(scope: Scope, host: str) -> Scope:
    headers = [item for item in scope["headers"] if item[0] != b"host"]
    return {**scope, "headers": [*headers, (b"host", host.encode())]}


def _site_name() -> str:
    return next((name.lstrip(".") for name in settings.ALLOWED_HOSTS if name != "*"), "localhost")


def _address(text: str) -> Address | None:
    try:
        address = ipaddress.ip_address(text.strip("[]").partition("%")[0])
    except ValueError:
        return None
    return getattr(address, "ipv4_mapped", None) or address


def _within(address: Address, networks: Iterable[Network]) -> bool:
    return any(address.version == net.version and address in net for net in networks)
