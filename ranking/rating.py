"""The rating: Glicko-2, as numbers only. What moves it, and in which order, is decided elsewhere.

Every rated match is a rating period of its own for its two players, so that a rating answers at
once and a match that is taken out again can be replayed past. A whole week without a rated match
is a period as well, in which a player did not compete: the rating stays, its deviation widens.
"""

import math
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta

import glicko2

IDLE_PERIOD = timedelta(days=7)
"""How much time without a rated match is one period."""

PROVISIONAL_FROM = 110.0
"""A rating whose deviation is above this is provisional: too few matches lately to be sure."""

RATED_A_DAY = 3
"""How many matches of the same pair in one day (UTC) are rated; the rest pay points only."""


@dataclass(frozen=True, slots=True)
class Rating:
    """A strength on Glicko's scale, how unsure it is, and how steady the player's results are."""

    value: float
    deviation: float
    volatility: float

    @property
    def provisional(self) -> bool:
        """Whether too little is known yet for the value to mean much."""
        return self.deviation > PROVISIONAL_FROM


START = Rating(1500.0, 350.0, 0.06)
"""What everybody begins with. Glicko-2's system constant (tau) is 0.5."""


def after_period(own: Rating, met: Iterable[tuple[Rating, float]]) -> Rating:
    """The rating after a period with these matches: (the other's rating then, own score 0…1)."""
    games = list(met)
    if not games:
        return after_idle(own, 1)
    player = glicko2.Player(own.value, own.deviation, own.volatility)
    player.update_player(
        [other.value for other, _ in games],
        [other.deviation for other, _ in games],
        [score for _, score in games],
    )
    return Rating(player.rating, min(player.rd, START.deviation), player.vol)


def after_match(one: Rating, other: Rating, score: float) -> tuple[Rating, Rating]:
    """Both ratings after a match in which `one` scored `score` (1 won, 0.5 drawn, 0 lost)."""
    return after_period(one, [(other, score)]), after_period(other, [(one, 1 - score)])


def after_idle(own: Rating, periods: int) -> Rating:
    """The rating after so many whole periods without a match; never less sure than at the start."""
    if periods <= 0 or own.deviation >= START.deviation:
        return own
    widened = math.hypot(own.deviation, own.volatility * _SCALE * math.sqrt(periods))
    return Rating(own.value, min(widened, START.deviation), own.volatility)


_SCALE = 173.7178


def idle_periods(since: datetime | None, now: datetime) -> int:
    """How many whole periods lie between the last rated match and `now`."""
    return 0 if since is None else max(0, (now - since) // IDLE_PERIOD)
