"""Figures of the site's play for those who keep it."""

from __future__ import annotations

import logging
import time
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime
from typing import Any, Final

from django.core.cache import cache
from django.db.models import Count, F, Q, Sum
from django.db.models.functions import Floor

from dominoes.table.checking import deal_faults
from dominoes.table.models import DealCheck, Event, Match

log = logging.getLogger(__name__)

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
    """Those of the last 30 days (UTC) on which anything was played, the newest first."""
    rows = (
        Match.objects.filter(started_at__gte=_first_day(now))
        .annotate(day=Floor(F("started_at") / _DAY))
        .values("day")
        .annotate(**_SUMS)
        .order_by("-day")
    )
    return [_day(datetime.fromtimestamp(row["day"] * _DAY, UTC).date(), row) for row in rows]


def altogether(now: float | None = None) -> Day:
    """The same over all that was ever played; its day is today."""
    return _day(datetime.now(UTC).date(), _ever(now))


def _first_day(now: float | None) -> float:
    """When the first of the last 30 days began."""
    today = (time.time() if now is None else now) // _DAY
    return (today - DAYS + 1) * _DAY


def _ever(now: float | None = None) -> Mapping[str, float]:
    """The sums of all matches. Those from before the last 30 days are added up once a day."""
    first = _first_day(now)
    before = _remembered(f"figures-before:{first:.0f}", first)
    since = Match.objects.filter(started_at__gte=first).aggregate(**_SUMS)
    return {name: (before[name] or 0) + (since[name] or 0) for name in _SUMS}


def _remembered(key: str, first: float) -> Mapping[str, Any]:
    try:
        known: Mapping[str, Any] | None = cache.get(key)
    except Exception:  # a cache that is down makes the page slower, no more
        log.warning("figures_not_remembered", exc_info=True)
        return Match.objects.filter(started_at__lt=first).aggregate(**_SUMS)
    if known is None:
        known = Match.objects.filter(started_at__lt=first).aggregate(**_SUMS)
        cache.set(key, known, timeout=_DAY)
    return known


_OVER: Final = Q(status=Match.OVER)
_SUMS: Final[dict[str, Any]] = {
    "matches": Count("pk"),
    "abandoned": Count("pk", filter=Q(status=Match.ABANDONED)),
    "over": Count("pk", filter=_OVER),
    "moves": Sum("plies", filter=_OVER),
    "seconds": Sum(F("ended_at") - F("started_at"), filter=_OVER),
}


def _day(day: date, row: Mapping[str, Any]) -> Day:
    over = row["over"]
    moves, minutes = (row["moves"] / over, row["seconds"] / over / 60) if over else (None, None)
    return Day(day, row["matches"], row["abandoned"], moves, minutes)


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
    ever = _ever()
    waiting = max(0, int(ever["over"] + ever["abandoned"]) - known["matches"])
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
