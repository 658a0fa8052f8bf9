"""Whether a match's log, its snapshot, its result and the ladder's entry tell the same story."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from dominoes.rules import deal as fair
from dominoes.rules.errors import RulesError
from dominoes.rules.match import Match as Game
from dominoes.rules.record import load
from dominoes.table import results
from dominoes.table.live import dealt_tiles, options_from
from dominoes.table.models import Event, Match, MatchSeat
from dominoes.table.records import record_of
from ranking.models import Result


def check(match: Match) -> list[str]:
    """What is wrong with a match, a sentence each; an empty list where all agrees."""
    return list(_faults(match))


def deal_faults(match: Match) -> list[str]:
    """What is wrong with a match's deals alone, a sentence each."""
    return list(_deals(match))


def _faults(match: Match) -> Iterator[str]:
    numbers = list(
        Event.objects.filter(match=match).order_by("number").values_list("number", flat=True)
    )
    if numbers != list(range(1, len(numbers) + 1)):
        yield "its log has a gap"
    try:
        game = load(record_of(match.pk))
    except RulesError as error:
        yield f"its record is not legal: {error}"
        return
    yield from _deals(match)
    yield from _snapshot(match, game)
    yield from _result(match, game)


def _deals(match: Match) -> Iterator[str]:
    """Every deal is the one that the chain and the seeds give."""
    chain = fair.Chain(bytes(match.secret))
    seeds = json.loads(match.seeds)
    if chain.commit != match.commit:
        yield "its chain doesn't lead to its commitment"
    hands = Event.objects.filter(match=match, kind="deal").order_by("number")
    for dealt in map(json.loads, hands.values_list("data", flat=True)):
        racks, boneyard, lot = dealt_tiles(dealt)
        value = chain.value(dealt["hand"])
        sizes = [len(rack or ()) for rack in racks]
        expected = fair.deal_hand(match.commit, seeds, dealt["hand"], value, sizes, len(boneyard))
        if expected != (racks, boneyard):
            yield f"hand {dealt['hand']} is not the deal that its seeds give"
        if lot is not None and lot != fair.draw_lot(match.commit, seeds, value):
            yield "the lot is not the one that its seeds give"


def _snapshot(match: Match, game: Game) -> Iterator[str]:
    """What is stored beside the log is what the log comes to."""
    if match.hand != game.hand_number:
        yield f"it says hand {match.hand}, its log hand {game.hand_number}"
    if game.hand_number:
        first = Event.objects.get(match=match, number=match.hand_from)
        if first.kind != "deal" or json.loads(first.data)["hand"] != match.hand:
            yield "its present hand doesn't begin where it says"
        if json.loads(match.base) != json.loads(json.dumps(game.base())):
            yield "its snapshot is not what the log comes to"
        resumed = Game.resume(options_from(match.rules, match.options), json.loads(match.base))
        resumed.deal(*dealt_tiles(json.loads(first.data)))
    if match.status != Match.PLAYING and json.loads(match.scores) != list(game.scores):
        yield f"its scores are {match.scores}, its log's {list(game.scores)}"


def _result(match: Match, game: Game) -> Iterator[str]:
    """A match with a result is in the ladder's books once, one without is not."""
    stored: dict[str, Any] | None = json.loads(match.result)
    entry = Result.objects.filter(key=results.key_of(match.pk)).first()
    if match.status == Match.OVER:
        if game.result is None or stored is None:
            yield "it is over, but its log has no end"
            return
        if (stored["how"], stored["winner"]) != (game.result.how, game.result.winner):
            yield f"its result is {stored}, its log's {game.result}"
        if entry is None:
            yield "the ladder doesn't know it"
            return
        sides = {side.seat: side for side in entry.sides.all()}
        for seat in MatchSeat.objects.filter(match=match):
            side = sides.get(seat.seat)
            expected = results.outcome_of(game, game.options, seat.seat, stored["winner"])
            if side is None or side.outcome != expected:
                yield f"the ladder has another outcome for seat {seat.seat}"
    else:
        if entry is not None:
            yield "the ladder knows it, though it has no result"
        if match.status == Match.PLAYING and game.phase == "over":
            yield "its log has ended, but it is still being played"
