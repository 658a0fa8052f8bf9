"""Tiles and the line as HTML and SVG: what is in them, what is read out, how little they weigh."""

from __future__ import annotations

import gzip
import re
from html.parser import HTMLParser
from random import Random
from xml.etree import ElementTree

import pytest
from django.utils import translation

from dominoes.rules.line import LineView
from dominoes.rules.tiles import NAMES
from dominoes.table import drawing
from dominoes.table.layout import lay_out
from dominoes.table.layout_tracks import SHAPES
from tests.table import golden
from tests.table.lines import Free, long_line, tiles_of


class Elements(HTMLParser):
    """The start tags of a fragment with their attributes."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str]]] = []
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, {name: value or "" for name, value in attrs}))

    def having(self, attribute: str) -> list[dict[str, str]]:
        return [attrs for _tag, attrs in self.found if attribute in attrs]


def whole_line(arms: int = 2) -> Free:
    for seed in range(100):
        lines = list(long_line(Random(seed), arms, {"left": 1, "right": 1, "up": 1, "down": 1}))
        if len(tiles_of(lines[-1].line)) == 28:
            return lines[-1]
    raise AssertionError("no line with all tiles")


# ---- the faces


def test_the_sprite_has_every_tile_once_and_weighs_little() -> None:
    sprite = ElementTree.fromstring(drawing.sprite())
    symbols = [node.get("id") for node in sprite.iter("symbol")]
    assert symbols == [f"t{name[0]}{name[2]}" for name in NAMES]
    assert len(gzip.compress(drawing.sprite().encode())) < 1200


def test_faces_have_as_many_pips_as_their_halves() -> None:
    sprite = ElementTree.fromstring(drawing.sprite())
    halves = {node.get("id"): node for node in sprite.iter("g")}
    for value in range(7):
        counts = {len(re.findall("M", path.get("d", ""))) for path in halves[f"h{value}"]}
        assert counts == ({value} if value else set())
    for symbol in sprite.iter("symbol"):
        heavy, light = [use.get("href") for use in symbol][:2]
        assert symbol.get("id") == f"t{heavy[2:]}{light[2:]}"


def test_pips_keep_apart_and_inside_at_the_smallest_size() -> None:
    sprite = drawing.sprite()
    six = re.search(r'id="h6".*?d="([^"]+)" stroke-width="([\d.]+)"', sprite)
    assert six is not None
    spots = [tuple(map(float, m)) for m in re.findall(r"M([\d.]+) ([\d.]+)", six[1])]
    # At a short side of 15 px a face has 0.75 px for each of its 20 units.
    nearest = min(
        ((a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2) ** 0.5 for a in spots for b in spots if a != b
    )
    assert (nearest - float(six[2])) * 0.75 >= 0.8
    assert float(six[2]) * 0.75 >= 3


def test_tiles_stand_or_lie_and_are_not_read_out() -> None:
    assert drawing.rail_tile_html("6-4") == drawing.tile_html("6-4")
    assert 'class="tile tile--lying"' in drawing.tile_html("6-4", lying=True)
    assert 'href="#t64"' in drawing.tile_svg("6-4") and "aria-hidden" in drawing.tile_svg("6-4")


def test_backs_are_as_many_as_tiles_up_to_what_there_is_room_for() -> None:
    assert drawing.back_html(3).count("<i") == 3
    assert drawing.back_html(12, most=7).count("<i") == 7
    assert "<i" not in drawing.back_html(0)


# ---- the line


def test_the_line_has_its_tiles_and_its_ends() -> None:
    free = golden.line("four-arms")[1]
    html = Elements(drawing.line_html(free.line, free.ends, arms=4, last="6-3", by=2))
    tiles = html.having("data-tile")
    assert [t["data-tile"] for t in tiles] == [
        "5-5", *free.line.left, *free.line.right, *free.line.up, *free.line.down
    ]  # fmt: skip
    ends = {b["data-end"]: b["data-value"] for b in html.having("data-end")}
    assert ends == {end: str(value) for end, value in free.ends.items()}
    marked = {t["data-tile"]: t["class"].split()[2:] for t in tiles}
    assert marked.pop("6-3") == ["last"] and marked.pop("5-5") == ["spin"]
    assert not any(marked.values())
    assert [t.get("data-by") for t in tiles if "last" in t["class"]] == ["2"]
    ids = [e["id"] for e in html.having("id")]
    assert len(ids) == len(set(ids)) == len(tiles) + 4


def test_the_places_are_those_of_the_layout() -> None:
    free = golden.line("folding-both-ways")[1]
    html = Elements(drawing.line_html(free.line, free.ends, arms=2))
    upright, wide = (lay_out(free.line, free.ends, shape=shape, arms=2) for shape in SHAPES)
    for attrs, tall, broad in zip(html.having("data-tile"), upright.tiles, wide.tiles, strict=True):
        assert attrs["style"] == f"--x:{tall.x};--y:{tall.y};--X:{broad.x};--Y:{broad.y}"
        assert attrs["class"] == f"a{tall.turn // 90} b{broad.turn // 90}"
    for attrs, low, flat in zip(html.having("data-end"), upright.badges, wide.badges, strict=True):
        assert attrs["style"] == f"--x:{low.x};--y:{low.y};--X:{flat.x};--Y:{flat.y}"


@pytest.mark.parametrize("arms", [2, 4])
def test_the_longest_line_weighs_little(arms: int) -> None:
    free = whole_line(arms)
    html = drawing.line_html(free.line, free.ends, arms=arms, last=free.line.left[-1], by=3)
    tiles = re.findall(r"<i .*?</i>", html)
    assert len(tiles) == 28
    assert sum(map(len, tiles)) / 28 < 120
    assert len(html.encode()) < 4300


def test_only_what_is_new_changes_in_the_line() -> None:
    """A tile keeps its markup, but for the mark of the tile laid last."""
    free = Free(2, "6-4")
    before = drawing.line_html(free.line, free.ends, arms=2)
    free.lay("6-1", "left")
    after = drawing.line_html(free.line, free.ends, arms=2, last="6-1", by=0)
    first = re.search(r'<i id="l64".*?</i>', before)
    assert first is not None and first[0] in after


# ---- the line in words


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("one-tile", "The line from left to right: 6 open, 6 4, 4 open."),
        (
            "a-double-first",
            "The line from left to right: 4 open, 4 5, 5 5, 5 0, 0 open.",
        ),
        (
            "a-spinner-in-an-arm",
            (
                "The line from left to right: 1 open, 1 3, 3 6, 6 4, 4 2, 2 2, 2 open. "
                "The spinner is 2 2."
            ),
        ),
        (
            "four-arms",
            (
                "The line from left to right: 2 open, 2 1, 1 4, 4 4, 4 5, 5 5, 5 0, 0 0, 0 2, 2 6, "
                "6 3, 3 open. The spinner is 5 5. Up from the spinner: 5 3, 3 3, 3 1, 1 1, 1 6, "
                "6 open. Down from the spinner: 5 1, 1 0, 0 4, 4 open."
            ),
        ),
    ],
)
def test_the_line_in_words(name: str, words: str) -> None:
    _arms, free, _last = golden.line(name)
    with translation.override("en"):
        assert drawing.line_words(free.line, free.ends) == words
        assert f'<p class="vh">{words}</p>' in drawing.line_html(free.line, free.ends, arms=4)


def test_short_ends_that_wait_are_said() -> None:
    free = Free(4, "5-5")
    free.lay("5-4", "left")
    free.lay("5-0", "right")
    with translation.override("en"):
        assert drawing.line_words(free.line, free.ends).endswith(
            "Up from the spinner: 5 open. Down from the spinner: 5 open."
        )


def test_an_empty_line_says_so() -> None:
    with translation.override("en"):
        html = drawing.line_html(LineView(), {}, arms=2)
    assert html == '<p class="vh">The line is empty.</p>'


def test_what_is_drawn_is_hidden_from_those_who_hear_the_words() -> None:
    free = golden.line("four-arms")[1]
    html = drawing.line_html(free.line, free.ends, arms=4)
    words, drawn = html.split('<div aria-hidden="true">')
    assert "data-" not in words and drawn.endswith("</div>")


# ---- drawings of their own


def test_golden_lines_take_each_tile_once() -> None:
    for name in golden.LINES:
        tiles = tiles_of(golden.line(name)[1].line)
        assert len(tiles) == len(set(tiles)), name


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("name", golden.LINES)
def test_golden_pictures(name: str, shape: str) -> None:
    path, svg = golden.picture(name, shape)
    assert path.read_text() == svg, "look at what has changed, then: python -m tests.table.golden"
    assert ElementTree.fromstring(svg).get("aria-hidden") == "true"


def test_a_picture_is_cut_to_its_line_and_has_its_name() -> None:
    svg = drawing.picture_svg(
        LineView(first="6-4"), {"left": 6, "right": 4}, title='6-4, "alone" & <open>'
    )
    drawn = ElementTree.fromstring(svg)
    assert drawn.get("role") == "img" and drawn.get("aria-label") == '6-4, "alone" & <open>'
    _x, _y, width, height = map(float, drawn.get("viewBox", "").split())
    assert (width, height) == (9, 3)  # two numbers, four units of tile, half a unit all round


BOX = re.compile(
    r'<g data-tile="(\S+)">.*?<rect x="(\S+)" width="(\S+)" height="(\S+)" rx=".32" y="(\S+)" '
    r'fill="#f8f0dd"/>'
)


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize(
    ("name", "double", "after"),
    [("turning-at-a-double", "2-2", "2-1"), ("turning-at-a-double-of-four-arms", "1-1", "5-1")],
)
def test_a_line_that_turns_at_a_double_is_drawn_joined(
    name: str, double: str, after: str, shape: str
) -> None:
    """The double is the corner itself: it touches both neighbours and lies across what leads in."""
    svg = golden.picture(name, shape)[1]
    boxes = {m[0]: tuple(map(float, m[1:])) for m in BOX.findall(svg)}
    order = list(boxes)
    before = order[order.index(double) - 1]
    x, w, h, y = boxes[double]
    for other in (before, after):
        ox, ow, oh, oy = boxes[other]
        apart = max(ox - x - w, x - ox - ow, oy - y - h, y - oy - oh)
        assert 0 < apart < 0.3, "no overlap, and hardly a gap"
    _x, before_w, before_h, _y = boxes[before]
    assert (w > h) != (before_w > before_h)
