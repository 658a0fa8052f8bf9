"""Codes tried at the table's page or socket count as those tried over the API and in the lobby."""

import asyncio
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from django.core.cache import cache
from django.test import AsyncClient, Client

from dominoes.table import guessing, protocol
from ranking import http
from tests.table.sockets import Headers, Socket, bearer, new_room, quiet_hub
from tests.table.tables import Room, guest

pytestmark = pytest.mark.django_db(transaction=True)
__all__ = ["quiet_hub"]  # a fixture of the sockets' tests, which each test here gets as well


@pytest.fixture(autouse=True)
def few(monkeypatch: pytest.MonkeyPatch, settings: Any) -> None:
    """Three misses are too many, and limits count."""
    monkeypatch.setattr(guessing, "MISSES", (3, 600))
    settings.RATE_LIMITS = True


def test_codes_can_not_be_guessed_at_the_tables_page(client: Client) -> None:
    room = Room(private=True)
    address = f"/tables/{room.code}/"
    assert client.get(address).status_code == 200
    for _ in range(4):
        assert client.get("/tables/AAAAAA/").status_code == 404
    # From here on a hit looks like a miss, whichever way it is tried.
    assert client.get(address).status_code == 404
    assert client.post(f"{address}act/", {"act": "ready"}).status_code == 404
    assert client.get(f"/api/v1/rooms/{room.code}").status_code == 429
    assert client.get(address, REMOTE_ADDR="10.1.2.3").status_code == 200


def test_forms_sent_to_guessed_codes_count(client: Client) -> None:
    for _ in range(4):
        assert client.post("/tables/AAAAAA/act/", {"act": "ready"}).status_code == 404
    assert client.get(f"/api/v1/rooms/{Room().code}").status_code == 429


def test_whoever_sits_there_is_not_shut_out_by_a_neighbours_guesses(client: Client) -> None:
    room = Room().start()
    for _ in range(4):
        client.get("/tables/AAAAAA/")
    client.force_login(room.people[0], "django.contrib.auth.backends.ModelBackend")
    assert client.get(f"/tables/{room.code}/").status_code == 200


def test_a_socket_counts_as_a_page_does() -> None:
    scope = {"client": ("10.9.9.9", 5)}
    for _ in range(3):
        guessing.missed(scope)
    assert guessing.seconds_shut(scope) is None
    guessing.missed(scope)
    assert guessing.seconds_shut(scope) == 600
    assert guessing.seconds_shut({"client": ("10.9.9.8", 5)}) is None


def test_a_limiter_that_fails_lets_people_in(monkeypatch: pytest.MonkeyPatch) -> None:
    def down(*_args: Any, **_more: Any) -> None:
        raise ConnectionError

    for name in ("get", "get_many", "set", "add"):
        monkeypatch.setattr(cache, name, down)
    scope = {"client": ("10.9.9.9", 5)}
    for _ in range(6):
        guessing.missed(scope)
    assert guessing.seconds_shut(scope) is None
    assert guessing.are_shut([scope]) is None


# Sockets


def caller(code: str, headers: Headers | None = None) -> Socket:
    """A socket from the address that pages are asked from here."""
    socket = Socket(code, headers)
    socket.scope["client"] = ("127.0.0.1", 50000)
    return socket


async def closed_with(code: str, headers: Headers | None = None) -> int:
    """The code that a socket is closed with right after its handshake."""
    socket = caller(code, headers)
    assert (await socket.connect())[0]
    return await socket.code()


async def test_codes_can_not_be_guessed_over_sockets() -> None:
    room = await new_room(private=True)
    watching = caller(room.code)
    await watching.open()
    for _ in range(4):
        assert await closed_with("AAAAAA") == protocol.NO_SUCH_ROOM
    # From here on all codes sound the same, whoever asks; also on pages.
    stranger = await sync_to_async(bearer)(await sync_to_async(guest)())
    for code in (room.code, "AAAAAA"):
        assert await closed_with(code) == protocol.FLOOD
        assert await closed_with(code, stranger) == protocol.FLOOD
        assert await closed_with(code, [(b"authorization", b"Bearer no")]) == protocol.SIGNED_OUT
    assert (await AsyncClient().get(f"/tables/{room.code}/")).status_code == 404
    # Who is in already, or sits there, stays.
    assert (await watching.ask(type="ping"))["type"] == "pong"
    sitting = caller(room.code, await sync_to_async(bearer)(room.people[0]))
    assert (await sitting.open())["you"] == 0


async def test_a_household_may_mistype_and_bad_tokens_are_no_guesses() -> None:
    room = await new_room()
    for _ in range(3):
        assert await closed_with("AAAAAA") == protocol.NO_SUCH_ROOM
    for _ in range(6):
        assert await closed_with("AAAAAA", [(b"authorization", b"Bearer no")]) == 4401
    assert (await caller(room.code).open())["room"] == room.code


async def test_many_guesses_at_once_are_all_counted() -> None:
    room = await new_room()
    await asyncio.gather(*(closed_with("AAAAAA") for _ in range(5)))
    assert await closed_with(room.code) == protocol.FLOOD


async def test_a_limiter_that_fails_lets_sockets_in(monkeypatch: pytest.MonkeyPatch) -> None:
    class Down:
        def __getattr__(self, name: str) -> Any:
            raise ConnectionError

    room = await new_room()
    for module in (guessing, http):
        monkeypatch.setattr(module, "cache", Down())
    for _ in range(6):
        assert await closed_with("AAAAAA") == protocol.NO_SUCH_ROOM
    assert (await caller(room.code).open())["room"] == room.code


def test_codes_can_not_be_guessed_by_way_of_a_report(client: Client) -> None:
    room = Room(private=True).start()
    address = f"/tables/{room.code}/report/"
    assert "/login/" in client.get(address).headers["Location"]
    somebody = "django.contrib.auth.backends.ModelBackend"
    client.force_login(guest(), somebody)
    for _ in range(4):
        assert client.get("/tables/AAAAAA/report/").status_code == 404
    assert client.get(address).status_code == 404
    assert client.get(f"/tables/{room.code}/").status_code == 404
    client.force_login(room.people[0], somebody)
    assert client.get(address).status_code == 302
