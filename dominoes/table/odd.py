"""Ranked play that looks odd, listed for a look by somebody who can judge it.

Friends may well trade wins, share a home, or have a bad line: what is here is a question, never an
answer, and nobody is restricted by it.
"""

from __future__ import annotations

import contextlib
import json
import logging
import time
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Final

from django.core.cache import cache
from django.db.models import Count, F, Max
from django.db.models.functions import Greatest, Least
from django.utils.translation import get_language, ngettext
from django.utils.translation import gettext as _

from dominoes.table.models import HOW_ENDED, Match, MatchSeat, SeatAddress
from ranking.models import Player

log = logging.getLogger(__name__)

DAYS: Final = 30
MOST: Final = 50  # pairs, people and matches listed of each sort
TRADES: Final = 6  # matches of two people from which on trading is looked for
SWITCHES: Final = 0.75  # of the wins, so many go to the other than the last one did
FORFEITS: Final = 3  # matches in a row lost by leaving
REMEMBERED: Final = 60  # seconds for which the list is kept


@dataclass(frozen=True, slots=True)
class Odd:
    """Something that looks odd: whom it concerns, the matches (newest first), and why."""

    what: str  # "trading", "forfeits" or "address"
    people: tuple[Player, ...]
    matches: tuple[str, ...]
    said: str


@dataclass(frozen=True, slots=True)
class _Found:
    what: str
    people: tuple[int, ...]
    matches: tuple[str, ...]
    said: str


@dataclass(frozen=True, slots=True)
class _Played:
    id: str
    people: dict[int, int]  # seat → player
    winner: int | None  # a side, which among singles is a seat
    leaver: int | None  # the seat whose leaving ended it


def listed(now: float | None = None) -> list[Odd]:
    """All that looks odd in the last 30 days."""
    return _with_people(_look(time.time() if now is None else now))


def recent() -> list[Odd]:
    """`listed`, looked for once a minute at most: it reads a month of matches."""
    key = f"odd:{get_language()}"
    found: list[_Found] | None = None
    with _whatever_the_cache_does():
        found = cache.get(key)
    if found is None:
        found = _look(time.time())
        with _whatever_the_cache_does():
            cache.set(key, found, timeout=REMEMBERED)
    return _with_people(found)


@contextlib.contextmanager
def _whatever_the_cache_does() -> Iterator[None]:
    try:
        yield
    except Exception:  # a cache that is down makes the page slower, no more
        log.warning("odd_tables_not_remembered", exc_info=True)


def _look(now: float) -> list[_Found]:
    since = now - DAYS * 86400
    pairs, leavers = _pairs(since), _leavers(since)
    return [
        *_trading(_met(since, pairs), pairs),
        *_forfeits(_played(since, sorted(leavers)), leavers),
        *_addresses(since),
    ]


def _with_people(found: list[_Found]) -> list[Odd]:
    known = Player.objects.in_bulk({pk for one in found for pk in one.people})
    return [
        Odd(one.what, tuple(known[pk] for pk in one.people if pk in known), one.matches, one.said)
        for one in found
    ]


def _ranked(since: float, prefix: str = "") -> dict[str, Any]:
    """The filter that finds ranked matches with a result."""
    about = {"ranked": True, "status": Match.OVER, "started_at__gte": since}
    return {f"{prefix}{name}": value for name, value in about.items()}


def _pairs(since: float) -> set[tuple[int, int]]:
    """Pairs who met often enough for trading to be looked for; those who met most, if many did."""
    here, there = F("player"), F("match__seat_rows__player")
    met = (
        MatchSeat.objects.filter(
            **_ranked(since, "match__"),
            match__options__contains='"players": 2',
            seat=0,
            match__seat_rows__seat=1,
        )
        .annotate(one=Least(here, there), other=Greatest(here, there))
        .values("one", "other")
        .annotate(times=Count("pk"))
        .filter(times__gte=TRADES)
        .order_by("-times")[:MOST]
    )
    return {(row["one"], row["other"]) for row in met if row["one"] and row["other"]}


def _leavers(since: float) -> set[int]:
    """Those who lost enough matches by leaving to have done so in series."""
    forfeits = Match.objects.alias(how=HOW_ENDED).filter(**_ranked(since), how="for")
    rows = MatchSeat.objects.filter(match__in=forfeits, player__isnull=False).values_list(
        "seat", "player_id", "match__result"
    )
    left: Counter[int] = Counter()
    for seat, person, result in rows:
        left[person or 0] += seat == json.loads(result)["seat"]
    return {person for person, times in left.most_common(MOST) if times >= FORFEITS}


def _played(since: float, people: list[int]) -> list[_Played]:
    """The ranked matches of these people that have a result, in the order in which they ended."""
    theirs = MatchSeat.objects.filter(**_ranked(since, "match__"), player__in=people)
    rows = MatchSeat.objects.filter(match__in=theirs.values("match"), player__isnull=False)
    seats: dict[str, dict[int, int]] = defaultdict(dict)
    found: dict[str, str] = {}
    for match_id, seat, person, result in rows.order_by(
        "match__ended_at", "match", "seat"
    ).values_list("match_id", "seat", "player_id", "match__result"):
        found[match_id] = result
        seats[match_id][seat] = person or 0
    return [_with_result(match_id, seats[match_id], text) for match_id, text in found.items()]


def _with_result(match_id: str, people: dict[int, int], text: str) -> _Played:
    result = json.loads(text)
    leaver = result["seat"] if result["how"] == "forfeit" else None
    return _Played(match_id, people, result["winner"], leaver)


def _met(since: float, pairs: set[tuple[int, int]]) -> list[_Played]:
    """The ranked matches for two of these people against each other, in the order of their ends."""
    people = sorted({person for pair in pairs for person in pair})
    rows = MatchSeat.objects.filter(
        **_ranked(since, "match__"),
        match__options__contains='"players": 2',
        seat=0,
        player__in=people,
        match__seat_rows__seat=1,
        match__seat_rows__player__in=people,
    )
    return [
        _with_result(match_id, {0: one, 1: other}, result)
        for match_id, one, other, result in rows.order_by("match__ended_at", "match").values_list(
            "match_id", "player_id", "match__seat_rows__player_id", "match__result"
        )
        if one and other and (min(one, other), max(one, other)) in pairs
    ]


def _trading(played: list[_Played], pairs: set[tuple[int, int]]) -> Iterator[_Found]:
    """The same two people winning by turns."""
    meetings: dict[tuple[int, ...], list[_Played]] = defaultdict(list)
    for one in played:
        pair = tuple(sorted(one.people.values()))
        if pair in pairs and one.winner is not None:
            meetings[pair].append(one)
    for pair, theirs in meetings.items():
        if len(theirs) < TRADES:
            continue
        winners = [one.people[one.winner or 0] for one in theirs]
        switches = sum(a != b for a, b in pairwise(winners))
        if switches >= SWITCHES * (len(winners) - 1):
            said = _("%(count)d matches against each other, won by turns %(switches)d times")
            about = {"count": len(theirs), "switches": switches}
            yield _Found("trading", pair, _ids(theirs), said % about)


def _forfeits(played: list[_Played], leavers: set[int]) -> Iterator[_Found]:
    """Somebody who loses match after match by leaving."""
    runs: dict[int, list[_Played]] = defaultdict(list)
    longest: dict[int, list[_Played]] = {}
    for one in played:
        for seat, person in one.people.items():
            if person not in leavers:
                continue
            if seat == one.leaver:
                runs[person].append(one)
                if len(runs[person]) >= max(FORFEITS, len(longest.get(person, ()))):
                    longest[person] = list(runs[person])
            else:
                runs[person] = []
    for person, theirs in longest.items():
        others = {other for one in theirs for other in one.people.values()} - {person}
        people = (person, *others) if len(others) == 1 else (person,)
        if len(others) == 1:
            said = _("%(count)d matches in a row lost by leaving, all to the same person")
        else:
            said = _("%(count)d matches in a row lost by leaving")
        yield _Found("forfeits", people, _ids(theirs), said % {"count": len(theirs)})


def _addresses(since: float) -> Iterator[_Found]:
    """Seats of one match that were played from the same address."""
    shared = (
        SeatAddress.objects.filter(at__gte=since)
        .values("match", "digest")
        .annotate(count=Count("seat"), last=Max("at"))  # an address stands once for a seat
        .filter(count__gt=1)
        .order_by("-last")[:MOST]
    )
    groups = {(row["match"], row["digest"]): [] for row in shared}  # type: ignore[var-annotated]
    ids = {match for match, _digest in groups}
    seats = {
        (match, seat): person
        for match, seat, person in MatchSeat.objects.filter(
            match__in=ids, player__isnull=False
        ).values_list("match_id", "seat", "player_id")
    }
    rows = SeatAddress.objects.filter(match__in=ids).values_list("match_id", "digest", "seat")
    for match, digest, seat in rows:
        if (match, digest) in groups and (match, seat) in seats:
            groups[match, digest].append(seats[match, seat])
    matches: dict[tuple[int, ...], list[str]] = defaultdict(list)
    for (match, _digest), people in groups.items():
        matches[tuple(sorted(people))].append(match)
    for pair, theirs in matches.items():
        said = ngettext(
            "%(count)d match with several seats at one address",
            "%(count)d matches with several seats at one address",
            len(theirs),
        )
        yield _Found("address", pair, tuple(theirs), said % {"count": len(theirs)})


def _ids(played: list[_Played]) -> tuple[str, ...]:
    return tuple(one.id for one in reversed(played))
