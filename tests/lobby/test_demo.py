"""The demo: whole matches that hold together, once, by people that nobody can sign in as."""

import asyncio
import contextlib
import time

import pytest
from django.core.management import call_command

from dominoes.table import checking, presence, store
from dominoes.table.models import Match, Table
from lobby import demo, rooms
from ranking.models import Player, Result

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Three matches are as good as ten, and nobody thinks for long."""
    plan = demo.plan()
    plan["matches"] = [plan["matches"][number] for number in (0, 2, 9)]
    monkeypatch.setattr(demo, "plan", lambda: plan)
    monkeypatch.setattr(demo, "THINKS", (0.0, 0.0))
    monkeypatch.setattr(demo, "LOOKS", 0.05)


def test_matches_are_played_once_and_count(capsys: pytest.CaptureFixture[str]) -> None:
    call_command("seed", demo=True)
    assert "3 matches were played" in capsys.readouterr().out
    assert Match.objects.filter(status=Match.OVER).count() == 3
    assert Result.objects.count() == 3
    for match in Match.objects.all():
        assert checking.check(match) == []
    call_command("seed", demo=True)
    assert "are there" in capsys.readouterr().out
    assert Match.objects.count() == 3


def test_nobody_can_sign_in_as_a_demo_player() -> None:
    demo.people()
    players = Player.objects.filter(name__in=demo.plan()["players"])
    assert len(players) == len(demo.plan()["players"])
    assert not any(player.has_usable_password() or player.is_staff for player in players)


def test_plain_seed_adds_nobody() -> None:
    call_command("seed", verbosity=0)
    assert not Player.objects.exists()
    assert not Table.objects.exists()


def test_live_tables_are_listed_and_go_on() -> None:
    async def some_seconds() -> tuple[int, int, int]:
        going = asyncio.create_task(demo.keep_going())
        try:
            deadline = time.monotonic() + 30
            while time.monotonic() < deadline:
                await asyncio.sleep(0.2)
                seen = await asyncio.to_thread(look)
                if seen[0] == 2 and seen[1] == 2 and seen[2] > 20:
                    break
            return seen
        finally:
            going.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await going

    def look() -> tuple[int, int, int]:
        from django.db import connection

        try:
            moved = sum(table.seq for table in Table.objects.all())
            return len(rooms.listed()), len(rooms.to_watch()), moved
        finally:
            connection.close()

    try:
        listed, watched, moved = asyncio.run(some_seconds())
    finally:
        presence.reset()
        store.forget()
    assert (listed, watched) == (2, 2)
    assert moved > 20
