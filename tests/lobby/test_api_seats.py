"""Seats over the API: taken and left, by people and bots, until a match begins."""

from typing import Any

import pytest
from django.test import Client

from dominoes.table import play, seating, store
from dominoes.table.models import Seat, Table
from tests.lobby.conftest import MakePlayer, Program
from tests.lobby.looking import ROOM

pytestmark = pytest.mark.django_db


# --- seats --------------------------------------------------------------------------------------


def test_sit_change_and_stand(ana: Program, ben: Program) -> None:
    code = ana.room(players=3)["code"]
    status, room = ben.post(f"rooms/{code.lower()}/sit", {"seat": 2, "seed": "AB" * 32})
    assert status == 200 and set(room) == ROOM
    assert room["seats"] == [
        {"seat": 0, "name": "Ana", "bot": None},
        None,
        {"seat": 2, "name": "Ben", "bot": None},
    ]
    assert Seat.objects.get(table__code=code, seat=2).seed == "ab" * 32
    room = ben.post(f"rooms/{code}/sit", {"seat": 1})[1]
    assert [s and s["name"] for s in room["seats"]] == ["Ana", "Ben", None]
    status, room = ana.post(f"rooms/{code}/stand")
    assert status == 200
    assert room["host"] == "Ben"
    assert [s and s["name"] for s in room["seats"]] == [None, "Ben", None]
    room = ben.post(f"rooms/{code}/stand")[1]
    assert (room["host"], room["status"]) == (None, "open")


def test_seats_that_can_not_be_had(ana: Program, ben: Program) -> None:
    code = ana.room()["code"]
    assert ben.post(f"rooms/{code}/sit", {"seat": 0})[0] == 409
    assert ben.post(f"rooms/{code}/sit", {"seat": 0})[1]["code"] == "taken"
    for seat in (2, -1, 10**20):
        status, refusal = ben.post(f"rooms/{code}/sit", {"seat": seat})
        assert (status, refusal["code"]) == (422, "bad_message")
    assert ben.post(f"rooms/{code}/stand")[0] == 403


@pytest.mark.parametrize(
    "body",
    [
        b"",
        {},
        {"seat": "1"},
        {"seat": True},
        {"seat": 1.0},
        {"seat": None},
        {"seat": 1, "seed": 7},
        {"seat": 1, "seed": "xyz"},
        {"seat": 1, "seed": "0" * 65},
    ],
)
def test_nonsense_takes_no_seat(ana: Program, ben: Program, body: Any) -> None:
    code = ana.room()["code"]
    status, refusal = ben.post(f"rooms/{code}/sit", body)
    assert status == 422 and set(refusal) == {"code", "detail"}
    assert ben.get(f"rooms/{code}")[1]["seats"][1] is None


def test_guests_sit_at_no_ranked_table(account: MakePlayer, ben: Program) -> None:
    code = Program(account("Carla")).room(ranked=True)["code"]
    status, refusal = ben.post(f"rooms/{code}/sit", {"seat": 1})
    assert (status, refusal["code"]) == (403, "forbidden")


def test_whoever_was_removed_stays_out(ana: Program, ben: Program, client: Client) -> None:
    code = ana.room()["code"]
    ben.post(f"rooms/{code}/sit", {"seat": 1})
    store.call(seating.remove, code, ana.player.pk, 1)
    for method, path, body in (
        ("GET", f"rooms/{code}", None),
        ("POST", f"rooms/{code}/sit", {"seat": 1}),
        ("POST", f"rooms/{code}/stand", None),
        ("POST", f"rooms/{code}/bot", {"seat": 1, "level": "easy"}),
        ("POST", f"rooms/{code}/start", None),
        ("POST", f"rooms/{code}/rematch", None),
    ):
        status, refusal = ben.call(method, path, body)
        assert (status, refusal["code"]) == (403, "forbidden"), path
    assert ana.get(f"rooms/{code}")[0] == 200


# --- bots ---------------------------------------------------------------------------------------


def test_bots_come_change_and_go(ana: Program) -> None:
    code = ana.room(players=3)["code"]
    room = ana.post(f"rooms/{code}/bot", {"seat": 1, "level": "easy"})[1]
    assert room["seats"][1]["bot"] == "easy" and room["seats"][1]["seat"] == 1
    room = ana.post(f"rooms/{code}/bot", {"seat": 1, "level": "steady"})[1]
    assert room["seats"][1]["bot"] == "steady"
    room = ana.post(f"rooms/{code}/bot", {"seat": 1, "level": None})[1]
    assert room["seats"][1] is None
    assert ana.post(f"rooms/{code}/bot", {"seat": 1, "level": None})[0] == 200


def test_bots_where_they_may_not_be(ana: Program, ben: Program, account: MakePlayer) -> None:
    code = ana.room()["code"]
    ben.post(f"rooms/{code}/sit", {"seat": 1})
    bot = f"rooms/{code}/bot"
    assert ben.post(bot, {"seat": 1, "level": "easy"})[0] == 403
    assert ana.post(bot, {"seat": 1, "level": "easy"})[0] == 409
    assert ana.post(bot, {"seat": 1, "level": None})[0] == 409
    assert ana.post(bot, {"seat": 7, "level": "easy"})[0] == 422
    assert ana.post(bot, {"seat": 1, "level": "genius"})[0] == 422
    assert ana.post(bot, {"seat": 1})[0] == 422
    assert ana.post(bot, {"seat": 1, "level": True})[0] == 422
    carla = Program(account("Carla"))
    ranked = carla.room(ranked=True)["code"]
    status, refusal = carla.post(f"rooms/{ranked}/bot", {"seat": 1, "level": "easy"})
    assert (status, refusal["code"]) == (422, "rules")


# --- beginning, and again -----------------------------------------------------------------------


def test_start(ana: Program, ben: Program, client: Client) -> None:
    code = ana.room()["code"]
    assert ana.post(f"rooms/{code}/start")[0] == 409
    ben.post(f"rooms/{code}/sit", {"seat": 1})
    assert ben.post(f"rooms/{code}/start")[0] == 403
    commit = ana.get(f"rooms/{code}")[1]["commit"]
    status, begun = ana.post(f"rooms/{code}/start")
    assert status == 200 and set(begun) == {"match"}
    room = client.get(f"/api/v1/rooms/{code}").json()
    assert (room["status"], room["match"], room["commit"]) == ("playing", begun["match"], commit)
    assert client.get("/api/v1/rooms").json()["items"] == []
    assert ana.post(f"rooms/{code}/start")[0] == 409
    assert ana.post(f"rooms/{code}/stand")[0] == 409
    assert ana.post(f"rooms/{code}/rematch")[0] == 409
    assert ana.post(f"rooms/{code}/sit", {"seat": 1})[0] == 409


def test_a_stranger_begins_nothing(ana: Program, ben: Program) -> None:
    code = ana.room()["code"]
    ana.post(f"rooms/{code}/bot", {"seat": 1, "level": "easy"})
    assert ben.post(f"rooms/{code}/start")[0] == 403
    assert ben.post(f"rooms/{code}/rematch")[0] == 403


def test_rematch(ana: Program, ben: Program) -> None:
    code = ana.room()["code"]
    ben.post(f"rooms/{code}/sit", {"seat": 1})
    assert ana.post(f"rooms/{code}/rematch")[0] == 409
    first = ana.post(f"rooms/{code}/start")[1]["match"]
    store.call(play.leave, code, ben.player.pk)
    room = ana.get(f"rooms/{code}")[1]
    assert (room["status"], room["match"]) == ("open", first)
    assert ana.post(f"rooms/{code}/rematch") == (200, {"match": None})
    assert ana.post(f"rooms/{code}/rematch") == (200, {"match": None})
    status, begun = ben.post(f"rooms/{code}/rematch")
    assert status == 200 and begun["match"] not in (None, first)


def test_a_closed_room(ana: Program) -> None:
    code = ana.room()["code"]
    Table.objects.filter(code=code).update(status=Table.CLOSED)
    store.forget()
    assert ana.get(f"rooms/{code}")[1]["status"] == "closed"
    for path, body in (
        ("sit", {"seat": 1}),
        ("stand", None),
        ("bot", {"seat": 1, "level": "easy"}),
        ("start", None),
        ("rematch", None),
    ):
        assert ana.post(f"rooms/{code}/{path}", body)[0] == 404, path
