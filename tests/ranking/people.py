"""What the tests of signing in and of one's own pages share."""

from typing import Any

from django.test import Client

from ranking.models import Player
from ranking.signals import signed_out

PASSWORD = "seven stones at noon"


def sign_up(client: Client, name: str = "Ana", **more: str) -> Any:
    form = {"name": name, "password": PASSWORD, "again": PASSWORD, "email": "", **more}
    return client.post("/accounts/signup/", form)


def me(client: Client) -> Player | None:
    pk = client.session.get("_auth_user_id")
    return None if pk is None else Player.objects.get(pk=pk)


class Ended:
    """What `signed_out` said."""

    def __init__(self) -> None:
        self.said: list[dict[str, Any]] = []
        signed_out.connect(self.hear)

    def hear(self, sender: Any, signal: Any, **told: Any) -> None:
        self.said.append(told)

    def by_session(self, key: str | None) -> set[int]:
        """Whose session of that key has ended."""
        return {told["player_id"] for told in self.said if told["session_key"] == key}

    def everywhere(self) -> set[int]:
        """Whose every way in has ended."""
        return {told["player_id"] for told in self.said if told["everything"]}


def sign_in(client: Client, name: str, password: str = PASSWORD) -> Any:
    return client.post("/accounts/login/", {"username": name, "password": password})
