"""What a player likes at the table, kept by the menu of the table's page."""

import re
from typing import Any

import pytest
from django.test import Client

from dominoes.table.wiring import SECTION
from ranking import prefs
from ranking.models import Player
from tests.table.tables import Room, guest

pytestmark = pytest.mark.django_db


def kept(player: Player) -> dict[str, bool]:
    player.refresh_from_db()
    found: dict[str, bool] = prefs.of(player)[SECTION]
    return found


def menu(client: Client, room: Room) -> tuple[dict[str, str], set[str]]:
    """The form of the room's page as a browser would send it now, and the boxes that it has."""
    page = client.get(f"/tables/{room.code}/").content.decode()
    form = page[page.index('<form id="prefs"') :].partition("</form>")[0]
    boxes = set(re.findall(r'<input type="checkbox" name="(\w+)"', form))
    ticked = set(re.findall(r'<input type="checkbox" name="(\w+)" value="1" checked', form))
    hidden = dict(re.findall(r'<input type="hidden" name="(act|shown)" value="([^"]*)"', form))
    return {**hidden, **dict.fromkeys(ticked, "1")}, boxes


def send(client: Client, room: Room, form: dict[str, str]) -> None:
    answer = client.post(f"/tables/{room.code}/act/", form)
    assert answer.status_code in (200, 302)


def opened_by(player: Player, **choices: Any) -> Room:
    return Room("draw", people=[player], bots=1, **choices)


@pytest.fixture
def client(player: Player) -> Client:
    client = Client()
    client.force_login(player, "django.contrib.auth.backends.ModelBackend")
    return client


@pytest.fixture
def player() -> Player:
    return guest()


@pytest.mark.parametrize(("kind", "aid"), [("online", True), ("online", False), ("nearby", True)])
def test_the_menu_sends_just_what_it_shows(
    client: Client, player: Player, kind: str, aid: bool
) -> None:
    form, boxes = menu(client, opened_by(player, kind=kind, aid=aid))
    assert set(form["shown"].split()) == boxes
    known = {switch.name for switch in prefs.switches() if switch.section == SECTION}
    missing = {"sound_nearby"} if kind == "online" else set()
    assert known - boxes == (missing if aid else missing | {"aid"})


def test_a_box_that_a_table_lacks_keeps_what_it_was(client: Client, player: Player) -> None:
    room = opened_by(player, kind="nearby")
    form, _boxes = menu(client, room)
    assert form["aid"] == "1"
    send(client, room, {**form, "sound_nearby": "1"})
    room = opened_by(player, aid=False)
    form, _boxes = menu(client, room)
    del form["sound_knock"]
    send(client, room, {**form, "confirm": "1"})
    now = kept(player)
    assert now["aid"] is now["sound_nearby"] is now["confirm"] is True
    assert now["sound_knock"] is False


def test_a_page_of_before_keeps_nothing_and_is_told(client: Client, player: Player) -> None:
    room = opened_by(player)
    before = kept(player)
    answer = client.post(f"/tables/{room.code}/act/", {"act": "prefs", "left": "1"}, follow=True)
    assert b"out of date" in answer.content
    assert kept(player) == before
