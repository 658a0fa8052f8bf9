"""What a viewer hears of a change: one sentence in the page's polite status line.

A viewer's `Heard` is what its page showed last; `say` puts into words what is new since then. Which
words a move, a hand or a match is told in stands in `words`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from dominoes.table.quick import gettext as _
from dominoes.table.words import (
    hand_over,
    moves_told,
    names_at,
    names_of,
    opening,
    side_name,
)
from dominoes.table.words_end import heard_by, match_over, out_of_it, reserve

if TYPE_CHECKING:
    from dominoes.rules.view import View
    from dominoes.table.pictures import SeatState, TableState

LATEST = 4  # moves that one sentence tells at most; a viewer who missed more looks at the line


@dataclass(frozen=True, slots=True)
class Heard:
    """As much of a picture as is needed to say what is new in the next one."""

    match_id: str | None
    status: str
    hand: int
    ply: int
    offer: int | None
    seats: tuple[SeatState | None, ...]
    reserve: int | None = None  # the seat whose reserve runs


def heard(state: TableState, view: View | None) -> Heard:
    """What a viewer knows after this picture."""
    return Heard(
        match_id=state.match_id,
        status=state.status,
        hand=view.hand if view is not None else 0,
        ply=view.ply if view is not None else 0,
        offer=state.offer,
        seats=state.seats,
        reserve=state.due.seat if state.due is not None and state.due.reserve else None,
    )


def say(before: Heard | None, state: TableState, view: View | None, you: int | None) -> str:
    """The sentence for a viewer's polite status line: what is new since `before`, "" if nothing.

    `before` None: the viewer has just come, and hears how things stand.
    """
    names = names_of(state)
    if view is None:
        return _room_news(before, state, names, you)
    new_match = before is None or before.match_id != state.match_id
    if before is None and state.status == "playing":
        return where_it_stands(state, view, names, you)
    parts: list[str] = []
    new_hand = new_match or before is None or before.hand != view.hand
    if new_hand and state.status == "playing":
        parts.append(_("Hand %(number)d.") % {"number": view.hand})
        opened = opening(view, names)
        if opened is not None:
            parts.append(opened.to(you))
    known = 0 if new_hand or before is None else before.ply
    if state.status in ("playing", "between", "over", "abandoned") and before is not None:
        news = moves_told(state, view, names, known)
        if news and _lost_by_leaving(state, view):
            news.pop()  # how the match ended says it
        parts.extend(sentence.to(you) for sentence in news[-LATEST:])
    side = state.options.side_of(you) if you is not None else None
    if before is None or before.status != state.status or new_hand:
        if state.status in ("between", "over"):
            ended = hand_over(state, view, names)
            if ended is not None and not (state.status == "over" and view.result is None):
                parts.append(ended.to(side))
        if state.status in ("over", "abandoned"):
            parts.append(heard_by(match_over(state, view, names), you, side))
    if not parts:
        parts.extend(_small_news(before, state, names, you, side))
    return " ".join(parts)


def _lost_by_leaving(state: TableState, view: View) -> bool:
    """Whether the match ended with the leave that is the last of these moves."""
    forfeit = state.match_result is not None and state.match_result["how"] == "forfeit"
    return forfeit and bool(view.moves) and view.moves[-1].word.startswith("leave")


def where_it_stands(state: TableState, view: View, names: Sequence[str], you: int | None) -> str:
    """The hand's state in a few words, for whoever has just come to the table."""
    if view.turn is None:
        stands = _("Hand %(number)d.") % {"number": view.hand}
    else:
        about = {"number": view.hand, "name": names[view.turn]}
        if view.turn == you:
            stands = _("Hand %(number)d. It is your turn.") % about
        else:
            stands = _("Hand %(number)d. It is %(name)s's turn.") % about
    on_reserve = reserve(state, names)
    more = on_reserve.to(you) if on_reserve is not None else out_of_it(state, you, names)
    return f"{stands} {more}".strip()


def _small_news(
    before: Heard | None,
    state: TableState,
    names: Sequence[str],
    you: int | None,
    side: int | None,
) -> list[str]:
    """Changes that touch neither the line nor the score."""
    if before is None:
        return []
    out = []
    if state.offer is not None and state.offer != before.offer:
        if side == state.offer:
            out.append(_("Your side offers a draw."))
        elif side is None:
            name = side_name(state.options, names, state.offer)
            out.append(_("A draw is offered by %(side)s.") % {"side": name})
        else:
            out.append(_("The other side offers a draw."))
    on_reserve = reserve(state, names)
    if on_reserve is not None and on_reserve.seat != before.reserve:
        out.append(on_reserve.to(you))
    for number, (old, seat) in enumerate(zip(before.seats, state.seats, strict=False)):
        if old is None or seat is None or number == you or old.name != seat.name:
            continue
        out.extend(one % {"name": names[number]} for one in _seat_news(old, seat))
    if state.status in ("over", "abandoned"):
        out.append(_room_news(before, state, names, you))
    return [sentence for sentence in out if sentence]


def _seat_news(old: SeatState, new: SeatState) -> list[str]:
    """What is new of somebody who stays in a seat: there or not, and what was agreed to."""
    out = [_presence(old.state, new.state)]
    if new.ready and not old.ready:
        out.append(_("%(name)s is ready for the next hand."))
    if new.accepted and not old.accepted:
        out.append(_("%(name)s accepts the draw."))
    if new.rematch and not old.rematch:
        out.append(_("%(name)s would play again."))
    return out


def _presence(old: str, new: str) -> str:
    if old == new:
        return ""
    if new == "dropped":
        return _("%(name)s has lost the connection.")
    if new == "away":
        return _("%(name)s is away; moves are made for that seat.")
    if new == "here" and old in ("dropped", "away"):
        return _("%(name)s is back.")
    return ""


def _room_news(
    before: Heard | None, state: TableState, names: Sequence[str], you: int | None
) -> str:
    """Who came and went while no match is on. Whoever left the last one keeps no seat by that."""
    now = [None if seat is None or seat.state == "left" else seat for seat in state.seats]
    count = _("Seats taken: %(taken)d of %(seats)d.") % {
        "taken": sum(seat is not None for seat in now),
        "seats": len(now),
    }
    if before is None or before.status != state.status or len(before.seats) != len(now):
        return count
    out = []
    then = [None if seat is None or seat.state == "left" else seat for seat in before.seats]
    for number, (old, seat) in enumerate(zip(then, now, strict=True)):
        if number == you or (old and old.name) == (seat and seat.name):
            continue
        if seat is not None:
            out.append(_("%(name)s has sat down.") % {"name": names[number]})
        elif old is not None:
            out.append(_("%(name)s has stood up.") % {"name": names_at(before.seats)[number]})
    return " ".join([*out, count]) if out else ""
