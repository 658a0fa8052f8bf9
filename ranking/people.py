"""Who plays here: people with or without an account, and the tokens their programs use."""

from datetime import datetime
from typing import Any, ClassVar

from django.contrib.auth.base_user import AbstractBaseUser, BaseUserManager
from django.contrib.auth.models import PermissionsMixin
from django.core.exceptions import ValidationError
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _lazy

from ranking.names import MAX_LENGTH, clean_name, fold, same_name


def check_name(name: str) -> None:
    """Field validator: the name stands as `clean_name` would leave it. Raises ValidationError."""
    try:
        if clean_name(name) != name:
            raise ValueError(_lazy("This name has characters that can't be shown."))
    except ValueError as fault:
        raise ValidationError(str(fault), code="name") from None


class PlayerManager(BaseUserManager["Player"]):
    """Makes and finds players; names are looked up by their key."""

    def create_user(
        self, name: str, password: str | None = None, email: str = "", **more: Any
    ) -> "Player":
        """An account. Raises ValueError when the name is not fit to be shown."""
        player = self.model(
            name=clean_name(name), email=self.normalize_email(email), is_guest=False, **more
        )
        player.set_password(password)
        player.save(using=self._db)
        return player

    def create_superuser(
        self, name: str, password: str | None = None, email: str = "", **more: Any
    ) -> "Player":
        """An administrator's account; their names may sound official."""
        return self.create_user(
            name, password, email, **{"is_staff": True, "is_superuser": True, **more}
        )

    def get_by_natural_key(self, username: str | None) -> "Player":
        """The player of that name in any case. Raises Player.DoesNotExist."""
        player = self.get(name_key=fold(username or ""))
        # A look-alike finds the row, but it is not that person's name.
        if not same_name(player.name, username or ""):
            raise self.model.DoesNotExist
        return player


class Player(AbstractBaseUser, PermissionsMixin):
    """A person: a guest (a name, no password) or an account. Bots are no players.

    Signing up turns the guest's own row into an account, so the history stays. Closing an
    account keeps the row, since matches point at it, and takes everything personal out of it.
    """

    name = models.CharField(
        _lazy("name"), max_length=MAX_LENGTH, unique=True, validators=[check_name]
    )
    name_key = models.CharField(max_length=4 * MAX_LENGTH, unique=True, editable=False)
    is_guest = models.BooleanField(_lazy("guest"), default=False)
    email = models.EmailField(_lazy("e-mail address"), blank=True)
    is_staff = models.BooleanField(_lazy("may enter the admin"), default=False)
    is_active = models.BooleanField(_lazy("active"), default=True)
    date_joined = models.DateTimeField(_lazy("joined"), default=timezone.now)
    last_seen = models.DateTimeField(_lazy("last seen"), default=timezone.now, db_index=True)
    suspended_until = models.DateTimeField(_lazy("suspended until"), null=True, blank=True)
    muted_until = models.DateTimeField(_lazy("muted until"), null=True, blank=True)
    closed_at = models.DateTimeField(_lazy("closed"), null=True, blank=True, editable=False)
    prefs = models.JSONField(_lazy("preferences"), default=dict, blank=True)

    USERNAME_FIELD = "name"
    EMAIL_FIELD = "email"
    REQUIRED_FIELDS: ClassVar[list[str]] = []

    objects: ClassVar[PlayerManager] = PlayerManager()

    class Meta:
        verbose_name = _lazy("player")
        verbose_name_plural = _lazy("players")
        indexes = (models.Index(fields=["email"], name="player_email"),)

    def __str__(self) -> str:
        return self.name

    def clean(self) -> None:
        super().clean()
        taken = Player.objects.filter(name_key=fold(self.name)).exclude(pk=self.pk)
        if taken.exists():
            taken_by = _lazy("Someone has this name, or one that looks like it.")
            raise ValidationError({"name": taken_by})

    def save(self, *args: Any, **kwargs: Any) -> None:
        """Store the player; the key always follows the name."""
        self.name_key = fold(self.name)
        fields = kwargs.get("update_fields")
        if fields is not None and "name" in fields:
            kwargs["update_fields"] = {*fields, "name_key"}
        super().save(*args, **kwargs)

    def is_suspended(self, now: datetime | None = None) -> bool:
        """Whether this person may not play at present (they may still look and read)."""
        return self.suspended_until is not None and self.suspended_until > (now or timezone.now())

    def is_muted(self, now: datetime | None = None) -> bool:
        """Whether this person's phrases are kept from others at present."""
        return self.muted_until is not None and self.muted_until > (now or timezone.now())


class Token(models.Model):
    """A key for a player's programs. Only its SHA-256 is kept: it is shown once, when made."""

    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="tokens")
    digest = models.CharField(max_length=64, unique=True)
    label = models.CharField(max_length=60, blank=True)
    created = models.DateTimeField(default=timezone.now)
    revoked = models.DateTimeField(null=True, blank=True)

    class Meta:
        verbose_name = _lazy("API token")
        verbose_name_plural = _lazy("API tokens")

    def __str__(self) -> str:
        return f"{self.player}: {self.label or self.digest[:8]}"
