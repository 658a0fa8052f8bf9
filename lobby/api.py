"""Rooms over HTTP: open one, find one, sit, begin. What pages do by forms, programs do by these."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal, ParamSpec, TypeVar

from django.http import HttpRequest
from django.utils.translation import gettext as _
from ninja import Router, Schema, Status
from pydantic import ConfigDict

from dominoes.table import beginning, choosing, company, guessing, keeping, seating, store
from dominoes.table.refusals import Refused
from lobby import companions, limits, rooms
from ranking.http import ApiError, Error, asking, signed_in
from ranking.models import Player

P = ParamSpec("P")
R = TypeVar("R")

router = Router(tags=["rooms"])

_ERRORS: dict[int, Any] = dict.fromkeys((401, 403, 404, 409, 422, 429), Error)


class _Strict(Schema):
    """Types are taken as sent: a true is no 1, a "4" no 4. Unknown keys are ignored."""

    model_config = ConfigDict(strict=True)


class RoomIn(_Strict):
    """What the host chooses; whatever the rules force, or a default says, may be left out."""

    rules: str
    players: int | None = None
    sides: str | None = None
    target: int | None = None
    kind: str
    ranked: bool = False
    private: bool = False
    turn_seconds: int | None = None
    double_six_opens: bool = False
    aid: bool | None = None
    replay: str = "all"


class SitIn(_Strict):
    """A seat, and a seed for the next match's deals: up to 64 hex digits."""

    seat: int
    seed: str | None = None


class BotIn(_Strict):
    """A seat and the level of its bot; null takes the bot away."""

    seat: int
    level: str | None


class RoomSeatOut(Schema):
    """Who holds a seat; `bot` is its level, null for a person."""

    seat: int
    name: str
    bot: str | None


class RoomOut(Schema):
    """A room. `commit` is the commitment of the match in play, or of the next one."""

    code: str
    rules: str
    options: dict[str, Any]
    kind: Literal["online", "nearby"]
    ranked: bool
    status: Literal["open", "playing", "closed"]
    host: str | None
    seats: list[RoomSeatOut | None]
    match: str | None
    commit: str


class RoomsOut(Schema):
    """Open public rooms with somebody there, newest first."""

    items: list[RoomOut]


class Begun(Schema):
    """The match that has begun."""

    match: str


class Agreed(Schema):
    """The match that has begun, null while others haven't agreed yet."""

    match: str | None


def _player(request: HttpRequest) -> Player:
    player: Player = request.auth  # type: ignore[attr-defined]
    return player


def _refusing(fn: Callable[P, R], /, *args: P.args, **kwargs: P.kwargs) -> R:
    """Call `fn`; what it refuses becomes the API's answer."""
    try:
        return fn(*args, **kwargs)
    except Refused as refused:
        raise ApiError(refused.status, refused.code, refused.detail) from None
    except store.NoSuchTable:
        raise ApiError(404, "no_such_room", _("There is no room with that code.")) from None


def _room(request: HttpRequest, code: str, player: Player | None) -> rooms.Room:
    """The room with that code, unless the person may not be there."""
    limits.may_try_codes(request)
    try:
        room = _refusing(rooms.find, code)
    except ApiError:
        guessing.missed(request)
        raise
    if player is not None and player.pk in room.removed:
        raise ApiError(403, "forbidden", _("The host has asked you to leave this room."))
    if room.shuts_out(player):
        raise ApiError(403, "forbidden", company.not_for_you().detail)
    return room


@router.get("/rooms", response={200: RoomsOut, 401: Error}, auth=None, summary="Open rooms")
def list_rooms(request: HttpRequest) -> dict[str, Any]:
    """The open public rooms where somebody is there or has just come."""
    player = asking(request)  # a bad token is told even where none is needed
    _avoided, avoiding = companions.not_to_meet(player)
    return {"items": [room.to_json() for room in rooms.listed(hosts=avoiding)]}


@router.post("/rooms", response={201: RoomOut, **_ERRORS}, auth=signed_in, summary="Open a room")
def create_room(request: HttpRequest, body: RoomIn) -> Status[dict[str, Any]]:
    """A new room with you as its host in seat 0. Limited by address."""
    player = _player(request)
    limits.count("rooms", request, limits.ROOMS)

    def create() -> str:
        keeping.may_play(player)
        choices = choosing.check_choices(**body.model_dump())
        return store.call(seating.create_table, player.pk, choices)

    return Status(201, rooms.find(_refusing(create)).to_json())


@router.get("/rooms/{code}", response={200: RoomOut, **_ERRORS}, auth=None, summary="A room")
def get_room(request: HttpRequest, code: str) -> dict[str, Any]:
    """One room by its code, in either case. Whoever has the code may ask."""
    return _room(request, code, asking(request)).to_json()


@router.post(
    "/rooms/{code}/sit", response={200: RoomOut, **_ERRORS}, auth=signed_in, summary="Take a seat"
)
def sit(request: HttpRequest, code: str, body: SitIn) -> dict[str, Any]:
    """Take a free seat, or change to it; answers the room."""
    player = _player(request)
    room = _room(request, code, player)
    _refusing(keeping.may_play, player)
    _refusing(store.call, seating.sit, room.code, player.pk, body.seat, body.seed)
    return rooms.find(room.code).to_json()


@router.post(
    "/rooms/{code}/stand",
    response={200: RoomOut, **_ERRORS},
    auth=signed_in,
    summary="Leave your seat",
)
def stand(request: HttpRequest, code: str) -> dict[str, Any]:
    """Give up your seat; answers the room."""
    player = _player(request)
    room = _room(request, code, player)
    _refusing(store.call, seating.stand, room.code, player.pk)
    return rooms.find(room.code).to_json()


@router.post(
    "/rooms/{code}/bot", response={200: RoomOut, **_ERRORS}, auth=signed_in, summary="Seat a bot"
)
def bot(request: HttpRequest, code: str, body: BotIn) -> dict[str, Any]:
    """Put a bot into a free seat, change its level, or take it away. For the host."""
    player = _player(request)
    room = _room(request, code, player)
    _refusing(store.call, seating.set_bot, room.code, player.pk, body.seat, body.level)
    return rooms.find(room.code).to_json()


@router.post(
    "/rooms/{code}/start", response={200: Begun, **_ERRORS}, auth=signed_in, summary="Begin"
)
def start(request: HttpRequest, code: str) -> dict[str, Any]:
    """Begin a match. For the host; for anyone seated once all seats were taken for a minute.

    A ranked match only while everybody has a socket at the table, or sat down (again, in the same
    seat, will do) or agreed to play within the last minute.
    """
    player = _player(request)
    room = _room(request, code, player)
    _refusing(keeping.may_play, player)
    return {"match": _refusing(store.call, beginning.start, room.code, player.pk)}


@router.post(
    "/rooms/{code}/rematch",
    response={200: Agreed, **_ERRORS},
    auth=signed_in,
    summary="Play again",
)
def rematch(request: HttpRequest, code: str) -> dict[str, Any]:
    """Agree to play again in the same seats; it begins when everyone there has agreed."""
    player = _player(request)
    room = _room(request, code, player)
    _refusing(keeping.may_play, player)
    return {"match": _refusing(store.call, beginning.rematch, room.code, player.pk)}
