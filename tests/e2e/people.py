"""What tests do as people with an account in a real browser, and programs that play for them."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator
from contextlib import contextmanager

from playwright.sync_api import Page, expect

from tests.clients import Person
from tests.programs import Program
from tests.services import Site

PASSWORD = "seven long bones"


def sign_up(page: Page, site: Site, name: str) -> None:
    """Make an account by the form."""
    page.goto(f"{site.url}/accounts/signup/")
    page.fill("#id_name", name)
    page.fill("#id_password", PASSWORD)
    page.fill("#id_again", PASSWORD)
    page.locator("main form button").click()
    expect(page.locator(".bar__name")).to_have_text(name)


def own_token(page: Page, site: Site, name: str) -> Person:
    """Make a token for one's programs on the settings page."""
    page.goto(f"{site.url}/settings/")
    page.fill("#id_label", "a program of mine")
    page.get_by_role("button", name="Make a token").click()
    return Person(name, page.locator("#new-token").inner_text())


def ranked_room(page: Page, site: Site) -> str:
    """Open a ranked table of Draw for two by the form; its code."""
    page.goto(f"{site.url}/tables/new/")
    page.evaluate(
        """chosen => {
          for (const [name, value] of Object.entries(chosen)) {
            document.querySelector(`input[name="${name}"][value="${value}"]`).click();
          }
        }""",
        {"rules": "draw", "setup": "2-singles", "counts": "ranked"},
    )
    page.get_by_role("button", name="Open the table").click()
    page.wait_for_selector("#table")
    page.wait_for_load_state("load")  # else it may be measured without its style sheets
    return str(page.get_attribute("#table", "data-code"))


@contextmanager
def playing(site: Site, code: str, *people: Person) -> Iterator[list[Program]]:
    """Have programs play for these people until the match is over or the block ends."""
    address = ("127.0.0.1", site.port)
    # A socket may send 20 messages a second.
    programs = [Program([address], code, person, pause=lambda: 0.06) for person in people]
    faults: list[BaseException] = []
    loop = asyncio.new_event_loop()

    async def all_of_them() -> None:
        await asyncio.gather(*(program.play(240) for program in programs))

    def run() -> None:
        try:
            loop.run_until_complete(all_of_them())
        except BaseException as fault:
            faults.append(fault)

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    try:
        yield programs
    finally:
        for program in programs:
            if thread.is_alive():
                loop.call_soon_threadsafe(program.stop)
        thread.join(20)
        loop.close()
        assert not faults, faults
