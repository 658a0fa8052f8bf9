"""The positions that the rule sheets show: real hands, played by the rules engine.

`seeds/rules/positions/SYSTEM.toml` holds them by name, as racks and moves, with what the sheets say
of each. Nothing here is drawn by hand: the line, the legal moves, the sums and the points come out
of the engine, so a sheet can't show what the game doesn't do.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from django.conf import settings

from dominoes.rules.match import Match
from dominoes.rules.options import Options
from dominoes.rules.tiles import NAMES, parse_tile
from dominoes.rules.view import View, view_for

FOLDER = Path("seeds") / "rules" / "positions"
SHOWN = frozenset({"hand", "line", "rack", "racks", "count", "boneyard"})


class BadPosition(ValueError):
    """A position that can't be played as it is written; says which, and why."""


@dataclass(frozen=True, slots=True)
class Position:
    """A position as it stands after its moves.

    ``show`` names the parts that are drawn: ``hand`` (the tiles laid open, before play), ``line``,
    ``rack`` (the rail: what fits stands, the rest is sunk), ``racks`` (all of them, after the
    hand), ``count`` (the exposed ends of All Fives added up), ``boneyard``. ``said`` is everything
    that the sheets claim of the position, for the tests to compare.
    """

    name: str
    system: str
    match: Match
    show: tuple[str, ...]
    said: Mapping[str, Any]

    @property
    def view(self) -> View:
        """The position as the reader sees it, who always sits in seat 0."""
        return view_for(self.match, 0)

    @property
    def last(self) -> str | None:
        """The tile laid last."""
        laid = [move.word for move in self.view.moves if move.word[0].isdigit()]
        return laid[-1].partition(" ")[0] if laid else None


def position(name: str) -> Position:
    """The position of that name; ``BadPosition`` if there is none or it can't be played."""
    return _all()[name] if name in _all() else _missing(name)


def names(system: str) -> list[str]:
    """The names of a system's positions, as they stand in its file."""
    return [name for name, found in _all().items() if found.system == system]


def _missing(name: str) -> Position:
    raise BadPosition(f"there is no position called {name}")


@cache
def _all() -> dict[str, Position]:
    found: dict[str, Position] = {}
    for path in sorted((Path(settings.BASE_DIR) / FOLDER).glob("*.toml")):
        for name, entry in tomllib.loads(path.read_text(encoding="utf-8")).items():
            if name in found:
                raise BadPosition(f"two positions are called {name}")
            found[name] = read(name, path.stem, entry)
    return found


def read(name: str, system: str, entry: Mapping[str, Any]) -> Position:
    """Play a position of the file; raises ``BadPosition`` with its name and what is wrong."""
    try:
        match = _played(system, entry)
    except (ValueError, KeyError) as error:
        raise BadPosition(f"{name}: {error}") from error
    show = tuple(entry.get("show", ()))
    if not show or not SHOWN.issuperset(show):
        raise BadPosition(f"{name}: show names what is drawn, out of {sorted(SHOWN)}")
    return Position(name, system, match, show, entry)


def _played(system: str, entry: Mapping[str, Any]) -> Match:
    options = Options.of(system, players=entry.get("players"), sides=entry.get("sides"))
    number = entry.get("hand", 2)
    if number == 1:
        match = Match(options)
    else:
        # A later hand, which seat 0 opens by any right that its system gives.
        match = Match.resume(
            options,
            {
                "hand_number": number - 1,
                "scores": entry.get("before", [0] * options.side_count),
                "left": [],
                "last_opener": options.players - 1,
                "last_winner": 0,
            },
        )
    racks = [[parse_tile(tile) for tile in rack.split()] for rack in entry["racks"]]
    if "boneyard" in entry:
        boneyard = [parse_tile(tile) for tile in entry["boneyard"].split()]
    else:
        dealt = {tile for rack in racks for tile in rack}
        boneyard = [tile for tile in range(len(NAMES)) if tile not in dealt]
    match.deal(racks, boneyard)
    for word in entry["moves"].replace(",", "\n").splitlines():
        if word.strip():
            match.play(match.turn if match.turn is not None else 0, word.strip())
    return match
