"""Who goes together: the arithmetic of queues."""

import random
from itertools import combinations

from hypothesis import given
from hypothesis import strategies as st

from lobby.grouping import Party, full_table, seated


def parties(*people: tuple[int, ...]) -> list[Party]:
    return [Party(key, who) for key, who in enumerate(people)]


def keys(group: tuple[Party, ...] | None) -> list[int] | None:
    return None if group is None else [party.key for party in group]


def apart(*pairs: tuple[int, int]) -> frozenset[frozenset[int]]:
    return frozenset(frozenset(pair) for pair in pairs)


def test_the_front_of_the_queue_goes_first() -> None:
    queue = parties((1,), (2,), (3,))
    assert keys(full_table(queue, 2, apart())) == [0, 1]
    assert keys(full_table(queue, 3, apart())) == [0, 1, 2]
    assert full_table(queue, 4, apart()) is None
    assert full_table([], 2, apart()) is None


def test_pairs_fill_what_they_fit() -> None:
    assert keys(full_table(parties((1, 2), (3, 4)), 4, apart())) == [0, 1]
    assert keys(full_table(parties((1,), (2, 3), (4,)), 4, apart())) == [0, 1, 2]
    assert keys(full_table(parties((1,), (2, 3), (4, 5)), 4, apart())) == [1, 2]
    assert full_table(parties((1,), (2, 3)), 4, apart()) is None


def test_whoever_is_avoided_waits_for_others() -> None:
    queue = parties((1,), (2,), (3,))
    assert keys(full_table(queue, 2, apart((1, 2)))) == [0, 2]
    assert keys(full_table(queue, 2, apart((1, 2), (1, 3)))) == [1, 2]
    assert full_table(queue, 2, apart((1, 2), (1, 3), (2, 3))) is None
    assert full_table(parties((1, 2), (3, 4)), 4, apart((2, 3))) is None


def test_a_pair_sits_opposite() -> None:
    for luck in range(40):
        seats = seated(parties((1, 2), (3,), (4,)), random.Random(luck))
        assert sorted(seats) == [1, 2, 3, 4]
        assert abs(seats.index(1) - seats.index(2)) == 2
        seats = seated(parties((1, 2), (3, 4)), random.Random(luck))
        assert {frozenset(seats[0::2]), frozenset(seats[1::2])} == {
            frozenset({1, 2}),
            frozenset({3, 4}),
        }


def test_every_seat_is_anyones() -> None:
    met = {tuple(seated(parties((1,), (2,), (3,)), random.Random(luck))) for luck in range(100)}
    assert len(met) == 6


@given(
    st.lists(st.sampled_from([1, 1, 2]), max_size=9),
    st.sampled_from([2, 3, 4]),
    st.sets(st.tuples(st.integers(0, 12), st.integers(0, 12)).filter(lambda p: p[0] != p[1])),
)
def test_a_table_is_found_whenever_there_is_one(
    sizes: list[int], seats: int, avoided: set[tuple[int, int]]
) -> None:
    people = iter(range(100))
    queue = parties(*(tuple(next(people) for _ in range(size)) for size in sizes))
    kept = apart(*avoided)

    def fits(group: tuple[Party, ...]) -> bool:
        sitting = [who for party in group for who in party.people]
        strangers = (
            frozenset((one, other))
            for first, second in combinations(group, 2)
            for one in first.people
            for other in second.people
        )
        return len(sitting) == seats and not any(pair in kept for pair in strangers)

    possible = [g for n in range(1, 5) for g in combinations(queue, n) if fits(g)]
    found = full_table(queue, seats, kept)
    assert (found is None) == (not possible)
    assert found is None or fits(found)
