"""Who asked for it has their knocks done by the page: once each, told, and only while asked for."""

from __future__ import annotations

import json

import pytest
from playwright.sync_api import Browser, Page, WebSocket, expect

from tests.e2e.table_page import (
    LISTEN,
    click_a_move,
    next_hand,
    open_table,
    phone,
    settled,
    with_bots,
)
from tests.services import Site

pytestmark = pytest.mark.e2e

ONLY_PASS = "#controls button[name=move]:only-of-type[value=knock]"


def switch(page: Page, **prefs: bool) -> None:
    """Set what the player likes, by the menu, and wait until the server has kept it."""
    page.locator("#side > summary").click()
    for name, on in prefs.items():
        box = page.locator(f'#prefs [name="{name}"]')
        if box.is_checked() != on:
            with page.expect_response("**/act/"):
                box.set_checked(on)
    page.locator("#side > summary").click()


def until_only_a_knock_is_left(page: Page) -> None:
    """Play on, hand after hand, until this seat can't lay."""
    for _ in range(400):
        if settled(page, 30) == "between":
            next_hand(page)
            expect(page.locator("#table")).not_to_have_attribute("data-status", "between")
        elif page.locator(ONLY_PASS).count():
            return
        else:
            click_a_move(page)
    raise AssertionError("there was always a tile that fitted")


@pytest.mark.parametrize(("rules", "setup"), [("classic", "4-singles"), ("partners", "4-partners")])
def test_the_page_knocks_for_those_who_asked(
    site: Site, browser: Browser, rules: str, setup: str
) -> None:
    page = phone(browser).new_page()
    knocks: list[str] = []

    def note(frame: str | bytes) -> None:
        message = json.loads(frame)
        if message.get("move") == "knock":
            knocks.append(message["id"])

    def watch(socket: WebSocket) -> None:
        socket.on("framesent", note)

    page.on("websocket", watch)
    open_table(page, site.url, "Ana", rules, setup, target=250)
    with_bots(page)
    until_only_a_knock_is_left(page)
    seq = page.get_attribute("#table", "data-seq")
    page.wait_for_timeout(1500)  # the page does it after 0.9 seconds, if at all
    assert knocks == []
    expect(page.locator("#table")).to_have_attribute("data-seq", str(seq))
    # Asked for in the middle of a turn, it is done in that turn; and who wants to be asked again
    # before a move isn't asked for what is done for them.
    page.evaluate(LISTEN)
    switch(page, confirm=True, knock_for_me=True)
    expect(page.locator("#table")).not_to_have_attribute("data-seq", str(seq))
    page.wait_for_function("() => heard.some(([at, text]) => at === 'say' && /knocked/.test(text))")
    assert len(set(knocks)) == len(knocks) == 1
    said = " ".join(text for at, text in page.evaluate("heard") if at == "say")
    assert "You knocked" in said
    # Switched off again, the table waits.
    switch(page, knock_for_me=False, confirm=False)
    until_only_a_knock_is_left(page)
    before = len(knocks)
    page.wait_for_timeout(1500)
    assert len(knocks) == before
    click_a_move(page)
    assert len(knocks) == before + 1
    page.context.close()
