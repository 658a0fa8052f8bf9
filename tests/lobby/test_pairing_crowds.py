"""Quick pairing under a crowd: many threads with a connection each, as processes have them."""

import threading
import time
from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest
from django.db import close_old_connections, connection, connections

from dominoes.table import store
from dominoes.table.models import Seat, Table
from lobby import pairing
from lobby.models import Asker, Proposal, Ticket
from lobby.standings import check_wish
from ranking import players
from ranking.models import Player

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.servers]

WISHES = [
    check_wish(rules="draw", players=2, sides=None, ranked=False),
    check_wish(rules="draw", players=3, sides=None, ranked=False),
    check_wish(rules="partners", players=4, sides=None, ranked=False),
]


def in_threads(work: list[Callable[[], Any]], monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """Run all of it at once, without the lock that one process has around its commands."""
    if connection.vendor != "sqlite":
        monkeypatch.setattr(store, "_inline", threading.Semaphore(1000))
    start = threading.Barrier(len(work))
    results: list[Any] = [None] * len(work)

    def run(place: int, job: Callable[[], Any]) -> None:
        close_old_connections()
        start.wait()
        try:
            results[place] = job()
        except Exception as fault:  # what went wrong is looked at by the test
            results[place] = fault
        finally:
            connections.close_all()

    threads = [threading.Thread(target=run, args=(n, job)) for n, job in enumerate(work)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert not any(thread.is_alive() for thread in threads)
    return results


def play_on(player: Player, number: int) -> str:
    """What a waiting page does, until there is a table; gives its code."""
    wish = WISHES[number % len(WISHES)]
    pairing.ask(player, wish)
    for _ in range(60):
        time.sleep(0.02)
        now = pairing.look(player)
        if now.state == "go":
            return now.table
        if now.state == "asked" and not now.confirmed:
            code = pairing.confirm(player)
            if code:
                return code
        elif now.state == "out":
            pairing.ask(player, wish)
    return ""


def test_everyone_is_paired_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pairing, "BEAT", 0.0)  # every look lets time pass
    crowd = [players.create_guest(f"Crowd {number}") for number in range(12)]
    tables = in_threads(
        [lambda p=p, n=n: play_on(p, n) for n, p in enumerate(crowd)],  # type: ignore[misc]
        monkeypatch,
    )
    faults = [one for one in tables if isinstance(one, BaseException)]
    assert not faults, faults[0]
    # Four for two seats, four for three (one is left over), four for two pairs.
    seated = Counter(Seat.objects.values_list("player_id", flat=True))
    assert set(seated.values()) == {1}
    assert len(seated) == 11
    assert Table.objects.count() == 2 + 1 + 1
    for player, code in zip(crowd, tables, strict=True):
        sitting = Seat.objects.filter(player=player).values_list("table__code", flat=True)
        assert list(sitting) == ([code] if code else [])
    for table in Table.objects.all():
        assert table.status == Table.PLAYING
        assert table.seat_rows.count() == table.players
    assert not Proposal.objects.exists()
    assert Ticket.objects.count() == Asker.objects.filter(table="").count() == 1


def test_pressing_the_button_many_times_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    ana = players.create_guest("Ana")
    said = in_threads(
        [lambda n=n: pairing.ask(ana, WISHES[n % 3]) for n in range(9)],  # type: ignore[misc]
        monkeypatch,
    )
    assert said == [None] * 9
    assert Asker.objects.count() == Ticket.objects.count() == 1


def test_one_place_beside_somebody_is_taken_once(monkeypatch: pytest.MonkeyPatch) -> None:
    ana = players.create_guest("Ana")
    pairing.ask(ana, WISHES[2], pair=True)
    code = pairing.look(ana).code
    others = [players.create_guest(f"Other {number}") for number in range(6)]
    said = in_threads(
        [lambda p=p: pairing.join_pair(p, code) for p in others],  # type: ignore[misc]
        monkeypatch,
    )
    assert said.count(None) == 1
    assert Asker.objects.filter(ticket__code=code).count() == 2
