"""`check_matches` is content with what was played, and names whatever was changed by hand."""

import json
import random
from collections.abc import Callable

import pytest
from django.core.management import call_command

from dominoes.table import play
from dominoes.table.checking import check
from dominoes.table.models import Event, Match
from ranking.models import Result
from tests.table.tables import Room

pytestmark = pytest.mark.django_db


@pytest.fixture
def match() -> Match:
    random.seed(1)
    room = Room("fives", players=2, target=30).start()
    while room.live.in_match:
        room.play_hand()
        room.wait(11)
    assert room.live.match is not None
    return Match.objects.get(pk=room.live.match.id)


def test_a_played_match_agrees(match: Match, capsys: pytest.CaptureFixture[str]) -> None:
    assert check(match) == []
    call_command("check_matches")
    assert "1 matches checked, 0 faults" in capsys.readouterr().out


def test_so_do_matches_under_way_and_abandoned() -> None:
    for how in ("under way", "abandoned", "left", "between"):
        room = Room("draw", players=3, kind="nearby" if how == "abandoned" else "online").start()
        room.move()
        if how in ("abandoned", "left"):
            room.do(play.leave, 1)
        if how == "between":
            room.play_hand()
        assert room.live.match is not None
        assert check(Match.objects.get(pk=room.live.match.id)) == [], how


def _swap_tiles(match: Match) -> None:
    event = Event.objects.get(match=match, number=1)
    data = json.loads(event.data)
    data["boneyard"][:2] = reversed(data["boneyard"][:2])
    event.data = json.dumps(data)
    event.save()


def _drop_event(match: Match) -> None:
    Event.objects.filter(match=match, number=3).delete()


def _other_scores(match: Match) -> None:
    match.scores = "[1, 2]"
    match.save()


def _other_winner(match: Match) -> None:
    result = json.loads(match.result)
    result["winner"] = 1 - result["winner"]
    match.result = json.dumps(result)
    match.save()


def _no_result(match: Match) -> None:
    Result.objects.all().delete()


def _other_base(match: Match) -> None:
    base = json.loads(match.base)
    base["scores"] = [7, 7]  # no score of All Fives
    match.base = json.dumps(base)
    match.save()


@pytest.mark.parametrize(
    "fault", [_swap_tiles, _drop_event, _other_scores, _other_winner, _no_result, _other_base]
)
def test_what_was_changed_is_found(match: Match, fault: Callable[[Match], None]) -> None:
    fault(match)
    match.refresh_from_db()
    assert check(match)
    with pytest.raises(SystemExit):
        call_command("check_matches", match.pk)
