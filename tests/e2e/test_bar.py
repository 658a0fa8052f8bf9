"""The bar above every page: one row on every screen, and what it holds within reach."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.e2e.table_page import open_table
from tests.services import Site

pytestmark = pytest.mark.e2e

LONG = "Wilhelmina Featherstonehaugh"


@pytest.mark.parametrize("language", ["en", "es"])
@pytest.mark.parametrize("width", [320, 390, 820, 1280])
def test_the_bar_is_one_row(site: Site, browser: Browser, width: int, language: str) -> None:
    context = browser.new_context(viewport={"width": width, "height": 740}, locale="en")
    context.set_default_timeout(10_000)
    page = context.new_page()
    page.goto(site.url)
    page.locator(f'.foot button[name="language"][value="{language}"]').click()
    expect(page.locator("html")).to_have_attribute("lang", language)
    one_row(page, width)
    page.goto(f"{site.url}/tables/new/")
    page.locator('[name="name"]').evaluate("(field, name) => (field.value = name)", LONG)
    page.locator('[name="name"]').evaluate("field => field.form.requestSubmit()")
    page.wait_for_selector("#table")
    page.wait_for_load_state("load")  # else it may be measured without its style sheets
    page.goto(site.url)
    expect(page.locator(".bar__name")).to_contain_text("Wilhelmina")
    one_row(page, width)
    for target in page.locator(".bar a:visible, .bar summary").all():
        box = target.bounding_box()
        assert box is not None and box["height"] >= 44, target
    context.close()


def one_row(page: Page, width: int) -> None:
    box = page.locator(".bar").bounding_box()
    assert box is not None and box["height"] <= 64
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    last = page.locator(".bar__me").bounding_box()
    assert last is not None and last["x"] + last["width"] <= width


@pytest.mark.parametrize("script", [True, False])
def test_what_is_one_s_own_is_a_tap_away(site: Site, browser: Browser, script: bool) -> None:
    context = browser.new_context(viewport={"width": 360, "height": 740}, locale="en")
    page = context.new_page()
    open_table(page, site.url, "Ana", "draw", "2-singles")
    plain = browser.new_context(
        viewport={"width": 360, "height": 740},
        locale="en",
        java_script_enabled=script,
        storage_state=context.storage_state(),
    ).new_page()
    plain.goto(site.url)
    plain.locator(".bar__me summary").click()
    expect(plain.get_by_role("link", name="Keep this name").first).to_be_visible()
    plain.get_by_role("link", name="Settings").first.click()
    expect(plain).to_have_url(f"{site.url}/settings/")
    if script:
        plain.locator(".bar__me summary").click()
        plain.keyboard.press("Escape")
        expect(plain.locator(".bar__menu")).to_be_hidden()
        expect(plain.locator(".bar__me summary")).to_be_focused()
