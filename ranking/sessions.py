"""Signing in and out over HTTP, with everything that belongs to it."""

from typing import Any

from django.conf import settings
from django.contrib.auth import SESSION_KEY, login, user_logged_out
from django.contrib.sessions.models import Session
from django.dispatch import receiver
from django.http import HttpRequest, HttpResponse
from django.utils import timezone

from ranking import players
from ranking.models import Player
from ranking.signals import signed_out

_BACKEND = "django.contrib.auth.backends.ModelBackend"
_YEAR = 365 * 24 * 3600


def sign_in(request: HttpRequest, player: Player) -> None:
    """Make the request's session the player's, under a new key; what the old one opened ends."""
    old = request.session.session_key
    # Read now: `request.user` is looked up when it is first used, which may be too late.
    before = request.user.pk if isinstance(request.user, Player) else None
    login(request, player, backend=_BACKEND)
    if old is not None and before is not None:
        signed_out.send(Player, player_id=before, session_key=old, token=None, everything=False)


def sign_in_guest(request: HttpRequest, name: str) -> Player:
    """A new guest, signed in. Raises ValueError with a sentence when the name can't be had."""
    guest = players.create_guest(name)
    sign_in(request, guest)
    return guest


def end_everywhere(player: Player, sessions: bool = False) -> None:
    """Revoke the player's tokens and close what was opened by them or by any session.

    After a change of the password the sessions have ended by themselves, since their hash
    doesn't fit any more; `sessions` ends them where the password stays. A guest is gone then.
    """
    players.revoke_tokens(player)
    if sessions:
        # Sessions don't say whose they are; there is no other way than to look.
        for session in Session.objects.filter(expire_date__gt=timezone.now()).iterator():
            if session.get_decoded().get(SESSION_KEY) == str(player.pk):
                session.delete()
    signed_out.send(Player, player_id=player.pk, session_key=None, token=None, everything=True)


def keep_choices(response: HttpResponse, player: Player) -> HttpResponse:
    """Put the player's language and theme into the cookies that pages go by."""
    chosen = {
        settings.LANGUAGE_COOKIE_NAME: player.prefs.get("language"),
        "theme": player.prefs.get("theme"),
    }
    for name, value in chosen.items():
        if value:
            response.set_cookie(
                name,
                value,
                max_age=_YEAR,
                samesite="Lax",
                secure=settings.SESSION_COOKIE_SECURE,
            )
        elif value is not None:
            response.delete_cookie(name, samesite="Lax")
    return response


@receiver(user_logged_out)
def _logged_out(sender: Any, request: HttpRequest, user: Any, **more: Any) -> None:
    if isinstance(user, Player):
        key = request.session.session_key
        signed_out.send(Player, player_id=user.pk, session_key=key, token=None, everything=False)
