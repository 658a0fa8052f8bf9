"""What people have played with and against each other, for whoever judges them."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import combinations
from typing import Any

from django.db.models import Count, F, Q, QuerySet, Window
from django.db.models.functions import RowNumber

from ranking.models import Player, Side
from ranking.outcomes import DRAWN, LOST, WON
from ranking.titles import variant_title


@dataclass(frozen=True, slots=True)
class Meeting:
    """A match of two people, as it went for the first of them."""

    ended_at: datetime
    url: str
    title: str
    counted_as: str
    outcome: str
    left: bool
    voided: bool


@dataclass(frozen=True, slots=True)
class Pair:
    """Two people: how often one beat the other, ever, and their newest matches.

    A match counts for whoever won it against the other: not where they were partners, where a
    third person won, or where it is void.
    """

    one: Player
    other: Player
    won: int
    lost: int
    meetings: list[Meeting]
    more: bool
    """Whether there are older matches than those listed."""


def pairs(people: Sequence[Player], game: str, size: int) -> list[Pair]:
    """Every two of these people, with up to `size` matches each: two questions for all pairs."""
    found = _met([one.pk for one in people], game)
    scores = {(row["player"], row["their"]): (row["won"], row["lost"]) for row in _scores(found)}
    newest: dict[tuple[int, int], list[dict[str, Any]]] = defaultdict(list)
    for row in _newest(found, size + 1):
        newest[row["player"], row["their"]].append(row)
    listed = []
    for one, other in combinations(people, 2):
        turned = one.pk > other.pk
        key = (other.pk, one.pk) if turned else (one.pk, other.pk)
        won, lost = scores.get(key, (0, 0))
        rows = newest[key]
        listed.append(
            Pair(
                one,
                other,
                *((lost, won) if turned else (won, lost)),
                [_meeting(row, turned) for row in rows[:size]],
                len(rows) > size,
            )
        )
    return listed


def _met(ids: list[int], game: str) -> "QuerySet[Any]":
    """A row for every two of them in every match, seen from the one with the lower id."""
    return (
        Side.objects.filter(
            player__in=ids,
            result__game=game,
            result__sides__player__in=ids,
            result__sides__player__gt=F("player"),
        )
        .annotate(
            their=F("result__sides__player"),
            their_outcome=F("result__sides__outcome"),
            their_left=F("result__sides__left"),
        )
        .order_by()
    )


def _scores(found: "QuerySet[Any]") -> "QuerySet[Any, dict[str, Any]]":
    """Of each pair how often one won and the other didn't: partners have the same outcome."""
    beaten = (LOST, DRAWN)
    return (
        found.filter(result__voided_at=None)
        .values("player", "their")
        .annotate(
            won=Count("pk", filter=Q(outcome=WON, their_outcome__in=beaten)),
            lost=Count("pk", filter=Q(outcome__in=beaten, their_outcome=WON)),
        )
    )


def _newest(found: "QuerySet[Any]", most: int) -> "QuerySet[Any, dict[str, Any]]":
    """Of each pair so many matches, newest first."""
    number = Window(
        RowNumber(),
        partition_by=[F("player"), F("their")],
        order_by=[F("ended_at").desc(), F("pk").desc()],
    )
    return (
        found.annotate(number=number)
        .filter(number__lte=most)
        .order_by("number")
        .values(
            "player",
            "their",
            "outcome",
            "left",
            "their_outcome",
            "their_left",
            "ended_at",
            "counted_as",
            "result__url",
            "result__game",
            "result__variant",
            "result__voided_at",
        )
    )


def _meeting(row: dict[str, Any], turned: bool) -> Meeting:
    return Meeting(
        ended_at=row["ended_at"],
        url=row["result__url"],
        title=variant_title(row["result__game"], row["result__variant"]),
        counted_as=row["counted_as"],
        outcome=row["their_outcome" if turned else "outcome"],
        left=row["their_left" if turned else "left"],
        voided=row["result__voided_at"] is not None,
    )
