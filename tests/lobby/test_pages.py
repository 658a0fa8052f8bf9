"""The lobby's pages: a newcomer's way to a table, home, coming in."""

import re
from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client

from dominoes.table import beginning, play, seating, store
from dominoes.table.models import Seat, Table
from dominoes.table.refusals import Refused
from lobby import entry, pairing, practice, rooms, standings
from ranking.models import Player
from tests.lobby.conftest import MakePlayer
from tests.lobby.looking import long_ago, said, sockets_at, text

# On PostgreSQL as well: the lists are plain SQL.
pytestmark = [pytest.mark.django_db, pytest.mark.servers]

Browser = Callable[..., Client]


# --- play now -----------------------------------------------------------------------------------


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


# --- home ---------------------------------------------------------------------------------------


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
    store.call(beginning.start, code, ana.pk)
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
        store.call(beginning.start, one, ana.pk)
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


# --- coming in ----------------------------------------------------------------------------------


def test_by_a_code(client: Client, guest: MakePlayer, make_room: Callable[..., str]) -> None:
    code = make_room(guest("Ana"), private=True)
    for typed in (code, code.lower(), f" {code[:3]} {code[3:]} ", f"{code[:3]}-{code[3:]}"):
        answer = client.get("/join/", {"code": typed})
        assert answer.headers["Location"] == f"/join/{code}/"
    for typed, sentence in (("AAAAAA", "no room"), ("abc", "six letters"), ("\n" * 6, "six")):
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
    store.call(beginning.start, code, ana.pk)
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
    monkeypatch.setattr("dominoes.table.guessing.MISSES", (3, 600))
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


# --- the room's own pages -----------------------------------------------------------------------


def test_inviting(guest: MakePlayer, browser: Browser, make_room: Callable[..., str]) -> None:
    ana = guest("Ana")
    code = make_room(ana)
    table = browser(ana).get(f"/tables/{code}/").content.decode()
    assert f"/tables/{code}/invite/" in table and f"/tables/{code}/choices/" in table
    assert f"/tables/{code}/invite/" not in browser().get(f"/tables/{code}/").content.decode()
    page = browser(ana).get(f"/tables/{code}/invite/").content.decode()
    assert code in page and "<svg" in page
    ben = guest("Ben")
    assert browser(ben).get(f"/tables/{code}/invite/").status_code == 403
    # Who sits there may be the host later, and then it shows without the page being loaded again.
    assert f"/tables/{code}/choices/" not in browser(ben).get(f"/tables/{code}/").content.decode()
    store.call(seating.sit, code, ben.pk, 1)
    table = browser(ben).get(f"/tables/{code}/").content.decode()
    assert f'<p class="host-only"><a class="btn btn--quiet" href="/tables/{code}/choices/"' in table
    assert 'data-host="0"' in table


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


def test_home_offers_seats_that_one_can_take(
    guest: MakePlayer, browser: Browser, make_room: Callable[..., str]
) -> None:
    ana, ben, cleo = guest("Ana"), guest("Ben"), guest("Cleo")
    free, full, own = make_room(ana), make_room(ben), make_room(cleo)
    store.call(seating.sit, full, ana.pk, 1)
    page = browser(cleo).get("/").content.decode()
    assert f"/join/{free}/" in page
    assert f"/join/{full}/" not in page and f"/join/{own}/" not in page
    assert f"/join/{own}/" in browser().get("/").content.decode()


def test_a_match_is_not_lost_among_many_tables_of_ones_own(
    guest: MakePlayer, make_room: Callable[..., str]
) -> None:
    ana = guest("Ana")
    code = make_room(ana)
    store.call(seating.sit, code, guest("Ben").pk, 1)
    store.call(beginning.start, code, ana.pk)
    for _ in range(rooms.OWN + 2):
        make_room(ana)
    found = rooms.waiting_for(ana)
    assert found[0].room.code == code or found[1].room.code == code
    assert rooms.busy_at(ana) == code


def test_nor_among_many_matches_against_the_computer(
    guest: MakePlayer, make_room: Callable[..., str]
) -> None:
    ana, ben = guest("Ana"), guest("Ben")
    code = make_room(ana)
    store.call(seating.sit, code, ben.pk, 1)
    store.call(beginning.start, code, ana.pk)
    wish = standings.check_wish(rules="draw", players=2, sides=None, ranked=False)
    for _ in range(rooms.OWN + 2):
        practice.begin(ana, wish.options, "easy")
    assert rooms.busy_at(ana) == code
    assert rooms.waiting_for(ana)[0].room.code == code
    with pytest.raises(Refused, match=code):
        pairing.ask(ana, wish)
    store.call(play.leave, code, ben.pk)
    assert rooms.busy_at(ana) is None
    found = rooms.waiting_for(ana)
    assert len(found) == 6 and all(one.playing for one in found)
