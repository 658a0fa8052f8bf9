"""A ladder full of people and matches, made quickly: to measure pages by, and to look around.

The figures follow from the results exactly as if each had been recorded by itself (a test holds
the two together); they are only added up in memory and written in bulk.
"""

import random
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from django.contrib.auth.hashers import UNUSABLE_PASSWORD_PREFIX
from django.db import transaction

from ranking import rating, tally
from ranking.models import Career, Player, RatingChange, Result, Side, Standing, Variant
from ranking.names import fold
from ranking.outcomes import BOTS, CASUAL, DRAWN, LOST, RANKED, WON

AWARDS = {WON: 25, DRAWN: 8, LOST: 3}
_CHUNK = 5000


@dataclass(frozen=True, slots=True)
class Sort:
    """A sort of match: its variant, its seats, and how many sides they make."""

    game: str
    variant: str
    seats: int
    sides: int


def make_people(how_many: int, prefix: str = "Player") -> list[Player]:
    """Accounts without a password, named `prefix` and a number."""
    people = [
        Player(
            name=f"{prefix} {number}",
            name_key=fold(f"{prefix} {number}"),
            password=f"{UNUSABLE_PASSWORD_PREFIX}{number}",
        )
        for number in range(2, how_many + 2)
    ]
    return Player.objects.bulk_create(people, batch_size=_CHUNK)


def fill(
    people: Sequence[Player],
    matches: int,
    *,
    sorts: Sequence[Sort],
    until: datetime,
    seed: int = 1,
    span: timedelta = timedelta(days=365),
    named: Callable[[int], tuple[str, str]] = lambda number: (f"fill-{number}", f"/fill/{number}/"),
) -> None:
    """Let these people, who have no results yet, play so many matches in the time up to `until`.

    A tenth of the people play half of the matches, as is usual. `named` gives the key and the
    address of a match from its number.
    """
    chance = random.Random(seed)  # noqa: S311 (no secret)
    strength = {one.pk: chance.gauss(0, 1) for one in people}
    regulars = people[: max(4, len(people) // 10)]
    season = _Season(strength)
    start = until - span
    with transaction.atomic():
        for number in range(matches):
            sort = chance.choice(sorts)
            crowd = regulars if chance.random() < 0.5 else people
            seats = chance.sample(crowd, sort.seats)
            season.play(named(number), sort, seats, start + span * number / matches, chance)
        season.store()


class _Season:
    """What was played so far, and the figures that follow from it."""

    def __init__(self, strength: dict[int, float]) -> None:
        self.strength = strength
        self.results: list[Result] = []
        self.sides: list[Side] = []
        self.changes: list[RatingChange] = []
        self.careers = {pk: Career(player_id=pk) for pk in strength}
        self.boards: dict[tuple[int, tally.Board], tally.Sums] = {}
        self.met: Counter[tuple[frozenset[int], object]] = Counter()

    def play(
        self,
        named: tuple[str, str],
        sort: Sort,
        seats: list[Player],
        at: datetime,
        chance: random.Random,
    ) -> None:
        """One match with its outcome, counted in everybody's figures."""
        counted_as = chance.choices((RANKED, CASUAL, BOTS), (70, 20, 10))[0]
        bots = {sort.seats - 1} if counted_as == BOTS else set()
        form = [chance.gauss(0, 1.5) for _ in range(sort.sides)]
        for seat, who in enumerate(seats):
            form[seat % sort.sides] += self.strength[who.pk]
        winner = None if chance.random() < 0.02 and sort.sides == 2 else form.index(max(form))
        ranked = counted_as == RANKED
        rated = ranked and sort.seats == 2
        result = Result(
            game=sort.game,
            variant=sort.variant,
            seats=sort.seats,
            key=named[0],
            url=named[1],
            kind="online",
            ranked=ranked,
            rated=rated,
            awards=AWARDS,
            ended_at=at,
        )
        self.results.append(result)
        boards = tally.boards_of(sort.game, sort.variant, at)
        for seat, who in enumerate(seats):
            side = seat % sort.sides
            outcome = DRAWN if winner is None else WON if side == winner else LOST
            points = AWARDS[outcome] if ranked and seat not in bots else 0
            self.sides.append(
                Side(
                    result=result,
                    player=None if seat in bots else who,
                    bot="steady" if seat in bots else "",
                    seat=seat,
                    side=side,
                    outcome=outcome,
                    points=points,
                    ended_at=at,
                    counted_as=counted_as,
                )
            )
            if counted_as != BOTS:
                self._count(who.pk, outcome, points, ranked, boards)
        if rated:
            score = 0.5 if winner is None else 1.0 if winner == 0 else 0.0
            self._rate(result, seats[0].pk, seats[1].pk, score, at)

    def _count(
        self, pk: int, outcome: str, points: int, ranked: bool, boards: list[tally.Board]
    ) -> None:
        career = self.careers[pk]
        career.points += points
        career.ranked += ranked
        career.won += outcome == WON
        career.drawn += outcome == DRAWN
        career.lost += outcome == LOST
        if ranked:
            for board in boards:
                self.boards.setdefault((pk, board), tally.Sums()).add(outcome, points)

    def _rate(self, result: Result, one: int, other: int, score: float, at: datetime) -> None:
        pair_and_day = (frozenset((one, other)), at.astimezone(UTC).date())
        self.met[pair_and_day] += 1
        if self.met[pair_and_day] > rating.RATED_A_DAY:
            return
        before = [self._rating(pk) for pk in (one, other)]
        rested = [
            rating.after_idle(state, rating.idle_periods(self.careers[pk].rated_at, at))
            for state, pk in zip(before, (one, other), strict=True)
        ]
        after = rating.after_match(rested[0], rested[1], score)
        pairs = ((one, other), (other, one))
        for (pk, foe), was, now in zip(pairs, before, after, strict=True):
            self.changes.append(
                RatingChange(
                    result=result,
                    player_id=pk,
                    opponent_id=foe,
                    played_at=at,
                    before=was.value,
                    rating=now.value,
                    deviation=now.deviation,
                    volatility=now.volatility,
                )
            )
            career = self.careers[pk]
            career.rating, career.deviation = now.value, now.deviation
            career.volatility, career.rated_at = now.volatility, at
            career.rated += 1

    def _rating(self, pk: int) -> rating.Rating:
        career = self.careers[pk]
        if not career.rated:
            return rating.START
        return rating.Rating(career.rating, career.deviation, career.volatility)

    def store(self) -> None:
        """Write everything."""
        Result.objects.bulk_create(self.results, batch_size=_CHUNK)
        for side in self.sides:
            side.result_id = side.result.pk
        for change in self.changes:
            change.result_id = change.result.pk
        Side.objects.bulk_create(self.sides, batch_size=_CHUNK)
        RatingChange.objects.bulk_create(self.changes, batch_size=_CHUNK)
        played = (one for one in self.careers.values() if one.won or one.drawn or one.lost)
        Career.objects.bulk_create(played, batch_size=_CHUNK)
        Standing.objects.bulk_create(self._standings(), batch_size=_CHUNK)
        for game, variant in sorted({(one.game, one.variant) for one in self.results}):
            Variant.objects.get_or_create(game=game, variant=variant)

    def _standings(self) -> Iterator[Standing]:
        for (pk, (game, variant, period)), sums in self.boards.items():
            yield Standing(
                player_id=pk,
                game=game,
                variant=variant,
                period=period,
                points=sums.points,
                won=sums.won,
                drawn=sums.drawn,
                lost=sums.lost,
            )
