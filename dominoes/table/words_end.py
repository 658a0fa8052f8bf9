"""How a match ended, or goes on without someone: to who went, to a partner, to all the others.

An end is told in whole sentences one after the other, each to a seat or to a side: first what
happened, then what follows from it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from dominoes.rules.deal import HANDS
from dominoes.table.quick import gettext as _
from dominoes.table.words import Said, SideSaid, leaving, left_at, side_name

if TYPE_CHECKING:
    from dominoes.rules.view import View
    from dominoes.table.pictures import TableState

Sentence = Said | SideSaid


def heard_by(sentences: Sequence[Sentence], seat: int | None, side: int | None) -> str:
    """The sentences as a viewer of that seat and side hears them, None for a spectator."""
    return " ".join(one.to(seat) if isinstance(one, Said) else one.to(side) for one in sentences)


def match_over(state: TableState, view: View, names: Sequence[str]) -> list[Sentence]:
    """How the match ended and for whom; state and view are of a match that is over."""
    end = state.match_result or {}
    winner = end.get("winner")
    if end.get("how") == "agreed":
        return [_to_all(_("The match is drawn, as both sides agreed."))]
    if winner is None:
        return _abandoned(state, view, names)
    if end["how"] == "forfeit":
        why, seat = end["why"], end["seat"]
        return [*_left(state, why, seat, names), _forfeit(state, winner, names)]
    return [_reached(state, view, winner, names)]


def _to_all(text: str) -> SideSaid:
    return SideSaid(None, text, text, text)


def _left(
    state: TableState, why: str | None, seat: int | None, names: Sequence[str]
) -> list[Sentence]:
    """Who left and how; nothing where nobody did, or where somebody else sits there by now."""
    if seat is None or seat in state.newcomers:
        return []
    said = leaving(left_at(state, why), seat, names)
    return [Said(seat, said.me + ".", said.they + ".")]


def _forfeit(state: TableState, winner: int, names: Sequence[str]) -> SideSaid:
    """Who has won, since the other side, or everybody else, is out of it."""
    options = state.options
    about = {"side": side_name(options, names, winner)}
    if not options.two_sided:
        others = _("%(side)s wins the match: nobody else is still in it.") % about
        return SideSaid(winner, _("You win the match: nobody else is still in it."), others, others)
    if options.sides == "partners":
        them, others = _("The match is lost for both of you."), _("%(side)s win the match.")
    else:
        them, others = _("You lose the match."), _("%(side)s wins the match.")
    return SideSaid(winner, _("You win the match."), them, others % about)


def _reached(state: TableState, view: View, winner: int, names: Sequence[str]) -> SideSaid:
    """Who has won by reaching the target, with the scores."""
    about = {"side": side_name(state.options, names, winner), "score": score_line(view, winner)}
    team = state.options.sides == "partners"
    others = (
        _("%(side)s win the match, %(score)s.")
        if team
        else _("%(side)s wins the match, %(score)s.")
    ) % about
    them = _("They win the match, %(score)s.") % about if team else others
    return SideSaid(winner, _("You win the match, %(score)s.") % about, them, others)


def score_line(view: View, first: int) -> str:
    """The scores with one side's first: `105 : 60`."""
    scores = list(view.scores)
    head = scores.pop(first)
    return " : ".join("–" if score is None else str(score) for score in [head, *scores])


def _abandoned(state: TableState, view: View, names: Sequence[str]) -> list[Sentence]:
    """Why a match ended without a result."""
    end = state.match_result or {}
    seat, why = end.get("seat"), end.get("why")
    left = {number for number, shown in enumerate(view.seats) if shown.left} | {seat}
    still = [number for number, person in enumerate(state.people) if person and number not in left]
    if seat is None:
        return [_to_all(_nobody_did(state, view, len(still)))]
    first: list[Sentence] = _left(state, why, seat, names)
    if why == "dropped" or (state.kind == "nearby" and still):
        return [*first, _to_all(_("The match ends for everybody, without a result."))]
    if state.people and not still:
        text = (
            _("It was against bots alone, so the match ends without a result.")
            if sum(state.people) == 1
            else _("Only bots are left, so the match ends without a result.")
        )
        return [*first, _to_all(text)]
    if len(still) == 1 and still[0] not in state.newcomers:
        # A last one who is here wins; the match was given up since this one was away.
        they = _("%(name)s, the last one in it, was away: the match ends without a result.")
        me = _("You were away, the last one in it: the match ends without a result.")
        return [*first, Said(still[0], me, they % {"name": names[still[0]]})]
    return [*first, _to_all(_("The match ends without a result."))]


def _nobody_did(state: TableState, view: View, still: int) -> str:
    """Why a match ended without a result and without anybody's doing."""
    if view.hand >= HANDS:
        return _("All deals of this match are used up, so it ends without a result.")
    if not still or not state.code:  # a replay's room may have been closed by a keeper as well
        return _("The match ends without a result.")
    if still == 1:
        return _("Nobody came back for a week: the match ends without a result.")
    return _("Nobody came back for an hour: the match ends without a result.")


def forfeit_title(how: str, *, two_sided: bool) -> str:
    """In a few words how a match was won that ended by a leave of this kind (`how_left`)."""
    if not two_sided:
        return _("Won as the last one still in it")
    return {
        "clock": _("Won on time"),
        "claimed": _("Won by claiming a seat that did nothing"),
    }.get(how, _("Won by the other side's leaving"))


def out_of_it(state: TableState, seat: int | None, names: Sequence[str]) -> str:
    """To somebody who has left a match that the others play on: why, and what can be done now.

    "" for everybody else.
    """
    holder = state.seats[seat] if seat is not None and seat < len(state.seats) else None
    if holder is None or holder.state != "left" or state.status not in ("playing", "between"):
        return ""
    why = leaving(left_at(state, "time" if holder.by_time else "left"), holder.seat, names).me
    on = _("It goes on without you; you may watch it.")
    return f"{why}. {on}"


def reserve(state: TableState, names: Sequence[str]) -> Said | None:
    """Whose reserve runs; None when no seat's does."""
    due = state.due
    if due is None or not due.reserve or due.seat is None:
        return None
    they = _("The clock has run out: %(name)s's reserve runs, once in a match.")
    me = _("Your clock has run out: your reserve runs, once in a match.")
    return Said(due.seat, me, they % {"name": names[due.seat]})
