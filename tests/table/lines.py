"""Lines of play for the tests of the picture: out of real hands, and the longest there can be."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from random import Random

from dominoes.rules.line import LineView
from dominoes.rules.match import Match
from dominoes.rules.options import Options
from dominoes.rules.tiles import NAMES, TILES
from dominoes.rules.view import view_for

TABLES = (
    ("partners", 4, "partners"),
    ("draw", 2, "singles"),
    ("draw", 3, "singles"),
    ("draw", 4, "singles"),
    ("classic", 2, "singles"),
    ("classic", 4, "singles"),
    ("classic", 4, "partners"),
    ("fives", 2, "singles"),
    ("fives", 3, "singles"),
    ("fives", 4, "singles"),
    ("fives", 4, "partners"),
)


def hand_of(rng: Random, rules: str, players: int, sides: str) -> Iterator[tuple[LineView, dict]]:
    """One hand by the rules engine, played at random: the line and its ends after each tile."""
    match = Match(Options.of(rules, players=players, sides=sides))
    deck = rng.sample(range(TILES), TILES)
    lot = None
    if match.lot_due:
        lot = tuple(rng.sample(range(TILES), players))
    racks, dealt = [], 0
    for size in match.rack_sizes:
        racks.append(deck[dealt : dealt + size])
        dealt += size
    match.deal(racks, deck[dealt : dealt + match.boneyard_size], lot)
    laid = 0
    while match.phase == "play" and match.turn is not None:
        hand = match.hand_number
        match.play(match.turn, rng.choice(match.legal_words()))
        view = view_for(match, None)
        length = len(tiles_of(view.line))
        if view.hand != hand or length == laid:
            continue
        laid = length
        yield view.line, dict(view.ends)


def tiles_of(line: LineView) -> list[str]:
    first = [] if line.first is None else [line.first]
    return [*first, *line.left, *line.right, *line.up, *line.down]


@dataclass
class Free:
    """A line that takes its tiles from the whole set, by the rules of extending a line alone.

    ``arms``: 2, or 4 for a line whose first double branches.
    """

    arms: int
    first: str
    chains: dict[str, list[str]] = field(default_factory=dict)
    ends: dict[str, int] = field(default_factory=dict)
    spinner: str | None = None

    def __post_init__(self) -> None:
        self.chains = {end: [] for end in ("left", "right", "up", "down")}
        self.ends = {"left": int(self.first[0]), "right": int(self.first[2])}
        if self.arms == 4 and self.first[0] == self.first[2]:
            self.spinner = self.first

    def lay(self, tile: str, end: str) -> None:
        value = self.ends[end]
        heavy, light = int(tile[0]), int(tile[2])
        assert value in (heavy, light)
        self.chains[end].append(tile)
        self.ends[end] = light if value == heavy else heavy
        if self.arms == 4 and self.spinner is None and heavy == light:
            self.spinner = tile
        if self.spinner is not None and "up" not in self.ends and self._covered():
            self.ends["up"] = self.ends["down"] = int(self.spinner[0])

    def _covered(self) -> bool:
        chain = [*self.chains["left"][::-1], self.first, *self.chains["right"]]
        assert self.spinner is not None
        return 0 < chain.index(self.spinner) < len(chain) - 1

    @property
    def line(self) -> LineView:
        arms = {end: tuple(chain) for end, chain in self.chains.items()}
        return LineView(first=self.first, spinner=self.spinner, **arms)


def long_line(rng: Random, arms: int, weights: Mapping[str, float]) -> Iterator[Free]:
    """A line that grows as long as it can, each end as likely as its weight; after each tile.

    It keeps to numbers of which many tiles are left and likes doubles, so that most lines come to
    24 to 28 tiles.
    """
    left = set(NAMES)
    first = rng.choice(sorted(left))
    left.discard(first)
    free = Free(arms, first)
    yield free
    while True:
        choices = [
            (end, tile)
            for end, value in free.ends.items()
            if weights.get(end, 0)
            for tile in sorted(left)
            if str(value) in tile
        ]
        if not choices:
            return
        ends = sorted({end for end, _tile in choices})
        end = rng.choices(ends, [weights[e] for e in ends])[0]
        tiles = [tile for e, tile in choices if e == end]
        value = free.ends[end]

        def remaining(tile: str, value: int = value) -> float:
            other = tile[2] if str(value) == tile[0] else tile[0]
            double = tile[0] == tile[2]
            return sum(other in rest for rest in left) + rng.random() * 3 + 2 * double

        tile = max(tiles, key=remaining)
        left.discard(tile)
        free.lay(tile, end)
        yield free
