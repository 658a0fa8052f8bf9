"""Who is at a socket: the sign-in that came with its handshake, and whether it still holds.

A token's or a session's holder is looked up once, when the socket opens, and asked for again every
half minute: signing out, a revoked token and a closed account end the sockets that came with them.
Everything here asks for many at once: after a restart a thousand come within a second.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from http.cookies import CookieError, SimpleCookie
from typing import Any, TypeVar

from django.conf import settings
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
from django.contrib.sessions.models import Session
from django.http import HttpRequest
from django.utils import timezone, translation
from django.utils.crypto import constant_time_compare

from ranking.models import Player
from ranking.players import SEEN_EVERY, players_for_tokens, token_digest

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Handshake:
    """What a socket's handshake says of whoever opens it."""

    language: str
    session: str = field(default="", repr=False)  # a session's key, "" for none
    token: str | None = field(default=None, repr=False)  # a token's hash, "" for no token at all


@dataclass(frozen=True, slots=True)
class Visitor:
    """A person (or, without `player_id`, nobody in particular) at one socket."""

    player_id: int | None = None
    muted: bool = False
    language: str = "en"
    session: str = field(default="", repr=False)  # the session's key
    token: str = field(default="", repr=False)  # the hash of the token
    seen_lately: bool = True


def read_handshake(scope: dict[str, Any]) -> Handshake:
    """Read the headers that matter. An `Authorization` counts alone, a cookie can't mend it."""
    headers = dict(scope["headers"])
    cookies = _cookies(headers.get(b"cookie", b""))
    language = _language(cookies, headers.get(b"accept-language", b""))
    authorization = headers.get(b"authorization")
    if authorization is not None:
        word, _, text = authorization.decode("latin-1").strip().partition(" ")
        bearer = word.lower() == "bearer" and bool(text.strip())
        return Handshake(language, token=token_digest(text.strip()) if bearer else "")
    return Handshake(language, session=cookies.get(settings.SESSION_COOKIE_NAME, ""))


def _cookies(header: bytes) -> dict[str, str]:
    if not header:
        return {}
    try:
        cookies = SimpleCookie(header.decode("latin-1")).items()
        return {name: m.value for name, m in cookies if "\0" not in m.value}
    except CookieError:
        return {}


def _language(cookies: dict[str, str], accepted: bytes) -> str:
    request = HttpRequest()
    request.COOKIES = cookies
    request.META["HTTP_ACCEPT_LANGUAGE"] = accepted.decode("latin-1")
    return translation.get_language_from_request(request)


def identify(handshakes: Sequence[Handshake]) -> list[Visitor | None]:
    """Who opens these sockets, in their order; None for a token that is no good.

    A session that has ended makes nobody in particular, as on a page. Reads the database.
    """
    tokens = {h.token for h in handshakes if h.token}
    sessions = {h.session for h in handshakes if h.session}
    by_token: dict[str, Player] = {}
    by_session: dict[str, Player] = {}
    for some in _chunks(tokens):
        by_token.update(players_for_tokens(some))
    for some in _chunks(sessions):
        by_session.update(_session_players(some))
    found: list[Visitor | None] = []
    for one in handshakes:
        if one.token is not None:
            holder = by_token.get(one.token)
            found.append(None if holder is None else _visitor(holder, one))
        else:
            holder = by_session.get(one.session)
            found.append(
                Visitor(language=one.language) if holder is None else _visitor(holder, one)
            )
    return found


def _visitor(player: Player, handshake: Handshake) -> Visitor:
    return Visitor(
        player_id=player.pk,
        muted=player.is_muted(),
        language=handshake.language,
        session=handshake.session,
        token=handshake.token or "",
        seen_lately=timezone.now() - player.last_seen < SEEN_EVERY,
    )


def note_seen(player_ids: Iterable[int]) -> None:
    """Note that these people are here. In `store.submit`."""
    for some in _chunks(player_ids):
        Player.objects.filter(pk__in=some).update(last_seen=timezone.now())


def ended(visitors: Iterable[Visitor]) -> set[str]:
    """Of many visitors' sign-ins, the session keys and token hashes that hold no more."""
    visitors = list(visitors)
    sessions = {v.session: v.player_id for v in visitors if v.session and v.player_id is not None}
    tokens = {v.token for v in visitors if v.token}
    good: set[str] = set()
    for some in _chunks(tokens):
        good.update(players_for_tokens(some))
    for some in _chunks(sessions):
        living = _session_players(some)
        good.update(key for key, player in living.items() if player.pk == sessions[key])
    return (tokens | set(sessions)) - good


def _session_players(keys: Sequence[str]) -> dict[str, Player]:
    """Whose these sessions are: the same questions that Django asks at a page, for many at once."""
    stored = {
        row.session_key: row.get_decoded()
        for row in Session.objects.filter(session_key__in=keys, expire_date__gt=timezone.now())
    }
    ids = {data[SESSION_KEY] for data in stored.values() if SESSION_KEY in data}
    people = {str(pk): player for pk, player in Player.objects.in_bulk(ids).items()}
    found = {}
    for key, data in stored.items():
        player = people.get(str(data.get(SESSION_KEY)))
        if player is None or not player.is_active:
            continue
        if data.get(BACKEND_SESSION_KEY) not in settings.AUTHENTICATION_BACKENDS:
            continue
        # A new password ends the sessions that were opened with the old one.
        given = str(data.get(HASH_SESSION_KEY, ""))
        hashes = [player.get_session_auth_hash(), *player.get_session_auth_fallback_hash()]
        if any(constant_time_compare(given, one) for one in hashes):
            found[key] = player
    return found


def muted(player_ids: Iterable[int]) -> set[int]:
    """Of many people, those whose phrases are kept from others at present."""
    found: set[int] = set()
    for some in _chunks(player_ids):
        silent = Player.objects.filter(pk__in=some, muted_until__gt=timezone.now())
        found.update(silent.values_list("pk", flat=True))
    return found


def _chunks(items: Iterable[T], size: int = 500) -> Iterator[list[T]]:
    rest = list(items)
    for start in range(0, len(rest), size):
        yield rest[start : start + size]
