"""The seats round the table and the score: the same HTML for every viewer.

CSS turns the table so that the viewer's own seat is at the bottom, and shows You, Us, Them or the
names. Before and after a match the seats carry what one can do with them: sit, put a bot, remove.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from django.utils.translation import ngettext

from dominoes.table import drawing
from dominoes.table.fragments_parts import (
    Words,
    act,
    clock,
    hidden,
    on_turn,
    pill,
    swatch,
)
from dominoes.table.quick import gettext as _

if TYPE_CHECKING:
    from dominoes.rules.view import SeatView, View
    from dominoes.table.pictures import SeatState, TableState


def score(state: TableState, view: View | None, words: Words) -> str:
    """The score by side; the number alone carries `data-side`."""
    sides = state.options.side_count
    out = [f'<ul id="score" class="score score--{sides}" aria-label="{_("Score")}">']
    for side in range(sides):
        points = view.scores[side] if view is not None else 0
        text = "–" if points is None else str(points)
        out.append(
            f'<li class="sc" data-of="{side}">{swatch(side)}'
            f'<span class="sc__w">{words.us[side]}</span> '
            f'<b class="num" data-side="{side}">{text}</b></li>'
        )
    out.append("</ul>")
    return "".join(out)


def seats(state: TableState, view: View | None, words: Words) -> str:
    """Every seat, and the boneyard between them."""
    out = [f'<ul id="seats" class="seats" aria-label="{_("Seats")}">']
    for seat in range(state.options.players):
        holder = state.seats[seat] if seat < len(state.seats) else None
        shown = view.seats[seat] if view is not None else None
        if holder is None and (shown is None or state.status not in ("playing", "between")):
            out.append(_free_seat(state, seat))
        else:
            out.append(_seat(state, view, seat, holder, shown, words))
    out.append("</ul>")
    return "".join(out)


def _seat(
    state: TableState,
    view: View | None,
    seat: int,
    holder: SeatState | None,
    shown: SeatView | None,
    words: Words,
) -> str:
    kind = holder.state if holder is not None else "left"
    turn = on_turn(view) == seat
    side = state.options.side_of(seat)
    current = ' aria-current="true"' if turn else ""
    parts = [
        f'<li class="seat" data-seat="{seat}" data-of="{side}" data-state="{kind}"{current}>',
        f'<p class="plate">{_swatch(state, side)}<span class="nm">{words.who[seat]}</span>',
    ]
    parts.append(words.partner[seat])
    if shown is not None and kind != "left":
        parts.append(_count(words.language, shown.tiles))
    if turn:
        parts.append(hidden(", " + _("on turn")))
    parts.append(f"{clock(state.due, seat)}")
    if _has_menu(holder):
        parts.append(_menu_button(words.language, seat, words.names[seat]))
    parts.append("</p>")
    if shown is not None and shown.tiles and kind != "left":
        parts.append(drawing.back_html(shown.tiles))
    parts.append(_marks(state, seat, holder, shown))
    parts.append("</li>")
    return "".join(parts)


def _has_menu(holder: SeatState | None) -> bool:
    return holder is not None and holder.bot is None


@lru_cache(maxsize=1024)
def _menu_button(language: str | None, seat: int, name: str) -> str:
    about = _("About %(name)s") % {"name": name}
    return f'<button class="sm" popovertarget="sm{seat}" aria-label="{about}"></button>'


def menus(state: TableState, words: Words) -> str:
    """For each person at the table what can be done about that person: not hear, report.

    Apart from the seats, which are pushed with every move: these change with the people only. A
    report opens beside the table, so that a hand in progress stays in sight.
    """
    deaf = _("Don't hear %s")
    out = ['<div id="menus">']
    for seat, holder in enumerate(state.seats):
        if not _has_menu(holder):
            continue
        name = words.names[seat]
        out.append(
            f'<div class="sm__in" id="sm{seat}" popover><p>{name}</p>'
            f'<button type="button" class="btn btn--small btn--quiet" data-mute="{seat}" '
            f'aria-pressed="false">{deaf % name}</button>'
        )
        if state.match_id is not None:
            out.append(
                '<a class="btn btn--small btn--quiet" target="_blank" rel="noopener" '
                f'href="/tables/{state.code}/report/?seat={seat}">'
                f"{_('Report %(name)s') % {'name': name}}</a>"
            )
        out.append("</div>")
    out.append("</div>")
    return "".join(out)


@lru_cache(maxsize=256)
def _count(language: str | None, tiles: int) -> str:
    count = ngettext("tile", "tiles", tiles)
    return f' <b class="num">{tiles}</b>{hidden(" " + count)}'


def _swatch(state: TableState, side: int) -> str:
    return swatch(side) if state.options.side_count == 2 else ""


def _marks(state: TableState, seat: int, holder: SeatState | None, shown: SeatView | None) -> str:
    """What is to be known of a seat beside its tiles; with no match in play, what can be done."""
    out = []
    if shown is not None and shown.knocked and state.status == "playing":
        numbers = ", ".join(str(value) for value in sorted(set(shown.knocked)))
        out.append(f'<p class="knock">{_("knocked on")} {numbers}</p>')
    if holder is None:
        return "".join(out)
    if holder.state == "dropped" and (state.status != "open" or holder.player_id is not None):
        out.append(pill(_("not connected"), "off"))
    elif holder.state == "away":
        out.append(pill(_("away, played for"), "off"))
    elif holder.state == "left":
        out.append(pill(_("has left"), "off"))
    if state.status == "between" and holder.ready:
        out.append(pill("✓ " + _("ready")))
    if state.status == "between" and holder.accepted:
        out.append(pill("✓ " + _("accepts the draw")))
    if state.status in ("over", "abandoned") and holder.rematch:
        out.append(pill("✓ " + _("again")))
    if state.status == "open" and state.host == seat:
        out.append(pill(_("host")))
    if state.status in ("open", "over", "abandoned"):
        out.append(_seat_acts(state, seat, holder))
    return "".join(out)


def _seat_acts(state: TableState, seat: int, holder: SeatState) -> str:
    if holder.bot is not None:
        other = "steady" if holder.bot == "easy" else "easy"
        other_text = _("Make it steady") if other == "steady" else _("Make it easy")
        return (
            '<div class="seat__acts host-only">'
            + act(f"bot {seat} {other}", other_text)
            + act(f"bot {seat} none", _("Take away"))
            + "</div>"
        )
    if holder.state == "left" and state.status != "open":
        return _free_acts(state, seat)
    if state.host == seat:
        return ""
    return f'<div class="seat__acts host-only">{act(f"kick {seat}", _("Remove"))}</div>'


def _free_seat(state: TableState, seat: int) -> str:
    side = state.options.side_of(seat)
    number = _("Seat %(number)d") % {"number": seat + 1}
    return (
        f'<li class="seat seat--free" data-seat="{seat}" data-of="{side}" data-state="free">'
        f'<p class="plate">{_swatch(state, side)}<span class="nm">{number}</span>'
        f'<span class="rel">{_("free")}</span></p>{_free_acts(state, seat)}</li>'
    )


def _free_acts(state: TableState, seat: int) -> str:
    out = [
        '<div class="seat__acts">',
        act(f"sit {seat}", _("Sit here"), "btn btn--small", ' data-seeded=""'),
    ]
    if not state.ranked:
        out.append(
            '<span class="host-only">'
            + act(f"bot {seat} easy", _("Easy bot"))
            + act(f"bot {seat} steady", _("Steady bot"))
            + "</span>"
        )
    out.append("</div>")
    return "".join(out)
