"""What a person at a table may do, each command one guard sequence from message to stored change.

Commands take the table's code and the person's id (None: not signed in), run inside `store.call`,
`store.run` or `store.submit`, and answer with the `seq` at which they were stored. They raise
`Refused` (a code, a sentence) and then have changed nothing, and `store.NoSuchTable`.
"""

from __future__ import annotations

from typing import NamedTuple

from django.utils.translation import gettext as _

from dominoes.rules.errors import RulesError
from dominoes.table import clock as times
from dominoes.table import course, presence, seating, store
from dominoes.table.live import Holder, Live
from dominoes.table.models import Event, Match, Table
from dominoes.table.refusals import Refused, from_rules, not_now, not_seated


class Answer(NamedTuple):
    """What was asked is stored; `seq` is the table's count when it was."""

    seq: int


def _holder(draft: Live, player_id: int | None) -> Holder:
    """The seat that speaks. Raises Refused."""
    holder = draft.holder_of(player_id)
    if holder is None:
        raise not_seated()
    return holder


def _answered(draft: Live, seat: int, client_id: str | None) -> Answer | None:
    """The answer that this id already got from this seat in this match."""
    if client_id is None or draft.match is None:
        return None
    seq = (
        Event.objects.filter(match_id=draft.match.id, seat=seat, client_id=client_id)
        .values_list("seq", flat=True)
        .first()
    )
    return None if seq is None else Answer(seq)


def _in(draft: Live, seat: int) -> None:
    """The seat still plays in a match. Raises Refused."""
    if draft.status in (Table.OVER, Table.ABANDONED):
        raise Refused("over", _("This match is over."))
    if not draft.in_match:
        raise not_now(_("The match hasn't begun yet."))
    assert draft.game is not None
    if seat in draft.game.left:
        raise Refused("not_seated", _("You have left this match."))


def move(code: str, player_id: int | None, word: str, seq: int, client_id: str | None) -> Answer:
    """Play a move word, made against the picture with that `seq`."""
    return store.change(code, _move, player_id, word, seq, client_id)


def _move(
    draft: Live, now: float, player_id: int | None, word: str, seq: int, client_id: str | None
) -> Answer:
    holder = _holder(draft, player_id)
    # An id that was accepted before is looked for only where the move can't be stored as new: it
    # would be refused, or the log holds that id already (then the command is tried again).
    before = _answered(draft, holder.seat, client_id) if store.careful() else None
    if before is not None:
        return before
    try:
        return _new_move(draft, now, holder.seat, word, seq, client_id)
    except Refused:
        before = _answered(draft, holder.seat, client_id)
        if before is not None:
            return before
        raise


def _new_move(
    draft: Live, now: float, seat: int, word: str, seq: int, client_id: str | None
) -> Answer:
    _in(draft, seat)
    if seq < draft.position_seq or seq > draft.seq:
        raise Refused("stale", _("The table has moved on. Look at it again and choose anew."))
    if draft.status != Table.PLAYING:
        raise not_now(_("The next hand hasn't been dealt yet."))
    assert draft.game is not None
    if draft.game.turn != seat:
        raise Refused("not_your_turn", _("It isn't your turn."))
    try:
        course.play_word(draft, now, seat, word, auto=False, client_id=client_id)
    except RulesError as error:
        raise from_rules(error) from None
    back = _is_back(draft, seat)
    if back and draft.status == Table.PLAYING and draft.game.turn == seat:
        course.begin_turn(draft, now)  # after a draw: nothing is played for it any more
    return Answer(draft.seq)


def _is_back(draft: Live, seat: int) -> bool:
    clock = draft.clock
    was = seat in clock.away or seat in clock.missed
    clock.away.discard(seat)
    clock.missed.pop(seat, None)
    return was


def ready(code: str, player_id: int | None, client_id: str | None = None) -> Answer:
    """Ready for the next hand, or back from being away; at other times it does nothing."""
    return store.change(code, _ready, player_id, client_id)


def _ready(draft: Live, now: float, player_id: int | None, client_id: str | None) -> Answer:
    holder = _holder(draft, player_id)
    seat = holder.seat
    # As for a move: an id that the log has already is noticed at the latest when it is written.
    before = _answered(draft, seat, client_id) if store.careful() else None
    if before is not None:
        return before
    if not draft.in_match or (draft.game and seat in draft.game.left):
        return _answered(draft, seat, client_id) or Answer(draft.seq)
    changed = _is_back(draft, seat)
    if changed:
        draft.log("back", seat=seat, client_id=client_id)
        if draft.status == Table.PLAYING and draft.game and draft.game.turn == seat:
            course.begin_turn(draft, now)
    if draft.status == Table.BETWEEN and seat not in draft.clock.ready:
        draft.clock.ready.add(seat)
        if not changed:
            draft.log("ready", seat=seat, client_id=client_id)
        changed = True
    if changed:
        course.bump(draft, moved=False)
        course.deal_if_ready(draft, now)
        return Answer(draft.seq)
    return _answered(draft, seat, client_id) or Answer(draft.seq)


def leave(code: str, player_id: int | None, client_id: str | None = None) -> Answer:
    """Walk out of a match; before or after one, give up the seat.

    A page that asks to leave names the match in its id (`leave:MATCH`) and means no more than that:
    whoever taps twice, or once the match has ended by itself, keeps the seat.
    """
    return store.change(code, _leave, player_id, client_id)


def _leave(draft: Live, now: float, player_id: int | None, client_id: str | None) -> Answer:
    holder = _holder(draft, player_id)
    before = _answered(draft, holder.seat, client_id)
    if before is not None:
        return before
    meant = _meant(draft, client_id)
    present = draft.match.id if draft.match is not None and draft.in_match else None
    if meant is not None and meant != present:
        return Answer(draft.seq)
    if present is None:
        seating.stand_up(draft, now, holder)
        return Answer(draft.seq)
    _in(draft, holder.seat)
    course.leave_match(draft, now, holder.seat, why="left", client_id=client_id)
    return Answer(draft.seq)


def _meant(draft: Live, client_id: str | None) -> str | None:
    """The match of this table that a page's id names; None for an id that means nothing."""
    word, _colon, match_id = (client_id or "").partition(":")
    if word != "leave" or not match_id:
        return None
    if draft.match is not None and match_id == draft.match.id:
        return match_id
    played = Match.objects.filter(pk=match_id, table_id=draft.table_id)
    return match_id if played.exists() else None


def walk_out(code: str, player_id: int | None, client_id: str | None = None) -> Answer:
    """Walk out of the match that is on; where none is (any more), the seat stays the person's."""
    return store.change(code, _walk_out, player_id, client_id)


def _walk_out(draft: Live, now: float, player_id: int | None, client_id: str | None) -> Answer:
    holder = _holder(draft, player_id)
    gone = draft.game is not None and holder.seat in draft.game.left
    if not draft.in_match or gone:
        return Answer(draft.seq)
    return _leave(draft, now, player_id, client_id)


def offer_draw(code: str, player_id: int | None, client_id: str | None = None) -> Answer:
    """Offer a draw: two sides, online, between hands; it stands until the next deal."""
    return store.change(code, _offer, player_id, client_id)


def may_offer(live: Live, seat: int) -> str | None:
    """Why that seat may not offer a draw now, None if it may."""
    match, game = live.match, live.game
    if match is None or game is None or live.status != Table.BETWEEN:
        return _("A draw can be offered between two hands only.")
    if match.kind != "online" or not match.options.two_sided:
        return _("Only an online match between two sides can end in a draw.")
    side = match.options.side_of(seat)
    if not any(match.options.side_of(h.seat) != side for h in live.people_in):
        return _("A bot never agrees to a draw.")
    return None


def _offer(draft: Live, now: float, player_id: int | None, client_id: str | None) -> Answer:
    holder = _holder(draft, player_id)
    seat = holder.seat
    before = _answered(draft, seat, client_id)
    if before is not None:
        return before
    why_not = may_offer(draft, seat)
    if why_not is not None:
        raise not_now(why_not)
    assert draft.match is not None
    clock, side = draft.clock, draft.match.options.side_of(seat)
    if clock.offer is not None and clock.offer != side:
        return _accept(draft, now, player_id, client_id)  # offering back is agreeing
    if clock.offer is None:
        clock.offer = side
        clock.accepted.clear()
    elif client_id is None or _has_offered(draft, seat):
        return Answer(draft.seq)  # the side's offer stands; an id is remembered once a seat
    draft.log("offer", seat=seat, client_id=client_id)
    course.bump(draft, moved=False)
    return Answer(draft.seq)


def _has_offered(draft: Live, seat: int) -> bool:
    """Whether the log has an offer of this very seat since the hand was dealt."""
    match = draft.match
    return (
        match is not None
        and Event.objects.filter(
            match_id=match.id, seat=seat, kind="offer", number__gt=match.hand_from
        ).exists()
    )


def accept_draw(code: str, player_id: int | None, client_id: str | None = None) -> Answer:
    """Accept the other side's offer; the match is drawn when all its persons have."""
    return store.change(code, _accept, player_id, client_id)


def _accept(draft: Live, now: float, player_id: int | None, client_id: str | None) -> Answer:
    holder = _holder(draft, player_id)
    seat = holder.seat
    before = _answered(draft, seat, client_id)
    if before is not None:
        return before
    clock, match, game = draft.clock, draft.match, draft.game
    if match is None or game is None or draft.status != Table.BETWEEN or clock.offer is None:
        raise not_now(_("Nobody offers a draw just now."))
    side = match.options.side_of(seat)
    if side == clock.offer:
        raise not_now(_("Your own side made the offer; the other side has to accept it."))
    if seat in clock.accepted:
        return Answer(draft.seq)
    clock.accepted.add(seat)
    needed = {h.seat for h in draft.people_in if match.options.side_of(h.seat) == side}
    draft.log("accept", seat=seat, client_id=client_id)
    course.bump(draft, moved=False)
    if needed <= clock.accepted:
        game.agree()
        draft.log("agree", word="agree")
        draft.autos = (*draft.autos, False)
        course.follow_up(draft, now)
    return Answer(draft.seq)


def claim(code: str, player_id: int | None, client_id: str | None = None) -> Answer:
    """Claim the seat on turn that has done nothing for five minutes: it has left."""
    return store.change(code, _claim, player_id, client_id)


def claim_at(live: Live) -> float | None:
    """From when on the seat on turn can be claimed; None where it can't."""
    match, game, clock = live.match, live.game, live.clock
    if match is None or game is None or live.status != Table.PLAYING or live.timed:
        return None
    if game.turn is None or clock.turn_from is None or clock.act_at is not None:
        return None
    if len(live.people_in) < 2:
        return None
    return clock.turn_from + times.CLAIM


def _claim(draft: Live, now: float, player_id: int | None, client_id: str | None) -> Answer:
    holder = _holder(draft, player_id)
    before = _answered(draft, holder.seat, client_id)
    if before is not None:
        return before
    game = draft.game
    if not draft.in_match or game is None:
        raise not_now(_("There is nothing to claim."))
    _in(draft, holder.seat)
    if not presence.awake():
        raise not_now(_("The server has just come back; try again in a moment."))
    at = claim_at(draft)
    if at is None or game.turn is None or game.turn == holder.seat:
        raise not_now(_("There is nothing to claim."))
    if now < at:
        raise not_now(_("The seat on turn still has time; it can be claimed after five minutes."))
    if (draft.table_id, game.turn) in presence.doubtful(now):
        # Its sockets are on a process that hangs: that may be why nothing came from it.
        raise not_now(_("The server has just come back; try again in a moment."))
    draft.log("claim", seat=holder.seat, client_id=client_id)
    course.leave_match(draft, now, game.turn, why="time")
    return Answer(draft.seq)


def seed(code: str, player_id: int | None, value: str) -> Answer:
    """Give a seed for the next match's deals: up to 64 hex digits, the last one counts."""
    return store.change(code, _seed, player_id, value)


def _seed(draft: Live, now: float, player_id: int | None, value: str) -> Answer:
    holder = _holder(draft, player_id)
    if draft.in_match:
        raise not_now(_("The seeds of this match are fixed; give yours before the next one."))
    seating.put_seed(draft, holder, value)
    return Answer(draft.seq)
