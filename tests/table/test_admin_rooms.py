"""What keepers do to rooms and to people's play, and what those concerned are told."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.test import Client

from dominoes.table import choosing, seating, store
from dominoes.table.models import Match, Table
from dominoes.table.refusals import Refused
from ranking import profile
from ranking.accounts import stored_about
from ranking.acts import Act
from ranking.models import Player
from tests.table.tables import Room, member
from tests.table.test_admin import administrator, chief, inspect, moderator

__all__ = ["administrator", "chief", "moderator"]  # fixtures

pytestmark = pytest.mark.django_db


def close(client: Client, room: Room, reason: str) -> Any:
    row = Table.objects.get(code=room.code)
    form = {"action": "close_rooms", "_selected_action": [row.pk], "apply": "1", "reason": reason}
    return client.post("/admin/table/table/", form, follow=True)


def test_a_room_is_closed_and_its_match_has_no_result(moderator: Client) -> None:
    room = Room("draw").start()
    room.move()
    close(moderator, room, " ")
    assert room.live.status == Table.PLAYING
    close(moderator, room, "Offensive names")
    assert room.live.status == Table.CLOSED
    match = Match.objects.get(table__code=room.code)
    assert match.status == Match.ABANDONED
    assert profile.figures(room.people[0]).points == 0
    assert Client().get(f"/tables/{room.code}/").status_code == 404
    with pytest.raises(Refused):
        store.call(seating.sit, room.code, member().pk, 0)
    logged = Act.objects.all()
    assert {act.about for act in logged} == set(room.people) and len(logged) == 2
    for act in logged:
        assert (act.what, act.key, act.reason) == ("close room", room.code, "Offensive names")
    assert "closed" in close(moderator, room, "Again").content.decode()
    assert Act.objects.count() == 2
    assert "Offensive names" in inspect(moderator, match)


def test_an_open_room_is_closed_too(moderator: Client) -> None:
    room = Room("draw")
    close(moderator, room, "Nobody comes")
    assert room.live.status == Table.CLOSED
    assert room.live.clock.first() is None


def test_who_sat_in_a_closed_room_is_told_why_and_others_are_not(moderator: Client) -> None:
    room = Room("draw").start()
    ana, ben = room.people
    close(moderator, room, "Offensive names")
    pages = (f"/tables/{room.code}/", f"/join/{room.code}/")
    for player in (ana, ben):
        client = Client()
        client.force_login(player, "django.contrib.auth.backends.ModelBackend")
        for page in pages:
            answer = client.get(page)
            assert answer.status_code == 404
            text = answer.content.decode()
            assert "A moderator closed this room" in text and "Offensive names" in text
            assert "an hour after everybody left" not in text
        sent = client.post(f"/tables/{room.code}/act/", {"act": "ready"})
        assert sent.headers["Location"] == f"/tables/{room.code}/"
        (told,) = stored_about(player)["acts_about_you"]
        assert (told["what"], told["reason"]) == ("close room", "Offensive names")
    stranger = Client()
    stranger.force_login(member(), "django.contrib.auth.backends.ModelBackend")
    for client in (Client(), stranger):
        for page in pages:
            text = client.get(page).content.decode()
            assert "This room is closed." in text
            assert "moderator" not in text and "Offensive names" not in text


def test_a_room_that_time_closed_says_so(db: None) -> None:
    room = Room("draw")
    room.here()
    room.wait(3601)
    client = Client()
    client.force_login(room.people[0], "django.contrib.auth.backends.ModelBackend")
    text = client.get(f"/tables/{room.code}/").content.decode()
    assert "This room is closed." in text and "an hour after everybody left" in text


def test_who_is_suspended_does_not_play_and_who_is_muted_is_not_heard(
    administrator: Client, moderator: Client
) -> None:
    room = Room("draw")
    ana, ben = room.people
    until = datetime.now(UTC) + timedelta(days=3)
    form = {"suspended_until_0": f"{until:%Y-%m-%d}", "suspended_until_1": "00:00:00",
            "muted_until_0": f"{until:%Y-%m-%d}", "muted_until_1": "00:00:00",
            "email": "", "reason": "Two seats"}  # fmt: skip
    page = f"/admin/ranking/player/{ben.pk}/change/"
    assert moderator.post(page, form).status_code == 403
    assert administrator.post(page, form).status_code == 302
    assert {act.what for act in Act.objects.filter(about=ben)} == {"suspend", "mute"}
    with pytest.raises(Refused, match="may not play at present"):
        room.start()
    store.call(seating.stand, room.code, ben.pk)
    with pytest.raises(Refused, match="You can't play until"):
        store.call(seating.sit, room.code, ben.pk, 1)
    with pytest.raises(Refused, match="You can't play until"):
        store.call(seating.create_table, ben.pk, choosing.check_choices(rules="draw", players=2))
    ben.refresh_from_db()
    assert ben.is_muted()
    Player.objects.filter(pk=ben.pk).update(suspended_until=datetime.now(UTC))
    store.call(seating.sit, room.code, ben.pk, 1)
    assert ana.pk == room.people[0].pk
    room.start()
