"""“Why these points?”: the figures that the rules give for a hand, put into words.

The rules explain every hand as plain data (`dominoes.rules.explain`); here it becomes a few
sentences that a newcomer can follow and check with a finger on the racks.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from dominoes.table.quick import gettext as _
from dominoes.table.words import side_name

if TYPE_CHECKING:
    from dominoes.rules.explain import HandScore
    from dominoes.table.pictures import TableState


def summed(score: HandScore, names: Sequence[str]) -> str:
    """The counted racks added up, less one's own where that is due: `Ben 13 + Dora 8 = 21`."""
    parts = [f"{names[seat]} {score.sums[seat]}" for seat in score.counted]
    text = " + ".join(parts)
    if score.subtracted:
        text += f" − {score.subtracted}"
    if len(parts) > 1 or score.subtracted:
        text += f" = {score.raw - score.subtracted}"
    return text


def reasons(state: TableState, score: HandScore, names: Sequence[str]) -> list[str]:
    """Why a hand gave the points it gave, in a few sentences, the rule first."""
    if score.how == "stopped":
        return [_("The match ended before the hand did, so nothing is counted for the hand.")]
    if score.how == "out":
        return [*_out(state, score, names), *_rounding(score)]
    lines = [_("Everybody still in has knocked, so the line is blocked and the racks are counted.")]
    if score.winner is None:
        return [*lines, _tied(score)]
    return [*lines, *_blocked(state, score, names), *_rounding(score)]


def _out(state: TableState, score: HandScore, names: Sequence[str]) -> list[str]:
    about = {
        "name": names[score.seat] if score.seat is not None else "",
        "sum": summed(score, names),
    }
    first = _("%(name)s laid the last tile and is out.") % about
    if state.options.sides == "partners":
        return [
            first,
            _(
                "That side scores the pips left in the opponents' racks: %(sum)s. "
                "The partner's tiles are not counted."
            )
            % about,
        ]
    return [first, _("That scores the pips left in all the other racks: %(sum)s.") % about]


def _blocked(state: TableState, score: HandScore, names: Sequence[str]) -> list[str]:
    team = state.options.sides == "partners"
    winner = score.winner if score.winner is not None else 0
    seat = score.seat if score.seat is not None else state.options.seats_of(winner)[0]
    about = {
        "name": names[seat],
        "side": side_name(state.options, names, winner),
        "pips": score.sums[seat],
        "total": score.side_sums[winner],
        "own": score.subtracted,
        "sum": summed(score, names),
    }
    system = score.rule.partition(".")[0]
    if system == "partners":
        if score.tie == "partners_together":
            who = _("%(side)s both hold the lightest rack, %(pips)s pips, and win together.")
        else:
            who = _("The lightest single rack wins for its side: %(name)s with %(pips)s.")
        return [who % about, _("It scores the racks of both opponents: %(sum)s.") % about]
    if system == "draw":
        who = _("The lightest rack wins: %(name)s with %(pips)s.")
        if score.tie == "fewer_tiles":
            who = _("Equal pips, but %(name)s holds fewer tiles and wins.")
        return [
            who % about,
            _("It scores everybody else's pips less its own %(own)s: %(sum)s.") % about,
        ]
    if team:
        return [
            _("Partners' racks are added together: %(side)s hold fewer pips, %(total)s.") % about,
            _("They score the other side's pips, with nothing taken off: %(sum)s.") % about,
        ]
    return [
        _("The lightest rack wins: %(name)s with %(pips)s.") % about,
        _("It scores the pips of the others, with nothing taken off: %(sum)s.") % about,
    ]


def _rounding(score: HandScore) -> list[str]:
    if not score.rule.startswith("fives"):
        return []
    exact = score.raw - score.subtracted
    about = {"exact": exact, "points": score.points}
    if not score.rounded:
        return [_("%(exact)d is a multiple of five and stays as it is.") % about]
    return [_("Rounded to the nearest five: %(exact)d becomes %(points)d.") % about]


def _tied(score: HandScore) -> str:
    if score.tie == "lightest_on_both_sides":
        return _("The lightest racks lie on both sides: nobody wins the hand, nobody scores.")
    if score.tie == "equal_tiles":
        return _("The lightest racks have equal pips and equally many tiles: nobody scores.")
    return _("The lowest totals are equal: nobody scores.")
