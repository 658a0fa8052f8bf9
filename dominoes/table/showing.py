"""One state of a table, rendered for those who look at it: shared parts once, own parts a seat.

Lives for one round of sending, so that `now` is true for everyone whom it reaches.
"""

from __future__ import annotations

import time

import orjson

from dominoes.table import pictures
from dominoes.table.live import Live
from dominoes.table.pictures import TableState


class Showing:
    """A table's newest state in this process, with what was rendered of it so far."""

    __slots__ = ("_common", "_json", "_shared", "live", "state")

    def __init__(self, live: Live, now: float | None = None) -> None:
        self.live = live
        self.state: TableState = pictures.state_of(live, time.time() if now is None else now)
        self._common: bytes | None = None
        self._json: dict[int | None, str] = {}

    @property
    def version(self) -> tuple[int, int]:
        """What orders the states of a table: `seq`, then presence at the same `seq`."""
        return self.live.seq, self.live.presence

    def json(self, seat: int | None) -> str:
        """The whole picture for that seat (None: a spectator), as programs get it."""
        text = self._json.get(seat)
        if text is None:
            if self._common is None:
                self._common = orjson.dumps(pictures.shared_json(self.state, self.live.view(None)))
            own = orjson.dumps(pictures.own_json(self.live.view(seat), seat))
            # Both are JSON objects: the one's members are written behind the other's.
            text = self._json[seat] = (self._common[:-1] + b"," + own[1:]).decode()
        return text
