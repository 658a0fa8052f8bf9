"""No line can spoil the picture: every way that an arm can grow, state by state.

An arm's next place follows from how far the arm is, which way its last tile points and whether the
next tile is a double. There are few such states, so all of them are visited here, with the number
of ordinary tiles and doubles that lead there (a set has 21 and 7). What is checked holds for every
line of every system, also for lines that no random play would ever find.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import product

import pytest

from dominoes.table.layout import advance, next_cell, start
from dominoes.table.layout_tracks import BOXES, Box, Cell

Rect = tuple[int, int, int, int]
ORDINARY, DOUBLES = 21, 7
PARTNER = {"left": "up", "up": "left", "right": "down", "down": "right"}


@dataclass
class Arm:
    """All that one arm can do: ``reach`` is how far it can be by what lies in it, ``pieces`` what
    can lie by how far the arm is then (and what lies before it), ``badges`` the same for numbers,
    ``joins`` every pair of neighbours."""

    reach: dict[tuple[int, int], int] = field(default_factory=dict)
    pieces: dict[int, set[tuple[int, Rect]]] = field(default_factory=dict)
    badges: dict[int, set[Rect]] = field(default_factory=dict)
    joins: set[tuple[Rect, Rect]] = field(default_factory=set)


def rect(cells: tuple[Cell, ...], heading: tuple[int, int]) -> Rect:
    (x, y), (u, v) = min(cells), max(cells)
    out = (0, 0) if len(cells) == 2 else (abs(heading[1]), abs(heading[0]))
    return x - out[0], y - out[1], u + 2 + out[0], v + 2 + out[1]


def square(cell: Cell) -> Rect:
    return cell[0], cell[1], cell[0] + 2, cell[1] + 2


def overlap(a: Rect, b: Rect) -> bool:
    return a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]


def short_side(a: Rect, b: Rect) -> bool:
    """Two tiles touch along the whole short side of one of them, and no further."""
    if a[2] == b[0] or b[2] == a[0]:
        touch, sides = (max(a[1], b[1]), min(a[3], b[3])), ((a[1], a[3]), (b[1], b[3]))
    elif a[3] == b[1] or b[3] == a[1]:
        touch, sides = (max(a[0], b[0]), min(a[2], b[2])), ((a[0], a[2]), (b[0], b[2]))
    else:
        return False
    return touch[1] - touch[0] == 2 and touch in sides


def explore(box: Box, name: str, *, double: bool) -> Arm:
    """Every state of one arm, whatever lies in it, beside an anchor that is a double or not."""
    track = box.tracks[name]
    x, y = box.hub
    anchor = (x, y - 1, x + 2, y + 3) if double else (x, y, x + 4, y + 2)
    doubles = DOUBLES - double if box.arms == 2 or double else 0
    ordinary = ORDINARY - (not double)
    arm = Arm()
    first = start(box, name, double=double)
    begin = (first, first.at, first.at, anchor, double, 0, 0)
    seen, todo = {begin}, [begin]
    while todo:
        step, since, upto, last, after_double, o, d = todo.pop()
        arm.reach[o, d] = max(arm.reach.get((o, d), 0), upto)
        arm.badges.setdefault(upto, set()).add(square(next_cell(track, step)))
        for kind in (False, True):
            if (kind and (after_double or d == doubles)) or (not kind and o == ordinary):
                continue
            cells, then = advance(track, step, double=kind)
            assert len(cells) == (1 if kind and then.at == step.at + 1 else 2), "track too short"
            piece = rect(cells, step.heading)
            # A double that became the corner ends where the track comes by again. What lies
            # before the tile that leads back is, but for that double, what lies before it.
            before, now = (then.at, then.at) if then.detour is None else (step.at, step.at + 4)
            arm.pieces.setdefault(now, set()).add((since, piece))
            arm.joins.add((last, piece))
            state = (then, before, now, piece, kind, o + (not kind), d + kind)
            if state not in seen:
                seen.add(state)
                todo.append(state)
    return arm


CASES = [(shape, arms, double) for (shape, arms), double in product(BOXES, (True, False))]
_explored: dict[tuple[str, int, bool], dict[str, Arm]] = {}


def explored(shape: str, arms: int, double: bool) -> tuple[Box, dict[str, Arm]]:
    box = BOXES[shape, arms]
    names = ("left", "right", "up", "down")[: 4 if double and arms == 4 else 2]
    key = (shape, arms, double)
    if key not in _explored:
        _explored[key] = {name: explore(box, name, double=double) for name in names}
    return box, _explored[key]


@pytest.mark.parametrize(("shape", "arms", "double"), CASES)
def test_neighbours_meet_along_a_short_side(shape: str, arms: int, double: bool) -> None:
    _box, all_arms = explored(shape, arms, double)
    for arm in all_arms.values():
        for a, b in arm.joins:
            assert short_side(a, b) and not overlap(a, b), (a, b)


@pytest.mark.parametrize(("shape", "arms", "double"), CASES)
def test_nothing_leaves_the_box(shape: str, arms: int, double: bool) -> None:
    box, all_arms = explored(shape, arms, double)
    for name, arm in all_arms.items():
        laid = [piece for pieces in arm.pieces.values() for _before, piece in pieces]
        for x, y, u, v in (*laid, *(b for badges in arm.badges.values() for b in badges)):
            assert x >= 0 and y >= 0 and u <= box.cols and v <= box.rows, (name, x, y, u, v)


@pytest.mark.parametrize(("shape", "arms", "double"), CASES)
def test_no_arm_crosses_itself_or_the_anchor(shape: str, arms: int, double: bool) -> None:
    box, all_arms = explored(shape, arms, double)
    x, y = box.hub
    anchor = (x, y - 1, x + 2, y + 3) if double else (x, y, x + 4, y + 2)
    for arm in all_arms.values():
        pieces = [(at, b, p) for at, group in arm.pieces.items() for b, p in group]
        for _at, _before, piece in pieces:
            assert not overlap(piece, anchor)
        for at, _before, piece in pieces:
            for _then, before, later in pieces:
                assert before < at or not overlap(piece, later), (piece, later)


def splits(one: Arm, other: Arm, *, arms: int, double: bool) -> Iterator[tuple[int, int, bool]]:
    """How far two arms can be at once, and whether the other's end is open as well."""
    ordinary, doubles = ORDINARY - (not double), DOUBLES - double
    total = ordinary + doubles
    for (o, d), at in one.reach.items():
        for (p, q), to in other.reach.items():
            if o + p > ordinary or d + q > doubles:
                continue
            laid = o + d + p + q
            if arms == 4 and double:
                # Short ends open when both long sides carry a tile: one lies elsewhere.
                if p + q and (laid > total - 1 or not o + d):
                    continue
                yield at, to, laid < total and o + d > 0
            else:
                yield at, to, True


@pytest.mark.parametrize(("shape", "arms", "double"), CASES)
def test_arms_that_share_a_loop_never_meet(shape: str, arms: int, double: bool) -> None:
    _box, all_arms = explored(shape, arms, double)
    pairs = [("left", "up"), ("right", "down")] if len(all_arms) == 4 else [("left", "right")]
    for names in pairs:
        one, other = (all_arms[name] for name in names)
        # For each place of the one arm, the first place of the other that it can't go with.
        blocked = _blocked(one, other)
        for at, to, both_open in splits(one, other, arms=arms, double=double):
            assert to + both_open <= blocked[at], (names, at, to)


def _blocked(one: Arm, other: Arm) -> dict[int, int]:
    """For each `at` of one arm the least ``to + 1`` of the other at which anything overlaps.

    A number counts as laid one step further on: it stands before the end, open or not.
    """
    theirs = [(to, p) for to, group in other.pieces.items() for _b, p in group]
    theirs += [(to + 1, b) for to, group in other.badges.items() for b in group]
    result: dict[int, int] = {}
    least = 10_000
    for at in sorted(one.badges):
        mine = [p for _b, p in one.pieces.get(at, ())]
        for piece in mine:
            least = min([least, *(to for to, p in theirs if overlap(piece, p))])
        number = min([least, *(to for b in one.badges[at] for to, p in theirs if overlap(b, p))])
        result[at] = number - 1
    return result


@pytest.mark.parametrize(("shape", "arms", "double"), CASES)
def test_arms_of_different_loops_keep_apart(shape: str, arms: int, double: bool) -> None:
    _box, all_arms = explored(shape, arms, double)
    if arms == 2:
        return
    for one, other in product(all_arms, all_arms):
        if one < other and other != PARTNER[one]:
            mine, theirs = (
                [p for group in all_arms[name].pieces.values() for _b, p in group]
                + [b for group in all_arms[name].badges.values() for b in group]
                for name in (one, other)
            )
            for a, b in product(set(mine), set(theirs)):
                assert not overlap(a, b), (one, other, a, b)
