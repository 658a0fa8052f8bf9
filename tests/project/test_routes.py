"""Who may do what, for every page, API call and socket message there is.

The lists below say it; the routes, the API's description and the socket's commands are walked, so
that a new one without its entry here fails.
"""

import asyncio
import json
import re
from collections.abc import Iterator
from ipaddress import ip_network
from typing import Any

import pytest
from channels.testing import HttpCommunicator, WebsocketCommunicator
from django.conf import settings
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver, reverse
from ninja import Schema
from pytest_django import Settings

from dominoes.asgi import application
from dominoes.rules.tiles import NAMES, tiles_in
from dominoes.table import api as table_api
from dominoes.table import consumers, course, presence, protocol, store, views
from dominoes.table.hub import hub
from dominoes.urls import api
from lobby import api as lobby_api
from ranking import api as ranking_api
from ranking.models import Player
from ranking.players import make_token
from tests.table.tables import Room, guest, member

pytestmark = pytest.mark.django_db(transaction=True)

#: Pages by name: who may look ("all", "signed in", "near" for this machine's network), or "post"
#: for those that only take forms. What a form may do is asked of its own tests; here, that a form
#: needs the page's token, and that a stranger's changes nothing at somebody else's table.
PAGES = {
    "home": "all",
    "play": "post",
    "invite-decline": "post",
    "table-new": "all",
    "table-choices": "signed in",
    "table-invite": "signed in",
    "join": "all",
    "join-room": "all",
    "quick": "all",
    "quick-pair": "all",
    "companions": "signed in",
    "healthz": "all",
    "metrics": "near",
    "table": "all",
    "table-act": "post",
    "match": "all",
    "match-record": "all",
    "report": "signed in",
    "reports": "signed in",
    "table-report": "all",
    "rules-index": "all",
    "rules": "all",
    "fair": "all",
    "ladder": "all",
    "player": "all",
    "player-matches": "all",
    "stored": "all",
    "settings": "signed in",
    "set_language": "post",
    "tokens": "post",
    "own-data": "signed in",
    "close-account": "signed in",
    "guest": "all",
    "signup": "all",
    "login": "all",
    "logout": "post",
    "password_change": "signed in",
    "password_reset": "all",
    "password_reset_done": "all",
    "password_reset_confirm": "all",
    "password_reset_complete": "all",
    "favicon": "all",
}
#: Statuses that a page for all may answer with: 404 and 409 where what it is about isn't there.
FINE = {200, 301, 302, 404, 409}
#: This one says by a fault's status that the server, which these tests have none of, isn't well.
MAY_BE_UNWELL = {"healthz": 503}

#: API calls that need no sign-in; every other one does.
OPEN_CALLS = {
    ("post", "/api/v1/guests"),
    ("get", "/api/v1/players/{name}"),
    ("get", "/api/v1/players/{name}/matches"),
    ("get", "/api/v1/ladder"),
    ("get", "/api/v1/matches/{match_id}"),
    ("get", "/api/v1/matches/{match_id}/record"),
    ("get", "/api/v1/rooms"),
    ("get", "/api/v1/rooms/{code}"),
}

#: Socket messages that a spectator may send.
OPEN_MESSAGES = {"ping"}
MESSAGES: dict[str, dict[str, Any]] = {
    "move": {"id": "a", "seq": 0, "move": "knock"},
    "seed": {"seed": "00ff"},
    "say": {"phrase": "nice"},
}

#: What the forms of a table's page ask for, and who may have it: the "host", whoever is "seated"
#: (about the own seat), "anyone".
ACTS = {
    "ready": "seated",
    "offer_draw": "seated",
    "accept_draw": "seated",
    "claim": "seated",
    "rematch": "seated",
    "leave": "seated",
    "stand": "seated",
    "bot": "host",
    "kick": "host",
    "start": "host",
    "mix": "host",
    "sit": "anyone",
    "prefs": "anyone",
}
ABOUT = {"sit": ["0", "1", "2"], "bot": ["2 steady", "2 none"], "kick": ["0", "1"]}


def forms(*may: str) -> list[dict[str, str]]:
    """The forms of all acts that these may ask for."""
    return [
        {"act": f"{act} {about}".strip()}
        for act, who in ACTS.items()
        if who in may
        for about in ABOUT.get(act, [""])
    ]


def pages() -> Iterator[URLPattern]:
    """Every page outside the API and the keepers' desk."""

    def walk(patterns: list[Any], prefix: str) -> Iterator[URLPattern]:
        for one in patterns:
            if isinstance(one, URLResolver):
                inner = prefix + str(one.pattern)
                if not inner.startswith(("api/", "admin/")):
                    yield from walk(one.url_patterns, inner)
            else:
                yield one

    yield from walk(get_resolver().url_patterns, "")


ALL_PAGES = list(pages())


def operations() -> list[tuple[str, str]]:
    """Every call of the API as method and path."""
    found = api.get_openapi_schema()["paths"]
    return [(method, path) for path, calls in found.items() for method in calls]


@pytest.fixture
def room() -> Iterator[Room]:
    """Somebody's private table with a match under way."""
    store.forget()
    presence.reset()
    hub.rooms.clear()
    yield Room("draw", private=True, replay="players").start()
    store.forget()
    presence.reset()


@pytest.fixture
def stranger() -> Player:
    """Somebody with an account who has nothing to do with that table."""
    return member()


def address(route: URLPattern, room: Room) -> str:
    """The address of a page, about that table where it is about one."""
    match = room.live.match
    assert match is not None
    about: dict[str, Any] = {
        "code": room.code,
        "match_id": match.id,
        "invite_id": 1,
        "system": "draw",
        "name": room.people[0].name,
        "uidb64": "MQ",
        "token": "none",
    }
    assert route.name is not None
    wanted = route.pattern.converters
    return reverse(route.name, kwargs={key: about[key] for key in wanted})


def through_the_gate(where: str, client: str, forwarded_for: str = "") -> int:
    """Ask for a page as the server would hand it on; gives the status."""

    async def ask() -> int:
        headers = [(b"host", b"localhost"), (b"x-forwarded-for", forwarded_for.encode())]
        request = HttpCommunicator(application, "GET", where, headers=headers)
        request.scope["client"] = [client, 50000]
        return int((await request.get_response(timeout=10))["status"])

    return asyncio.run(ask())


def as_stranger(stranger: Player, **more: Any) -> Client:
    client = Client(**more)
    client.force_login(stranger, backend="django.contrib.auth.backends.ModelBackend")
    return client


def test_every_page_is_in_the_list() -> None:
    assert {route.name for route in ALL_PAGES} == set(PAGES)


class TestPages:
    def test_who_may_look(self, room: Room) -> None:
        for route in ALL_PAGES:
            answer = Client().get(address(route, room))
            may, status = PAGES[str(route.name)], answer.status_code
            to_sign_in = status == 302 and answer.headers["Location"].startswith("/accounts/")
            if may == "signed in":
                assert to_sign_in, route.name
            elif may == "post":
                assert status == 405 or to_sign_in, route.name
            else:
                assert status in FINE | {MAY_BE_UNWELL.get(str(route.name))}, route.name

    def test_what_is_for_this_network_is_not_for_others(
        self, room: Room, settings: Settings
    ) -> None:
        settings.TRUSTED_PROXIES = (ip_network("10.0.0.9"),)
        near = [route for route in ALL_PAGES if PAGES[str(route.name)] == "near"]
        assert near
        for route in near:
            where = address(route, room)
            assert through_the_gate(where, "192.168.1.5") == 200
            assert through_the_gate(where, "8.8.8.8") == 404
            assert through_the_gate(where, "10.0.0.9", "8.8.8.8") == 404
            assert through_the_gate(where, "8.8.8.8", "192.168.1.5") == 404

    def test_a_form_needs_the_pages_token(self, room: Room, stranger: Player) -> None:
        before = room.live.seq
        for client in (
            Client(enforce_csrf_checks=True),
            as_stranger(stranger, enforce_csrf_checks=True),
        ):
            for route in ALL_PAGES:
                answer = client.post(address(route, room), {"move": "knock", "act": "leave"})
                assert answer.status_code in {403, 405}, route.name
        assert room.live.seq == before

    def test_a_stranger_changes_nothing(self, room: Room, stranger: Player) -> None:
        before = room.live.seq
        for route in ALL_PAGES:
            for form in (
                {"move": "knock", "seq": str(before)},
                {"act": "leave"},
                {"act": "kick 0"},
                {"act": "avoid", "player": room.people[0].name},
                {"rules": "fives", "setup": "4-singles", "target": "25"},
            ):
                answer = as_stranger(stranger).post(address(route, room), form)
                unwell = MAY_BE_UNWELL.get(str(route.name))
                assert answer.status_code < 500 or answer.status_code == unwell, route.name
                assert room.live.seq == before, (route.name, form)

    def test_nothing_is_told_of_racks(self, room: Room, stranger: Player) -> None:
        hand = room.game.hand
        assert hand is not None
        racks = {NAMES[tile] for rack in hand.racks for tile in tiles_in(rack)}
        assert len(racks) == 14
        told = {}
        for route in ALL_PAGES:
            if route.name in {"rules", "rules-index", "fair", "home"}:
                continue  # they show tiles of their own
            for client in (Client(), as_stranger(stranger)):
                text = client.get(address(route, room)).content.decode(errors="replace")
                if found := [name for name in racks if re.search(rf"[\"'>]{name}[\"'<]", text)]:
                    told[route.name] = found
        assert told == {}


class TestActs:
    """The forms of a table's page: who asks for what at whose table."""

    @pytest.fixture
    def table(self, room: Room) -> Room:
        """A table before its match: its host, somebody else, and a bot."""
        return Room("draw", players=3, bots=1, private=True)

    def test_every_act_is_in_the_list(self) -> None:
        assert set(views.ACTS) == set(ACTS)

    @pytest.mark.parametrize("form", forms("host"), ids=lambda form: str(form["act"]))
    def test_a_host_may(self, table: Room, form: dict[str, str]) -> None:
        before = table.live.seq
        self.post(table, table.people[0], form)
        # So that what others can't do isn't refused for another reason.
        assert (table.live.seq > before) is (form["act"] != "kick 0")

    @pytest.mark.parametrize("state", ["open", "playing", "over"])
    @pytest.mark.parametrize("who", ["nobody", "stranger", "at another table"])
    def test_whoever_does_not_sit_there_changes_nothing(
        self, table: Room, stranger: Player, state: str, who: str
    ) -> None:
        self.bring(table, state)
        own = Room("draw", people=[stranger, guest()]) if who == "at another table" else None
        before, own_before = table.live.seq, own.live.seq if own else 0
        for form in [*forms("host", "seated", "anyone"), self.a_move(table)]:
            self.post(table, None if who == "nobody" else stranger, form)
            assert table.live.seq == before, form
            assert own is None or own.live.seq == own_before, form

    @pytest.mark.parametrize("state", ["open", "playing", "over"])
    def test_whoever_is_no_host_has_but_the_own_seat(self, table: Room, state: str) -> None:
        self.bring(table, state)
        host, other = table.people
        before = table.live.seq
        for form in [*forms("host"), {"act": "sit 0"}, {"act": "sit 2"}]:
            self.post(table, other, form)
            assert table.live.seq == before, form
        for form in forms("seated"):
            self.post(table, other, form)
            seat = table.live.seats[0]
            assert seat is not None and (seat.player_id, seat.rematch) == (host.pk, False), form

    def test_what_a_page_never_asks_changes_nothing(self, table: Room) -> None:
        before = table.live.seq
        for act in ("", " ", "remove 1", "kick", "kick x", "bot 2", "bot x easy", "sit", "move"):
            assert self.post(table, table.people[0], {"act": act}).status_code == 302
            assert table.live.seq == before, act

    def post(self, table: Room, who: Player | None, form: dict[str, str]) -> Any:
        client = Client() if who is None else as_stranger(who)
        answer = client.post(reverse("table-act", args=[table.code]), form)
        assert answer.status_code == 302
        return answer

    def bring(self, table: Room, state: str) -> None:
        """To a table in play, or to one whose match is over."""
        if state != "open":
            table.start()
        if state == "over":
            store.call(store.change, table.code, course.abandon, seat=None, why=None)

    def a_move(self, table: Room) -> dict[str, str]:
        game = table.live.game
        words = game.legal_words() if game else []
        return {"move": words[0] if words else "knock", "seq": str(table.live.seq)}


def test_the_keepers_desk_is_for_keepers(stranger: Player) -> None:
    for client in (Client(), as_stranger(stranger)):
        answer = client.get("/admin/")
        assert answer.status_code == 302
        assert answer.headers["Location"].startswith("/admin/login/")


def call(client: Client, method: str, path: str, room: Room, **headers: str) -> Any:
    """Make one call of the API, such that it would do something if it were allowed."""
    match = room.live.match
    assert match is not None
    bodies: dict[str, dict[str, Any]] = {
        "guests": {"name": "Nora"},
        "rooms": {"rules": "draw", "players": 2, "kind": "online"},
        "sit": {"seat": 0},
        "bot": {"seat": 1, "level": "easy"},
    }
    return client.generic(
        method.upper(),
        path.format(code=room.code, match_id=match.id, name=room.people[0].name),
        data=b"" if method == "get" else json.dumps(bodies.get(path.rpartition("/")[2], {})),
        content_type="application/json",
        headers=headers,
    )


class TestCalls:
    def test_who_may_call(self, room: Room) -> None:
        for method, path in operations():
            answer = call(Client(), method, path, room)
            if (method, path) in OPEN_CALLS:
                assert answer.status_code in {200, 201, 404, 409}, path
            else:
                assert answer.status_code == 401, path
                assert set(answer.json()) == {"code", "detail"}, path

    def test_a_bad_token_is_no_sign_in(self, room: Room) -> None:
        for method, path in operations():
            answer = call(Client(), method, path, room, Authorization="Bearer nonsense")
            if (method, path) in OPEN_CALLS:
                assert answer.status_code < 500, path
            else:
                assert answer.status_code == 401, path

    def test_a_session_needs_its_csrf_token(self, room: Room, stranger: Player) -> None:
        client = as_stranger(stranger, enforce_csrf_checks=True)
        for method, path in operations():
            answer = call(client, method, path, room)
            if method != "get" and (method, path) not in OPEN_CALLS:
                assert answer.status_code == 403, path
            assert answer.status_code < 500, path

    def test_a_stranger_changes_nothing(self, room: Room, stranger: Player) -> None:
        before, token = room.live.seq, make_token(stranger)
        for method, path in operations():
            answer = call(Client(), method, path, room, Authorization=f"Bearer {token}")
            if method != "get" and "{code}" in path:
                assert answer.status_code in {403, 409, 422}, path
            assert answer.status_code < 500, path
            assert room.live.seq == before, path

    def test_nothing_is_told_of_tiles(self, room: Room, stranger: Player) -> None:
        token = make_token(stranger)
        for method, path in operations():
            if method == "get":
                answer = call(Client(), method, path, room, Authorization=f"Bearer {token}")
                text = answer.content.decode()
                assert not [name for name in NAMES if f'"{name}"' in text], path


def test_every_open_call_exists() -> None:
    assert set(operations()) >= OPEN_CALLS


def messages() -> list[str]:
    """Every type of message that a socket takes."""
    return sorted({*consumers.COMMANDS, *protocol.PLAIN, *MESSAGES})


@pytest.mark.parametrize("kind", messages())
@pytest.mark.parametrize("who", ["nobody", "guest", "stranger"])
def test_a_spectator_changes_nothing_by_any_message(kind: str, who: str, room: Room) -> None:
    headers = [(b"host", b"localhost")]
    if who != "nobody":
        token = make_token(guest() if who == "guest" else member())
        headers.append((b"authorization", f"Bearer {token}".encode()))
    before = room.live.seq

    async def ask() -> dict[str, Any]:
        socket = WebsocketCommunicator(application, f"/ws/table/{room.code}/", headers=headers)
        connected, _ = await socket.connect(timeout=5)
        assert connected
        first = json.loads(await socket.receive_from(timeout=5))
        assert first["you"] is None
        assert first["rack"] is None
        assert first["legal"] == []
        await socket.send_to(json.dumps({"type": kind, "id": "x"} | MESSAGES.get(kind, {})))
        while True:
            answer = json.loads(await socket.receive_from(timeout=5))
            if answer["type"] in {"ok", "error", "pong"}:
                break
        await socket.disconnect()
        await hub.stop()
        return dict(answer)

    answer = asyncio.run(ask())
    if kind in OPEN_MESSAGES:
        assert answer["type"] == "pong"
    else:
        assert (answer["type"], answer["code"]) == ("error", "not_seated")
    assert room.live.seq == before


def test_cookies_are_out_of_scripts_and_other_sites_reach() -> None:
    assert settings.SESSION_COOKIE_HTTPONLY is True
    assert settings.SESSION_COOKIE_SAMESITE == "Lax"
    assert settings.CSRF_COOKIE_SAMESITE == "Lax"


def test_every_shape_of_the_api_has_one_name() -> None:
    """Two shapes of one name would be described as if they were one."""
    named: dict[str, type] = {}
    for module in (ranking_api, table_api, lobby_api):
        for name, found in vars(module).items():
            if isinstance(found, type) and issubclass(found, Schema):
                assert named.setdefault(name, found) is found, name
