"""The log of what the site's keepers did: who, when, what and why. It can't be edited."""

from collections.abc import Iterable
from typing import Any, ClassVar, NoReturn

from django.db import models
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _lazy

from ranking.people import Player

ANSWERED = "answer report"
"""The act whose reason is what somebody else was told: those whom it is about don't read it."""


class Sealed(Exception):
    """An act of the log was to be changed or removed."""


class ActQuerySet(models.QuerySet["Act"]):
    """Reads only."""

    def update(self, **kwargs: Any) -> NoReturn:
        """Refused: raises Sealed."""
        raise Sealed

    def delete(self) -> NoReturn:
        """Refused: raises Sealed."""
        raise Sealed


class Act(models.Model):
    """One act: a match voided, someone suspended, a room closed."""

    at = models.DateTimeField(default=timezone.now, editable=False, db_index=True)
    by = models.ForeignKey(
        Player, null=True, on_delete=models.DO_NOTHING, db_constraint=False, related_name="acts"
    )
    by_name = models.CharField(max_length=40)
    what = models.CharField(max_length=32)
    about = models.ForeignKey(
        Player,
        null=True,
        on_delete=models.DO_NOTHING,
        db_constraint=False,
        related_name="acts_about",
    )
    key = models.CharField(max_length=100, blank=True, db_index=True)
    reason = models.TextField()

    objects = ActQuerySet.as_manager()

    class Meta:
        verbose_name = _lazy("act of the keepers")
        verbose_name_plural = _lazy("acts of the keepers")
        ordering: ClassVar = ["-at", "-id"]

    def __str__(self) -> str:
        return f"{self.at:%Y-%m-%d %H:%M} {self.by_name}: {self.what} {self.key}"

    def save(self, *args: Any, **kwargs: Any) -> None:
        """Write the act once. Raises Sealed when it is there already."""
        if not self._state.adding:
            raise Sealed
        super().save(*args, **kwargs)

    def delete(self, *args: Any, **kwargs: Any) -> NoReturn:
        """Refused: raises Sealed."""
        raise Sealed


class OwnCause(ValueError):
    """A keeper was to decide what concerns them: its text is a sentence for them."""


def not_own_cause(by: Player | None, concerned: Iterable[int | None]) -> None:
    """Nobody judges their own cause. Raises OwnCause where `by` is among those concerned.

    `by` None, the machine's own commands, concerns nobody. Superusers may: they can be a small
    site's only keepers. What they do is logged as ever.
    """
    if by is not None and not by.is_superuser and by.pk in concerned:
        raise OwnCause(_("This concerns you yourself: ask another keeper to decide it."))


def log_act(
    *, by: Player | None, what: str, reason: str, about: Player | None = None, key: str = ""
) -> Act:
    """Write one act into the log; `by` None stands for the machine's own commands."""
    name = by.name if by is not None else "manage.py"
    return Act.objects.create(
        by=by, by_name=name, what=what, about=about, key=key, reason=reason.strip()
    )
