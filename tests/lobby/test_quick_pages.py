"""The pages of quick pairing and of companions."""

import re
import time
from collections.abc import Callable

import pytest
from django.test import Client

from dominoes.table import beginning, seating, store
from dominoes.table.models import Socket
from dominoes.table.refusals import Refused
from lobby import companions, pairing, practice
from lobby.models import Invite
from lobby.standings import check_wish
from ranking import players
from ranking.models import Player
from tests.lobby.conftest import MakePlayer
from tests.lobby.looking import said, text
from tests.lobby.waiting import DUEL

pytestmark = pytest.mark.django_db

Browser = Callable[..., Client]


# --- quick pairing ------------------------------------------------------------------------------


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
    assert "People there: 1 of 2" in text(ana.get("/quick/"))
    address = ben.post("/quick/", {"act": "confirm"}).headers["Location"]
    assert address.startswith("/tables/")
    assert f'data-go="{address}"' in ana.get("/quick/", {"part": "now"}).content.decode()
    assert ana.get("/quick/").headers["Location"] == address


def test_the_part_tells_where_to_go_when_one_is_out(browser: Browser, guest: MakePlayer) -> None:
    client = browser(guest("Ana"))
    assert 'data-go="/quick/"' in client.get("/quick/", {"part": "now"}).content.decode()
    notes = ("late", "in time"), ("gone", "for a while"), ("barred", "at present"), ("evil<>", "")
    for note, sentence in notes:
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


# --- companions ---------------------------------------------------------------------------------


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


def test_an_invitation_reaches_a_home_page_that_is_open(
    guest: MakePlayer, browser: Browser, make_room: Callable[..., str]
) -> None:
    ana, ben = guest("Ana"), guest("Ben")
    played_together(ana, ben)
    ben_sees, eva_sees = browser(ben), browser(guest("Eva"))
    box = '<div id="mine" role="status" aria-atomic="false" data-refresh="/?part=mine" '
    assert box in eva_sees.get("/").content.decode()
    empty = eva_sees.get("/", {"part": "mine"}).content.decode().strip()
    assert empty.startswith(box) and empty.endswith("></div>") and "<section" not in empty
    code = make_room(ana, private=True)
    browser(ana).post(f"/tables/{code}/invite/", {"player": "Ben"})
    part = ben_sees.get("/", {"part": "mine"})
    assert "Ana asks you to play Draw" in text(part)
    html = part.content.decode().strip()
    assert html.startswith(box) and html.endswith("</section></div>")
    assert f'<li id="call-{Invite.objects.get().pk}">' in html
    assert f'href="/join/{code}/"' in html
    assert 'id="mine"' not in browser().get("/").content.decode()


def test_links_of_one_kind_say_each_what_they_are_about(
    guest: MakePlayer, browser: Browser, make_room: Callable[..., str]
) -> None:
    ana, ben, cleo, dora, eva = map(guest, ("Ana", "Ben", "Cleo", "Dora", "Eva"))
    for one, host in ((ana, ben), (cleo, eva)):
        played_together(one, dora)
        code = make_room(one, private=True)
        browser(one).post(f"/tables/{code}/invite/", {"player": "Dora"})
        code = make_room(host)
        store.call(seating.set_bot, code, host.pk, 1, "easy")
        store.call(beginning.start, code, host.pk)
    for one, seats in ((ana, 2), (cleo, 3)):
        pairing.ask(one, check_wish(rules="draw", players=seats, sides=None, ranked=False))
    page = browser(dora).get("/").content.decode()
    found = re.findall(r"<(?:a class=.btn|button)[^>]*>(.*?)</(?:a|button)>", page)
    names = [re.sub("<[^>]*>", "", name) for name in found]
    for kind in ("Come", "Not now", "Watch", "Join them"):
        alike = [name for name in names if name.partition(":")[0] == kind]
        assert len(alike) == len(set(alike)) == 2, alike


def test_to_a_room_of_ones_own_one_asks_however_many_matches_wait(
    guest: MakePlayer, make_room: Callable[..., str]
) -> None:
    ana, ben = guest("Ana"), guest("Ben")
    played_together(ana, ben)
    code, full, other = make_room(ana), make_room(ana), make_room(guest("Eva"))
    for _ in range(6):
        practice.begin(ana, DUEL.options, "easy")
    companions.call(ana, "Ben", Invite.ROOM, code)
    assert Invite.objects.get().code == code
    store.call(seating.sit, full, ben.pk, 1)
    for elsewhere in (full, other, "NOSUCH", "?"):
        with pytest.raises(Refused, match="with a free seat"):
            companions.call(ana, "Ben", Invite.ROOM, elsewhere)


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
