"""Sockets that open before their process's first heartbeat are known to the others all the same."""

import time

import pytest

from dominoes.table import presence, sweeper
from dominoes.table.models import Socket
from tests.table.tables import Room

pytestmark = pytest.mark.django_db(transaction=True)


def rows() -> list[tuple[int | None, str]]:
    return list(Socket.objects.values_list("seat", "process_id"))


def test_their_rows_are_written_with_the_first_heartbeat() -> None:
    table = Room().live.table_id
    presence.begin(time.time())
    presence.opened(table, 1, None)
    presence.write_rows(time.time())
    assert rows() == []
    sweeper.sweep()
    assert rows() == [(1, presence.process_id())]


def test_they_are_written_again_by_a_process_that_was_buried_meanwhile() -> None:
    table = Room().live.table_id
    presence.begin(time.time())
    presence.opened(table, 0, None)
    sweeper.sweep()
    Socket.objects.all().delete()
    presence.Process.objects.all().delete()
    assert presence.beat(time.time()) is False
    sweeper.sweep()
    assert rows() == [(0, presence.process_id())]
