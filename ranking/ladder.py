"""The boards: by rating, and by points in a week or for ever, over all games or in one variant.

Everybody with a ranked result stands on them. Equal figures share a place. Each page is read
along one index, so the last page of a long ladder costs as little as the first.
"""

import re
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any, Literal

from django.db.models import Q, QuerySet
from django.utils import timezone

from ranking.models import Career, Player, Standing, Variant
from ranking.rating import PROVISIONAL_FROM, Rating, after_idle, idle_periods
from ranking.tally import week_of

EVER = ""
"""The period of a board that was never cleared."""

PAGE = 50
"""Rows on a page."""

By = Literal["rating", "points"]


@dataclass(frozen=True, slots=True)
class Board:
    """Which ladder is meant: by rating (all games, now), or by points on one board."""

    by: By = "rating"
    game: str = ""
    variant: str = ""
    period: str = EVER


@dataclass(frozen=True, slots=True)
class Place:
    """One line of a ladder. `rating` is None while unrated, `deviation` as it stands today."""

    place: int
    player_id: int
    name: str
    points: int
    won: int
    drawn: int
    lost: int
    rating: int | None
    deviation: int | None
    provisional: bool


def ladder_page(board: Board, offset: int, size: int = PAGE) -> list[Place]:
    """The lines of a board from `offset` (0 the best) on."""
    # First who, which the index alone can say however deep the page lies, then what of them.
    ids = list(_lines(board).values_list("player_id", flat=True)[offset : offset + size])
    rows = list(_lines(board).filter(player__in=ids)) if ids else []
    if not rows:
        return []
    place, before = _ahead_of(board, rows[0]) + 1, _figures(board, rows[0])
    numbers = []
    for index, row in enumerate(rows):
        if _figures(board, row) != before:
            place, before = offset + index + 1, _figures(board, row)
        numbers.append(place)
    return _places(rows, numbers)


def own_place(board: Board, player: Player) -> Place | None:
    """Where the player stands on the board, None while they have no ranked result on it."""
    row = _lines(board).filter(player=player).first()
    return next(iter(_places([row], [_ahead_of(board, row) + 1])), None) if row else None


def length(board: Board) -> int:
    """How many stand on the board."""
    return _rows(board).count()


def page_of(board: Board, own: Place, size: int = PAGE) -> int:
    """The page (from 1) on which that line stands, also among many who share its place."""
    equal: dict[str, Any] = {"points": own.points}
    if board.by == "rating":
        rating = Career.objects.filter(player=own.player_id).values("rating")
        equal["rating"] = rating[:1]
    before = _rows(board).filter(**equal, player__lt=own.player_id).count()
    return (own.place - 1 + before) // size + 1


def variants() -> list[tuple[str, str]]:
    """All (game, variant) with results, for choosing a board."""
    return list(Variant.objects.order_by("game", "variant").values_list("game", "variant"))


def this_week(now: datetime | None = None) -> str:
    """The period of the current week."""
    return week_of(now or timezone.now())


def week_before(period: str) -> str:
    """The week before the given one."""
    return week_of(week_start(period) - timedelta(days=7))


def week_after(period: str) -> str:
    """The week after the given one."""
    return week_of(week_start(period) + timedelta(days=7))


def week_start(period: str) -> datetime:
    """Monday 0:00 UTC of a week such as `2026-W07`. Raises ValueError for anything else."""
    found = re.fullmatch(r"(\d{4})-W(\d{2})", period, re.ASCII)
    if found is None:
        raise ValueError(f"no week: {period!r}")
    day = datetime.fromisocalendar(int(found[1]), int(found[2]), 1)
    return day.replace(tzinfo=UTC)


def current(career: "Career | dict[str, Any]", now: datetime | None = None) -> Rating | None:
    """A player's rating as it stands today, None while unrated: time widens the deviation."""
    row = career if isinstance(career, dict) else _fields_of(career)
    if not row["rated"]:
        return None
    known = Rating(row["rating"], row["deviation"], row["volatility"])
    return after_idle(known, idle_periods(row["rated_at"], now or timezone.now()))


# --- one query for each board -----------------------------------------------------------------

_RATING = ("rated", "rating", "deviation", "volatility", "rated_at")
_SUMS = ("player_id", "points", "won", "drawn", "lost")


def _fields_of(career: Career) -> dict[str, Any]:
    return {name: getattr(career, name) for name in _RATING}


def _rows(board: Board) -> "QuerySet[Any]":
    if board.by == "rating":
        return Career.objects.filter(ranked__gt=0)
    return Standing.objects.filter(game=board.game, variant=board.variant, period=board.period)


def _lines(board: Board) -> "QuerySet[Any, dict[str, Any]]":
    """The board in its order, without names: rows that are skipped then cost next to nothing."""
    if board.by == "rating":
        return _rows(board).order_by("-rating", "-points", "player").values(*_SUMS, *_RATING)
    return _rows(board).order_by("-points", "player").values(*_SUMS)


def _figures(board: Board, row: dict[str, Any]) -> tuple[float, ...]:
    """What two lines must have in common to share a place."""
    return (row["rating"], row["points"]) if board.by == "rating" else (row["points"],)


def _ahead_of(board: Board, row: dict[str, Any]) -> int:
    ahead = Q(points__gt=row["points"])
    if board.by == "rating":
        # Said so that the index is read from the top down to this rating, and no further.
        ahead = Q(rating__gte=row["rating"]) & (Q(rating__gt=row["rating"]) | ahead)
    return _rows(board).filter(ahead).count()


def _places(rows: list[dict[str, Any]], numbers: list[int]) -> list[Place]:
    ids = [row["player_id"] for row in rows]
    names = dict(Player.objects.filter(pk__in=ids).values_list("pk", "name"))
    careers = {row["player_id"]: row for row in rows}
    if "rated" not in rows[0]:
        found = Career.objects.filter(player__in=ids).values("player_id", *_RATING)
        careers = {row["player_id"]: row for row in found}
    places = []
    for row, number in zip(rows, numbers, strict=True):
        pk = row["player_id"]
        if pk not in names or pk not in careers:
            continue  # the account was closed between two of these questions
        rating = current(careers[pk])
        places.append(
            Place(
                place=number,
                player_id=pk,
                name=names[pk],
                points=row["points"],
                won=row["won"],
                drawn=row["drawn"],
                lost=row["lost"],
                rating=None if rating is None else round(rating.value),
                deviation=None if rating is None else round(rating.deviation),
                provisional=rating is None or rating.deviation > PROVISIONAL_FROM,
            )
        )
    return places
