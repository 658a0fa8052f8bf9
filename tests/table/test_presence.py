"""Who is here, and which time doesn't count: several processes played by one."""

from collections.abc import Callable

import pytest
from django.db import transaction

from dominoes.table import presence
from dominoes.table.models import Process, Socket
from dominoes.table.presence import LATE, SILENT, STOPPED, Lost
from tests.table.tables import Room

pytestmark = pytest.mark.django_db(transaction=True)

NOW = 1_800_000_000.0


def lost_time(now: float) -> list[Lost]:
    with transaction.atomic():
        return presence.lost_time(now)


def write_rows(now: float) -> None:
    with transaction.atomic():
        presence.write_rows(now)


LONG_AGO = NOW - 100


def another(
    beat: float, *seats: tuple[int, int], id: str = "other", opened: float = LONG_AGO
) -> Process:
    """Another process, which holds the sockets of these (table id, seat) pairs."""
    made = Process.objects.create(id=id, started=beat, beat=beat)
    for table_id, seat in seats:
        Socket.objects.create(process=made, table_id=table_id, seat=seat, opened=opened)
    return made


@pytest.fixture
def begun() -> Callable[[float], None]:
    def begin(now: float) -> None:
        presence.begin(now)
        assert presence.settled(now)
        assert lost_time(now) == []

    return begin


def test_a_seat_is_here_from_its_first_socket_to_its_last() -> None:
    room = Room()
    table = room.live.table_id
    first = presence.opened(table, 0, None)
    second = presence.opened(table, 0, None)
    third = presence.opened(table, 1, None)
    assert presence.seats_here(table, NOW) == {0, 1}
    presence.closed(first)
    presence.closed(first)
    assert presence.seats_here(table, NOW) == {0, 1}
    presence.closed(second)
    assert presence.seats_here(table, NOW) == {1}
    presence.closed(third)
    assert presence.seats_here(table, NOW) == frozenset()


def test_a_seat_on_another_process_is_here_while_its_heart_beats() -> None:
    table = Room().live.table_id
    other = another(NOW, (table, 1))
    assert presence.seats_here(table, NOW + SILENT - 0.1) == {1}
    assert presence.all_here([table, 999], NOW) == {table: {1}, 999: set()}
    assert presence.seats_here(table, NOW + SILENT) == frozenset()
    assert presence.all_here([table], NOW + SILENT) == {table: set()}
    Process.objects.filter(pk=other.pk).update(beat=NOW + SILENT)
    assert presence.seats_here(table, NOW + SILENT) == {1}


def test_rows_follow_the_sockets_that_are_held(begun: Callable[[float], None]) -> None:
    table = Room().live.table_id
    held = presence.opened(table, 0, None)
    presence.closed(held)
    begun(NOW)
    held = presence.opened(table, 0, None)
    presence.opened(table, 1, None)
    write_rows(NOW)
    assert sorted(Socket.objects.values_list("table_id", "seat")) == [(table, 0), (table, 1)]
    presence.closed(held)
    write_rows(NOW)
    write_rows(NOW)
    assert list(Socket.objects.values_list("table_id", "seat")) == [(table, 1)]


def test_rows_that_were_rolled_back_are_written_again(begun: Callable[[float], None]) -> None:
    table = Room().live.table_id
    begun(NOW)
    presence.opened(table, 0, None)
    with transaction.atomic():
        presence.write_rows(NOW)
        transaction.set_rollback(True)
    assert Socket.objects.count() == 0
    write_rows(NOW)
    assert Socket.objects.count() == 1


def test_a_table_that_is_gone_holds_nothing_up(begun: Callable[[float], None]) -> None:
    table = Room().live.table_id
    begun(NOW)
    presence.opened(table + 1000, 0, None)
    presence.opened(table, 0, None)
    write_rows(NOW)
    assert list(Socket.objects.values_list("table_id", flat=True)) == [table]


def test_the_first_process_ever_has_lost_nothing(begun: Callable[[float], None]) -> None:
    begun(NOW)
    assert presence.beat(NOW + 1)
    assert lost_time(NOW + 1.2) == []
    assert Process.objects.get().beat == NOW + 1


def test_time_without_any_server_is_lost_for_everyone(begun: Callable[[float], None]) -> None:
    table = Room().live.table_id
    another(NOW - 60, (table, 0))
    presence.begin(NOW)
    assert presence.settled(NOW)
    assert lost_time(NOW) == [Lost(60.0, True, frozenset({(table, 0)}))]
    assert list(Process.objects.values_list("pk", flat=True)) == [presence.process_id()]
    assert lost_time(NOW + 1) == []


def test_an_orderly_stop_keeps_its_time(begun: Callable[[float], None]) -> None:
    begun(NOW)
    presence.end(NOW + 5)
    assert list(Process.objects.values_list("pk", "beat")) == [(STOPPED, NOW + 5)]
    presence.begin(NOW + 7)
    assert presence.settled(NOW + 7)
    assert lost_time(NOW + 7) == [Lost(2.0, True, frozenset())]
    presence.end(NOW + 8)
    presence.begin(NOW + 8)
    assert lost_time(NOW + 8) == []


def test_one_that_died_a_moment_ago_is_found_out() -> None:
    table = Room().live.table_id
    another(NOW - 1, (table, 0))
    presence.begin(NOW)
    assert not presence.settled(NOW)
    assert not presence.settled(NOW + LATE - 0.1)
    assert presence.settled(NOW + LATE)
    assert lost_time(NOW + LATE) == [Lost(LATE + 1, True, frozenset({(table, 0)}))]


def test_a_neighbour_that_beats_proves_that_a_server_ran() -> None:
    another(NOW - 1)
    presence.begin(NOW)
    assert not presence.settled(NOW)
    Process.objects.filter(pk="other").update(beat=NOW + 0.1)
    assert presence.settled(NOW + 0.2)
    assert lost_time(NOW + 0.2) == []


def test_of_two_that_start_after_an_outage_one_is_told() -> None:
    another(NOW - 60)
    presence.begin(NOW)
    assert [lost.gap for lost in lost_time(NOW)] == [60.0]
    presence.begin(NOW + 0.1)
    Process.objects.exclude(pk=presence.process_id()).update(beat=NOW + 0.15)
    assert presence.settled(NOW + 0.2)
    assert lost_time(NOW + 0.2) == []


def test_a_process_that_stood_still_alone_has_lost_that_time(
    begun: Callable[[float], None],
) -> None:
    begun(NOW)
    assert not presence.beat(NOW + 30)
    assert presence.may_be_lost(NOW + 30)
    assert lost_time(NOW + 30) == [Lost(30.0, True, frozenset())]
    assert presence.beat(NOW + 31)
    assert not presence.may_be_lost(NOW + 31)


def test_standing_still_while_others_ran_is_lost_for_its_own_seats(
    begun: Callable[[float], None],
) -> None:
    table = Room().live.table_id
    begun(NOW)
    presence.opened(table, 0, None)
    presence.opened(table, 1, None)
    write_rows(NOW)
    another(NOW + 6, (table, 1))
    assert lost_time(NOW + 6) == [Lost(6.0, False, frozenset({(table, 0)}))]


def test_the_seats_of_a_silent_process_lose_its_silence(begun: Callable[[float], None]) -> None:
    table = Room().live.table_id
    begun(NOW)
    another(NOW, (table, 0), (table, 1))
    presence.opened(table, 1, None, LONG_AGO)
    for second in range(1, 10):
        presence.beat(NOW + second)
        assert lost_time(NOW + second) == []
    presence.beat(NOW + 10.5)
    assert presence.may_be_lost(NOW + 10.5)
    assert lost_time(NOW + 10.5) == [Lost(10.5, False, frozenset({(table, 0)}))]
    assert lost_time(NOW + 10.6) == []
    assert Socket.objects.filter(process_id="other").count() == 0


def test_nothing_is_played_for_seats_that_may_be_unreachable(
    begun: Callable[[float], None],
) -> None:
    table = Room().live.table_id
    begun(NOW)
    another(NOW, (table, 0), (table, 1))
    presence.opened(table, 1, None, LONG_AGO)
    assert presence.doubtful(NOW + LATE) == frozenset()
    assert presence.doubtful(NOW + LATE + 0.1) == {(table, 0)}
    another(NOW + LATE, (table, 0), id="third")
    assert presence.doubtful(NOW + LATE + 0.1) == frozenset()


@pytest.mark.parametrize("to_this_process", [True, False])
def test_whoever_comes_back_from_a_process_that_hangs_keeps_what_its_silence_gives(
    begun: Callable[[float], None], to_this_process: bool
) -> None:
    """What was sent on the old socket may be lost, and the clock ran all the while."""
    table = Room().live.table_id
    begun(NOW)
    another(NOW, (table, 0), (table, 1))
    for second in range(1, 10):
        presence.beat(NOW + second)
    if to_this_process:
        presence.opened(table, 0, None, NOW + 7)
    else:
        another(NOW + 9, (table, 0), id="third", opened=NOW + 7)
    assert presence.seats_here(table, NOW + 9) == {0, 1}
    assert presence.doubtful(NOW + 9) == {(table, 0), (table, 1)}
    Process.objects.filter(pk="third").update(beat=NOW + 10)
    presence.beat(NOW + 10.5)
    assert lost_time(NOW + 10.5) == [Lost(10.5, False, frozenset({(table, 0), (table, 1)}))]
    assert presence.doubtful(NOW + 10.5) == frozenset()
    assert presence.came_back(table, 0, NOW, NOW + 7)
    assert not presence.came_back(table, 0, NOW, NOW + 6)
    assert not presence.came_back(table, 1, NOW, NOW + 10)


def test_of_two_silent_processes_the_later_one_says_since_when(
    begun: Callable[[float], None],
) -> None:
    table = Room().live.table_id
    begun(NOW)
    another(NOW, (table, 0), id="first")
    another(NOW + 2, (table, 0), id="second")
    assert presence.doubtful(NOW + 3.5) == frozenset()
    assert presence.doubtful(NOW + 5.5) == {(table, 0)}
    late = presence.opened(table, 0, None, NOW + 3)
    assert presence.doubtful(NOW + 5.5) == {(table, 0)}
    presence.closed(late)
    presence.opened(table, 0, None, NOW + 1)
    assert presence.doubtful(NOW + 5.5) == frozenset()


def test_a_process_that_wakes_up_forgets_no_socket_before_it_made_up_for_its_sleep(
    begun: Callable[[float], None],
) -> None:
    """What ended meanwhile, and came back elsewhere, lost that time all the same."""
    table = Room().live.table_id
    begun(NOW)
    held = presence.opened(table, 0, None, NOW)
    write_rows(NOW)
    another(NOW + 6, (table, 0), opened=NOW + 5)
    presence.closed(held)
    write_rows(NOW + 6)
    assert lost_time(NOW + 6) == [Lost(6.0, False, frozenset({(table, 0)}))]
    write_rows(NOW + 6)
    assert list(Socket.objects.values_list("process_id", flat=True)) == ["other"]


def test_one_that_was_buried_alive_writes_everything_again(begun: Callable[[float], None]) -> None:
    table = Room().live.table_id
    begun(NOW)
    presence.opened(table, 0, None)
    write_rows(NOW)
    another(NOW + 12)
    Process.objects.filter(pk=presence.process_id()).delete()  # as a neighbour does
    assert not presence.beat(NOW + 2)
    assert lost_time(NOW + 12.5) == []
    write_rows(NOW + 12.5)
    assert list(Socket.objects.values_list("process_id", "seat")) == [(presence.process_id(), 0)]


def test_processes_share_the_tables_out(begun: Callable[[float], None]) -> None:
    assert presence.share(NOW) == (0, 1)
    begun(NOW)
    another(NOW, id="!")
    another(NOW, id="~")
    another(NOW - 60, id="late")
    assert presence.share(NOW) == (1, 3)
