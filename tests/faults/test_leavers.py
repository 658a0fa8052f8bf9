"""People who walk out, fall asleep, come back and agree to draws: nobody sees a tile too many."""

from __future__ import annotations

import asyncio
import random
from collections import Counter
from dataclasses import dataclass, field

import pytest

from tests.clients import Picture
from tests.faults.audit import audit
from tests.faults.conftest import Tell
from tests.faults.farm import Farm
from tests.faults.load import Match, begin
from tests.programs import Program

# The matches of more than two sides first: there most is played on without somebody.
SETUPS = [
    ("draw", 3, "singles", 100),
    ("fives", 4, "singles", 250),
    ("partners", 4, "partners", 100),
    ("classic", 4, "singles", 100),
    ("draw", 4, "singles", 100),
    ("fives", 3, "singles", 250),
    ("draw", 2, "singles", 100),
    ("classic", 4, "partners", 100),
]


@dataclass
class Restless(Program):
    """A program that may walk out or let its turn go by, and may come back when it is away."""

    chance: random.Random = field(default_factory=random.Random)
    did: Counter[str] = field(default_factory=Counter)
    _asleep: int = -1  # the seq of the picture on which it does nothing

    def _look(self, picture: Picture) -> None:
        you = picture["you"]
        in_match = picture["status"] in ("playing", "between")
        state = None if you is None else picture["seats"][you]["state"]
        if state == "left" and in_match:
            self.picture = picture  # looks on to the end
            return
        if state == "away" and in_match and self.chance.random() < 0.3:
            self._does("ready")
        elif picture["status"] == "between" and self.chance.random() < 0.15:
            self._does("offer_draw" if picture["offer"] is None else "accept_draw")
        super()._look(picture)

    def _move(self, picture: Picture) -> None:
        if self._asleep == picture["seq"]:
            return
        fate = self.chance.random()
        if fate < 0.01:
            self._does("leave")
        elif fate < 0.02:
            self.did["slept"] += 1
            self._asleep = picture["seq"]
        else:
            super()._move(picture)

    def _does(self, what: str) -> None:
        self.did[what] += 1
        self._send({"type": what, "id": f"{what} {self.did.total()}"})


async def restless(farm: Farm, number: int, seed: int, kind: str) -> Match:
    """A match played out by such programs, whoever is left of them."""
    match = await begin(
        farm, number, setup=SETUPS[number % len(SETUPS)], turn_seconds=10, kind=kind
    )
    match.programs[:-1] = [
        Restless(
            farm.addresses,
            match.code,
            program.person,
            keeps=True,
            chance=random.Random(f"{seed} {number} {seat}"),
        )
        for seat, program in enumerate(match.programs[:-1])
    ]
    for page in match.pages:
        page.beside = match.programs[0 if page.seat is None else page.seat]
    await match.play(300)
    return match


@pytest.mark.parametrize(
    "tables",
    [
        pytest.param(8, id="short", marks=pytest.mark.faults),
        pytest.param(48, id="long", marks=pytest.mark.faults_long),
    ],
)
async def test_whoever_goes_and_comes_sees_no_tile_too_many(
    farm: Farm, tables: int, tell: Tell
) -> None:
    seed = random.randrange(1 << 32)
    kinds = ("online", "online", "online", "nearby")
    async with asyncio.timeout(330):
        played = await asyncio.gather(
            *(restless(farm, n, seed, kinds[n // len(SETUPS) % 4]) for n in range(tables))
        )
    ends = Counter[str]()
    did = Counter[str]()
    for match in played:
        picture = match.programs[-1].picture
        assert picture is not None and picture["match_result"] is not None
        ends[picture["match_result"]["how"]] += 1
        for program in match.programs:
            if isinstance(program, Restless):
                did += program.did
    tally = await audit(farm, played, ends=list(ends))
    tally.made.clear()  # here people do go, and are played for
    told = ", ".join(f"{count} {what}" for what, count in sorted((ends + did).items()))
    tell(f"seed {seed}: {told}; {tally}")
    tally.clean()
