"""The demo: whole matches that hold together, once, by people that nobody can sign in as."""

import asyncio
import contextlib
import json
import time
from typing import Any

import pytest
from django.core.management import call_command

from dominoes.table import checking, figures, odd, presence, store
from dominoes.table.models import Match, Report, Table
from lobby import demo, rooms
from ranking.acts import Act
from ranking.models import Player, Result

pytestmark = pytest.mark.django_db(transaction=True)


def special(match: dict[str, Any]) -> bool:
    """Those that end otherwise than by the target, or of which more is told than the result."""
    return bool({"end", "void", "report"} & set(match))


@pytest.fixture(autouse=True)
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """A few matches are as good as many, and nobody thinks for long."""
    plan = demo.plan()
    plan["matches"] = [match for match in plan["matches"] if special(match)][:6]
    plan["season"]["matches"] = 3
    monkeypatch.setattr(demo, "plan", lambda: plan)
    monkeypatch.setattr(demo, "THINKS", (0.0, 0.0))
    monkeypatch.setattr(demo, "LOOKS", 0.05)


def test_matches_are_played_once_and_count(capsys: pytest.CaptureFixture[str]) -> None:
    call_command("seed", demo=True)
    assert "9 matches were played" in capsys.readouterr().out
    assert Match.objects.filter(status=Match.OVER).count() == 9
    assert Result.objects.count() == 9
    for match in Match.objects.all():
        assert checking.check(match) == []
    call_command("seed", demo=True)
    assert "are there" in capsys.readouterr().out
    assert Match.objects.count() == 9


def test_the_past_is_as_the_plan_has_it() -> None:
    call_command("seed", demo=True, verbosity=0)
    now = time.time()
    ended = [match.ended_at or now for match in Match.objects.order_by("started_at")]
    assert ended == sorted(ended)
    assert ended[-1] < now - 3600 and ended[0] < now - 20 * 86400
    ways = {json.loads(match.result)["how"] for match in Match.objects.all()}
    assert ways == {"target", "forfeit", "agreed"}
    assert {
        json.loads(seeds) != ["", ""] for seeds in Match.objects.values_list("seeds", flat=True)
    }
    results = Result.objects.order_by("ended_at")
    assert results.filter(voided_at__isnull=False).count() == 1
    assert abs(results[0].ended_at.timestamp() - ended[0]) < 1
    assert Report.objects.filter(answered_at=None).exists()
    assert Report.objects.exclude(answered_at=None).exists()
    assert {act.what for act in Act.objects.all()} >= {"void", "mute", "answer report"}
    assert figures.deals().matches == 4
    assert "forfeits" in {one.what for one in odd.listed()}


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
