"""The API's part on people, and the shape of every error."""

import json
import re
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
import time_machine
from django.core.cache import cache
from django.http import HttpRequest
from django.test import Client, RequestFactory
from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st
from pytest_django.fixtures import Settings

from ranking import players
from ranking.accounts import close_account
from ranking.http import LIMITS, allowed, client_ip, household
from ranking.models import Player
from ranking.results import void_result
from tests.ranking.conftest import MONDAY, account, duel, pairs

pytestmark = [pytest.mark.django_db, pytest.mark.urls("tests.ranking.urls")]

API = "/api/v1"


def post(client: Client, path: str, body: Any, **headers: str) -> Any:
    return client.post(API + path, body, content_type="application/json", headers=headers)


def error(response: Any, status: int, code: str | None = None) -> str:
    """Check the one shape of errors; gives the sentence."""
    assert response.status_code == status, response.content
    assert response.headers["Content-Type"].startswith("application/json")
    found = response.json()
    assert set(found) == {"code", "detail"}
    assert re.fullmatch(r"[a-z_]+", found["code"])
    assert found["detail"].endswith(".")
    if code is not None:
        assert found["code"] == code
    return str(found["detail"])


# --- guests and tokens ------------------------------------------------------------------------


def test_a_guest_gets_a_name_and_a_token(client: Client) -> None:
    made = post(client, "/guests", {"name": " Ana "})
    assert made.status_code == 201
    assert set(made.json()) == {"name", "token"}
    assert made.json()["name"] == "Ana"
    me = client.get(f"{API}/me", headers={"Authorization": f"Bearer {made.json()['token']}"})
    assert me.status_code == 200
    assert me.json() == {"name": "Ana", "guest": True}


def test_a_name_in_use_gets_a_suffix(client: Client) -> None:
    names = [post(client, "/guests", {"name": name}).json()["name"]
             for name in ("Ana", "ana", "Аna", "ANA")]  # fmt: skip
    assert names == ["Ana", "ana-2", "Аna-3", "ANA-4"]
    assert len(post(client, "/guests", {"name": "x" * 32}).json()["name"]) == 32
    assert post(client, "/guests", {"name": "x" * 32}).json()["name"] == "x" * 30 + "-2"


def test_a_crowd_of_one_name_all_get_in(client: Client, settings: Settings) -> None:
    settings.RATE_LIMITS = False
    names = {post(client, "/guests", {"name": "Bot"}).json()["name"] for _ in range(60)}
    assert len(names) == 60
    assert all(re.fullmatch(r"Bot-\d+", name) for name in names)


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ({"name": ""}, "name"),
        ({"name": "\u0000\u200b"}, "name"),
        ({"name": "a/b"}, "name"),
        ({"name": "x" * 33}, "name"),
        ({"name": "x" * 100_000}, "name"),
        ({"name": "Admin"}, "name"),
        ({"name": 7}, "malformed"),
        ({"name": None}, "malformed"),
        ({"name": ["Ana"]}, "malformed"),
        ({}, "malformed"),
        ([], "malformed"),
        (None, "malformed"),
        ("{", "malformed"),
        (b"\xff\xfe", "malformed"),
        (b'{"name": "\\ud800"}', "name"),
        (b"", "malformed"),
        ("[" * 10_000, "malformed"),
    ],
    ids=lambda value: repr(value)[:20],
)
def test_what_is_no_guest_is_refused_in_words(client: Client, body: Any, code: str) -> None:
    sent = json.dumps(body) if not isinstance(body, (str, bytes)) else body
    error(post(client, "/guests", sent), 422, code)
    assert not Player.objects.exists()


def test_a_body_too_large_is_refused(client: Client) -> None:
    big = json.dumps({"name": "x" * 400_000})
    error(post(client, "/guests", big), 422, "too_large")


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)


@hypothesis_settings(max_examples=40)
@given(st.one_of(json_values, st.fixed_dictionaries({"name": st.text(max_size=50)})))
def test_any_body_is_answered_cleanly(body: Any) -> None:
    cache.clear()
    response = post(Client(), "/guests", json.dumps(body))
    if response.status_code == 201:
        name = response.json()["name"]
        assert players.find_player(name) is not None
    else:
        error(response, 422)


def test_tokens_are_stored_as_hashes_and_revocable(client: Client, ana: Player) -> None:
    plain = players.make_token(ana)
    stored = ana.tokens.get()
    assert plain not in (stored.digest, str(stored))
    assert len(plain) >= 40
    assert players.player_for_token(plain) == ana
    assert players.revoke_tokens(ana) == 1
    assert players.player_for_token(plain) is None
    error(client.get(f"{API}/me", headers={"Authorization": f"Bearer {plain}"}), 401, "bad_token")


# --- who asks ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "header",
    ["Bearer", "Bearer ", "Bearer x", "Bearer x y", "bearer \x7f", "Basic QTpC", "x", "Bearer é"],
)
def test_a_bad_header_is_no_sign_in(client: Client, ana: Player, header: str) -> None:
    error(client.get(f"{API}/me", HTTP_AUTHORIZATION=header), 401)
    client.force_login(ana)  # and a good cookie doesn't mend it
    error(client.get(f"{API}/me", HTTP_AUTHORIZATION=header), 401)


def test_nobody_is_told_to_sign_in(client: Client) -> None:
    response = client.get(f"{API}/me")
    error(response, 401, "not_signed_in")
    assert response.headers["WWW-Authenticate"] == "Bearer"


def test_the_sites_own_session_will_do(client: Client, ana: Player) -> None:
    client.force_login(ana)
    assert client.get(f"{API}/me").json() == {"name": "Ana", "guest": False}


def test_a_closed_account_is_signed_out(client: Client, ana: Player) -> None:
    plain = players.make_token(ana)
    client.force_login(ana)
    close_account(ana)
    error(client.get(f"{API}/me"), 401)
    error(client.get(f"{API}/me", headers={"Authorization": f"Bearer {plain}"}), 401)


# --- errors that Django makes -----------------------------------------------------------------


@pytest.mark.parametrize(
    ("method", "path", "status", "code"),
    [
        ("get", "/nothing", 404, "not_found"),
        ("get", "/", 404, "not_found"),
        ("get", "/players/Nobody", 404, "not_found"),
        ("get", "/players/Nobody/matches", 404, "not_found"),
        ("get", "/players/%00", 404, "not_found"),
        ("get", "/players/%F0%9F%82%A0", 404, "not_found"),
        ("get", "/players/%ff", 404, "not_found"),
        ("get", "/guests", 405, "method"),
        ("delete", "/me", 405, "method"),
        ("put", "/ladder", 405, "method"),
        ("get", "/ladder?by=fame", 422, "malformed"),
        ("get", "/ladder?offset=-1", 422, "malformed"),
        ("get", "/ladder?limit=1000", 422, "malformed"),
        ("get", "/ladder?by=points&period=2026-W99", 422, "malformed"),
        ("get", "/ladder?offset=99999999999999999999999", 422, "malformed"),
    ],
)
def test_every_error_has_one_shape(
    client: Client, method: str, path: str, status: int, code: str
) -> None:
    error(getattr(client, method)(API + path), status, code)


def test_head_is_answered_as_get_without_a_body(client: Client, ana: Player) -> None:
    for path in (f"{API}/ladder", f"{API}/players/{ana.name}"):
        head, got = client.head(path), client.get(path)
        assert (head.status_code, head.content) == (200, b"")
        assert head.headers["Content-Type"] == got.headers["Content-Type"]
    assert client.head(f"{API}/players/nobody").status_code == 404
    assert client.head(f"{API}/guests").status_code == 405


def test_an_error_of_our_own_says_so_and_no_more(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_args: object) -> None:
        raise ZeroDivisionError("secret figures")

    monkeypatch.setattr("ranking.ladder.ladder_page", broken)
    client.raise_request_exception = False
    said = error(client.get(f"{API}/ladder"), 500, "error")
    assert "secret" not in said


# --- limits -----------------------------------------------------------------------------------


@time_machine.travel("2026-06-01T12:00:30Z")  # not across the end of a window
def test_guests_of_one_address_are_limited_with_room_for_a_household(client: Client) -> None:
    most = LIMITS["guests"][0]
    assert most >= 20
    for number in range(most):
        assert post(client, "/guests", {"name": f"g{number}"}).status_code == 201
    error(post(client, "/guests", {"name": "one more"}), 429, "rate")
    elsewhere = client.post(
        f"{API}/guests", {"name": "x"}, content_type="application/json", REMOTE_ADDR="192.0.2.7"
    )
    assert elsewhere.status_code == 201


def test_rate_limits_off_lifts_it(client: Client, settings: Settings) -> None:
    settings.RATE_LIMITS = False
    for number in range(LIMITS["guests"][0] + 2):
        assert post(client, "/guests", {"name": f"g{number}"}).status_code == 201


def test_a_limiter_that_fails_lets_people_in(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    def down(*_args: object, **_more: object) -> None:
        raise ConnectionError("no cache")

    monkeypatch.setattr(cache, "add", down)
    for number in range(LIMITS["guests"][0] + 2):
        assert post(client, "/guests", {"name": f"g{number}"}).status_code == 201


def test_a_limit_is_over_when_its_time_is(monkeypatch: pytest.MonkeyPatch) -> None:
    request = RequestFactory().get("/", REMOTE_ADDR="192.0.2.1")
    monkeypatch.setattr("ranking.http.time.time", lambda: 1000.0)
    assert allowed("x", request, 1, 60) is None
    wait = allowed("x", request, 1, 60)
    assert wait == 20  # 1000 is 40 seconds into its minute
    monkeypatch.setattr("ranking.http.time.time", lambda: 1000.0 + wait)
    assert allowed("x", request, 1, 60) is None


def test_addresses_of_one_line_count_together() -> None:
    assert household("2001:db8:1:2::5") == household("2001:db8:1:2:ffff::9")
    assert household("2001:db8:1:2::5") != household("2001:db8:1:3::5")
    assert household("::ffff:192.0.2.1") == household("192.0.2.1") != household("192.0.2.2")
    assert household("unix") == "unix"


def test_forwarded_headers_are_not_believed() -> None:
    request: HttpRequest = RequestFactory().get(
        "/", REMOTE_ADDR="192.0.2.1", HTTP_X_FORWARDED_FOR="203.0.113.9"
    )
    assert client_ip(request) == "192.0.2.1"
    assert client_ip({"client": ["192.0.2.2", 5], "headers": []}) == "192.0.2.2"
    assert client_ip({"client": None}) == ""


# --- players and ladder -----------------------------------------------------------------------


def test_a_players_figures(client: Client, ana: Player, ben: Player) -> None:
    assert client.get(f"{API}/players/Ana").json() == {
        "name": "Ana", "points": 0, "rating": None, "provisional": True,
        "won": 0, "drawn": 0, "lost": 0,
    }  # fmt: skip
    duel(ana, ben)
    assert client.get(f"{API}/players/aNA").json() == {
        "name": "Ana", "points": 25, "rating": 1662, "provisional": True,
        "won": 1, "drawn": 0, "lost": 0,
    }  # fmt: skip


def test_a_look_alike_is_not_found_under_ones_name(client: Client) -> None:
    account("Ilse")
    assert client.get(f"{API}/players/ILSE").status_code == 200
    error(client.get(f"{API}/players/llse"), 404, "not_found")


def test_names_with_spaces_and_accents_have_addresses(client: Client) -> None:
    account("José Ángel (2)")
    assert client.get(f"{API}/players/Jos%C3%A9%20%C3%81ngel%20(2)").status_code == 200
    assert client.get(f"{API}/players/Jose%CC%81%20%C3%81ngel%20(2)/matches").status_code == 200


def test_a_players_matches(client: Client, ana: Player, ben: Player, cleo: Player) -> None:
    duel(ana, ben, key="quoits:k1", ended_at=MONDAY)
    pairs(
        ana, ben, cleo, "easy", key="k2", winner=1, leaver=2, ended_at=MONDAY + timedelta(hours=1)
    )
    found = client.get(f"{API}/players/Ana/matches").json()
    assert set(found) == {"items", "next"}
    assert found["next"] is None
    newest, oldest = found["items"]
    assert newest["id"] == "k2"
    assert newest["players"][3] == {
        "seat": 3, "side": 1, "name": None, "bot": "easy", "outcome": "won"
    }  # fmt: skip
    assert (newest["ranked"], newest["points"], newest["partner_left"]) == (False, 0, True)
    assert oldest == {
        "id": "k1", "url": "/matches/x/", "game": "quoits", "variant": "plain", "kind": "online",
        "ranked": True, "rated": True, "ended_at": "2026-03-02T12:00:00Z", "outcome": "won",
        "points": 25, "rating_change": 162, "left": False, "partner_left": False, "seat": 0,
        "players": [
            {"seat": 0, "side": 0, "name": "Ana", "bot": None, "outcome": "won"},
            {"seat": 1, "side": 1, "name": "Ben", "bot": None, "outcome": "lost"},
        ],
    }  # fmt: skip


def test_matches_come_in_pages(client: Client, ana: Player, ben: Player) -> None:
    for number in range(7):
        duel(ana, ben, "won" if number % 2 else "lost", key=f"m{number}",
             ended_at=MONDAY + timedelta(hours=number))  # fmt: skip
    url: str | None = f"{API}/players/Ana/matches?limit=2&outcome=lost"
    found = []
    while url is not None:
        page = client.get(url).json()
        found += [item["id"] for item in page["items"]]
        url = page["next"]
        assert url is None or url.startswith("http://testserver/api/v1/players/Ana/matches?")
    assert found == ["m6", "m4", "m2", "m0"]
    error(client.get(f"{API}/players/Ben/matches?before=1"), 422, "malformed")


def test_what_was_voided_left_no_result(client: Client, ana: Player, ben: Player) -> None:
    duel(ana, ben, key="one")
    void_result("one", None, "a reason")
    assert client.get(f"{API}/players/Ana/matches").json()["items"] == []
    assert client.get(f"{API}/players/Ana").json()["points"] == 0


def test_the_name_of_a_closed_account_is_nowhere(client: Client, ana: Player, ben: Player) -> None:
    duel(ana, ben)
    close_account(ana)
    error(client.get(f"{API}/players/Ana"), 404)
    seats = client.get(f"{API}/players/Ben/matches").json()["items"][0]["players"]
    assert seats[0]["name"] is None
    assert [row["name"] for row in client.get(f"{API}/ladder").json()["items"]] == ["Ben"]
    assert client.get(f"{API}/ladder").json()["items"][0]["place"] == 1


def test_the_ladder(client: Client, ana: Player, ben: Player, cleo: Player, dan: Player) -> None:
    duel(ana, ben)
    pairs(cleo, ben, dan, ana)
    found = client.get(f"{API}/ladder").json()
    assert set(found) == {"items", "next"}
    assert found["next"] is None
    rows = [(row["place"], row["name"], row["rating"], row["points"]) for row in found["items"]]
    assert rows == [
        (1, "Ana", 1662, 28),
        (2, "Ben", 1338, 6),
        (3, "Cleo", None, 25),
        (3, "Dan", None, 25),
    ]
    assert set(found["items"][0]) == {
        "place", "name", "points", "rating", "provisional", "won", "drawn", "lost"
    }  # fmt: skip


def test_the_ladder_by_points_and_in_pages(client: Client, ana: Player, ben: Player) -> None:
    now = datetime.now(UTC)
    duel(ana, ben, ended_at=now)
    duel(ben, ana, ended_at=now - timedelta(days=30))
    for query, points in (
        ("by=points", [28, 28]),
        ("by=points&period=week", [25, 3]),
        ("by=points&variant=plain", [28, 28]),
        ("by=points&variant=plain&game=quoits&period=week", [25, 3]),
        ("by=points&variant=none", []),
    ):
        found = client.get(f"{API}/ladder?{query}").json()
        assert [row["points"] for row in found["items"]] == points, query
    first = client.get(f"{API}/ladder?limit=1").json()
    second = client.get(first["next"]).json()
    assert [first["items"][0]["place"], second["items"][0]["place"]] == [1, 2]
    assert second["next"] is None


def test_the_calls_are_described(client: Client) -> None:
    paths = client.get(f"{API}/openapi.json").json()["paths"]
    for path in ("/guests", "/me", "/players/{name}", "/players/{name}/matches", "/ladder"):
        assert API + path in paths
