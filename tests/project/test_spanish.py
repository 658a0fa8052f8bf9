"""Spanish reaches every page, every push, every refusal; and the switch to it."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from functools import cache
from html.parser import HTMLParser
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from django.conf import settings
from django.test import Client
from django.utils import translation

from dominoes.rules.errors import IllegalMove, RulesError
from dominoes.rules.options import Options
from dominoes.table import play, presence, protocol, reports, store
from dominoes.table.hub import hub
from dominoes.table.refusals import from_rules
from ranking.models import Player
from tests.project.catalogue import PLACEHOLDER, entries
from tests.table.finished import finished
from tests.table.sockets import Socket, cookie
from tests.table.tables import Room, guest, member

# --- pages ----------------------------------------------------------------------------------


class Shown(HTMLParser):
    """What a page says: its texts and the attributes that are read or shown."""

    ATTRIBUTES = ("aria-label", "title", "placeholder", "alt", "data-copied", "data-title")

    def __init__(self, html: str) -> None:
        super().__init__()
        self.language: str | None = None
        self.said: list[str] = []
        self._skip: str | None = None
        self._json = False
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        about = dict(attrs)
        if tag == "html":
            self.language = about.get("lang")
        # What is the same in every language: codes, addresses, another language's own name.
        self._json = about.get("id") in (
            "texts",
            "proof-texts",
        )  # what the scripts say by themselves
        same = tag in ("code", "kbd", "style") or (tag == "script" and not self._json)
        other = tag not in ("html", "body") and about.get("lang") not in (None, "es")
        if self._skip is None and (same or other):
            self._skip = tag
        self.said += [about[name] or "" for name in self.ATTRIBUTES if about.get(name)]
        if tag == "meta" and about.get("name") == "description":
            self.said.append(about.get("content") or "")

    def handle_endtag(self, tag: str) -> None:
        self._json = False
        if tag == self._skip:
            self._skip = None

    def handle_data(self, data: str) -> None:
        if self._json and data.strip():
            told = json.loads(data)
            texts = [*told.pop("phrases", {}).values(), *told.values()]
            self.said += [PLACEHOLDER.sub("", text) for text in texts]
        elif self._skip is None and data.strip():
            self.said.append(" ".join(data.split()))


#: Words that no Spanish sentence has.
ENGLISH = re.compile(
    r"\b(the|and|you|your|with|are|is|of|this|that|from|who|not|for|at|by|an|it|was|have|to|"
    r"match|table|tile|seat|player|points|your|play|rules|hand|left|right)\b",
    re.IGNORECASE,
)
#: Names, and what Spanish borrows for a word of the game (the sheets gloss it so).
NAMES = re.compile(r"Domino House|All Fives|Glicko-2|(Guest|Member) \d+")


@cache
def english() -> tuple[dict[str, str], tuple[tuple[str, re.Pattern[str]], ...]]:
    """The catalogue's English texts that Spanish says differently: short ones, and sentences, each
    with the longest part of it that never changes."""
    spanish = {said for entry in entries() for _text, said in entry.pairs}
    short: dict[str, str] = {}
    sentences = []
    for entry in entries():
        for text, said in entry.pairs:
            if text == said or text in spanish:
                continue
            words = PLACEHOLDER.sub("", re.sub("<[^>]*>", "", text)).split()
            if len(words) > 2:
                parts = PLACEHOLDER.split(text)
                pattern = re.compile(".{1,80}?".join(map(re.escape, parts)), re.DOTALL)
                sentences.append((max(parts, key=len), pattern))
            else:
                short[text] = said
    return short, tuple(sentences)


def check_spanish(html: str, *, page: bool = True) -> None:
    """Fails where a page says something in English."""
    shown = Shown(html)
    if page:
        assert shown.language == "es"
        assert shown.said
    short, sentences = english()
    for said in shown.said:
        said = NAMES.sub("", said)
        assert said.strip(" .:,·✓?") not in short, said
        found = ENGLISH.search(said)
        assert found is None, f"{found and found[0]!r} in {said!r}"
    everything = "\n".join(shown.said)
    for part, sentence in sentences:
        assert part not in everything or not sentence.search(everything), sentence.pattern


@pytest.fixture(autouse=True)
def fresh_tables() -> Iterator[None]:
    """No table, and nobody's presence, is remembered from another test."""
    store.forget()
    presence.reset()
    hub.rooms.clear()
    with translation.override("en"):  # what a request leaves behind in this thread ends with it
        yield
    store.forget()
    presence.reset()


@pytest.fixture
def visitor() -> Client:
    """Somebody whose browser asks for Spanish."""
    return Client(headers={"Accept-Language": "es-DO,es;q=0.9,en;q=0.5"})


def signed_in(player: Player) -> Client:
    client = Client(headers={"Accept-Language": "es"})
    client.force_login(player, backend="django.contrib.auth.backends.ModelBackend")
    return client


OPEN_PAGES = [
    "/",
    "/tables/new/",
    "/tables/new/?kind=nearby",
    "/quick/",
    "/join/?code=nothing",
    "/rules/",
    "/rules/partners/",
    "/rules/draw/",
    "/rules/classic/",
    "/rules/fives/",
    "/fair/",
    "/ladder/",
    "/ladder/?by=points",
    "/about/stored/",
    "/accounts/login/",
    "/accounts/signup/",
    "/accounts/guest/",
    "/accounts/password_reset/",
    "/accounts/password_reset/done/",
    "/accounts/reset/done/",
    "/nothing/here/",
]
OWN_PAGES = [
    "/",
    "/settings/",
    "/settings/close/",
    "/accounts/password_change/",
    "/quick/",
    "/tables/new/",
]


@pytest.mark.django_db(transaction=True)
class TestPages:
    @pytest.mark.parametrize("path", OPEN_PAGES)
    def test_of_everybody(self, visitor: Client, path: str) -> None:
        check_spanish(visitor.get(path).content.decode())

    @pytest.mark.parametrize("make", [guest, member])
    @pytest.mark.parametrize("path", OWN_PAGES)
    def test_of_ones_own(self, make: Any, path: str) -> None:
        check_spanish(signed_in(make()).get(path).content.decode())

    def test_of_a_player(self) -> None:
        match = finished("fives", ranked=True)
        names = list(match.seat_rows.order_by("seat").values_list("player__name", flat=True))
        client = signed_in(Player.objects.get(name=names[0]))
        for path in (f"/players/{names[0]}/", f"/players/{names[1]}/matches/", "/ladder/"):
            check_spanish(client.get(path).content.decode())

    def test_of_a_form_that_was_refused(self, visitor: Client) -> None:
        for path, form in (
            ("/accounts/signup/", {"name": "!!", "password": "a", "again": "b"}),
            ("/accounts/login/", {"username": "nadie", "password": "nada"}),
            ("/tables/new/", {"rules": "draw", "name": "Ana", "target": "9"}),
        ):
            check_spanish(visitor.post(path, form).content.decode())

    @pytest.mark.parametrize("rules", ["partners", "draw", "classic", "fives"])
    def test_of_a_table(self, rules: str) -> None:
        choices: dict[str, Any] = {"aid": True}
        if rules == "fives":
            choices = {"aid": False, "kind": "nearby"}
        room = Room(rules, **choices)
        own, other = signed_in(room.people[0]), signed_in(guest())

        def look() -> None:
            for client in (own, other):
                check_spanish(client.get(f"/tables/{room.code}/").content.decode())

        look()
        check_spanish(own.get(f"/tables/{room.code}/invite/").content.decode())
        check_spanish(other.get(f"/join/{room.code}/").content.decode())
        room.start()
        for _look in range(4):
            look()
            for _move in range(3):
                if room.live.status == "playing":
                    room.move()
        room.play_hand()
        look()
        room.do(play.leave, 0)
        look()

    @pytest.mark.parametrize("rules", ["partners", "draw", "fives"])
    def test_of_a_finished_match(self, rules: str) -> None:
        match = finished(rules)
        player = match.seat_rows.get(seat=0).player
        assert player is not None
        room = signed_in(player)
        check_spanish(room.get(f"/tables/{match.table.code}/").content.decode())
        for at in ("", "?hand=1&ply=0", "?hand=1&ply=9&eyes=0", "?hand=2&ply=1&eyes=none"):
            check_spanish(room.get(f"/matches/{match.pk}/{at}").content.decode())

    def test_of_reports_and_the_desk(self) -> None:
        match = finished("draw", ranked=True)
        own, other = (seat.player for seat in match.seat_rows.order_by("seat"))
        assert own is not None and other is not None
        client = signed_in(own)
        check_spanish(client.get(f"/matches/{match.pk}/report/?seat=1").content.decode())
        report = reports.make_report(match, own, 1, "slow")
        check_spanish(client.get("/reports/").content.decode())
        chief = member()
        chief.is_staff = chief.is_superuser = True
        chief.save()
        desk = signed_in(chief)
        for path in (
            f"match/{match.pk}/change/",
            "match/figures/",
            "match/odd/",
            f"report/{report.pk}/change/",
        ):
            answer = desk.get(f"/admin/table/{path}")
            assert answer.status_code == 200, path
            check_spanish(answer.content.decode())


# --- everything that is said elsewhere ------------------------------------------------------


@pytest.mark.django_db
class TestSwitch:
    def test_the_foot_of_the_page_switches(self, client: Client) -> None:
        assert Shown(client.get("/").content.decode()).language == "en"
        answer = client.post("/settings/language/", {"language": "es", "next": "/ladder/"})
        assert answer.headers["Location"] == "/ladder/"
        check_spanish(client.get("/ladder/").content.decode())
        assert int(client.cookies[settings.LANGUAGE_COOKIE_NAME]["max-age"]) > 300 * 24 * 3600
        client.post("/settings/language/", {"language": "en", "next": "/"})
        assert Shown(client.get("/").content.decode()).language == "en"

    def test_settings_follow_it_and_it_follows_the_settings(self, client: Client) -> None:
        player = member()
        client.force_login(player, backend="django.contrib.auth.backends.ModelBackend")
        client.post("/settings/language/", {"language": "es", "next": "/"})
        player.refresh_from_db()
        assert player.prefs["language"] == "es"
        client.post("/settings/", {"form": "settings", "language": "en"})
        assert Shown(client.get("/").content.decode()).language == "en"

    @pytest.mark.parametrize("wrong", ["de", "", "es\n", "../es"])
    def test_no_other_language(self, client: Client, wrong: str) -> None:
        player = member()
        client.force_login(player, backend="django.contrib.auth.backends.ModelBackend")
        client.post("/settings/language/", {"language": wrong, "next": "/"})
        player.refresh_from_db()
        assert not player.prefs.get("language")
        assert Shown(client.get("/").content.decode()).language == "en"


@pytest.mark.django_db
def test_the_api_answers_in_spanish(visitor: Client) -> None:
    for path, said in (
        ("/api/v1/me", "Inicia sesión primero, o manda un token."),
        ("/api/v1/players/Nadie", "No hay nadie con ese nombre."),
        ("/api/v1/nothing", "Aquí no hay nada."),
    ):
        assert visitor.get(path).json()["detail"] == said
    answer = visitor.post("/api/v1/guests", {"name": "\u2603"}, content_type="application/json")
    assert "Un nombre" in answer.json()["detail"]


def refused(*choices: Any) -> RulesError:
    with pytest.raises(RulesError) as caught:
        Options.of(*choices)
    return caught.value


def test_the_rules_refuse_in_spanish() -> None:
    with translation.override("es"):
        assert from_rules(refused("draw", 7)).detail == "draw se juega con 2, 3 o 4 puestos."
        error = IllegalMove("no_such_end", "There is no open end %(end)s.", end="left")
        assert from_rules(error).detail == "Ahí no hay ninguna punta abierta (izquierda)."
    assert from_rules(refused("draw", 7)).detail == "draw is played with 2, 3 or 4 seats."


@pytest.mark.django_db(transaction=True)
async def test_each_viewer_is_told_in_their_own_language() -> None:
    room = await sync_to_async(lambda: Room("draw").start())()
    sockets = []
    for seat, language in enumerate(("es", "en")):
        _client, headers = await sync_to_async(cookie)(room.people[seat])
        jar = headers[0][1] + f"; {settings.LANGUAGE_COOKIE_NAME}={language}".encode()
        sockets.append(Socket(room.code, [(b"cookie", jar), *headers[1:]], [protocol.HTML]))
    for one in sockets:
        await one.open()
    await sync_to_async(room.move)()
    for one, said in zip(sockets, ("salió con|Saliste con", "opened with"), strict=True):
        while not re.search(said, (await one.get_type("table"))["html"].get("last", "")):
            pass  # until the move has come, or there is nothing more to read
    answer = await sockets[0].ask(type="say", phrase="no such phrase")
    assert answer["detail"] == "Esa no es una de las frases que se pueden decir aquí."
    for one in sockets:
        await one.disconnect()
    await hub.stop()
