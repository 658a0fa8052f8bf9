"""Matches over HTTP: what one was, and its record once nothing in it is secret any more."""

from __future__ import annotations

import json
from typing import Any

from django.http import HttpRequest
from django.utils.translation import gettext as _
from ninja import Router, Schema

from dominoes.table.models import Match, MatchSeat
from dominoes.table.phrases import PHRASES
from dominoes.table.records import player_names, record_of
from ranking.http import ApiError, Error, asking
from ranking.models import Player

router = Router(tags=["matches"])


class TableMatchOut(Schema):
    """A match, finished or being played."""

    id: str
    room: str | None
    rules: str
    options: dict[str, Any]
    players: list[str]
    status: str
    result: dict[str, Any] | None


def find_match(match_id: str) -> Match:
    """The match with that id. Raises ApiError 404."""
    match = Match.objects.select_related("table").filter(pk=match_id).first()
    if match is None:
        raise ApiError(404, "not_found", _("There is no such match."))
    return match


def played_in(match: Match, player: Player | None) -> bool:
    """Whether that person sat in the match."""
    return (
        player is not None and MatchSeat.objects.filter(match=match, player_id=player.pk).exists()
    )


def is_keeper(player: Player | None) -> bool:
    """Whether that person may look into matches at the keepers' desk."""
    return player is not None and player.is_staff and player.has_perm("table.view_match")


def room_of(match: Match, player: Player | None) -> str | None:
    """The code of the match's room: where it is a key, only for those who sat there."""
    if match.code_is_key and not played_in(match, player):
        return None
    return match.table.code


def may_see_record(match: Match, player: Player | None) -> bool:
    """Who may see a finished match's tiles: as its host chose, its players and keepers always.

    A match without a result is for its players and keepers only. Keepers are those whom the desk
    would show the match: it takes more than to be let in there.
    """
    if player is not None and (is_keeper(player) or played_in(match, player)):
        return True
    return match.status == Match.OVER and match.replay == "all"


@router.get("matches/{match_id}", response={200: TableMatchOut, 404: Error}, auth=None)
def get_match(request: HttpRequest, match_id: str) -> dict[str, Any]:
    """A match: who plays, by which rules, and how it stands or ended."""
    match = find_match(match_id)
    return {
        "id": match.pk,
        "room": room_of(match, asking(request)),
        "rules": match.rules,
        "options": json.loads(match.options),
        "players": player_names(match),
        "status": match.status,
        "result": result_of(match),
    }


def result_of(match: Match) -> dict[str, Any] | None:
    """How a match ended, with the final scores; None while it is played."""
    result = json.loads(match.result)
    return None if result is None else {**result, "scores": json.loads(match.scores)}


@router.get(
    "matches/{match_id}/record",
    response={200: dict[str, Any], 404: Error, 409: Error},
    auth=None,
    description="The record, `dominoes-match/1`. Phrases at the table: " + ", ".join(PHRASES),
)
def get_record(request: HttpRequest, match_id: str) -> dict[str, Any]:
    """The whole record of a match that is over."""
    match = find_match(match_id)
    if match.status == Match.PLAYING:
        raise ApiError(
            409, "not_now", _("The match is still being played; its record opens when it is over.")
        )
    if not may_see_record(match, asking(request)):
        raise ApiError(404, "not_found", _("There is no such match."))
    return record_of(match.pk)
