"""Addresses and forms that nobody's page has: whatever they say, no page breaks over them."""

from __future__ import annotations

import pytest
from asgiref.sync import sync_to_async
from django.db import connections
from django.test import Client

from dominoes.table import protocol
from dominoes.table.models import Match
from ranking.models import Player, Token
from tests.table.finished import finished
from tests.table.sockets import Socket, new_room, quiet_hub
from tests.table.tables import Room, guest

__all__ = ["quiet_hub"]  # a fixture that each test here gets

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.servers]


@pytest.fixture
def match() -> Match:
    return finished("draw")


@pytest.fixture
def desk() -> Client:
    chief = Player.objects.create_user("Chief", is_staff=True, is_superuser=True)
    client = Client()
    client.force_login(chief, "django.contrib.auth.backends.ModelBackend")
    return client


@pytest.mark.parametrize("page", ["0", "-1", "00", "²", "٣", "9" * 18, "9" * 5000, "x", ""])
def test_any_page_of_the_ladder(page: str, client: Client) -> None:
    for board in ({}, {"by": "points"}, {"by": "points", "period": "week"}):
        assert client.get("/ladder/", {**board, "page": page}).status_code == 200


@pytest.mark.parametrize("number", ["²", "٣", "-1", "4", "9" * 5000, "①"])
def test_any_moment_and_any_eyes_of_a_replay(number: str, match: Match, client: Client) -> None:
    for name in ("eyes", "hand", "ply"):
        assert client.get(f"/matches/{match.pk}/", {name: number}).status_code == 200
    room = Room("draw", bots=1)
    for path in (f"/join/{room.code}/", f"/tables/{room.code}/"):
        assert client.get(path, {"seat": number}).status_code == 200
    answer = client.post(f"/tables/{room.code}/act/", {"act": f"sit {number}"})
    assert answer.status_code == 302


PATHS = [
    "/matches/{}/", "/matches/{}/record/", "/matches/{}/report/", "/tables/{}/",
    "/tables/{}/report/", "/join/{}/", "/players/{}/", "/players/{}/matches/", "/quick/{}/",
]  # fmt: skip
QUERIES = [
    "/ladder/?by=points&variant=a/b{}", "/ladder/?page={}", "/join/?code={}", "/?part={}",
    "/accounts/login/?next={}", "/players/Ana/matches/?other={}",
]  # fmt: skip


@pytest.mark.parametrize("path", PATHS + QUERIES)
def test_a_nul_leads_nowhere(path: str, client: Client) -> None:
    answer = client.get(path.format("a%00"))
    assert answer.status_code == 404
    assert "nothing at this address" in answer.content.decode()


@pytest.mark.parametrize(
    ("path", "status", "code"),
    [
        ("matches/%00", 404, "not_found"),
        ("matches/%00/record", 404, "not_found"),
        ("rooms/%00%00%00", 404, "not_found"),
        ("players/%00/matches", 404, "not_found"),
        ("ladder?by=points&variant=%00", 422, "malformed"),
        ("ladder?by=points&game=%00", 422, "malformed"),
        ("players/Ana/matches?variant=%00", 422, "malformed"),
    ],
)
def test_nor_in_the_api(path: str, status: int, code: str, client: Client) -> None:
    Player.objects.create_user("Ana")
    answer = client.get(f"/api/v1/{path}")
    assert (answer.status_code, answer.json()["code"]) == (status, code)
    assert set(answer.json()) == {"code", "detail"}


def test_nor_in_what_is_sent() -> None:
    ana = guest()
    client = Client()
    client.force_login(ana, "django.contrib.auth.backends.ModelBackend")
    client.post("/settings/tokens/", {"label": "my\0robot"})
    assert Token.objects.get(player=ana).label == "myrobot"
    room = Room("draw").start()
    live = room.live
    assert live.game is not None and live.game.turn is not None
    client.force_login(room.people[live.game.turn], "django.contrib.auth.backends.ModelBackend")
    move = {"move": live.game.legal_words()[0], "seq": live.seq, "id": "a\0b"}
    assert client.post(f"/tables/{room.code}/act/", move).status_code == 302
    assert room.live.seq > live.seq
    for body in ({"name": "A\0na"}, {"name": "\0"}):
        answer = client.post("/api/v1/guests", body, "application/json")
        assert answer.status_code in (201, 422)
    client.cookies["sessionid"] = "abcdefgh\0ijk"
    assert client.get("/").status_code == 200


@pytest.mark.parametrize("value", ["0", "-1", "99999", "9" * 30, "x", "2026"])
def test_any_date_at_the_desk(value: str, desk: Client) -> None:
    for page, field in (
        ("ranking/act", "at"), ("ranking/result", "ended_at"), ("ranking/player", "date_joined"),
    ):  # fmt: skip
        for lookup in ("year", "iso_year", "day", "gte", "lt", "date", "week"):
            answer = desk.get(f"/admin/{page}/", {f"{field}__{lookup}": value})
            assert answer.status_code in (200, 302), (page, lookup)
    for page in ("table/match", "table/table", "table/report"):
        for name in ("q", "p", "o", "moves", "began", "id__exact"):
            answer = desk.get(f"/admin/{page}/", {name: value})
            assert answer.status_code in (200, 302), (page, name)
        # A column, but none of the list's own filters.
        assert desk.get(f"/admin/{page}/", {"id__gt": value}).status_code == 400, page
    assert desk.get("/admin/table/match/", {"started_at__gt": value}).status_code == 400
    for page in ("ranking/act", "table/match", "table/table"):
        assert desk.get(f"/admin/{page}/?q=%00").status_code == 404
        assert desk.get(f"/admin/{page}/%00/change/").status_code == 404


async def test_nor_at_a_socket() -> None:
    socket = Socket("AB%00CDE")  # the path as a server hands it on: decoded
    socket.scope["path"] = "/ws/table/AB\0CDE/"
    assert (await socket.connect(timeout=5))[0]
    assert await socket.code() == protocol.NO_SUCH_ROOM
    room = await new_room()
    sign_in = [(b"origin", b"http://localhost"), (b"cookie", b'sessionid="abcdefgh\\000ijk"')]
    socket = Socket(room.code, sign_in)
    assert (await socket.open())["you"] is None
    await socket.disconnect()
    await sync_to_async(connections.close_all)()  # of the thread that asked, for the teardown
