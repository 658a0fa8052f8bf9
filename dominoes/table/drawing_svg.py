"""Tiles as vector drawings: the faces that a page uses again and again, and whole pictures.

A face is 20 × 40, upright, the heavier half on top. Pips are strokes without length and with round
caps: three of them on one spot make a drilled hole (a lit rim, the ink, a lighter bottom). Ink is
``currentColor``, so that a page may have it in the system's own colours.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe

from dominoes.rules.tiles import NAMES
from dominoes.table.layout import Badge, Line, Placed, halves, lay_out
from dominoes.table.layout_tracks import CELL

LOW, MID, HIGH = "4.6", "10", "15.4"
_DOTS: Final = (
    (),
    ((MID, MID),),
    ((LOW, LOW), (HIGH, HIGH)),
    ((LOW, LOW), (MID, MID), (HIGH, HIGH)),
    ((LOW, LOW), (HIGH, LOW), (LOW, HIGH), (HIGH, HIGH)),
    ((LOW, LOW), (HIGH, LOW), (MID, MID), (LOW, HIGH), (HIGH, HIGH)),
    ((LOW, LOW), (HIGH, LOW), (LOW, MID), (HIGH, MID), (LOW, HIGH), (HIGH, HIGH)),
)
_PIPS: Final = tuple("".join(f"M{x} {y}h0" for x, y in dots) for dots in _DOTS)

RIM, HOLE, BOTTOM = "5", "4.2", "1.9"
_INK: Final = 'fill="none" stroke="currentColor" stroke-linecap="round"'


def _half(value: int) -> str:
    dots = _PIPS[value]
    strokes = (
        f'<path class="rim" d="{dots}" stroke="#fff" stroke-opacity=".7" stroke-width="{RIM}"/>'
        f'<path d="{dots}" stroke-width="{HOLE}"/>'
        f'<path class="rim" d="{dots}" stroke="#fff" stroke-opacity=".13" stroke-width="{BOTTOM}"/>'
    )
    return f'<g id="h{value}" {_INK}>{strokes if value else ""}</g>'


def _symbol(tile: str) -> str:
    heavy, light = halves(tile)
    return (
        f'<symbol id="t{heavy}{light}" viewBox="0 0 20 40">'
        f'<use href="#h{heavy}"/><use href="#h{light}" y="20"/><use href="#hb"/></symbol>'
    )


_BAR: Final = (
    f'<g id="hb" {_INK}><path d="M3.5 20h13" stroke-opacity=".5" stroke-width=".9"/>'
    '<path class="rim" d="M3.5 20.9h13" stroke="#fff" stroke-opacity=".8" stroke-width=".7"/></g>'
)
_SPRITE: Final = SafeString(
    '<svg class="sprite" width="0" height="0" aria-hidden="true" focusable="false">'
    + "".join(_half(value) for value in range(7))
    + _BAR
    + "".join(_symbol(name) for name in NAMES)
    + "</svg>"
)


def sprite() -> SafeString:
    """The faces of all tiles, to stand once in a page that shows any."""
    return _SPRITE


def picture_svg(
    line: Line,
    ends: Mapping[str, int],
    *,
    arms: int = 2,
    last: str | None = None,
    shape: str = "landscape",
    title: str = "",
) -> SafeString:
    """A line as a drawing of its own, cut to the tiles: rule sheets, tests.

    It lies as on the table of that screen class; ``last`` wears the outline of the tile laid last.
    ``title`` is what is read out instead of it.
    """
    picture = lay_out(line, ends, shape=shape, arms=arms)
    spots = [(t.x, t.y, t.x + t.w, t.y + t.h) for t in picture.tiles]
    spots += [(b.x, b.y, b.x + CELL, b.y + CELL) for b in picture.badges]
    margin = 0.5
    x, y = (min((s[i] for s in spots), default=0) - margin for i in (0, 1))
    w = max((s[2] for s in spots), default=0) + margin - x
    h = max((s[3] for s in spots), default=0) + margin - y
    name = f' role="img" aria-label="{escape(title)}"' if title else ' aria-hidden="true"'
    tiles = "".join(
        _tile(t, last=t.tile == last, spinner=t.tile == line.spinner) for t in picture.tiles
    )
    badges = "".join(_badge(badge) for badge in picture.badges)
    return mark_safe(  # noqa: S308 -- numbers and fixed words; the title is escaped
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{x:g} {y:g} {w:g} {h:g}" '
        f'width="{w * _SCALE:g}" height="{h * _SCALE:g}"{name}>\n'
        f"{tiles}{badges}</svg>\n"
    )


_SCALE: Final = 12  # pixels for a unit, where nothing else says how large a drawing shall be


def _tile(tile: Placed, *, last: bool, spinner: bool) -> str:
    """One tile: shadow, edge, ivory, and the face turned on its middle.

    Doubles are a little smaller: two that stand tip to tip in two lanes don't seem to be joined.
    """
    heavy, light = halves(tile.tile)
    size = 0.95 if heavy == light else 1
    w, h = size * (tile.w - 0.12), size * (tile.h - 0.12)
    x, y = tile.x + (tile.w - w) / 2, tile.y + (tile.h - h) / 2
    place = f'x="{x:g}" width="{w:g}" height="{h:g}" rx=".32"'
    middle = f"{tile.x + tile.w / 2:g} {tile.y + tile.h / 2:g}"
    ring = f'<rect {place} y="{y:g}" fill="none" stroke="#e9b949" stroke-width=".16"/>'
    frame = '<rect x="1.6" y="1.6" width="16.8" height="36.8" rx="2.2" stroke-opacity=".5"/>'
    return (
        f'<g data-tile="{tile.tile}"><rect {place} y="{y + 0.24:g}" fill-opacity=".3"/>'
        f'<rect {place} y="{y + 0.1:g}" fill="#a8976b"/>'
        f'<rect {place} y="{y:g}" fill="#f8f0dd"/>{ring if last else ""}'
        f'<g transform="translate({middle}) rotate({tile.turn}) scale({size / 10:g}) '
        'translate(-10 -20)" fill="none" stroke="#211c15" stroke-linecap="round">'
        f'<path d="M3.5 20h13" stroke-opacity=".5" stroke-width=".9"/>'
        f"{_pips(heavy, 0)}{_pips(light, 20)}{frame if spinner else ''}</g></g>\n"
    )


def _pips(value: int, down: int) -> str:
    if not value:
        return ""
    shift = f' transform="translate(0 {down})"' if down else ""
    return f'<path d="{_PIPS[value]}" stroke-width="{HOLE}"{shift}/>'


def _badge(badge: Badge) -> str:
    x, y = badge.x + 1, badge.y + 1
    return (
        f'<g data-end="{badge.end}"><circle cx="{x}" cy="{y}" r=".8" fill="#0a2726" '
        f'stroke="#e9b949" stroke-width=".12"/><text x="{x}" y="{y}" dy=".38" fill="#f4ecd8" '
        'font-family="Georgia, serif" font-size="1.1" font-weight="600" text-anchor="middle">'
        f"{badge.value}</text></g>\n"
    )
