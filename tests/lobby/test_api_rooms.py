"""Rooms over the API: opened, found, and who may."""

from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from dominoes.table.models import Table
from ranking import players
from ranking.models import Player
from tests.lobby.conftest import MakePlayer, Program
from tests.lobby.looking import ROOM, long_ago, sockets_at
from tests.table.tables import SETUPS

pytestmark = pytest.mark.django_db


# --- opening a room -----------------------------------------------------------------------------


def test_a_new_room(ana: Program) -> None:
    status, room = ana.post("rooms", {"rules": "fives", "players": 3, "kind": "online"})
    assert status == 201
    assert set(room) == ROOM
    assert len(room["code"]) == 6 and room["code"] == room["code"].upper()
    assert len(room.pop("commit")) == 64
    room.pop("code")
    assert room == {
        "rules": "fives",
        "options": {"players": 3, "sides": "singles", "target": 250},
        "kind": "online",
        "ranked": False,
        "status": "open",
        "host": "Ana",
        "seats": [{"seat": 0, "name": "Ana", "bot": None}, None, None],
        "match": None,
    }


@pytest.mark.parametrize(("rules", "seats", "sides"), SETUPS)
def test_every_setup(ana: Program, rules: str, seats: int, sides: str) -> None:
    room = ana.room(rules=rules, players=seats, sides=sides)
    assert room["options"]["players"] == seats
    assert room["options"]["sides"] == sides
    assert room["options"]["target"] == (250 if rules == "fives" else 100)
    assert len(room["seats"]) == seats


def test_what_the_rules_force_may_be_left_out(ana: Program) -> None:
    status, room = ana.post("rooms", {"rules": "partners", "kind": "online"})
    assert (status, room["options"]) == (201, {"players": 4, "sides": "partners", "target": 100})
    status, room = ana.post("rooms", {"rules": "classic", "players": 2, "kind": "nearby"})
    assert (status, room["kind"], room["options"]["sides"]) == (201, "nearby", "singles")


def test_all_that_can_be_chosen(ana: Program) -> None:
    room = ana.room(
        rules="partners",
        players=4,
        sides="partners",
        target=25,
        private=True,
        turn_seconds=600,
        double_six_opens=True,
        aid=False,
        replay="players",
        ranked=False,
    )
    row = Table.objects.get(code=room["code"])
    assert room["options"]["double_six_opens"] is True
    assert (row.target, row.private, row.turn_seconds, row.aid, row.replay) == (
        25, True, 600, False, "players",
    )  # fmt: skip


def test_null_is_as_good_as_left_out_and_unknown_keys_are_ignored(ana: Program) -> None:
    room = ana.room(sides=None, target=None, turn_seconds=None, aid=None, colour="red")
    row = Table.objects.get(code=room["code"])
    assert (row.target, row.turn_seconds, row.aid) == (100, 60, True)


def test_ranked_is_for_accounts_with_defaults_that_fit(account: MakePlayer) -> None:
    carla = Program(account("Carla"))
    room = carla.room(ranked=True)
    row = Table.objects.get(code=room["code"])
    assert room["ranked"] is True
    assert (row.aid, row.turn_seconds, row.target) == (False, 60, 100)


FORBIDDEN = [
    {"rules": "poker"},
    {"rules": "partners", "players": 2},
    {"rules": "partners", "sides": "singles"},
    {"rules": "draw", "players": 4, "sides": "partners"},
    {"rules": "classic", "players": 3},
    {"rules": "classic", "players": 4, "sides": None},
    {"rules": "draw", "players": None},
    {"players": 0},
    {"players": 10**30},
    {"sides": "teams"},
    {"target": 24},
    {"target": 501},
    {"target": -1},
    {"turn_seconds": 9},
    {"turn_seconds": 601},
    {"turn_seconds": -5},
    {"kind": "far"},
    {"kind": "nearby", "ranked": True},
    {"kind": "nearby", "turn_seconds": 60},
    {"replay": "nobody"},
    {"double_six_opens": True},
    {"ranked": True, "turn_seconds": 0},
    {"ranked": True, "target": 50},
    {"ranked": True, "aid": True},
    {"rules": "partners", "players": 4, "ranked": True, "double_six_opens": True},
]


@pytest.mark.parametrize("choices", FORBIDDEN)
def test_what_the_rules_forbid(account: MakePlayer, choices: dict[str, Any]) -> None:
    carla = Program(account("Carla"))
    asked = {"rules": "draw", "players": 2, "kind": "online"} | choices
    status, refusal = carla.post("rooms", asked)
    assert (status, refusal["code"]) == (422, "rules")
    assert set(refusal) == {"code", "detail"} and len(refusal["detail"]) > 15
    assert not Table.objects.exists()


MALFORMED = [
    b"",
    b"{",
    b"[]",
    b"null",
    b'"draw"',
    b"\xff\xfe",
    {},
    {"rules": "draw"},
    {"rules": "draw", "players": 2},
    {"kind": "online"},
    {"rules": "draw", "players": "2", "kind": "online"},
    {"rules": "draw", "players": True, "kind": "online"},
    {"rules": "draw", "players": 2.0, "kind": "online"},
    {"rules": "draw", "players": [2], "kind": "online"},
    {"rules": None, "players": 2, "kind": "online"},
    {"rules": 1, "players": 2, "kind": "online"},
    {"rules": "draw", "players": 2, "kind": "online", "ranked": 1},
    {"rules": "draw", "players": 2, "kind": "online", "ranked": "false"},
    {"rules": "draw", "players": 2, "kind": "online", "private": 0},
    {"rules": "draw", "players": 2, "kind": "online", "aid": 0},
    {"rules": "draw", "players": 2, "kind": "online", "target": "100"},
    {"rules": "draw", "players": 2, "kind": "online", "target": True},
    {"rules": "draw", "players": 2, "kind": "online", "turn_seconds": "60"},
    {"rules": "draw", "players": 2, "kind": "online", "turn_seconds": False},
    {"rules": "draw", "players": 2, "kind": "online", "double_six_opens": "yes"},
    {"rules": "draw", "players": 2, "kind": "online", "replay": None},
]


@pytest.mark.parametrize("body", MALFORMED)
def test_what_can_not_be_read(ana: Program, body: Any) -> None:
    status, refusal = ana.post("rooms", body)
    assert (status, refusal["code"]) == (422, "malformed")
    assert refusal["detail"]
    assert not Table.objects.exists()


def test_guests_open_no_ranked_room(ana: Program) -> None:
    status, refusal = ana.post(
        "rooms", {"rules": "draw", "players": 2, "kind": "online", "ranked": True}
    )
    assert (status, refusal["code"]) == (403, "forbidden")


def test_nor_does_anyone_who_is_suspended(ana: Program) -> None:
    until = timezone.now() + timezone.timedelta(days=1)
    Player.objects.filter(pk=ana.player.pk).update(suspended_until=until)
    body = {"rules": "draw", "players": 2, "kind": "online"}
    status, refusal = ana.post("rooms", body)
    assert (status, refusal["code"]) == (403, "forbidden")
    assert "can't play until" in refusal["detail"]


def test_one_address_opens_so_many_rooms(ana: Program, settings: Any, monkeypatch: Any) -> None:
    monkeypatch.setattr("lobby.limits.ROOMS", (3, 600))
    body = {"rules": "draw", "players": 2, "kind": "online"}
    settings.RATE_LIMITS = True
    statuses = [ana.post("rooms", body)[0] for _ in range(4)]
    assert statuses == [201, 201, 201, 429]
    assert ana.post("rooms", body)[1]["code"] == "rate"
    settings.RATE_LIMITS = False
    assert ana.post("rooms", body)[0] == 201


# --- finding rooms ------------------------------------------------------------------------------


def test_a_room_by_its_code_in_either_case(ana: Program, client: Client) -> None:
    room = ana.room()
    for code in (room["code"], room["code"].lower()):
        answer = client.get(f"/api/v1/rooms/{code}")  # whoever has the code may ask
        assert answer.status_code == 200
        assert answer.json() == room


@pytest.mark.parametrize("code", ["AAAAAA", "nosuch", "K7QF2", "K7QF2MM", "a b", "é"])
def test_no_such_room(ana: Program, code: str) -> None:
    for method, path in (
        ("GET", f"rooms/{code}"),
        ("POST", f"rooms/{code}/stand"),
        ("POST", f"rooms/{code}/start"),
        ("POST", f"rooms/{code}/rematch"),
    ):
        status, refusal = ana.call(method, path)
        assert (status, refusal["code"]) == (404, "no_such_room")
    assert ana.post(f"rooms/{code}/sit", {"seat": 0})[0] == 404
    assert ana.post(f"rooms/{code}/bot", {"seat": 0, "level": "easy"})[0] == 404


def test_codes_can_not_be_guessed_for_long(
    ana: Program, client: Client, settings: Any, monkeypatch: Any
) -> None:
    monkeypatch.setattr("dominoes.table.guessing.MISSES", (3, 600))
    settings.RATE_LIMITS = True
    code = ana.room()["code"]
    assert client.get(f"/api/v1/rooms/{code}").status_code == 200
    statuses = [client.get("/api/v1/rooms/AAAAAA").status_code for _ in range(5)]
    assert statuses == [404, 404, 404, 404, 429]
    # Now a hit isn't told from a miss, and other addresses are none the worse for it.
    assert client.get(f"/api/v1/rooms/{code}").status_code == 429
    assert client.get(f"/api/v1/rooms/{code}", REMOTE_ADDR="10.1.2.3").status_code == 200


def test_the_list_has_what_is_open_public_and_not_deserted(ana: Program, ben: Program) -> None:
    fresh = ana.room()["code"]
    ana.room(private=True)
    ana.room(kind="nearby")
    deserted = ana.room()["code"]
    long_ago(deserted)
    attended = ana.room()["code"]
    long_ago(attended)
    sockets_at(attended, 0)
    closed = ana.room()["code"]
    Table.objects.filter(code=closed).update(status=Table.CLOSED)
    status, found = ben.get("rooms")
    assert status == 200 and set(found) == {"items"}
    assert [room["code"] for room in found["items"]] == [attended, fresh]
    assert found["items"][1] == ben.get(f"rooms/{fresh}")[1]


def test_a_socket_of_a_process_that_fell_silent_is_nobody(ana: Program) -> None:
    code = ana.room()["code"]
    long_ago(code)
    sockets_at(code, 0, age=11)
    assert ana.get("rooms")[1]["items"] == []


def test_nor_is_a_room_in_which_only_bots_are_left(ana: Program) -> None:
    code = ana.room()["code"]
    ana.post(f"rooms/{code}/bot", {"seat": 1, "level": "easy"})
    ana.post(f"rooms/{code}/stand")
    assert ana.get("rooms")[1]["items"] == []


def test_the_list_takes_one_query(
    ana: Program, django_assert_num_queries: Any, client: Client
) -> None:
    for _ in range(5):
        ana.room()
    with django_assert_num_queries(1):
        assert len(client.get("/api/v1/rooms").json()["items"]) == 5


def test_bad_tokens_are_told(ana: Program, client: Client) -> None:
    code = ana.room()["code"]
    bad = {"Authorization": "Bearer nonsense"}
    for path in ("rooms", f"rooms/{code}"):
        answer = client.get(f"/api/v1/{path}", headers=bad)
        assert (answer.status_code, set(answer.json())) == (401, {"code", "detail"})


# --- who asks -----------------------------------------------------------------------------------

CALLS = [
    ("POST", "rooms", {"rules": "draw", "players": 2, "kind": "online"}),
    ("POST", "rooms/{code}/sit", {"seat": 1}),
    ("POST", "rooms/{code}/stand", None),
    ("POST", "rooms/{code}/bot", {"seat": 1, "level": "easy"}),
    ("POST", "rooms/{code}/start", None),
    ("POST", "rooms/{code}/rematch", None),
]


@pytest.mark.parametrize(("method", "path", "body"), CALLS)
def test_changes_need_a_sign_in(ana: Program, method: str, path: str, body: Any) -> None:
    code = ana.room()["code"]
    address = "/api/v1/" + path.format(code=code)
    for headers in ({}, {"Authorization": "Bearer nonsense"}, {"Authorization": "Basic YTpi"}):
        answer = Client().generic(
            method, address, b"{}", content_type="application/json", headers=headers
        )
        assert answer.status_code == 401
        assert set(answer.json()) == {"code", "detail"}


@pytest.mark.parametrize(("method", "path", "body"), CALLS)
def test_a_session_needs_its_csrf_token(ana: Program, method: str, path: str, body: Any) -> None:
    code = ana.room()["code"]
    client = Client(enforce_csrf_checks=True)
    client.force_login(ana.player)
    answer = client.generic(method, "/api/v1/" + path.format(code=code), b"{}")
    assert (answer.status_code, answer.json()["code"]) == (403, "csrf")


def test_a_session_will_do(ana: Program) -> None:
    client = Client()
    client.force_login(ana.player)
    answer = client.post(
        "/api/v1/rooms",
        {"rules": "draw", "players": 2, "kind": "online"},
        content_type="application/json",
    )
    assert answer.status_code == 201
    assert answer.json()["host"] == "Ana"


def test_every_call_of_the_router_is_tested_for_its_sign_in() -> None:
    from lobby.api import router

    free = {("GET", "/rooms"), ("GET", "/rooms/{code}")}
    listed = {(method, "/" + path) for method, path, _ in CALLS} | free
    found = {
        (method, path)
        for path, view in router.path_operations.items()
        for operation in view.operations
        for method in operation.methods
    }
    assert found == listed


def test_it_is_in_the_openapi_document(client: Client) -> None:
    paths = client.get("/api/v1/openapi.json").json()["paths"]
    assert {"get", "post"} <= set(paths["/api/v1/rooms"])
    for what in ("sit", "stand", "bot", "start", "rematch"):
        assert "post" in paths[f"/api/v1/rooms/{{code}}/{what}"]


def test_names_are_those_people_have_now(ana: Program) -> None:
    code = ana.room()["code"]
    ana.player.name = "Anna"
    ana.player.save()
    assert ana.get(f"rooms/{code}")[1]["host"] == "Anna"
    assert players.find_player("Anna") == ana.player


def test_the_document_is_only_read() -> None:
    client = Client(enforce_csrf_checks=True)
    assert client.head("/api/v1/openapi.json").status_code == 200
    for method in ("POST", "PUT", "DELETE"):
        answer = client.generic(method, "/api/v1/openapi.json", b"{}")
        assert (answer.status_code, answer.json()["code"]) == (405, "method")
