"""The lobby in a real browser: a newcomer's click, a table's form, people who look for people."""

from __future__ import annotations

import re

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, expect

from tests.services import Site

pytestmark = pytest.mark.e2e
# Two cores may be busy with servers and browsers.
expect.set_options(timeout=12_000)

PAGES = ("/", "/tables/new/", "/quick/", "/join/")
CONFIRM = '[name="act"][value="confirm"]'


def phone(browser: Browser, width: int = 360, **about: object) -> Page:
    """A page in a browser of its own on a phone, in English."""
    size = {"width": width, "height": 740}
    return browser.new_context(viewport=size, locale="en", **about).new_page()  # type: ignore[arg-type]


def look_for_people(page: Page, site: Site, rules: str, **fields: str) -> None:
    """Ask for people as a new guest."""
    page.goto(f"{site.url}/quick/")
    page.locator(f'input[type="radio"][name="rules"][value="{rules}"]').check()
    for name, value in fields.items():
        page.locator(f'input[type="radio"][name="{name}"][value="{value}"]').check()
    page.locator("form[data-seats-form] button").click()
    page.wait_for_selector("#pairing")


def test_a_newcomer_plays_with_one_click(site: Site, browser: Browser) -> None:
    page = phone(browser)
    page.goto(site.url)
    button = page.get_by_role("button", name="Play the computer")
    box = button.bounding_box()
    assert box is not None and box["y"] + box["height"] <= 740  # without scrolling
    button.click()
    expect(page.locator("#rail [data-tile]")).to_have_count(7)
    page.goto(site.url)
    expect(page.locator(".mine")).to_contain_text(re.compile("Your turn|Your match goes on"))


def test_what_does_not_go_together_can_not_be_chosen(site: Site, browser: Browser) -> None:
    page = phone(browser)
    page.goto(f"{site.url}/tables/new/")

    def choose(name: str, value: str) -> None:
        page.locator(f'input[name="{name}"][value="{value}"]').check()

    def open_ones(name: str) -> list[str]:
        radios = page.locator(f'input[name="{name}"]:enabled').all()
        return [str(radio.get_attribute("value")) for radio in radios]

    assert open_ones("setup") == ["4-partners"]
    for rules, setups, target in (
        ("draw", ["2-singles", "3-singles", "4-singles"], "100"),
        ("classic", ["2-singles", "4-singles", "4-partners"], "100"),
        ("fives", ["2-singles", "3-singles", "4-singles", "4-partners"], "250"),
    ):
        choose("rules", rules)
        assert open_ones("setup") == setups
        assert page.locator('input[name="setup"]:checked:enabled').count() == 1
        assert page.get_attribute("#target", "placeholder") == target
    assert open_ones("counts") == ["casual"]  # a guest
    expect(page.locator("[data-counts] p:visible")).to_contain_text("pays no points")
    choose("kind", "nearby")
    assert open_ones("access") == ["private"]
    assert page.locator("#turn_seconds").is_disabled()
    expect(page.locator("[data-counts] p:visible")).to_contain_text("nothing is kept of it")
    page.get_by_role("button", name="Open the table").click()
    expect(page.locator("#invite")).to_be_visible()


def test_two_who_look_for_people_find_each_other(site: Site, browser: Browser) -> None:
    ana, ben = phone(browser), phone(browser)
    look_for_people(ana, site, "draw")
    expect(ana.locator("#pairing")).to_contain_text("Looking for people")
    ben.goto(site.url)
    ben.locator("#now li", has_text="Draw").get_by_text("Join them").click()
    ben.locator("li", has_text="Draw").get_by_role("button", name="Join them").click()
    expect(ben.locator(CONFIRM)).to_be_visible()
    expect(ana.locator(CONFIRM)).to_be_visible()  # the page asks by itself
    expect(ana).to_have_title(re.compile("^Are you there"))
    ana.locator(CONFIRM).click()
    expect(ana.locator("#pairing")).to_contain_text("People there: 1 of 2")
    ben.locator(CONFIRM).click()
    for page in (ana, ben):
        expect(page.locator("#rail [data-tile]")).to_have_count(7)
    assert ana.url == ben.url


def test_without_a_script_too(site: Site, browser: Browser) -> None:
    ana = phone(browser, java_script_enabled=False)
    ben = phone(browser, java_script_enabled=False)
    for page in (ana, ben):
        look_for_people(page, site, "classic")
    for page in (ana, ben):
        expect(page.locator(CONFIRM)).to_be_visible()
        page.locator(CONFIRM).click()
    for page in (ana, ben):
        expect(page.locator("#rail [data-tile]")).to_have_count(7, timeout=10_000)


def test_whoever_closes_the_page_leaves_the_queue(site: Site, browser: Browser) -> None:
    ana, ben = phone(browser), phone(browser)
    look_for_people(ana, site, "fives")
    ben.goto(f"{site.url}/quick/")
    wanted = ben.locator("li", has_text="All Fives").get_by_role("button", name="Join them")
    expect(wanted).to_be_visible()
    ana.close()
    ben.wait_for_timeout(10_500)
    ben.goto(f"{site.url}/quick/")
    expect(wanted).to_be_hidden()


def test_a_queue_without_a_connection_says_so(site: Site, browser: Browser) -> None:
    ana = phone(browser)
    look_for_people(ana, site, "fives")
    ana.context.set_offline(True)
    expect(ana.get_by_role("alert")).to_contain_text("you may have lost your place")
    ana.context.set_offline(False)
    expect(ana.get_by_role("alert")).to_have_count(0, timeout=20_000)


def test_a_pair_by_its_link(site: Site, browser: Browser) -> None:
    ana, ben = phone(browser), phone(browser)
    look_for_people(ana, site, "partners", company="pair")
    link = ana.input_value("#invitation-link")
    ben.goto(site.url + "/" + link.split("/", 3)[3])
    ben.get_by_role("button", name="Yes").click()
    expect(ana.locator("#pairing")).to_contain_text("You play together with")
    expect(ben.locator("#pairing")).to_contain_text("You play together with")
    for page in (ana, ben):
        page.get_by_role("button", name="Stop looking").click()


def test_lists_renew_themselves(site: Site, browser: Browser) -> None:
    watcher, host = phone(browser), phone(browser)
    watcher.goto(site.url)
    host.goto(f"{site.url}/tables/new/")
    host.locator('input[name="rules"][value="classic"]').check()
    host.fill("#target", "77")
    host.get_by_role("button", name="Open the table").click()
    expect(host.locator("#invite")).to_be_visible()
    expect(watcher.locator("#now")).to_contain_text("to 77", timeout=12_000)


def test_what_waits_for_one_comes_by_itself(site: Site, browser: Browser) -> None:
    home = phone(browser)
    home.goto(f"{site.url}/tables/new/")
    home.get_by_role("button", name="Open the table").click()
    expect(home.locator("#invite")).to_be_visible()
    home.goto(site.url)
    expect(home.locator("#mine li")).to_have_count(1)
    home.locator("#mine a").focus()
    home.evaluate("window.held = document.activeElement")
    other = home.context.new_page()
    other.goto(f"{site.url}/tables/new/")
    other.locator('input[name="rules"][value="classic"]').check()
    other.get_by_role("button", name="Open the table").click()
    expect(other.locator("#invite")).to_be_visible()
    home.bring_to_front()
    expect(home.locator("#mine li")).to_have_count(2, timeout=15_000)
    expect(home.locator("#mine")).to_contain_text("Your table is waiting: Classic")
    # Whoever was about to press a link is still there.
    assert home.evaluate("document.activeElement === window.held && held.matches('#mine a')")


def test_whoever_is_host_next_may_change_the_table_at_once(site: Site, browser: Browser) -> None:
    ana, ben = phone(browser), phone(browser)
    ana.goto(f"{site.url}/tables/new/")
    ana.get_by_role("button", name="Open the table").click()
    expect(ana.get_by_role("link", name="Change what is played")).to_be_visible()
    ben.goto(ana.url.replace("/tables/", "/join/"))
    ben.locator('button[name="seat"]').first.click()
    expect(ben.locator("#invite")).to_be_visible()
    expect(ben.get_by_role("link", name="Change what is played")).to_be_hidden()
    ana.get_by_role("button", name="Stand up").click()
    expect(ben.get_by_role("link", name="Change what is played")).to_be_visible()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_nothing_serious_for_those_who_see_or_hear_differently(
    site: Site, browser: Browser, scheme: str
) -> None:
    page = phone(browser, color_scheme=scheme)
    for path in PAGES:
        page.goto(site.url + path)
        found = Axe().run(page)
        grave = [v for v in found.response["violations"] if v["impact"] in ("serious", "critical")]
        assert not grave, (path, [(v["id"], v["nodes"][0]["html"]) for v in grave])
    look_for_people(page, site, "draw", counts="casual")
    found = Axe().run(page)
    grave = [v for v in found.response["violations"] if v["impact"] in ("serious", "critical")]
    assert not grave, [(v["id"], v["nodes"][0]["html"]) for v in grave]
    page.get_by_role("button", name="Stop looking").click()


def test_narrow_screens_and_large_letters(site: Site, browser: Browser) -> None:
    page = phone(browser, width=320)
    for path in PAGES:
        for zoom in ("100%", "200%"):
            page.goto(site.url + path)
            page.evaluate("size => document.documentElement.style.fontSize = size", zoom)
            assert page.evaluate("document.documentElement.scrollWidth") <= 320, (path, zoom)
