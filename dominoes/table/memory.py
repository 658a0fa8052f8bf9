"""The tables in this process's memory: for each the newest committed state that it knows.

Any thread reads here without a lock; what it gets is never changed again. Who changes a table does
so through store.py, and puts the new state here once it is committed.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable
from typing import Final

import structlog

from dominoes.table import presence
from dominoes.table.live import Live

log = structlog.get_logger(__name__)

Listener = Callable[[Live], None]

MOST_KEPT: Final = 20_000  # tables, a few kB each; others are read again when needed

# The tables used last, the longest unused first.
_known: OrderedDict[str, Live] = OrderedDict()
_changing = threading.Lock()
_listeners: list[Listener] = []


def peek(code: str) -> Live | None:
    """The newest committed state that this process knows, without asking the database."""
    return _known.get(code)


def forget(code: str | None = None) -> None:
    """Drop a table (or all) from memory; it is read again when needed."""
    with _changing:
        if code is None:
            _known.clear()
        else:
            _known.pop(code, None)


def keep(live: Live) -> Live:
    """Let readers see a committed state; gives the newest, which may be a later one."""
    with _changing:
        known = _known.get(live.code)
        if known is not None and known.seq >= live.seq:
            return known  # of two with the same seq, the one that is there knows who came since
        if known is not None and known.presence > live.presence:
            # Somebody came or went while the new state was made.
            live.here, live.presence = known.here, known.presence
        _known[live.code] = live
        _known.move_to_end(live.code)
        if len(_known) > MOST_KEPT:
            _known.popitem(last=False)
    return live


def refresh_presence(code: str, here: frozenset[int] | None = None) -> Live | None:
    """Take in which seats are here (None: read it); the new state if that changed anything."""
    known = _known.get(code)
    if known is None:
        return None
    if here is None:
        here = presence.seats_here(known.table_id)
    if here == known.here:
        return None
    with _changing:
        newest = _known.get(code, known)
        now_known = _known[code] = newest.with_presence(here)
    return now_known


def on_change(listener: Listener) -> None:
    """Call `listener(live)` after each commit, in the thread that committed."""
    _listeners.append(listener)


def committed(draft: Live) -> None:
    """A draft is stored: from now on readers see it, and the listeners are told."""
    draft.touched = set()
    keep(draft)
    for listener in _listeners:
        try:
            listener(draft)
        except Exception:  # telling others must never undo or stop a stored change
            log.exception("telling of a change failed", table=draft.code)
