"""What is kept ready for ladder and profiles: sums of results, so that pages never add up.

Every figure here follows from the results and could be made again from them
(`ranking.tally.recount`, `ranking.rated.replay`); a test holds the two together.
"""

from typing import ClassVar

from django.db import models
from django.utils.translation import gettext_lazy as _lazy

from ranking.outcomes import Result
from ranking.people import Player
from ranking.rating import START


class Career(models.Model):
    """One player's figures over all games: matches against people, points, rating.

    `rating` is 0 while the player has no rated match, so that the ladder sorts them last on
    every database; read it through `ranking.ladder` or the profile.
    """

    player = models.OneToOneField(Player, on_delete=models.CASCADE, primary_key=True)
    points = models.PositiveIntegerField(default=0)
    ranked = models.PositiveIntegerField(default=0)
    won = models.PositiveIntegerField(default=0)
    drawn = models.PositiveIntegerField(default=0)
    lost = models.PositiveIntegerField(default=0)
    rating = models.FloatField(default=0.0)
    deviation = models.FloatField(default=START.deviation)
    volatility = models.FloatField(default=START.volatility)
    rated = models.PositiveIntegerField(default=0)
    rated_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        indexes: ClassVar = [
            models.Index(
                fields=["-rating", "-points", "player", "ranked"],
                condition=models.Q(ranked__gt=0),
                name="career_ladder",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.player_id}: {self.points}"


class Standing(models.Model):
    """A player's ranked figures on one board: a variant (or all) in a week (or for ever).

    `game` and `variant` are empty on the boards of all games; `period` is empty for ever, else
    an ISO week in UTC, such as `2026-W07`.
    """

    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="standings")
    game = models.CharField(max_length=32, blank=True)
    variant = models.CharField(max_length=32, blank=True)
    period = models.CharField(max_length=8, blank=True)
    points = models.PositiveIntegerField(default=0)
    won = models.PositiveIntegerField(default=0)
    drawn = models.PositiveIntegerField(default=0)
    lost = models.PositiveIntegerField(default=0)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["player", "game", "variant", "period"], name="standing_once"
            )
        ]
        indexes: ClassVar = [
            models.Index(
                fields=["game", "variant", "period", "-points", "player"], name="standing_board"
            )
        ]

    def __str__(self) -> str:
        return f"{self.player_id} {self.game}/{self.variant} {self.period}: {self.points}"


class RatingChange(models.Model):
    """What one rated match did to one player's rating: the row of the plot."""

    result = models.ForeignKey(Result, on_delete=models.CASCADE, related_name="changes")
    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="rating_changes")
    opponent = models.ForeignKey(Player, null=True, on_delete=models.SET_NULL, related_name="+")
    played_at = models.DateTimeField()
    before = models.FloatField()
    rating = models.FloatField()
    deviation = models.FloatField()
    volatility = models.FloatField()

    class Meta:
        verbose_name = _lazy("rating change")
        verbose_name_plural = _lazy("rating changes")
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["result", "player"], name="change_once")
        ]
        indexes: ClassVar = [
            models.Index(fields=["player", "-result"], name="change_history"),
        ]

    def __str__(self) -> str:
        return f"{self.player_id}: {self.before:.0f} → {self.rating:.0f}"
