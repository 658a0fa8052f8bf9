"""The form that makes a table, and changes it."""

import re
from collections.abc import Callable

import pytest
from django.test import Client

from dominoes.table import beginning, seating, store
from dominoes.table.models import Table
from lobby import rooms
from ranking.models import Player
from tests.lobby.conftest import MakePlayer
from tests.lobby.looking import said, text

pytestmark = pytest.mark.django_db

Browser = Callable[..., Client]

FORM = {
    "rules": "partners",
    "setup": "4-partners",
    "target": "",
    "kind": "online",
    "access": "public",
    "counts": "casual",
    "turn_seconds": "60",
    "aid": "1",
    "replay": "all",
}


# --- creating a table ---------------------------------------------------------------------------


def test_creating_a_table(client: Client) -> None:
    assert client.get("/tables/new/").status_code == 200
    answer = client.post("/tables/new/", FORM | {"name": "Ana", "access": "private"})
    code = answer.headers["Location"].split("/")[2]
    row = Table.objects.get(code=code)
    assert (row.rules, row.players, row.sides, row.target) == ("partners", 4, "partners", 100)
    assert (row.private, row.turn_seconds, row.aid, row.replay) == (True, 60, True, "all")
    assert rooms.find(code).host.name == "Ana"  # type: ignore[union-attr]


def test_the_last_choices_are_remembered(client: Client) -> None:
    client.post(
        "/tables/new/",
        FORM | {"name": "Ana", "rules": "fives", "setup": "3-singles", "turn_seconds": "30"},
    )
    page = client.get("/tables/new/").content.decode()
    assert re.search(r'value="fives"[^>]* checked', page)
    assert re.search(r'value="3-singles"[^>]* checked', page)
    assert re.search(r'value="30" selected', page)


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"rules": "partners", "setup": "2-singles"}, "partners"),
        ({"rules": "draw", "setup": "4-partners"}, "draw"),
        ({"rules": "classic", "setup": "3-singles"}, "classic"),
        ({"target": "10"}, "between 25 and 500"),
        ({"target": "1000"}, "between 25 and 500"),
        ({"target": "many"}, "whole number"),
        ({"rules": "draw", "setup": "2-singles", "double_six_opens": "1"}, "Double six opens"),
        ({"turn_seconds": "5"}, "10 to 600"),
        ({"turn_seconds": "5000"}, "missing"),
        ({"rules": "poker"}, "missing"),
        ({"kind": ""}, "missing"),
        ({"counts": "ranked"}, "signed-in"),
    ],
)
def test_what_does_not_go_together_is_refused_in_words(
    client: Client, changes: dict[str, str], sentence: str
) -> None:
    answer = client.post("/tables/new/", FORM | {"name": "Ana"} | changes)
    assert answer.status_code == 422
    page = answer.content.decode()
    error = re.search(r'role="alert" id="form-error">([^<]+)<', page)
    assert error and sentence in error[1]
    assert 'value="Ana"' in page  # nothing that was filled in is lost
    assert not Table.objects.exists()
    assert not Player.objects.exists()


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"kind": "nearby"}, "nearby table can't be ranked"),
        ({"turn_seconds": "0"}, "needs a turn clock"),
        ({"target": "50"}, "100 points"),
        ({"double_six_opens": "1"}, "the lot"),
    ],
)
def test_what_a_ranked_table_can_not_have(
    account: MakePlayer, browser: Browser, changes: dict[str, str], sentence: str
) -> None:
    client = browser(account("Carla"))
    answer = client.post("/tables/new/", FORM | {"counts": "ranked"} | changes)
    assert answer.status_code == 422
    assert sentence in text(answer).replace("&#x27;", "'")
    answer = client.post("/tables/new/", FORM | {"counts": "ranked"})
    room = rooms.find(answer.headers["Location"].split("/")[2])
    assert (room.choices.ranked, room.choices.aid) == (True, False)


def test_a_nearby_table(client: Client) -> None:
    page = client.get("/tables/new/?kind=nearby").content.decode()
    assert re.search(r'value="nearby"[^>]* checked', page)
    answer = client.post("/tables/new/", FORM | {"name": "Ana", "kind": "nearby"})
    room = rooms.find(answer.headers["Location"].split("/")[2])
    assert (room.choices.kind, room.choices.turn_seconds) == ("nearby", 0)


def test_the_form_says_what_each_table_counts_for(client: Client) -> None:
    page = client.get("/tables/new/").content.decode()
    for what in ("nearby", "casual", "ranked-two", "ranked-more"):
        assert f'data-what="{what}" hidden' in page
    assert "25 points for a win, 8 for an agreed draw, 3 for a loss" in page


# --- changing it --------------------------------------------------------------------------------


def test_the_host_changes_the_table(
    guest: MakePlayer, browser: Browser, make_room: Callable[..., str]
) -> None:
    ana, ben = guest("Ana"), guest("Ben")
    code = make_room(ana, rules="partners", players=4, turn_seconds=37)
    store.call(seating.sit, code, ben.pk, 3)
    client = browser(ana)
    page = client.get(f"/tables/{code.lower()}/choices/").content.decode()
    assert re.search(r'value="37" selected', page)
    answer = client.post(
        f"/tables/{code}/choices/", FORM | {"rules": "draw", "setup": "3-singles", "target": "50"}
    )
    assert answer.headers["Location"] == f"/tables/{code}/"
    room = rooms.find(code)
    assert (room.options.rules, room.options.players, room.options.target) == ("draw", 3, 50)
    assert [s.name for s in room.people] == ["Ana", "Ben"]
    answer = client.post(
        f"/tables/{code}/choices/", FORM | {"rules": "draw", "setup": "4-partners"}
    )
    assert answer.status_code == 422
    assert rooms.find(code).options.players == 3
    assert (
        client.post(f"/tables/{code}/choices/", FORM | {"counts": "ranked"}).status_code == 422
    )  # guests sit there


def test_nobody_else_does_and_not_while_a_match_is_played(
    guest: MakePlayer, browser: Browser, make_room: Callable[..., str]
) -> None:
    ana, ben = guest("Ana"), guest("Ben")
    code = make_room(ana)
    store.call(seating.sit, code, ben.pk, 1)
    assert browser(ben).get(f"/tables/{code}/choices/").status_code == 403
    assert browser(ben).post(f"/tables/{code}/choices/", FORM).status_code == 403
    store.call(beginning.start, code, ana.pk)
    answer = browser(ana).post(f"/tables/{code}/choices/", FORM)
    assert answer.headers["Location"] == f"/tables/{code}/"
    assert "when it is over" in said(answer)[0]
    assert rooms.find(code).options.rules == "draw"
