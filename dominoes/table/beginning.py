"""How a match begins: the host says so, or all agree to play again; and what must be so before.

The same shape as play.py: commands by code and person, `Refused` with a sentence, nothing changed.
"""

from __future__ import annotations

from dataclasses import replace

from django.utils.translation import gettext as _

from dominoes.table import clock as times
from dominoes.table import course, keeping, seating, store
from dominoes.table.live import Holder, Live
from dominoes.table.refusals import Refused, not_now


def start(code: str, player_id: int) -> str:
    """Begin a match: the host, or anyone seated once all seats have been taken for a minute.

    A ranked one only while everybody is there.
    """
    return store.change(code, _start, player_id)


def _start(draft: Live, now: float, player_id: int) -> str:
    holder = draft.holder_of(player_id)
    if holder is None:
        raise Refused("forbidden", _("Only people at the table can begin."))
    seating.no_match(draft)
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
        if holder and not holder.bot and not holder.rematch and seating.given_up(draft, holder):
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
    if holder is not None and not draft.in_match and seating.heard_from(draft, now, holder):
        course.bump(draft, moved=False)
    return draft.seq


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
    seating.no_match(draft)
    if draft.game is None or draft.match is None:
        raise not_now(_("Nothing has been played here yet; begin a match first."))
    if not all(draft.seats):
        raise not_now(_("Some seats are free now; fill them and begin an ordinary match."))
    voided = _void_agreements(draft, now, but=holder)
    news = seating.heard_from(draft, now, holder, anew=not holder.rematch)
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
