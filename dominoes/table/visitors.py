"""Who is at a socket: the sign-in that came with its handshake, and whether it still holds.

A token's or a session's holder is looked up once, when the socket opens, and asked for again every
half minute: signing out, a revoked token and a closed account end the sockets that came with them.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from http.cookies import CookieError, SimpleCookie
from importlib import import_module
from typing import Any, TypeVar

from django.conf import settings
from django.contrib.auth import HASH_SESSION_KEY, SESSION_KEY, get_user
from django.contrib.sessions.models import Session
from django.http import HttpRequest
from django.utils import timezone, translation
from django.utils.crypto import constant_time_compare

from ranking.models import Player, Token
from ranking.players import player_for_token, seen


class SignedOut(Exception):
    """The socket came with a sign-in that is no good (any more)."""


@dataclass(frozen=True, slots=True)
class Visitor:
    """A person (or, without `player_id`, nobody in particular) at one socket."""

    player_id: int | None = None
    name: str = ""
    muted: bool = False
    prefs: dict[str, Any] = field(default_factory=dict)
    language: str = "en"
    session: str = field(default="", repr=False)  # the session's key
    token: str = field(default="", repr=False)  # the hash of the token

    @property
    def table_prefs(self) -> dict[str, Any]:
        """How this person wants the table page."""
        found = self.prefs.get("table")
        return found if isinstance(found, dict) else {}


def identify(scope: dict[str, Any]) -> Visitor:
    """Who opens this socket. Reads the database. Raises SignedOut for a bad token.

    A session that has ended makes nobody in particular, as on a page.
    """
    headers = dict(scope["headers"])
    cookies = _cookies(headers.get(b"cookie", b""))
    language = _language(cookies, headers.get(b"accept-language", b""))
    authorization = headers.get(b"authorization")
    if authorization is not None:
        word, _, text = authorization.decode("latin-1").strip().partition(" ")
        player = player_for_token(text.strip()) if word.lower() == "bearer" else None
        if player is None:
            raise SignedOut
        digest = hashlib.sha256(text.strip().encode("utf-8", "surrogatepass")).hexdigest()
        return _visitor(player, language, token=digest)
    key = cookies.get(settings.SESSION_COOKIE_NAME)
    player = _player_of(key) if key else None
    if player is None:
        return Visitor(language=language)
    return _visitor(player, language, session=key or "")


def _visitor(player: Player, language: str, *, session: str = "", token: str = "") -> Visitor:
    seen(player)
    return Visitor(
        player_id=player.pk,
        name=player.name,
        muted=player.is_muted(),
        prefs=dict(player.prefs or {}),
        language=language,
        session=session,
        token=token,
    )


def _cookies(header: bytes) -> dict[str, str]:
    try:
        return {name: m.value for name, m in SimpleCookie(header.decode("latin-1")).items()}
    except CookieError:
        return {}


def _language(cookies: dict[str, str], accepted: bytes) -> str:
    request = HttpRequest()
    request.COOKIES = cookies
    request.META["HTTP_ACCEPT_LANGUAGE"] = accepted.decode("latin-1")
    return translation.get_language_from_request(request)


def _player_of(key: str) -> Player | None:
    request = HttpRequest()
    request.session = import_module(settings.SESSION_ENGINE).SessionStore(key)
    if SESSION_KEY not in request.session:
        return None
    user = get_user(request)
    return user if isinstance(user, Player) else None


def ended(visitors: Iterable[Visitor]) -> set[str]:
    """Of many visitors' sign-ins, the session keys and token hashes that hold no more."""
    visitors = list(visitors)
    sessions = {v.session: v.player_id for v in visitors if v.session}
    tokens = {v.token for v in visitors if v.token}
    good: set[str] = set()
    for some in _chunks(tokens):
        good.update(
            Token.objects.filter(digest__in=some, revoked=None, player__is_active=True).values_list(
                "digest", flat=True
            )
        )
    for some in _chunks(sessions):
        good.update(_living_sessions(some, sessions))
    return (tokens | set(sessions)) - good


def _living_sessions(keys: list[str], owners: dict[str, int | None]) -> list[str]:
    people = Player.objects.in_bulk({owners[key] for key in keys})
    living = []
    for row in Session.objects.filter(session_key__in=keys, expire_date__gt=timezone.now()):
        stored = row.get_decoded()
        player = people.get(owners[row.session_key])
        if player is None or not player.is_active:
            continue
        if stored.get(SESSION_KEY) != str(player.pk):
            continue
        # As for pages: a new password ends the sessions that were opened with the old one.
        given = stored.get(HASH_SESSION_KEY, "")
        hashes = [player.get_session_auth_hash(), *player.get_session_auth_fallback_hash()]
        if any(constant_time_compare(given, one) for one in hashes):
            living.append(row.session_key)
    return living


def muted(player_ids: Iterable[int]) -> set[int]:
    """Of many people, those whose phrases are kept from others at present."""
    found: set[int] = set()
    for some in _chunks(player_ids):
        found.update(
            Player.objects.filter(pk__in=some, muted_until__gt=timezone.now()).values_list(
                "pk", flat=True
            )
        )
    return found


T = TypeVar("T")


def _chunks(items: Iterable[T], size: int = 500) -> Iterator[list[T]]:
    rest = list(items)
    for start in range(0, len(rest), size):
        yield rest[start : start + size]
