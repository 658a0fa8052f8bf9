"""Rooms before and after a match: creating one, seats, bots, what is played (beginning.py begins).

The same shape as play.py: commands by code and person, `Refused` with a sentence, nothing changed.
The host is the person who has been seated longest, so a host's powers pass on by themselves.
"""

from __future__ import annotations

import math
import random
import time
from dataclasses import replace
from typing import Any

from django.db import IntegrityError, transaction
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from dominoes.bots import LEVELS
from dominoes.table import choosing, company, course, keeping, store
from dominoes.table import clock as times
from dominoes.table.live import Choices, Holder, Live, bot_name
from dominoes.table.models import Seat, Table
from dominoes.table.phrases import Pace
from dominoes.table.refusals import Refused, not_now, not_seated
from ranking.models import Player

BOT_LEVELS = tuple(LEVELS)

# How often a person may change a table's seats and seeds: each writes rows, and is told everybody.
_changes = Pace(most=30, within=10.0)


def create_table(player_id: int, choices: Choices, *, seed: str = "") -> str:
    """A new room with its host in seat 0; answers its code."""
    player = Player.objects.get(pk=player_id)
    _may_play(choices, player)
    secret, commit = course.fresh_chain()
    options = choices.options
    while True:
        try:
            with transaction.atomic():
                row = Table.objects.create(
                    rules=options.rules,
                    players=options.players,
                    sides=options.sides,
                    target=options.target,
                    double_six_opens=options.double_six_opens,
                    kind=choices.kind,
                    ranked=choices.ranked,
                    private=choices.private,
                    turn_seconds=choices.turn_seconds,
                    aid=choices.aid,
                    replay=choices.replay,
                    next_secret=secret,
                    next_commit=commit,
                    created_at=store.moment(),
                    **_empty_clock(),
                )
        except IntegrityError:
            continue  # the code is in use: draw another
        break
    Seat.objects.create(
        table=row,
        seat=0,
        player=player,
        sat_at=store.moment(),
        seed=choosing.check_seed(seed),
        seed_commit=commit if seed else "",
    )
    return row.code


def _empty_clock() -> dict[str, Any]:
    clock = times.Clock(gone_at=store.moment() + times.GONE)
    return {"clock": clock.to_json(), "due_at": clock.due_at()}


def _may_play(choices: Choices, player: Player) -> None:
    keeping.may_play(player)
    if choices.ranked and player.is_guest:
        raise Refused(
            "forbidden", _("Ranked tables are for signed-in people. Sign up, it is free.")
        )


def no_match(draft: Live) -> None:
    """Seats and choices are free to change. Raises Refused in a match, and in a closed room."""
    if draft.status == Table.CLOSED:
        raise Refused("no_such_room", _("This room is closed."))
    if draft.in_match:
        raise Refused(
            "playing", _("A match is being played; seats can be changed when it is over.")
        )


def _is_host(draft: Live, player_id: int | None) -> Holder:
    host = draft.host
    if host is None or host.player_id != player_id:
        raise Refused("forbidden", _("Only the host can do that."))
    return host


def _seat_number(draft: Live, seat: int) -> None:
    if not 0 <= seat < draft.choices.options.players:
        raise Refused("bad_message", _("This table has no such seat."))


def _seats_changed(draft: Live, now: float) -> None:
    """Agreements to play again are void; a full room starts its minute."""
    for holder in draft.people:
        if holder.rematch:
            draft.put(replace(holder, rematch=False))
    full = all(draft.seats) and bool(draft.people)
    draft.clock.full_at = (draft.clock.full_at or now) if full else None
    course.presence_changed(draft, now)
    course.bump(draft, moved=False)


def _not_too_often(draft: Live, player_id: int) -> None:
    """Count a change of this person's at this table. Raises Refused where it is one too many.

    A command that is tried again, on the same state, is counted once.
    """
    change = draft.code, player_id
    if _changes.knows(*change, str(draft.seq)):
        return
    wait = math.ceil(_changes.seconds_to_wait(*change, time.monotonic(), str(draft.seq)))
    if wait:
        raise Refused(
            "rate",
            ngettext(
                "Those were many changes at once. Wait %(n)d second, then try again.",
                "Those were many changes at once. Wait %(n)d seconds, then try again.",
                wait,
            )
            % {"n": wait},
        )


def sit(code: str, player_id: int, seat: int, seed: str | None = None) -> int:
    """Take a seat, or change to it; `seed` is for the next match's deals."""
    return store.change(code, _sit, player_id, seat, seed)


def _sit(draft: Live, now: float, player_id: int, seat: int, seed: str | None) -> int:
    no_match(draft)
    _seat_number(draft, seat)
    if player_id in draft.removed:
        raise Refused("forbidden", _("The host has asked you to leave this room."))
    if seed is not None:
        seed = choosing.check_seed(seed)
    player = Player.objects.get(pk=player_id)
    _may_play(draft.choices, player)
    taken, own = draft.seats[seat], draft.holder_of(player_id)
    if taken is not None and taken.player_id != player_id and not given_up(draft, taken):
        raise Refused("taken", _("That seat is taken; choose another."))
    if own is None:
        company.may_sit(player_id, [h for h in draft.people if h is not taken])
    if own is not None and own.seat == seat:
        if seed is not None:
            put_seed(draft, own, seed)
        if heard_from(draft, now, own):
            course.bump(draft, moved=False)
        return draft.seq
    _not_too_often(draft, player_id)
    holder = Holder(
        seat=seat,
        player_id=player_id,
        name=player.name,
        bot="",
        guest=player.is_guest,
        sat_at=own.sat_at if own else now,
        seed=own.seed if own else "",
        seed_commit=own.seed_commit if own else "",
    )
    if seed is not None:
        holder = replace(holder, seed=seed, seed_commit=draft.next_commit)
    if own is not None:
        draft.empty(own.seat)
    draft.put(holder)
    heard_from(draft, now, holder)
    _seats_changed(draft, now)
    return draft.seq


def given_up(draft: Live, holder: Holder) -> bool:
    """Whoever left the last match and isn't here has given the seat up."""
    return holder.seat in draft.leavers and holder.seat not in draft.here


def heard_from(draft: Live, now: float, holder: Holder, *, anew: bool = False) -> bool:
    """Note that this person is there, who may have no socket; says whether that was news.

    What was heard within half a minute isn't written `anew` unless that is asked for.
    """
    heard, who = draft.clock.heard, holder.player_id
    if who is None or not draft.choices.ranked:
        return False
    if not anew and now - max(holder.sat_at, heard.get(who, 0.0)) <= times.FRESH / 2:
        return False
    seated = {one.player_id for one in draft.people}
    draft.clock.heard = {id: at for id, at in heard.items() if id in seated} | {who: now}
    return True


def stand(code: str, player_id: int) -> int:
    """Leave one's seat."""
    return store.change(code, _stand, player_id)


def _stand(draft: Live, now: float, player_id: int) -> int:
    holder = draft.holder_of(player_id)
    if holder is None:
        raise not_seated()
    no_match(draft)
    stand_up(draft, now, holder)
    return draft.seq


def stand_up(draft: Live, now: float, holder: Holder) -> None:
    """Empty a person's seat in a room without a match in play."""
    draft.empty(holder.seat)
    _seats_changed(draft, now)


def set_bot(code: str, player_id: int, seat: int, level: str | None) -> int:
    """Put a bot into a free seat, change its level, or take it away (level None). Host only."""
    return store.change(code, _set_bot, player_id, seat, level)


def _set_bot(draft: Live, now: float, player_id: int, seat: int, level: str | None) -> int:
    _is_host(draft, player_id)
    no_match(draft)
    _seat_number(draft, seat)
    if level is not None and level not in BOT_LEVELS:
        raise Refused("bad_message", _("A bot is easy or steady."))
    if draft.choices.ranked and level is not None:
        raise Refused("rules", _("Bots can't play at a ranked table."))
    taken = draft.seats[seat]
    if taken is not None and not taken.bot and not given_up(draft, taken):
        raise Refused("taken", _("A person sits there."))
    if level is None:
        if taken is None:
            return draft.seq
        _not_too_often(draft, player_id)
        draft.empty(seat)
    else:
        _not_too_often(draft, player_id)
        draft.put(Holder(seat, None, bot_name(level), level, False, now))
    _seats_changed(draft, now)
    return draft.seq


def remove(code: str, player_id: int, seat: int) -> int:
    """Ask someone to leave: the seat is free, and the person can't come back. Host only."""
    return store.change(code, _remove, player_id, seat)


def _remove(draft: Live, now: float, player_id: int, seat: int) -> int:
    host = _is_host(draft, player_id)
    no_match(draft)
    _seat_number(draft, seat)
    taken = draft.seats[seat]
    if taken is None or taken.bot or taken.seat == host.seat or taken.player_id is None:
        raise not_now(_("There is nobody to remove in that seat."))
    draft.removed = draft.removed | {taken.player_id}
    draft.touch("table")
    stand_up(draft, now, taken)
    return draft.seq


def choose(code: str, player_id: int, choices: Choices) -> int:
    """Change what the room plays while nobody has begun. Host only.

    Those whose seats the new table lacks move to the first free ones; if people don't fit, or
    guests or bots would sit at a ranked table, it is refused. Others who sit there have ten seconds
    to see what they would play now, and whether it counts: till then nobody begins.
    """
    return store.change(code, _choose, player_id, choices)


def _choose(draft: Live, now: float, player_id: int, choices: Choices) -> int:
    _is_host(draft, player_id)
    no_match(draft)
    count = choices.options.players
    sitting = [h for h in draft.seats if h]
    if choices.ranked and any(h.bot or h.guest for h in sitting):
        raise Refused("rules", _("Guests and bots can't play at a ranked table."))
    people = [h for h in sitting if not h.bot]
    if len(people) > count:
        raise Refused("rules", _("More people sit here than that table has seats."))
    seats: list[Holder | None] = [None] * count
    waiting = []
    for holder in people + [h for h in sitting if h.bot]:
        if holder.seat < count and seats[holder.seat] is None:
            seats[holder.seat] = holder
        else:
            waiting.append(holder)
    for holder in waiting:
        free = next((i for i, h in enumerate(seats) if h is None), None)
        if free is not None:
            seats[free] = replace(holder, seat=free)
    if len(people) > 1 and _is_another_game(draft.choices, choices):
        draft.clock.changed_at = now
    draft.choices = choices
    draft.seats = tuple(seats)
    if draft.match is not None:
        draft.match, draft.game = None, None
    draft.status = Table.OPEN
    draft.touch("table", "seats")
    _seats_changed(draft, now)
    return draft.seq


def _is_another_game(before: Choices, after: Choices) -> bool:
    """Whether anything is played otherwise, and not only listed otherwise."""
    return replace(after, private=before.private) != before


def mix_teams(code: str, player_id: int) -> int:
    """Draw the seats anew by chance, so that partners change. Host only, between matches."""
    return store.change(code, _mix, player_id)


def _mix(draft: Live, now: float, player_id: int) -> int:
    _is_host(draft, player_id)
    no_match(draft)
    places = list(range(len(draft.seats)))
    random.SystemRandom().shuffle(places)
    seats: list[Holder | None] = [None] * len(places)
    for holder, place in zip(draft.seats, places, strict=True):
        if holder:
            seats[place] = replace(holder, seat=place)
    draft.seats = tuple(seats)
    draft.touch("seats")
    _seats_changed(draft, now)
    return draft.seq


def put_seed(draft: Live, holder: Holder, value: str) -> None:
    """Store the seed that a seat gives for the match whose commitment stands now.

    What it has given already changes nothing. Raises Refused.
    """
    seed = choosing.check_seed(value)
    if (holder.seed, holder.seed_commit) == (seed, draft.next_commit):
        return
    if holder.player_id is not None:
        _not_too_often(draft, holder.player_id)
    draft.put(replace(holder, seed=seed, seed_commit=draft.next_commit))
    course.bump(draft, moved=False)
