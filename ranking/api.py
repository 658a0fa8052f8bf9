"""The API's part on people: guests, oneself, players, their matches, the ladder."""

from datetime import datetime
from typing import Any, Literal
from urllib.parse import urlencode

from django.http import HttpRequest
from django.utils.translation import gettext as _
from ninja import Field, Query, Router, Schema, Status

from ranking import history, ladder, players, profile
from ranking.http import ApiError, Error, limit, signed_in
from ranking.models import Player
from ranking.outcomes import RANKED

router = Router(tags=["people"])

_ERRORS = dict.fromkeys((404, 422, 429), Error)


class GuestIn(Schema):
    """The name a guest would like."""

    name: str


class GuestOut(Schema):
    """The name they got, and the token to play with; it is shown this once."""

    name: str
    token: str


class Me(Schema):
    """Who asks."""

    name: str
    guest: bool


class PlayerOut(Schema):
    """A player's figures; `rating` is null while unrated. Bots don't count, casual matches do."""

    name: str
    points: int
    rating: int | None
    provisional: bool
    won: int
    drawn: int
    lost: int


class LadderRow(PlayerOut):
    """A line of a ladder; equal figures share a place."""

    place: int


class LadderOut(Schema):
    """A page of a ladder."""

    items: list[LadderRow]
    next: str | None


class SitterOut(Schema):
    """Who sat where; `name` is null for a bot and for someone whose name is gone."""

    seat: int
    side: int
    name: str | None
    bot: str | None
    outcome: Literal["won", "drawn", "lost"]


class MatchOut(Schema):
    """A finished match as this player sees it; `rating_change` is null where it moved nothing."""

    id: str
    url: str
    game: str
    variant: str
    kind: str
    ranked: bool
    rated: bool
    ended_at: datetime
    outcome: Literal["won", "drawn", "lost"]
    points: int
    rating_change: int | None
    left: bool
    partner_left: bool
    seat: int
    players: list[SitterOut]


class MatchesOut(Schema):
    """A page of matches, newest first."""

    items: list[MatchOut]
    next: str | None


@router.post("/guests", response={201: GuestOut, 422: Error, 429: Error}, summary="Be a guest")
def create_guest(request: HttpRequest, body: GuestIn) -> Status[dict[str, str]]:
    """A guest of this name with a token; a name in use gets a suffix. Limited by address."""
    limit("guests", request)
    try:
        player = players.create_guest(body.name)
    except ValueError as fault:
        raise ApiError(422, "name", str(fault)) from None
    return Status(201, {"name": player.name, "token": players.make_token(player)})


@router.get("/me", auth=signed_in, response={200: Me, 401: Error}, summary="Who am I?")
def me(request: HttpRequest) -> dict[str, Any]:
    """The player whose session or token this is."""
    player: Player = request.auth  # type: ignore[attr-defined]
    return {"name": player.name, "guest": player.is_guest}


@router.get("/players/{name}", response={200: PlayerOut, **_ERRORS}, summary="A player's figures")
def one_player(request: HttpRequest, name: str) -> profile.Figures:
    """Points, rating and results against people."""
    return profile.figures(_player(name))


class MatchesQuery(Schema):
    """Which page of a player's matches."""

    before: int | None = Field(None, ge=1, le=2**62, description="From the `next` of a page.")
    limit: int = Field(history.PAGE, ge=1, le=100)
    variant: str = Field("", max_length=32)
    outcome: Literal["", "won", "drawn", "lost"] = ""
    counted: Literal["", "ranked", "casual", "bots"] = ""


@router.get(
    "/players/{name}/matches", response={200: MatchesOut, **_ERRORS}, summary="A player's matches"
)
def player_matches(
    request: HttpRequest,
    name: str,
    query: Query[MatchesQuery],
) -> dict[str, Any]:
    """Finished matches, newest first; `next` is the address of the following page."""
    player = _player(name)
    wanted = history.Wanted(variant=query.variant, outcome=query.outcome, counted_as=query.counted)
    try:
        entries, before = history.matches(player, wanted, query.before, query.limit)
    except history.NoSuchPlace:
        raise ApiError(
            422, "malformed", _("“before” is not from a page of these matches.")
        ) from None
    return {
        "items": [_match(entry) for entry in entries],
        "next": None if before is None else _next(request, before=before),
    }


class LadderQuery(Schema):
    """Which board, and where to begin."""

    by: ladder.By = "rating"
    period: str = Field("ever", max_length=8, description="`ever`, `week` or `2026-W07`.")
    game: str = Field("", max_length=32)
    variant: str = Field("", max_length=32)
    offset: int = Field(0, ge=0, le=10**6)
    limit: int = Field(ladder.PAGE, ge=1, le=100)


@router.get("/ladder", response={200: LadderOut, 422: Error}, summary="The ladder")
def the_ladder(request: HttpRequest, query: Query[LadderQuery]) -> dict[str, Any]:
    """By rating (those without one follow, by points), or by points on one board."""
    board = _board(query)
    rows = ladder.ladder_page(board, query.offset, query.limit + 1)
    more = len(rows) > query.limit
    return {
        "items": rows[: query.limit],
        "next": _next(request, offset=query.offset + query.limit) if more else None,
    }


def _board(query: LadderQuery) -> ladder.Board:
    if query.by == "rating":
        return ladder.Board()
    if query.period in ("ever", "week"):
        period = ladder.EVER if query.period == "ever" else ladder.this_week()
    else:
        try:
            ladder.week_start(query.period)
        except ValueError:
            raise ApiError(
                422, "malformed", _("A period is “ever”, “week” or a week such as 2026-W07.")
            ) from None
        period = query.period
    game = query.game
    if query.variant and not game:
        # The variant alone will do while only one game has one of that name.
        game = next((game for game, name in ladder.variants() if name == query.variant), "")
    return ladder.Board("points", game, query.variant, period)


def _player(name: str) -> Player:
    player = players.find_player(name)
    if player is None:
        raise ApiError(404, "not_found", _("There is no player of that name."))
    return player


def _match(entry: history.Entry) -> dict[str, Any]:
    return {
        "id": entry.key.removeprefix(f"{entry.game}:"),
        "url": entry.url,
        "game": entry.game,
        "variant": entry.variant,
        "kind": entry.kind,
        "ranked": entry.counted_as == RANKED,
        "rated": entry.rated,
        "ended_at": entry.ended_at,
        "outcome": entry.outcome,
        "points": entry.points,
        "rating_change": entry.change,
        "left": entry.left,
        "partner_left": entry.partner_left,
        "seat": next(one.seat for one in entry.everyone if one.me),
        "players": [
            {
                "seat": one.seat,
                "side": one.side,
                "name": one.name,
                "bot": one.bot or None,
                "outcome": one.outcome,
            }
            for one in entry.everyone
        ],
    }


def _next(request: HttpRequest, **changed: int) -> str:
    """The address of this call with these parameters changed."""
    query = {**request.GET.dict(), **{name: str(value) for name, value in changed.items()}}
    return request.build_absolute_uri(f"{request.path}?{urlencode(query)}")
