"""What only the viewer gets: the rail, the controls, the status line and the counting aid.

The small pieces that come again and again (a tile in the rail, a button) are kept by language.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from django.utils.translation import get_language, ngettext, pgettext

from dominoes.table import drawing
from dominoes.table.fragments_claim import beside_turn, claim
from dominoes.table.fragments_parts import ARROWS, Words, act, clock, hidden, on_turn
from dominoes.table.quick import gettext as _
from dominoes.table.words_end import out_of_it

if TYPE_CHECKING:
    from dominoes.rules.view import View
    from dominoes.table.pictures import TableState

ONE_ROW = 7  # tiles that stand in one row on the narrowest screen


def rail(state: TableState, view: View | None, you: int | None) -> str:
    """The viewer's tiles: a native radio group, one tab stop, arrows move and pick up."""
    rack = view.rack if view is not None and you is not None else None
    if not rack:
        return '<fieldset id="rail" class="rail" data-n="0"></fieldset>'
    legal = view.legal if view is not None else ()
    mine = view is not None and view.turn == you
    fits: dict[str, list[str]] = {}
    for word in sorted(legal, key=_end_order):
        tile, _space, end = word.partition(" ")
        fits.setdefault(tile, []).append(end)
    many = " data-many" if len(rack) > ONE_ROW else ""
    out = [
        f'<fieldset id="rail" class="rail" data-n="{len(rack)}"{many}><legend class="vh">',
        _("Your tiles"),
        "</legend>",
    ]
    language = get_language()
    for tile in rack:
        ends = fits.get(tile)
        out.append(_rail_tile(language, tile, mine, None if ends is None else tuple(ends)))
    out.append("</fieldset>")
    return "".join(out)


@lru_cache(maxsize=8192)
def _rail_tile(language: str | None, tile: str, mine: bool, ends: tuple[str, ...] | None) -> str:
    """A tile in the rail. `ends`: where it can be played now, None nowhere."""
    said = tile.replace("-", " ")
    if ends is not None:
        said += "".join(f", {_fits(end)}" for end in ends)
    elif mine:
        said += ", " + _("does not fit")
    playable = "" if ends is None else " data-playable"
    return (
        f'<label class="rt" id="r{tile[0]}{tile[2]}" data-tile="{tile}"{playable}>'
        f'<input type="radio" name="tile" value="{tile}">{hidden(said)}'
        f"{drawing.rail_tile_html(tile)}</label>"
    )


def _fits(end: str) -> str:
    return {
        "": _("can open"),
        "left": _("fits left"),
        "right": _("fits right"),
        "up": _("fits up"),
        "down": _("fits down"),
    }[end]


def controls(state: TableState, view: View | None, you: int | None, words: Words) -> str:
    """The moves that can be made now, and whatever else the table waits for from this viewer."""
    inner = "".join(_controls(state, view, you, words))
    return f'<div id="controls" class="controls">{inner}</div>'


def _controls(state: TableState, view: View | None, you: int | None, words: Words) -> list[str]:
    if you is None:
        watching = _("You are looking on. Racks stay hidden until a hand is over.")
        return [] if state.status == "open" else [f'<p class="hint">{watching}</p>']
    if view is None or state.status == "open":
        return _before(state, you, words)
    out = out_of_it(state, you, words.names)
    if out:
        home = f'<a class="btn btn--small btn--quiet" href="/">{_("Back to the tables")}</a>'
        return [f'<p class="hint">{out}</p>', home]
    if state.status == "playing":
        return _moves(view, you) + _waiting(state, you, words)
    if state.status == "between":
        return _between(state, you)
    return _after(state, you, words)


def _end_order(word: str) -> tuple[str, int]:
    """Buttons stand as one reads the line: left, right, up, down."""
    tile, _space, end = word.partition(" ")
    return tile, ("", "left", "right", "up", "down").index(end)


def _moves(view: View, you: int) -> list[str]:
    out = []
    laying = False
    language = get_language()
    for word in sorted(view.legal, key=_end_order):
        if word == "draw":
            n = view.boneyard
            left = ngettext("%(n)d left", "%(n)d left", n) % {"n": n}
            out.append(
                '<button name="move" value="draw" class="btn btn--play">'
                f'{pgettext("button", "Draw")}<small class="on">{left}</small></button>'
            )
        elif word == "knock":
            out.append(
                f'<button name="move" value="knock" class="btn btn--play">{_("Pass")}'
                f'<small class="on">{_("knock")}</small></button>'
            )
        else:
            laying = True
            tile, _space, end = word.partition(" ")
            out.append(_play_button(language, tile, end, view.ends.get(end)))
    if laying:
        out.append(f'<p class="hint hint--pick">{_("Pick up a tile.")}</p>')
    return out


@lru_cache(maxsize=4096)
def _play_button(language: str | None, tile: str, end: str, value: int | None) -> str:
    """The button that lays a tile on an end, which shows `value`; `end` "": on an empty line."""
    if not end:
        return (
            f'<button name="move" value="{tile}" data-for="{tile}" class="btn btn--play">'
            f'{_("Play First Tile")}<small class="on alone"> {tile}</small></button>'
        )
    text = {
        "left": _("Play Left"),
        "right": _("Play Right"),
        "up": _("Play Up"),
        "down": _("Play Down"),
    }[end]
    on = _("on %(value)d") % {"value": value}
    return (
        f'<button name="move" value="{tile} {end}" data-for="{tile}" data-to="{end}" '
        f'class="btn btn--play"><span aria-hidden="true">{ARROWS[end]}</span> {text}'
        f'<small class="on"><span class="alone">{tile} </span>{on}</small></button>'
    )


def _waiting(state: TableState, you: int, words: Words) -> list[str]:
    out = []
    seat = state.seats[you] if you < len(state.seats) else None
    if seat is not None and seat.state == "away":
        out.append(act("ready", _("I am back"), "btn"))
    return out + claim(state, you, words)


def _has_left(state: TableState, you: int) -> bool:
    seat = state.seats[you] if you < len(state.seats) else None
    return seat is None or seat.state == "left"


def _between(state: TableState, you: int) -> list[str]:
    if _has_left(state, you):
        return []
    seat = state.seats[you]
    out = []
    if seat is not None and not seat.ready:
        out.append(act("ready", _("Next hand"), "btn btn--play"))
    else:
        out.append(f'<p class="hint">{_("Ready. Waiting for the others.")}</p>')
    options = state.options
    if state.kind != "online" or not options.two_sided:
        return out
    side = options.side_of(you)
    others = [s for s in state.seats if s is not None and options.side_of(s.seat) != side]
    if not any(s.bot is None and s.state != "left" for s in others):
        return out
    if state.offer is None:
        out.append(act("offer_draw", _("Offer a draw"), "btn btn--quiet"))
    elif state.offer == side:
        out.append(f'<p class="hint">{_("Your side offers a draw; it stands until the deal.")}</p>')
    elif seat is not None and not seat.accepted:
        out.append(act("accept_draw", _("Accept the draw"), "btn btn--quiet"))
    elif seat is not None:
        accepted = _("You accept the draw. Waiting for your partner.")
        out.append(f'<p class="hint">{accepted}</p>')
    return out


def _begin_later(state: TableState, you: int, words: Words) -> str:
    """The button that begins a match, while it can't: with what has to come first."""
    missing = _missing(state, you)
    if all(state.seats) and missing is not None:
        when = _("when %(name)s is here") % {"name": words.names[missing]}
    else:
        when = _("when every seat is taken")
    return f'<button class="btn" disabled>{_("Begin")}<small class="on">{when}</small></button>'


def _missing(state: TableState, you: int) -> int | None:
    """The first seat whose person has to come before this viewer can begin a ranked match."""
    return min(state.missing - {you}, default=None)


def _before(state: TableState, you: int, words: Words) -> list[str]:
    full = all(state.seats)
    ready = full and _missing(state, you) is None
    host = state.host == you
    out = []
    if host and ready:
        out.append(act("start", _("Begin"), "btn btn--play"))
    elif host:
        out.append(_begin_later(state, you, words))
    elif ready and state.anyone_may_start_at is not None:
        from_ms = int(state.anyone_may_start_at * 1000)
        out.append(act("start", _("Begin without the host"), "btn", f' data-from="{from_ms}"'))
    if host and full and state.options.sides == "partners":
        out.append(act("mix", _("Mix the teams"), "btn btn--quiet"))
    out.append(act("stand", _("Stand up"), "btn btn--quiet"))
    return out


def _after(state: TableState, you: int, words: Words) -> list[str]:
    seat = state.seats[you] if you < len(state.seats) else None
    if seat is None:
        return []
    full = all(s is not None and s.state != "left" for s in state.seats)
    out = []
    if not full:
        if state.host == you:
            out.append(_begin_later(state, you, words))
    elif seat.rematch:
        out.append(f'<p class="hint">{_("You would play again. Waiting for the others.")}</p>')
    else:
        out.append(act("rematch", _("Play again"), "btn btn--play"))
    if full and state.host == you:
        if _missing(state, you) is None:
            out.append(act("start", _("Begin a new match now"), "btn btn--quiet"))
        else:
            out.append(_begin_later(state, you, words))
        if state.options.sides == "partners":
            out.append(act("mix", _("Mix the teams"), "btn btn--quiet"))
    out.append(act("stand", _("Stand up"), "btn btn--quiet"))
    return out


def status(state: TableState, view: View | None, you: int | None, words: Words) -> str:
    """What the table waits for, seen from this viewer, with its clock."""
    mine = view is not None and you is not None and on_turn(view) == you
    flag = " data-mine" if mine and state.status == "playing" else ""
    return (
        f'<p id="status" class="status" tabindex="-1"{flag}>'
        f"<span>{_status(state, view, you, words)}</span>"
        f"{beside_turn(state, you, words)}{clock(state.due)}</p>"
    )


def _status(state: TableState, view: View | None, you: int | None, words: Words) -> str:
    if view is None or state.status == "open":
        free = sum(seat is None for seat in state.seats)
        if free:
            return ngettext("%(n)d seat is still free.", "%(n)d seats are still free.", free) % {
                "n": free
            }
        missing = None if you is None else _missing(state, you)
        if missing is not None:
            return _("%(name)s isn't here just now.") % {"name": words.names[missing]}
        if state.host is not None and state.host == you:
            return _("Every seat is taken: you can begin.")
        if state.host is None:
            return _("Every seat is taken.")
        return _("%(name)s can begin.") % {"name": words.names[state.host]}
    due = state.due
    if due is not None and due.what == "return" and due.seat is not None:
        held = _("%(name)s has dropped out. The seat is held for") % {"name": words.names[due.seat]}
        turn = on_turn(view)
        if state.status != "playing" or turn is None or turn == due.seat:
            return held
        return f"{_turn(state, view, you, words)}. {held}"
    if state.status == "playing":
        return _turn(state, view, you, words)
    if state.status == "between":
        return _("Next hand in") if due is not None else _("The hand is over.")
    if state.status == "over":
        return _("The match is over.")
    return _("The match ended without a result.")


def _turn(state: TableState, view: View, you: int | None, words: Words) -> str:
    if view.turn is None:
        return ""
    if view.turn != you:
        if state.seats[view.turn] is not None and state.seats[view.turn].state == "away":  # type: ignore[union-attr]
            return _("Playing for %(name)s") % {"name": words.names[view.turn]}
        return _("%(name)s's turn") % {"name": words.names[view.turn]}
    seat = state.seats[you]
    if seat is not None and seat.state == "away":
        return _("Moves are being made for you")
    if view.line.first is None and len(view.legal) == 1:
        return _("Your turn: open with %(tile)s") % {"tile": view.legal[0]}
    if view.legal == ("draw",):
        return _("Your turn: nothing fits, draw")
    if view.legal == ("knock",):
        return _("Your turn: nothing fits, pass")
    return _("Your turn")


def aid(state: TableState, view: View | None, you: int | None, words: Words) -> str:
    """The counting aid: how many of each number the viewer can't see, and who lacks what."""
    unseen = view.unseen if view is not None else None
    if not state.aid or unseen is None or view is None or state.status != "playing":
        return '<section id="aid" class="aid" hidden></section>'
    out = [
        f'<section id="aid" class="aid" aria-label="{_("Counting aid")}">',
        f'<h2 class="aid__h">{_("Unseen")}</h2><ol class="aid__n">',
    ]
    language = get_language()
    out.extend(_unseen(language, value, count) for value, count in enumerate(unseen))
    out.append("</ol>")
    lacking = [
        f"<li>{words.names[number]} <b>{' '.join(map(str, seat.lacks))}</b></li>"
        for number, seat in enumerate(view.seats)
        if number != you and seat.lacks and not seat.left
    ]
    if lacking:
        out.append(f'<h2 class="aid__h">{_("Lacking")}</h2>')
        out.append(f'<ul class="aid__l">{"".join(lacking)}</ul>')
    out.append("</section>")
    return "".join(out)


@lru_cache(maxsize=256)
def _unseen(language: str | None, value: int, count: int) -> str:
    told = ngettext("%(n)d unseen", "%(n)d unseen", count) % {"n": count}
    return (
        f'<li data-left="{count}"><b>{value}</b><span aria-hidden="true">{count}</span>'
        f"{hidden(': ' + told)}</li>"
    )
