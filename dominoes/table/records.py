"""From a match's log to its record, `dominoes-match/1`."""

from __future__ import annotations

import json
from typing import Any

from django.utils.translation import gettext as _

from dominoes.rules import deal as fair
from dominoes.table.live import bot_name
from dominoes.table.models import Event, Match, MatchSeat
from dominoes.table.pictures import iso


def record_of(match_id: str) -> dict[str, Any]:
    """The whole record of a match, as far as it went. Raises Match.DoesNotExist.

    With everything that its deals were made from: only for a match that is over.
    """
    match = Match.objects.get(pk=match_id)
    hands = hands_of(match_id)
    chain = fair.Chain(bytes(match.secret))
    return {
        "format": "dominoes-match/1",
        "rules": match.rules,
        "options": json.loads(match.options),
        "players": player_names(match),
        "started": iso(match.started_at),
        "hands": hands,
        "result": json.loads(match.result),
        "fair": {
            "match": match.pk,
            "commit": match.commit,
            "seeds": json.loads(match.seeds),
            "hands": [value.hex() for value in chain.values(len(hands))],
        },
    }


def hands_of(match_id: str) -> list[dict[str, Any]]:
    """The record's hands, from the log alone."""
    hands: list[dict[str, Any]] = []
    events = Event.objects.filter(match_id=match_id).order_by("number")
    for kind, word, data in events.values_list("kind", "word", "data").iterator():
        if kind == "deal":
            dealt = json.loads(data)
            hand = {"lot": dealt["lot"]} if dealt.get("lot") else {}
            hand.update(racks=dealt["racks"], boneyard=dealt["boneyard"], moves=[])
            hands.append(hand)
        elif kind in ("move", "leave", "agree"):
            hands[-1]["moves"].append(word)
    return hands


def player_names(match: Match) -> list[str]:
    """Who sat where, by the names that they have now, for records and programs.

    A closed account has the name that it was left with, a guest who is forgotten none ("").
    """
    names = [""] * json.loads(match.options)["players"]
    for row in MatchSeat.objects.filter(match=match).select_related("player"):
        if row.bot:
            names[row.seat] = bot_name(row.bot)
        elif row.player is not None:
            names[row.seat] = row.player.name
    return names


def shown_names(match: Match) -> list[str]:
    """Who sat where, for pages: everybody who is gone is "a closed account" there."""
    names = player_names(match)
    gone = MatchSeat.objects.filter(match=match, player__closed_at__isnull=False)
    for seat in gone.values_list("seat", flat=True):
        names[seat] = ""
    return [name or _("a closed account") for name in names]
