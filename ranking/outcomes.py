"""What is stored of a finished match: the result, and what it was for each who sat there.

Nothing here knows a game. A game is a word, a variant is a word of that game, and what a result
pays comes with it.
"""

from typing import ClassVar

from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _lazy

from ranking.people import Player

WON, DRAWN, LOST = "won", "drawn", "lost"
RANKED, CASUAL, BOTS = "ranked", "casual", "bots"

OUTCOMES = [(WON, _lazy("won")), (DRAWN, _lazy("drawn")), (LOST, _lazy("lost"))]
CLASSES = [(RANKED, _lazy("ranked")), (CASUAL, _lazy("casual")), (BOTS, _lazy("against bots"))]


class Variant(models.Model):
    """A variant of a game that has results; kept so that lists of boards are quick to make."""

    game = models.CharField(max_length=32)
    variant = models.CharField(max_length=32)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["game", "variant"], name="variant_once")
        ]

    def __str__(self) -> str:
        return f"{self.game}/{self.variant}"


class Result(models.Model):
    """A whole match that ended by target, forfeit or agreement. Its key makes it unique."""

    game = models.CharField(max_length=32)
    variant = models.CharField(max_length=32)
    seats = models.PositiveSmallIntegerField()
    key = models.CharField(max_length=100, unique=True)
    url = models.CharField(max_length=200, blank=True)
    kind = models.CharField(max_length=16)
    ranked = models.BooleanField()
    # Whether it is of the sort that may move ratings; whether it did is told by its changes.
    rated = models.BooleanField()
    awards = models.JSONField(default=dict)
    ended_at = models.DateTimeField(db_index=True)
    recorded_at = models.DateTimeField(default=timezone.now)
    voided_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        verbose_name = _lazy("result")
        verbose_name_plural = _lazy("results")
        indexes: ClassVar = [
            models.Index(fields=["id"], condition=models.Q(rated=True), name="result_rated")
        ]
        permissions: ClassVar = [("void_result", _lazy("Can void a result"))]

    def __str__(self) -> str:
        return f"{self.game}/{self.variant} {self.key}"


class Side(models.Model):
    """One seat's part in a result: who sat there, on which side, and how it ended for them.

    A seat without player and without bot belonged to a guest who is forgotten since.
    """

    result = models.ForeignKey(Result, on_delete=models.CASCADE, related_name="sides")
    player = models.ForeignKey(
        Player, null=True, blank=True, on_delete=models.SET_NULL, related_name="sides"
    )
    bot = models.CharField(max_length=32, blank=True)
    seat = models.PositiveSmallIntegerField()
    side = models.PositiveSmallIntegerField()
    outcome = models.CharField(max_length=5, choices=OUTCOMES)
    left = models.BooleanField(default=False)
    # Lost because someone else of the same side left.
    partner_left = models.BooleanField(default=False)
    points = models.PositiveIntegerField(default=0)
    # Copied from the result, so that a player's history is one walk along one index.
    ended_at = models.DateTimeField()
    counted_as = models.CharField(max_length=6, choices=CLASSES)

    class Meta:
        verbose_name = _lazy("seat of a result")
        verbose_name_plural = _lazy("seats of a result")
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["result", "seat"], name="side_seat_once"),
            models.UniqueConstraint(fields=["result", "player"], name="side_player_once"),
        ]
        indexes: ClassVar = [
            models.Index(fields=["player", "-ended_at", "-id"], name="side_history"),
        ]

    def __str__(self) -> str:
        return f"{self.result_id}/{self.seat}: {self.outcome}"
