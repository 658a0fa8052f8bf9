"""Results of whole matches: the one way by which anything reaches a profile or the ladder.

The caller ends its match and records the result in one transaction. Points come with the
result, ratings follow from it, and taking one out again leaves no trace in any figure.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from django.db import IntegrityError, transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from ranking import locks, tally
from ranking import rated as ratings
from ranking.acts import log_act, not_own_cause
from ranking.outcomes import BOTS, CASUAL, DRAWN, LOST, RANKED, WON, Result, Side, Variant
from ranking.people import Player
from ranking.signals import result_voided

Outcome = Literal["won", "drawn", "lost"]


class VoidAlready(ValueError):
    """A result was to be voided once more: the first reason stands."""


@dataclass(frozen=True, slots=True)
class Participant:
    """One seat of a finished match: a person (`player_id`) or a bot (the word that names it).

    Neither stands for a guest whose row is gone. `left`: walked out, or lost on the clock.
    """

    player_id: int | None
    side: int
    outcome: Outcome
    seat: int
    bot: str | None = None
    left: bool = False


def record_result(
    *,
    game: str,
    variant: str,
    key: str,
    url: str,
    ranked: bool,
    rated: bool,
    kind: str,
    awards: Mapping[str, int],
    participants: Sequence[Participant],
    ended_at: datetime,
) -> Result:
    """Store the result of a whole match, once; a key seen before changes nothing.

    To be called inside the transaction that ends the match, raising RuntimeError outside of one.
    `awards` says what a win, a draw and a loss pay ({"won": 25, …}): to every person of a ranked
    match, the full award to each partner, and nothing in a casual one or where a bot sat.
    `rated` asks for the ratings to move, which they do only where exactly two people faced each
    other online in a ranked match, at most `RATED_A_DAY` times a day. Gives the stored result;
    raises ValueError when it contradicts itself.
    """
    _check(awards, participants)
    locks.share_ledger()
    people = [seat.player_id for seat in participants if seat.player_id is not None]
    closed = locks.lock_players(people)
    earlier = Result.objects.filter(key=key).first()
    if earlier is not None:
        return earlier
    bots = any(seat.bot for seat in participants)
    pays = ranked and not bots
    try:
        with transaction.atomic():
            result = Result.objects.create(
                game=game,
                variant=variant,
                seats=len(participants),
                key=key,
                url=url,
                kind=kind,
                ranked=pays,
                rated=rated and pays and kind == "online" and _is_duel(participants),
                awards=dict(awards),
                ended_at=ended_at,
            )
    except IntegrityError:
        # Another process ended the same match first, and has committed.
        return Result.objects.get(key=key)
    Variant.objects.get_or_create(game=game, variant=variant)
    leavers = Counter(seat.side for seat in participants if seat.left)
    sides = [
        Side(
            result=result,
            player_id=seat.player_id,
            bot=seat.bot or "",
            seat=seat.seat,
            side=seat.side,
            outcome=seat.outcome,
            left=seat.left,
            partner_left=seat.outcome == LOST and not seat.left and leavers[seat.side] > 0,
            points=awards[seat.outcome] if pays and seat.player_id is not None else 0,
            ended_at=ended_at,
            counted_as=BOTS if bots else RANKED if pays else CASUAL,
        )
        for seat in sorted(participants, key=lambda seat: seat.seat)
    ]
    Side.objects.bulk_create(sides)
    tally.add(
        [side for side in sides if side.player_id in closed and closed[side.player_id] is None],
        tally.boards_of(game, variant, ended_at),
    )
    _move_ratings(result)
    return result


def _move_ratings(result: Result) -> None:
    bout = ratings.bout_of(result)
    if bout is not None:
        ratings.apply(bout)


def _is_duel(participants: Sequence[Participant]) -> bool:
    """Exactly two people on two sides, with outcomes that fit each other."""
    if len(participants) != 2:
        return False
    one, other = participants
    return (
        one.player_id is not None
        and other.player_id is not None
        and one.side != other.side
        and {one.outcome, other.outcome} in ({WON, LOST}, {DRAWN})
    )


def _check(awards: Mapping[str, int], participants: Sequence[Participant]) -> None:
    people = [seat.player_id for seat in participants if seat.player_id is not None]
    outcomes = {(seat.side, seat.outcome) for seat in participants}
    if not participants:
        raise ValueError("a result without anyone")
    if len({seat.seat for seat in participants}) != len(participants):
        raise ValueError("two in one seat")
    if len(set(people)) != len(people):
        raise ValueError("one person in two seats")
    if any(seat.bot and seat.player_id is not None for seat in participants):
        raise ValueError("a seat is a person's or a bot's")
    if len(outcomes) != len({side for side, _outcome in outcomes}):
        raise ValueError("one side, one outcome")
    for seat in participants:
        if awards.get(seat.outcome, -1) < 0:
            raise ValueError(f"no award for {seat.outcome}")


def void_result(key: str, by: Player | None, reason: str) -> Result | None:
    """Take a result out of all figures: points, records and ratings as if it had never been.

    The rated results after it are replayed in order. The act is logged with who, when and why,
    and the players see both in their history. Gives the result, None when there is none with
    this key. Raises ValueError without a reason, VoidAlready a second time, OwnCause where `by`
    played in it.
    """
    if not reason.strip():
        raise ValueError("a result is voided for a reason")
    with transaction.atomic():
        locks.own_ledger()
        result = Result.objects.select_for_update().filter(key=key).first()
        if result is None:
            return None
        if result.voided_at is not None:
            raise VoidAlready(_("It is void already."))
        players = [
            pk
            for pk in Side.objects.filter(result=result).values_list("player_id", flat=True)
            if pk is not None
        ]
        not_own_cause(by, players)
        closed = locks.lock_players(players)
        result.voided_at = timezone.now()
        result.save(update_fields=["voided_at"])
        log_act(by=by, what="void", key=key, reason=reason)
        tally.recount([pk for pk, when in closed.items() if when is None])
        bout = ratings.bout_of(result)
        if bout is not None:
            ratings.replay(bout)
        result_voided.send(Result, key=key, by=by, reason=reason)
        return result
