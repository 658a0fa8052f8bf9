"""What is stored for those who keep the site in order: reports, and what a match's log lacks."""

from __future__ import annotations

import time
from datetime import UTC, datetime

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _lazy


class Connection(models.Model):
    """A seat's connection, lost or regained, during a match."""

    match = models.ForeignKey("table.Match", on_delete=models.CASCADE, related_name="connections")
    seat = models.PositiveSmallIntegerField()
    here = models.BooleanField()
    at = models.FloatField()

    def __str__(self) -> str:
        return f"{self.match_id}/{self.seat} {'back' if self.here else 'lost'}"


class Said(models.Model):
    """A phrase that was said during a match: its key in `phrases.PHRASES`, never free text."""

    match = models.ForeignKey("table.Match", on_delete=models.CASCADE, related_name="said")
    seat = models.PositiveSmallIntegerField()
    phrase = models.CharField(max_length=16)
    hand = models.PositiveIntegerField()
    ply = models.PositiveIntegerField()
    at = models.FloatField()

    def __str__(self) -> str:
        return f"{self.match_id}/{self.seat} {self.phrase}"


class SeatAddress(models.Model):
    """A keyed hash of an address from which a seat of a ranked match was played; kept 30 days."""

    match = models.ForeignKey("table.Match", on_delete=models.CASCADE, related_name="addresses")
    seat = models.PositiveSmallIntegerField()
    digest = models.CharField(max_length=32)
    at = models.FloatField(default=time.time, db_index=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["match", "seat", "digest"], name="an_address_once_a_seat"
            )
        ]

    def __str__(self) -> str:
        return f"{self.match_id}/{self.seat}"


class DealCheck(models.Model):
    """A finished match whose deals were all worked out again from its chain and seeds."""

    match = models.OneToOneField(
        "table.Match", on_delete=models.CASCADE, related_name="deal_check", primary_key=True
    )
    deals = models.PositiveIntegerField()
    # What was wrong, a sentence a line; empty where nothing was.
    faults = models.TextField(blank=True, default="")
    at = models.FloatField(default=time.time)

    class Meta:
        indexes = [
            models.Index(fields=["-at"], condition=~models.Q(faults=""), name="deals_at_fault"),
        ]

    def __str__(self) -> str:
        return f"{self.match_id}: {self.deals}"


REASONS = [
    ("slow", _lazy("Plays slowly on purpose")),
    ("leaves", _lazy("Leaves or drops out on purpose")),
    ("together", _lazy("Plays together with another seat")),
    ("two_seats", _lazy("Sits in two seats at once")),
    ("gives_away", _lazy("Loses on purpose, or trades wins")),
    ("program", _lazy("Has a program choose the moves of a ranked match")),
    ("phrases", _lazy("Pesters with phrases")),
    ("name", _lazy("Has an offensive name")),
]


class Report(models.Model):
    """Somebody's report about who sits in a seat, with what can be known of it attached."""

    match = models.ForeignKey("table.Match", on_delete=models.CASCADE, related_name="reports")
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="reports"
    )
    about = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="reports_about"
    )
    seat = models.PositiveSmallIntegerField()
    # Where the reporter sat, null for someone who looked on.
    by_seat = models.PositiveSmallIntegerField(null=True)
    reason = models.CharField(_lazy("reason"), max_length=12, choices=REASONS)
    hand = models.PositiveIntegerField()
    ply = models.PositiveIntegerField()
    # reports.Attached as JSON: phrases and timings as they were when the report was made.
    attached = models.TextField(default="{}")
    at = models.FloatField(default=time.time, db_index=True)

    answer = models.TextField(_lazy("answer"), blank=True, default="", max_length=500)
    answered_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+"
    )
    answered_at = models.FloatField(null=True)
    answer_read = models.BooleanField(default=False)

    class Meta:
        verbose_name = _lazy("report")
        verbose_name_plural = _lazy("reports")
        constraints = [
            models.UniqueConstraint(
                fields=["match", "seat", "by"], name="one_report_each_of_a_seat"
            )
        ]

    def __str__(self) -> str:
        return f"{self.get_reason_display()} ({self.match_id}, {self.seat + 1})"

    @property
    def when(self) -> datetime:
        """The time, for people."""
        return datetime.fromtimestamp(self.at, UTC)

    @property
    def answered(self) -> datetime | None:
        """When it was answered, for people."""
        return None if self.answered_at is None else datetime.fromtimestamp(self.answered_at, UTC)
