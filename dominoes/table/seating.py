"""Rooms before and after a match: creating one, seats, bots, beginning, playing again.

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


def _open(draft: Live) -> None:
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
    _open(draft)
    _seat_number(draft, seat)
    if player_id in draft.removed:
        raise Refused("forbidden", _("The host has asked you to leave this room."))
    if seed is not None:
        seed = choosing.check_seed(seed)
    player = Player.objects.get(pk=player_id)
    _may_play(draft.choices, player)
    taken, own = draft.seats[seat], draft.holder_of(player_id)
    if taken is not None and taken.player_id != player_id and not _given_up(draft, taken):
        raise Refused("taken", _("That seat is taken; choose another."))
    if own is None:
        company.may_sit(player_id, [h for h in draft.people if h is not taken])
    if own is not None and own.seat == seat:
        if seed is not None:
            put_seed(draft, own, seed)
        if _heard_from(draft, now, own):
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
    _heard_from(draft, now, holder)
    _seats_changed(draft, now)
    return draft.seq


def _given_up(draft: Live, holder: Holder) -> bool:
    """Whoever left the last match and isn't here has given the seat up."""
    return holder.seat in draft.leavers and holder.seat not in draft.here


def stand(code: str, player_id: int) -> int:
    """Leave one's seat."""
    return store.change(code, _stand, player_id)


def _stand(draft: Live, now: float, player_id: int) -> int:
    holder = draft.holder_of(player_id)
    if holder is None:
        raise not_seated()
    _open(draft)
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
    _open(draft)
    _seat_number(draft, seat)
    if level is not None and level not in BOT_LEVELS:
        raise Refused("bad_message", _("A bot is easy or steady."))
    if draft.choices.ranked and level is not None:
        raise Refused("rules", _("Bots can't play at a ranked table."))
    taken = draft.seats[seat]
    if taken is not None and not taken.bot and not _given_up(draft, taken):
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
    _open(draft)
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
    _open(draft)
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


def start(code: str, player_id: int) -> str:
    """Begin a match: the host, or anyone seated once all seats have been taken for a minute.

    A ranked one only while everybody is there.
    """
    return store.change(code, _start, player_id)


def _start(draft: Live, now: float, player_id: int) -> str:
    holder = draft.holder_of(player_id)
    if holder is None:
        raise Refused("forbidden", _("Only people at the table can begin."))
    _open(draft)
    host, full_at = draft.host, draft.clock.full_at
    silent = full_at is not None and now >= full_at + times.HOST_SILENT
    if holder is not host and not silent:
        raise Refused("forbidden", _("The host begins; if nothing happens for a minute, you can."))
    _all_seated(draft)
    _all_know(draft, now)
    _all_there(draft, now, holder)
    course.begin(draft, now)
    assert draft.match is not None
    return draft.match.id


def _all_seated(draft: Live) -> None:
    if not all(draft.seats):
        raise not_now(_("Some seats are still free; fill them with people or bots."))
    keeping.all_may_play(holder.player_id for holder in draft.people)
    for holder in draft.seats:
        if holder and not holder.bot and not holder.rematch and _given_up(draft, holder):
            raise not_now(
                _("%(name)s has left; somebody has to take that seat.") % {"name": holder.name}
            )


def _all_know(draft: Live, now: float) -> None:
    """Nobody is made to play what they haven't had time to see. Raises Refused."""
    changed_at = draft.clock.changed_at
    others = len(draft.people) > 1
    if others and changed_at is not None and now < changed_at + times.CHANGE_SEEN:
        raise not_now(_("The game was changed just now. Give the others ten seconds to see it."))


def _all_there(draft: Live, now: float, but: Holder) -> None:
    """Whoever isn't there would lose a ranked match by the clock. Raises Refused.

    `but` is the person who begins.
    """
    missing = next(iter(_missing(draft, now, but)), None)
    if missing is None:
        return
    if but == draft.host:
        said = _("%(name)s isn't here. Wait for them, or remove them so that others can sit.")
    else:
        said = _("%(name)s isn't here. Wait for them, or look for another table.")
    raise not_now(said % {"name": missing.name})


def _missing(draft: Live, now: float, but: Holder) -> list[Holder]:
    if not draft.choices.ranked:
        return []
    here = store.seats_here(draft.table_id)
    return [holder for holder in draft.missing(now, here) if holder.seat != but.seat]


def look_in(code: str, player_id: int) -> int:
    """Somebody loads the page: without a script it has no socket, and shows so who is there."""
    return store.change(code, _look_in, player_id)


def _look_in(draft: Live, now: float, player_id: int) -> int:
    holder = draft.holder_of(player_id)
    if holder is not None and not draft.in_match and _heard_from(draft, now, holder):
        course.bump(draft, moved=False)
    return draft.seq


def _heard_from(draft: Live, now: float, holder: Holder, *, anew: bool = False) -> bool:
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


def rematch(code: str, player_id: int) -> str | None:
    """Agree to play again in the same seats; begins when all persons at the table have.

    Where seats have changed meanwhile what begins is an ordinary match: nobody opens as its winner.
    In a ranked room the agreement of somebody who has gone since is void.
    """
    return store.change(code, _rematch, player_id)


def _rematch(draft: Live, now: float, player_id: int) -> str | None:
    holder = draft.holder_of(player_id)
    if holder is None:
        raise Refused("forbidden", _("Only people at the table can agree to play again."))
    _open(draft)
    if draft.game is None or draft.match is None:
        raise not_now(_("Nothing has been played here yet; begin a match first."))
    if not all(draft.seats):
        raise not_now(_("Some seats are free now; fill them and begin an ordinary match."))
    voided = _void_agreements(draft, now, but=holder)
    news = _heard_from(draft, now, holder, anew=not holder.rematch)
    if not holder.rematch:
        draft.put(replace(holder, rematch=True))
    if voided or news or not holder.rematch:
        course.bump(draft, moved=False)
    if not all(h.rematch for h in draft.people):
        return None
    _all_seated(draft)
    same = draft.match.people == tuple(h.player_id if h else None for h in draft.seats)
    opens = draft.game.winning_opener() if same and draft.match.status == "over" else None
    course.begin(draft, now, opens=opens)
    return draft.match.id


def _void_agreements(draft: Live, now: float, but: Holder) -> bool:
    """Who agreed to play again and went agrees no more; says whether there was any."""
    gone = [holder for holder in _missing(draft, now, but) if holder.rematch]
    for holder in gone:
        draft.put(replace(holder, rematch=False))
    return bool(gone)


def mix_teams(code: str, player_id: int) -> int:
    """Draw the seats anew by chance, so that partners change. Host only, between matches."""
    return store.change(code, _mix, player_id)


def _mix(draft: Live, now: float, player_id: int) -> int:
    _is_host(draft, player_id)
    _open(draft)
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
