"""The page and its connection: pushes while a tile is in hand, sleep, a network that goes away."""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from playwright.sync_api import Browser, Page, WebSocketRoute, expect

from tests.clients import Api, Person, Socket
from tests.e2e.table_page import click_a_move, come_in, mine, open_table, phone, settled, with_bots
from tests.services import Site, running_site

pytestmark = pytest.mark.e2e

# What the bar about the connection said, one after the other.
TOLD = """
window.told = [];
new MutationObserver(() => told.push(document.getElementById("conn").textContent)).observe(
  document.getElementById("conn"), {childList: true, characterData: true, subtree: true});
"""


@contextmanager
def coming_and_going(site: Site, code: str, *people: Person) -> Iterator[None]:
    """These people's phones lose and find the network again and again, until the block ends."""
    address, ended = ("127.0.0.1", site.port), threading.Event()
    faults: list[BaseException] = []

    async def to_and_fro(person: Person) -> None:
        while not ended.is_set():
            socket = await Socket.open(address, f"/ws/table/{code}/", token=person.token)
            await asyncio.sleep(0.1)
            socket.close()
            await asyncio.sleep(0.1)

    async def all_of_them() -> None:
        await asyncio.gather(*map(to_and_fro, people))

    def run() -> None:
        try:
            asyncio.run(all_of_them())
        except BaseException as fault:
            faults.append(fault)

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    try:
        yield
    finally:
        ended.set()
        thread.join(20)
        assert not faults, faults


def guests(site: Site, code: str, seats: dict[int, str]) -> list[Person]:
    """New guests on these seats, who play by programs."""

    async def sit() -> list[Person]:
        api = Api(("127.0.0.1", site.port))
        people = []
        for seat, name in seats.items():
            people.append(await api.guest(name))
            await api.sit(code, people[-1], seat)
        api.close()
        return people

    found: list[Person] = []
    thread = threading.Thread(target=lambda: found.extend(asyncio.run(sit())))
    thread.start()
    thread.join(30)
    return found


def test_fifty_pushes_take_nothing_away(site: Site, browser: Browser) -> None:
    page = phone(browser).new_page()
    pushes: list[set[str]] = []  # the parts of the page in each

    def note(frame: str | bytes) -> None:
        message = json.loads(frame)
        if message["type"] == "table" and message["html"]:
            pushes.append(set(message["html"]))

    page.on("websocket", lambda socket: socket.on("framereceived", note))
    code = open_table(page, site.url, "Ana", "classic", "4-singles", seconds=120)
    people = guests(site, code, {1: "Ben", 2: "Carmen"})
    expect(page.locator(".seat--free")).to_have_count(1)
    with_bots(page)
    # A picked-up tile outlasts what happens before one's turn, and what happens in it.
    tile = page.locator("#rail .rt").nth(2)
    name = tile.get_attribute("data-tile")
    tile.click()
    page.locator("#side > summary").click()
    page.locator(f'#rail [data-tile="{name}"] input').focus()
    page.locator(".side__in").evaluate("node => { node.scrollTop = 40; }")
    scrolled = page.locator(".side__in").evaluate("node => node.scrollTop")
    pushes.clear()
    with coming_and_going(site, code, *people):
        for _ in range(600):
            whole = sum({"rail", "controls", "seats", "line"} <= parts for parts in pushes)
            if len(pushes) >= 50 and whole >= 10:
                break
            # A new connection is greeted with the whole table, the tile in hand among it.
            page.evaluate("dispatchEvent(new Event('online'))")
            page.wait_for_timeout(100)
    assert len(pushes) >= 50
    assert whole >= 10
    assert page.locator("#rail .rt").count() == 7  # nobody played for this seat meanwhile
    assert page.evaluate("House.picked()") == name
    assert page.evaluate("document.activeElement.value") == name
    assert page.evaluate("document.getElementById('side').open")
    assert page.locator(".side__in").evaluate("node => node.scrollTop") == scrolled
    page.context.close()


def test_the_server_goes_and_comes_back(
    browser: Browser, tmp_path_factory: pytest.TempPathFactory
) -> None:
    with running_site(tmp_path_factory.mktemp("again")) as server:
        page = phone(browser).new_page()
        open_table(page, server.url, "Ana", "draw", "2-singles")
        with_bots(page)
        settled(page, 30)
        click_a_move(page)
        server.stop()
        expect(page.locator("#conn")).to_be_visible(timeout=15_000)
        server.start()
        expect(page.locator("#conn")).to_be_hidden(timeout=30_000)
        settled(page, 30)
        click_a_move(page)


class Wire:
    """Stands between a page and its server; `cut`, nothing passes any more and nobody is told."""

    def __init__(self, page: Page) -> None:
        self.opened = 0
        self.cut: set[int] = set()
        page.route_web_socket("**/ws/table/**", self._through)

    def _through(self, socket: WebSocketRoute) -> None:
        self.opened += 1
        number, server = self.opened, socket.connect_to_server()
        socket.on_message(lambda text: None if number in self.cut else server.send(text))
        server.on_message(lambda text: None if number in self.cut else socket.send(text))

    def cut_now(self) -> None:
        """The sockets that are open are dead from now on; new ones work."""
        self.cut.update(range(1, self.opened + 1))


def two_people(site: Site, browser: Browser) -> tuple[Page, Page, Wire]:
    """Two at a table: who waits for the other's move, who is on turn, the first one's wire."""
    pages = [phone(browser).new_page() for _ in range(2)]
    wires = [Wire(page) for page in pages]
    code = open_table(pages[0], site.url, "Ana", "draw", "2-singles", seconds=120)
    come_in(pages[1], site.url, code, "Ben", 1)
    pages[0].locator('#controls [value="start"]').click()
    for page in pages:
        expect(page.locator("#table")).to_have_attribute("data-status", "playing")
    first = mine(pages[0])
    return pages[first], pages[not first], wires[first]


def shows_the_newest(page: Page, other: Page) -> None:
    """The page got there by itself."""
    seq = str(other.get_attribute("#table", "data-seq"))
    expect(page.locator("#table")).to_have_attribute("data-seq", seq, timeout=8000)
    expect(page.locator("#last")).to_have_attribute(
        "data-ply", str(other.get_attribute("#last", "data-ply"))
    )
    expect(page.locator("#conn")).to_be_hidden()


# What a page is told when its phone falls asleep and wakes up that many milliseconds later.
SLEEP = """() => {
  Object.defineProperty(document, "visibilityState", {value: "hidden", configurable: true});
  document.dispatchEvent(new Event("visibilitychange"));
}"""
WAKE = """(slept) => {
  const now = Date.now;
  Date.now = () => now() + slept;
  Object.defineProperty(document, "visibilityState", {value: "visible", configurable: true});
  document.dispatchEvent(new Event("visibilitychange"));
}"""


@pytest.mark.parametrize("slept", [1000, 60_000])
def test_a_phone_that_slept_comes_back_by_itself(site: Site, browser: Browser, slept: int) -> None:
    page, other, wire = two_people(site, browser)
    page.evaluate(TOLD)
    page.evaluate(SLEEP)
    wire.cut_now()
    before = str(page.get_attribute("#table", "data-seq"))
    click_a_move(other)
    assert page.get_attribute("#table", "data-seq") == before
    assert page.evaluate("told") == []
    # A dead socket looks like a living one: after a short sleep it is asked first.
    page.evaluate(WAKE, slept)
    page.wait_for_function("() => told.length", timeout=4000 if slept < 20_000 else 1000)
    shows_the_newest(page, other)
    assert wire.opened >= 2
    first, *rest = page.evaluate("told")
    assert "Trying again" in first
    assert rest == [""]
    for one in (page, other):
        one.context.close()


def test_a_lost_network_is_told_and_mended(site: Site, browser: Browser) -> None:
    page, other, wire = two_people(site, browser)
    wire.cut_now()
    page.context.set_offline(True)
    expect(page.locator("#conn")).to_contain_text("Trying again")
    expect(page.locator("#say")).to_contain_text("Trying again")
    click_a_move(other)
    page.context.set_offline(False)
    shows_the_newest(page, other)
    expect(page.locator("#say")).not_to_contain_text("Trying again")
    for one in (page, other):
        one.context.close()


def test_leaving_reaches_the_table_over_a_dead_line_and_costs_the_match_alone(
    site: Site, browser: Browser
) -> None:
    page, other, wire = two_people(site, browser)
    wire.cut_now()
    page.locator("#side > summary").click()
    page.locator("#leave summary").click()
    sure = page.locator('#leave [value="leave"]')
    sure.click()
    sure.click()  # nothing seems to happen, so people tap again
    page.evaluate("dispatchEvent(new Event('online'))")
    for one in (page, other):
        expect(one.locator("#table")).to_have_attribute("data-status", "over")
    you = page.get_attribute("#table", "data-you")
    assert you in ("0", "1")
    page.reload()
    expect(page.locator("#table")).to_have_attribute("data-you", you)  # for a rematch
    for one in (page, other):
        one.context.close()
