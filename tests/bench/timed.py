"""The site's server, noting when a move passes which place.

``python -m tests.bench.timed serve …`` takes what ``manage.py serve`` takes. For one table at a
time, so that nothing overlaps. At the end the parts of each move, in seconds, are written to
``timed.json`` in ``DATA_DIR``.
"""

from __future__ import annotations

import functools
import json
import os
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any


class Marks:
    """When the move under way passed the places, and what rendering took."""

    def __init__(self) -> None:
        self.at: dict[str, float] = {}
        self.rendering = 0.0
        self.moves: list[dict[str, float]] = []

    def note(self, name: str) -> None:
        """It is at that place now."""
        self.at[name] = time.perf_counter()

    def end(self) -> None:
        """Everybody was sent it: take down what each part took."""
        at, self.at = self.at, {}
        needed = ("came", "taken", "begun", "decided", "stored", "told", "sent")
        if all(name in at for name in needed):
            self.moves.append(
                {
                    "hop to the writing thread, message read": at["taken"] - at["came"],
                    "rules and the rest of the command": at["decided"] - at["begun"],
                    "transaction": at["begun"] - at["taken"] + at["stored"] - at["decided"],
                    "hop back to the event loop": at["told"] - at["stored"],
                    "rendering": self.rendering,
                    "fan-out: four sockets written": at["sent"] - at["told"] - self.rendering,
                    "all": at["sent"] - at["came"],
                }
            )
        self.rendering = 0.0


marks = Marks()


def _around(holder: Any, name: str, before: str = "", after: str = "") -> None:
    fn = getattr(holder, name)

    @functools.wraps(fn)
    def timed(*args: Any, **kwargs: Any) -> Any:
        if before:
            marks.note(before)
        try:
            return fn(*args, **kwargs)
        finally:
            if after:
                marks.note(after)

    setattr(holder, name, timed)


def _rendering(holder: Any, name: str) -> None:
    fn: Callable[..., Any] = getattr(holder, name)

    @functools.wraps(fn)
    def timed(*args: Any, **kwargs: Any) -> Any:
        start = time.perf_counter()
        try:
            return fn(*args, **kwargs)
        finally:
            marks.rendering += time.perf_counter() - start

    setattr(holder, name, timed)


def watch() -> None:
    """Have the places of a move note when it passes them."""
    from dominoes.table import batch, showing
    from dominoes.table.consumers import TableConsumer
    from dominoes.table.hub import Hub

    _around(TableConsumer, "receive", before="came")
    _around(batch, "_together", before="taken")
    _around(batch.Plain, "attempt", before="begun", after="decided")
    _around(batch.Batch, "publish", before="stored")
    for name in ("__init__", "json", "html"):
        _rendering(showing.Showing, name)
    show = Hub._show

    async def shown(self: Hub, *args: Any) -> None:
        marks.note("told")
        marks.rendering = 0.0
        await show(self, *args)
        marks.note("sent")
        marks.end()

    Hub._show = shown  # type: ignore[method-assign]


def main() -> None:
    """Serve as ``manage.py serve`` does, and write down at the end what was noted."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "dominoes.settings")
    from dominoes.table import server  # noqa: F401, I001  # first of all: it installs the reactor

    import django
    from django.core.management import execute_from_command_line

    django.setup()
    watch()
    try:
        execute_from_command_line(["manage.py", *sys.argv[1:]])
    finally:
        Path(os.environ["DATA_DIR"], "timed.json").write_text(json.dumps(marks.moves))


if __name__ == "__main__":
    main()
