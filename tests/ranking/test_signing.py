"""Being a guest, signing up, in and out, passwords: everything over the pages."""

import json
import re
from datetime import timedelta
from typing import Any

import pytest
import time_machine
from axes.models import AccessAttempt
from django.contrib.sessions.models import Session
from django.core import mail
from django.test import Client
from django.utils import timezone
from pytest_django.fixtures import Settings

from dominoes import lockout
from ranking import http, players
from ranking.accounts import close_account
from ranking.http import LIMITS
from ranking.models import Player, Side
from tests.ranking.conftest import account, duel
from tests.ranking.people import PASSWORD, Ended, me, sign_in, sign_up

pytestmark = [pytest.mark.django_db, pytest.mark.urls("tests.ranking.urls")]


# --- guests and signing up --------------------------------------------------------------------


def test_a_guest_needs_a_name_and_nothing_more(client: Client) -> None:
    assert client.get("/accounts/guest/").status_code == 200
    answer = client.post("/accounts/guest/", {"name": "Ana", "next": "/ladder/"})
    assert answer.headers["Location"] == "/ladder/"
    guest = me(client)
    assert guest is not None
    assert guest.is_guest
    assert not guest.has_usable_password()


def test_a_guest_is_not_made_twice(client: Client) -> None:
    for _ in range(2):
        client.post("/accounts/guest/", {"name": "Ana"})
    assert Player.objects.count() == 1


@pytest.mark.parametrize("name", ["", "admin", "a/b", "x" * 40])
def test_a_guests_name_is_refused_in_words(client: Client, name: str) -> None:
    page = client.post("/accounts/guest/", {"name": name})
    assert page.status_code == 200
    assert "errorlist" in page.content.decode()
    assert not Player.objects.exists()


@pytest.mark.parametrize(
    "wanted", ["https://evil.example/", "//evil.example", "javascript:alert(1)"]
)
def test_nobody_is_sent_to_another_site(client: Client, wanted: str) -> None:
    assert (
        client.post("/accounts/guest/", {"name": "Ana", "next": wanted}).headers["Location"] == "/"
    )


def test_signing_up_keeps_the_row_and_its_history(client: Client) -> None:
    client.post("/accounts/guest/", {"name": "Ana"})
    guest = me(client)
    assert guest is not None
    duel(guest, account("Ben"), ranked=False)
    token, session = players.make_token(guest), client.session.session_key
    ended = Ended()
    assert "Keep your name" in client.get("/accounts/signup/").content.decode()
    assert sign_up(client, "Ana").status_code == 302
    kept = me(client)
    assert kept == guest
    assert not kept.is_guest
    assert Side.objects.filter(player=kept).count() == 1
    # What was made before a password protected the row is worth nothing now.
    assert players.player_for_token(token) is None
    assert client.session.session_key != session
    assert not Session.objects.filter(session_key=session).exists()
    assert {
        "player_id": kept.pk,
        "session_key": session,
        "token": None,
        "everything": False,
    } in ended.said


def test_signing_up_without_being_a_guest(client: Client) -> None:
    assert client.get("/accounts/signup/").status_code == 200
    assert sign_up(client, email="ana@example.org").status_code == 302
    player = me(client)
    assert player is not None
    assert (player.name, player.email, player.is_guest) == ("Ana", "ana@example.org", False)
    assert player.check_password(PASSWORD)
    assert sign_up(client, "Another").headers["Location"] == "/"  # one is enough
    assert Player.objects.count() == 1


@pytest.mark.parametrize(
    ("field", "form"),
    [
        ("name", {"name": "Ben"}),
        ("name", {"name": "ВEN"}),  # Cyrillic В
        ("name", {"name": "guest"}),
        ("name", {"name": "Moderator"}),
        ("password", {"password": "short", "again": "short"}),
        ("password", {"password": "password", "again": "password"}),
        ("password", {"password": "1234567890", "again": "1234567890"}),
        ("password", {"name": "Anastasia", "password": "anastasia1", "again": "anastasia1"}),
        ("again", {"again": "something else"}),
        ("email", {"email": "no address"}),
    ],
)
def test_what_is_no_account_is_refused_in_words(
    client: Client, ben: Player, field: str, form: dict[str, str]
) -> None:
    page = sign_up(client, **{"name": "Ana", **form})
    assert page.status_code == 200
    assert list(page.context["form"].errors) == [field]
    assert Player.objects.count() == 1


@time_machine.travel("2026-06-01T12:00:30Z")  # limits count by the hour: not across its end
def test_forms_of_one_address_are_limited(client: Client) -> None:
    for number in range(LIMITS["guests"][0]):
        Client().post("/accounts/guest/", {"name": f"g{number}"})
    page = client.post("/accounts/guest/", {"name": "one more"})
    assert page.status_code == 429
    assert "Too many" in page.content.decode()
    for number in range(LIMITS["signup"][0]):
        sign_up(Client(), f"a{number}")
    assert sign_up(client, "one more").status_code == 429


# --- in and out -------------------------------------------------------------------------------


def test_signing_in_in_any_case_of_the_name(client: Client, eva: Player) -> None:
    assert sign_in(client, "eVA").status_code == 302
    assert me(client) == eva


@pytest.mark.parametrize("name", ["Еva", "Eva-2", "", "Former player 1"])  # the first: Cyrillic
def test_signing_in_by_a_look_alike_fails(client: Client, eva: Player, name: str) -> None:
    assert sign_in(client, name).status_code == 200
    assert me(client) is None


def test_guests_and_closed_accounts_cannot_sign_in(client: Client, eva: Player) -> None:
    players.create_guest("Gil")
    close_account(eva)
    for name in ("Gil", "Eva", f"Former player {eva.pk}"):
        assert sign_in(client, name).status_code == 200
    assert me(client) is None


def test_the_session_is_a_new_one(client: Client, eva: Player) -> None:
    client.post("/accounts/guest/", {"name": "Gil"})
    guest, before = me(client), client.session.session_key
    ended = Ended()
    sign_in(client, "Eva")
    assert client.session.session_key != before
    assert guest is not None
    assert ended.said == [
        {"player_id": guest.pk, "session_key": before, "token": None, "everything": False}
    ]


def test_signing_out_says_which_session_ended(client: Client, eva: Player) -> None:
    sign_in(client, "Eva")
    key = client.session.session_key
    ended = Ended()
    assert client.get("/accounts/logout/").status_code == 405
    assert client.post("/accounts/logout/").status_code == 302
    assert me(client) is None
    assert ended.said == [
        {"player_id": eva.pk, "session_key": key, "token": None, "everything": False}
    ]


def test_a_name_is_locked_for_an_address_and_no_other(client: Client, eva: Player) -> None:
    for number in range(8):
        page = sign_in(client, ["Eva", "EVA", "Еva", "3va"][number % 2], "wrong")
    assert page.status_code == 429
    assert "Too many tries" in page.content.decode()
    assert sign_in(client, "Eva").status_code == 429  # the right one comes too late
    assert me(client) is None
    elsewhere = Client(REMOTE_ADDR="192.0.2.9")
    assert sign_in(elsewhere, "Eva").status_code == 302
    players.create_account("Fritz", PASSWORD)
    assert sign_in(client, "Fritz").status_code == 302
    assert "wrong" not in json.dumps(list(AccessAttempt.objects.values("post_data", "username")))


def test_an_ipv6_line_has_no_more_tries_than_another(eva: Player) -> None:
    for number in range(8):
        page = sign_in(Client(REMOTE_ADDR=f"2001:db8:1:2::{number:x}"), "Eva", "wrong")
    assert page.status_code == 429
    assert sign_in(Client(REMOTE_ADDR="2001:db8:1:3::1"), "Eva").status_code == 302


def test_an_address_that_tries_one_name_after_the_other_has_to_wait(
    eva: Player, monkeypatch: pytest.MonkeyPatch, settings: Settings
) -> None:
    monkeypatch.setattr(lockout, "WRONG", (3, 900))
    settings.RATE_LIMITS = True
    guesser = Client(REMOTE_ADDR="192.0.2.77")
    for number in range(4):
        assert me(guesser) is None
        sign_in(guesser, f"Nobody{number}", "wrong")
    assert sign_in(guesser, "Eva").status_code == 429  # the right one isn't looked at
    page = guesser.post("/admin/login/", {"username": "Eva", "password": PASSWORD})
    assert page.status_code == 429
    assert sign_in(Client(REMOTE_ADDR="192.0.2.78"), "Eva").status_code == 302


def test_a_cache_that_is_gone_keeps_nobody_from_signing_in(
    client: Client, eva: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Gone:
        def __getattr__(self, name: str) -> Any:
            raise ConnectionError

    for module in (lockout, http):
        monkeypatch.setattr(module, "cache", Gone())
    assert sign_in(client, "Eva", "wrong").status_code == 200
    assert sign_in(client, "Eva").status_code == 302


def test_last_seen_follows_at_most_hourly(client: Client, eva: Player) -> None:
    sign_in(client, "Eva")
    long_ago = timezone.now() - timedelta(days=20)
    Player.objects.update(last_seen=long_ago)
    client.get("/ladder/")
    eva.refresh_from_db()
    assert timezone.now() - eva.last_seen < timedelta(minutes=1)
    recently = timezone.now() - timedelta(minutes=30)
    Player.objects.update(last_seen=recently)
    client.get("/ladder/")
    eva.refresh_from_db()
    assert eva.last_seen == recently


# --- passwords --------------------------------------------------------------------------------


def test_without_mail_the_page_says_whom_to_ask(client: Client) -> None:
    page = client.get("/accounts/password_reset/").content.decode()
    assert "administrator" in page
    assert "<form class" not in page


def test_a_forgotten_password(client: Client, eva: Player, settings: Settings) -> None:
    settings.MAIL_CONFIGURED = True
    old = players.make_token(eva)
    other = Client()
    sign_in(other, "Eva")
    assert client.get("/accounts/password_reset/").status_code == 200
    assert client.post("/accounts/password_reset/", {"email": "EVA@example.org"}).status_code == 302
    assert client.get("/accounts/password_reset/done/").status_code == 200
    (message,) = mail.outbox
    assert message.subject == "A new password for Eva"
    link = re.search(r"http://testserver(/accounts/reset/\S+)", str(message.body))
    assert link is not None
    ended = Ended()
    form = client.get(link[1], follow=True)
    assert "A new password" in form.content.decode()
    chosen = "nine tiles in a row"
    path = form.redirect_chain[-1][0]
    answer = client.post(path, {"new_password1": chosen, "new_password2": chosen}, follow=True)
    assert "Your new password is set" in answer.content.decode()
    assert sign_in(client, "Eva", chosen).status_code == 302
    assert "used already" in client.get(link[1], follow=True).content.decode()
    # Every other way in has ended.
    assert players.player_for_token(old) is None
    assert other.get("/settings/").status_code == 302
    assert {
        "player_id": eva.pk,
        "session_key": None,
        "token": None,
        "everything": True,
    } in ended.said


def test_an_unknown_address_gets_no_mail_and_the_same_answer(
    client: Client, settings: Settings
) -> None:
    settings.MAIL_CONFIGURED = True
    answer = client.post("/accounts/password_reset/", {"email": "nobody@example.org"})
    assert answer.headers["Location"] == "/accounts/password_reset/done/"
    assert mail.outbox == []


@time_machine.travel("2026-06-01T12:00:30Z")  # not across the end of a window
def test_mails_are_limited(client: Client, eva: Player, settings: Settings) -> None:
    settings.MAIL_CONFIGURED = True
    for _ in range(LIMITS["reset"][0] + 1):
        answer = client.post("/accounts/password_reset/", {"email": "eva@example.org"})
    assert answer.status_code == 429
    assert len(mail.outbox) == LIMITS["reset"][0]


def test_changing_the_password_keeps_this_session_alone(client: Client, eva: Player) -> None:
    other = Client()
    sign_in(client, "Eva")
    sign_in(other, "Eva")
    token = players.make_token(eva)
    assert client.get("/accounts/password_change/").status_code == 200
    chosen = "nine tiles in a row"
    form = {"old_password": PASSWORD, "new_password1": chosen, "new_password2": chosen}
    assert client.post("/accounts/password_change/", form).headers["Location"] == "/settings/"
    assert client.get("/settings/").status_code == 200
    assert other.get("/settings/").status_code == 302
    assert players.player_for_token(token) is None
