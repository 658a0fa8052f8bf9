"""Servers killed at random moments under tables of programs: no move is lost or played twice."""

from __future__ import annotations

import asyncio
import random
from dataclasses import dataclass

import pytest

from tests.faults.audit import audit
from tests.faults.conftest import Tell
from tests.faults.farm import Farm
from tests.faults.load import Crowd


@dataclass(frozen=True)
class Size:
    """How many tables are played at, and how often a server is killed."""

    tables: int
    kills: int


async def kill_now_and_then(farm: Farm, kills: int, chance: random.Random) -> None:
    """Kill one process after another, and start each again a moment later."""
    for _ in range(kills):
        await asyncio.sleep(chance.uniform(0.2, 1.5))
        victim = chance.choice(farm.sites)
        victim.kill()
        await asyncio.sleep(chance.uniform(0, 1))
        await asyncio.to_thread(farm.start, [victim])


async def kills_lose_nothing(farm: Farm, size: Size, tell: Tell) -> None:
    seed = random.randrange(1 << 32)
    crowd = Crowd(farm, size.tables, 60 + 25 * size.kills)
    async with crowd.playing():
        await kill_now_and_then(farm, size.kills, random.Random(seed))
    tally = await audit(farm, crowd.played)
    tell(f"{size.kills} kills (seed {seed}) under {size.tables} tables; {tally}")
    tally.clean()


@pytest.mark.parametrize(
    "size",
    [
        pytest.param(Size(8, 3), id="short", marks=pytest.mark.faults),
        pytest.param(Size(50, 20), id="long", marks=pytest.mark.faults_long),
    ],
)
async def test_a_killed_server_loses_nothing(farm: Farm, size: Size, tell: Tell) -> None:
    await kills_lose_nothing(farm, size, tell)


@pytest.mark.parametrize(
    "size",
    [
        pytest.param(Size(4, 2), id="short", marks=pytest.mark.faults),
        pytest.param(Size(20, 10), id="long", marks=pytest.mark.faults_long),
    ],
)
async def test_the_only_server_killed_loses_nothing(embedded: Farm, size: Size, tell: Tell) -> None:
    await kills_lose_nothing(embedded, size, tell)
