"""The table page in a real browser: touch, keyboard, ear, without script, and interrupted."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.e2e.table_page import (
    LISTEN,
    click_a_move,
    come_in,
    mine,
    next_hand,
    open_table,
    phone,
    play_to_the_end,
    settled,
    status,
    with_bots,
)
from tests.services import Site

pytestmark = pytest.mark.e2e


def test_two_people_meet_play_and_agree_to_play_again(site: Site, browser: Browser) -> None:
    ana, ben = phone(browser).new_page(), phone(browser).new_page()
    code = open_table(ana, site.url, "Ana", "fives", "2-singles")
    expect(ana.locator("#invite")).to_contain_text(code)
    come_in(ben, site.url, code, "Ben", 1)
    expect(ana.locator('[data-seat="1"]')).to_contain_text("Ben")
    expect(ben.locator('#controls [value="start"]')).to_be_hidden()
    ana.locator('#controls [value="start"]').click()
    expect(ben.locator("#table")).to_have_attribute("data-status", "playing")
    expect(ana.locator('[data-seat="0"] .nm .me')).to_have_text("You")
    play_to_the_end([ana, ben])
    expect(ana.locator("#result")).to_contain_text("the match")
    for page in (ana, ben):
        page.locator('#controls [value="rematch"]').click()
    expect(ben.locator("#table")).to_have_attribute("data-status", "playing")


@pytest.mark.parametrize(
    ("rules", "setup"),
    [("partners", "4-partners"), ("draw", "2-singles"), ("classic", "4-singles")],
)
def test_a_browser_for_each_seat(site: Site, browser: Browser, rules: str, setup: str) -> None:
    pages = [phone(browser).new_page() for _seat in range(int(setup[0]))]
    host = pages[0]
    code = open_table(host, site.url, "Ana", rules, setup)
    for seat, page in enumerate(pages[1:], 1):
        come_in(page, site.url, code, ("Ben", "Carmen", "Dora")[seat - 1], seat)
    host.locator('#controls [value="start"]').click()
    expect(pages[-1].locator("#table")).to_have_attribute("data-status", "playing")
    play_to_the_end(pages, 240)
    for page in pages:
        expect(page.locator("#result")).to_contain_text("the match")
        page.context.close()


def test_three_seats_with_bots(site: Site, browser: Browser) -> None:
    page = phone(browser).new_page()
    open_table(page, site.url, "Ana", "draw", "3-singles")
    with_bots(page)
    play_to_the_end([page], 180)
    expect(page.locator("#result")).to_be_visible()


def test_a_match_by_keyboard_alone(site: Site, browser: Browser) -> None:
    page = phone(browser).new_page()
    open_table(page, site.url, "Ana", "draw", "2-singles")
    with_bots(page)
    page.keyboard.press("Tab")
    for _ in range(400):
        now = settled(page, 30)
        if now == "over":
            return
        seq = page.get_attribute("#table", "data-seq")
        if now == "between":
            page.locator('#controls [value="ready"]').focus()
            page.keyboard.press("Enter")
        else:
            page.locator("#rail input").first.focus()
            _by_keys(page)
        page.wait_for_function("s => document.getElementById('table').dataset.seq !== s", arg=seq)
    raise AssertionError("the match came to no end")


def _by_keys(page: Page) -> None:
    """With the focus in the rail: go to a tile that fits and lay it."""
    if not page.locator("#rail [data-playable]").count():
        page.keyboard.press("Enter")  # draw or pass, whichever is all there is
        return
    page.keyboard.press("Space")
    for _ in range(30):
        words = page.locator("#controls button[name=move]:visible")
        if words.count():
            end = str(words.first.get_attribute("data-to") or "")
            one = words.count() == 1
            page.keyboard.press("Enter" if one else {"left": "l", "right": "r"}[end])
            return
        page.keyboard.press("ArrowRight")
    raise AssertionError("no tile could be picked up")


def test_what_is_heard_of_a_hand(site: Site, browser: Browser) -> None:
    page = phone(browser).new_page()
    open_table(page, site.url, "Ana", "draw", "2-singles")
    with_bots(page)
    page.evaluate(LISTEN)
    turns = 0
    moves = []
    while settled(page, 30) == "playing":
        moves.append(click_a_move(page))
        turns += 1
    page.wait_for_timeout(200)
    heard = page.evaluate("heard")
    said = " ".join(text for where, text in heard if where == "say")
    for word in moves:
        tile = word.split()[0]
        told = {"draw": "You drew", "knock": "You knocked"}.get(tile, tile)
        assert told in said
    sentences = [text for where, text in heard if where == "say"]
    pattern = re.compile(
        r"(You|Easy bot) (laid \d-\d on the (left|right)|opened with \d-\d|drew a tile|knocked)\."
        r"|(You|Easy bot) drew \d+ tiles\.|(You are|Easy bot is) out: \d+ points?\."
        r"|The line is blocked.*|Hand \d+\..*"
    )
    for sentence in sentences:
        assert pattern.match(sentence), sentence
    alerts = {text for where, text in heard if where == "alert"}
    assert alerts <= {"Your turn"}
    page.keyboard.press("Tab")
    page.locator("#again").focus()
    page.keyboard.press("Enter")
    page.wait_for_timeout(200)
    assert sentences[-1] in page.inner_text("#say")


def test_a_tap_on_an_end_of_the_line_plays_there(site: Site, browser: Browser) -> None:
    page = phone(browser, has_touch=True).new_page()
    open_table(page, site.url, "Ana", "draw", "2-singles")
    with_bots(page)
    played = 0
    while played < 3 and settled(page, 30) == "playing":
        tiles = page.locator("#rail [data-playable]")
        end = page.locator("#line [data-end]")
        if not tiles.count() or not end.count():
            click_a_move(page)
            continue
        tiles.first.click()
        fits = str(page.get_attribute("#line", "data-fits")).split()[0]
        seq = page.get_attribute("#table", "data-seq")
        page.locator(f'#line [data-end="{fits}"]').click()
        page.wait_for_function("s => document.getElementById('table').dataset.seq !== s", arg=seq)
        played += 1


def test_each_player_s_own_ways(site: Site, browser: Browser) -> None:
    page = phone(browser).new_page()
    code = open_table(page, site.url, "Ana", "draw", "2-singles")
    with_bots(page)
    page.locator("#side summary").first.click()
    page.locator('#prefs [name="confirm"]').check()
    page.locator('#prefs [name="left"]').check()
    page.locator("#side > summary").click()
    assert page.get_attribute("#table", "data-left") is not None
    settled(page, 30)
    while not page.locator("#rail [data-playable]").count():
        click_a_move_twice(page)
        settled(page, 30)
    page.locator("#rail [data-playable]").first.click()
    button = page.locator("#controls button[name=move]:visible").first
    seq = page.get_attribute("#table", "data-seq")
    button.click()
    expect(page.locator("#note")).to_contain_text("again")
    assert page.get_attribute("#table", "data-seq") == seq
    button.click()
    page.wait_for_function("s => document.getElementById('table').dataset.seq !== s", arg=seq)
    page.goto(f"{site.url}/tables/{code}/")
    assert page.locator('#prefs [name="confirm"]').is_checked()
    assert page.get_attribute("#table", "data-left") is not None


def test_a_tile_that_fits_one_end_only_is_played_at_once(site: Site, browser: Browser) -> None:
    page = phone(browser).new_page()
    open_table(page, site.url, "Ana", "draw", "2-singles", target=100)
    with_bots(page)
    page.locator("#side > summary").click()
    page.locator('#prefs [name="at_once"]').check()
    page.locator("#side > summary").click()
    for _ in range(60):
        if settled(page, 30) == "between":
            next_hand(page)
            continue
        moves = page.locator("#controls button[data-for]").evaluate_all(
            "buttons => buttons.map(button => button.dataset.for)"
        )
        single = next((tile for tile in moves if moves.count(tile) == 1), None)
        if single is None:
            click_a_move(page)
            continue
        seq = page.get_attribute("#table", "data-seq")
        page.locator(f'#rail [data-tile="{single}"]').click()
        page.wait_for_function("s => document.getElementById('table').dataset.seq !== s", arg=seq)
        return
    raise AssertionError("no tile ever fitted one end only")


def click_a_move_twice(page: Page) -> None:
    """Draw or pass where the player wants to be asked again."""
    button = page.locator("#controls button[name=move]:visible").first
    button.click()
    button.click()
    page.wait_for_timeout(300)


def test_the_clock_warns_and_what_is_said_is_shown(site: Site, browser: Browser) -> None:
    ana, ben = phone(browser).new_page(), phone(browser).new_page()
    code = open_table(ana, site.url, "Ana", "draw", "2-singles", seconds=15)
    come_in(ben, site.url, code, "Ben", 1)
    ana.locator('#controls [value="start"]').click()
    expect(ben.locator("#table")).to_have_attribute("data-status", "playing")
    page, other = (ana, ben) if mine(ana) else (ben, ana)
    page.evaluate(LISTEN)
    other.locator("#side > summary").click()
    other.get_by_role("button", name="Good luck!").click()
    expect(page.locator(".said")).to_have_text("Good luck!")
    expect(page).to_have_title(re.compile(r"^0:\d\d Your turn"))
    page.wait_for_function(
        "() => heard.some(([where, text]) => where === 'alert' && /^[45] /.test(text))",
        timeout=20_000,  # the warning comes ten seconds after the turn began
    )
    assert "Good luck!" in " ".join(text for where, text in page.evaluate("heard"))
    # The name that isn't to be heard any more, not after another push nor a reload either.
    page.locator(".seat .sm:visible").click()
    mute = page.locator("[data-mute]:visible")
    mute.click()
    expect(mute).to_have_attribute("aria-pressed", "true")
    expect(page.locator(".said")).to_have_count(0)
    report = page.locator(".sm__in a:visible")
    expect(report).to_have_attribute("href", re.compile("/report/.seat="))
    page.keyboard.press("Escape")
    expect(mute).to_be_hidden()
    page.reload()
    expect(page.locator("#conn")).to_be_hidden()
    page.wait_for_timeout(500)
    page.evaluate(LISTEN)
    other.get_by_role("button", name="Sorry!").click()
    page.wait_for_timeout(700)
    assert not page.locator(".said").count()
    assert "Sorry!" not in str(page.evaluate("heard"))
    assert page.locator("[data-mute][aria-pressed=true]").count() == 1


def test_the_screen_in_the_middle(site: Site, browser: Browser) -> None:
    host = phone(browser).new_page()
    code = open_table(host, site.url, "Ana", "draw", "2-singles", kind="nearby")
    context = browser.new_context(viewport={"width": 1280, "height": 720}, locale="en")
    screen = context.new_page()
    screen.goto(f"{site.url}/tables/{code}/?screen")
    expect(screen.locator("#invite .qr")).to_be_visible()
    with_bots(host)
    expect(screen.locator("#invite")).to_be_hidden()
    expect(screen.locator("#status")).to_be_visible()
    expect(screen.locator("#rail")).to_be_hidden()
    assert not screen.locator("#rail [data-tile]").count()


def test_without_script_forms_and_reloads_do(site: Site, browser: Browser) -> None:
    page = phone(browser, java_script_enabled=False).new_page()
    page.goto(site.url)
    page.locator('input[name="rules"][value="draw"]').check(force=True)
    page.locator('button[value="bots"]').click()
    played = 0
    for _ in range(300):
        if status(page) != "playing" or played == 6:
            break
        if not mine(page):
            page.wait_for_timeout(100)
            continue
        tiles = page.locator("#rail [data-playable]")
        if tiles.count():
            tiles.first.click()
        page.locator("#controls button[name=move]:visible").first.click()
        played += 1
    assert played


@pytest.mark.parametrize("width", [320, 360, 740, 1440])
def test_nothing_scrolls_sideways(site: Site, browser: Browser, width: int) -> None:
    height = 360 if width == 740 else 760
    context = browser.new_context(viewport={"width": width, "height": height}, locale="en")
    page = context.new_page()
    open_table(page, site.url, "Wilhelmina Featherstonehaugh", "fives", "4-singles")
    fits(page, width)
    page.evaluate("document.documentElement.style.fontSize = ''")
    with_bots(page)
    fits(page, width)


def fits(page: Page, width: int) -> None:
    """Fail if the page is wider than the window, also with large text."""
    for text in ("100%", "200%"):
        page.evaluate("size => document.documentElement.style.fontSize = size", text)
        assert page.evaluate("document.documentElement.scrollWidth") <= width, text


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_serious(site: Site, browser: Browser, scheme: str) -> None:
    from axe_playwright_python.sync_playwright import Axe

    page = phone(browser, color_scheme=scheme).new_page()
    open_table(page, site.url, "Ana", "fives", "4-partners")
    serious(page, Axe())
    if scheme == "dark":
        return  # from here on the table looks the same by day and by night
    with_bots(page)
    if settled(page, 30) == "playing" and page.locator("#rail [data-playable]").count():
        page.locator("#rail [data-playable]").first.click()
    page.locator("#side > summary").click()
    serious(page, Axe())
    page.locator("#side > summary").click()
    play_to_the_end([page], 180)
    serious(page, Axe())


def serious(page: Page, axe: object) -> None:
    """Fail for what axe calls serious or critical."""
    found = axe.run(page).response["violations"]  # type: ignore[attr-defined]
    bad = [
        (one["id"], [node["html"][:160] for node in one["nodes"]][:4])
        for one in found
        if one["impact"] in ("serious", "critical")
    ]
    assert not bad


def test_a_page_is_light(site: Site, browser: Browser) -> None:
    """80 kB compressed in all: document, styles, scripts, images."""
    import gzip

    page = phone(browser).new_page()
    sizes: dict[str, int] = {}

    def note(response: object) -> None:
        try:
            body = response.body()  # type: ignore[attr-defined]
        except Exception:
            return
        sizes[response.url] = len(gzip.compress(body))  # type: ignore[attr-defined]

    code = open_table(page, site.url, "Ana", "fives", "4-partners")
    page.on("response", note)
    page.goto(f"{site.url}/tables/{code}/", wait_until="networkidle")
    assert sizes
    assert sum(sizes.values()) <= 80_000, sizes
