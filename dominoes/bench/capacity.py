"""How many tables one process holds, and two, at people's pace: a move every four seconds a table.

The number of tables grows until the 95th percentile of a move, from being sent to the last of four
pages having it, passes the limit. With two processes each table is in one of them, as the proxy of
docs/operations.md has it.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from typing import Any

from dominoes.bench import _servers as servers
from dominoes.bench._servers import Servers, Setup, load
from dominoes.bench.tables import table

HELP = "tables and sockets that one process and two hold at people's pace"
STEPS = (25, 50, 100, 200, 400, 700, 1000, 1400, 2000)
RATE = 0.25  # moves a second and table


def main(arguments: Sequence[str]) -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="manage.py bench capacity", description=__doc__)
    parser.add_argument("--limit", type=float, default=100.0, help="milliseconds at p95 (100)")
    parser.add_argument("--most", type=int, default=STEPS[-1], help=f"tables ({STEPS[-1]:,})")
    parser.add_argument("--seconds", type=float, default=20.0, help="of each step (20)")
    parser.add_argument("--postgres", default="", help="URL of a PostgreSQL, for two processes")
    parser.add_argument("--redis", default="", help="URL of a Redis, with --postgres")
    asked = parser.parse_args(arguments)
    setup = Setup(asked.postgres, asked.redis)
    steps = [step for step in STEPS if step <= asked.most] or [asked.most]
    _say(f"On {setup.name}; {os.cpu_count()} processors, {os.getloadavg()[0]:.1f} at work before.")
    rows: list[tuple[Any, ...]] = []
    for processes in (1, 2) if asked.postgres else (1,):
        with servers.running("site", steps[-1], setup, processes) as site:
            held = _grown(site, steps, asked.seconds, asked.limit, rows)
        _say(f"{processes}: {held:,} tables, {held * 4:,} sockets within {asked.limit:.0f} ms.")
    head = ("processes", "tables", "moves/s", "p50 ms", "p95 ms", "processor", "MB")
    _say(table(head, rows))
    return 0


def _grown(
    site: Servers, steps: Sequence[int], seconds: float, limit: float, rows: list[tuple[Any, ...]]
) -> int:
    """Measure step by step; gives the last number of tables within the limit.

    One step over it may be another program's burst; two in a row are the end.
    """
    held, over = 0, 0
    for step in steps:
        found = load(
            site, "play", "html", step, seconds=seconds, warm=6.0, rate=RATE, whole_tables=True
        )
        p50, p95 = (1000 * (found[name] or float("inf")) for name in ("p50", "p95"))
        share = found["cpu"] / found["seconds"]
        rows.append(
            (
                str(len(site.processes)),
                step,
                found["moves"] / found["seconds"],
                p50,
                p95,
                f"{share:.0%}",
                site.memory() / 1e6,
            )
        )
        over = over + 1 if p95 > limit else 0
        if over == 2:
            break
        if not over:
            held = step
    return held


def _say(text: str) -> None:
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()
