"""What tests do at a table in a real browser: open one, come in, play by what the page shows."""

from __future__ import annotations

import contextlib
import re
import time

from playwright.sync_api import Browser, BrowserContext, Page, expect
from playwright.sync_api import TimeoutError as PlaywrightTimeout

# What a deal's proof says when it holds: a match may be over after one hand.
NOBODY_CHOSE = re.compile("nobody chose (it|them)")

LISTEN = """
window.heard = [];
for (const id of ["say", "alert"]) {
  new MutationObserver(() => {
    const text = document.getElementById(id).textContent;
    if (text) heard.push([id, text]);
  }).observe(document.getElementById(id), {childList: true, characterData: true, subtree: true});
}
"""


def phone(browser: Browser, **about: object) -> BrowserContext:
    """A browser of its own on a phone, in English."""
    context = browser.new_context(viewport={"width": 360, "height": 740}, locale="en", **about)  # type: ignore[arg-type]
    context.set_default_timeout(10_000)
    return context


def open_table(
    page: Page,
    url: str,
    name: str,
    rules: str,
    setup: str,
    *,
    target: int = 25,
    kind: str = "online",
    seconds: int = 60,
) -> str:
    """Open a table as a new guest; answers its code. The page stands in the room."""
    page.goto(f"{url}/tables/new/")
    # Some of the choices are folded away; here it is the table that counts, not the form.
    page.evaluate(
        """chosen => {
          for (const [name, value] of Object.entries(chosen)) {
            const radio = document.querySelector(`input[name="${name}"][value="${value}"]`);
            if (radio) radio.click();
            else document.querySelector(`[name="${name}"]`).value = value;
          }
        }""",
        {
            "rules": rules,
            "setup": setup,
            "kind": kind,
            "target": str(target),
            "turn_seconds": str(seconds),
            "name": name,
        },
    )
    page.get_by_role("button", name="Open the table").click()
    page.wait_for_selector("#table")
    page.wait_for_load_state("load")  # else it may be measured without its style sheets
    return str(page.get_attribute("#table", "data-code"))


def come_in(page: Page, url: str, code: str, name: str, seat: int) -> None:
    """Come in by the invitation as a new guest and take a seat."""
    page.goto(f"{url}/join/{code}/")
    page.fill("#name", name)
    page.locator(f'button[name="seat"][value="{seat}"]').click()
    page.wait_for_selector("#table")
    page.wait_for_load_state("load")  # else it may be measured without its style sheets


def with_bots(page: Page, level: str = "easy") -> None:
    """Fill every free seat with bots and begin."""
    while True:
        free = page.locator(f'.seat--free [value$=" {level}"]')
        left = free.count()
        if not left:
            break
        free.first.click()
        expect(free).to_have_count(left - 1)
    page.locator('#controls [value="start"]').click()
    expect(page.locator("#table")).to_have_attribute("data-status", re.compile("playing|between"))


def mine(page: Page) -> bool:
    """Whether this page says that it is its viewer's turn."""
    return page.get_attribute("#table", "data-mine") == "1"


def status(page: Page) -> str:
    """How far the table of this page is."""
    return str(page.get_attribute("#table", "data-status"))


def settled(page: Page, seconds: float = 15) -> str:
    """Wait until this viewer has something to do; answers the table's status then."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        now = status(page)
        if now in ("over", "abandoned") or mine(page):
            return now
        if now == "between" and page.locator('#controls [value="ready"]').count():
            return now
        page.wait_for_timeout(60)
    raise AssertionError(f"nothing happened: {status(page)}, {page.inner_text('#status')}")


def click_a_move(page: Page) -> str:
    """Play by clicking: a tile that fits and the first button it shows, or draw, or pass."""
    tiles = page.locator("#rail [data-playable]")
    if tiles.count():
        tiles.first.click()
    button = page.locator("#controls button[name=move]:visible").first
    word = str(button.get_attribute("value"))
    before = page.get_attribute("#table", "data-seq")
    button.click()
    page.wait_for_function(
        "seq => document.getElementById('table').dataset.seq !== seq", arg=before
    )
    return word


def next_hand(page: Page) -> None:
    """Say that the next hand may come, unless it is dealt meanwhile: a push may take the button.

    Comes back when the page has shown what came of it, so that nobody presses an old button.
    """
    ready = page.locator('#controls [value="ready"]')
    if ready.count():
        with contextlib.suppress(PlaywrightTimeout):
            ready.first.click(timeout=2000, no_wait_after=True)
    expect(ready).to_have_count(0)


def play_to_the_end(pages: list[Page], seconds: float = 120) -> None:
    """Every page plays by clicking until the match is over."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if all(status(page) == "over" for page in pages):
            return
        for page in pages:
            if status(page) == "between":
                next_hand(page)
            elif mine(page):
                click_a_move(page)
        pages[0].wait_for_timeout(40)
    raise AssertionError("the match came to no end")
