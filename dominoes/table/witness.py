"""What is noted during a match beside its log, for the eyes of those who look into reports.

Connections lost and regained, the last phrases said, and where the seats of a ranked match were
played from: a hash that only this site can make, so that two seats at one address can be told and
no address can be read. Nothing here changes a match or is needed by one.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping
from typing import Any, Final

from django.http import HttpRequest
from django.utils.crypto import salted_hmac

from dominoes.table import store
from dominoes.table.live import Live
from dominoes.table.models import Connection, Match, Said, SeatAddress
from dominoes.table.presence import Here
from ranking.http import client_ip, household

PHRASES_KEPT: Final = 50  # of a match
ADDRESS_DAYS: Final = 30


def note_connections(found: Iterable[Here], now: float) -> None:
    """Write down whose connection was lost or came back in matches being played. In a command.

    A seat counts as connected when its match begins.
    """
    playing = {here.match: here for here in found if here.match is not None}
    rows = Connection.objects.filter(match_id__in=playing).order_by("pk")
    before = {
        (match, seat): here for match, seat, here in rows.values_list("match", "seat", "here")
    }
    Connection.objects.bulk_create(
        Connection(match_id=match, seat=seat, here=seat in here.seats, at=now)
        for match, here in playing.items()
        for seat in here.people
        if before.get((match, seat), True) != (seat in here.seats)
    )


def note_phrase(code: str, seat: int, phrase: str) -> None:
    """Keep a phrase with the table's match, its oldest ones give way. In `store.run`."""
    live = store.peek(code)
    if live is None or live.match is None or live.game is None:
        return
    match_id = live.match.id
    Said.objects.create(
        match_id=match_id,
        seat=seat,
        phrase=phrase,
        hand=live.game.hand_number,
        ply=live.game.ply,
        at=time.time(),
    )
    kept = Said.objects.filter(match_id=match_id).order_by("-pk").values_list("pk", flat=True)
    first = kept[PHRASES_KEPT : PHRASES_KEPT + 1]
    for oldest in first:
        Said.objects.filter(match_id=match_id, pk__lte=oldest).delete()


def digest(source: HttpRequest | Mapping[str, Any]) -> str:
    """What stands for the address that a request or a socket comes from; "" where none is known."""
    address = household(client_ip(source))
    if not address:
        return ""
    return salted_hmac("dominoes.table.witness", address, algorithm="sha256").hexdigest()[:32]


def note_address(match_id: str, seat: int, address: str) -> None:
    """Keep from where a seat of a ranked match is played. In `store.run` or `store.call`."""
    if not address or not Match.objects.filter(pk=match_id).exists():
        return
    SeatAddress.objects.get_or_create(match_id=match_id, seat=seat, digest=address)


def wants_address(live: Live, seat: int | None) -> bool:
    """Whether it is to be kept from where that seat is played just now."""
    return bool(seat is not None and live.match and live.match.ranked and live.in_match)


def forget_addresses(now: float) -> int:
    """Drop what is older than 30 days; how many there were."""
    old = SeatAddress.objects.filter(at__lt=now - ADDRESS_DAYS * 86400)
    return old.delete()[0]
