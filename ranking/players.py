"""Making players and their tokens: the one way in for pages, the API and commands."""

import hashlib
import secrets
from collections.abc import Iterable
from datetime import datetime, timedelta

from django.db import IntegrityError, transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from ranking.models import Player, Token
from ranking.names import (
    MAX_LENGTH,
    clean_name,
    fold,
    is_reserved,
    names_a_seat,
    same_name,
    sounds_official,
)
from ranking.signals import signed_out

SEEN_EVERY = timedelta(hours=1)
"""How finely `last_seen` is kept: it serves only to forget guests, so an hour is plenty."""


def create_guest(name: str) -> Player:
    """A new guest of this name; a name in use gets a suffix (`Ana-2`).

    Raises ValueError with a sentence when the name is not fit to be shown, sounds official or names
    a seat.
    """
    wanted = clean_name(name)
    if sounds_official(wanted):
        raise ValueError(_("That name is kept for the people who run this site."))
    if names_a_seat(wanted):
        raise ValueError(_kept())
    for attempt in range(40):
        candidate = wanted if attempt == 0 else _with_suffix(wanted, attempt)
        key = fold(candidate)
        if is_reserved(candidate) or Player.objects.filter(name_key=key).exists():
            continue
        player = Player(name=candidate, is_guest=True)
        player.set_unusable_password()
        try:
            with transaction.atomic():
                player.save()
        except IntegrityError:
            continue  # somebody took it between the look and the leap
        return player
    raise ValueError(_("Too many people have that name just now. Please choose another one."))


def _with_suffix(name: str, attempt: int) -> str:
    # Counting up finds small numbers for few; a crowd of one name draws lots in a widening range.
    number = attempt + 1 if attempt < 9 else secrets.randbelow(10 ** (2 + attempt // 4)) + 10
    suffix = f"-{number}"
    return name[: MAX_LENGTH - len(suffix)].rstrip() + suffix


def create_account(name: str, password: str | None, email: str = "") -> Player:
    """A new account; without a password it can only be used with tokens, until one is set.

    Raises ValueError with a sentence when the name is unfit, reserved or taken.
    """
    wanted = free_name(name)
    try:
        with transaction.atomic():
            return Player.objects.create_user(wanted, password, email)
    except IntegrityError:
        raise ValueError(_taken()) from None


def free_name(name: str, for_player: Player | None = None) -> str:
    """The cleaned name if an account may take it. Raises ValueError with a sentence if not."""
    wanted = clean_name(name)
    if is_reserved(wanted):
        raise ValueError(_kept())
    taken = Player.objects.filter(name_key=fold(wanted))
    if for_player is not None:
        taken = taken.exclude(pk=for_player.pk)
    if taken.exists():
        raise ValueError(_taken())
    return wanted


def _kept() -> str:
    return _("That name is kept for the site itself. Please choose another one.")


def _taken() -> str:
    return _("Someone has this name, or one that looks like it. Please choose another one.")


def sign_up(guest: Player, name: str, password: str, email: str = "") -> Player:
    """Turn the guest's own row into an account; the history stays with it.

    Tokens made while no password protected the row are revoked: whoever held one before does
    not hold the account. Raises ValueError with a sentence when the name can't be had.
    """
    if not guest.is_guest:
        raise ValueError(_("You have an account already."))
    guest.name = free_name(name, for_player=guest)
    guest.email = Player.objects.normalize_email(email)
    guest.is_guest = False
    guest.set_password(password)
    try:
        with transaction.atomic():
            guest.save()
            revoke_tokens(guest)
    except IntegrityError:
        raise ValueError(_taken()) from None
    return guest


def find_player(name: str) -> Player | None:
    """The player of that name (case doesn't matter, a look-alike is someone else), or None."""
    player = Player.objects.filter(name_key=fold(name), closed_at=None).first()
    return player if player is not None and same_name(player.name, name) else None


def make_token(player: Player, label: str = "") -> str:
    """A new token for the player's programs. It is given here once and kept only as a hash."""
    plain = secrets.token_urlsafe(32)
    Token.objects.create(player=player, digest=token_digest(plain), label=label)
    return plain


def player_for_token(text: str) -> Player | None:
    """Whose token this is; None when it is unknown, revoked or of a closed account."""
    digest = token_digest(text)
    return players_for_tokens([digest]).get(digest)


def players_for_tokens(digests: Iterable[str]) -> dict[str, Player]:
    """Whose tokens these are, by `token_digest`; those that are no good are left out."""
    tokens = Token.objects.select_related("player").filter(
        digest__in=list(digests), revoked=None, player__is_active=True
    )
    return {token.digest: token.player for token in tokens}


def revoke_tokens(player: Player, pk: int | None = None) -> int:
    """Make the player's tokens (or the one with that id) useless; gives how many there were.

    What was opened with them ends: `signals.signed_out` says so.
    """
    tokens = Token.objects.filter(player=player, revoked=None)
    if pk is not None:
        tokens = tokens.filter(pk=pk)
    digests = list(tokens.values_list("digest", flat=True))
    revoked = tokens.update(revoked=timezone.now())
    for digest in digests:
        signed_out.send(
            Player, player_id=player.pk, session_key=None, token=digest, everything=False
        )
    return revoked


def token_digest(plain: str) -> str:
    """What is kept of a token: its SHA-256."""
    return hashlib.sha256(plain.encode("utf-8", "surrogatepass")).hexdigest()


def seen(player: Player, now: datetime | None = None) -> None:
    """Note that the player is here; writes at most once in `SEEN_EVERY`."""
    now = now or timezone.now()
    if now - player.last_seen >= SEEN_EVERY:
        Player.objects.filter(pk=player.pk).update(last_seen=now)
        player.last_seen = now
