"""What falls due at a table, and when: plain data and arithmetic, without a database.

All times are seconds since the epoch, all spans seconds. The numbers are those of the rules for
leaving, clocks and drops.
"""

from __future__ import annotations

import json
import random
from dataclasses import dataclass, field, fields
from typing import Any, Final, NamedTuple

AFTER_DRAW: Final = 10.0  # a draw doesn't start the clock anew, but leaves at least this
RESERVE: Final = 60.0  # once in a match, for a seat without a connection
AWAY_TURN: Final = 2.0  # how long an away seat's turn lasts
AWAY_TURNS: Final = 3  # turns in a row played for a seat until it has left
BETWEEN_HANDS: Final = 10.0
HOLD: Final = 30.0  # a seat that drops from a nearby table is held for this
CLAIM: Final = 300.0  # nothing done at a table without a clock: others may claim
GONE: Final = 3600.0  # everyone gone: the match is abandoned, the room closed
GONE_BOTS: Final = 7 * 86400.0  # a match against bots alone waits for its player
HOST_SILENT: Final = 60.0  # all seats taken: then anyone seated may begin
FRESH: Final = 60.0  # who sat down or agreed counts as there for this, without a socket
CHANGE_SEEN: Final = 10.0  # the host changed the game: the others have this long to see it
OUTAGE_LEFT: Final = 15.0  # what is left at least of a clock after an outage

BOT_PAUSE: Final = (0.8, 1.6)
BOT_PAUSE_DRAW: Final = (0.4, 0.8)


class Deadline(NamedTuple):
    """Something that the sweeper does when its time has come."""

    at: float
    what: str  # "turn", "act", "deal", "hold", "gone"
    seat: int | None


@dataclass(slots=True)
class Clock:
    """Every deadline of one table, and what the clocks must remember."""

    turn_at: float | None = None  # the seat on turn has until then
    turn_from: float | None = None  # the seat on turn has done nothing since
    act_at: float | None = None  # a bot, or an away seat's turn, plays then
    deal_at: float | None = None
    gone_at: float | None = None  # nobody is here: closed or abandoned then
    full_at: float | None = None  # all seats of an open room are taken since
    offer: int | None = None  # the side that offers a draw
    reserve_used: set[int] = field(default_factory=set)
    away: set[int] = field(default_factory=set)
    missed: dict[int, int] = field(default_factory=dict)  # turns in a row played for a seat
    ready: set[int] = field(default_factory=set)
    accepted: set[int] = field(default_factory=set)
    holds: dict[int, float] = field(default_factory=dict)
    on_reserve: int | None = None  # the seat on turn, while it plays on its reserve
    timed_out: set[int] = field(default_factory=set)  # have left, but didn't walk out
    # By player id: when they last agreed to play, or took the seat that they have once more.
    heard: dict[int, float] = field(default_factory=dict)
    changed_at: float | None = None  # the host changed the game, while others sat there

    def fork(self) -> Clock:
        """A copy to change."""
        return Clock(
            self.turn_at,
            self.turn_from,
            self.act_at,
            self.deal_at,
            self.gone_at,
            self.full_at,
            self.offer,
            set(self.reserve_used),
            set(self.away),
            dict(self.missed),
            set(self.ready),
            set(self.accepted),
            dict(self.holds),
            self.on_reserve,
            set(self.timed_out),
            dict(self.heard),
            self.changed_at,
        )

    def first(self) -> Deadline | None:
        """The earliest deadline, None where nothing is waited for."""
        return min(self.deadlines(), default=None)

    def deadlines(self) -> list[Deadline]:
        """All that is waited for, in no order."""
        due = [Deadline(at, "hold", seat) for seat, at in self.holds.items()]
        for what, at in (
            ("turn", self.turn_at),
            ("act", self.act_at),
            ("deal", self.deal_at),
            ("gone", self.gone_at),
        ):
            if at is not None:
                due.append(Deadline(at, what, None))
        return due

    def due_at(self) -> float | None:
        """When the sweeper has to look at this table next."""
        due = self.first()
        return due.at if due else None

    def stop_turn(self) -> None:
        """Nobody is on turn."""
        self.turn_at = self.turn_from = self.act_at = self.on_reserve = None

    def move_all(self, gap: float, now: float) -> None:
        """Time in which no server ran doesn't count: all goes on where it stood, `gap` later.

        Clocks, claims and holds keep at least 15 seconds from `now`.
        """
        least = now + OUTAGE_LEFT
        if self.turn_at is not None:
            self.turn_at = max(self.turn_at + gap, least)
        if self.turn_from is not None:
            # A claim counts from here, so that this much is left until it may be made.
            self.turn_from = max(self.turn_from + gap, least - CLAIM)
        if self.act_at is not None:
            self.act_at += gap
        if self.deal_at is not None:
            self.deal_at = max(self.deal_at + gap, least)
        if self.gone_at is not None:
            self.gone_at = max(self.gone_at + gap, least)
        if self.changed_at is not None:
            self.changed_at += gap
        self.holds = {seat: max(at + gap, least) for seat, at in self.holds.items()}

    def to_json(self) -> str:
        """As stored in the table's row: only what is set."""
        out: dict[str, Any] = {}
        for slot in fields(self):
            value = getattr(self, slot.name)
            if value is None or value == set() or value == {}:
                continue
            if isinstance(value, set):
                value = sorted(value)
            elif isinstance(value, dict):
                value = sorted(value.items())
            out[slot.name] = value
        return json.dumps(out)

    @classmethod
    def from_json(cls, text: str) -> Clock:
        """The inverse of `to_json`; what a newer version knows besides is left out.

        During an upgrade processes of both versions serve the same tables.
        """
        stored, clock = json.loads(text), cls()
        for name, value in stored.items():
            if not hasattr(clock, name):
                continue
            unset = getattr(clock, name)
            if isinstance(unset, set):
                value = set(value)
            elif isinstance(unset, dict):
                value = {int(seat): entry for seat, entry in value}
            setattr(clock, name, value)
        return clock


def bot_pause(after_draw: bool = False) -> float:
    """How long a bot seems to think, in seconds: by chance alone, never by what it holds."""
    return random.uniform(*(BOT_PAUSE_DRAW if after_draw else BOT_PAUSE))
