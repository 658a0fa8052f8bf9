"""The fixed cases: whole matches with their traces, faulty records, counted positions."""

import json
from pathlib import Path
from typing import Any


def read(name: str) -> list[dict[str, Any]]:
    """All the cases of one file."""
    path = Path(__file__).with_name(f"{name}.jsonl")
    return [json.loads(line) for line in path.read_text().splitlines()]


MATCHES = read("matches")
BAD = read("bad")
PERFT = read("perft")
