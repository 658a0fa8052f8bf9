"""Codes tried at the table's page count as those tried over the API and in the lobby do."""

from typing import Any

import pytest
from django.core.cache import cache
from django.test import Client

from dominoes.table import guessing
from tests.table.tables import Room

pytestmark = pytest.mark.django_db


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

    for name in ("get", "set", "add"):
        monkeypatch.setattr(cache, name, down)
    scope = {"client": ("10.9.9.9", 5)}
    for _ in range(6):
        guessing.missed(scope)
    assert guessing.seconds_shut(scope) is None
