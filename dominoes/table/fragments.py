"""The table page's parts as HTML: what the page shows at first and what the sockets push.

`shared` is what everybody sees, rendered once for a change, a process and a language; `own` is per
viewer. A whole page is made of the same strings, so that what was pushed equals a fresh page. The
keys are the ids of the elements; each value is the whole element.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from django.utils.safestring import mark_safe
from django.utils.translation import pgettext

from dominoes.rules.systems import SYSTEMS
from dominoes.table import drawing, fragments_board, fragments_rail, fragments_seats
from dominoes.table.fragments_leave import leave
from dominoes.table.fragments_parts import Words, on_turn, side_of, system_name, with_clocks
from dominoes.table.phrases import PHRASES
from dominoes.table.quick import gettext as _

if TYPE_CHECKING:
    from dominoes.rules.view import View
    from dominoes.table.pictures import TableState


CLOCKED = ("seats", "status")
"""The parts with clocks in them."""

shared_ids = ("score", "facts", "seats", "menus", "line", "last", "result", "sheet", "seal")


def shared(state: TableState, view: View | None) -> dict[str, str]:
    """What everybody at the table sees. `view` is a spectator's, None before the first match."""
    words = Words.of(state)
    return {
        "score": fragments_seats.score(state, view, words),
        "facts": fragments_board.facts(state, view),
        "seats": fragments_seats.seats(state, view, words),
        "menus": fragments_seats.menus(state, words),
        "line": line(state, view),
        "last": fragments_board.last(state, view, words),
        "result": fragments_board.result(state, view, words),
        "sheet": fragments_board.sheet(state, view, words),
        "seal": f'<code id="seal" class="seal">{state.commit}</code>',
    }


def line(state: TableState, view: View | None) -> str:
    """The line of play with its open ends; empty before the first match."""
    arms = SYSTEMS[state.options.rules].line_kind.ARMS
    if view is None or state.status == "open":
        return f'<div id="line" class="line" data-arms="{arms}"></div>'
    laid = by = None
    for move in reversed(view.moves):
        if move.word[0].isdigit():
            laid, by = move.word[:3], move.seat
            break
    inner = drawing.line_html(view.line, view.ends, arms=arms, last=laid, by=by)
    return f'<div id="line" class="line" data-arms="{arms}">{inner}</div>'


def own(state: TableState, view: View | None, you: int | None) -> dict[str, str]:
    """What only this viewer sees: `view` is its own, `you` its seat (None: a spectator)."""
    words = Words.of(state)
    return {
        "me": me(state, view, you),
        "status": fragments_rail.status(state, view, you, words),
        "controls": fragments_rail.controls(state, view, you, words),
        "rail": fragments_rail.rail(state, view, you),
        "aid": fragments_rail.aid(state, view, you, words),
        "leave": leave(state, view, you, words),
    }


def me(state: TableState, view: View | None, you: int | None) -> str:
    """Who looks, and at what: CSS turns the table and picks words by it (table.js copies it to the
    root), and a form without script sends the `seq` that it was made on."""
    about = "".join(f' data-{key}="{value}"' for key, value in root_data(state, view, you).items())
    return (
        f'<div id="me" hidden{about}>'
        f'<input type="hidden" form="act" name="seq" value="{state.seq}"></div>'
    )


def root_data(state: TableState, view: View | None, you: int | None) -> dict[str, str]:
    """The data attributes of the page's root."""
    turn = on_turn(view) if state.status == "playing" else None
    side = side_of(state, you)
    # The seal of the deals to come: a client gives a seed for it when it sits down.
    # What is played can be chosen anew as well, and then the page is another.
    room = {}
    if state.status not in ("playing", "between"):
        room = {"commit": state.commit, "choices": _choices(state)}
    return {
        "you": "" if you is None else str(you),
        "side": "" if side is None else str(side),
        "host": str(int(you is not None and you == state.host)),
        "status": state.status,
        "players": str(state.options.players),
        "sides": state.options.sides,
        "rules": state.options.rules,
        "turn": "" if turn is None else str(turn),
        "mine": str(int(turn is not None and turn == you)),
        "hand": str(view.hand if view is not None else 0),
        "match": state.match_id or "",
        **room,
    }


def _choices(state: TableState) -> str:
    """What the host chose, as far as a page shows it where no picture reaches."""
    options = state.options
    chosen = (options.rules, options.target, state.kind, state.ranked, state.turn_seconds)
    return ".".join(str(one) for one in (*chosen, state.aid))


def page_context(
    state: TableState,
    shared_view: View | None,
    own_view: View | None,
    you: int | None,
    prefs: Mapping[str, Any],
) -> dict[str, Any]:
    """What `table/page.html` needs."""
    parts = {**shared(state, shared_view), **own(state, own_view, you)}
    mine = own_view is not None and you is not None and own_view.turn == you
    return {
        "part": {name: mark_safe(html) for name, html in parts.items()},  # noqa: S308
        # What is pushed leaves its clocks to the script; a page may have to do without one.
        "clocked": {name: mark_safe(with_clocks(parts[name], state.now)) for name in CLOCKED},  # noqa: S308
        # Also while a match is on: the page knows for which choices it was made.
        "root": {**root_data(state, own_view, you), "choices": _choices(state)},
        "state": state,
        "now": f"{state.now:.3f}",  # a template would write a decimal comma in Spanish
        "you": you,
        "system": system_name(state.options.rules),
        "prefs": prefs,
        "phrases": PHRASES,
        "texts": texts(),
        "sprite": drawing.sprite(),
        # Without script the page asks again by itself, but never while its reader has to choose.
        "refresh": None
        if mine and state.status == "playing"
        else _refresh(state, shared_view, you),
        "page_title": _("Your turn") if mine and state.status == "playing" else "",
    }


def texts() -> dict[str, Any]:
    """What the page's scripts say by themselves."""
    return {
        "phrases": {key: str(words) for key, words in PHRASES.items()},
        "turn": _("Your turn"),
        "seconds": _("%s seconds left"),
        "claim": _("In a minute your seat can be claimed."),
        "lost": _("The connection is lost. Trying again…"),
        "back": _("Connected again."),
        "busy": _("The server is starting again. Your match is kept."),
        "removed": _("This table isn't open to you any more."),
        "gone": _("This table is closed. Load the page again to see why."),
        "signed_out": _("You are signed out. Load the page again to sign in."),
        "flood": _("Too much at once: the server hung up. Load the page again."),
        "unsent": _("That did not arrive. Press again."),
        "unkept": _("That was not kept. Try again."),
        "confirm": _("Press again to confirm."),
        "no_fit": _("That tile does not fit."),
        "several": _("It fits several ends: choose one (%s)."),
        "pick": _("Pick up a tile first."),
        "ends": _("Open ends"),
        "score": _("Score"),
        "left": pgettext("end of the line", "left"),
        "right": pgettext("end of the line", "right"),
        "up": pgettext("end of the line", "up"),
        "down": pgettext("end of the line", "down"),
    }


def _refresh(state: TableState, view: View | None, you: int | None) -> int | None:
    """After how many seconds a page without script loads itself again.

    That closes whatever its reader has opened, so it is soon only where it is over soon: a bot, or
    somebody played for, is on turn. After a match it is for those who sit there, since the next one
    may begin with them; for anybody else there is nothing that a link couldn't fetch.
    """
    if state.status in ("over", "abandoned"):
        seat = None if you is None else state.seats[you]
        return None if seat is None else 10 if seat.rematch else 30
    turn = on_turn(view) if state.status == "playing" else None
    holder = None if turn is None else state.seats[turn]
    return 3 if holder is not None and holder.state in ("bot", "away") else 10
