"""How keepers find matches: the filters at the side of the list, and what the search box reads."""

from __future__ import annotations

import re
import time
from datetime import UTC, datetime
from typing import Any

from django.contrib import admin
from django.core.paginator import Page, Paginator
from django.db.models import Q, QuerySet
from django.http import HttpRequest
from django.utils.functional import cached_property
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _lazy

from dominoes.table.models import (
    CODE_LENGTH,
    CODE_LETTERS,
    HOW_ENDED,
    LETTERS,
    Match,
    MatchSeat,
    Table,
)
from dominoes.table.results import key_of
from ranking.models import Player
from ranking.names import fold

DAY = 86400.0
MOST_FOUND = 10_000  # rows that a filter or a search lists
_DATE = re.compile(r"(\d{4})-(\d\d)(?:-(\d\d))?")
_CODE = re.compile(f"[{CODE_LETTERS}]{{{CODE_LENGTH}}}")


class Ended(admin.SimpleListFilter):
    """How a match ended."""

    title = _lazy("how it ended")
    parameter_name = "ended"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        """The ways."""
        return [
            ("playing", _("being played")),
            ("target", _("by the target")),
            ("forfeit", _("by leaving or time")),
            ("agreed", _("as an agreed draw")),
            ("abandoned", _("without a result")),
        ]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Match]) -> QuerySet[Match]:
        """Those that ended so."""
        value = self.value()
        if value in (Match.PLAYING, Match.ABANDONED):
            return queryset.filter(status=value)
        if value in ("target", "forfeit", "agreed"):
            return queryset.alias(how=HOW_ENDED).filter(how=value[:LETTERS])
        return queryset


class Seats(admin.SimpleListFilter):
    """At how many seats, and in which sides."""

    title = _lazy("seats")
    parameter_name = "seats"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        """The sizes of a table."""
        return [
            ("2", _("two")),
            ("3", _("three")),
            ("4", _("four")),
            ("partners", _("partners")),
        ]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Match]) -> QuerySet[Match]:
        """Those of that size."""
        value = self.value()
        if value == "partners":
            return queryset.filter(options__contains='"sides": "partners"')
        if value in ("2", "3", "4"):
            return queryset.filter(options__contains=f'"players": {value}')
        return queryset


class Length(admin.SimpleListFilter):
    """How long a match was, in moves."""

    title = _lazy("length")
    parameter_name = "moves"
    bands = {"10": (0, 10), "60": (11, 60), "150": (61, 150), "more": (151, 10**9)}

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        """From hardly begun to long."""
        return [
            ("10", _("up to 10 moves")),
            ("60", _("11 to 60 moves")),
            ("150", _("61 to 150 moves")),
            ("more", _("more moves")),
        ]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Match]) -> QuerySet[Match]:
        """Those of that length."""
        band = self.bands.get(self.value() or "")
        return queryset.filter(plies__range=band) if band else queryset


class Started(admin.SimpleListFilter):
    """When a match began."""

    title = _lazy("began")
    parameter_name = "began"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        """The last day, week, month."""
        return [
            ("1", _("in the last 24 hours")),
            ("7", _("in the last 7 days")),
            ("30", _("in the last 30 days")),
        ]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Match]) -> QuerySet[Match]:
        """Those of that time."""
        value = self.value()
        if value in ("1", "7", "30"):
            return queryset.filter(started_at__gte=time.time() - int(value) * DAY)
        return queryset


class Answered(admin.SimpleListFilter):
    """Whether a report still waits."""

    title = _lazy("answer")
    parameter_name = "answered"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        """Waiting or answered."""
        return [("no", _("waiting")), ("yes", _("answered"))]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        """Those that are so."""
        if self.value() in ("no", "yes"):
            return queryset.filter(answered_at__isnull=self.value() == "no")
        return queryset


def days_of(text: str) -> tuple[float, float] | None:
    """The seconds that a day (2026-03-31) or a month (2026-03) spans; None for anything else."""
    found = _DATE.fullmatch(text)
    if found is None:
        return None
    year, month, day = int(found[1]), int(found[2]), int(found[3] or 1)
    try:
        start = datetime(year, month, day, tzinfo=UTC)
        if found[3]:
            return start.timestamp(), start.timestamp() + DAY
        following = datetime(year + month // 12, month % 12 + 1, 1, tzinfo=UTC)
    except ValueError:
        return None
    return start.timestamp(), following.timestamp()


WORDS = 4  # of a search, so many are read
SEATS = 2000  # of people with a word in their names, so many are looked at
PEOPLE = 20  # who have a word in their names, so many are looked for


def search(matches: QuerySet[Match], text: str) -> QuerySet[Match]:
    """Matches by words that must all fit: a player's name, a room, an id, a day or a month."""
    whole = text.strip()
    if not whole:
        return matches
    if len(whole.split()) > 1:
        # A name may have spaces in it.
        people = _named(whole)
        if people:
            return matches.filter(_with(people))
    for word in whole.split()[:WORDS]:
        days = days_of(word)
        if days is not None:
            matches = matches.filter(started_at__gte=days[0], started_at__lt=days[1])
        else:
            matches = matches.filter(_means(word))
    return matches


def _means(word: str) -> Q:
    """What a word can stand for. Looked up first: the list itself then needs one condition."""
    fits = []
    people = _named(word)
    if people:
        fits.append(_with(people))
    match_id = id_of(word)
    if Match.objects.filter(pk=match_id).exists():
        fits.append(Q(pk=match_id))
    if _CODE.fullmatch(word.upper()):
        fits += [Q(table=pk) for pk in _rooms(word.upper())]
    if not fits:
        return Q(pk__in=[])
    found = fits.pop()
    for other in fits:
        found |= other
    return found


def id_of(word: str) -> str:
    """A match's id as it is stored, from capitals as well, or from its key in the ladder's log."""
    return word.lower().removeprefix(key_of(""))


def _rooms(code: str) -> list[int]:
    return list(Table.objects.filter(code=code).values_list("pk", flat=True))


def _with(people: list[int]) -> Q:
    """The matches of these people: of one all, of several the newest."""
    theirs = MatchSeat.objects.filter(player__in=people)
    if len(people) == 1:
        return Q(pk__in=theirs.values("match"))
    return Q(pk__in=set(theirs.order_by("-pk").values_list("match_id", flat=True)[:SEATS]))


def _named(name: str) -> list[int]:
    """Whoever has that name; where nobody has, those with it in theirs who were here last."""
    key = fold(name)
    exactly = Player.objects.filter(name_key=key).values_list("pk", flat=True)
    partly = Player.objects.filter(name_key__contains=key).order_by("-last_seen")
    return list(exactly) or list(partly.values_list("pk", flat=True)[:PEOPLE])


class IdsFirst(Paginator):
    """Pages of a long list: first which rows, along an index, then what is shown of them.

    Of what was looked for, the first ten thousand are enough: nobody turns more pages, and counting
    on would read every match there is.
    """

    @property
    def _looked_for(self) -> bool:
        rows: QuerySet[Any] = self.object_list  # type: ignore[assignment]
        return bool(rows.query.where)

    @cached_property
    def _found(self) -> int:
        rows: QuerySet[Any] = self.object_list  # type: ignore[assignment]
        ids = rows.order_by().values("pk")
        return (ids[: MOST_FOUND + 1] if self._looked_for else ids).count()

    @property
    def more(self) -> bool:
        """Whether more fit than there are pages of."""
        return self._looked_for and self._found > MOST_FOUND

    @cached_property
    def count(self) -> int:
        """How many rows there are pages of."""
        return min(self._found, MOST_FOUND) if self._looked_for else self._found

    def page(self, number: Any) -> Page:
        """The page of that number. Raises InvalidPage."""
        number = self.validate_number(number)
        start = (number - 1) * self.per_page
        rows: QuerySet[Any] = self.object_list  # type: ignore[assignment]
        ids = list(rows.values_list("pk", flat=True)[start : start + self.per_page])
        shown = rows.all()
        shown.query.clear_where()  # these rows fit: no need to ask for it again
        return Page(shown.filter(pk__in=ids), number, self)
