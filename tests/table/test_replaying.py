"""The replay shows the match as it was at every ply, to those who may see it."""

import random

import pytest
from django.test import Client

from dominoes.table import play, replaying
from dominoes.table.models import Match
from dominoes.table.records import record_of
from ranking.models import Player
from tests.table.tables import SETUPS, Room

pytestmark = pytest.mark.django_db


def finished(rules: str = "fives", **choices: object) -> tuple[Room, Match]:
    random.seed(8)
    room = Room(rules, target=40, **choices).start()  # type: ignore[arg-type]
    while room.live.in_match:
        room.play_hand()
        room.wait(11)
    assert room.live.match is not None
    return room, Match.objects.get(pk=room.live.match.id)


@pytest.mark.parametrize(("rules", "players", "sides"), SETUPS)
def test_a_step_on_and_back_through_every_ply(rules: str, players: int, sides: str) -> None:
    _room, match = finished(rules, players=players, sides=sides)
    record = record_of(match.pk)
    at = replaying.moment(record, 1, 0)
    assert at is not None
    assert at.first
    steps = 1
    while not at.last:
        following = replaying.moment(record, *at.after())
        assert following is not None
        assert following.before() == (at.hand, at.ply)
        assert len(following.sheet) == following.hand - 1
        at = following
        steps += 1
    assert steps == sum(len(hand["moves"]) + 1 for hand in record["hands"])
    assert at.game.result is not None


def test_the_nearest_moment_there_is() -> None:
    _room, match = finished()
    record = record_of(match.pk)
    at = replaying.moment(record, 999, 999)
    assert at is not None
    assert at.last
    at = replaying.moment(record, 0, -3)
    assert at is not None
    assert at.first
    assert replaying.moment({**record, "hands": []}, 1, 1) is None


def test_the_page_by_seat_with_all_racks_and_as_a_spectator(client: Client) -> None:
    _room, match = finished()
    for eyes in ("all", "0", "1", "none", "7", "x"):
        answer = client.get(f"/matches/{match.pk}/", {"hand": "1", "ply": "3", "eyes": eyes})
        assert answer.status_code == 200
        assert "Move by move" in answer.content.decode()


def test_whoever_may_not_see_it_sees_no_tile(client: Client) -> None:
    room, match = finished("draw", replay="players")
    stranger = client.get(f"/matches/{match.pk}/")
    assert b"Move by move" not in stranger.content
    assert client.get(f"/matches/{match.pk}/record/").status_code == 404
    assert client.get(f"/api/v1/matches/{match.pk}/record").status_code == 404
    holder = room.live.seats[0]
    assert holder is not None
    client.force_login(
        Player.objects.get(pk=holder.player_id), "django.contrib.auth.backends.ModelBackend"
    )
    assert b"Move by move" in client.get(f"/matches/{match.pk}/").content
    assert client.get(f"/matches/{match.pk}/record/").json()["fair"]["match"] == match.pk
    assert client.get(f"/api/v1/matches/{match.pk}/record").json()["format"] == "dominoes-match/1"


def test_nobody_sees_a_match_that_is_played(client: Client) -> None:
    room = Room().start()
    holder = room.live.seats[0]
    assert holder is not None and room.live.match is not None
    client.force_login(
        Player.objects.get(pk=holder.player_id), "django.contrib.auth.backends.ModelBackend"
    )
    page = client.get(f"/matches/{room.live.match.id}/")
    assert page.status_code == 200
    assert b"data-tile" not in page.content
    assert client.get(f"/matches/{room.live.match.id}/record/").status_code == 404
    assert client.get(f"/api/v1/matches/{room.live.match.id}/record").status_code == 409


def test_without_result_it_is_for_its_players(client: Client) -> None:
    room = Room(kind="nearby").start()
    room.move()
    room.do(play.leave, 0)
    assert room.live.match is not None
    match_id = room.live.match.id
    assert client.get(f"/api/v1/matches/{match_id}/record").status_code == 404
    assert b"Move by move" not in client.get(f"/matches/{match_id}/").content
    holder = room.live.seats[1]
    assert holder is not None
    client.force_login(
        Player.objects.get(pk=holder.player_id), "django.contrib.auth.backends.ModelBackend"
    )
    assert client.get(f"/api/v1/matches/{match_id}/record").status_code == 200
    assert b"Move by move" in client.get(f"/matches/{match_id}/").content
