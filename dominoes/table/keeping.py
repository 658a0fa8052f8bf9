"""What those who keep the site do to rooms and to people's play. Each act is logged with why."""

from __future__ import annotations

from collections.abc import Iterable

from django.utils import timezone
from django.utils.formats import date_format
from django.utils.timezone import localtime
from django.utils.translation import gettext as _

from dominoes.table import course, store
from dominoes.table.clock import Clock
from dominoes.table.live import Live
from dominoes.table.models import Table
from dominoes.table.refusals import Refused
from ranking.acts import Act, log_act, not_own_cause
from ranking.models import Player

CLOSED = "close room"
"""What the log calls it."""


def close_room(code: str, by: Player | None, reason: str) -> None:
    """Close a room: a match in it is abandoned, everybody is shown out. In `store.call`.

    The act is logged about each who sat there: they are told why, and find it in their own data.
    Raises ValueError without a reason, where the room is closed already or `by` sits there
    (superusers may, see `ranking.acts.not_own_cause`), and store.NoSuchTable.
    """
    if not reason.strip():
        raise ValueError(_("Please say why."))
    people = store.change(code, _close, by)
    if people is None:
        raise ValueError(_("This room is closed."))
    concerned: list[Player | None] = [*Player.objects.filter(pk__in=people).order_by("pk")]
    for one in concerned or [None]:
        log_act(by=by, what=CLOSED, reason=reason, about=one, key=code)


def closed_by_keepers(code: str, player: Player | None) -> str | None:
    """Why a keeper closed the room, for those who sat there; None for others, or where none did."""
    if player is None:
        return None
    acts = Act.objects.filter(what=CLOSED, key=code, about=player)
    return acts.values_list("reason", flat=True).first()


def _close(draft: Live, now: float, by: Player | None) -> set[int] | None:
    """Close it. Gives who sat there, None where it is closed already."""
    if draft.status == Table.CLOSED:
        return None
    people = {one.player_id for one in draft.people}
    if draft.in_match and draft.match is not None:
        people.update(draft.match.people)
    not_own_cause(by, people)
    if draft.in_match:
        course.abandon(draft, now, seat=None, why=None)
    draft.status = Table.CLOSED
    draft.clock = Clock()
    course.bump(draft, moved=True)
    return {one for one in people if one is not None}


def may_play(player: Player) -> None:
    """Raises Refused for somebody who is suspended just now."""
    until = player.suspended_until
    if until is not None and player.is_suspended():
        raise Refused(
            "forbidden",
            _("You can't play until %(until)s; you may look on and read.")
            % {"until": date_format(localtime(until), "DATETIME_FORMAT")},
        )


def all_may_play(people: Iterable[int | None]) -> None:
    """Raises Refused where one of these people is suspended just now."""
    suspended = Player.objects.filter(
        pk__in=[pk for pk in people if pk is not None], suspended_until__gt=timezone.now()
    ).first()
    if suspended is not None:
        raise Refused(
            "forbidden",
            _("%(name)s may not play at present; somebody else has to take that seat.")
            % {"name": suspended.name},
        )
