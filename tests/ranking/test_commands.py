"""`manage.py token`, `reset_link` and `forget_guests`."""

import re
from datetime import timedelta
from io import StringIO
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.test import Client
from django.utils import timezone

from ranking import players
from ranking.acts import Act
from ranking.models import Player

pytestmark = [pytest.mark.django_db, pytest.mark.urls("tests.ranking.urls")]


def run(*words: str) -> str:
    said = StringIO()
    call_command(*words, stdout=said)
    return said.getvalue()


def test_token_prints_a_token_and_nothing_else(ana: Player) -> None:
    said = run("token", "ana")
    assert re.fullmatch(r"\S+\n", said)
    assert players.player_for_token(said.strip()) == ana


def test_token_makes_the_account_when_asked_to() -> None:
    with pytest.raises(CommandError, match="--create"):
        run("token", "Zoe")
    first, second = (run("token", "Zoe", "--create").strip() for _ in range(2))
    zoe = players.player_for_token(first)
    assert zoe is not None
    assert zoe == players.player_for_token(second)
    assert (zoe.name, zoe.is_guest, zoe.has_usable_password()) == ("Zoe", False, False)


@pytest.mark.parametrize("name", ["", "a/b", "guest", "x" * 40])
def test_token_refuses_names_in_words(name: str) -> None:
    with pytest.raises(CommandError, match=r"\.$"):
        run("token", name, "--create")
    assert not Player.objects.exists()


def test_token_makes_no_account_of_a_look_alike(ana: Player) -> None:
    with pytest.raises(CommandError, match="looks like"):
        run("token", "Аna", "--create")  # a Cyrillic А


def test_a_guest_may_have_a_token_but_is_no_account() -> None:
    guest = players.create_guest("Gil")
    assert players.player_for_token(run("token", "Gil").strip()) == guest
    with pytest.raises(CommandError, match="guest"):
        run("token", "Gil", "--create")


def test_reset_link_leads_to_a_new_password(ana: Player, client: Client) -> None:
    link = run("reset_link", "Ana", "--site", "https://example.org/").strip()
    assert link.startswith("https://example.org/accounts/reset/")
    form = client.get(link.removeprefix("https://example.org"), follow=True)
    chosen = "nine tiles in a row"
    path = form.redirect_chain[-1][0]
    client.post(path, {"new_password1": chosen, "new_password2": chosen})
    ana.refresh_from_db()
    assert ana.check_password(chosen)
    act = Act.objects.get()
    assert (act.what, act.about) == ("reset link", ana)


@pytest.mark.parametrize(
    ("hosts", "site"),
    [
        (["*"], "http://localhost:8000"),
        ([".example.org", "tables.example"], "https://example.org"),
    ],
)
@pytest.mark.usefixtures("ana")
def test_reset_link_leads_to_the_public_sites_name(
    hosts: list[str], site: str, settings: Any
) -> None:
    settings.ALLOWED_HOSTS = hosts
    assert run("reset_link", "Ana").startswith(f"{site}/accounts/reset/")


def test_reset_link_is_for_accounts_only() -> None:
    players.create_guest("Gil")
    for name in ("Gil", "Nobody"):
        with pytest.raises(CommandError):
            run("reset_link", name)


def test_forget_guests_says_how_many() -> None:
    for number in range(3):
        players.create_guest(f"g{number}")
    assert "0" in run("forget_guests")
    Player.objects.update(last_seen=timezone.now() - timedelta(days=40))
    assert run("forget_guests") == "Guests forgotten: 3\n"
    assert not Player.objects.exists()


def test_the_first_administrator() -> None:
    call_command("createsuperuser", "--noinput", "--name", "Chief", stdout=StringIO())
    chief = Player.objects.get()
    assert (chief.is_staff, chief.is_superuser, chief.is_guest) == (True, True, False)
