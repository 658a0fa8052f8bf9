"""The end of an account, and what a person may take along: closing, forgetting, own data."""

from datetime import datetime, timedelta
from typing import Any

from django.contrib.auth.tokens import default_token_generator
from django.db import transaction
from django.db.models import ProtectedError, RestrictedError
from django.urls import reverse
from django.utils import timezone
from django.utils.encoding import force_bytes
from django.utils.http import urlsafe_base64_encode
from django.utils.translation import gettext as _

from ranking import history, prefs, profile
from ranking.acts import ANSWERED
from ranking.models import Act, Career, Player, Standing
from ranking.signals import account_closed, own_data, signed_out

FORGET_AFTER = timedelta(days=30)
"""How long a guest may stay away before they are forgotten."""


def close_account(player: Player) -> None:
    """Take everything personal out of an account, for good; guests as well.

    The row stays, since matches point at it: they can be read on, without the name, and nobody
    else's figures change. Raises ValueError with a sentence for the last administrator.
    """
    with transaction.atomic():
        player = Player.objects.select_for_update().get(pk=player.pk)
        if player.is_superuser and not _another_administrator(player):
            raise ValueError(_("You are the only administrator. Make another one first."))
        player.name = f"Former player {player.pk}"
        player.email = ""
        player.prefs = {}
        player.is_active = player.is_staff = player.is_superuser = player.is_guest = False
        player.closed_at = timezone.now()
        player.last_login = None
        player.set_unusable_password()
        player.save()
        player.groups.clear()
        player.user_permissions.clear()
        player.tokens.all().delete()
        Career.objects.filter(player=player).delete()
        Standing.objects.filter(player=player).delete()
        account_closed.send(Player, player_id=player.pk)
    signed_out.send(Player, player_id=player.pk, session_key=None, token=None, everything=True)


def _another_administrator(player: Player) -> bool:
    others = Player.objects.filter(is_superuser=True, is_active=True).exclude(pk=player.pk)
    return others.exists()


def reset_path(player: Player) -> str:
    """The path of a page on which the account's password can be set anew, once."""
    uid = urlsafe_base64_encode(force_bytes(player.pk))
    token = default_token_generator.make_token(player)
    return reverse("password_reset_confirm", args=[uid, token])


def forget_guests(now: datetime | None = None, most: int = 1000) -> int:
    """Remove guests who haven't been here for `FORGET_AFTER`; gives how many went.

    Their matches stay, with a nameless seat. A guest whom something else must keep is emptied
    like a closed account instead.
    """
    limit = (now or timezone.now()) - FORGET_AFTER
    old = Player.objects.filter(is_guest=True, last_seen__lt=limit).order_by("last_seen")
    forgotten = 0
    for pk in list(old.values_list("pk", flat=True)[:most]):
        with transaction.atomic():
            # Looked at again under the lock: they may have come back, or signed up.
            guest = Player.objects.select_for_update().filter(
                pk=pk, is_guest=True, last_seen__lt=limit
            )
            player = guest.first()
            if player is None:
                continue
            try:
                with transaction.atomic():
                    account_closed.send(Player, player_id=pk)
                    player.delete()
            except (ProtectedError, RestrictedError):
                close_account(player)
        forgotten += 1
    return forgotten


def stored_about(player: Player) -> dict[str, Any]:
    """Everything that is stored about a person, as JSON values, for them to take along."""
    stored: dict[str, Any] = {
        "account": {
            "name": player.name,
            "guest": player.is_guest,
            "email": player.email,
            "joined": player.date_joined,
            "last_seen": player.last_seen,
            "last_sign_in": player.last_login,
            "suspended_until": player.suspended_until,
            "muted_until": player.muted_until,
        },
        "preferences": {**prefs.of(player), **player.prefs},
        "tokens": list(player.tokens.order_by("pk").values("label", "created", "revoked")),
        "figures": _figures(player),
        "matches": _matches(player),
        "rating": list(
            player.rating_changes.order_by("result").values(
                "played_at", "before", "rating", "deviation", "volatility"
            )
        ),
        "acts_about_you": list(
            Act.objects.filter(about=player)
            .exclude(what=ANSWERED)
            .order_by("at")
            .values("at", "what", "reason")
        ),
    }
    sections: list[tuple[Any, Any]] = own_data.send(Player, player=player)
    for _receiver, section in sections:
        stored.update(section or {})
    return stored


def _figures(player: Player) -> dict[str, Any]:
    now = profile.figures(player)
    return {
        "points": now.points,
        "rating": now.rating,
        "deviation": now.deviation,
        "won": now.won,
        "drawn": now.drawn,
        "lost": now.lost,
    }


def _matches(player: Player) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = []
    wanted, before = history.Wanted(voided=True), None
    while True:
        entries, before = history.matches(player, wanted, before, 500, reader=player)
        found.extend(
            {
                "match": entry.key,
                "game": entry.game,
                "variant": entry.variant,
                "ended_at": entry.ended_at,
                "counted_as": entry.counted_as,
                "outcome": entry.outcome,
                "points": entry.points,
                "rating_change": entry.change,
                "left": entry.left,
                "void": entry.void_reason if entry.voided else None,
                "seat": next(one.seat for one in entry.everyone if one.me),
                "with": [one.shown for one in entry.everyone if not one.me],
            }
            for entry in entries
        )
        if before is None:
            return found
