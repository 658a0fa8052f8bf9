"""The pictures in the rule sheets: a position, drawn with the tiles and the line of the table."""

from __future__ import annotations

from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from dominoes.rules.explain import HandScore
from dominoes.rules.systems import SYSTEMS
from dominoes.rules.tiles import WEIGHT, parse_tile
from dominoes.rules.view import View
from dominoes.table import drawing
from dominoes.table.sheet_positions import Position
from dominoes.table.words import arithmetic, end_word

# From this many tiles on, a line is drawn upright as well, for narrow screens.
LONG = 7


def figure(position: Position, caption: str) -> SafeString:
    """The whole figure; `caption` is HTML already."""
    view = position.view
    parts = {
        "line": _line,
        "hand": _hand,
        "boneyard": _boneyard,
        "count": _count,
        "rack": _rail,
        "racks": _racks,
    }
    drawn = format_html_join(
        "", "{}", ((draw(position, view),) for name, draw in parts.items() if name in position.show)
    )
    return format_html(
        '<figure class="diagram" id="{}"><div class="diagram__table">{}</div>'
        "<figcaption>{}</figcaption></figure>",
        f"see-{position.name}",
        drawn,
        mark_safe(caption),  # noqa: S308 -- made by our own renderer, which lets no HTML through
    )


def line_of(position: Position) -> SafeString:
    """The line alone."""
    view = position.view
    return _drawn(position, view, "landscape", drawing.line_words(view.line, view.ends))


def _drawn(position: Position, view: View, shape: str, title: str) -> SafeString:
    arms = SYSTEMS[position.system].line_kind.ARMS
    return drawing.picture_svg(
        view.line, view.ends, arms=arms, last=position.last, shape=shape, title=title
    )


def _line(position: Position, view: View) -> SafeString:
    if view.line.first is None:
        words = _("The line is still empty.")
        return format_html('<p class="diagram__empty">{}</p>', words)
    shapes = ("landscape", "portrait") if _length(view) >= LONG else ("landscape",)
    title = drawing.line_words(view.line, view.ends)
    return format_html_join(
        "",
        '<div class="diagram__line diagram__line--{}">{}</div>',
        (
            (shape if len(shapes) > 1 else "any", _drawn(position, view, shape, title))
            for shape in shapes
        ),
    )


def _length(view: View) -> int:
    line = view.line
    return 1 + len(line.left) + len(line.right) + len(line.up) + len(line.down)


def _hand(_position: Position, view: View) -> SafeString:
    """The tiles as dealt, laid open: nothing stands, nothing is sunk."""
    rack = view.rack or ()
    pips = sum(WEIGHT[parse_tile(tile)] for tile in rack)
    total = ngettext("%(n)d pip", "%(n)d pips", pips) % {"n": pips}
    return format_html(
        '<div class="diagram__hand" role="img" aria-label="{}">{}</div>',
        _("Your tiles: %(tiles)s. %(pips)s in all.") % {"tiles": ", ".join(rack), "pips": total},
        _tiles(rack, lying=False),
    )


def _tiles(rack: tuple[str, ...], *, lying: bool) -> SafeString:
    return format_html_join("", "{}", ((drawing.tile_html(tile, lying=lying),) for tile in rack))


def _boneyard(_position: Position, view: View) -> SafeString:
    left = view.boneyard
    words = ngettext("%(n)d tile in the boneyard", "%(n)d tiles in the boneyard", left)
    if left == 0:
        words = _("The boneyard is empty")
    return format_html(
        '<p class="diagram__note">{} <span>{}</span></p>',
        drawing.back_html(left, most=5) if left else "",
        words % {"n": left},
    )


def _count(_position: Position, view: View) -> SafeString:
    """What the exposed ends come to after the last tile."""
    move = view.moves[-1]
    scored = ngettext("%(n)d point", "%(n)d points", move.scored) % {"n": move.scored}
    total = arithmetic(move)
    return format_html(
        '<p class="diagram__note diagram__count">{}<span>{}</span></p>',
        format_html('<b class="num">{}</b> ', total) if "=" in total else "",
        _("scores %(points)s") % {"points": scored} if move.scored else _("no score"),
    )


def _rail(_position: Position, view: View) -> SafeString:
    """Your rail: what fits stands on the lip, the rest is sunk behind it."""
    ends_of: dict[str, list[str]] = {}
    for word in view.legal:
        tile, _space, end = word.partition(" ")
        if tile[0].isdigit():
            ends_of.setdefault(tile, []).append(end)
    playing = view.turn == view.viewer
    tiles = format_html_join(
        "",
        '<li{}>{}<span class="visually-hidden">{}</span></li>',
        (
            (
                mark_safe(' class="proud"') if tile in ends_of else "",
                drawing.rail_tile_html(tile),
                _fits(tile, ends_of.get(tile), playing),
            )
            for tile in view.rack or ()
        ),
    )
    only = ""
    if view.legal == ("draw",):
        only = _("Nothing fits: draw")
    elif view.legal == ("knock",):
        only = _("Nothing fits: pass")
    return format_html(
        '{}<ul class="diagram__rail" aria-label="{}">{}</ul>',
        format_html('<p class="diagram__note"><b>{}</b></p>', only) if only else "",
        _("Your tiles"),
        tiles,
    )


def _fits(tile: str, ends: list[str] | None, playing: bool) -> str:
    if not playing:
        return tile
    if ends is None:
        return _("%(tile)s, does not fit") % {"tile": tile}
    if ends == [""]:
        return _("%(tile)s, may open") % {"tile": tile}
    where = ", ".join(end_word(end) for end in ends)
    return _("%(tile)s, fits %(where)s") % {"tile": tile, "where": where}


def _racks(position: Position, view: View) -> SafeString:
    """All racks after a hand, what each holds, and the sum that makes the points."""
    result = view.result
    if result is None:
        return SafeString()
    score = result.explain
    rows = format_html_join(
        "",
        '<li class="{}"><span class="diagram__who">{}{}</span>'
        '<span class="diagram__tiles" role="img" aria-label="{}">{}</span>'
        '<b class="num">{}</b></li>',
        (
            (
                "counted" if seat in score.counted else "",
                _swatch(view, seat),
                seat_word(view, seat),
                ", ".join(rack) or _("no tiles"),
                _tiles(rack, lying=True) if rack else _("out"),
                score.sums[seat],
            )
            for seat, rack in enumerate(result.racks)
            if rack is not None
        ),
    )
    return format_html(
        '<ul class="diagram__racks">{}</ul><p class="diagram__note diagram__count">'
        '<b class="num">{}</b> <span>{}</span></p>',
        rows,
        summed(score),
        _outcome(view, score),
    )


def seat_word(view: View, seat: int) -> str:
    """A seat as the reader, who sits in seat 0, calls it."""
    options = view.options
    if seat == 0:
        return _("You")
    if options.players == 2:
        return _("Opponent")
    if options.players == 4 and seat == 2:
        return _("Partner") if options.sides == "partners" else _("Opposite")
    return _("Left") if seat == 1 else _("Right")


def _swatch(view: View, seat: int) -> SafeString:
    options = view.options
    if options.sides != "partners":
        return SafeString()
    them = options.side_of(seat) != options.side_of(0)
    return format_html(
        '<i class="swatch{}"></i><span class="visually-hidden">{}: </span>',
        " swatch--them" if them else "",
        _("Them") if them else _("Us"),
    )


def summed(score: HandScore) -> str:
    """The counted racks added up, less what is taken off, and rounded: `7 + 14 = 21 → 20`."""
    if not score.counted:
        return "–"
    pips = [str(score.sums[seat]) for seat in score.counted]
    text = " + ".join(pips)
    if score.subtracted:
        text += f" − {score.subtracted}"
    if len(pips) > 1 or score.subtracted:
        text += f" = {score.raw - score.subtracted}"
    if score.rounded:
        text += f" → {score.points}"
    return text


def _outcome(view: View, score: HandScore) -> str:
    if score.winner is None:
        return _("nobody scores")
    points = ngettext("%(n)d point", "%(n)d points", score.points) % {"n": score.points}
    return _("%(points)s for %(side)s") % {"points": points, "side": _winner(view, score.winner)}


def _winner(view: View, side: int) -> str:
    """A side as it ends the sentence "17 points for …"."""
    options = view.options
    if options.sides == "partners":
        return _("your side") if side == options.side_of(0) else _("the other side")
    if side == 0:
        return _("you")
    if options.players == 2:
        return _("the other seat")
    if options.players == 4 and side == 2:
        return _("the seat opposite")
    return _("the seat on your left") if side == 1 else _("the seat on your right")
