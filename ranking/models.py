"""The tables of the ranking app, in one place for Django to find."""

from ranking.people import Player, Token

__all__ = ["Player", "Token"]
