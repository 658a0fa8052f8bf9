"""Which results move ratings, in which order, and how one is taken out again.

Ratings are worked out in the order in which results were recorded. `apply` adds the newest;
`replay` takes one out and works out again everything after it that it touched.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from itertools import groupby
from operator import itemgetter

from django.db.models import Count

from ranking.outcomes import LOST, WON, Result, Side
from ranking.rating import (
    RATED_A_DAY,
    START,
    Rating,
    after_idle,
    after_match,
    idle_periods,
)
from ranking.standings import Career, RatingChange

_BATCH = 400


@dataclass(frozen=True, slots=True)
class Bout:
    """A rated match as the ratings see it: two players, and what the first of them scored."""

    result: int
    one: int
    other: int
    score: float
    at: datetime

    @property
    def pair_and_day(self) -> tuple[frozenset[int], date]:
        """What the limit of `RATED_A_DAY` counts by."""
        return frozenset((self.one, self.other)), self.at.astimezone(UTC).date()


@dataclass(frozen=True, slots=True)
class State:
    """A player's rating after their last rated match, and when that was."""

    rating: Rating = START
    at: datetime | None = None


def score_of(outcome: str) -> float:
    """What an outcome counts for the rating."""
    return 1.0 if outcome == WON else 0.0 if outcome == LOST else 0.5


def apply(bout: Bout) -> None:
    """Let the newest rated result move both ratings, if the pair's limit of the day allows.

    Both players' rows are locked.
    """
    if _earlier_that_day(bout) >= RATED_A_DAY:
        return
    states = {pk: _state_before(pk, None) for pk in (bout.one, bout.other)}
    RatingChange.objects.bulk_create(_changes(bout, states))
    _publish(states)


def replay(bout: Bout) -> None:
    """Work out ratings as if this bout, whose result is voided already, had never been.

    Every later bout of either player is worked out again, and so on through those whom they met;
    ratings that it never touched stay as they are. The ledger is held alone.
    """
    states = {pk: _state_before(pk, bout.result) for pk in (bout.one, bout.other)}
    later = RatingChange.objects.filter(result__gt=bout.result)
    moved = set(later.values_list("result_id", flat=True))
    undone, made = [bout.result], []
    for next_bout in _bouts_after(bout.result):
        if next_bout.one not in states and next_bout.other not in states:
            continue
        if next_bout.pair_and_day == bout.pair_and_day:
            # A match that came too late that day moves up, now that one before it is gone.
            if _earlier_that_day(next_bout) >= RATED_A_DAY:
                continue
        elif next_bout.result not in moved:
            continue
        for pk in (next_bout.one, next_bout.other):
            if pk not in states:
                states[pk] = _state_before(pk, next_bout.result)
        undone.append(next_bout.result)
        made.extend(_changes(next_bout, states))
    for start in range(0, len(undone), _BATCH):
        RatingChange.objects.filter(result__in=undone[start : start + _BATCH]).delete()
    RatingChange.objects.bulk_create(made, batch_size=_BATCH)
    _publish(states)


def bout_of(result: Result) -> Bout | None:
    """The bout of a rated result, or None when one of its players is gone from the records."""
    if not result.rated:
        return None
    rows = Side.objects.filter(result=result).order_by("seat")
    return _bout(rows.values_list("result_id", "player_id", "outcome", "ended_at"))


def _bouts_after(result: int) -> Iterator[Bout]:
    rows = (
        Side.objects.filter(result__rated=True, result__voided_at=None, result__gt=result)
        .order_by("result_id", "seat")
        .values_list("result_id", "player_id", "outcome", "ended_at")
    )
    for _result, sides in groupby(rows, key=itemgetter(0)):
        bout = _bout(sides)
        if bout is not None:
            yield bout


def _bout(sides: Iterable[tuple[int, int | None, str, datetime]]) -> Bout | None:
    one, other = sides
    if one[1] is None or other[1] is None:
        return None
    return Bout(one[0], one[1], other[1], score_of(one[2]), one[3])


def _earlier_that_day(bout: Bout) -> int:
    """How many rated results of the pair were recorded before it on its day."""
    _pair, day = bout.pair_and_day
    start = datetime(day.year, day.month, day.day, tzinfo=UTC)
    return (
        Side.objects.filter(
            player=bout.one,
            ended_at__gte=start,
            ended_at__lt=start + timedelta(days=1),
            result__rated=True,
            result__voided_at=None,
            result__lt=bout.result,
            result__sides__player=bout.other,
        )
        .order_by()
        .count()
    )


def _state_before(player: int, result: int | None) -> State:
    """The player's rating as their changes before that result (or all of them) left it."""
    changes = RatingChange.objects.filter(player=player)
    if result is not None:
        changes = changes.filter(result__lt=result)
    last = changes.order_by("-result").first()
    if last is None:
        return State()
    return State(Rating(last.rating, last.deviation, last.volatility), last.played_at)


def _changes(bout: Bout, states: dict[int, State]) -> list[RatingChange]:
    """What the bout does to both; `states` moves on with it."""
    pair = (bout.one, bout.other)
    rested = [after_idle(states[pk].rating, idle_periods(states[pk].at, bout.at)) for pk in pair]
    after = after_match(rested[0], rested[1], bout.score)
    changes = [
        RatingChange(
            result_id=bout.result,
            player_id=pk,
            opponent_id=foe,
            played_at=bout.at,
            before=states[pk].rating.value,
            rating=new.value,
            deviation=new.deviation,
            volatility=new.volatility,
        )
        for pk, foe, new in zip(pair, reversed(pair), after, strict=True)
    ]
    for pk, new in zip(pair, after, strict=True):
        states[pk] = State(new, bout.at)
    return changes


def _publish(states: dict[int, State]) -> None:
    """Bring the careers of these players up to date; a closed account has none."""
    careers = Career.objects.in_bulk(states)
    counts = {
        row["player"]: row["count"]
        for row in RatingChange.objects.filter(player__in=states)
        .order_by()
        .values("player")
        .annotate(count=Count("id"))
    }
    for pk, career in careers.items():
        state, count = states[pk], counts.get(pk, 0)
        career.rating = state.rating.value if count else 0.0
        career.deviation = state.rating.deviation
        career.volatility = state.rating.volatility
        career.rated = count
        career.rated_at = state.at
    Career.objects.bulk_update(
        careers.values(), ["rating", "deviation", "volatility", "rated", "rated_at"]
    )
