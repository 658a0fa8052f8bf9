"""The lobby's pages: a newcomer's way to a table, creating, changing, coming in."""

import re
import time
from collections.abc import Callable
from typing import Any

import pytest
from django.contrib.messages import get_messages
from django.test import Client

from dominoes.table import seating, store
from dominoes.table.models import Seat, Socket, Table
from lobby import entry, pairing, rooms
from lobby.models import Invite
from lobby.standings import check_wish
from ranking import players
from ranking.models import Player
from tests.lobby.conftest import MakePlayer
from tests.lobby.test_api_rooms import long_ago, sockets_at

pytestmark = pytest.mark.django_db

Browser = Callable[..., Client]

FORM = {
    "rules": "partners",
    "setup": "4-partners",
    "target": "",
    "kind": "online",
    "access": "public",
    "counts": "casual",
    "turn_seconds": "60",
    "aid": "1",
    "replay": "all",
}


def said(answer: Any) -> list[str]:
    """The messages that an answer leaves for the next page."""
    return [str(message) for message in get_messages(answer.wsgi_request)]


def text(answer: Any) -> str:
    """A page's text, without its tags."""
    plain = re.sub(r"<(script|style)\b.*?</\1>|<[^>]+>", " ", answer.content.decode(), flags=re.S)
    return re.sub(r"\s+", " ", plain)


# --- play now


def test_a_newcomer_plays_with_one_click(client: Client) -> None:
    page = client.get("/")
    assert page.status_code == 200
    name = re.search(r'name="name" value="([^"]+)"', page.content.decode())
    assert name
    answer = client.post("/play/", {"rules": "partners", "name": name[1], "against": "bots"})
    code = answer.headers["Location"].split("/")[2]
    row = Table.objects.get(code=code)
    assert (row.status, row.private, row.ranked, row.turn_seconds) == ("playing", True, False, 0)
    assert Seat.objects.filter(table=row).exclude(bot="").count() == 3
    player = Player.objects.get(seat_rows__table=row)
    assert (player.name, player.is_guest) == (name[1], True)
    assert client.session["_auth_user_id"] == str(player.pk)


@pytest.mark.parametrize(
    ("rules", "setup", "seats"),
    [
        ("partners", "", 4),
        ("draw", "", 2),
        ("classic", "", 2),
        ("fives", "", 2),
        ("draw", "3-singles", 3),
        ("classic", "4-partners", 4),
        ("fives", "4-singles", 4),
    ],
)
def test_every_game_against_the_computer(
    client: Client, rules: str, setup: str, seats: int
) -> None:
    asked = {"rules": rules, "setup": setup, "name": "Ana", "against": "bots", "level": "steady"}
    code = client.post("/play/", asked).headers["Location"].split("/")[2]
    room = rooms.find(code)
    assert (room.options.rules, room.options.players) == (rules, seats)
    assert [s.bot for s in room.seats if s] == [None] + ["steady"] * (seats - 1)


def test_play_now_says_what_is_wrong(client: Client) -> None:
    for form, sentence in (
        ({}, "four systems"),
        ({"rules": "poker"}, "four systems"),
        ({"rules": "draw", "setup": "4-partners", "name": "Ana"}, "draw"),
        ({"rules": "draw", "name": ""}, "name"),
        ({"rules": "draw", "name": "x" * 99}, "too long"),
        ({"rules": "draw", "name": "<b>"}, "letters"),
        ({"rules": "draw", "name": "admin"}, "kept"),
        ({"rules": "draw", "name": "Ana", "level": "genius"}, "genius"),
    ):
        answer = client.post("/play/", {"against": "bots", **form})
        assert answer.headers["Location"] == "/"
        messages = said(answer)
        assert len(messages) == 1 and sentence in messages[0], (form, messages)
        client.get("/")
    assert not Table.objects.exists()
    assert not Player.objects.exists()


def test_with_people(client: Client) -> None:
    answer = client.post("/play/", {"rules": "fives", "name": "Ana", "against": "people"})
    assert answer.headers["Location"] == "/quick/"
    page = client.get("/quick/")
    assert "Looking for people" in text(page)
    assert 'http-equiv="refresh"' in page.content.decode()
    answer = client.post("/quick/", {"act": "leave"})
    assert answer.headers["Location"] == "/"
    assert "Looking for people" not in text(client.get("/quick/"))


def test_suggested_names_are_good_names(guest: MakePlayer) -> None:
    for _ in range(50):
        name = entry.suggested_name()
        assert len(name) <= 32
    assert guest(name).name == name


# --- home


def test_home_shows_what_waits_for_you_and_what_is_open(
    guest: MakePlayer, browser: Browser, make_room: Callable[..., str]
) -> None:
    ana, ben = guest("Ana"), guest("Ben")
    mine, theirs = make_room(ana, rules="classic"), make_room(ben, rules="fives")
    hidden = make_room(ben, private=True)
    page = browser(ana).get("/").content.decode()
    assert f"/tables/{mine}/" in page and "Your table is waiting: Classic" in page
    assert f"/join/{theirs}/" in page
    assert f"/join/{mine}/" not in page
    assert hidden not in page
    page = browser().get("/").content.decode()
    assert f"/join/{mine}/" in page and f"/join/{theirs}/" in page
    assert "Your table is waiting" not in page


def test_your_turn_stands_first(
    guest: MakePlayer, browser: Browser, make_room: Callable[..., str]
) -> None:
    ana, ben = guest("Ana"), guest("Ben")
    make_room(ana)
    code = make_room(ana)
    store.call(seating.sit, code, ben.pk, 1)
    store.call(seating.start, code, ana.pk)
    turn = store.fresh(code).game.turn  # type: ignore[union-attr]
    for player, seat in ((ana, 0), (ben, 1)):
        page = text(browser(player).get("/"))
        said = "Your turn: Draw" if turn == seat else "Your match goes on: Draw"
        assert said in page
        assert page.find(said) < (page.find("Your table is waiting") if player == ana else 10**6)


def test_tables_to_watch(
    guest: MakePlayer, browser: Browser, make_room: Callable[..., str]
) -> None:
    ana, ben = guest("Ana"), guest("Ben")
    code, secret = make_room(ana), make_room(ana, private=True)
    for one in (code, secret):
        store.call(seating.sit, one, ben.pk, 1)
        store.call(seating.start, one, ana.pk)
    page = browser().get("/").content.decode()
    assert f'href="/tables/{code}/"' in page
    assert secret not in page
    long_ago(code)
    assert code not in browser().get("/").content.decode()
    sockets_at(code, 1)
    assert code in browser().get("/").content.decode()


def test_the_part_that_refreshes_itself(
    guest: MakePlayer, browser: Browser, make_room: Callable[..., str]
) -> None:
    code = make_room(guest("Ana"))
    part = browser().get("/", {"part": "now"}).content.decode().strip()
    assert part.startswith('<section id="now"') and part.endswith("</section>")
    assert code in part
    assert part in browser().get("/").content.decode()
    assert browser().get("/").headers["Cache-Control"].startswith("max-age=0")


def test_names_and_codes_are_safe_to_show(
    browser: Browser, account: MakePlayer, make_room: Callable[..., str]
) -> None:
    ana = account("A&B's")
    make_room(ana)
    page = browser().get("/").content.decode()
    assert "A&amp;B&#x27;s" in page and "A&B's" not in page


# --- creating a table


def test_creating_a_table(client: Client) -> None:
    assert client.get("/tables/new/").status_code == 200
    answer = client.post("/tables/new/", FORM | {"name": "Ana", "access": "private"})
    code = answer.headers["Location"].split("/")[2]
    row = Table.objects.get(code=code)
    assert (row.rules, row.players, row.sides, row.target) == ("partners", 4, "partners", 100)
    assert (row.private, row.turn_seconds, row.aid, row.replay) == (True, 60, True, "all")
    assert rooms.find(code).host.name == "Ana"  # type: ignore[union-attr]


def test_the_last_choices_are_remembered(client: Client) -> None:
    client.post(
        "/tables/new/",
        FORM | {"name": "Ana", "rules": "fives", "setup": "3-singles", "turn_seconds": "30"},
    )
    page = client.get("/tables/new/").content.decode()
    assert re.search(r'value="fives"[^>]* checked', page)
    assert re.search(r'value="3-singles"[^>]* checked', page)
    assert re.search(r'value="30" selected', page)


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"rules": "partners", "setup": "2-singles"}, "partners"),
        ({"rules": "draw", "setup": "4-partners"}, "draw"),
        ({"rules": "classic", "setup": "3-singles"}, "classic"),
        ({"target": "10"}, "between 25 and 500"),
        ({"target": "1000"}, "between 25 and 500"),
        ({"target": "many"}, "whole number"),
        ({"rules": "draw", "setup": "2-singles", "double_six_opens": "1"}, "Double six opens"),
        ({"turn_seconds": "5"}, "10 to 600"),
        ({"turn_seconds": "5000"}, "missing"),
        ({"rules": "poker"}, "missing"),
        ({"kind": ""}, "missing"),
        ({"counts": "ranked"}, "signed-in"),
    ],
)
def test_what_does_not_go_together_is_refused_in_words(
    client: Client, changes: dict[str, str], sentence: str
) -> None:
    answer = client.post("/tables/new/", FORM | {"name": "Ana"} | changes)
    assert answer.status_code == 422
    page = answer.content.decode()
    error = re.search(r'role="alert" id="form-error">([^<]+)<', page)
    assert error and sentence in error[1]
    assert 'value="Ana"' in page  # nothing that was filled in is lost
    assert not Table.objects.exists()
    assert not Player.objects.exists()


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"kind": "nearby"}, "nearby table can't be ranked"),
        ({"turn_seconds": "0"}, "needs a turn clock"),
        ({"target": "50"}, "100 points"),
        ({"double_six_opens": "1"}, "the lot"),
    ],
)
def test_what_a_ranked_table_can_not_have(
    account: MakePlayer, browser: Browser, changes: dict[str, str], sentence: str
) -> None:
    client = browser(account("Carla"))
    answer = client.post("/tables/new/", FORM | {"counts": "ranked"} | changes)
    assert answer.status_code == 422
    assert sentence in text(answer).replace("&#x27;", "'")
    answer = client.post("/tables/new/", FORM | {"counts": "ranked"})
    room = rooms.find(answer.headers["Location"].split("/")[2])
    assert (room.choices.ranked, room.choices.aid) == (True, False)


def test_a_nearby_table(client: Client) -> None:
    page = client.get("/tables/new/?kind=nearby").content.decode()
    assert re.search(r'value="nearby"[^>]* checked', page)
    answer = client.post("/tables/new/", FORM | {"name": "Ana", "kind": "nearby"})
    room = rooms.find(answer.headers["Location"].split("/")[2])
    assert (room.choices.kind, room.choices.turn_seconds) == ("nearby", 0)


def test_the_form_says_what_each_table_counts_for(client: Client) -> None:
    page = client.get("/tables/new/").content.decode()
    for what in ("nearby", "casual", "ranked-two", "ranked-more"):
        assert f'data-what="{what}" hidden' in page
    assert "25 points for a win, 8 for an agreed draw, 3 for a loss" in page


# --- changing it


def test_the_host_changes_the_table(
    guest: MakePlayer, browser: Browser, make_room: Callable[..., str]
) -> None:
    ana, ben = guest("Ana"), guest("Ben")
    code = make_room(ana, rules="partners", players=4, turn_seconds=37)
    store.call(seating.sit, code, ben.pk, 3)
    client = browser(ana)
    page = client.get(f"/tables/{code.lower()}/choices/").content.decode()
    assert re.search(r'value="37" selected', page)
    answer = client.post(
        f"/tables/{code}/choices/", FORM | {"rules": "draw", "setup": "3-singles", "target": "50"}
    )
    assert answer.headers["Location"] == f"/tables/{code}/"
    room = rooms.find(code)
    assert (room.options.rules, room.options.players, room.options.target) == ("draw", 3, 50)
    assert [s.name for s in room.people] == ["Ana", "Ben"]
    answer = client.post(
        f"/tables/{code}/choices/", FORM | {"rules": "draw", "setup": "4-partners"}
    )
    assert answer.status_code == 422
    assert rooms.find(code).options.players == 3
    assert (
        client.post(f"/tables/{code}/choices/", FORM | {"counts": "ranked"}).status_code == 422
    )  # guests sit there


def test_nobody_else_does_and_not_while_a_match_is_played(
    guest: MakePlayer, browser: Browser, make_room: Callable[..., str]
) -> None:
    ana, ben = guest("Ana"), guest("Ben")
    code = make_room(ana)
    store.call(seating.sit, code, ben.pk, 1)
    assert browser(ben).get(f"/tables/{code}/choices/").status_code == 403
    assert browser(ben).post(f"/tables/{code}/choices/", FORM).status_code == 403
    store.call(seating.start, code, ana.pk)
    answer = browser(ana).post(f"/tables/{code}/choices/", FORM)
    assert answer.headers["Location"] == f"/tables/{code}/"
    assert "when it is over" in said(answer)[0]
    assert rooms.find(code).options.rules == "draw"


# --- coming in


def test_by_a_code(client: Client, guest: MakePlayer, make_room: Callable[..., str]) -> None:
    code = make_room(guest("Ana"), private=True)
    for typed in (code, code.lower(), f" {code[:3]} {code[3:]} ", f"{code[:3]}-{code[3:]}"):
        answer = client.get("/join/", {"code": typed})
        assert answer.headers["Location"] == f"/join/{code}/"
    for typed, sentence in (("AAAAAA", "no room"), ("abc", "six letters"), ("\0" * 6, "six")):
        answer = client.get("/join/", {"code": typed})
        assert answer.status_code == 404
        assert sentence in text(answer)
    assert client.get("/join/").status_code == 200


def test_an_invitation_leads_to_a_seat(
    client: Client, guest: MakePlayer, make_room: Callable[..., str]
) -> None:
    code = make_room(guest("Ana"), rules="partners", players=4)
    page = text(client.get(f"/join/{code.lower()}/"))
    assert "Ana wants to play Partners" in page
    assert "Your partner: Ana, opposite" in page
    assert "pays no points" in page
    answer = client.post(f"/join/{code}/", {"name": "Ben", "seat": "2"})
    assert answer.headers["Location"] == f"/tables/{code}/"
    assert rooms.find(code).seats[2].name == "Ben"  # type: ignore[union-attr]
    assert client.get(f"/join/{code}/").headers["Location"] == f"/tables/{code}/"


def test_without_a_seat_named_the_first_free_one(
    client: Client, guest: MakePlayer, make_room: Callable[..., str]
) -> None:
    code = make_room(guest("Ana"))
    client.post(f"/join/{code}/", {"name": "Ben"})
    assert rooms.find(code).seats[1].name == "Ben"  # type: ignore[union-attr]


def test_seats_that_are_gone(
    client: Client, guest: MakePlayer, make_room: Callable[..., str]
) -> None:
    ana = guest("Ana")
    code = make_room(ana)
    answer = client.post(f"/join/{code}/", {"name": "Ben", "seat": "0"})
    assert "That seat is taken" in text(answer)
    store.call(seating.set_bot, code, ana.pk, 1, "easy")
    page = text(client.get(f"/join/{code}/"))
    assert "All seats are taken" in page
    assert "All seats are taken" in text(client.post(f"/join/{code}/"))
    store.call(seating.start, code, ana.pk)
    assert client.get(f"/join/{code}/").headers["Location"] == f"/tables/{code}/"


def test_ranked_rooms_ask_for_an_account(
    client: Client, account: MakePlayer, make_room: Callable[..., str]
) -> None:
    code = make_room(account("Carla"), ranked=True)
    page = text(client.get(f"/join/{code}/"))
    assert "Ranked tables are for signed-in people" in page
    assert "Just watch" in page
    client.post(f"/join/{code}/", {"name": "Ben"})
    assert not Player.objects.filter(name="Ben").exists()


def test_whoever_was_removed_stays_out(
    guest: MakePlayer, browser: Browser, make_room: Callable[..., str]
) -> None:
    ana, ben = guest("Ana"), guest("Ben")
    code = make_room(ana)
    store.call(seating.sit, code, ben.pk, 1)
    store.call(seating.remove, code, ana.pk, 1)
    client = browser(ben)
    assert client.get(f"/join/{code}/").status_code == 403
    assert client.post(f"/join/{code}/").status_code == 403
    assert client.get("/join/", {"code": code}).status_code == 403


def test_closed_rooms_are_no_rooms(
    client: Client, guest: MakePlayer, make_room: Callable[..., str]
) -> None:
    code = make_room(guest("Ana"))
    Table.objects.filter(code=code).update(status=Table.CLOSED)
    answer = client.get(f"/join/{code}/")
    assert answer.status_code == 404 and "closed" in text(answer)


def test_codes_can_not_be_guessed_on_pages_either(
    client: Client,
    guest: MakePlayer,
    make_room: Callable[..., str],
    settings: Any,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("lobby.limits.MISSES", (3, 600))
    settings.RATE_LIMITS = True
    code = make_room(guest("Ana"))
    for _ in range(4):
        assert client.get("/join/AAAAAA/").status_code == 404
    answer = client.get(f"/join/{code}/")
    assert answer.status_code == 404 and "Too many" in text(answer)
    assert client.get("/quick/pair/AAAAAA/").headers["Location"] == "/quick/"


def test_one_address_makes_so_many_guests(settings: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(entry_limits(), "guests", (2, 600))
    settings.RATE_LIMITS = True
    for number in range(3):
        answer = Client().post("/play/", {"rules": "draw", "name": f"Ana {number}"})
    assert "Too many" in said(answer)[0]
    assert Player.objects.count() == 2


def entry_limits() -> dict[str, tuple[int, int]]:
    from ranking.http import LIMITS

    return LIMITS


# --- the room's own pages


def test_inviting(guest: MakePlayer, browser: Browser, make_room: Callable[..., str]) -> None:
    ana = guest("Ana")
    code = make_room(ana)
    table = browser(ana).get(f"/tables/{code}/").content.decode()
    assert f"/tables/{code}/invite/" in table and f"/tables/{code}/choices/" in table
    assert f"/tables/{code}/invite/" not in browser().get(f"/tables/{code}/").content.decode()
    page = browser(ana).get(f"/tables/{code}/invite/").content.decode()
    assert code in page and "<svg" in page
    assert browser(guest("Ben")).get(f"/tables/{code}/invite/").status_code == 403


# --- quick pairing


def test_the_way_through_quick_pairing(guest: MakePlayer, browser: Browser) -> None:
    ana, ben = browser(guest("Ana")), browser(guest("Ben"))
    wish = {"act": "ask", "rules": "draw", "setup": "2-singles", "counts": "casual"}
    ana.post("/quick/", wish)
    part = ana.get("/quick/", {"part": "now"}).content.decode().strip()
    assert part.startswith('<section id="pairing"') and part.endswith("</section>")
    assert "data-awake" in part
    page = browser().get("/quick/").content.decode()
    assert "Join them" in page
    ben.post("/quick/", wish)
    page = ana.get("/quick/").content.decode()
    assert "Are you there?" in page and 'value="confirm"' in page
    assert re.search(r'refresh" content="1[56]"', page)
    ana.post("/quick/", {"act": "confirm"})
    assert "1 of 2 are there" in text(ana.get("/quick/"))
    address = ben.post("/quick/", {"act": "confirm"}).headers["Location"]
    assert address.startswith("/tables/")
    assert f'data-go="{address}"' in ana.get("/quick/", {"part": "now"}).content.decode()
    assert ana.get("/quick/").headers["Location"] == address


def test_the_part_tells_where_to_go_when_one_is_out(browser: Browser, guest: MakePlayer) -> None:
    client = browser(guest("Ana"))
    assert 'data-go="/quick/"' in client.get("/quick/", {"part": "now"}).content.decode()
    for note, sentence in (("late", "in time"), ("gone", "for a while"), ("evil<>", "")):
        page = text(client.get("/quick/", {"note": note}))
        assert sentence in page and "evil" not in page


def test_strangers_and_faults_on_the_quick_page(client: Client) -> None:
    for form in ({}, {"act": "confirm"}, {"act": "leave"}, {"act": "dance"}):
        assert client.post("/quick/", form).headers["Location"] == "/quick/"
    for form in (
        {"act": "ask"},
        {"act": "ask", "rules": "draw", "setup": "4-partners", "name": "Ana"},
        {"act": "ask", "rules": "draw", "counts": "ranked", "name": "Ana"},
        {"act": "ask", "rules": "draw", "company": "pair", "name": ""},
    ):
        answer = client.post("/quick/", form)
        assert answer.headers["Location"] == "/quick/"
        assert said(answer)
        client.get("/quick/")
    assert not Player.objects.exists()


def test_a_pair_by_its_link(guest: MakePlayer, browser: Browser) -> None:
    ana = browser(guest("Ana"))
    ana.post("/quick/", {"act": "ask", "rules": "partners", "company": "pair"})
    page = ana.get("/quick/").content.decode()
    link = re.search(r'value="https?://[^/]+(/quick/pair/\w+/)"', page)
    assert link
    ben = browser()
    assert "Ana wants to play Partners with you" in text(ben.get(link[1]))
    assert ben.post(link[1], {"name": "Ben"}).headers["Location"] == "/quick/"
    assert "You play together with Ana" in text(ben.get("/quick/"))
    assert ben.get(link[1]).status_code == 404


# --- companions


def played_together(one: Player, other: Player) -> str:
    """A match that two people began; gives its room."""
    for player in (one, other):
        pairing.ask(player, check_wish(rules="draw", players=2, sides=None, ranked=False))
    pairing.confirm(one)
    code = pairing.confirm(other)
    assert code
    from dominoes.table import play

    store.call(play.leave, code, one.pk)
    return code


def test_asking_a_companion_with_one_tap(
    guest: MakePlayer, browser: Browser, make_room: Callable[..., str]
) -> None:
    ana, ben = guest("Ana"), guest("Ben")
    played_together(ana, ben)
    code = make_room(ana, rules="fives", private=True)
    client = browser(ana)
    assert "Ben" in text(client.get(f"/tables/{code}/invite/"))
    client.post(f"/tables/{code}/invite/", {"player": "Ben"})
    assert "asked" in text(client.get(f"/tables/{code}/invite/"))
    ben_sees = browser(ben)
    page = ben_sees.get("/")
    assert "Ana asks you to play All Fives" in text(page)
    assert f"/join/{code}/" in page.content.decode()
    invite = Invite.objects.get()
    browser(guest("Eva")).post(f"/invites/{invite.pk}/decline/")
    assert "asks you" in text(ben_sees.get("/"))
    ben_sees.post(f"/invites/{invite.pk}/decline/")
    assert "asks you" not in text(ben_sees.get("/"))


def test_asking_a_companion_to_be_partners(guest: MakePlayer, browser: Browser) -> None:
    ana, ben = guest("Ana"), guest("Ben")
    played_together(ana, ben)
    client = browser(ana)
    client.post("/quick/", {"act": "ask", "rules": "partners", "company": "pair"})
    client.post("/quick/", {"act": "companion", "player": "Ben"})
    page = browser(ben).get("/")
    assert "Ana asks you to be partners" in text(page)
    code = pairing.look(ana).code
    assert f"/quick/pair/{code}/" in page.content.decode()
    client.post("/quick/", {"act": "leave"})
    assert "asks you" not in text(browser(ben).get("/"))


def test_dont_pair_me_with(
    guest: MakePlayer, browser: Browser, make_room: Callable[..., str]
) -> None:
    ana, ben = guest("Ana"), guest("Ben")
    played_together(ana, ben)
    client = browser(ana)
    client.post("/companions/", {"act": "avoid", "player": "Ben"})
    assert "Not paired with" in text(client.get("/companions/"))
    # What Ben does is shown to Ana no more, and Ben can't tell.
    code = make_room(ben, rules="fives")
    assert code not in client.get("/").content.decode()
    theirs = browser(ben)
    theirs.post(f"/tables/{code}/invite/", {"player": "Ana"})
    assert "asked" in text(theirs.get(f"/tables/{code}/invite/"))
    assert "asks you" not in text(client.get("/"))
    assert "Ana" in text(theirs.get("/companions/"))
    assert "Not paired with" not in text(theirs.get("/companions/"))
    client.post("/companions/", {"act": "forgive", "player": "Ben"})
    assert code in client.get("/").content.decode()
    assert "asks you" in text(client.get("/"))


def test_strangers_are_neither_asked_nor_avoided(
    guest: MakePlayer, browser: Browser, make_room: Callable[..., str]
) -> None:
    ana = guest("Ana")
    guest("Ben")
    code = make_room(ana)
    client = browser(ana)
    for name in ("Ben", "Nobody", "", "\0"):
        assert "haven't played" in said(client.post(f"/tables/{code}/invite/", {"player": name}))[0]
        client.get("/")
        client.post("/companions/", {"act": "avoid", "player": name})
        client.post("/companions/", {"act": "forgive", "player": name})
        client.get("/")
    assert not Invite.objects.exists()
    assert not ana.blocks.exists()


def test_invitations_fade(
    guest: MakePlayer, browser: Browser, make_room: Callable[..., str]
) -> None:
    ana, ben = guest("Ana"), guest("Ben")
    played_together(ana, ben)
    code = make_room(ana)
    browser(ana).post(f"/tables/{code}/invite/", {"player": "Ben"})
    Invite.objects.update(at=time.time() - 901)
    assert "asks you" not in text(browser(ben).get("/"))
    Invite.objects.update(at=time.time())
    store.call(seating.set_bot, code, ana.pk, 1, "easy")
    assert "asks you" not in text(browser(ben).get("/"))  # there is no seat any more
    assert not Socket.objects.exists() and players.find_player("Ben") == ben


def test_of_somebody_who_has_gone_nothing_is_kept(guest: MakePlayer, browser: Browser) -> None:
    from lobby.models import Asker, Block
    from ranking.accounts import close_account, stored_about

    ana, ben = guest("Ana"), guest("Ben")
    played_together(ana, ben)
    browser(ana).post("/companions/", {"act": "avoid", "player": "Ben"})
    browser(ben).post("/quick/", {"act": "ask", "rules": "partners", "company": "pair"})
    browser(ben).post("/quick/", {"act": "companion", "player": "Ana"})
    assert stored_about(ana)["not_paired_with"] == ["Ben"]
    assert stored_about(ana)["invitations"] == []
    assert stored_about(ben)["not_paired_with"] == []
    assert [one["to"] for one in stored_about(ben)["invitations"]] == ["Ana"]
    close_account(ben)
    assert not Block.objects.exists() and not Invite.objects.exists()
    assert not Asker.objects.filter(player=ben).exists()


def test_sitting_down_from_the_table_page_asks_for_a_name(
    client: Client, guest: MakePlayer, make_room: Callable[..., str]
) -> None:
    code = make_room(guest("Ana"), rules="partners", players=4)
    answer = client.post(f"/tables/{code}/act/", {"act": "sit 2"})
    assert answer.headers["Location"] == f"/join/{code}/?seat=2"
    page = text(client.get(answer.headers["Location"]))
    assert page.index("Seat 3") < page.index("Seat 2") < page.index("Seat 4")
    for act in ("sit \n", "sit -1", "start", ""):
        answer = client.post(f"/tables/{code}/act/", {"act": act})
        assert answer.headers["Location"] == f"/join/{code}/"
