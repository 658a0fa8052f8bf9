"""Catching up with another process: what happened at a table since this one last knew it.

Reading a table from nothing costs several queries and the whole hand; in a match nearly everything
that happens elsewhere is a few more events. Mostly the process that stored them tells them (a
`Step`); else two queries find them. A deal is never told: racks stay in the database.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace
from itertools import groupby
from operator import itemgetter
from typing import Any, Final

from django.db import connection

from dominoes.rules.errors import RulesError
from dominoes.table import memory, presence, rows
from dominoes.table.clock import Clock
from dominoes.table.live import WORDS, HandLine, Live, Step, apply_event
from dominoes.table.models import Event, Match, Table

# One statement: rows, matches and logs belong together. `known` has a row for each table asked for:
# its id and the last event that is known. Whatever is stored after a row was read belongs to a
# later state, and is not seen here.
_SINCE: Final = (
    "WITH known(id, events) AS (VALUES {places})"  # noqa: S608
    " SELECT t.id, t.status, t.seq, t.position_seq, t.clock, t.match_id, m.plies,"
    f" {rows.LINE}"
    f" FROM known JOIN {Table._meta.db_table} t ON t.id = known.id"
    f" LEFT JOIN {Match._meta.db_table} m ON m.id = t.match_id"
    f" LEFT JOIN {Event._meta.db_table} e ON e.match_id = t.match_id"
    " AND e.number > known.events AND e.seq <= t.seq"
    " ORDER BY t.id, e.number"
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


def joined(first: Step | None, then: Step | None) -> Step | None:
    """Two steps that follow on each other as one; None if either may not be told."""
    if first is None or then is None:
        return None
    return then._replace(was=first.was, lines=(*first.lines, *then.lines))


def all_newest(codes: Collection[str]) -> dict[str, Live]:
    """Tables as the database has them now, those that there are; nobody else is shown them yet.

    Reads only what this process doesn't know, with few statements.
    """
    known = [live for live in map(memory.peek, codes) if live is not None]
    found = {live.code: live for live in all_caught_up(known) if live is not None}
    read = rows.load_all([code for code in codes if code not in found])
    here = presence.all_here([live.table_id for live in read.values()])
    for live in read.values():
        live.here = here[live.table_id]
    return found | read


def all_caught_up(known: Sequence[Live]) -> list[Live | None]:
    """Tables as the database has them now, made of what is known and the events since.

    In their order, with one statement. None where more has changed than that: people, choices,
    another match, or none any more.
    """
    found: dict[int, Live | None] = {}
    for start in range(0, len(known), rows.AT_ONCE):
        found.update(_newest(known[start : start + rows.AT_ONCE]))
    return [found.get(live.table_id) for live in known]


def _newest(some: Iterable[Live]) -> dict[int, Live | None]:
    asked = {live.table_id: live for live in some}
    places = ", ".join(["(%s, %s)"] * len(asked))
    values = [value for live in asked.values() for value in (live.table_id, live.events)]
    with connection.cursor() as cursor:
        cursor.execute(_SINCE.format(places=places), values)
        answer = cursor.fetchall()
    found: dict[int, Live | None] = {}
    for id, group in groupby(answer, itemgetter(0)):
        found[id] = _from_rows(asked[id], list(group))
    return found


def _from_rows(known: Live, answer: list[tuple[Any, ...]]) -> Live | None:
    status, seq, position_seq, clock, match_id, plies = answer[0][1:7]
    if seq == known.seq:
        return known
    ours = known.in_match and known.match is not None and match_id == known.match.id
    if status not in (Table.PLAYING, Table.BETWEEN) or not ours or seq < known.seq:
        return None
    lines = [rows.line(row[7:]) for row in answer if row[7] is not None]
    step = Step(known.seq, seq, position_seq, status, clock, match_id, plies, lines)
    try:
        return _after(known, step)
    except RulesError:
        return None  # what is known here isn't what the log goes on from: read all of it


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
