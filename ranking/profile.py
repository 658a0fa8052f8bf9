"""What is known of one player: figures, record, streaks, partners, the way of the rating."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from django.db.models import Count, F, Q, QuerySet

from ranking import ladder
from ranking.models import Career, Player, RatingChange, Side
from ranking.outcomes import BOTS, CASUAL, DRAWN, LOST, RANKED, WON
from ranking.plot import Point
from ranking.titles import variant_title


@dataclass(frozen=True, slots=True)
class Figures:
    """A player in one line. Bots don't count in won, drawn and lost; casual matches do."""

    name: str
    points: int = 0
    rating: int | None = None
    deviation: int | None = None
    provisional: bool = True
    won: int = 0
    drawn: int = 0
    lost: int = 0


def figures(player: Player) -> Figures:
    """The player's figures as they stand now; zeros for someone who has played nobody yet."""
    career = Career.objects.filter(player=player).first()
    if career is None:
        return Figures(player.name)
    rating = ladder.current(career)
    return Figures(
        name=player.name,
        points=career.points,
        rating=None if rating is None else round(rating.value),
        deviation=None if rating is None else round(rating.deviation),
        provisional=rating is None or rating.provisional,
        won=career.won,
        drawn=career.drawn,
        lost=career.lost,
    )


@dataclass(slots=True)
class Tally:
    """Matches of one sort; `by_partner` of the lost ones were lost by a partner's leaving."""

    won: int = 0
    drawn: int = 0
    lost: int = 0
    by_partner: int = 0

    @property
    def played(self) -> int:
        """All of them."""
        return self.won + self.drawn + self.lost


@dataclass(slots=True)
class Record:
    """A variant with a number of seats: ranked, casual and against bots apart."""

    game: str
    variant: str
    seats: int
    ranked: Tally = field(default_factory=Tally)
    casual: Tally = field(default_factory=Tally)
    bots: Tally = field(default_factory=Tally)

    @property
    def title(self) -> str:
        """The variant's name for people."""
        return variant_title(self.game, self.variant)


def _counted(player: Player) -> "QuerySet[Side]":
    return Side.objects.filter(player=player, result__voided_at=None)


def record(player: Player) -> list[Record]:
    """The player's record by variant and number of seats."""
    rows = (
        _counted(player)
        .order_by()
        .values("result__game", "result__variant", "result__seats", "counted_as", "outcome")
        .annotate(count=Count("id"), by_partner=Count("id", filter=Q(partner_left=True)))
    )
    found: dict[tuple[str, str, int], Record] = {}
    for row in rows:
        where = (row["result__game"], row["result__variant"], row["result__seats"])
        entry = found.setdefault(where, Record(*where))
        tally = {RANKED: entry.ranked, CASUAL: entry.casual, BOTS: entry.bots}[row["counted_as"]]
        tally.won += row["count"] * (row["outcome"] == WON)
        tally.drawn += row["count"] * (row["outcome"] == DRAWN)
        tally.lost += row["count"] * (row["outcome"] == LOST)
        tally.by_partner += row["by_partner"]
    return [found[where] for where in sorted(found)]


@dataclass(frozen=True, slots=True)
class Streaks:
    """Runs of the same outcome in matches against people: the present one, and the best."""

    outcome: str = ""
    length: int = 0
    best: int = 0


def streaks(player: Player) -> Streaks:
    """The player's present run, and the longest of matches won."""
    outcomes = list(
        _counted(player)
        .exclude(counted_as=BOTS)
        .order_by("-ended_at", "-id")
        .values_list("outcome", flat=True)
    )
    if not outcomes:
        return Streaks()
    length = next(
        (index for index, outcome in enumerate(outcomes) if outcome != outcomes[0]), len(outcomes)
    )
    best = run = 0
    for outcome in outcomes:
        run = run + 1 if outcome == WON else 0
        best = max(best, run)
    return Streaks(outcomes[0], length, best)


@dataclass(frozen=True, slots=True)
class Partner:
    """Someone the player has shared a side with, and how that went."""

    name: str
    played: int
    won: int
    drawn: int
    lost: int


def partners(player: Player, most: int = 10) -> Sequence[Partner]:
    """Those with whom the player shared a side most often, closed accounts left out."""
    rows = (
        Side.objects.filter(
            result__voided_at=None,
            result__sides__player=player,
            result__sides__side=F("side"),
            player__closed_at=None,
        )
        .exclude(player=None)
        .exclude(player=player)
        .order_by()
        .values("player__name")
        .annotate(
            played=Count("id"),
            won=Count("id", filter=Q(outcome=WON)),
            drawn=Count("id", filter=Q(outcome=DRAWN)),
            lost=Count("id", filter=Q(outcome=LOST)),
        )
        .order_by("-played", "player__name")[:most]
    )
    return [
        Partner(row["player__name"], row["played"], row["won"], row["drawn"], row["lost"])
        for row in rows
    ]


def rating_points(player: Player) -> list[Point]:
    """The rating after each rated match, oldest first, beginning with what it was before."""
    changes = RatingChange.objects.filter(player=player).order_by("result")
    points: list[Point] = []
    for before, rating, deviation, at in changes.values_list(
        "before", "rating", "deviation", "played_at"
    ):
        if not points:
            points.append(Point(at, before, 0.0))
        points.append(Point(at, rating, deviation))
    return points
