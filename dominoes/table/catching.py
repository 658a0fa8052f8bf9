"""Catching up with another process: what happened at a table since this one last knew it.

Reading a table from nothing costs several queries and the whole hand; in a match nearly everything
that happens elsewhere is a few more events. Mostly the process that stored them tells them (a
`Step`); else two queries find them. A deal is never told: racks stay in the database.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Final

from dominoes.rules.errors import RulesError
from dominoes.table.clock import Clock
from dominoes.table.live import WORDS, HandLine, Line, Live, Step, apply_event
from dominoes.table.models import Event, Table

_COLUMNS: Final = (
    "status",
    "seq",
    "position_seq",
    "clock",
    "match_id",
    "match__plies",
)
# Events that everybody at the table sees, and that leave the match and its seats as they are.
_OPEN: Final = frozenset({"move", "hand", "ready", "back", "offer", "accept"})


def step(base: Live, draft: Live) -> Step | None:
    """The step from a state to a draft of it that isn't written yet.

    None if it is more than that: a deal, a match's beginning or end, people in other seats.
    """
    match = draft.match
    if not base.in_match or not draft.in_match or match is None or base.match is None:
        return None
    same = match.id == base.match.id and match.hand_from == base.match.hand_from
    if not same or draft.touched - {"match"} or any(e.kind not in _OPEN for e in draft.new_events):
        return None
    lines = tuple(
        (base.events + n, e.kind, e.seat, e.word, e.auto, json.dumps(e.data) if e.data else "")
        for n, e in enumerate(draft.new_events, 1)
    )
    about = (draft.seq, draft.position_seq, draft.status, draft.clock.to_json())
    return Step(base.seq, *about, match.id, match.plies, lines)


def stepped(known: Live, told: Sequence[Any]) -> Live | None:
    """The table after a step that another process tells; None if it doesn't follow on `known`."""
    found = Step(*told)
    if known.match is None or known.match.id != found.match or known.seq != found.was:
        return None
    try:
        return _after(known, found)
    except RulesError:
        return None  # it knew another table than this process does: the database decides


def caught_up(known: Live) -> Live | None:
    """The table as the database has it now, made of what is known and the events since.

    None where more has changed than that: another match, or none any more.
    """
    match = known.match
    if not known.in_match or match is None or known.game is None:
        return None
    # One statement: the row and its match belong together.
    row = Table.objects.filter(pk=known.table_id).values_list(*_COLUMNS).first()
    if row is None:
        return None
    status, seq, position_seq, clock, match_id, plies = row
    if seq == known.seq:
        return known
    if status not in (Table.PLAYING, Table.BETWEEN) or match_id != match.id or seq < known.seq:
        return None
    # Whatever was stored after the row was read belongs to a later state.
    since = Event.objects.filter(match_id=match.id, number__gt=known.events, seq__lte=seq)
    columns = ("number", "kind", "seat", "word", "auto", "data")
    lines: list[Line] = list(since.order_by("number").values_list(*columns))
    step = Step(known.seq, seq, position_seq, status, clock, match.id, plies, lines)
    return _after(known, step)


def _after(known: Live, step: Step) -> Live:
    newest, match = known.fork(), known.match
    assert newest.game is not None and match is not None
    for number, kind, seat, word, auto, data in step.lines:
        apply_event(newest.game, kind, seat, word, data)
        newest.events = number
        if kind in WORDS:
            newest.autos = (*newest.autos, auto)
        elif kind == "hand":
            newest.hands = (*newest.hands, HandLine.of(json.loads(data)))
        elif kind == "deal":
            newest.autos = ()
            match = replace(match, hand=newest.game.hand_number, hand_from=number)
    newest.status, newest.seq, newest.position_seq = step.status, step.seq, step.position_seq
    newest.clock = Clock.from_json(step.clock)
    newest.match = replace(match, plies=step.plies)
    newest.step = None
    return newest
