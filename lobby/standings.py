"""Where people stand with quick pairing: what was asked for, and reads that change nothing."""

from __future__ import annotations

import time
from collections import Counter
from dataclasses import dataclass, replace

from django.db.models import Count, Q

from dominoes.rules.errors import RulesError
from dominoes.rules.options import Options
from dominoes.table.fragments_parts import system_name
from dominoes.table.refusals import from_rules
from lobby import rooms, words
from lobby.models import Asker, Queue, Ticket

GONE = 10.0
"""Seconds without a look after which a person has left the queue."""


@dataclass(frozen=True, slots=True)
class Wish:
    """What somebody asks for."""

    options: Options
    ranked: bool

    @property
    def may_pair(self) -> bool:
        """Whether two can ask for it as partners."""
        return self.options.sides == "partners"

    @property
    def setup(self) -> str:
        """Seats and sides as forms name them."""
        return f"{self.options.players}-{self.options.sides}"

    @property
    def system(self) -> str:
        return system_name(self.options.rules)

    @property
    def seats(self) -> str:
        return words.seats_and_sides(self.options)


@dataclass(frozen=True, slots=True)
class Standing:
    """Where a person stands with quick pairing.

    `state` is "out", "forming" (a pair's companion hasn't come yet), "waiting", "asked" (whether
    one is there, until `ends_at`) or "go" (to `table`).
    """

    state: str
    wish: Wish | None = None
    note: str = ""
    pair: bool = False
    code: str = ""
    companion: str = ""
    companion_here: bool = False
    since: float = 0.0
    others: int = 0
    ends_at: float = 0.0
    confirmed: bool = False
    there: int = 0
    of: int = 0
    table: str = ""


OUT = Standing("out")


def check_wish(*, rules: str, players: int | None, sides: str | None, ranked: bool) -> Wish:
    """What was asked for, completed and checked. Raises Refused ("rules")."""
    try:
        return Wish(Options.of(rules, players=players, sides=sides), ranked)
    except RulesError as error:
        raise from_rules(error, "rules") from None


def wish_of(queue: Queue) -> Wish:
    """What the people in a queue ask for."""
    options = Options.of(queue.rules, players=queue.players, sides=queue.sides)
    return Wish(options, queue.ranked)


def asker_of(player_id: int) -> Asker | None:
    """The person's place in a queue, or what became of it."""
    return (
        Asker.objects.select_related("ticket__queue", "ticket__proposal")
        .filter(player_id=player_id)
        .first()
    )


def standing(player_id: int) -> Standing:
    """Where the person stands."""
    asker = asker_of(player_id)
    return OUT if asker is None else standing_of(asker)


def standing_of(asker: Asker) -> Standing:
    """Where the person of that row stands."""
    ticket = asker.ticket
    if ticket is None:
        if asker.table:
            return Standing("go", table=asker.table)
        return Standing("out", note=asker.note)
    mate = ticket.askers.select_related("player").exclude(pk=asker.pk).first()
    here = mate is not None and mate.seen_at > time.time() - GONE
    common = Standing(
        "waiting" if here or not ticket.pair else "forming",
        wish=wish_of(ticket.queue),
        note=asker.note,
        pair=ticket.pair,
        code=ticket.code,
        companion=mate.player.name if mate else "",
        companion_here=here,
        since=ticket.queued_at,
    )
    if ticket.proposal is None:
        others = sum(
            there for pk, queue, there in _parties() if queue == ticket.queue_id and pk != ticket.pk
        )
        return replace(common, others=others)
    asked = Asker.objects.filter(ticket__proposal=ticket.proposal)
    answers = list(asked.values_list("confirmed", flat=True))
    return replace(
        common,
        state="asked",
        ends_at=ticket.proposal.ends_at,
        confirmed=asker.confirmed,
        there=sum(answers),
        of=len(answers),
    )


def _parties() -> list[tuple[int, int, int]]:
    """Ticket, queue and number of people of every party that waits; halves of pairs don't count."""
    fresh = Q(askers__seen_at__gt=time.time() - GONE)
    rows = (
        Ticket.objects.filter(proposal=None)
        .annotate(there=Count("askers", filter=fresh))
        .order_by("queued_at")
        .values_list("pk", "queue_id", "pair", "there")
    )
    return [(pk, queue, there) for pk, queue, pair, there in rows if there == (2 if pair else 1)]


def waiting_now() -> list[tuple[Wish, int]]:
    """For what how many people wait just now, the most wanted first."""
    found: Counter[int] = Counter()
    for _pk, queue, there in _parties():
        found[queue] += there
    queues = Queue.objects.in_bulk(found)
    return [(wish_of(queues[pk]), count) for pk, count in found.most_common()]


def forming(code: str) -> Ticket | None:
    """The pair with that code whose companion hasn't come yet."""
    clean = rooms.clean_code(code)
    ticket = Ticket.objects.select_related("queue").filter(code=clean, pair=True).first()
    if ticket is None or ticket.askers.count() != 1:
        return None
    return ticket


def pair_offer(code: str) -> tuple[Wish, str] | None:
    """What a pair's code invites to, and who invites; None when nobody waits behind it."""
    ticket = forming(code)
    asker = ticket.askers.select_related("player").first() if ticket else None
    if ticket is None or asker is None:
        return None
    return wish_of(ticket.queue), asker.player.name
