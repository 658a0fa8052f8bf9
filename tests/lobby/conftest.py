"""People, programs and rooms for the lobby's tests."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
import time_machine
from django.test import Client

from dominoes.table import choosing, presence, seating, store
from ranking import players
from ranking.models import Player
from tests.lobby.waiting import Clock

MakePlayer = Callable[[str], Player]


@pytest.fixture(autouse=True)
def fresh_tables() -> Iterator[None]:
    """No table, and nobody's presence, is remembered from another test."""
    store.forget()
    presence.reset()
    yield
    store.forget()


class Program:
    """A program that speaks to the API with a token."""

    def __init__(self, player: Player) -> None:
        self.player = player
        self.name = player.name
        self.client = Client()
        self.token = players.make_token(player)

    def call(self, method: str, path: str, body: Any = None) -> tuple[int, Any]:
        """Call `path` under /api/v1/; gives status and JSON."""
        answer = self.client.generic(
            method,
            f"/api/v1/{path}",
            data=_json(body),
            content_type="application/json",
            headers={"Authorization": f"Bearer {self.token}"},
        )
        return answer.status_code, answer.json()

    def get(self, path: str) -> tuple[int, Any]:
        return self.call("GET", path)

    def post(self, path: str, body: Any = None) -> tuple[int, Any]:
        return self.call("POST", path, body)

    def room(self, **choices: Any) -> dict[str, Any]:
        """Open a room; Draw for two unless told otherwise."""
        asked = {"rules": "draw", "players": 2, "kind": "online"} | choices
        status, room = self.post("rooms", asked)
        assert status == 201, room
        return dict(room)


def _json(body: Any) -> str | bytes:
    import json

    if body is None:
        return b""
    return body if isinstance(body, str | bytes) else json.dumps(body)


@pytest.fixture
def guest(db: None) -> MakePlayer:
    """Makes guests."""
    return players.create_guest


@pytest.fixture
def account(db: None) -> MakePlayer:
    """Makes accounts."""
    return lambda name: players.create_account(name, None)


@pytest.fixture
def ana(guest: MakePlayer) -> Program:
    return Program(guest("Ana"))


@pytest.fixture
def ben(guest: MakePlayer) -> Program:
    return Program(guest("Ben"))


@pytest.fixture
def browser() -> Callable[[Player | None], Client]:
    """A browser, signed in as a player or not at all."""

    def make(player: Player | None = None) -> Client:
        client = Client()
        if player is not None:
            client.force_login(player)
        return client

    return make


@pytest.fixture
def make_room() -> Callable[..., str]:
    """Opens a room for a player; gives its code."""

    def make(host: Player, **choices: Any) -> str:
        asked = {"rules": "draw", "players": 2} | choices
        return store.call(seating.create_table, host.pk, choosing.check_choices(**asked))

    return make


@pytest.fixture
def clock() -> Iterator[Clock]:
    """A time of its own, which passes faster when a test says so."""
    with time_machine.travel("2030-05-01T12:00:00Z") as traveller:
        yield Clock(traveller)


@pytest.fixture
def people(guest: MakePlayer) -> list[Player]:
    return [guest(name) for name in ("Ana", "Ben", "Carla", "Dario", "Eva", "Flor")]
