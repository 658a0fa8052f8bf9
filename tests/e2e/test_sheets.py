"""The rule sheets in a real browser: beside a game, without script, on small screens."""

import re

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, expect

from tests.services import Site

pytestmark = pytest.mark.e2e

PAGES = (
    "/rules/",
    "/rules/partners/?table=K7QF2M",
    "/rules/draw/",
    "/rules/classic/",
    "/rules/fives/",
    "/fair/",
)


@pytest.fixture
def table(site: Site) -> str:
    """The address of an open table of All Fives."""
    _status, guest = site.call("POST", "guests", {"name": "Olga"})
    wanted = {"rules": "fives", "players": 2, "kind": "online"}
    status, room = site.call("POST", "rooms", wanted, guest["token"])
    assert status == 201
    return f"{site.url}/tables/{room['code']}/"


def open_phone(browser: Browser, **about: object) -> Page:
    context = browser.new_context(viewport={"width": 360, "height": 740}, locale="en", **about)  # type: ignore[arg-type]
    context.set_default_timeout(10_000)
    return context.new_page()


def test_a_sheet_opens_beside_the_game_and_closes_back_to_it(browser: Browser, table: str) -> None:
    page = open_phone(browser)
    page.goto(table)
    page.evaluate("window.stayed = true")
    last = "[...document.styleSheets].at(-1).href"
    styled = page.evaluate(last)
    link = page.locator(".top__rules")
    link.click()
    panel = page.locator("#rules-panel")
    expect(panel.locator("h1")).to_have_text("All Fives")
    expect(panel.locator("h1")).to_be_focused()
    expect(panel).to_have_attribute("aria-label", "All Fives")
    assert page.evaluate(last) == styled  # the table's own, which none of the sheet's may follow
    # No dialog: the table below it can still be used.
    expect(page.locator("#table")).to_be_visible()
    assert page.locator("dialog, [aria-modal]").count() == 0
    panel.locator(".sheets__nav a", has_text="Draw").click()
    expect(panel.locator("h1")).to_have_text("Draw")
    panel.locator("summary").click()
    panel.locator(".contents--folded a", has_text="When the line is blocked").click()
    expect(panel.locator('[id="draw.blocked"]')).to_be_in_viewport()
    page.keyboard.press("Escape")
    expect(panel).to_have_count(0)
    expect(link).to_be_focused()
    link.click()
    panel.get_by_role("button", name="Back to the table").click()
    expect(panel).to_have_count(0)
    assert page.url == table
    assert page.evaluate("window.stayed")


def test_a_link_to_a_reason_shows_its_paragraph(browser: Browser, table: str) -> None:
    page = open_phone(browser)
    page.goto(table)
    page.evaluate(
        """() => document.body.insertAdjacentHTML("beforeend",
            '<a id="why" data-sheet href="/rules/fives/#fives.equal_totals">why</a>')"""
    )
    page.evaluate("document.getElementById('why').click()")
    place = page.locator('#rules-panel [id="fives.equal_totals"]')
    expect(place).to_be_in_viewport()
    expect(place).to_be_focused()


def test_without_script_a_sheet_is_a_page_that_leads_back(browser: Browser, table: str) -> None:
    page = open_phone(browser, java_script_enabled=False)
    page.goto(table)
    page.locator(".top__rules").click()
    expect(page.locator("h1")).to_have_text("All Fives")
    page.get_by_role("link", name="Back to the table").first.click()
    assert page.url == table


@pytest.mark.parametrize("language", ["en", "es"])
def test_nothing_has_to_be_scrolled_sideways(site: Site, browser: Browser, language: str) -> None:
    context = browser.new_context(locale=language)
    page = context.new_page()
    for path in PAGES:
        page.goto(site.url + path)
        page.evaluate("for (const part of document.querySelectorAll('details')) part.open = true")
        for width in (320, 360, 820, 1440):
            page.set_viewport_size({"width": width, "height": 740})
            wide = page.evaluate("document.documentElement.scrollWidth - innerWidth")
            assert wide <= 0, (path, width)


@pytest.mark.parametrize(("theme", "width"), [("light", 360), ("dark", 1440)])
def test_axe_finds_nothing(site: Site, browser: Browser, theme: str, width: int) -> None:
    page = open_phone(browser, color_scheme=theme)
    page.set_viewport_size({"width": width, "height": 740})
    for path in PAGES:
        page.goto(site.url + path)
        found = [
            (fault["id"], [node["html"] for node in fault["nodes"]][:3])
            for fault in Axe().run(page).response["violations"]
        ]
        assert not found, path


def test_a_narrow_screen_sees_long_lines_upright(site: Site, browser: Browser) -> None:
    page = open_phone(browser)
    page.goto(f"{site.url}/rules/partners/")
    figure = page.locator("#see-partners-out")
    expect(figure.locator(".diagram__line--portrait")).to_be_visible()
    expect(figure.locator(".diagram__line--landscape")).to_be_hidden()
    # Small, and still legible: a tile's short side is 15 px at least.
    for svg in page.locator(".diagram svg[role=img]:visible").all():
        tile = svg.locator("[data-tile]").first.bounding_box()
        assert tile is not None
        name = svg.get_attribute("aria-label") or ""
        assert min(tile["width"], tile["height"]) >= 14, name
    page.set_viewport_size({"width": 1440, "height": 900})
    expect(figure.locator(".diagram__line--landscape")).to_be_visible()
    expect(figure.locator(".diagram__line--portrait")).to_be_hidden()
    assert re.search(
        r"from left to right", figure.locator("svg:visible").first.get_attribute("aria-label") or ""
    )
