"""What runs at a table, stored as text and read back."""

from __future__ import annotations

import json
from dataclasses import fields

from dominoes.table.clock import Clock

FULL = Clock(
    turn_at=1.5,
    turn_from=1.0,
    act_at=2.0,
    deal_at=3.0,
    gone_at=4.0,
    full_at=5.0,
    away={2, 0},
    missed={0: 1, 2: 3},
    ready={1},
    holds={3: 9.5},
    offer=1,
    accepted={0},
    reserve_used={2},
    on_reserve=2,
    timed_out={3},
    heard={71: 6.5},
    changed_at=7.5,
)


def test_the_full_clock_has_everything_set() -> None:
    nothing = Clock()
    assert [
        slot.name
        for slot in fields(Clock)
        if getattr(FULL, slot.name) == getattr(nothing, slot.name)
    ] == []


def test_a_clock_is_read_as_it_was_stored() -> None:
    for clock in (Clock(), FULL):
        again = Clock.from_json(clock.to_json())
        assert {slot.name: getattr(again, slot.name) for slot in fields(Clock)} == {
            slot.name: getattr(clock, slot.name) for slot in fields(Clock)
        }
    assert Clock().to_json() == "{}"


def test_what_a_newer_version_stores_besides_keeps_no_table_from_being_read() -> None:
    newer = json.loads(FULL.to_json()) | {"sand_glass": [1, 2]}
    assert Clock.from_json(json.dumps(newer)).to_json() == FULL.to_json()
