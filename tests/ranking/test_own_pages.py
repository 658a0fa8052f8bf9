"""Settings, tokens, own data, closing an account, being forgotten."""

import json
import re
from datetime import timedelta
from typing import Any

import pytest
from django.dispatch import receiver
from django.test import Client
from django.utils import timezone

from ranking import players, prefs
from ranking.accounts import FORGET_AFTER, close_account, forget_guests, stored_about
from ranking.models import Act, Career, Player, RatingChange, Side, Standing, Token
from ranking.prefs import Switch
from ranking.signals import account_closed, own_data
from tests.ranking.conftest import duel, pairs
from tests.ranking.people import PASSWORD, Ended, me, sign_in

pytestmark = [pytest.mark.django_db, pytest.mark.urls("tests.ranking.urls")]


# --- settings ---------------------------------------------------------------------------------


@pytest.fixture
def big(monkeypatch: pytest.MonkeyPatch) -> None:
    """A switch that another app has registered."""
    monkeypatch.setattr(prefs, "_switches", {})
    monkeypatch.setattr(prefs, "_sections", {})
    prefs.register(Switch("table", "big", "Big tiles", "For tired eyes.", True), "At the table")
    prefs.register(Switch("", "sounds", "Sounds"))


def test_settings_are_kept_as_json_and_in_cookies(client: Client, eva: Player, big: None) -> None:
    sign_in(client, "Eva")
    page = client.get("/settings/").content.decode()
    assert "At the table" in page
    assert "For tired eyes." in page
    form = {"form": "settings", "language": "es", "theme": "dark", "sounds": "on"}
    answer = client.post("/settings/", form)
    assert answer.status_code == 302
    assert (answer.cookies["theme"].value, answer.cookies["django_language"].value) == (
        "dark",
        "es",
    )
    eva.refresh_from_db()
    assert eva.prefs == {
        "language": "es", "theme": "dark", "sounds": True, "table": {"big": False}
    }  # fmt: skip
    assert prefs.of(eva) == eva.prefs
    elsewhere = Client()
    assert sign_in(elsewhere, "Eva").cookies["theme"].value == "dark"
    cleared = client.post("/settings/", {"form": "settings", "language": "", "theme": ""})
    assert cleared.cookies["theme"].value == ""


def test_settings_of_a_guest(client: Client, big: None) -> None:
    client.post("/accounts/guest/", {"name": "Gil"})
    page = client.get("/settings/").content.decode()
    assert "You play as a guest" in page
    assert "Change the password" not in page
    client.post("/settings/", {"form": "settings", "theme": "light", "table.big": "on"})
    guest = me(client)
    assert guest is not None
    assert prefs.of(guest)["table"] == {"big": True}
    client.post("/settings/", {"form": "email", "email": "gil@example.org"})
    guest.refresh_from_db()
    assert guest.email == ""


def test_unknown_choices_are_dropped_and_the_rest_stays(eva: Player, big: None) -> None:
    prefs.store(eva, {"language": "es", "table": {"big": False}})
    prefs.store(
        eva,
        {
            "language": "tlh",
            "theme": 7,
            "evil": 1,
            "table": {"big": "yes", "more": True},
            "sounds": 1,
        },
    )
    assert eva.prefs == {"language": "es", "table": {"big": False}}
    prefs.store(eva, {"table": "nothing"})
    assert prefs.of(eva)["table"] == {"big": False}
    assert prefs.of(None) == {
        "language": "", "theme": "", "table": {"big": True}, "sounds": False
    }  # fmt: skip


def test_the_address_can_be_changed(client: Client, eva: Player) -> None:
    sign_in(client, "Eva")
    client.post("/settings/", {"form": "email", "email": "new@example.org"})
    eva.refresh_from_db()
    assert eva.email == "new@example.org"
    page = client.post("/settings/", {"form": "email", "email": "no address"})
    assert page.status_code == 200
    eva.refresh_from_db()
    assert eva.email == "new@example.org"


def test_a_token_is_shown_once_and_can_be_revoked(client: Client, eva: Player) -> None:
    sign_in(client, "Eva")
    client.post("/settings/tokens/", {"label": "my <bot>"})
    page = client.get("/settings/").content.decode()
    shown = re.search(r'<code id="new-token">([^<]+)</code>', page)
    assert shown is not None
    assert players.player_for_token(shown[1]) == eva
    assert "my &lt;bot&gt;" in page
    assert 'Revoke<span class="visually-hidden">: my &lt;bot&gt;</span>' in page
    assert shown[1] not in client.get("/settings/").content.decode()
    ended = Ended()
    token = Token.objects.get()
    client.post("/settings/tokens/", {"revoke": str(token.pk)})
    assert players.player_for_token(shown[1]) is None
    assert ended.said[0]["token"] == token.digest


def test_nobody_revokes_anothers_token(client: Client, eva: Player, ana: Player) -> None:
    token = players.make_token(ana)
    sign_in(client, "Eva")
    for revoke in (str(Token.objects.get().pk), "x", "9" * 30):
        client.post("/settings/tokens/", {"revoke": revoke})
    assert players.player_for_token(token) == ana


def test_tokens_are_not_heaped_up(client: Client, eva: Player) -> None:
    sign_in(client, "Eva")
    for _ in range(22):
        client.post("/settings/tokens/", {})
    assert Token.objects.count() == 20


PRIVATE = ["/settings/", "/settings/data/", "/settings/close/", "/accounts/password_change/"]


@pytest.mark.parametrize("path", PRIVATE)
def test_pages_about_oneself_are_for_oneself(client: Client, path: str) -> None:
    answer = client.get(path)
    assert answer.status_code == 302
    assert answer.headers["Location"] == f"/accounts/login/?next={path}"
    assert client.post("/settings/tokens/").status_code == 302
    assert not Token.objects.exists()


@pytest.mark.parametrize(
    "path", [*PRIVATE, "/accounts/guest/", "/accounts/login/", "/accounts/signup/"]
)
def test_pages_about_oneself_are_not_cached(client: Client, eva: Player, path: str) -> None:
    if path in PRIVATE:
        client.force_login(eva)
    assert "no-cache" in client.get(path).headers["Cache-Control"]


@pytest.mark.parametrize(
    "path",
    ["/settings/", "/settings/tokens/", "/settings/close/", "/accounts/guest/", "/accounts/login/",
     "/accounts/signup/", "/accounts/logout/", "/accounts/password_change/"],
)  # fmt: skip
def test_forms_of_other_sites_are_refused(eva: Player, path: str) -> None:
    strict = Client(enforce_csrf_checks=True)
    strict.force_login(eva)
    assert strict.post(path, {"sure": "on", "name": "x"}).status_code == 403


# --- own data, closing, forgetting ------------------------------------------------------------


def test_own_data_holds_everything_and_no_secret(
    client: Client, eva: Player, ben: Player, cleo: Player, dan: Player
) -> None:
    duel(eva, ben, key="one")
    pairs(eva, ben, cleo, dan, key="two")
    token = players.make_token(eva, "bot")
    sign_in(client, "Eva")

    @receiver(own_data)
    def lobby(sender: Any, player: Player, **more: Any) -> dict[str, Any]:
        return {"blocks": [f"of {player.name}"]}

    answer = client.get("/settings/data/")
    assert "attachment" in answer.headers["Content-Disposition"]
    data = json.loads(answer.content)
    assert data["account"]["email"] == "eva@example.org"
    assert [match["match"] for match in data["matches"]] == ["two", "one"]
    assert data["matches"][0]["with"] == ["Ben", "Cleo", "Dan"]
    assert data["figures"]["points"] == 50
    assert len(data["rating"]) == 1
    assert data["tokens"][0]["label"] == "bot"
    assert data["blocks"] == ["of Eva"]
    text = answer.content.decode()
    assert token not in text
    assert Token.objects.get().digest not in text
    assert eva.password not in text


def test_own_data_is_whole_however_much_it_is(ana: Player, ben: Player) -> None:
    for number in range(7):
        duel(ana, ben, key=f"m{number}")
    assert len(stored_about(ana)["matches"]) == 7


def test_closing_takes_everything_personal_and_leaves_the_matches(
    client: Client, eva: Player, ben: Player, cleo: Player, dan: Player
) -> None:
    duel(eva, ben, key="one")
    pairs(eva, ben, cleo, dan, key="two")
    players.make_token(eva)
    prefs.store(eva, {"theme": "dark"})
    before = Career.objects.get(player=ben)
    sign_in(client, "Eva")
    told: list[int] = []
    ended = Ended()

    @receiver(account_closed)
    def lobby(sender: Any, player_id: int, **more: Any) -> None:
        told.append(player_id)

    assert client.get("/settings/close/").status_code == 200
    assert client.post("/settings/close/", {"sure": "on", "password": "wrong"}).status_code == 200
    assert client.post("/settings/close/", {"password": PASSWORD}).status_code == 200
    assert players.find_player("Eva") is not None
    answer = client.post("/settings/close/", {"sure": "on", "password": PASSWORD})
    assert answer.headers["Location"] == "/"
    assert me(client) is None
    assert told == [eva.pk]
    assert {
        "player_id": eva.pk,
        "session_key": None,
        "token": None,
        "everything": True,
    } in ended.said

    eva.refresh_from_db()
    assert not eva.is_active
    assert (eva.email, eva.prefs, eva.last_login) == ("", {}, None)
    assert "Eva" not in json.dumps(list(Player.objects.values()), default=str)
    assert not Token.objects.exists()
    assert not Standing.objects.filter(player=eva).exists()
    assert not Career.objects.filter(player=eva).exists()
    for path in ("/players/Eva/", f"/players/Former player {eva.pk}/"):
        assert client.get(path).status_code == 404
    page = client.get("/players/Ben/").content.decode()
    assert "a closed account" in page
    assert "Former player" not in page
    after = Career.objects.get(player=ben)
    assert (after.rating, after.points) == (before.rating, before.points)
    assert "Eva" not in client.get("/ladder/").content.decode()
    players.create_account("Eva", PASSWORD)  # the name is free again, and is someone else's


def test_a_match_that_ends_after_the_closing_counts_for_the_others(
    eva: Player, ben: Player
) -> None:
    duel(eva, ben)
    close_account(eva)
    duel(eva, ben, "lost")
    assert not Career.objects.filter(player=eva).exists()
    assert not Standing.objects.filter(player=eva).exists()
    assert Career.objects.get(player=ben).points == 28
    assert RatingChange.objects.filter(player=ben).count() == 2


def test_a_guest_can_be_forgotten_at_once(client: Client) -> None:
    client.post("/accounts/guest/", {"name": "Gil"})
    assert client.post("/settings/close/", {"sure": "on"}).status_code == 302
    assert players.find_player("Gil") is None


def test_the_last_administrator_stays(client: Client) -> None:
    chief = Player.objects.create_superuser("Chief", PASSWORD)
    client.force_login(chief)
    page = client.post("/settings/close/", {"sure": "on", "password": PASSWORD})
    assert "only administrator" in page.content.decode()
    Player.objects.create_superuser("Deputy", PASSWORD)
    assert client.post("/settings/close/", {"sure": "on", "password": PASSWORD}).status_code == 302


def test_guests_who_never_came_back_are_forgotten(eva: Player, ben: Player) -> None:
    gone, here, signed = (players.create_guest(name) for name in ("Gone", "Here", "Signed"))
    players.sign_up(signed, "Signed", PASSWORD)
    duel(gone, ben, ranked=False)
    long_ago = timezone.now() - FORGET_AFTER - timedelta(hours=1)
    Player.objects.exclude(pk=here.pk).update(last_seen=long_ago)
    assert forget_guests() == 1
    assert forget_guests() == 0
    names = set(Player.objects.values_list("name", flat=True))
    assert names == {"Here", "Signed", "Eva", "Ben"}
    assert Side.objects.filter(player=None).count() == 1
    assert Career.objects.get(player=ben).lost == 1


def test_the_page_of_what_is_stored(client: Client) -> None:
    page = client.get("/about/stored/").content.decode()
    assert "30 days" in page
    assert "own-data" not in page
    assert "download everything" in page


def test_a_suspension_and_a_mute_end_by_themselves(eva: Player) -> None:
    now = timezone.now()
    assert not eva.is_suspended()
    assert not eva.is_muted()
    eva.suspended_until = eva.muted_until = now + timedelta(hours=1)
    assert eva.is_suspended(now)
    assert eva.is_muted(now)
    assert not eva.is_suspended(now + timedelta(hours=2))
    assert not eva.is_muted(now + timedelta(hours=2))
    assert not Act.objects.exists()
