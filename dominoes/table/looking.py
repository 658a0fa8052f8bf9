"""What the database knows of open tables that this process may not: read beside the event loop."""

from __future__ import annotations

from collections.abc import Mapping

from dominoes.table import presence, store
from dominoes.table.models import Table


def read(stale: set[str], tables: set[str]) -> list[str]:
    """Read tables and who is there; gives the codes of those that have to be shown."""
    store.fresh_all(stale)
    known = [live for live in map(store.peek, tables) if live is not None]
    here = presence.all_here([live.table_id for live in known])
    shown = set(stale)
    for live in known:
        if store.refresh_presence(live.code, here[live.table_id]) is not None:
            shown.add(live.code)
    return sorted(shown)


def look(codes: list[str], now: float) -> tuple[dict[str, int | None], list[str]]:
    """Of open tables, those that moved on, with the seq, and those where people came or went.

    A table that is no more has the seq None.
    """
    found: dict[str, tuple[int, int]] = {}
    for start in range(0, len(codes), 500):
        rows = Table.objects.filter(code__in=codes[start : start + 500])
        found.update({code: (id, seq) for code, id, seq in rows.values_list("code", "id", "seq")})
    here = presence.all_here([id for id, _seq in found.values()], now)
    ahead: dict[str, int | None] = {code: None for code in codes if code not in found}
    came_or_went = []
    for code, (id, seq) in found.items():
        live = store.peek(code)
        if live is None or live.seq < seq:
            ahead[code] = seq
        elif live.here != here[id]:
            came_or_went.append(code)
    return ahead, came_or_went


def behind(ahead: Mapping[str, int | None]) -> list[str]:
    """Which of these tables this process still knows as they were before that seq."""
    known = {code: store.peek(code) for code in ahead}
    return [
        code
        for code, seq in ahead.items()
        if seq is None or (live := known[code]) is None or live.seq < seq
    ]
