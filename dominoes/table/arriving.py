"""Sockets that open: who comes, to which table, in which seat. Many at once are one look.

After a restart everybody comes back within a second or two. Looked up one by one that would be four
queries and a thread's turn for each; together it is four queries for all of them.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from contextvars import Context
from dataclasses import dataclass
from typing import Any, Final

import structlog

from dominoes.table import (
    company,
    guessing,
    metrics,
    presence,
    protocol,
    reading,
    store,
    visitors,
    witness,
)
from dominoes.table.live import Live
from dominoes.table.models import Table
from dominoes.table.showing import Showing
from dominoes.table.visitors import Visitor

log = structlog.get_logger(__name__)

AT_ONCE: Final = 200


class Unwelcome(Exception):
    """The socket is closed with this code, after its handshake."""

    def __init__(self, code: int) -> None:
        super().__init__(code)
        self.code = code


class Unavailable(Exception):
    """It can't be found out just now who comes: the database doesn't answer."""


@dataclass(slots=True)
class Arrived:
    """Somebody who may look at a table."""

    visitor: Visitor
    showing: Showing  # shared by those who come to a table together
    held: presence.Held | None  # the seat in which this person is present from now on
    address: str  # a hash of where it comes from


@dataclass(slots=True)
class _Asked:
    scope: dict[str, Any]
    code: str
    answer: asyncio.Future[Arrived]


class Arrivals:
    """The door: takes whoever waits, all together, while others come up behind."""

    def __init__(self) -> None:
        self._waiting: list[_Asked] = []
        self._at_work: asyncio.Task[None] | None = None

    async def arrive(self, scope: dict[str, Any], code: str) -> Arrived:
        """Let a socket in. Raises Unwelcome, Unavailable."""
        loop = asyncio.get_running_loop()
        asked = _Asked(scope, code, loop.create_future())
        self._waiting.append(asked)
        if self._at_work is None or self._at_work.done():
            self._at_work = loop.create_task(self._work(), context=Context())
        return await asked.answer

    async def _work(self) -> None:
        while self._waiting:
            some, self._waiting = self._waiting[:AT_ONCE], self._waiting[AT_ONCE:]
            found: list[Arrived | Unwelcome | Unavailable]
            try:
                found = [*await reading.run(_look_up, some)]
            except Exception:
                metrics.ERRORS.labels("arrive").inc()
                log.exception("sockets could not be let in", number=len(some))
                found = [Unavailable() for _ in some]
            for asked, result in zip(some, found, strict=True):
                if asked.answer.done():  # it went away meanwhile
                    if isinstance(result, Arrived) and result.held is not None:
                        presence.closed(result.held)
                elif isinstance(result, Arrived):
                    asked.answer.set_result(result)
                else:
                    asked.answer.set_exception(result)


def _look_up(asked: Sequence[_Asked]) -> list[Arrived | Unwelcome]:
    """In a reading thread: look up these people and tables, and seat those who have seats."""
    people = visitors.identify([visitors.read_handshake(one.scope) for one in asked])
    lives = _tables({one.code for one in asked})
    welcome = [_welcome(v, lives.get(one.code)) for one, v in zip(asked, people, strict=True)]
    welcome = _but_nobody_shut_out(asked, welcome, lives)
    welcome = _but_no_guessers(asked, welcome, lives)
    held = [
        None if isinstance(who, Unwelcome) else _seated(who, lives[one.code], one.scope)
        for one, who in zip(asked, welcome, strict=True)
    ]
    came = {one.code for one, seat in zip(asked, held, strict=True) if seat is not None}
    try:
        showings = _showings(lives, came)
    except Exception:
        for seat in held:  # they are turned away, so nobody is there
            if seat is not None:
                presence.closed(seat)
        raise
    not_lately = {v.player_id for v in people if v and v.player_id and not v.seen_lately}
    if not_lately:
        store.submit(visitors.note_seen, not_lately)
    return [
        who
        if isinstance(who, Unwelcome)
        else Arrived(who, showings[one.code], seat, witness.digest(one.scope))
        for one, who, seat in zip(asked, welcome, held, strict=True)
    ]


def _tables(codes: set[str]) -> dict[str, Live]:
    """These tables as the database has them; those that aren't there are left out."""
    found = {}
    for code, seq in Table.objects.filter(code__in=codes).values_list("code", "seq"):
        known = store.peek(code)
        try:
            found[code] = known if known and known.seq >= seq else store.fresh(code)
        except store.NoSuchTable:
            continue
    return found


def _welcome(visitor: Visitor | None, live: Live | None) -> Visitor | Unwelcome:
    if visitor is None:
        return Unwelcome(protocol.SIGNED_OUT)
    if live is None or live.status == Table.CLOSED:
        return Unwelcome(protocol.NO_SUCH_ROOM)
    if visitor.player_id in live.removed:
        return Unwelcome(protocol.REMOVED)
    return visitor


def _but_nobody_shut_out(
    asked: Sequence[_Asked], welcome: list[Visitor | Unwelcome], lives: dict[str, Live]
) -> list[Visitor | Unwelcome]:
    """Whom the host avoids doesn't come in, except to a seat taken before."""
    pairs: dict[int, tuple[int, int]] = {}  # by place: the host, and who comes
    for place, (one, who) in enumerate(zip(asked, welcome, strict=True)):
        if isinstance(who, Unwelcome) or who.player_id is None:
            continue
        live = lives[one.code]
        if live.host is None or live.host.player_id is None or live.holder_of(who.player_id):
            continue
        pairs[place] = (live.host.player_id, who.player_id)
    hosts, others = ({pair[which] for pair in pairs.values()} for which in (0, 1))
    shut_out = company.avoiding(hosts, others)
    return [
        Unwelcome(protocol.REMOVED) if pairs.get(place) in shut_out else who
        for place, who in enumerate(welcome)
    ]


def _but_no_guessers(
    asked: Sequence[_Asked], welcome: list[Visitor | Unwelcome], lives: dict[str, Live]
) -> list[Visitor | Unwelcome]:
    """A socket opens any room whose code it has, so codes tried here count as on pages.

    Whoever comes from where too many were tried hears the same of every code, unless it sits there.
    """
    strangers = [
        place
        for place, (one, who) in enumerate(zip(asked, welcome, strict=True))
        if (
            who.code == protocol.NO_SUCH_ROOM
            if isinstance(who, Unwelcome)
            else lives[one.code].holder_of(who.player_id) is None
        )
    ]
    shut = guessing.are_shut([asked[place].scope for place in strangers])
    if shut is None:
        return welcome
    missed = []
    for place, is_shut in zip(strangers, shut, strict=True):
        if is_shut:
            welcome[place] = Unwelcome(protocol.FLOOD)
        elif asked[place].code not in lives:
            missed.append(asked[place].scope)
    guessing.all_missed(missed)
    return welcome


def _seated(visitor: Visitor, live: Live, scope: dict[str, Any]) -> presence.Held | None:
    holder = live.holder_of(visitor.player_id)
    if holder is None:
        return None
    line = scope.get("line")
    return presence.opened(live.table_id, holder.seat, visitor.player_id, line=line)


def _showings(lives: dict[str, Live], came: set[str]) -> dict[str, Showing]:
    """Each table's state, one for all who come to it; those who came are present in it."""
    here = presence.all_here([lives[code].table_id for code in came])
    for code in came:
        store.refresh_presence(code, here[lives[code].table_id])
    return {code: Showing(store.peek(code) or live) for code, live in lives.items()}
