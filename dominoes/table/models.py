"""What is stored of live play.

Times are seconds since the epoch (floats): they are compared and moved far more often than they are
shown, and both databases keep them alike. `seq` counts every stored change of a table, over all its
matches; `position_seq` is the `seq` of the last change that a move could collide with.
"""

from __future__ import annotations

import secrets
import time
from datetime import UTC, datetime

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _lazy

from dominoes.rules.systems import SYSTEMS
from dominoes.table.models_keeping import Connection, DealCheck, Report, Said, SeatAddress

__all__ = [
    "Connection",
    "DealCheck",
    "Event",
    "Match",
    "MatchSeat",
    "Process",
    "Report",
    "Said",
    "Seat",
    "SeatAddress",
    "Socket",
    "Table",
]

# Capitals and digits without look-alikes (no 0 O 1 I L 2 Z 5 S 8 B U V).
CODE_LETTERS = "ACDEFGHJKMNPQRTWXY34679"
CODE_LENGTH = 6

_RULES = [(name, name) for name in SYSTEMS]
_KINDS = [("online", "online"), ("nearby", "nearby")]


def new_code() -> str:
    """A room code: six letters, about 27 bits, drawn from the system's randomness."""
    return "".join(secrets.choice(CODE_LETTERS) for _ in range(CODE_LENGTH))


def new_match_id() -> str:
    """An id for a match that can't be guessed: 12 letters, about 60 bits."""
    return "".join(secrets.choice("abcdefghjkmnpqrstuvwxyz23456789") for _ in range(12))


class Table(models.Model):
    """A room and the table in it: what its host chose, who may come, how far play is."""

    OPEN, PLAYING, BETWEEN, OVER, ABANDONED, CLOSED = (
        "open",
        "playing",
        "between",
        "over",
        "abandoned",
        "closed",
    )
    STATUSES = [(s, s) for s in (OPEN, PLAYING, BETWEEN, OVER, ABANDONED, CLOSED)]

    code = models.CharField(max_length=6, unique=True, default=new_code)
    rules = models.CharField(max_length=12, choices=_RULES)
    players = models.PositiveSmallIntegerField()
    sides = models.CharField(max_length=10)
    target = models.PositiveIntegerField()
    double_six_opens = models.BooleanField(default=False)
    kind = models.CharField(max_length=8, choices=_KINDS)
    ranked = models.BooleanField(default=False)
    private = models.BooleanField(default=False)
    turn_seconds = models.PositiveIntegerField(default=60)
    aid = models.BooleanField(default=True)
    replay = models.CharField(max_length=8, choices=[("all", "all"), ("players", "players")])

    status = models.CharField(max_length=10, choices=STATUSES, default=OPEN, db_index=True)
    seq = models.BigIntegerField(default=1)
    position_seq = models.BigIntegerField(default=1)
    match = models.ForeignKey(
        "Match", null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    # Everything that the clocks know (clock.Clock as JSON) and the earliest of its deadlines.
    clock = models.TextField(default="{}")
    due_at = models.FloatField(null=True, blank=True, db_index=True)
    # The end of the next match's hash chain. Secret: whoever has it knows every deal to come.
    next_secret = models.BinaryField(max_length=32)
    next_commit = models.CharField(max_length=64)
    removed = models.TextField(default="[]")
    created_at = models.FloatField(default=time.time)

    class Meta:
        verbose_name = _lazy("room")
        verbose_name_plural = _lazy("rooms")
        permissions = [("close_room", _lazy("Can close a room"))]

    def __str__(self) -> str:
        return self.code


class Seat(models.Model):
    """A taken seat: a person's or a bot's. An empty seat has no row."""

    table = models.ForeignKey(Table, on_delete=models.CASCADE, related_name="seat_rows")
    seat = models.PositiveSmallIntegerField()
    player = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.CASCADE, related_name="seat_rows"
    )
    bot = models.CharField(max_length=8, blank=True, default="")
    sat_at = models.FloatField(default=time.time)
    # The seed that the seat gave, and the commitment that stood when it did.
    seed = models.CharField(max_length=64, blank=True, default="")
    seed_commit = models.CharField(max_length=64, blank=True, default="")
    rematch = models.BooleanField(default=False)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["table", "seat"], name="one_holder_a_seat"),
            models.UniqueConstraint(fields=["table", "player"], name="one_seat_a_person"),
        ]

    def __str__(self) -> str:
        return f"{self.table_id}/{self.seat}"


#: The first letters of how a match ended, from its stored result: `{"how": "for…`. With its numbers
#: in the text, since SQLite finds no index by an expression whose numbers come as parameters.
HOW_ENDED = models.Func(
    models.F("result"), function="SUBSTR", template="%(function)s(%(expressions)s, 10, 3)"
)
LETTERS = 3


class Match(models.Model):
    """One match at a table: its rules, its chain, the hand in play as it stood before the deal."""

    PLAYING, OVER, ABANDONED = "playing", "over", "abandoned"

    id = models.CharField(primary_key=True, max_length=12, default=new_match_id)
    table = models.ForeignKey(Table, on_delete=models.CASCADE, related_name="matches")
    number = models.PositiveIntegerField()
    rules = models.CharField(max_length=12, choices=_RULES)
    options = models.TextField()
    kind = models.CharField(max_length=8, choices=_KINDS)
    ranked = models.BooleanField(default=False)
    turn_seconds = models.PositiveIntegerField(default=0)
    replay = models.CharField(max_length=8, default="all")
    private = models.BooleanField(default=False)

    secret = models.BinaryField(max_length=32)
    commit = models.CharField(max_length=64)
    seeds = models.TextField(default="[]")

    status = models.CharField(max_length=10, default=PLAYING)
    # dominoes.rules Match.base() of the present hand, that hand's number and its first event.
    base = models.TextField(default="{}")
    hand = models.PositiveIntegerField(default=0)
    hand_from = models.PositiveIntegerField(default=0)
    scores = models.TextField(default="[]")
    result = models.TextField(default="null")
    started_at = models.FloatField(default=time.time)
    ended_at = models.FloatField(null=True, blank=True, db_index=True)
    plies = models.PositiveIntegerField(default=0)

    class Meta:
        verbose_name = _lazy("match")
        verbose_name_plural = _lazy("matches")
        # The keepers' lists: each is counted, and its pages found, along one of these alone.
        indexes = [
            models.Index(fields=["-started_at", "-id"], name="match_newest"),
            models.Index(fields=["status", "-started_at", "-id"], name="match_newest_by_status"),
            models.Index(
                HOW_ENDED,
                models.F("started_at").desc(),
                models.F("id").desc(),
                name="match_newest_by_end",
            ),
        ]

    def __str__(self) -> str:
        return self.id

    @property
    def began(self) -> datetime:
        """The time, for people."""
        return datetime.fromtimestamp(self.started_at, UTC)

    @property
    def code_is_key(self) -> bool:
        """Whether the room's code lets people in who wouldn't find the room without it.

        As the match was played, or as the room is by now. Reads the match's table.
        """
        room = self.table
        return self.private or self.kind == "nearby" or room.private or room.kind == "nearby"


class MatchSeat(models.Model):
    """Who sat where in a match. The name is the player's own, read when it is shown."""

    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="seat_rows")
    seat = models.PositiveSmallIntegerField()
    player = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="match_seats"
    )
    bot = models.CharField(max_length=8, blank=True, default="")

    class Meta:
        constraints = [models.UniqueConstraint(fields=["match", "seat"], name="one_player_a_seat")]

    def __str__(self) -> str:
        return f"{self.match_id}/{self.seat}"


class Event(models.Model):
    """One line of a match's log. The log is the truth: snapshot, record and result follow from it.

    Kinds: `deal` (data: racks, boneyard, lot), `move`, `leave`, `agree` (word as in the record),
    `hand` and `end` (data: what came out), `ready`, `offer`, `accept`, `claim`, `back`.
    """

    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="events")
    number = models.PositiveIntegerField()
    kind = models.CharField(max_length=8)
    seat = models.SmallIntegerField(null=True)
    word = models.CharField(max_length=16, blank=True, default="")
    auto = models.BooleanField(default=False)
    # The client's id for what it asked, null where nobody asked; the seq that the answer carried.
    client_id = models.CharField(max_length=64, null=True)  # noqa: DJ001 (null is no id)
    seq = models.BigIntegerField()
    data = models.TextField(blank=True, default="")
    at = models.FloatField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["match", "number"], name="one_event_a_number"),
            models.UniqueConstraint(
                fields=["match", "seat", "client_id"], name="an_id_counts_once_a_seat"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.match_id}#{self.number} {self.kind} {self.word}"

    @property
    def when(self) -> datetime:
        """The time, for people who look at the log."""
        return datetime.fromtimestamp(self.at, UTC)


class Process(models.Model):
    """A server process that is, or was, alive: its heartbeat says which."""

    id = models.CharField(primary_key=True, max_length=36)
    started = models.FloatField(default=time.time)
    beat = models.FloatField(db_index=True)

    def __str__(self) -> str:
        return self.id


class Socket(models.Model):
    """An open socket at a table; it counts while its process's heart beats."""

    process = models.ForeignKey(Process, on_delete=models.CASCADE, related_name="sockets")
    table = models.ForeignKey(Table, on_delete=models.CASCADE, related_name="sockets")
    seat = models.PositiveSmallIntegerField(null=True)
    player = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.CASCADE)
    opened = models.FloatField(default=time.time)

    def __str__(self) -> str:
        return f"{self.table_id}/{self.seat}"
