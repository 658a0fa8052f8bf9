"""The line in a real browser: the style sheet puts every tile where the layout says."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest
from playwright.sync_api import Browser, Page

from dominoes.table.drawing import line_html, sprite
from dominoes.table.layout import lay_out
from dominoes.table.layout_tracks import BOXES
from tests.table.lines import Free, long_line, tiles_of

pytestmark = pytest.mark.e2e

CSS = Path(__file__).parents[2] / "static/css/line.css"
EVENLY = {"left": 1.0, "right": 1.0, "up": 1.0, "down": 1.0}

# Boxes for the line, and which of the grids shows the larger tiles there.
BOXED = (
    ((344, 312), "portrait"),
    ((374, 420), "portrait"),
    ((460, 220), "landscape"),
    ((780, 700), "portrait"),
    ((900, 480), "landscape"),
)

MEASURE = """() => {
  const of = (node) => {
    const b = node.getBoundingClientRect();
    return [b.left, b.top, b.right, b.bottom];
  };
  const all = (what) => [...document.querySelectorAll(what)];
  return {
    box: of(document.querySelector("#line")),
    tiles: all("#line [data-tile]").map((n) => [n.dataset.tile, of(n)]),
    faces: all("#line [data-tile] svg").map(of),
    ends: all("#line [data-end]").map((n) => [n.dataset.end, of(n)]),
  };
}"""

Bounds = list[float]


def lines(arms: int, seed: int) -> list[Free]:
    """A long line as it was after each tile."""
    grown: list[Free] = []
    for free in long_line(Random(seed), arms, EVENLY):
        copy = Free(arms, free.first)
        copy.chains = {end: list(chain) for end, chain in free.chains.items()}
        copy.ends, copy.spinner = dict(free.ends), free.spinner
        grown.append(copy)
    return grown


def show(page: Page, free: Free, width: int, height: int, last: str | None = None) -> None:
    html = line_html(free.line, free.ends, arms=free.arms, last=last, by=1)
    page.set_content(
        f"<!doctype html><style>{CSS.read_text()} body {{ margin: 40px }} "
        f"#line {{ width: {width}px; height: {height}px }}</style>"
        f'<body data-you="0" data-players="4">{sprite()}'
        f'<div id="line" class="line" data-arms="{free.arms}">{html}</div>'
    )


def overlap(a: Bounds, b: Bounds) -> bool:
    return a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]


def inside(a: Bounds, box: Bounds) -> bool:
    return a[0] >= box[0] and a[1] >= box[1] and a[2] <= box[2] and a[3] <= box[3]


@pytest.fixture
def calm(browser: Browser) -> Iterator[Page]:
    """A page for those who want less motion: nothing is measured on its way."""
    context = browser.new_context(viewport={"width": 1000, "height": 900}, reduced_motion="reduce")
    context.set_default_timeout(10_000)
    yield context.new_page()
    context.close()


@pytest.mark.parametrize("arms", [2, 4])
@pytest.mark.parametrize(("size", "shape"), BOXED)
def test_tiles_lie_where_the_layout_says(
    calm: Page, arms: int, size: tuple[int, int], shape: str
) -> None:
    free = lines(arms, 4)[-1]
    assert len(tiles_of(free.line)) > 24
    show(calm, free, *size)
    found = calm.evaluate(MEASURE)
    picture = lay_out(free.line, free.ends, shape=shape, arms=arms)
    unit = min(BOXES[shape, arms].unit(*size), 28)
    for tile, (name, bounds), face in zip(
        picture.tiles, found["tiles"], found["faces"], strict=True
    ):
        assert name == tile.tile and inside(bounds, found["box"])
        assert abs((bounds[2] - bounds[0]) / unit - tile.w) < 0.45
        assert abs((bounds[3] - bounds[1]) / unit - tile.h) < 0.45
        middle = [(a + b) / 2 for b, a in zip(bounds[2:], bounds, strict=False)]
        drawn = [(a + b) / 2 for b, a in zip(face[2:], face, strict=False)]
        assert all(abs(m - d) < 1 for m, d in zip(middle, drawn, strict=True))
    bounds = [b for _name, b in found["tiles"]]
    for at, one in enumerate(bounds):
        assert not any(overlap(one, other) for other in bounds[at + 1 :])
    for _end, badge in found["ends"]:
        assert inside(badge, found["box"])
        assert not any(overlap(badge, one) for one in bounds)
    assert [end for end, _badge in found["ends"]] == [b.end for b in picture.badges]


@pytest.mark.parametrize("arms", [2, 4])
def test_no_tile_moves_while_the_line_grows(calm: Page, arms: int) -> None:
    before: dict[str, Bounds] = {}
    anew = 0
    for free in lines(arms, 9):
        show(calm, free, 374, 420)
        now = dict(calm.evaluate(MEASURE)["tiles"])
        if any(now[name] != bounds for name, bounds in before.items()):
            anew += 1
            assert free.spinner is not None
        before = now
    assert anew <= (arms == 4)


def test_the_last_tile_slides_in_unless_one_wants_it_calm(browser: Browser, calm: Page) -> None:
    free = lines(2, 9)[6]
    last = free.chains["left"][-1] if free.chains["left"] else free.chains["right"][-1]
    lively = browser.new_context(reduced_motion="no-preference").new_page()
    for page, name in ((lively, "lay"), (calm, "none")):
        show(page, free, 374, 420, last)
        style = "n => getComputedStyle(n).animationName"
        assert page.eval_on_selector("#line .last", style) == name
        assert page.eval_on_selector("#line i:not(.last)", style) == "none"


def test_tiles_and_ends_show_in_the_systems_own_colours(browser: Browser) -> None:
    page = browser.new_context(forced_colors="active", color_scheme="dark").new_page()
    free = lines(4, 4)[-1]
    show(page, free, 374, 420)
    look = "n => [getComputedStyle(n).color, getComputedStyle(n).backgroundColor]"
    for what in ("#line i", "#line b"):
        ink, ground = page.eval_on_selector(what, look)
        assert ink != ground
    assert page.eval_on_selector("#line i", "n => getComputedStyle(n).borderTopWidth") != "0px"
