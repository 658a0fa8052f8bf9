"""Figures of the site's play for those who keep it."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime
from typing import Any, Final

from django.db.models import Avg, Count, F, Q, Sum
from django.db.models.functions import Floor

from dominoes.table.checking import deal_faults
from dominoes.table.models import DealCheck, Event, Match

DAYS: Final = 30
AT_ONCE: Final = 100
_DAY = 86400.0
_FAULTY = ~Q(faults="")


@dataclass(frozen=True, slots=True)
class Day:
    """The matches that began on one day (UTC)."""

    day: date
    matches: int
    abandoned: int
    moves: float | None  # on average, of those with a result
    minutes: float | None

    @property
    def share(self) -> float:
        """Of the matches, how many percent were abandoned."""
        return 100.0 * self.abandoned / self.matches if self.matches else 0.0


def days(now: float | None = None) -> list[Day]:
    """The last 30 days on which anything was played, the newest first."""
    since = (time.time() if now is None else now) - DAYS * _DAY
    rows = (
        Match.objects.filter(started_at__gte=since)
        .annotate(day=Floor(F("started_at") / _DAY))
        .values("day")
        .annotate(**_averages())
        .order_by("-day")
    )
    return [_day(datetime.fromtimestamp(row["day"] * _DAY, UTC).date(), row) for row in rows]


def altogether() -> Day:
    """The same over all that was ever played; its day is today."""
    return _day(datetime.now(UTC).date(), Match.objects.aggregate(**_averages()))


def _averages() -> dict[str, Any]:
    over = Q(status=Match.OVER)
    return {
        "matches": Count("pk"),
        "abandoned": Count("pk", filter=Q(status=Match.ABANDONED)),
        "moves": Avg("plies", filter=over),
        "seconds": Avg(F("ended_at") - F("started_at"), filter=over),
    }


def _day(day: date, row: Mapping[str, Any]) -> Day:
    seconds = row["seconds"]
    minutes = None if seconds is None else seconds / 60
    return Day(day, row["matches"], row["abandoned"], row["moves"], minutes)


@dataclass(frozen=True, slots=True)
class Deals:
    """What is known of the deals of finished matches."""

    matches: int  # checked
    deals: int  # in them
    waiting: int  # matches not checked yet
    faulty: list[DealCheck]


def deals() -> Deals:
    """How many deals were worked out again from their chains, and what was wrong."""
    known = DealCheck.objects.aggregate(matches=Count("pk"), deals=Sum("deals"))
    faulty = list(DealCheck.objects.filter(_FAULTY).order_by("-at")[:50])
    # Only finished matches are checked, so the rest need not be looked for one by one.
    finished = Match.objects.filter(status__in=(Match.OVER, Match.ABANDONED)).count()
    waiting = max(0, finished - known["matches"])
    return Deals(known["matches"], known["deals"] or 0, waiting, faulty)


def check_deals(most: int = AT_ONCE) -> int:
    """Work out the deals of some finished matches again, the newest first; how many matches."""
    done = 0
    for match in _unchecked().order_by("-started_at")[:most]:
        note_check(match, deal_faults(match))
        done += 1
    return done


def note_check(match: Match, faults: list[str]) -> None:
    """Keep what came of checking the deals of a finished match."""
    dealt = Event.objects.filter(match=match, kind="deal").count()
    DealCheck.objects.update_or_create(
        match=match,
        defaults={"deals": dealt, "faults": "\n".join(faults), "at": time.time()},
    )


def _unchecked() -> Any:
    return Match.objects.exclude(status=Match.PLAYING).filter(deal_check=None)
