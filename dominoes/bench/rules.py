"""How fast the rules are, against the PyPI package ``dominoes`` in alternation."""

import argparse
import json
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from statistics import median

from dominoes.bench.tables import table

HELP = "hands a second, against the PyPI package dominoes, and positions counted a second"

PEER = "dominoes==6.1.0"
ROOT = Path(__file__).resolve().parent.parent.parent
FOLDER = ROOT / "var" / "bench"
AIM = 2.0


def main(arguments: Sequence[str]) -> int:
    """Measure and print; exit status 1 if four-seat hands are less than twice the peer's."""
    parser = argparse.ArgumentParser(prog="manage.py bench rules", description=HELP)
    parser.add_argument("--rounds", type=int, default=5, help="rounds in alternation (5)")
    parser.add_argument("--seconds", type=float, default=1.0, help="seconds a turn (1)")
    parser.add_argument(
        "--peer", type=Path, default=FOLDER, help=f"where {PEER} is installed (var/bench)"
    )
    chosen = parser.parse_args(arguments)
    peer: Path = chosen.peer.resolve()
    present = _is_there(peer)
    if not present:
        _say(
            f"{PEER} is not there to compare with. It has our own package's name, so install it\n"
            "apart from everything else, and run this again:\n\n"
            f"    {sys.executable} -m pip install --no-deps --target {chosen.peer} {PEER}\n"
        )
    ours: dict[str, list[dict[str, float]]] = {}
    theirs: list[dict[str, float]] = []
    kinds = ("partners", "draw", "fives", "match", "perft")
    for turn in range(1, max(1, chosen.rounds) + 1):
        if sys.stderr.isatty():
            sys.stderr.write(f"\rround {turn} of {chosen.rounds}")
        ours.setdefault("partners", []).append(_ours("partners", chosen.seconds))
        if present:
            theirs.append(_peer(peer, chosen.seconds))
        for kind in kinds[1:]:
            ours.setdefault(kind, []).append(_ours(kind, chosen.seconds / 2))
    if sys.stderr.isatty():
        sys.stderr.write("\r")
    _say(_report(ours, theirs))
    if not theirs:
        return 0
    ratio = _ratio(ours["partners"], theirs)
    _say(
        f"\nFour-seat hands: {ratio:.2f} times {PEER}."
        " Ratios are the medians of those of each round."
    )
    return 0 if ratio >= AIM else 1


def _report(ours: dict[str, list[dict[str, float]]], theirs: list[dict[str, float]]) -> str:
    rows: list[tuple[object, ...]] = []
    names = {
        "partners": "Partners, four seats",
        "draw": "Draw, four seats",
        "fives": "All Fives, four seats",
        "match": "Partners as a table plays it, by words",
    }
    for kind, name in names.items():
        micros = 1e6 / _rate(ours[kind], "plies")
        ratio = f"{_ratio(ours[kind], theirs):.2f}" if theirs else ""
        rows.append((name, _rate(ours[kind], "hands"), micros, ratio))
    if theirs:
        rows.append((PEER, _rate(theirs, "hands"), 1e6 / _rate(theirs, "plies"), "1.00"))
    rows.append(("perft, All Fives: positions", _rate(ours["perft"], "plies"), "", ""))
    head = ("random hands to the end, by processor time", "a second", "µs a ply", "ratio")
    return table(head, rows)


def _rate(runs: list[dict[str, float]], what: str) -> float:
    """So many a second: the median of the rounds."""
    return median(run[what] / run["seconds"] for run in runs)


def _ratio(ours: list[dict[str, float]], theirs: list[dict[str, float]]) -> float:
    """How many times as fast: each round is compared with itself, since machines' speeds drift."""
    return median(
        (our["hands"] / our["seconds"]) / (their["hands"] / their["seconds"])
        for our, their in zip(ours, theirs, strict=True)
    )


def _is_there(folder: Path) -> bool:
    return (folder / "dominoes" / "game.py").is_file()


def _ours(kind: str, seconds: float) -> dict[str, float]:
    return _run("-m", "dominoes.bench._hands", kind, str(seconds))


def _peer(folder: Path, seconds: float) -> dict[str, float]:
    # -I keeps this project off the other process's path: there the name is the peer's.
    return _run("-I", str(Path(__file__).with_name("_peer.py")), str(folder), str(seconds))


def _run(*arguments: str) -> dict[str, float]:
    done = subprocess.run(  # noqa: S603 - our own files
        [sys.executable, *arguments], cwd=ROOT, check=True, capture_output=True, text=True
    )
    figures: dict[str, float] = json.loads(done.stdout)
    return figures


def _say(text: str) -> None:
    sys.stdout.write(text + "\n")
