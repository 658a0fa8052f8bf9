"""Tiles and the line of play as HTML. How it looks is in ``static/css/line.css``.

A tile of the line is one element with the place and the turn of both screen classes, upright and
wide; the style sheet picks one by the shape of the box, so nothing is measured in the browser. The
same markup goes into the page and into every push: it is kept short.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from django.utils.safestring import SafeString, mark_safe

from dominoes.table.drawing_svg import picture_svg, sprite
from dominoes.table.layout import Line, Placed, anchored, halves, pictures
from dominoes.table.quick import gettext as _

__all__ = [
    "back_html",
    "line_html",
    "line_words",
    "picture_svg",
    "rail_tile_html",
    "sprite",
    "tile_html",
    "tile_svg",
]


def tile_svg(name: str) -> SafeString:
    """The face alone, upright, the heavier half on top; it fills its box and is not read out."""
    face = f'<use href="#t{_short(name)}"/>'
    return SafeString(f'<svg class="face" viewBox="0 0 20 40" aria-hidden="true">{face}</svg>')


def tile_html(name: str, *, lying: bool = False) -> SafeString:
    """A tile of ivory, upright, or lying with the heavier half on the left; not read out."""
    return SafeString(f'<i class="tile{" tile--lying" if lying else ""}">{tile_svg(name)}</i>')


def rail_tile_html(name: str) -> SafeString:
    """A tile for the rail: upright; its name and its ``data-tile`` stand on what is clicked."""
    return tile_html(name)


def back_html(count: int, most: int = 7) -> SafeString:
    """A rail seen from behind: up to ``most`` tiles face down; the count is said beside it."""
    return SafeString(
        f'<span class="backs" aria-hidden="true">{"<i></i>" * min(count, most)}</span>'
    )


def line_html(
    line: Line,
    ends: Mapping[str, int],
    *,
    arms: int,
    last: str | None = None,
    by: int | None = None,
) -> SafeString:
    """What stands in ``#line``: the line in words, its tiles, and the numbers of its open ends.

    ``arms`` is 4 in All Fives, from the first tile on, else 2. ``last`` is the tile laid last, and
    ``by`` the seat that laid it.
    """
    if line.first is None:
        return SafeString(f'<p class="vh">{line_words(line, ends)}</p>')
    upright, wide = pictures(line, ends, arms=arms)
    parts = [f'<p class="vh">{line_words(line, ends)}</p><div aria-hidden="true">']
    for tall, broad in zip(upright.tiles, wide.tiles, strict=True):
        parts.append(_laid(tall, broad, spinner=line.spinner, last=last, by=by))
    for low, flat in zip(upright.badges, wide.badges, strict=True):
        parts.append(
            f'<b id="end-{low.end}" data-end="{low.end}" data-value="{low.value}" '
            f'style="--x:{low.x};--y:{low.y};--X:{flat.x};--Y:{flat.y}">{low.value}</b>'
        )
    parts.append("</div>")
    return mark_safe("".join(parts))  # noqa: S308 -- numbers, tile names and our own words


def _laid(
    tall: Placed, broad: Placed, *, spinner: str | None, last: str | None, by: int | None
) -> str:
    tile = tall.tile
    short = _short(tile)
    marks = f"a{tall.turn // 90} b{broad.turn // 90}"
    if tile == spinner:
        marks += " spin"
    seat = ""
    if tile == last:
        marks += " last"
        seat = "" if by is None else f' data-by="{by}"'
    return (
        f'<i id="l{short}" data-tile="{tile}" class="{marks}"{seat} '
        f'style="--x:{tall.x};--y:{tall.y};--X:{broad.x};--Y:{broad.y}">'
        f'<svg><use href="#t{short}"/></svg></i>'
    )


def line_words(line: Line, ends: Mapping[str, int]) -> str:
    """The line for those who hear it: every tile as it lies, from the left end to the right one,
    then what lies above and below the spinner, outward; open ends say so."""
    if line.first is None:
        return _("The line is empty.")
    anchor, chains = anchored(line)
    heavy, light = halves(anchor)
    left = [pair[::-1] for pair in _pairs(chains["left"], heavy)][::-1]
    right = _pairs(chains["right"], light)
    items = [
        *_open(ends, "left"),
        *_spoken([*left, (heavy, light), *right]),
        *_open(ends, "right"),
    ]
    words = [_("The line from left to right: %(tiles)s.") % {"tiles": ", ".join(items)}]
    if line.spinner is not None:
        words.append(_("The spinner is %(tile)s.") % {"tile": line.spinner.replace("-", " ")})
    for end, sentence in (
        ("up", _("Up from the spinner: %(tiles)s.")),
        ("down", _("Down from the spinner: %(tiles)s.")),
    ):
        arm = [*_spoken(_pairs(chains[end], heavy)), *_open(ends, end)]
        if arm:
            words.append(sentence % {"tiles": ", ".join(arm)})
    return " ".join(words)


def _pairs(chain: Sequence[str], value: int) -> list[tuple[int, int]]:
    """The halves of an arm's tiles as they follow each other, outward from ``value``."""
    pairs = []
    for tile in chain:
        heavy, light = halves(tile)
        pairs.append((value, light if value == heavy else heavy))
        value = pairs[-1][1]
    return pairs


def _spoken(pairs: Sequence[tuple[int, int]]) -> list[str]:
    return [f"{a} {b}" for a, b in pairs]


def _open(ends: Mapping[str, int], end: str) -> list[str]:
    return [_("%(number)d open") % {"number": ends[end]}] if end in ends else []


def _short(name: str) -> str:
    """A tile's name in ids: ``"6-4"`` is ``64``."""
    return f"{name[0]}{name[2]}"
