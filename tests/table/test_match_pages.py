"""A match's own page, its record and its row in the API: what they tell, and to whom."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth.models import Group
from django.test import Client

from dominoes.table import reports
from dominoes.table.models import Match
from dominoes.table.records import player_names
from ranking.accounts import close_account
from ranking.groups import MODERATORS
from ranking.models import Player
from tests.table.finished import finished
from tests.table.tables import Room, member

pytestmark = pytest.mark.django_db


def browser(player: Player | None = None) -> Client:
    client = Client()
    if player is not None:
        client.force_login(player, "django.contrib.auth.backends.ModelBackend")
    return client


def match_of(room: Room) -> Match:
    return Match.objects.get(table__code=room.code)


# --- a room's code ----------------------------------------------------------------------------


def told(client: Client, room: Room) -> set[str]:
    """Where the code of a room stands, among all that is said of its match."""
    match = match_of(room)
    pages = [
        f"/api/v1/matches/{match.pk}",
        f"/matches/{match.pk}/",
        f"/matches/{match.pk}/?hand=1&ply=2",
        f"/matches/{match.pk}/report/",
        f"/api/v1/matches/{match.pk}/record",
        f"/players/{room.people[0].name}/",
        f"/players/{room.people[0].name}/matches/",
        f"/api/v1/players/{room.people[0].name}/matches",
        "/api/v1/rooms",
        "/?part=now",
    ]
    return {page for page in pages if room.code in client.get(page).content.decode()}


@pytest.mark.parametrize("choices", [{"kind": "nearby"}, {"private": True}])
def test_a_code_that_is_a_key_is_told_to_nobody_else(choices: dict[str, Any]) -> None:
    room = Room("draw", **choices).start()
    room.here(0, 1)
    room.move()
    strangers = (browser(), browser(member()))
    for stranger in strangers:
        assert told(stranger, room) == set()
    match = match_of(room)
    own = told(browser(room.people[0]), room)
    assert {f"/api/v1/matches/{match.pk}", f"/matches/{match.pk}/report/"} <= own
    while room.live.in_match:
        room.play_hand()
        room.wait(11)
    assert match_of(room).status == Match.OVER
    for stranger in strangers:
        assert told(stranger, room) == set()
    assert f"/api/v1/matches/{match.pk}" in told(browser(room.people[0]), room)


def test_a_public_room_is_told_to_all() -> None:
    room = Room("draw").start()
    match = match_of(room)
    for client in (browser(), browser(member())):
        assert (
            f'href="/tables/{room.code}/"' in client.get(f"/matches/{match.pk}/").content.decode()
        )
        assert client.get(f"/api/v1/matches/{match.pk}").json()["room"] == room.code
    page = browser(member()).get(f"/matches/{match.pk}/report/").content.decode()
    assert f'href="/tables/{room.code}/"' in page


# --- names ------------------------------------------------------------------------------------


def test_whoever_is_gone_has_one_name_on_every_page() -> None:
    ana, ben = member(), member()
    match = finished("draw", people=[ana, ben])
    report = reports.make_report(match, ana, 1, "slow")
    close_account(ben)
    ben.refresh_from_db()
    pages = [
        f"/matches/{match.pk}/",
        f"/matches/{match.pk}/?hand=1&ply=3&eyes=all",
        f"/players/{ana.name}/",
        f"/players/{ana.name}/matches/",
        "/reports/",
    ]
    for page in pages:
        text = browser(ana).get(page).content.decode()
        assert "a closed account" in text, page
        assert "Former player" not in text and "someone who is gone" not in text, page
    # Records and programs keep the name that the account was left with.
    assert player_names(match) == [ana.name, f"Former player {ben.pk}"]
    ben.delete()
    assert player_names(match)[1] == "" and report.pk
    assert "a closed account" in browser().get(pages[1]).content.decode()


# --- the record -------------------------------------------------------------------------------


def test_a_keeper_without_rights_sees_what_everybody_does() -> None:
    match = finished("draw", replay="players")
    staff = Player.objects.create_user("Stan", is_staff=True)
    pages = (f"/matches/{match.pk}/record/", f"/api/v1/matches/{match.pk}/record")
    for page in pages:
        assert browser(staff).get(page).status_code == 404
    assert b"Move by move" not in browser(staff).get(f"/matches/{match.pk}/").content
    staff.groups.add(Group.objects.get(name=MODERATORS))
    for page in pages:
        assert browser(staff).get(page).status_code == 200
    assert b"Move by move" in browser(staff).get(f"/matches/{match.pk}/").content


def test_head_is_answered_as_get_is(client: Client) -> None:
    match, room = finished("draw"), Room("draw")
    for page in (f"/matches/{match.pk}/", f"/matches/{match.pk}/record/", f"/tables/{room.code}/"):
        answer = client.head(page)
        assert answer.status_code == 200
        assert answer.headers["Content-Type"] == client.get(page).headers["Content-Type"]
    assert client.head("/matches/nosuchmatch/").status_code == 404
    assert client.post(f"/matches/{match.pk}/").status_code == 405
