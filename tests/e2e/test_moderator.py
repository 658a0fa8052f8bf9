"""A moderator's day in a real browser: find, inspect, void, see it undone on the profile."""

from __future__ import annotations

import re
import time

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, expect

from tests import services
from tests.clients import Person
from tests.e2e.people import PASSWORD, own_token, playing, sign_up
from tests.services import Site

pytestmark = pytest.mark.e2e

MODERATOR = """
from django.contrib.auth.models import Group
from ranking.models import Player
player = Player.objects.create_user("Mo Derator", "{password}", is_staff=True)
player.groups.add(Group.objects.get(name="Moderators"))
"""


def at_the_desk(browser: Browser, **about: object) -> Page:
    context = browser.new_context(viewport={"width": 1280, "height": 900}, locale="en", **about)  # type: ignore[arg-type]
    context.set_default_timeout(10_000)
    return context.new_page()


def ranked_match(site: Site, one: Person, other: Person) -> str:
    """Programs play a ranked match for two people; its id."""
    wanted = {"rules": "draw", "players": 2, "kind": "online", "ranked": True}
    status, room = site.call("POST", "rooms", wanted, one.token)
    assert status == 201, room
    code = room["code"]
    assert site.call("POST", f"rooms/{code}/sit", {"seat": 1}, other.token)[0] < 300
    status, begun = site.call("POST", f"rooms/{code}/start", {}, one.token)
    assert status < 300, begun
    with playing(site, code, one, other) as programs:
        end = time.monotonic() + 150
        while not all(program.done.is_set() for program in programs):
            assert time.monotonic() < end, [(p.picture, p.refusals, p.closes) for p in programs]
            time.sleep(0.05)
    return str(begun["match"])


def figures(page: Page, site: Site, name: str) -> list[str]:
    """What a profile says in numbers."""
    page.goto(f"{site.url}/players/{name.replace(' ', '%20')}/")
    return page.locator("dl.facts dd").all_inner_texts()


def serious(page: Page) -> list[tuple[str, str]]:
    found = Axe().run(page).response["violations"]
    return [
        (one["id"], one["nodes"][0]["html"][:200])
        for one in found
        if one["impact"] in ("serious", "critical")
    ]


# How far what belongs to one row is apart: in height, or in the size of its type.
APART = """() => {
  const top = (node) => node.getBoundingClientRect().top;
  const size = (node) => parseFloat(getComputedStyle(node).fontSize);
  return [
    ...[...document.querySelectorAll(".desk dt")].map((one) =>
      top(one) - top(one.nextElementSibling)),
    ...[...document.querySelectorAll(".desk .sum > tr > *")].map((one) =>
      size(one) - size(document.querySelector(".desk tbody td"))),
  ];
}"""


def on_a_phone(desk: Page, site: Site, *paths: str) -> None:
    """No page of the desk is wider than a phone; what is, scrolls by itself, by keyboard too."""
    before = desk.viewport_size
    assert before is not None
    desk.set_viewport_size({"width": 360, "height": 740})
    for path in paths:
        desk.goto(f"{site.url}/admin/table/{path}")
        assert desk.evaluate("document.documentElement.scrollWidth") <= 360, path
        assert serious(desk) == [], path
        assert all(abs(gap) < 0.5 for gap in desk.evaluate(APART)), path
    desk.set_viewport_size(before)


def test_find_inspect_answer_void_and_see_it_undone(site: Site, browser: Browser) -> None:
    services.manage("shell", "-c", MODERATOR.format(password=PASSWORD), env=site.env)
    ana, desk = at_the_desk(browser), at_the_desk(browser)
    sign_up(ana, site, "Ana Sued")
    ana_plays = own_token(ana, site, "Ana Sued")
    done = services.manage("token", "Ben Sued", "--create", env=site.env)
    ben_plays = Person("Ben Sued", done.stdout.split()[-1])

    first = ranked_match(site, ana_plays, ben_plays)
    before = [figures(ana, site, name) for name in ("Ana Sued", "Ben Sued")]
    second = ranked_match(site, ana_plays, ben_plays)
    after = [figures(ana, site, name) for name in ("Ana Sued", "Ben Sued")]
    assert before != after

    # Ana reports Ben from the replay.
    ana.goto(f"{site.url}/matches/{second}/?hand=1&ply=4")
    ana.get_by_role("link", name="Report Ben Sued").click()
    assert serious(ana) == []
    ana.get_by_text("Loses on purpose").click()
    ana.get_by_role("button", name="Send the report").click()
    expect(ana.locator("main")).to_contain_text("Nobody has answered yet")

    # The moderator signs in and finds the report, then the match by a player's name.
    desk.goto(f"{site.url}/admin/")
    desk.fill("#id_username", "Mo Derator")
    desk.fill("#id_password", PASSWORD)
    desk.locator('input[type="submit"]').click()
    desk.goto(f"{site.url}/admin/table/report/?answered=no")
    desk.locator("#result_list th a", has_text=re.compile("20")).first.click()
    expect(desk.locator(".desk")).to_contain_text("hand 1, move 4")
    assert serious(desk) == []
    desk.fill("#id_answer", "Thank you. The match is void.")
    desk.get_by_role("button", name="Send the answer").click()
    expect(desk.locator(".desk")).to_contain_text("Thank you. The match is void.")

    desk.goto(f"{site.url}/admin/table/match/")
    desk.fill("#searchbar", "ben sued")
    desk.keyboard.press("Enter")
    expect(desk.locator("#result_list tbody tr")).to_have_count(2)
    desk.goto(f"{site.url}/admin/table/match/?q={second}")
    desk.locator("#result_list tbody th a").click()
    page = desk.locator(".desk")
    for known in ("Ana Sued", "lays", "Their matches with each other", "Loses on purpose"):
        expect(page).to_contain_text(known)
    assert serious(desk) == []
    desk.get_by_role("link", name="Replay with all racks").click()
    expect(desk.locator(".replay__racks li")).to_have_count(2)
    desk.go_back()

    # Void, for a reason.
    desk.fill("#id_reason", "The seats were one person's")
    desk.get_by_role("button", name="Void it").click()
    expect(desk.locator(".desk__void").first).to_contain_text("The seats were one person's")
    expect(page).to_contain_text("It is void already")

    # Undone on both profiles; the players see it, and the other match still counts.
    assert [figures(ana, site, name) for name in ("Ana Sued", "Ben Sued")] == before
    voided = ana.locator(".matches__void")
    expect(voided).to_have_count(1)
    expect(voided).to_contain_text("The seats were one person's")
    ana.goto(f"{site.url}/matches/{second}/")
    expect(ana.locator("main")).to_contain_text("This match is void: The seats were one person's")
    ana.goto(f"{site.url}/matches/{first}/")
    expect(ana.locator("main")).not_to_contain_text("is void")

    # The answer has come; the act is in the log and can't be edited there.
    ana.goto(site.url)
    ana.get_by_role("link", name="There is an answer to your report").click()
    expect(ana.locator("main")).to_contain_text("Thank you. The match is void.")
    desk.goto(f"{site.url}/admin/ranking/act/?q=dominoes:{second}")
    desk.locator("#result_list tbody th a").click()
    expect(desk.locator("#content")).to_contain_text("The seats were one person's")
    assert desk.locator('#content input[type="submit"]').count() == 0

    # Figures and odd tables are a click away; accounts are not the moderator's to touch.
    desk.goto(f"{site.url}/admin/table/match/")
    desk.locator(".object-tools").get_by_role("link", name="Figures").click()
    desk.get_by_role("button", name=re.compile("Check the next")).click()
    expect(page).to_contain_text("All are right")
    assert serious(desk) == []
    desk.go_back()
    desk.goto(f"{site.url}/admin/table/match/odd/")
    expect(desk.locator(".desk")).to_contain_text("one address")  # programs of one machine
    assert serious(desk) == []
    on_a_phone(desk, site, f"match/{second}/change/", "match/figures/", "match/odd/")
    desk.goto(f"{site.url}/admin/ranking/player/?q=Ben+Sued")
    desk.locator("#result_list tbody th a").click()
    assert desk.locator('input[name="suspended_until_0"]').count() == 0
