"""What the tests of quick pairing share: wishes, time, and looks at who waits."""

from typing import Any

from lobby import pairing
from lobby.standings import Wish, check_wish
from ranking.models import Player


class Clock:
    """The time of a test: it passes when the test says so."""

    def __init__(self, traveller: Any) -> None:
        self._traveller = traveller

    def shift(self, seconds: float) -> None:
        """Let so many seconds pass."""
        self._traveller.shift(seconds)


DUEL = check_wish(rules="draw", players=2, sides=None, ranked=False)
PAIRS = check_wish(rules="partners", players=4, sides=None, ranked=False)
RANKED = check_wish(rules="draw", players=2, sides=None, ranked=True)


def states(*players: Player) -> list[str]:
    return [pairing.look(player).state for player in players]


def ask_all(wish: Wish, *players: Player) -> None:
    for player in players:
        pairing.ask(player, wish)
