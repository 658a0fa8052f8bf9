"""Leaving, asked once, in words that say what it costs and whom."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dominoes.table import results
from dominoes.table.fragments_parts import Words, act
from dominoes.table.quick import gettext as _

if TYPE_CHECKING:
    from dominoes.rules.view import View
    from dominoes.table.pictures import SeatState, TableState


def leave(state: TableState, view: View | None, you: int | None, words: Words) -> str:
    """The way out for this viewer; it never hides the hand in progress."""
    return f'<div id="leave" class="leave">{_leave(state, view, you, words)}</div>'


def _leave(state: TableState, view: View | None, you: int | None, words: Words) -> str:
    home = f'<a class="btn btn--quiet" href="/">{_("Back to the tables")}</a>'
    seat = state.seats[you] if you is not None and you < len(state.seats) else None
    playing = state.status in ("playing", "between")
    if seat is None or seat.state == "left" or not playing:
        return home
    return (
        f'<details class="ask"><summary class="btn btn--danger">{_("Leave the match")}</summary>'
        f"<p>{cost(state, seat.seat, words)}</p>"
        f"{act('leave', _('Yes, leave the match'), 'btn btn--danger')}</details>"
        f'<p class="quiet small">{closing(state)}</p>{home}'
    )


def closing(state: TableState) -> str:
    """What becomes of the seat of somebody who closes the page and says nothing."""
    if state.kind == "nearby":
        return _(
            "If you close the page and aren't back within 30 seconds, the match ends for "
            "everybody, without a result."
        )
    if len(_people(state)) < 2:
        return _("Closing the page loses nothing: the match waits a week for you.")
    if state.timed:
        return _(
            "Closing the page isn't leaving: the seat stays yours, but the clock of your turns "
            "runs on."
        )
    return _(
        "Closing the page isn't leaving, but after five minutes without a move on your turn "
        "your seat can be claimed."
    )


def cost(state: TableState, you: int, words: Words) -> str:
    """What leaving now costs, and whom."""
    options = state.options
    if len(_people(state)) < 2:
        return _("Nobody but bots would be left: the match ends without a result.")
    if state.kind == "nearby":
        return _("The match ends for everybody at the table, without a result.")
    lost = {"lost": results.AWARDS["lost"]}
    if options.sides == "partners":
        partner = next(seat for seat in options.seats_of(options.side_of(you)) if seat != you)
        about = {"name": words.names[partner], **lost}
        if state.ranked:
            return (
                _("The match is lost at once, for %(name)s too, and counts as a ranked loss.")
                % about
            )
        return _("The match is lost at once, for %(name)s too.") % about
    if options.two_sided:
        if state.ranked:
            return _("You lose the match at once, and it counts as a ranked loss.")
        return _("You lose the match at once.")
    still = [s for s in state.seats if s is not None and s.seat != you and s.state != "left"]
    if len(still) == 1:
        last = {"name": words.names[still[0].seat]}
        if still[0].state == "away":
            return (
                _("Only %(name)s would be left, who is away: the match ends without a result.")
                % last
            )
        return (
            _("Only %(name)s would be left and wins the match at once. It is a loss for you.")
            % last
        )
    return _(
        "The others play on. Your tiles and your score go, and it counts as a loss for you "
        "when the match ends."
    )


def _people(state: TableState) -> list[SeatState]:
    """The persons who are still in the match."""
    return [s for s in state.seats if s is not None and s.bot is None and s.state != "left"]
