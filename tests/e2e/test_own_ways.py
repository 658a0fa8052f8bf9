"""What each player may switch: each sound, and shaking; what its page says; and the keys."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.e2e.table_page import mine, open_table, phone, settled, status
from tests.services import Site
from tests.table.look import NO_SOCKET, served

pytestmark = pytest.mark.e2e

KINDS = ("play", "knock", "draw", "blocked", "turn", "clock")
# Counts what would be heard and felt; the sounds themselves are made from these two sources.
COUNT = """
window.made = 0;
window.shaken = [];
navigator.vibrate = (pattern) => window.shaken.push(pattern);
for (const name of ["createOscillator", "createBufferSource"]) {
  const before = AudioContext.prototype[name];
  AudioContext.prototype[name] = function () { window.made++; return before.call(this); };
}
"""


@pytest.fixture(scope="module")
def tables(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with served(tmp_path_factory.mktemp("tables")) as url:
        yield url


@pytest.fixture
def page(tables: str, browser: Browser) -> Iterator[Page]:
    context = phone(browser)
    context.add_init_script(NO_SOCKET + COUNT)
    page = context.new_page()
    page.goto(f"{tables}/fives-mine.html")
    page.locator("#side > summary").click()
    page.wait_for_timeout(150)
    yield page
    context.close()


def heard(page: Page, kind: str) -> bool:
    return bool(
        page.evaluate(
            "kind => { const before = window.made; House.sound(kind); return made > before; }", kind
        )
    )


@pytest.mark.parametrize("kind", KINDS)
def test_every_sound_is_switched_by_itself(page: Page, kind: str) -> None:
    assert heard(page, kind)
    page.locator(f'[name="sound_{kind}"]').uncheck()
    assert not heard(page, kind)
    assert all(heard(page, other) for other in KINDS if other != kind)
    page.locator(f'[name="sound_{kind}"]').check()
    assert heard(page, kind)


def test_the_clock_warns_twice_by_the_servers_time(page: Page) -> None:
    """The device's own clock is hours off; the server's time says when a turn runs out."""
    page.clock.install(time="2031-01-01T00:00:00Z")
    page.reload()
    page.evaluate(
        """() => {
          window.shaken.length = 0;
          const clock = document.querySelector("#status time.clock");
          House.setNow(new Date(Number(clock.dataset.at) - 15500).toISOString());
          House.tick();
        }"""
    )
    assert page.evaluate("shaken.length") == 0
    page.clock.run_for(1000)
    assert page.evaluate("shaken.length") == 1
    expect(page.locator("#alert")).to_contain_text("seconds left")
    page.clock.run_for(10_000)
    assert page.evaluate("shaken.length") == 2
    assert page.title().startswith("0:0")


def test_without_a_wake_lock_the_page_says_how(tables: str, browser: Browser) -> None:
    context = phone(browser)
    context.add_init_script(
        NO_SOCKET + "Object.defineProperty(Navigator.prototype, 'wakeLock', {value: undefined});"
    )
    page = context.new_page()
    page.goto(f"{tables}/fives-mine.html")
    page.locator("#side > summary").click()
    expect(page.locator("#awake")).to_be_visible()
    context.close()


def test_a_match_is_won_by_keyboard_alone(site: Site, browser: Browser) -> None:
    """From the first page on: no click, no focus but what Tab and the arrows give."""
    page = phone(browser).new_page()
    open_table(page, site.url, "Ana", "draw", "2-singles")
    press(page, '.seat--free [value$=" easy"]')
    expect(page.locator(".seat--free")).to_have_count(0)
    for _match in range(8):
        press(page, "#controls [value=start]" if status(page) == "open" else "#controls .btn--play")
        expect(page.locator("#table")).to_have_attribute("data-status", "playing")
        _play_by_keys(page)
        if "You win" in page.inner_text("#result"):
            return
    raise AssertionError("eight matches against an easy bot and none won")


def press(page: Page, wanted: str) -> None:
    """Go there by Tab and press Enter."""
    reach(page, wanted)
    page.keyboard.press("Enter")


def reach(page: Page, wanted: str) -> None:
    for _ in range(120):
        if page.evaluate("wanted => Boolean(document.activeElement?.closest(wanted))", wanted):
            return
        page.keyboard.press("Tab")
    raise AssertionError(f"Tab never comes to {wanted}")


def _play_by_keys(page: Page) -> None:
    changed = "s => document.getElementById('table').dataset.seq !== s"
    for _ in range(400):
        now = settled(page, 30)
        if now in ("over", "abandoned"):
            return
        seq = page.get_attribute("#table", "data-seq")
        if now == "between":
            press(page, "#controls [value=ready]")
        elif not page.locator("#rail [data-playable]").count():
            reach(page, "#rail")
            page.keyboard.press("Enter")
        else:
            reach(page, "#rail")
            page.keyboard.press("Space")
            for _tile in range(30):
                words = page.locator("#controls button[name=move]:visible")
                if words.count():
                    break
                page.keyboard.press("ArrowRight")
            end = str(words.first.get_attribute("data-to") or "")
            page.keyboard.press("Enter" if words.count() == 1 else end[0])
        if mine(page) or status(page) != "over":
            page.wait_for_function(changed, arg=seq)
    raise AssertionError("the match came to no end")
