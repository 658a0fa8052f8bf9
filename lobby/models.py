"""What the lobby stores: who asks for what, who would rather not meet, who asked whom.

Times are seconds since the epoch, as at the tables. Rooms themselves are `dominoes.table`'s; a room
is named here by its code alone, so that rows of the lobby never stand in a room's way.
"""

from __future__ import annotations

import time

from django.conf import settings
from django.db import models

from dominoes.table.models import new_code


class Queue(models.Model):
    """A line of people who ask for the same table. Its row is the lock of all that it does."""

    rules = models.CharField(max_length=12)
    players = models.PositiveSmallIntegerField()
    sides = models.CharField(max_length=10)
    ranked = models.BooleanField()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["rules", "players", "sides", "ranked"], name="one_queue_a_wish"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.rules}-{self.players}-{self.sides}{' ranked' if self.ranked else ''}"


class Proposal(models.Model):
    """A table that is full on paper: everyone is asked whether they are there."""

    queue = models.ForeignKey(Queue, on_delete=models.CASCADE, related_name="proposals")
    ends_at = models.FloatField()

    def __str__(self) -> str:
        return f"{self.queue_id} until {self.ends_at}"


class Ticket(models.Model):
    """A place in a queue: one person's, or a pair's who want to be partners.

    A pair's ticket has a code for the companion to come in by, and waits for nobody else until both
    are there. `queued_at` is the place in the queue; it stays when the ticket goes back to it.
    """

    queue = models.ForeignKey(Queue, on_delete=models.CASCADE, related_name="tickets")
    pair = models.BooleanField(default=False)
    code = models.CharField(max_length=6, unique=True, default=new_code)
    queued_at = models.FloatField(default=time.time, db_index=True)
    proposal = models.ForeignKey(
        Proposal, null=True, on_delete=models.SET_NULL, related_name="tickets"
    )

    def __str__(self) -> str:
        return self.code


class Asker(models.Model):
    """A person in a queue, or what became of it: one row a person, so nobody is paired twice."""

    # Didn't say that one was there; stopped looking; may not play; one's companion is one of these.
    LATE, GONE, BARRED, ALONE = "late", "gone", "barred", "alone"

    player = models.OneToOneField(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="asker"
    )
    ticket = models.ForeignKey(Ticket, null=True, on_delete=models.SET_NULL, related_name="askers")
    seen_at = models.FloatField(default=time.time)
    confirmed = models.BooleanField(default=False)
    # What happened: one of the above, or a table (its code) was found.
    note = models.CharField(max_length=8, blank=True, default="")
    table = models.CharField(max_length=6, blank=True, default="")

    def __str__(self) -> str:
        return f"{self.player_id} in {self.ticket_id}"


class Block(models.Model):
    """Someone with whom a person doesn't want to sit. Only its owner is ever told of it."""

    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="blocks"
    )
    other = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    at = models.FloatField(default=time.time)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["owner", "other"], name="one_block_a_person"),
        ]

    def __str__(self) -> str:
        return f"{self.owner_id} avoids {self.other_id}"


class Invite(models.Model):
    """A recent companion was asked to come: to a room, or into a pair that looks for a match."""

    ROOM, PAIR = "room", "pair"

    sender = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="invites_sent"
    )
    receiver = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="invites"
    )
    kind = models.CharField(max_length=4, choices=[(ROOM, ROOM), (PAIR, PAIR)])
    code = models.CharField(max_length=6)
    at = models.FloatField(default=time.time)
    declined = models.BooleanField(default=False)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["sender", "receiver", "code"], name="asked_once_for_one_thing"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.sender_id} asks {self.receiver_id} to {self.kind} {self.code}"
