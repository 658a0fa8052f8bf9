"""What the keepers' pages about one match and one report show."""

from __future__ import annotations

import json
from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _lazy

from dominoes.table import reports, timeline
from dominoes.table.models import Match, MatchSeat, Report, SeatAddress
from dominoes.table.records import player_names
from dominoes.table.results import GAME, key_of
from dominoes.table.voiding import void_reason
from ranking import together
from ranking.acts import Act
from ranking.models import Player
from ranking.titles import variant_title

TOGETHER = 20  # of two people's matches, so many are listed


class AnswerForm(forms.Form):
    """What is answered to who reported."""

    answer = forms.CharField(
        label=_lazy("Answer"),
        max_length=500,
        error_messages={"required": _lazy("Please write an answer.")},
        widget=forms.Textarea(attrs={"rows": 4, "cols": 70}),
        help_text=_lazy("Whoever reported reads it. It can't be changed later."),
    )


def title_of(match: Match) -> str:
    """The game's name and size."""
    options = json.loads(match.options)
    return variant_title(GAME, f"{match.rules}-{options['players']}-{options['sides']}")


def how_ended(match: Match) -> str:
    """How a match ended, in a few words."""
    if match.status == Match.PLAYING:
        return _("being played")
    result = json.loads(match.result) or {}
    words = {
        "target": _("target"),
        "forfeit": _("forfeit"),
        "agreed": _("agreed draw"),
        "abandoned": _("abandoned"),
    }
    why = {"left": _("left"), "time": _("time"), "dropped": _("dropped")}.get(
        result.get("why") or ""
    )
    said = words.get(result.get("how", ""), "-")
    return f"{said} ({why})" if why else said


def about_match(match: Match, keeper: Player | None) -> dict[str, Any]:
    """A match for a keeper: facts, log, its people's other matches, reports, acts."""
    rows = list(MatchSeat.objects.filter(match=match).select_related("player").order_by("seat"))
    names = player_names(match)
    lines = timeline.lines(match)
    autos = {row.seat: 0 for row in rows}
    drops = dict(autos)
    for line in lines:
        if line.seat in autos:
            autos[line.seat] += line.auto
            drops[line.seat] += line.lost
    people = [row.player for row in rows if row.player is not None]
    return {
        "match": match,
        "names": names,
        "ended": how_ended(match),
        "scores": json.loads(match.scores),
        "reason": void_reason(match.pk),
        "seats": [
            {
                "row": row,
                "name": names[row.seat] or _("a closed account"),
                "autos": autos[row.seat],
                "drops": drops[row.seat],
            }
            for row in rows
        ],
        "lines": [(line, names[line.seat] if line.seat is not None else "") for line in lines],
        "together": together.pairs(people, GAME, TOGETHER),
        "reports": reports.for_keeper(
            match.reports.select_related("about", "by").order_by("-at"), keeper
        ),
        "acts": Act.objects.filter(
            key__in=[key_of(match.pk), match.pk, match.table.code]
        ).select_related("about"),
        "one_address": _one_address(match),
    }


def _one_address(match: Match) -> list[list[int]]:
    """Seats (from 1) that were played from one address, in groups."""
    seats: dict[str, set[int]] = {}
    for seat, digest in SeatAddress.objects.filter(match=match).values_list("seat", "digest"):
        seats.setdefault(digest, set()).add(seat + 1)
    return [sorted(group) for group in seats.values() if len(group) > 1]


def about_report(report: Report, keeper: Player | None) -> dict[str, Any]:
    """A report for whoever judges it."""
    return {
        "report": report,
        "match": report.match,
        "names": player_names(report.match),
        "attached": reports.attached(report),
        "earlier": reports.earlier(report, keeper),
        "acts": [] if report.about is None else Act.objects.filter(about=report.about)[:20],
    }
