"""How well others are served: tables whose programs move steadily, and how long each `ok` took."""

from __future__ import annotations

import asyncio
import contextlib
import random
import time
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests import services
from tests.faults.farm import Farm
from tests.faults.load import people
from tests.programs import Program, first_legal, until

THINKS = 0.08  # seconds before each move


@dataclass
class Timed(Program):
    """A program that keeps how long each of its moves took to be acknowledged."""

    waits: list[tuple[float, float]] = field(default_factory=list)  # sent at, seconds
    _sent_at: dict[str, float] = field(default_factory=dict)

    def _send(self, message: dict[str, Any]) -> None:
        if message["type"] == "move":
            self._sent_at.setdefault(message["id"], time.monotonic())
        super()._send(message)

    def _stored(self, answer: dict[str, Any]) -> None:
        sent = self._sent_at.pop(answer["id"], None)
        if sent is not None:
            self.waits.append((sent, time.monotonic() - sent))
        super()._stored(answer)


class Pulse:
    """Tables of two at one process, at which match after match is played."""

    def __init__(self, farm: Farm, tables: int) -> None:
        self.farm, self.tables = farm, tables
        self.programs: list[Timed] = []
        self.codes: list[str] = []
        self._chance = random.Random()

    async def _table(self, number: int) -> None:
        pair = await people(self.farm, 2)
        while True:
            code, _match = await self.farm.ask(
                lambda api: api.table("draw", pair, target=100, turn_seconds=600)
            )
            playing = [
                Timed(
                    self.farm.addresses[:1],
                    code,
                    person,
                    policy=first_legal,
                    pause=lambda: self._chance.uniform(0, 2 * THINKS),
                )
                for person in pair
            ]
            self.programs += playing
            self.codes.append(code)
            async with asyncio.TaskGroup() as group:
                for program in playing:
                    group.create_task(program.play(300))

    @contextlib.asynccontextmanager
    async def beating(self) -> AsyncIterator[Pulse]:
        """Play as long as the block lasts. Raises ExceptionGroup of what went wrong at a table."""
        async with asyncio.TaskGroup() as group:
            tasks = [group.create_task(self._table(number)) for number in range(self.tables)]
            await until(lambda: len(self.waits()) >= 2 * self.tables)
            yield self
            for task in tasks:
                task.cancel()

    def waits(self, since: float = 0.0) -> list[float]:
        """How long each move sent since then took, in seconds, the shortest first."""
        return sorted(w for p in self.programs for at, w in p.waits if at >= since)

    async def p95(self, seconds: float) -> float:
        """Measure for a while."""
        began = time.monotonic()
        await asyncio.sleep(seconds)
        await until(lambda: len(self.waits(began)) >= 20, 60)
        waits = self.waits(began)
        return waits[len(waits) * 95 // 100]


def memory(site: services.Site) -> float:
    """The memory that a process holds, in MB."""
    pages = int(Path(f"/proc/{site.pid}/statm").read_text().split()[1])
    return pages * 4096 / 1e6
