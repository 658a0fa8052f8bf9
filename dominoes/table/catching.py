"""Catching up with another process: what happened at a table since this one last knew it.

Reading a table from nothing costs several queries and the whole hand; in a match nearly everything
that happens elsewhere is a few more events, and then two queries and those events are enough.
"""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Final

from dominoes.table.clock import Clock
from dominoes.table.live import WORDS, HandLine, Live, apply_event
from dominoes.table.models import Event, Table

_COLUMNS: Final = (
    "status",
    "seq",
    "position_seq",
    "clock",
    "match_id",
    "match__hand_from",
    "match__plies",
)


def caught_up(known: Live) -> Live | None:
    """The table as the database has it now, made of what is known and the events since.

    None where more has changed than that: another hand, another match, people in other seats.
    """
    match, game = known.match, known.game
    if not known.in_match or match is None or game is None:
        return None
    # One statement: the row and its match belong together.
    row = Table.objects.filter(pk=known.table_id).values_list(*_COLUMNS).first()
    if row is None:
        return None
    status, seq, position_seq, clock, match_id, hand_from, plies = row
    same_hand = match_id == match.id and hand_from == match.hand_from
    if seq == known.seq:
        return known
    if status not in (Table.PLAYING, Table.BETWEEN) or not same_hand or seq < known.seq:
        return None
    newest = known.fork()
    assert newest.game is not None
    # Whatever was stored after the row was read belongs to a later state.
    since = Event.objects.filter(match_id=match.id, number__gt=known.events, seq__lte=seq)
    columns = ("number", "kind", "seat", "word", "auto", "data")
    for number, kind, seat, word, auto, data in since.order_by("number").values_list(*columns):
        apply_event(newest.game, kind, seat, word, data)
        newest.events = number
        if kind in WORDS:
            newest.autos = (*newest.autos, auto)
        elif kind == "hand":
            newest.hands = (*newest.hands, HandLine.of(json.loads(data)))
    newest.status, newest.seq, newest.position_seq = status, seq, position_seq
    newest.clock = Clock.from_json(clock)
    newest.match = replace(match, plies=plies)
    return newest
