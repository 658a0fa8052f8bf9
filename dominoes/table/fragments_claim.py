"""What runs beside a turn: the reserve of its seat, or the time until that seat can be claimed.

Both are shown to everybody, to the seat itself as a warning, with a clock that is seen and not
spoken. The claim says what it does and whom it costs.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from dominoes.table.fragments_parts import Words, act, countdown
from dominoes.table.quick import gettext as _
from dominoes.table.words_end import reserve

if TYPE_CHECKING:
    from dominoes.table.pictures import TableState


def beside_turn(state: TableState, you: int | None, words: Words) -> str:
    """A line under whose turn it is, for this viewer; "" where nothing runs beside the turn."""
    said = reserve(state, words.names)
    if said is not None:
        return f'<span class="quiet small">{said.to(you)}</span>'
    due = state.due
    if due is None or due.what != "claim" or due.seat is None:
        return ""
    text = (
        _("Until your seat can be claimed, if you do nothing:")
        if due.seat == you
        else _("Until %(name)s's seat can be claimed:") % {"name": words.names[due.seat]}
    )
    return f'<span class="quiet small">{text} {countdown(due)}</span>'


def claim(state: TableState, you: int, words: Words) -> list[str]:
    """The button that claims the seat on turn; it shows itself when it may be pressed."""
    due = state.due
    holder = state.seats[you] if you < len(state.seats) else None
    if due is None or due.what != "claim" or due.seat is None or due.seat == you:
        return []
    if holder is None or holder.state == "left":
        return []
    about = {"name": words.names[due.seat]}
    text = _("Nothing happens: claim the seat of %(name)s") % about
    text += f'<small class="on">{cost(state, you, due.seat, words)}</small>'
    return [act("claim", text, "btn btn--quiet", f' data-from="{int(due.at * 1000)}"')]


def cost(state: TableState, you: int, seat: int, words: Words) -> str:
    """What it does to claim that seat, and whom it costs."""
    options = state.options
    if state.kind == "nearby":
        return _("the match ends for everybody, without a result")
    if options.sides == "partners":
        side = options.side_of(seat)
        if side == options.side_of(you):
            return _("the match is lost for both of you")
        return _("%(side)s lose the match") % {"side": words.sides[side]}
    about = {"name": words.names[seat]}
    others = (s for s in state.seats if s is not None and s.state != "left")
    if all(s.seat in (you, seat) for s in others):
        return _("%(name)s loses the match, you win it") % about
    return _("%(name)s is out and loses, the others play on") % about
