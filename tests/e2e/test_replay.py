"""A match's own page in a real browser: its line on every phone, its keys, its check of the deals."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, Page, expect

from tests import services
from tests.e2e.table_page import phone
from tests.services import Site

pytestmark = pytest.mark.e2e

PLAY = """
from tests.table.finished import finished
for choices in ({}, {"players": 4}):
    print("match", finished("draw", **choices).pk)
"""


@pytest.fixture(scope="module")
def matches(site: Site) -> dict[int, str]:
    """A match of Draw for two and one for four, played to the end: their ids by seats."""
    said = services.manage("shell", "-c", PLAY, env=site.env).stdout
    two, four = (line.split()[1] for line in said.splitlines() if line.startswith("match "))
    return {2: two, 4: four}


@pytest.mark.parametrize(("width", "height"), [(360, 740), (390, 844), (740, 360)])
@pytest.mark.parametrize("seats", [2, 4])
def test_the_line_has_room_on_a_phone(
    site: Site, browser: Browser, matches: dict[int, str], seats: int, width: int, height: int
) -> None:
    context = browser.new_context(viewport={"width": width, "height": height}, locale="en")
    page = context.new_page()
    for at in ("hand=1&ply=9", "hand=1&ply=999", "hand=99&ply=999", "hand=1&ply=9&eyes=0"):
        page.goto(f"{site.url}/matches/{matches[seats]}/?{at}")
        why = page.locator(".why summary")
        if why.count():
            why.click()  # what it says takes no room from the line
        box = page.locator("#line").bounding_box()
        assert box is not None and box["height"] >= 150, (at, box)
        narrowest = page.locator("#line [data-tile]").evaluate_all(
            "tiles => Math.min(...tiles.map((tile) => Math.min(tile.offsetWidth, tile.offsetHeight)))"
        )
        assert narrowest >= 10, at
        assert page.evaluate("document.documentElement.scrollWidth") <= width, at
    context.close()


def test_keys_step_and_leave_the_page_its_own(
    site: Site, browser: Browser, matches: dict[int, str]
) -> None:
    page = phone(browser).new_page()
    page.goto(f"{site.url}/matches/{matches[2]}/?hand=1&ply=3")
    where = page.locator("#replay [role=status]")
    page.keyboard.press("ArrowRight")
    expect(where).to_contain_text("Hand 1, move 4")
    page.keyboard.press("ArrowLeft")
    expect(where).to_contain_text("Hand 1, move 3")

    # Home and End scroll the page, unless one is at the replay.
    page.keyboard.press("End")
    page.wait_for_function(
        "() => scrollY > 0 && scrollY + innerHeight >= document.body.scrollHeight - 2"
    )
    page.wait_for_timeout(500)  # a page that still glides takes no other way
    page.keyboard.press("Home")
    page.wait_for_function("() => scrollY === 0")
    expect(where).to_contain_text("Hand 1, move 3")
    page.locator('[data-step="on"]').focus()
    page.keyboard.press("End")
    expect(page.locator('[data-step="on"]')).to_have_attribute("aria-disabled", "true")
    page.keyboard.press("Home")
    expect(where).to_contain_text("Hand 1, move 0")

    # A field keeps its arrows, and so does what scrolls sideways.
    page.evaluate(
        """() => {
          document.querySelector("main").insertAdjacentHTML("beforeend",
            '<input id="field" value="ab"><div id="wide" tabindex="0" style="overflow-x: auto">'
            + '<p style="width: 200vw">.</p></div>');
        }"""
    )
    for taken in ("#field", "#wide"):
        page.locator(taken).focus()
        page.keyboard.press("ArrowRight")
    page.wait_for_function("() => document.getElementById('wide').scrollLeft > 0")
    expect(where).to_contain_text("Hand 1, move 0")
    page.context.close()
