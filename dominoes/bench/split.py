"""Where a move's time goes, from the client that sends it to the last of four seats that has it.

One table at a calm pace, so that nothing waits for anything else: the parts add up. What is left
between the client's clock and the server's is the wire, both kernels, and the client reading.
"""

from __future__ import annotations

import argparse
import json
import signal
import statistics
import sys
from collections.abc import Sequence

from dominoes.bench import _servers as servers
from dominoes.bench._servers import Setup, load
from dominoes.bench.tables import table

HELP = "a move's time by parts: rules, transaction, thread hops, rendering, fan-out, wire"
RATE = 5.0  # moves a second, at the one table


def main(arguments: Sequence[str]) -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="manage.py bench split", description=__doc__)
    parser.add_argument("--seconds", type=float, default=20.0, help="for each kind of seat (20)")
    parser.add_argument("--postgres", default="", help="URL of a PostgreSQL to make databases in")
    parser.add_argument("--redis", default="", help="URL of a Redis, with --postgres")
    asked = parser.parse_args(arguments)
    setup = Setup(asked.postgres, asked.redis)
    found: dict[str, list[float]] = {}
    for form in ("json", "html"):
        for name, value in parts(setup, form, asked.seconds).items():
            found.setdefault(name, []).append(value)
    whole = found["all"]
    rows = [
        (name, *(part for n, value in enumerate(values) for part in (value, value / whole[n])))
        for name, values in found.items()
    ]
    head = ("part", "JSON µs", "of all", "HTML µs", "of all")
    shown = [(r[0], f"{r[1]:,.0f}", f"{r[2]:.0%}", f"{r[3]:,.0f}", f"{r[4]:.0%}") for r in rows]
    sys.stdout.write(f"On {setup.name}; medians.\n{table(head, shown)}\n")
    return 0


def parts(setup: Setup, form: str, seconds: float) -> dict[str, float]:
    """The median microseconds of each part; "all" as the client sees it, last."""
    with servers.running("timed", 1, setup) as site:
        found = load(site, "play", form, 1, seconds=seconds, rate=RATE)
        for process in site.processes:
            process.send_signal(signal.SIGTERM)
            process.wait(20)
        moves = json.loads((site.folder / "timed.json").read_text())
    middle = {name: 1e6 * statistics.median(move[name] for move in moves) for name in moves[0]}
    del middle["all"]
    whole = 1e6 * found["p50"]
    return {**middle, "wire, kernels, client": whole - sum(middle.values()), "all": whole}
