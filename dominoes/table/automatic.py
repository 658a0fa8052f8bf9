"""What happens by itself when its time has come: bots, time-outs, away seats, deals, holds.

`fire` does all that is due at one table, under the table's lock and through the same steps as a
person's commands, so that any number of processes may sweep and each thing happens once.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from dominoes.bots import choose
from dominoes.rules.errors import RulesError
from dominoes.table import clock as times
from dominoes.table import course, store, witness
from dominoes.table.clock import Deadline
from dominoes.table.live import Live
from dominoes.table.models import Table
from dominoes.table.presence import Here


def fire(code: str, until: float | None = None, unheard: int | None = None) -> bool:
    """Do whatever is due at a table (was, at the time of `until`); says whether anything was.

    A sweeper says until when it knows that players could be reached: this process may be halted
    between its look at the hearts and the lock, and wake up long after. `unheard` is a seat whose
    sockets don't answer, so that its clock runs out as that of a seat without a connection.
    """
    return store.change(code, _fire, until, unheard)


def _fire(draft: Live, now: float, until: float | None, unheard: int | None) -> bool:
    due = draft.clock.first()
    if due is None or due.at > (now if until is None else min(now, until)):
        return False
    draft.here = store.seats_here(draft.table_id)
    if due.what == "hold":
        _hold(draft, now, due)
    elif due.what == "deal":
        course.deal(draft, now)
    elif due.what == "gone":
        _gone(draft, now)
    elif due.what == "turn":
        _time_out(draft, now, unheard)
    else:
        _act(draft, now)
    return True


def _hold(draft: Live, now: float, due: Deadline) -> None:
    """A seat dropped from a nearby table and did not come back in time."""
    seat = due.seat
    assert seat is not None
    if seat in draft.here:
        draft.clock.holds.pop(seat)
        course.bump(draft, moved=False)
        return
    course.abandon(draft, now, seat=seat, why="dropped")


def _gone(draft: Live, now: float) -> None:
    """Nobody has been here for an hour (a week, against bots alone)."""
    people = draft.people_in if draft.in_match else draft.people
    if any(h.seat in draft.here for h in people):
        draft.clock.gone_at = None
        course.bump(draft, moved=False)
        return
    if draft.in_match:
        course.abandon(draft, now, seat=None, why=None)
        return
    draft.status = Table.CLOSED
    draft.clock = times.Clock()
    course.bump(draft, moved=True)


def _time_out(draft: Live, now: float, unheard: int | None) -> None:
    """The turn clock of a person has run out."""
    game, clock = draft.game, draft.clock
    assert game is not None and draft.match is not None and game.turn is not None
    seat = game.turn
    connected = seat in draft.here and seat != unheard
    if not connected and seat not in clock.reserve_used:
        clock.reserve_used.add(seat)
        clock.on_reserve = seat
        clock.turn_at = now + times.RESERVE
        course.bump(draft, moved=False)
        return
    if draft.match.options.two_sided:
        course.leave_match(draft, now, seat, why="time")
        return
    _play_for(draft, now, seat)


def _play_for(draft: Live, now: float, seat: int) -> None:
    """Play a whole turn for a seat that did not: the rules choose, the seat is away."""
    game, clock = draft.game, draft.clock
    assert game is not None
    clock.away.add(seat)
    missed = clock.missed[seat] = clock.missed.get(seat, 0) + 1
    hand = game.hand_number
    while game.phase == "play" and game.turn == seat and game.hand_number == hand:
        word = game.timeout_word()
        course.play_word(draft, now, seat, word, auto=True)
        if word != "draw":
            break
    if missed >= times.AWAY_TURNS and draft.in_match:
        course.leave_match(draft, now, seat, why="time")


def _act(draft: Live, now: float) -> None:
    """A bot's move that nobody offered in time, or an away seat's turn."""
    game = draft.game
    assert game is not None and game.turn is not None
    seat = game.turn
    holder = draft.seats[seat]
    if holder is None or holder.bot:
        # duty() lets bots think before it comes here; this is for a table that changed meanwhile.
        view = draft.view(seat)
        assert view is not None
        course.play_word(
            draft, now, seat, choose(view, holder.bot if holder else "easy"), auto=False
        )
    else:
        _play_for(draft, now, seat)


def bot_move(code: str, seat: int, word: str, seq: int) -> bool:
    """A bot offers its move like anyone else, made against the picture with that `seq`."""
    return store.change(code, _bot_move, seat, word, seq)


def _bot_move(draft: Live, now: float, seat: int, word: str, seq: int) -> bool:
    game, clock = draft.game, draft.clock
    if (
        draft.position_seq > seq
        or game is None
        or game.turn != seat
        or draft.status != Table.PLAYING
    ):
        return False
    if clock.act_at is None or clock.act_at > now:
        return False
    try:
        course.play_word(draft, now, seat, word, auto=False)
    except RulesError:
        return False  # the table changed under it; the next sweep thinks anew
    return True


def duty(
    live: Live, until: float | None = None, unheard: int | None = None
) -> tuple[Callable[..., bool], tuple[Any, ...]]:
    """The command, with its arguments after the code, that does what is due. A bot thinks here.

    `until` and `unheard` as for `fire`.
    """
    due = live.clock.first()
    if due is not None and due.what == "act" and live.game is not None:
        seat = live.game.turn
        holder = live.seats[seat] if seat is not None else None
        if seat is not None and holder is not None and holder.bot:
            view = live.view(seat)
            if view is not None and view.legal:
                word = choose(view, holder.bot)
                return bot_move, (seat, word, live.seq)
    return fire, (until,) if unheard is None else (until, unheard)


def who_is_here(code: str) -> Here:
    """Someone came or went: bring holds and the hour of emptiness up to who is here now."""
    return store.change(code, _presence)


def _presence(draft: Live, now: float) -> Here:
    before = draft.seq
    draft.here = store.seats_here(draft.table_id)
    if course.presence_changed(draft, now):
        course.bump(draft, moved=False)
    course.deal_if_ready(draft, now)
    playing = draft.match.id if draft.in_match and draft.match else None
    people = tuple(holder.seat for holder in draft.people_in)
    return Here(draft.code, draft.here, playing, people, draft.seq != before)


def presence_changed(code: str) -> bool:
    """`who_is_here`, noted for those who look into the match later; says if anything changed."""
    found = who_is_here(code)
    witness.note_connections([found], time.time())
    return found.changed
