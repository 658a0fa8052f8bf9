"""The tables of the ranking app, in one place for Django to find."""

from ranking.acts import Act
from ranking.outcomes import Result, Side, Variant
from ranking.people import Player, Token
from ranking.standings import Career, RatingChange, Standing

__all__ = [
    "Act",
    "Career",
    "Player",
    "RatingChange",
    "Result",
    "Side",
    "Standing",
    "Token",
    "Variant",
]
