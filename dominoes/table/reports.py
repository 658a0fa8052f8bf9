"""Reports about people at a table: a fixed reason, all that is known of the match, an answer."""

from __future__ import annotations

import json
import time
from typing import Any

from django.db import IntegrityError, transaction
from django.db.models import F, QuerySet
from django.dispatch import receiver
from django.utils.translation import gettext as _

from dominoes.table import timeline
from dominoes.table.models import Match, MatchSeat, Report, Said
from dominoes.table.models_keeping import REASONS
from dominoes.table.phrases import PHRASES
from dominoes.table.records import hands_of
from ranking.acts import ANSWERED, log_act, not_own_cause
from ranking.models import Player
from ranking.signals import own_data

A_DAY = 20
"""Reports that one person may make in 24 hours: each is read by somebody."""


def reportable(match: Match, by: Player | None) -> list[tuple[int, Player]]:
    """The seats that this person may report: people's, but not their own."""
    rows = MatchSeat.objects.filter(match=match, player__isnull=False).select_related("player")
    return [
        (row.seat, row.player)
        for row in rows.order_by("seat")
        if row.player is not None and row.player != by and row.player.closed_at is None
    ]


def make_report(
    match: Match, by: Player, seat: int, reason: str, hand: int | None = None, ply: int = 0
) -> Report:
    """Report who sits in a seat; the match, the ply, phrases and timings go with it.

    Without `hand` it is about the present moment. Raises ValueError with a sentence where the seat
    can't be reported, the reason is none of the list, this person has reported it already, or has
    made `A_DAY` reports since this time yesterday.
    """
    about = dict(reportable(match, by)).get(seat)
    if about is None:
        raise ValueError(_("Choose the seat of somebody else who plays in this match."))
    if reason not in dict(REASONS):
        raise ValueError(_("Choose one of the reasons."))
    if Report.objects.filter(by=by, at__gt=time.time() - 86400).count() >= A_DAY:
        raise ValueError(
            _("You have made %(n)d reports within a day, each of which is read. Go on tomorrow.")
            % {"n": A_DAY}
        )
    taken = timeline.timings(match)
    if hand is None:
        hand, ply = (taken[-1][0], taken[-1][1]) if taken else (1, 0)
    else:
        hand, ply = moment(match, hand, ply)
    own = MatchSeat.objects.filter(match=match, player=by).values_list("seat", flat=True).first()
    attached = {"phrases": _phrases(match), "timings": taken}
    try:
        with transaction.atomic():
            return Report.objects.create(
                match=match,
                by=by,
                about=about,
                seat=seat,
                by_seat=own,
                reason=reason,
                hand=hand,
                ply=ply,
                attached=json.dumps(attached),
            )
    except IntegrityError:
        raise ValueError(
            _("You have reported this seat already; you will find the answer among your reports.")
        ) from None


def moment(match: Match, hand: int, ply: int) -> tuple[int, int]:
    """The hand and ply of a match that come nearest to these: an address may name any."""
    plies = [len(one["moves"]) for one in hands_of(match.pk)] or [0]
    hand = min(max(1, hand), len(plies))
    return hand, min(max(0, ply), plies[hand - 1])


def _phrases(match: Match) -> list[list[Any]]:
    rows = Said.objects.filter(match=match).order_by("pk")
    return [list(row) for row in rows.values_list("seat", "phrase", "hand", "ply", "at")]


def answer(report: Report, by: Player | None, text: str) -> None:
    """Answer who reported, once. Logged.

    Raises ValueError without a text, a second time, and where `by` made the report, is reported or
    sat in the match (superusers may, see `ranking.acts.not_own_cause`).
    """
    text = text.strip()
    if not text:
        raise ValueError(_("Please write an answer."))
    sat = MatchSeat.objects.filter(match_id=report.match_id).values_list("player_id", flat=True)
    not_own_cause(by, [report.about_id, report.by_id, *sat])
    with transaction.atomic():
        first = Report.objects.filter(pk=report.pk, answered_at=None).update(
            answer=text, answered_by=by, answered_at=time.time()
        )
        if not first:
            raise ValueError(_("This report has been answered."))
        log_act(by=by, what=ANSWERED, about=report.about, key=report.match_id, reason=text)
    report.refresh_from_db()


def for_keeper(rows: QuerySet[Report], keeper: Player | None) -> QuerySet[Report]:
    """Those of these reports that a keeper sees: none about themselves, which would tell by whom.

    Superusers see all of them.
    """
    if keeper is None or keeper.is_superuser:
        return rows
    return rows.exclude(about=keeper)


def earlier(report: Report, keeper: Player | None = None) -> list[tuple[str, list[Report]]]:
    """Other reports of and by both people, as a keeper sees them; each list with its title."""
    found = []
    everything = for_keeper(
        Report.objects.exclude(pk=report.pk).select_related("by", "about").order_by("-at"), keeper
    )
    for person in (report.about, report.by):
        if person is None:
            continue
        for title, rows in (
            (_("About %(name)s"), everything.filter(about=person)),
            (_("By %(name)s"), everything.filter(by=person)),
        ):
            found.append((title % {"name": person.name}, list(rows[:20])))
    return found


def unread(player: Player) -> int:
    """How many answers wait for whoever reported."""
    return Report.objects.filter(by=player, answer_read=False, answered_at__isnull=False).count()


def own_reports(player: Player) -> list[Report]:
    """A person's reports with their answers, newest first; their answers count as read now."""
    rows = list(Report.objects.filter(by=player).select_related("about").order_by("-at")[:100])
    Report.objects.filter(by=player, answered_at__isnull=False, answer_read=False).update(
        answer_read=True
    )
    return rows


def attached(report: Report) -> dict[str, Any]:
    """What was attached, for people: phrases in words, and of the seat's moves the times."""
    stored = json.loads(report.attached)
    moves = [row for row in stored.get("timings", ()) if row[2] == report.seat]
    seconds = sorted(row[3] for row in moves if not row[4])
    return {
        "phrases": [
            {"seat": seat, "said": PHRASES.get(phrase, phrase), "hand": hand, "ply": ply}
            for seat, phrase, hand, ply, _at in stored.get("phrases", ())
        ],
        "moves": [
            {"hand": hand, "ply": ply, "seconds": seconds, "auto": auto}
            for hand, ply, _seat, seconds, auto in moves
        ],
        "median": seconds[len(seconds) // 2] if seconds else None,
        "longest": seconds[-1] if seconds else None,
        "auto": sum(1 for row in moves if row[4]),
    }


def waiting() -> int:
    """How many reports nobody has answered yet."""
    return Report.objects.filter(answered_at=None).count()


@receiver(own_data)
def stored(sender: Any, player: Player, **more: Any) -> dict[str, Any]:
    """This app's section of what is stored about a person.

    Who made a report is told to nobody, so of those about a person only the number is told.
    """
    about: dict[str, int] = {}
    for reason in Report.objects.filter(about=player).values_list("reason", flat=True):
        about[reason] = about.get(reason, 0) + 1
    spoken = Said.objects.filter(
        match__seat_rows__player=player, match__seat_rows__seat=F("seat")
    ).order_by("at")
    return {
        "reports": list(
            Report.objects.filter(by=player)
            .order_by("at")
            .values("match_id", "seat", "reason", "at", "answer")
        ),
        "reports_about_you": about,
        "phrases": list(spoken.values("match_id", "phrase", "at")),
    }
