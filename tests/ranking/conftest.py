"""A small world for the ladder: people, and results of games that don't exist."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from itertools import count

import pytest
from django.db import transaction

from ranking.models import Player, Result
from ranking.players import create_account
from ranking.results import Outcome, Participant, record_result
from tests.ranking.people import PASSWORD

AWARDS = {"won": 25, "drawn": 8, "lost": 3}
MONDAY = datetime(2026, 3, 2, 12, 0, tzinfo=UTC)

_keys = count(1)


def account(name: str) -> Player:
    """An account that nobody signs in to."""
    return Player.objects.create_user(name)


def duel(
    one: Player,
    other: Player,
    outcome: Outcome = "won",
    *,
    key: str | None = None,
    ended_at: datetime = MONDAY,
    ranked: bool = True,
    rated: bool = True,
    kind: str = "online",
    game: str = "quoits",
    variant: str = "plain",
) -> Result:
    """A match of two people, as it went for the first of them."""
    reverse: dict[str, Outcome] = {"won": "lost", "drawn": "drawn", "lost": "won"}
    with transaction.atomic():
        return record_result(
            game=game,
            variant=variant,
            key=key or f"duel-{next(_keys)}",
            url="/matches/x/",
            ranked=ranked,
            rated=rated,
            kind=kind,
            awards=AWARDS,
            participants=[
                Participant(one.pk, 0, outcome, 0),
                Participant(other.pk, 1, reverse[outcome], 1),
            ],
            ended_at=ended_at,
        )


def pairs(
    *seats: Player | str | None,
    winner: int | None = 0,
    leaver: int | None = None,
    key: str | None = None,
    ended_at: datetime = MONDAY,
    ranked: bool = True,
    game: str = "quoits",
    variant: str = "pairs",
) -> Result:
    """A match of two against two (seats 0 and 2, 1 and 3); a text is a bot."""
    with transaction.atomic():
        return record_result(
            game=game,
            variant=variant,
            key=key or f"pairs-{next(_keys)}",
            url="/matches/y/",
            ranked=ranked,
            rated=True,
            kind="online",
            awards=AWARDS,
            participants=[
                Participant(
                    player_id=who.pk if isinstance(who, Player) else None,
                    side=seat % 2,
                    outcome="drawn" if winner is None else "won" if seat % 2 == winner else "lost",
                    seat=seat,
                    bot=who if isinstance(who, str) else None,
                    left=seat == leaver,
                )
                for seat, who in enumerate(seats)
            ],
            ended_at=ended_at,
        )


@pytest.fixture
def ana(db: None) -> Player:
    return account("Ana")


@pytest.fixture
def ben(db: None) -> Player:
    return account("Ben")


@pytest.fixture
def cleo(db: None) -> Player:
    return account("Cleo")


@pytest.fixture
def dan(db: None) -> Player:
    return account("Dan")


@pytest.fixture
def days() -> Callable[[int], datetime]:
    """Noon of the so-manieth day from a Monday on."""
    return lambda n: MONDAY + timedelta(days=n)


@pytest.fixture
def eva(db: None) -> Player:
    """Someone with a password and an address."""
    return create_account("Eva", PASSWORD, "eva@example.org")
