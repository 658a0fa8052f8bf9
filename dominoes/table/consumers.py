"""A socket at a table: reads what its client asks, shows it what it may see. No rules here.

What a message may do is decided by play.py, what a viewer may see by the rules' `view_for`; here is
only who speaks, in which format, and how often.
"""

from __future__ import annotations

import asyncio
import math
import time
from collections import deque
from collections.abc import Awaitable, Callable, Mapping
from typing import Any, Final

import structlog
from channels.exceptions import StopConsumer
from channels.generic.websocket import AsyncWebsocketConsumer
from django.utils import translation
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from dominoes.table import metrics, play, presence, protocol, store, witness
from dominoes.table.arriving import Arrivals, Unavailable, Unwelcome
from dominoes.table.hub import hub
from dominoes.table.live import Live
from dominoes.table.models import Table
from dominoes.table.protocol import BadMessage, Message
from dominoes.table.refusals import Refused, not_now, not_seated
from dominoes.table.showing import Page, Showing
from dominoes.table.visitors import Visitor

log = structlog.get_logger(__name__)

RATE: Final = 20  # messages a second
FLOOD: Final = 100  # refusals for that after which the socket is closed
FORGIVEN: Final = 5.0  # refusals that are forgotten in a second
# A client that has not taken this much of what it was sent gets the newest picture later.
SLOW: Final = 64 * 1024

ANSWERS: Final = frozenset(
    {"not_your_turn", "illegal", "stale", "over", "not_seated", "not_now", "bad_message", "rate"}
)

COMMANDS: Final[Mapping[str, Callable[[str, int, Message], play.Answer]]] = {
    "move": lambda code, who, m: play.move(code, who, m.move, m.seq, m.id),
    "ready": lambda code, who, m: play.ready(code, who, m.id),
    "leave": lambda code, who, m: play.leave(code, who, m.id),
    "offer_draw": lambda code, who, m: play.offer_draw(code, who, m.id),
    "accept_draw": lambda code, who, m: play.accept_draw(code, who, m.id),
    "claim": lambda code, who, m: play.claim(code, who, m.id),
    "seed": lambda code, who, m: play.seed(code, who, m.seed),
}


arrivals = Arrivals()


class TableConsumer(AsyncWebsocketConsumer):
    """One socket at one table."""

    def __init__(self) -> None:
        super().__init__()
        self.code = ""
        self.visitor = Visitor()
        self.seat: int | None = None
        self.format: str = protocol.JSON
        self.joined = False
        self._held: presence.Held | None = None
        self._shown: tuple[int, int, frozenset[int]] = (-1, -1, frozenset())
        self._spoke: deque[float] | None = None
        self._refused, self._refused_at = 0.0, 0.0
        self._page: Page | None = None
        self._backlog: Callable[[], int] = _nothing_waits
        self._line: presence.Line | None = None
        self._address, self._noted = "", ""

    async def __call__(
        self,
        scope: dict[str, Any],
        receive: Callable[[], Awaitable[dict[str, Any]]],
        send: Callable[[Mapping[str, Any]], Awaitable[None]],
    ) -> None:
        """Take the socket's messages one by one; the hub needs no channel to reach it."""
        self.scope, self.base_send = scope, send
        try:
            while True:
                await self.dispatch(await receive())
        except StopConsumer:
            pass
        finally:
            self._go()

    async def dispatch(self, message: dict[str, Any]) -> None:
        """Hand a message to its method (Channels' own way first visits a thread each time)."""
        await getattr(self, message["type"].replace(".", "_"))(message)

    # Coming

    async def connect(self) -> None:
        """Accept the handshake, so that clients see why they are closed; then show the table."""
        scope = self.scope
        # PostgreSQL can't even be asked for a text with a NUL in it; no code has one, nor a "?".
        self.code = scope["url_route"]["kwargs"]["code"].upper().replace("\0", "?")
        self._backlog, self._line = scope.get("backlog", _nothing_waits), scope.get("line")
        chosen = protocol.choose_format(scope.get("subprotocols") or ())
        self.format = chosen or protocol.JSON
        self._page = Page() if self.format == protocol.HTML else None
        while not presence.awake():  # noqa: ASYNC110 (another thread finds out)
            # Just started: nobody knows yet what is left of each clock, so no picture can be right.
            await asyncio.sleep(0.05)
        try:
            arrived = await arrivals.arrive(scope, self.code)
        except Unwelcome as refusal:
            await self.accept(chosen)
            await self.close(refusal.code)
            return
        except Unavailable:
            await self.close()
            return
        # The handshake's headers are never looked at again.
        self.scope = {}
        self.visitor, self._held, self._address = arrived.visitor, arrived.held, arrived.address
        if self._held is not None:
            self.seat = self._held.seat
            hub.came_or_went(self.code)
        await self.accept(chosen)
        self.joined = True
        hub.join(self)
        metrics.SOCKETS.labels(self.format).inc()
        newest = store.peek(self.code)
        behind = newest is not None and newest is not arrived.showing.live
        await self.show(Showing(newest) if newest and behind else arrived.showing)

    # Seeing

    async def show(self, showing: Showing) -> bool:
        """Send what this viewer hasn't seen yet; False when it has to be shown it later.

        Where it sits follows at once, however slowly it reads: another may have that seat by now.
        """
        live = showing.live
        version = (live.seq, live.presence, live.here)
        if live.seq < self._shown[0] or version == self._shown or not self.joined:
            return True
        if self.visitor.player_id in live.removed:
            await self.shut(protocol.REMOVED)
            return True
        self._sit(live)
        if self._backlog() > SLOW:
            return False
        if witness.wants_address(live, self.seat):
            self._note_address(live)
        self._shown = version
        if self._page is None:
            text = showing.json(self.seat)
        else:
            who = self.visitor
            text = showing.html(self.seat, who.language, self._page)
        await self.send(text_data=text)
        return True

    def _sit(self, live: Live) -> None:
        """Be present in the seat that the table says is this person's."""
        holder = live.holder_of(self.visitor.player_id)
        seat = None if holder is None else holder.seat
        if seat == self.seat:
            return
        self.seat = seat
        if self._held is not None:
            presence.closed(self._held)
            self._held = None
        if seat is not None:
            player = self.visitor.player_id
            self._held = presence.opened(live.table_id, seat, player, line=self._line)
        hub.came_or_went(self.code)

    def _note_address(self, live: Live) -> None:
        """Once a match: from where this seat is played."""
        if live.match is not None and self._noted != live.match.id:
            self._noted = live.match.id
            hub.spawn(_note(witness.note_address, live.match.id, self.seat, self._address))

    async def hear(self, text: str) -> None:
        """Send a message as it is."""
        if self.joined and self._backlog() <= SLOW:
            await self.send(text_data=text)

    async def shut(self, code: int) -> None:
        """Close the socket; whatever else it sends is not listened to."""
        if self.joined:
            self._go()
            await self.close(code)

    # Speaking

    async def receive(self, text_data: str | None = None, bytes_data: bytes | None = None) -> None:
        """Answer one message: `ok`, `pong` or an error."""
        if not self.joined or hub.closing:
            return
        arrived = time.perf_counter()
        message: Message | None = None
        try:
            with translation.override(self.visitor.language):
                if not self._may_speak(arrived):
                    message = _read_or_none(text_data)
                    raise Refused("rate", _("Too many messages. At most 20 a second are taken."))
                message = protocol.read(text_data)
            if message.type == "ping":
                live = store.peek(self.code)
                await self._answer(protocol.pong(live.seq if live else 0), message, "ok")
                return
            seq = await self._carry_out(message, arrived)
        except BadMessage as error:
            await self._refuse(error.id, message, "bad_message", str(error))
        except Refused as error:
            id = message.id if message else None
            await self._refuse(id, message, error.code, error.detail)
            if error.code == "rate" and self._refused > FLOOD:
                metrics.DROPPED.labels("flood").inc()
                await self.shut(protocol.FLOOD)
        except store.NoSuchTable:
            await self.shut(protocol.NO_SUCH_ROOM)
        except Exception:
            metrics.ERRORS.labels("message").inc()
            log.exception("a message could not be carried out", table=self.code)
            id = message.id if message else None
            with translation.override(self.visitor.language):
                detail = _("This could not be stored just now. Please send it again.")
            await self._refuse(id, message, "not_now", detail)
        else:
            await self._answer(protocol.ok(message.id, seq), message, "ok")

    async def _carry_out(self, message: Message, arrived: float) -> int:
        """Do what a well-formed message asks; gives the table's seq. Raises Refused."""
        who = self.visitor.player_id
        language = self.visitor.language
        if who is None:
            with translation.override(language):
                raise not_seated()
        if message.type == "say":
            with translation.override(language):
                return self._say(message)
        if message.type == "move":
            hub.moved.setdefault(self.code, arrived)
        hub.busy += 1
        stored = -1
        try:
            with translation.override(language):
                command = COMMANDS[message.type]
                answer = await store.run_at(self.code, command, who, message)
            stored = answer.seq
        finally:
            hub.busy -= 1
            if stored <= self._shown[0]:
                hub.moved.pop(self.code, None)  # nothing more will be shown of it
        return stored

    def _say(self, message: Message) -> int:
        """Pass a phrase on; in a partnership hand it could be a signal. Raises Refused."""
        live = store.peek(self.code)
        holder = live.holder_of(self.visitor.player_id) if live else None
        if live is None or holder is None:
            raise not_seated()
        options = live.match.options if live.match else live.choices.options
        if live.status == Table.PLAYING and options.sides == "partners":
            raise not_now(_("While a hand is played, partners say nothing. Wait until it is over."))
        assert holder.player_id is not None
        said = self.code, holder.player_id
        if hub.pace.knows(*said, message.id):
            return live.seq
        wait = math.ceil(hub.pace.seconds_to_wait(*said, time.monotonic(), message.id))
        if wait:
            raise Refused(
                "rate",
                ngettext(
                    "That was a lot at once. You can say something again in %(n)d second.",
                    "That was a lot at once. You can say something again in %(n)d seconds.",
                    wait,
                )
                % {"n": wait},
            )
        if not self.visitor.muted:
            hub.say(self.code, holder.seat, message.phrase)
            hub.spawn(_note(witness.note_phrase, self.code, holder.seat, message.phrase))
        return live.seq

    def _may_speak(self, now: float) -> bool:
        """Count a message against the 20 that a socket may send in any one second."""
        if self._spoke is None:
            self._spoke = deque(maxlen=RATE)
        if len(self._spoke) < RATE or now - self._spoke[0] >= 1.0:
            self._spoke.append(now)
            return True
        calmed = self._refused - (now - self._refused_at) * FORGIVEN
        self._refused, self._refused_at = max(0.0, calmed) + 1, now
        return False

    async def _refuse(self, id: str | None, message: Message | None, code: str, why: str) -> None:
        code = code if code in ANSWERS else "not_now"
        await self._answer(protocol.error(id, code, why), message, code)

    async def _answer(self, text: str, message: Message | None, how: str) -> None:
        metrics.MESSAGES.labels(message.type if message else "none", how).inc()
        if self.joined:
            await self.send(text_data=text)

    # Going

    async def websocket_disconnect(self, message: dict[str, Any]) -> None:
        """The socket is gone."""
        self._go()
        raise StopConsumer

    def _go(self) -> None:
        if self.joined:
            self.joined = False
            hub.leave(self)
            metrics.SOCKETS.labels(self.format).dec()
        if self._held is not None:
            presence.closed(self._held)
            self._held = None
            hub.came_or_went(self.code)


async def _note(fn: Callable[..., None], *args: Any) -> None:
    """Have something noted that play doesn't wait for."""
    try:
        await store.run(fn, *args)
    except Exception:
        log.exception("something could not be noted")


def _read_or_none(text: str | None) -> Message | None:
    try:
        return protocol.read(text)
    except BadMessage as error:
        return Message("none", error.id) if error.id else None


def _nothing_waits() -> int:
    return 0
