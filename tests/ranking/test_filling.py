"""A ladder that was filled in bulk is the one that would have grown by itself."""

import pytest
from django.db import transaction

from ranking.filling import AWARDS, Sort, fill, make_people
from ranking.models import Career, RatingChange, Result, Standing, Variant
from ranking.results import Participant, record_result
from tests.ranking.conftest import MONDAY
from tests.ranking.test_void import everything

pytestmark = pytest.mark.django_db

SORTS = [Sort("quoits", "plain", 2, 2), Sort("quoits", "pairs", 4, 2), Sort("hoops", "three", 3, 3)]


def test_filled_equals_played() -> None:
    people = make_people(6)
    fill(people, 60, sorts=SORTS, until=MONDAY)
    filled, variants = everything(), sorted(map(str, Variant.objects.all()))
    assert {row[0] for row in filled["careers"]} == {one.name for one in people}
    assert len(filled["changes"]) > 10
    played = [
        (result, list(result.sides.order_by("seat"))) for result in Result.objects.order_by("id")
    ]
    for model in (RatingChange, Result, Career, Standing, Variant):
        model.objects.all().delete()
    for result, sides in played:
        with transaction.atomic():
            record_result(
                game=result.game,
                variant=result.variant,
                key=result.key,
                url=result.url,
                ranked=result.ranked,
                rated=True,
                kind=result.kind,
                awards=AWARDS,
                participants=[
                    Participant(one.player_id, one.side, one.outcome, one.seat, one.bot or None)  # type: ignore[arg-type]
                    for one in sides
                ],
                ended_at=result.ended_at,
            )
    assert everything() == filled
    assert sorted(map(str, Variant.objects.all())) == variants
