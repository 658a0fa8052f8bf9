"""How fast moves are, side by side with a bare consumer that does less (tests/bench/baseline.py).

Site and baseline run at the same time and are measured in turns, so that a busy machine slows both.
A move counts when the last of four seats has it. Beside each figure stands its ratio to the
baseline's, and the same by processor time, which other programs on the machine disturb less.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from dominoes.bench import _figures as figures
from dominoes.bench._figures import Row, Size
from dominoes.bench._servers import Setup
from dominoes.bench.tables import table

HELP = "moves a second, their latency, sockets' memory: each with its ratio to a bare consumer"

Measure = Callable[[Setup, Size], list[Row]]
PARTS: dict[str, Measure] = {
    "rates": figures.rates,
    "pace": figures.pace,
    "tables": figures.tables,
    "processes": figures.processes,
    "hands": figures.hands,
    "memory": figures.memory,
    "back": figures.back,
}
#: What is measured on PostgreSQL and Redis. Of the others the database is no part worth measuring
#: twice.
ON_SERVERS = ("rates", "pace", "tables", "processes")
SHORT = ("rates", "hands", "memory")


def main(arguments: Sequence[str]) -> int:
    """Measure and print; exit status 1 where a ratio is worse than it must be."""
    parser = argparse.ArgumentParser(prog="manage.py bench moves", description=__doc__)
    parser.add_argument("--short", action="store_true", help="a minute's worth, by processor time")
    parser.add_argument("--only", nargs="+", choices=PARTS, help="these parts alone")
    parser.add_argument("--postgres", default="", help="URL of a PostgreSQL to make databases in")
    parser.add_argument("--redis", default="", help="URL of a Redis, with --postgres")
    parser.add_argument("--tables", type=int, help="tables in play (50)")
    parser.add_argument("--seconds", type=float, help="seconds of each round (5)")
    parser.add_argument("--rounds", type=int, help="rounds in turn (3)")
    parser.add_argument("--sockets", type=int, help="that come back at once (1,000)")
    asked = parser.parse_args(arguments)
    if bool(asked.postgres) != bool(asked.redis):
        parser.error("--postgres and --redis go together")
    size = Size(short=asked.short)
    if asked.short:
        size = Size(10, 20, 2.0, 2, 200, 31, short=True)
    given = {name: getattr(asked, name) for name in ("tables", "seconds", "rounds", "sockets")}
    size = Size(**{**vars(size), **{name: one for name, one in given.items() if one is not None}})
    setup = Setup(asked.postgres, asked.redis)
    parts = asked.only or (SHORT if asked.short else ON_SERVERS if asked.postgres else tuple(PARTS))
    return report(parts, setup, size)


def report(parts: Sequence[str], setup: Setup, size: Size) -> int:
    """Measure these parts and print them as they come; 1 where one is worse than it must be."""
    say = partial(print, flush=True, file=sys.stdout)
    say(f"On {setup.name}; {size.tables} tables of four seats.")
    rows: list[Row] = []
    for name in parts:
        if name == "processes" and not setup.postgres:
            continue  # one process is all that the embedded default has
        for row in PARTS[name](setup, size):
            say(f"  {row.name}: {_ratio(row.ratio)}")
            rows.append(row)
    say("")
    say(table(("figure", "site", "baseline", "ratio", "by processor", "must be"), _cells(rows)))
    missed = [row.name for row in rows if not row.good(by_processor=size.short)]
    say("")
    say(f"Not reached: {'; '.join(missed)}." if missed else "Every ratio is as it must be.")
    return int(bool(missed))


def _ratio(value: float | None) -> str:
    return "–" if value is None else f"{value:.2f}"


def _cells(rows: Sequence[Row]) -> list[tuple[Any, ...]]:
    return [
        (
            row.name,
            row.site,
            row.baseline,
            _ratio(row.ratio),
            _ratio(row.by_processor),
            f"{'≥' if row.more else '≤'} {row.limit}",
        )
        for row in rows
    ]
