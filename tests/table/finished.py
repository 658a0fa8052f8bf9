"""Finished matches for tests of what comes after them."""

from __future__ import annotations

import random
from typing import Any

from dominoes.table.models import Match
from ranking.models import Player
from tests.table.tables import Room


def play(room: Room) -> Match:
    """Play a room's match to its end."""
    if not room.live.in_match:
        room.start()
    while room.live.in_match:
        room.play_hand()
        room.wait(11)
    assert room.live.match is not None
    return Match.objects.get(pk=room.live.match.id)


def finished(rules: str = "draw", *, people: list[Player] | None = None, **choices: Any) -> Match:
    """A match played to its end by chance."""
    random.seed(5)
    if not choices.get("ranked"):
        choices.setdefault("target", 40)
    return play(Room(rules, people=people, **choices))
