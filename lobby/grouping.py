"""Who goes together: pure arithmetic on a queue, without a database or a clock."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass

LOOK_AT = 60
"""How many parties from the front of a queue are tried with one another."""


@dataclass(frozen=True, slots=True)
class Party:
    """One person, or two who want to be partners."""

    key: int
    people: tuple[int, ...]


def full_table(
    queue: Sequence[Party], seats: int, apart: frozenset[frozenset[int]]
) -> tuple[Party, ...] | None:
    """The first parties of a queue that fill a table exactly; None if none do.

    The front of the queue goes first, and nobody sits with someone they are kept `apart` from
    (pairs of people).
    """
    parties = queue[:LOOK_AT]
    for first, party in enumerate(parties):
        found = _filled((party,), parties[first + 1 :], seats - len(party.people), apart)
        if found is not None:
            return found
    return None


def _filled(
    group: tuple[Party, ...],
    rest: Sequence[Party],
    free: int,
    apart: frozenset[frozenset[int]],
) -> tuple[Party, ...] | None:
    if free == 0:
        return group
    for place, party in enumerate(rest):
        if len(party.people) > free or not _get_on(group, party, apart):
            continue
        found = _filled((*group, party), rest[place + 1 :], free - len(party.people), apart)
        if found is not None:
            return found
    return None


def _get_on(group: Sequence[Party], party: Party, apart: frozenset[frozenset[int]]) -> bool:
    return not any(
        frozenset((one, other)) in apart
        for member in group
        for one in member.people
        for other in party.people
    )


def seated(group: Sequence[Party], chance: random.Random) -> list[int]:
    """The people of a full table by seat: by chance, but a pair sits opposite one another."""
    pairs = [list(party.people) for party in group if len(party.people) == 2]
    singles = [party.people[0] for party in group if len(party.people) == 1]
    chance.shuffle(pairs)
    chance.shuffle(singles)
    if not pairs:
        return singles
    sides = [pairs[0], pairs[1] if len(pairs) == 2 else singles]
    chance.shuffle(sides)
    for side in sides:
        chance.shuffle(side)
    return [sides[0][0], sides[1][0], sides[0][1], sides[1][1]]
