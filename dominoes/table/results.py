"""What a finished match tells the ladder: the only words that `ranking` hears of a game."""

from __future__ import annotations

from datetime import UTC, datetime

from django.urls import reverse

from dominoes.rules.match import Match as Game
from dominoes.rules.options import Options
from dominoes.table.live import Live
from ranking.results import Outcome, Participant, record_result

GAME = "dominoes"
AWARDS = {"won": 25, "drawn": 8, "lost": 3}


def variant(options: Options) -> str:
    """The system and the table's size, as the ladder keeps them apart: `fives-4-partners`."""
    return f"{options.rules}-{options.players}-{options.sides}"


def is_rated(live: Live) -> bool:
    """Whether the rating moves: a ranked online match between exactly two people."""
    match = live.match
    return bool(
        match
        and match.ranked
        and match.kind == "online"
        and match.options.players == 2
        and all(person is not None for person in match.people)
    )


def key_of(match_id: str) -> str:
    """The key under which the ladder keeps a match's result."""
    return f"{GAME}:{match_id}"


def outcome_of(game: Game, options: Options, seat: int, winner: int | None) -> Outcome:
    """How the match ended for a seat: whoever left a match of more sides has lost it."""
    if seat in game.left and not options.two_sided:
        return "lost"
    if winner is None:
        return "drawn"
    return "won" if options.side_of(seat) == winner else "lost"


def record(live: Live, now: float) -> None:
    """Hand a finished match to the ladder, in the transaction that ends it."""
    match, game = live.match, live.game
    assert match is not None and game is not None and match.result is not None
    options, winner = match.options, match.result["winner"]
    participants = []
    for seat in range(options.players):
        holder = live.seats[seat]
        participants.append(
            Participant(
                player_id=match.people[seat],
                side=options.side_of(seat),
                outcome=outcome_of(game, options, seat, winner),
                seat=seat,
                bot=(holder.bot if holder else "") or None,
                left=seat in game.left,
            )
        )
    record_result(
        game=GAME,
        variant=variant(options),
        key=key_of(match.id),
        url=reverse("match", args=[match.id]),
        ranked=match.ranked,
        rated=is_rated(live),
        kind=match.kind,
        awards=AWARDS,
        participants=participants,
        ended_at=datetime.fromtimestamp(now, UTC),
    )
