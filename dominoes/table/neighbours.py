"""The other processes of this site: what they are told, and how they are heard.

They are told a table's code, its `seq` and the open steps that led to it (catching.py), and read
whatever else they need; nothing secret goes through the layer. Messages may be lost, doubled or
late without harm: a step that doesn't follow on what a process knows has it read the newest state,
and each looks for itself every two seconds. So an error here is logged and forgotten.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections import deque
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

import structlog
from channels.layers import InMemoryChannelLayer, get_channel_layer

from dominoes.table import metrics, presence

log = structlog.get_logger(__name__)

GROUP: Final = "tables"
RENEW_EVERY: Final = 60.0
TELL_PATIENCE: Final = 5.0


def outside_layer() -> Any:
    """The layer by which others can be reached; None where nobody else could hear."""
    layer = get_channel_layer()
    return None if isinstance(layer, InMemoryChannelLayer) else layer


@dataclass(slots=True)
class Outbox:
    """What others are to be told next; what piles up while one waits becomes one message."""

    tables: dict[str, tuple[int, bool]] = field(default_factory=dict)  # seq, only presence changed
    steps: dict[str, list[Sequence[Any]]] = field(default_factory=dict)
    said: deque[list[Any]] = field(default_factory=lambda: deque(maxlen=100))
    recheck: set[int] = field(default_factory=set)  # players whose sign-ins may have ended

    @property
    def empty(self) -> bool:
        return not (self.tables or self.said or self.recheck)

    def message(self) -> dict[str, Any]:
        """As it goes through the layer."""
        return {
            "type": "tables.news",
            "from": presence.process_id(),
            "tables": [[code, seq, only] for code, (seq, only) in self.tables.items()],
            "steps": self.steps,
            "said": list(self.said),
            "recheck": sorted(self.recheck),
        }


class Neighbours:
    """The way to other processes and from them. Belongs to the event loop."""

    def __init__(
        self,
        spawn: Callable[[Coroutine[Any, Any, None]], None],
        take: Callable[[dict[str, Any]], Awaitable[None]],
    ) -> None:
        """`spawn` runs something beside; `take` is given what others tell."""
        self._spawn, self._take = spawn, take
        self._outbox = Outbox()
        self._telling = False

    def tell_change(
        self, code: str, seq: int, only_presence: bool, steps: Sequence[Sequence[Any]] = ()
    ) -> None:
        """A table changed, or only who is there; `steps` led to that `seq`, as far as they may be
        told.
        """
        if outside_layer() is None:
            return
        if steps:
            self._outbox.steps.setdefault(code, []).extend(steps)
        known = self._outbox.tables.get(code)
        self._outbox.tables[code] = (seq, only_presence and (known is None or known[1]))
        self._send()

    def tell_phrase(self, code: str, seat: int, phrase: str) -> None:
        """Somebody said something."""
        self._outbox.said.append([code, seat, phrase])
        self._send()

    def tell_sign_out(self, player_id: int) -> None:
        """A sign-in of that player may have ended."""
        self._outbox.recheck.add(player_id)
        self._send()

    def _send(self) -> None:
        if not self._telling:
            self._telling = True
            self._spawn(self._tell())

    async def _tell(self) -> None:
        try:
            layer = outside_layer()
            while not self._outbox.empty:
                news, self._outbox = self._outbox, Outbox()
                if layer is None:
                    continue
                try:
                    async with asyncio.timeout(TELL_PATIENCE):
                        await layer.group_send(GROUP, news.message())
                except Exception as error:
                    metrics.ERRORS.labels("layer").inc()
                    log.warning("other processes could not be told", error=repr(error))
                    await asyncio.sleep(0.5)
        finally:
            self._telling = False

    async def listen(self) -> None:
        """Take in what others tell, for as long as this process lives."""
        layer = outside_layer()
        while layer is not None:
            renewing: asyncio.Task[None] | None = None
            try:
                channel = await layer.new_channel()
                await layer.group_add(GROUP, channel)
                renewing = asyncio.get_running_loop().create_task(_renew(layer, channel))
                while True:
                    message = await layer.receive(channel)
                    if message.get("from") != presence.process_id():
                        await self._take(message)
            except Exception as error:
                metrics.ERRORS.labels("layer").inc()
                log.warning("other processes can't be heard", error=repr(error))
                await asyncio.sleep(1)
            finally:
                if renewing is not None:
                    renewing.cancel()


async def _renew(layer: Any, channel: str) -> None:
    # Where memberships expire, that of a living process does not.
    while True:
        await asyncio.sleep(RENEW_EVERY)
        with contextlib.suppress(Exception):
            await layer.group_add(GROUP, channel)
