"""Server processes that share their tables, to be killed, paused and started again.

A farm is a database, perhaps a Redis, and some `manage.py serve` on top. Its processes are started
by the first test that asks for it and mended before each further one.
"""

from __future__ import annotations

import asyncio
import json
import sqlite3
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from typing import Any, Self, TypeVar

import psycopg

from tests import services
from tests.clients import Address, Api, Refused

T = TypeVar("T")

# What a call meets whose server is killed, frozen or not up yet.
CUT_OFF = (OSError, EOFError, TimeoutError)
CALL_PATIENCE = 8.0


class Farm:
    """Processes over one database; the embedded default where no servers are given."""

    def __init__(
        self,
        scratch: Path,
        processes: int,
        postgres: services.Postgres | None = None,
        redis: services.Redis | None = None,
        **env: str,
    ) -> None:
        scratch.mkdir(parents=True, exist_ok=True)
        self.scratch = scratch
        self.postgres, self.redis = postgres, redis
        self.database = postgres.fresh() if postgres else ""
        self.env = services.environment(
            scratch,
            **({"DATABASE_URL": self.database} if postgres else {}),
            **({"REDIS_URL": redis.url} if redis else {}),
            **env,
        )
        services.manage("migrate", "--verbosity", "0", env=self.env)
        self.sites = [services.Site(f"serve-{n}", scratch, self.env) for n in range(processes)]

    @property
    def addresses(self) -> list[Address]:
        """Where its processes listen."""
        return [("127.0.0.1", site.port) for site in self.sites]

    # Processes

    def mend(self) -> Self:
        """Have everything run: what was killed, stopped or paused."""
        if self.redis is not None and (self.redis.running is None or not self.redis.answers()):
            self.redis.start()
        if self.postgres is not None and not self.postgres.answers():
            self.postgres.start()
        self.start(self.sites)
        return self

    def start(self, sites: Sequence[services.Site]) -> None:
        """Start those of these processes that don't run, all at once; wait until they are well."""
        for site in sites:
            if site.running is None or site.running.poll() is not None:
                site.start(wait=False)
            else:
                site.resume()
        for site in sites:
            site.await_(site.well, "/healthz was well")

    def more(self, processes: int) -> None:
        """Have at least this many processes."""
        for n in range(len(self.sites), processes):
            self.sites.append(services.Site(f"serve-{n}", self.scratch, self.env))
        self.start(self.sites)

    def remove(self) -> None:
        """End all processes."""
        for site in self.sites:
            site.kill()
            site.remove()

    # The database

    def rows(self, sql: str, *values: Any) -> list[tuple[Any, ...]]:
        """Ask the database; `?` stands for a value."""
        if self.database:
            with psycopg.connect(self.database, autocommit=True) as connection:
                found = connection.execute(sql.replace("?", "%s"), values)  # type: ignore[call-overload]
                return list(found.fetchall()) if found.description else []
        with sqlite3.connect(self.scratch / "db.sqlite3", timeout=20) as file:
            return list(file.execute(sql, values).fetchall())

    def let_pass(self, seconds: float) -> None:
        """With no process running: as if they had been down for that much longer."""
        self.rows("UPDATE table_process SET beat = beat - ?", seconds)
        waiting = self.rows(
            "SELECT id, clock FROM table_table WHERE status IN ('playing', 'between')"
        )
        for id, text in waiting:
            clock = json.loads(text)
            for name, value in clock.items():
                if name.endswith(("_at", "_from")):
                    clock[name] = value - seconds
                elif name == "holds":
                    clock[name] = [[seat, at - seconds] for seat, at in value]
            moments = [
                clock[name] for name in ("turn_at", "act_at", "deal_at", "gone_at") if name in clock
            ]
            moments += [at for _seat, at in clock.get("holds", ())]
            self.rows(
                "UPDATE table_table SET clock = ?, due_at = ? WHERE id = ?",
                json.dumps(clock),
                min(moments, default=None),
                id,
            )

    def errors(self) -> list[str]:
        """The lines of its logs that tell of an error."""
        return [
            line
            for site in self.sites
            for line in site.output().splitlines()
            if '"level": "error"' in line or line.startswith("Traceback")
        ]

    # The API, wherever it answers

    async def ask(self, call: Callable[[Api], Awaitable[T]], first: int = 0) -> T:
        """Do something through the first process that answers, again and again until one does.

        For what does no harm when it happens twice.
        """
        turn = first
        while True:
            api = Api(self.addresses[turn % len(self.sites)])
            turn += 1
            try:
                async with asyncio.timeout(CALL_PATIENCE):
                    return await call(api)
            except CUT_OFF:
                await asyncio.sleep(0.1)
            except Refused as refusal:
                if refusal.status < 500:
                    raise
                await asyncio.sleep(0.1)
            finally:
                api.close()
