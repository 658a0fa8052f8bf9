"""Ranked play that looks odd, listed for a look by somebody who can judge it.

Friends may well trade wins, share a home, or have a bad line: what is here is a question, never an
answer, and nobody is restricted by it.
"""

from __future__ import annotations

import json
import time
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from django.db.models import Count
from django.utils.translation import gettext as _

from dominoes.table.models import Match, MatchSeat, SeatAddress
from ranking.models import Player

DAYS: Final = 30
MOST: Final = 20_000  # matches looked at, the newest
TRADES: Final = 6  # matches of two people from which on trading is looked for
SWITCHES: Final = 0.75  # of the wins, so many go to the other than the last one did
FORFEITS: Final = 3  # matches in a row lost by leaving


@dataclass(frozen=True, slots=True)
class Odd:
    """Something that looks odd: whom it concerns, the matches (newest first), and why."""

    what: str  # "trading", "forfeits" or "address"
    people: tuple[Player, ...]
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
    now = time.time() if now is None else now
    played = list(_played(now))
    return [*_trading(played), *_forfeits(played), *_addresses(now)]


def _played(now: float) -> Iterator[_Played]:
    """The ranked matches that have a result, in the order in which they ended."""
    matches = (
        Match.objects.filter(ranked=True, status=Match.OVER, ended_at__gte=now - DAYS * 86400)
        .order_by("-ended_at")
        .values_list("pk", "result")[:MOST]
    )
    rows = list(reversed(matches))
    seats: dict[str, dict[int, int]] = defaultdict(dict)
    ids = [pk for pk, _result in rows]
    for start in range(0, len(ids), 500):
        found = MatchSeat.objects.filter(
            match__in=ids[start : start + 500], player__isnull=False
        ).values_list("match_id", "seat", "player_id")
        for match_id, seat, player_id in found:
            if player_id is not None:
                seats[match_id][seat] = player_id
    for pk, text in rows:
        result = json.loads(text)
        leaver = result["seat"] if result["how"] == "forfeit" else None
        yield _Played(pk, seats[pk], result["winner"], leaver)


def _trading(played: list[_Played]) -> Iterator[Odd]:
    """The same two people winning by turns."""
    pairs: dict[tuple[int, ...], list[_Played]] = defaultdict(list)
    for one in played:
        if len(one.people) == 2 and set(one.people) == {0, 1} and one.winner is not None:
            pairs[tuple(sorted(one.people.values()))].append(one)
    for pair, theirs in pairs.items():
        if len(theirs) < TRADES:
            continue
        winners = [one.people[one.winner or 0] for one in theirs]
        switches = sum(a != b for a, b in pairwise(winners))
        if switches >= SWITCHES * (len(winners) - 1):
            said = _("%(count)d matches against each other, won by turns %(switches)d times")
            about = {"count": len(theirs), "switches": switches}
            yield Odd("trading", _people(pair), _ids(theirs), said % about)


def _forfeits(played: list[_Played]) -> Iterator[Odd]:
    """Somebody who loses match after match by leaving."""
    runs: dict[int, list[_Played]] = defaultdict(list)
    longest: dict[int, list[_Played]] = {}
    for one in played:
        for seat, person in one.people.items():
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
        yield Odd("forfeits", _people(people), _ids(theirs), said % {"count": len(theirs)})


def _addresses(now: float) -> Iterator[Odd]:
    """Seats of one match that were played from the same address."""
    shared = (
        SeatAddress.objects.filter(at__gte=now - DAYS * 86400)
        .values("match", "digest")
        .annotate(count=Count("seat", distinct=True))
        .filter(count__gt=1)
        .order_by("-match__started_at")[:200]
    )
    matches: dict[tuple[int, ...], list[str]] = defaultdict(list)
    for row in shared:
        seats = SeatAddress.objects.filter(match=row["match"], digest=row["digest"]).values("seat")
        people = MatchSeat.objects.filter(
            match=row["match"], seat__in=seats, player__isnull=False
        ).values_list("player_id", flat=True)
        matches[tuple(sorted(pk for pk in people if pk is not None))].append(row["match"])
    for pair, ids in matches.items():
        said = _("%(count)d matches with several seats at one address") % {"count": len(ids)}
        yield Odd("address", _people(pair), tuple(ids), said)


def _people(ids: tuple[int, ...]) -> tuple[Player, ...]:
    found = Player.objects.in_bulk(ids)
    return tuple(found[pk] for pk in ids if pk in found)


def _ids(played: list[_Played]) -> tuple[str, ...]:
    return tuple(one.id for one in reversed(played))
