"""What the table page's scripts say, keep and lead to, with a socket that only pretends."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from tests.e2e.table_page import LISTEN, come_in, open_table, phone
from tests.services import Site
from tests.table.look import served

pytestmark = pytest.mark.e2e

# Sockets that open at once and keep what they are sent; `push` is a picture of the table.
PRETEND = """
window.lines = [];
window.WebSocket = class {
  static OPEN = 1;
  readyState = 1;
  sent = [];
  constructor() { lines.push(this); }
  send(text) { this.sent.push(JSON.parse(text)); }
  close() { this.readyState = 3; }
};
window.push = (html = {}, say = "") => {
  const seq = Number(document.getElementById("table").dataset.seq) + 1;
  lines.at(-1).onmessage({data: JSON.stringify({type: "table", seq, html, say})});
};
window.changed = (id, change) => {
  const part = document.getElementById(id).cloneNode(true);
  change(part);
  return {[id]: part.outerHTML};
};
window.moves = () => lines.flatMap((line) => line.sent).filter((one) => one.type === "move");
"""


@pytest.fixture(scope="module")
def tables(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with served(tmp_path_factory.mktemp("tables")) as url:
        yield url


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    context = phone(browser, has_touch=True)
    context.add_init_script(PRETEND)
    yield context.new_page()
    context.close()


def pick(page: Page, ends: int) -> str:
    """Pick up a tile that fits so many ends, by keys."""
    tiles = page.locator("#controls [data-for]").evaluate_all("all => all.map(b => b.dataset.for)")
    tile = next(tile for tile in tiles if tiles.count(tile) == ends)
    page.locator(f'#rail input[value="{tile}"]').focus()
    page.keyboard.press("Space")
    return tile


def test_a_tile_that_fits_several_ends_asks_which(tables: str, page: Page) -> None:
    page.goto(f"{tables}/fives-mine.html")
    page.evaluate("push()")
    pick(page, 2)
    page.evaluate(LISTEN)
    for _ in range(2):  # asked twice, told twice
        page.keyboard.press("Enter")
        expect(page.locator("#say")).to_contain_text("several ends")
    assert len(page.evaluate("heard")) == 2
    keys = re.findall(r"\b[LRUD]\b", page.inner_text("#note"))
    assert len(keys) == 2
    assert page.evaluate("moves()") == []
    page.keyboard.press(keys[1])
    assert [one["id"] for one in page.evaluate("moves()")]


def test_a_move_down_a_dead_line_goes_out_once_more_and_only_once(tables: str, page: Page) -> None:
    page.clock.install()
    page.goto(f"{tables}/fives-mine.html")
    page.evaluate("push()")
    page.locator("#rail [data-playable]").first.click()
    button = page.locator("#controls button[name=move]:visible").first
    button.click()
    page.clock.run_for(4100)
    button.click()
    expect(page.locator("#conn")).to_be_hidden()
    page.clock.run_for(1000)
    expect(page.locator("#conn")).to_contain_text("Trying again")
    page.evaluate("push({}, 'Hand 3. It is your turn.')")
    page.clock.run_for(100)
    expect(page.locator("#conn")).to_be_hidden()
    assert page.inner_text("#say") == "Hand 3. It is your turn. Connected again."
    assert page.evaluate("lines.length") == 2
    assert len(page.evaluate("lines[1].sent.filter(one => one.type === 'move')")) == 1
    assert len({one["id"] for one in page.evaluate("moves()")}) == 1


def test_what_was_pressed_once_is_meant_for_one_position(tables: str, page: Page) -> None:
    page.goto(f"{tables}/fives-mine.html")
    page.evaluate("push()")
    page.evaluate("""document.querySelector('#prefs [name="confirm"]').checked = true""")
    page.locator("#rail [data-playable]").first.click()
    button = page.locator("#controls button[name=move]:visible").first
    button.click()
    expect(page.locator("#note")).to_have_text("Press again to confirm.")
    page.evaluate("push()")  # somebody came or went; nobody moved
    expect(page.locator("#note")).to_have_text("Press again to confirm.")
    page.evaluate("""push({last: '<div id="last" class="news" data-ply="3.99"></div>'})""")
    expect(page.locator("#note")).to_be_hidden()
    button.click()
    assert page.evaluate("moves()") == []
    button.click()
    page.evaluate("push()")
    button.click()  # asked again, since the pictures that come aren't of this move
    button.click()
    sent = page.evaluate("moves()")
    assert len(sent) == 2
    assert sent[0] == sent[1]


def test_a_form_that_fails_says_so_and_is_sent_once(tables: str, page: Page) -> None:
    posts: list[Route] = []
    page.route("**/act/", lambda route: posts.append(route))
    page.goto(f"{tables}/room-host.html")
    page.evaluate("push()")
    page.evaluate("window.stayed = true")
    free = page.locator('.seat--free [value$=" easy"]').first
    free.click()
    free.click()
    expect(page.locator("#note")).to_be_hidden()
    page.wait_for_timeout(100)
    (first,) = posts
    first.abort()
    expect(page.locator("#note")).to_have_text("That did not arrive. Press again.")
    expect(page.locator("#conn")).to_be_hidden()
    # What was posted has no page of its own: the table's is loaded again.
    free.click()
    expect(page.locator("#note")).to_be_hidden()
    page.wait_for_timeout(100)
    posts[1].fulfill(status=403, body="no table")
    page.wait_for_function("() => !window.stayed")
    assert page.url == f"{tables}/room-host.html"


def test_what_was_told_goes_with_what_it_was_about(tables: str, page: Page) -> None:
    page.goto(f"{tables}/hand-over.html")
    page.evaluate("document.getElementById('messages').innerHTML = '<p>Not so.</p>'")
    page.evaluate("push()")
    expect(page.locator("#messages")).to_have_text("Not so.")
    page.evaluate("push(changed('me', (me) => { me.dataset.status = 'playing'; }))")
    expect(page.locator("#messages")).to_have_text("")


def test_the_focus_is_led_to_what_there_is(tables: str, page: Page) -> None:
    page.goto(f"{tables}/fives-mine.html")
    page.evaluate("push()")
    page.locator("#rail input").first.focus()
    page.keyboard.press("Space")
    rail = str(page.evaluate("document.getElementById('rail').outerHTML"))
    empty = '<fieldset id="rail" class="rail" data-n="0"></fieldset>'
    ready = '<div id="controls" class="controls"><button value="ready">Next hand</button></div>'
    page.evaluate("parts => push(parts)", {"rail": empty, "controls": ready})
    assert page.evaluate("document.activeElement.value") == "ready"
    waits = '<div id="controls" class="controls"></div>'
    page.evaluate("parts => push(parts)", {"controls": waits})
    assert page.evaluate("document.activeElement.id") == "status"
    page.evaluate("rail => push({rail, ...changed('me', (me) => { me.dataset.hand = 9; })})", rail)
    assert page.evaluate("document.activeElement.name") == "tile"
    # At a seat it stays at the seat.
    page.goto(f"{tables}/room-host.html")
    page.evaluate("push()")
    page.locator('.seat--free [value$=" easy"]').first.focus()
    seat = page.evaluate("document.activeElement.closest('.seat').dataset.seat")
    page.evaluate(
        """seat => push(changed('seats', (seats) => {
          const acts = seats.querySelector(`[data-seat="${seat}"] .seat__acts`);
          acts.innerHTML = '<b>Bot</b><button form="act">Take away</button>';
        }))""",
        seat,
    )
    assert page.evaluate("document.activeElement.closest('.seat')?.dataset.seat") == seat


def test_a_phone_on_its_side_shows_seats_that_can_be_taken(tables: str, page: Page) -> None:
    page.set_viewport_size({"width": 740, "height": 360})
    page.goto(f"{tables}/match-over.html")
    page.evaluate("push()")
    seat = page.locator('.seat[data-seat="1"]')
    expect(seat).to_be_hidden()
    page.evaluate("House.said(1, 'hello')")
    expect(seat.locator(".said")).to_be_visible()
    free = '<p class="plate">free</p><div class="seat__acts"><button class="btn">Sit</button></div>'
    page.evaluate(
        """free => push(changed('seats', (seats) => {
          seats.querySelector('[data-seat="3"]').innerHTML = free;
        }))""",
        free,
    )
    page.get_by_role("button", name="Sit", exact=True).click(trial=True)


def test_a_phrase_of_one_s_own_is_ticked(tables: str, page: Page) -> None:
    page.goto(f"{tables}/draw-waiting.html")
    page.evaluate("push()")
    page.locator("#side > summary").click()
    hello = page.locator('[data-say="hello"]')
    hello.click()
    assert page.evaluate("lines.at(-1).sent.at(-1).phrase") == "hello"
    page.evaluate("House.said(0, 'hello')")
    expect(hello).to_have_attribute("data-heard", "")
    expect(hello).not_to_have_attribute("data-heard", "")


def test_whoever_sits_down_has_a_seats_page_and_sees_another_game(
    site: Site, browser: Browser
) -> None:
    ana, ben = phone(browser).new_page(), phone(browser).new_page()
    open_table(ben, site.url, "Ben", "draw", "2-singles")  # so that he has a name
    code = open_table(ana, site.url, "Ana", "draw", "2-singles")
    ben.goto(f"{site.url}/tables/{code}/")
    assert not ben.locator("#prefs").count()
    ben.get_by_role("button", name="Sit here").click()
    expect(ben.locator("#prefs")).to_have_count(1)
    expect(ben.locator("#talk")).to_have_count(1)
    # Copying can be chosen after a form as before it, and stays said.
    copy = ana.locator("[data-copy]")
    copy.click()
    expect(copy).to_have_text(re.compile("Copied|Copy by hand"))
    said = copy.inner_text()
    ana.locator('[value^="kick"]').click()
    expect(ana.locator(".seat--free")).to_have_count(1)
    expect(copy).to_be_visible()
    assert copy.inner_text() == said
    cem = phone(browser).new_page()
    come_in(cem, site.url, code, "Cem", 1)
    seal = cem.inner_text("#seal") or cem.text_content("#seal")
    assert seal == cem.get_attribute("#table", "data-commit")
    ana.goto(f"{site.url}/tables/{code}/choices/")
    ana.locator('input[name="rules"][value="classic"]').check(force=True)
    ana.locator("form[data-table-form] button").last.click()
    expect(cem.locator("h1")).to_have_text("Classic")
    expect(cem.locator(".top__rules")).to_have_attribute("href", re.compile("/rules/classic/"))
    for page in (ana, ben, cem):
        page.context.close()
