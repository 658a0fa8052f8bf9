"""Who may speak to this site, decided before Django and the sockets see anything.

``Gate`` wraps the whole ASGI application: it settles who the client is (forwarded headers count
from ``TRUSTED_PROXIES`` only), refuses foreign ``Host`` names, and refuses sockets that another
site's page opens.
"""

import ipaddress
import socket
from collections.abc import Awaitable, Callable, Iterable, Mapping
from http.cookies import CookieError, SimpleCookie
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.http import HttpRequest
from django.http.request import split_domain_port, validate_host
from django.utils.translation import gettext_lazy as _

from dominoes.environment import Network

Scope = dict[str, Any]
Receive = Callable[[], Awaitable[dict[str, Any]]]
Send = Callable[[Mapping[str, Any]], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]

# What load balancers ask for, by an address that is no name of the site.
PROBES = frozenset({"/healthz", "/metrics"})

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
_DEFAULT_PORTS = {"http": "80", "ws": "80", "https": "443", "wss": "443"}
_FORWARDED = frozenset({b"x-forwarded-for", b"x-forwarded-proto", b"x-real-ip", b"forwarded"})


def home_host(host: str) -> bool:
    """Say whether a host (without port) is this machine or a private address.

    Pages that another site's name leads to (DNS rebinding) come with that name as ``Host``, so the
    names that count are localhost, addresses of private networks and this machine's own name.
    """
    name = host.lower().rstrip(".")
    if name == "localhost" or name.endswith(".localhost"):
        return True
    try:
        address = ipaddress.ip_address(name.strip("[]").partition("%")[0])
    except ValueError:
        own = socket.gethostname().lower().partition(".")[0]
        return bool(own) and name in {own + ending for ending in _HOME_ENDINGS}
    if isinstance(address, ipaddress.IPv6Address) and address.ipv4_mapped:
        address = address.ipv4_mapped
    return _within(address, _PRIVATE)


def allowed_host(header: str) -> bool:
    """Say whether a ``Host`` header (with or without port) names this site."""
    host, _port = split_domain_port(header)
    if not host:
        return False
    return validate_host(host, settings.ALLOWED_HOSTS) if settings.PUBLIC else home_host(host)


def own_origin(origin: str, host: str) -> bool:
    """Say whether an ``Origin`` is this very site, as the ``Host`` header of the request has it.

    Same name and same port. On a public site the usual ports count as the same, since proxies may
    leave the port out of ``Host``; on one machine ``localhost`` and its addresses do.
    """
    try:
        parts = urlsplit(origin)
        theirs, their_port = split_domain_port(parts.netloc)
        usual = _DEFAULT_PORTS[parts.scheme]
    except (ValueError, KeyError):
        return False
    ours, our_port = split_domain_port(host)
    their_port = their_port or usual
    if not theirs:
        return False
    if settings.PUBLIC and their_port == usual:
        return validate_host(theirs, settings.ALLOWED_HOSTS)
    same_name = theirs == ours or (theirs in _LOOPBACK and ours in _LOOPBACK)
    return same_name and their_port == (our_port or usual)


def client_address(request: HttpRequest) -> str:
    """Give the client's address, as ``Gate`` settled it."""
    return str(request.META.get("REMOTE_ADDR", ""))


def lockout_name(request: HttpRequest | None, credentials: Mapping[str, Any] | None) -> str | None:
    """Give the name that failed sign-ins are counted under: all spellings of one name together."""
    from ranking.names import fold

    given = (credentials or {}).get("username")
    if given is None and request is not None:
        given = request.POST.get("username")
    return fold(str(given)) if given else None


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
        if host is None:  # only a program inside this process asks without one
            host = "{}:{}".format(*(scope.get("server") or ("localhost", 80)))
        if scope["type"] == "http":
            if scope["path"] in PROBES and not allowed_host(host):
                scope = _with_host(scope, "localhost" if not settings.PUBLIC else _site_name())
            elif not allowed_host(host):
                await _refuse_page(send)
                return
        elif not (allowed_host(host) and _own_socket(scope, host)):
            await receive()
            await send({"type": "websocket.close"})
            return
        await self.app(scope, receive, send)


def forwarded(scope: Scope, proxies: Iterable[Network]) -> Scope:
    """Give the scope with the client and scheme that trusted proxies tell, and without the headers.

    Of ``X-Forwarded-For`` the last address that is no trusted proxy counts: what stands before it
    was written by the client.
    """
    proxies = tuple(proxies)
    peer = (scope.get("client") or ("", 0))[0]
    changed = dict(scope)
    if _trusted(peer, proxies):
        chain = (_header(scope, b"x-forwarded-for") or "").replace(",", " ").split()
        while chain and _trusted(peer, proxies):
            peer = chain.pop()
        if _address(peer):
            changed["client"] = [peer, 0]
        scheme = (_header(scope, b"x-forwarded-proto") or "").rpartition(",")[2].strip().lower()
        if scheme in {"http", "https"}:
            secure = scheme == "https"
            if scope["type"] == "websocket":
                changed["scheme"] = "wss" if secure else "ws"
            else:
                changed["scheme"] = scheme
    changed["headers"] = [
        (name, value) for name, value in scope["headers"] if name not in _FORWARDED
    ]
    return changed


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


async def _refuse_page(send: Send) -> None:
    text = str(
        _(
            "This site isn't known under this address. Open it by the address that was given to "
            "you, or tell its keeper to add the name to ALLOWED_HOSTS."
        )
    )
    headers = [(b"content-type", b"text/plain; charset=utf-8")]
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


def _address(text: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    try:
        address = ipaddress.ip_address(text.strip("[]"))
    except ValueError:
        return None
    return getattr(address, "ipv4_mapped", None) or address


def _trusted(text: str, proxies: tuple[Network, ...]) -> bool:
    address = _address(text)
    return address is not None and _within(address, proxies)


def _within(
    address: ipaddress.IPv4Address | ipaddress.IPv6Address, networks: Iterable[Network]
) -> bool:
    return any(address.version == net.version and address in net for net in networks)
