"""The figures of ``bench moves``, each measured at the site and at the baseline in turns."""

from __future__ import annotations

import json
import statistics
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from dominoes.bench import _servers as servers
from dominoes.bench._servers import Setup, load

NAMES = {"json": "JSON seats", "html": "HTML seats"}


@dataclass(frozen=True)
class Size:
    """How much is measured."""

    tables: int = 50
    many: int = 200
    seconds: float = 5.0
    rounds: int = 3
    sockets: int = 1000
    hands: int = 31
    short: bool = False


@dataclass(frozen=True)
class Row:
    """One line of the report; `limit` is what the ratio must be at least (`more`) or at most."""

    name: str
    site: str
    baseline: str
    ratio: float
    limit: float
    more: bool
    by_processor: float | None = None

    def good(self, *, by_processor: bool) -> bool:
        """Whether the ratio is as it must be; by processor time if asked and if there is one."""
        ratio = self.ratio
        if by_processor and self.by_processor is not None:
            ratio = self.by_processor
        return ratio >= self.limit if self.more else ratio <= self.limit


class Sum:
    """What several rounds gave together."""

    def __init__(self) -> None:
        self.moves, self.seconds, self.cpu = 0, 0.0, 0.0
        self.p95: list[float] = []

    def add(self, figures: dict[str, Any]) -> None:
        """Count a round."""
        self.moves += figures["moves"]
        self.seconds += figures["seconds"]
        self.cpu += figures["cpu"]
        if figures["p95"] is not None:
            self.p95.append(figures["p95"])

    @property
    def rate(self) -> float:
        return self.moves / self.seconds

    @property
    def for_processor(self) -> float:
        """Moves for each second of processor time."""
        return self.moves / max(self.cpu, 0.01)

    @property
    def slow(self) -> float:
        """The rounds' middle 95th percentile, in milliseconds."""
        return 1000 * statistics.median(self.p95) if self.p95 else float("inf")


def rates(setup: Setup, size: Size) -> list[Row]:
    """Most moves a second, closed loop."""
    sums = _in_turns(setup, size, {})
    bare = sums.pop("bare")
    limits = {"json": 1.0, "html": 0.6}
    return [
        Row(
            f"most moves a second, {NAMES[form]}",
            f"{one.rate:,.0f}",
            f"{bare.rate:,.0f}",
            one.rate / bare.rate,
            limits[form],
            True,
            one.for_processor / bare.for_processor,
        )
        for form, one in sums.items()
    ]


def pace(setup: Setup, size: Size) -> list[Row]:
    """How long a move takes to the last seat, at one move a second and table."""
    sums = _in_turns(setup, size, {"rate": 1.0})
    bare = sums.pop("bare")
    limits = {"json": 1.5, "html": 2.0}
    return [
        Row(
            f"p95 at a move a second, {NAMES[form]}",
            f"{one.slow:,.1f} ms",
            f"{bare.slow:,.1f} ms",
            one.slow / bare.slow,
            limits[form],
            False,
            bare.for_processor / one.for_processor,
        )
        for form, one in sums.items()
    ]


def _in_turns(setup: Setup, size: Size, more: dict[str, Any]) -> dict[str, Sum]:
    sums = {form: Sum() for form in ("json", "bare", "html")}
    with (
        servers.running("site", size.tables, setup) as site,
        servers.running("bare", size.tables, setup) as bare,
    ):
        for _round in range(size.rounds):
            for form, one in sums.items():
                at = bare if form == "bare" else site
                one.add(load(at, "play", form, size.tables, seconds=size.seconds, **more))
    return sums


def tables(setup: Setup, size: Size) -> list[Row]:
    """Most moves a second with many tables, to our own with few."""
    few, many = Sum(), Sum()
    with servers.running("site", size.many, setup) as site:
        for _round in range(size.rounds):
            few.add(load(site, "play", "json", size.tables, seconds=size.seconds))
            many.add(load(site, "play", "json", size.many, seconds=size.seconds, warm=2.0))
    return [
        Row(
            f"moves a second at {size.many} tables, to {size.tables}",
            f"{many.rate:,.0f}",
            f"{few.rate:,.0f} (ours)",
            many.rate / few.rate,
            0.8,
            True,
            many.for_processor / few.for_processor,
        )
    ]


def processes(setup: Setup, size: Size) -> list[Row]:
    """Moves for each processor second of two processes, to those of one.

    The four seats of every table are spread over both, which is the most work for them: each
    change is stored in one and read and rendered in the other as well.
    """
    sums = {1: Sum(), 2: Sum()}
    apart = Sum()
    with (
        servers.running("site", size.tables, setup, 1) as one,
        servers.running("site", size.tables, setup, 2) as two,
    ):
        for _round in range(size.rounds):
            for number, at in ((1, one), (2, two)):
                sums[number].add(load(at, "play", "json", size.tables, seconds=size.seconds))
            apart.add(
                load(two, "play", "json", size.tables, seconds=size.seconds, whole_tables=True)
            )
    return [
        _for_processor("two processes, every table in one of them", apart, sums[1]),
        _for_processor("two processes, every table in both", sums[2], sums[1]),
    ]


def _for_processor(name: str, one: Sum, other: Sum) -> Row:
    ratio = one.for_processor / other.for_processor
    return Row(
        f"moves for a processor second, {name}",
        f"{one.for_processor:,.0f}",
        f"{other.for_processor:,.0f} (one)",
        ratio,
        0.8,
        True,
        ratio,
    )


def hands(setup: Setup, size: Size) -> list[Row]:
    """What a move costs late in a long match, to the same at its beginning."""
    with tempfile.TemporaryDirectory(prefix="dominoes-bench-hands-") as folder:
        env = servers.environment(Path(folder), Setup())
        servers.run("manage.py", "migrate", "--verbosity", "0", env=env)
        told = servers.run("-m", "tests.bench.long_match", str(size.hands), env=env)
    first, last = json.loads(told)
    return [
        Row(
            f"cost of a move in hand {size.hands}, to the first",
            f"{last * 1e6:,.0f} µs",
            f"{first * 1e6:,.0f} µs (ours)",
            last / first,
            1.2,
            False,
            last / first,
        )
    ]


def memory(setup: Setup, size: Size) -> list[Row]:
    """Bytes that an idle seat's socket makes the server grow by."""
    number = size.sockets // 4
    with (
        servers.running("site", number, setup) as site,
        servers.running("bare", number, setup) as bare,
    ):
        some = max(1, number // 20)
        for at, form in ((site, "json"), (bare, "bare")):
            # What the first sockets of a process bring in once is none of a socket's.
            load(at, "hold", form, some, seconds=0.5)
        grown = {
            form: load(at, "hold", form, number, seconds=3.0)["memory"] / (number * 4)
            for at, form in ((site, "json"), (bare, "bare"))
        }
    return [
        Row(
            "memory of an idle seat's socket",
            f"{grown['json'] / 1000:,.1f} kB",
            f"{grown['bare'] / 1000:,.1f} kB",
            grown["json"] / grown["bare"],
            2.0,
            False,
        )
    ]


def back(setup: Setup, size: Size) -> list[Row]:
    """Many sockets at once, until all show their table, to as many bare connects."""
    number = size.sockets // 4
    took: dict[str, list[float]] = {"json": [], "bare": []}
    cpu: dict[str, float] = {"json": 0.0, "bare": 0.0}
    with (
        servers.running("site", number, setup) as site,
        servers.running("bare", number, setup) as bare,
    ):
        for _round in range(size.rounds):
            for at, form in ((site, "json"), (bare, "bare")):
                found = load(at, "back", form, number)
                took[form].append(found["seconds"])
                cpu[form] += found["cpu"]
    seconds = {form: statistics.median(them) for form, them in took.items()}
    return [
        Row(
            f"{number * 4:,} sockets back at once",
            f"{seconds['json']:.2f} s",
            f"{seconds['bare']:.2f} s",
            seconds["json"] / seconds["bare"],
            3.0,
            False,
            cpu["json"] / cpu["bare"],
        )
    ]
