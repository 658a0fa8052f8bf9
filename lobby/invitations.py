"""Invitations: a link and a QR code that work from another device, and the code to say aloud."""

from __future__ import annotations

from dataclasses import dataclass

import segno
from django.conf import settings
from django.http import HttpRequest
from django.http.request import split_domain_port
from django.urls import reverse
from django.utils.safestring import SafeString, mark_safe

from dominoes.network import lan_address

_HERE = {"localhost", "127.0.0.1", "[::1]"}


@dataclass(frozen=True, slots=True)
class Invitation:
    """What it takes to come: the whole address, the code, and the address as a picture."""

    link: str
    code: str
    qr: SafeString


def for_table(request: HttpRequest, code: str) -> Invitation:
    """The invitation to a room."""
    return _invitation(request, "join-room", code)


def for_pair(request: HttpRequest, code: str) -> Invitation:
    """The invitation to be somebody's partner in quick pairing."""
    return _invitation(request, "quick-pair", code)


def _invitation(request: HttpRequest, name: str, code: str) -> Invitation:
    link = reachable(request, reverse(name, args=[code]))
    return Invitation(link, code, qr(link))


def reachable(request: HttpRequest, path: str) -> str:
    """The whole address of a path, as another device in the network reaches it.

    A page opened as localhost carries this machine's address in the network instead: a phone that
    read "localhost" would look on itself.
    """
    host, port = split_domain_port(request.get_host())
    if not settings.PUBLIC and (host in _HERE or host.endswith(".localhost")):
        address = lan_address()
        if address is not None:
            host = address
    where = f"{host}:{port}" if port else host
    return f"{request.scheme}://{where}{path}"


def qr(link: str) -> SafeString:
    """An SVG of the address for a phone's camera, black on white."""
    code = segno.make(link, error="m", micro=False)
    svg = code.svg_inline(scale=4, border=2, dark="#000", light="#fff", omitsize=True)
    return mark_safe(svg)  # noqa: S308 - made here, of an address only
