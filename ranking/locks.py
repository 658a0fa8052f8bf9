"""Locks that keep figures whole when several processes end matches at the same moment.

SQLite has one writer at a time, whose transactions begin IMMEDIATE: there is nothing to do. On
PostgreSQL a recorder shares the ledger with other recorders and takes its players' rows, in one
order; whoever voids a result has the ledger alone, since a replay reads everybody's ratings.
"""

from collections.abc import Iterable
from datetime import datetime

from django.db import connection

from ranking.people import Player

_LEDGER = 0x52414E4B  # any number nobody else uses: "RANK"


def share_ledger() -> None:
    """Until the transaction ends, nobody voids."""
    _advisory("pg_advisory_xact_lock_shared")


def own_ledger() -> None:
    """Until the transaction ends, nobody else records or voids."""
    _advisory("pg_advisory_xact_lock")


def _advisory(function: str) -> None:
    if not connection.in_atomic_block:
        raise RuntimeError("results are written inside the caller's transaction")
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute(f"SELECT {function}(%s)", [_LEDGER])


def lock_players(ids: Iterable[int]) -> dict[int, datetime | None]:
    """Take the rows of these players until the transaction ends: {id: when it closed, or None}.

    Always in order of their ids, so that two matches with players in common can't wait for each
    other; `no_key`, so that rows which merely point at a player don't wait at all.
    """
    rows = (
        Player.objects.select_for_update(no_key=connection.vendor == "postgresql")
        .filter(pk__in=sorted(ids))
        .order_by("pk")
        .values_list("pk", "closed_at")
    )
    return dict(rows)
