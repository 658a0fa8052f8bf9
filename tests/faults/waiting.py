"""Many tables whose deadlines fall within seconds: `python -m tests.faults.waiting COUNT SPREAD`.

One table of each kind is played to where something is waited for, then copied row by row into the
database that the environment names. Prints, as JSON, the mark by which the copies of each kind are
found (their matches' `started_at`) and how far the table had come; `created_at` of each table is
when it is due.
"""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Iterator
from typing import Any

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "dominoes.settings")
django.setup()

from django.db import transaction  # noqa: E402

from dominoes.table.clock import Clock  # noqa: E402
from dominoes.table.models import (  # noqa: E402
    Event,
    Match,
    MatchSeat,
    Seat,
    Table,
    new_code,
    new_match_id,
)
from ranking.models import Player  # noqa: E402
from tests.table.tables import Room, guest  # noqa: E402

PEOPLE = 60
TURN = 600
ROWS_A_SECOND = 400  # tables that can be written, at least
FIELDS: dict[str, dict[str, Any]] = {
    "forfeit": {"rules": "draw", "players": 2, "turn_seconds": TURN},
    "played for": {"rules": "draw", "players": 3, "turn_seconds": TURN},
    "reserve": {"rules": "fives", "players": 2, "turn_seconds": TURN},
    "deal": {"rules": "classic", "players": 2, "turn_seconds": TURN, "target": 500},
    "hold": {"rules": "draw", "players": 2, "kind": "nearby"},
}


def clock_of(kind: str, room: Room, due: float) -> Clock:
    """What such a table waits for."""
    seats = set(range(len(room.people)))
    if kind == "deal":
        return Clock(deal_at=due)
    if kind == "hold":
        return Clock(turn_from=due - 30, holds={0: due})
    reserve = set() if kind == "reserve" else seats
    return Clock(turn_at=due, turn_from=due - TURN, reserve_used=reserve)


def copied(row: Any, **other: Any) -> Any:
    """A row like that one, not stored yet."""
    fields = {f.attname: getattr(row, f.attname) for f in row._meta.concrete_fields}
    if not isinstance(row, Match):
        del fields[row._meta.pk.attname]
    return type(row)(**{**fields, **other})


def unused_codes() -> Iterator[str]:
    """Codes of no table yet: among ten thousand, two would be the same more than once in twenty."""
    used = set(Table.objects.values_list("code", flat=True))
    while True:
        code = new_code()
        if code not in used:
            used.add(code)
            yield code


def copy(kind: str, room: Room, mark: float, dues: list[float], people: list[Player]) -> None:
    """Copies of a table, one for each time at which it is due."""
    table = Table.objects.get(code=room.code)
    assert table.match is not None
    tables, matches = [], []
    codes = unused_codes()
    for due in dues:
        match = copied(table.match, id=new_match_id(), started_at=mark)
        clock = clock_of(kind, room, due)
        tables.append(
            copied(
                table,
                code=next(codes),
                match_id=match.pk,
                clock=clock.to_json(),
                due_at=clock.due_at(),
                created_at=due,
            )
        )
        matches.append(match)
    # The tables' rows name matches that come after them: all of it is one transaction.
    Table.objects.bulk_create(tables, batch_size=500)
    for made, match in zip(tables, matches, strict=True):
        match.table_id = made.pk
    Match.objects.bulk_create(matches, batch_size=500)
    seats, sat, events = [], [], []
    old_seats = list(Seat.objects.filter(table=table))
    old_sat = list(MatchSeat.objects.filter(match=table.match))
    old_events = list(Event.objects.filter(match=table.match).order_by("number"))
    for number, (made, match) in enumerate(zip(tables, matches, strict=True)):
        who = [people[(number + n) % len(people)].pk for n in range(table.players)]
        seats += [copied(old, table_id=made.pk, player_id=who[old.seat]) for old in old_seats]
        sat += [copied(old, match_id=match.pk, player_id=who[old.seat]) for old in old_sat]
        events += [copied(old, match_id=match.pk) for old in old_events]
    Seat.objects.bulk_create(seats, batch_size=1000)
    MatchSeat.objects.bulk_create(sat, batch_size=1000)
    Event.objects.bulk_create(events, batch_size=1000)


def main(count: int, spread: float) -> dict[str, Any]:
    """Make the tables; gives what is printed."""
    people = [guest() for _ in range(PEOPLE)]
    rooms = {kind: Room(**fields).start() for kind, fields in FIELDS.items()}
    rooms["deal"].play_hand()
    # What is copied waits for nothing itself: writing the copies may take longer than a deal.
    Table.objects.filter(code__in=[room.code for room in rooms.values()]).update(
        due_at=None, clock="{}"
    )
    began = time.time()
    first = began + 3 + count / ROWS_A_SECOND
    told: dict[str, Any] = {"first": first, "kinds": {}}
    with transaction.atomic():
        for place, (kind, room) in enumerate(rooms.items()):
            mark = began + place
            numbers = range(place, count, len(rooms))
            copy(kind, room, mark, [first + spread * n / count for n in numbers], people)
            live = room.live
            told["kinds"][kind] = {
                "mark": mark,
                "count": len(numbers),
                "seq": live.seq,
                "events": live.events,
                "turn": live.game.turn if live.game else None,
            }
    told["wrote"] = time.time() - began
    return told


if __name__ == "__main__":
    print(json.dumps(main(int(sys.argv[1]), float(sys.argv[2]))))
