"""The table app hears what the ladder tells: sign-ins that end, downloads, settings."""

import time

import pytest

from dominoes.table import housekeeping
from dominoes.table.hub import hub
from ranking import accounts, prefs, sessions
from ranking.models import Player
from tests.table.tables import Room

pytestmark = pytest.mark.django_db


def test_a_sign_in_that_ends_closes_its_sockets(monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[tuple[int, bool]] = []

    def hear(player_id: int, *, everything: bool, **_more: str) -> None:
        told.append((player_id, everything))

    monkeypatch.setattr(hub, "sign_out", hear)
    room = Room()
    sessions.end_everywhere(room.people[0])
    assert told == [(room.people[0].pk, True)]


def test_ones_matches_are_in_ones_download() -> None:
    room = Room().start()
    stored = accounts.stored_about(room.people[1])
    assert room.live.match is not None
    assert [(row["match"], row["seat"]) for row in stored["tables"]] == [(room.live.match.id, 1)]


def test_the_tables_switches_are_among_the_settings() -> None:
    names = {switch.name for switch in prefs.switches() if switch.section == "table"}
    assert {"at_once", "knock_for_me", "confirm", "left", "aid", "sound_turn"} <= names


def test_guests_whom_nobody_was_for_a_month_are_forgotten() -> None:
    room = Room()
    old, young = room.people
    Player.objects.filter(pk=old.pk).update(
        last_seen=time.strftime("%Y-%m-%dT00:00:00Z", time.gmtime(time.time() - 40 * 86400))
    )
    assert housekeeping.tick() == housekeeping.EVERY
    assert not Player.objects.filter(pk=old.pk).exists()
    assert Player.objects.filter(pk=young.pk).exists()
