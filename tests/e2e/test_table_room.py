"""How much room each screen leaves for the line, at a table with everything else around it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page

from dominoes.table.layout_tracks import BOXES, SHAPES
from tests.table.look import NO_SOCKET, served

pytestmark = pytest.mark.e2e

# Every seat has knocked, all lack something, the last move takes long to tell.
CROWD = """() => {
  for (const seat of document.querySelectorAll(".seat")) {
    seat.insertAdjacentHTML("beforeend", '<p class="knock">knocked on 4, 5</p>');
  }
  document.querySelector(".aid__l").innerHTML =
    "<li>Ben <b>4 5</b></li><li>Carmen <b>0 1</b></li><li>Dora <b>2</b></li>";
  document.getElementById("last").innerHTML =
    "<p>Carmen laid 6-3 below: 3 + 8 + 6 + 6 = 23, no score. Dora knocked.</p>";
}"""

# The short side of a tile in pixels, with four arms and with two.
ROOMS = {
    (320, 568): (15, 20),
    (320, 640): (15, 20),
    (360, 640): (15, 20),
    (360, 740): (16, 24),
    (390, 844): (20, 30),
    (640, 320): (15, 22),
    (740, 360): (17, 26),
    (844, 390): (19, 30),
    (820, 1180): (36, 52),
    (1024, 768): (26, 38),
    (1280, 800): (30, 48),
    (1440, 900): (37, 60),
    (1920, 1080): (50, 80),
}


@pytest.fixture(scope="module")
def tables(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with served(tmp_path_factory.mktemp("tables")) as url:
        yield url


def opened(browser: Browser, url: str, size: tuple[int, int], sample: str) -> Page:
    context = browser.new_context(
        viewport={"width": size[0], "height": size[1]}, reduced_motion="reduce", locale="en"
    )
    context.add_init_script(NO_SOCKET)
    page = context.new_page()
    page.goto(f"{url}/{sample}.html")
    return page


def short_side(page: Page, arms: int) -> float:
    box = page.locator("#line").bounding_box()
    assert box is not None
    return 2 * max(BOXES[shape, arms].unit(box["width"], box["height"]) for shape in SHAPES)


@pytest.mark.parametrize("size", ROOMS)
def test_tiles_are_legible_at_a_crowded_table(
    tables: str, browser: Browser, size: tuple[int, int]
) -> None:
    four, two = ROOMS[size]
    page = opened(browser, tables, size, "fives-mine")
    page.evaluate(CROWD)
    assert short_side(page, 4) >= four
    assert page.evaluate("document.documentElement.scrollWidth") <= size[0]
    # What can be acted on is on the screen: nothing has to be scrolled for, but on the lowest.
    if size[1] >= 600 or size[0] > size[1]:
        assert page.evaluate("document.documentElement.scrollHeight") <= size[1]
    page.goto(f"{tables}/partners-mine.html")
    assert short_side(page, 2) >= two
    page.context.close()


@pytest.mark.parametrize("size", [(820, 1180), (1280, 720), (1920, 1080)])
def test_the_big_screen_is_for_the_line(
    tables: str, browser: Browser, size: tuple[int, int]
) -> None:
    page = opened(browser, tables, size, "watching")
    page.evaluate("document.getElementById('table').classList.add('t--screen')")
    box = page.locator("#line").bounding_box()
    assert box is not None
    assert box["width"] * box["height"] >= 0.35 * size[0] * size[1]
    assert short_side(page, 4) >= 30
    page.context.close()


@pytest.mark.parametrize("size", ROOMS)
@pytest.mark.parametrize("sample", ["hand-over", "match-over"])
def test_after_a_hand_its_buttons_are_in_sight(
    tables: str, browser: Browser, size: tuple[int, int], sample: str
) -> None:
    page = opened(browser, tables, size, sample)
    for box in (button.bounding_box() for button in page.locator("#controls button").all()):
        assert box is not None and box["y"] + box["height"] <= size[1]
    page.context.close()


APART = """() => {
  const boxes = [...document.querySelectorAll("#score .sc, .top__rules, .side > summary, .plate")]
    .filter((node) => node.offsetParent && getComputedStyle(node.parentNode).clipPath === "none")
    .map((node) => [node.className || node.tagName, node.getBoundingClientRect()]);
  const bad = [];
  boxes.forEach(([a, one], at) => {
    if (one.left < 0 || one.right > innerWidth + 0.5) bad.push([a, "outside"]);
    for (const [b, other] of boxes.slice(at + 1)) {
      if (one.left < other.right - 0.5 && other.left < one.right - 0.5
        && one.top < other.bottom - 0.5 && other.top < one.bottom - 0.5) bad.push([a, b]);
    }
  });
  return [bad, [...document.querySelectorAll("#score .sc")].filter(
    (node) => node.scrollWidth > node.clientWidth + 1).length];
}"""


@pytest.mark.parametrize("size", ROOMS)
@pytest.mark.parametrize("sample", ["watching-long", "long-names", "watching"])
def test_the_longest_names_keep_apart(
    tables: str, browser: Browser, size: tuple[int, int], sample: str
) -> None:
    page = opened(browser, tables, size, sample)
    assert page.evaluate(APART) == [[], 0]
    assert page.evaluate("document.documentElement.scrollWidth") <= size[0]
    page.context.close()


@pytest.mark.parametrize("size", [(1280, 800), (1440, 900), (1920, 1080)])
def test_the_room_on_a_desk_shows_the_code_to_scan_at_once(
    tables: str, browser: Browser, size: tuple[int, int]
) -> None:
    page = opened(browser, tables, size, "room-host")
    code, bench = page.locator(".invite .qr").bounding_box(), page.locator("#act").bounding_box()
    assert code is not None and bench is not None
    assert code["y"] + code["height"] <= bench["y"]
    below = page.locator(".invite .invitation + p").bounding_box()
    assert below is None or below["y"] - code["y"] - code["height"] >= 12
    page.context.close()


@pytest.mark.parametrize("size", [(1024, 768), (1280, 800), (1440, 900)])
def test_an_open_menu_leaves_the_table_playable(
    tables: str, browser: Browser, size: tuple[int, int]
) -> None:
    page = opened(browser, tables, size, "fives-mine")
    page.locator("#side > summary").click()
    assert short_side(page, 4) >= 20
    for name in page.locator(".seat .nm").all():
        assert name.evaluate("node => node.scrollWidth <= node.clientWidth")
    page.goto(f"{tables}/hand-over.html")
    page.locator("#side > summary").click()
    assert short_side(page, 4) >= 15
    page.context.close()


def test_the_small_menus_show_in_the_systems_own_colours(tables: str, browser: Browser) -> None:
    context = browser.new_context(forced_colors="active", viewport={"width": 390, "height": 844})
    context.add_init_script(NO_SOCKET)
    page = context.new_page()
    page.goto(f"{tables}/fives-mine.html")
    dots = page.locator(".sm:visible").first
    assert dots.evaluate("node => getComputedStyle(node, '::before').content") == '"⋮"'
    context.close()


def test_nothing_moves_for_those_who_want_it_calm(tables: str, browser: Browser) -> None:
    page = opened(browser, tables, (390, 844), "fives-mine")
    moving = page.evaluate(
        "[...document.querySelectorAll('*')].filter((node) => {"
        " const style = getComputedStyle(node);"
        " return style.animationName !== 'none' || parseFloat(style.transitionDuration) > 0;"
        "}).map((node) => node.outerHTML.slice(0, 80))"
    )
    assert moving == []
    page.context.close()
