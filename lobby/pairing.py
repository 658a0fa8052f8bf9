"""Quick pairing: people who ask for the same table are put together, once each.

All that changes anything is a command (`store.call`): one transaction, behind the lock of its
queue's row, so that any number of processes may pair at once. Time passes when somebody
looks: each look (a waiting page looks every two seconds) says that its person is still there, takes
those out who aren't, and pairs whoever fits.
"""

from __future__ import annotations

import random
import time

from django.db import connection
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext as _

from dominoes.table import beginning, choosing, keeping, seating, store
from dominoes.table.models import Table
from dominoes.table.refusals import Refused, not_now
from lobby import rooms
from lobby.companions import kept_apart
from lobby.grouping import LOOK_AT, Party, full_table, seated
from lobby.models import Asker, Proposal, Queue, Ticket
from lobby.standings import (
    GONE,
    OUT,
    Standing,
    Wish,
    asker_of,
    forming,
    standing_of,
    wish_of,
)
from ranking.models import Player

PATIENCE = 600.0
"""Seconds without a look after which one of a pair has left the queue (others: `standings.GONE`).

Who sends the invitation may have to leave the page. Such a pair isn't paired while one of them
doesn't look.
"""

CONFIRM = 15.0
"""Seconds that everyone has to say that they are there."""

BEAT = 4.0
"""How finely `seen_at` is kept: a look writes it at most this often, in seconds."""

ARRIVE = 60.0
"""Seconds for which a look tells the way to the table that was found."""

TURN_SECONDS = 60


# --- what people do --------------------------------------------------------------------------


def ask(player: Player, wish: Wish, *, pair: bool = False) -> None:
    """Join the queue for a table, alone or (`pair`) with a companion who is still to come.

    Whoever was in a queue leaves it. Raises Refused.
    """
    _may_ask(player, wish.ranked)
    if pair and not wish.may_pair:
        raise Refused("rules", _("Only at a table with partners can two of you play together."))
    store.call(_ask, player.pk, wish, pair)


def _ask(player_id: int, wish: Wish, pair: bool) -> None:
    now = time.time()
    queue = _queue(wish)
    _change_to(player_id, queue)
    _tidy(queue, now)
    ticket = Ticket.objects.create(queue=queue, pair=pair, queued_at=now)
    Asker.objects.create(player_id=player_id, ticket=ticket, seen_at=now)
    _pair_up(queue, now)


def join_pair(player: Player, code: str) -> None:
    """Come in as the companion of whoever gave the code. Raises Refused."""
    ticket = forming(code)
    if ticket is None:
        raise _no_pair()
    _may_ask(player, ticket.queue.ranked)
    if ticket.askers.filter(player=player).exists():
        raise not_now(_("This is your own invitation: send it to somebody else."))
    store.call(_join_pair, player.pk, ticket)


def _join_pair(player_id: int, ticket: Ticket) -> None:
    now = time.time()
    _change_to(player_id, ticket.queue)
    _tidy(ticket.queue, now)
    there = list(Asker.objects.filter(ticket_id=ticket.pk).values_list("player_id", flat=True))
    if len(there) != 1 or kept_apart([*there, player_id]):
        raise _no_pair()
    Asker.objects.create(player_id=player_id, ticket_id=ticket.pk, seen_at=now)
    Asker.objects.filter(ticket_id=ticket.pk).update(note="")
    _pair_up(ticket.queue, now)


def leave(player: Player) -> None:
    """Leave the queue; a companion stays in it, to wait for another."""
    store.call(_change_to, player.pk, None)


def confirm(player: Player) -> str | None:
    """Say that one is there; when everyone has, the match begins. Gives the table's code then.

    Raises Refused when nobody asks (any more).
    """
    said = store.call(_confirm, player.pk)
    if said is None:
        keeping.may_play(Player.objects.get(pk=player.pk))
        raise not_now(_("That was too late, or somebody else wasn't there. Have another try."))
    return said or None


def part(player: Player, other_id: int) -> None:
    """Leave the queue if one is in it as a pair with that person, whom one avoids by now."""
    mine = Ticket.objects.filter(pair=True, askers__player=player)
    if mine.filter(askers__player=other_id).exists():
        leave(player)


def _confirm(player_id: int) -> str | None:
    """None: nobody asks (what was out of date is put right); "": noted; else the table's code."""
    now = time.time()
    asker = asker_of(player_id)
    if asker is None or asker.ticket is None:
        return asker.table or None if asker else None
    queue = asker.ticket.queue
    _lock(queue)
    _tidy(queue, now)
    asker = asker_of(player_id)
    if asker is None or asker.ticket is None or asker.ticket.proposal is None:
        return asker.table or None if asker else None
    Asker.objects.filter(pk=asker.pk).update(confirmed=True, seen_at=now)
    proposal = asker.ticket.proposal
    if Asker.objects.filter(ticket__proposal=proposal, confirmed=False).exists():
        return ""
    people = Asker.objects.filter(ticket__proposal=proposal).values_list("player_id", flat=True)
    if kept_apart(list(people)):  # one of them has said so meanwhile
        _dissolve(proposal, now)
        _pair_up(queue, now)
        return None
    return _make_table(proposal, now)


def look(player: Player) -> Standing:
    """Say that one still waits, let time pass for the queue, and learn where one stands.

    Most looks of a crowd that waits only read; every few seconds one of them writes.
    """
    asker = asker_of(player.pk)
    if asker is None:
        return OUT
    now, ticket = time.time(), asker.ticket
    overdue = ticket is not None and ticket.proposal is not None and ticket.proposal.ends_at <= now
    if ticket is not None and now - asker.seen_at <= BEAT and not overdue:
        return standing_of(asker)
    return store.call(_look, player.pk)


def _look(player_id: int) -> Standing:
    now = time.time()
    asker = asker_of(player_id)
    if asker is None:
        return OUT
    if asker.ticket is None:
        return _afterwards(asker, now)
    queue = asker.ticket.queue
    Asker.objects.filter(pk=asker.pk).update(seen_at=now)
    if _lock(queue, wait=False):
        _tidy(queue, now)
        _pair_up(queue, now)
    asker.refresh_from_db()
    return _afterwards(asker, now) if asker.ticket is None else standing_of(asker)


# --- inside ---------------------------------------------------------------------------------


def _may_ask(player: Player, ranked: bool) -> None:
    keeping.may_play(player)
    if ranked and player.is_guest:
        raise Refused(
            "forbidden", _("Ranked tables are for signed-in people. Sign up, it is free.")
        )
    busy = rooms.busy_at(player)
    if busy is not None:
        raise not_now(_("You are in a match at table %(code)s. Finish it first.") % {"code": busy})


def _no_pair() -> Refused:
    return not_now(_("This invitation has been taken up, or it is over."))


def _queue(wish: Wish) -> Queue:
    options = wish.options
    queue, _made = Queue.objects.get_or_create(
        rules=options.rules, players=options.players, sides=options.sides, ranked=wish.ranked
    )
    return queue


def _lock(*queues: Queue, wait: bool = True) -> bool:
    """Hold the queues until the transaction ends; says whether they are held.

    Several always in one order, so that nobody waits in a circle. SQLite's transactions are one at
    a time as it is.
    """
    rows = Queue.objects.filter(pk__in=[queue.pk for queue in queues]).order_by("pk")
    if connection.features.has_select_for_update:
        rows = rows.select_for_update(skip_locked=not wait)
    return len(list(rows)) == len(queues)


def _hold(player_id: int) -> None:
    """One change of a person's place in the queues at a time, however often a button is pressed."""
    if connection.features.has_select_for_update:
        # Not the key: others may point at the person meanwhile.
        list(Player.objects.select_for_update(no_key=True).filter(pk=player_id).values_list("pk"))


def _change_to(player_id: int, queue: Queue | None) -> None:
    """Take a person out of whatever queue they are in, and hold the one that they come to."""
    _hold(player_id)
    asker = asker_of(player_id)
    old = asker.ticket.queue if asker and asker.ticket else None
    queues = {q.pk: q for q in (old, queue) if q is not None}
    if queues:
        _lock(*queues.values())
    asker = asker_of(player_id)
    if asker is None:
        return
    ticket = asker.ticket
    asker.delete()
    if ticket is None:
        return
    if ticket.proposal is not None:
        _dissolve(ticket.proposal, time.time())
    Asker.objects.filter(ticket=ticket).update(note=Asker.ALONE)
    _drop_empty(ticket.queue)


def _afterwards(asker: Asker, now: float) -> Standing:
    """What became of somebody who is in no queue any more; told, and then forgotten."""
    begun = Table.objects.filter(code=asker.table, status__in=(Table.PLAYING, Table.BETWEEN))
    if asker.table and now - asker.seen_at < ARRIVE and begun.exists():
        return Standing("go", table=asker.table)
    note = asker.note
    asker.delete()
    return Standing("out", note=note)


def _dissolve(proposal: Proposal, now: float) -> None:
    """The table won't be made: its tickets are back in the queue, each in its old place.

    Nobody's silence while they were asked counts as absence.
    """
    Asker.objects.filter(ticket__proposal=proposal).update(confirmed=False, seen_at=now)
    Ticket.objects.filter(proposal=proposal).update(proposal=None)
    Proposal.objects.filter(pk=proposal.pk).delete()


def _drop_empty(queue: Queue) -> None:
    Ticket.objects.filter(queue=queue, askers=None).delete()


def _tidy(queue: Queue, now: float) -> None:
    """Take out who may not play, who didn't confirm in time, and who hasn't looked for a while."""
    _take_out_suspended(queue, now)
    for proposal in Proposal.objects.filter(queue=queue, ends_at__lte=now):
        late = Asker.objects.filter(ticket__proposal=proposal, confirmed=False)
        tickets = list(late.values_list("ticket_id", flat=True))
        late.update(ticket=None, note=Asker.LATE)
        Asker.objects.filter(ticket_id__in=tickets).update(note=Asker.ALONE)
        _dissolve(proposal, now)
    alone = Q(ticket__pair=False, seen_at__lte=now - GONE)
    paired = Q(ticket__pair=True, seen_at__lte=now - PATIENCE)
    gone = Asker.objects.filter(alone | paired, ticket__queue=queue, ticket__proposal=None)
    tickets = list(gone.values_list("ticket_id", flat=True))
    if tickets:
        gone.update(ticket=None, note=Asker.GONE)
        Asker.objects.filter(ticket_id__in=tickets).update(note=Asker.ALONE)
    _drop_empty(queue)


def _take_out_suspended(queue: Queue, now: float) -> None:
    """Somebody was suspended while they waited: the table with them could never begin."""
    barred = Asker.objects.filter(ticket__queue=queue, player__suspended_until__gt=timezone.now())
    rows = list(barred.select_related("ticket__proposal"))
    for proposal in {row.ticket.proposal for row in rows if row.ticket and row.ticket.proposal}:
        _dissolve(proposal, now)
    if rows:
        Asker.objects.filter(pk__in=[row.pk for row in rows]).update(ticket=None, note=Asker.BARRED)
        companions = Asker.objects.filter(ticket_id__in=[row.ticket_id for row in rows])
        companions.update(note=Asker.ALONE)


def _pair_up(queue: Queue, now: float) -> None:
    """Propose as many tables as the queue fills."""
    tickets = list(
        Ticket.objects.filter(queue=queue, proposal=None)
        .order_by("queued_at", "pk")
        .prefetch_related("askers")[:LOOK_AT]
    )
    parties = []
    for ticket in tickets:
        people = tuple(a.player_id for a in ticket.askers.all() if now - a.seen_at < GONE)
        if len(people) == (2 if ticket.pair else 1):
            parties.append(Party(ticket.pk, people))
    apart = kept_apart([person for party in parties for person in party.people])
    while group := full_table(parties, queue.players, apart):
        proposal = Proposal.objects.create(queue=queue, ends_at=now + CONFIRM)
        keys = [party.key for party in group]
        Ticket.objects.filter(pk__in=keys).update(proposal=proposal)
        Asker.objects.filter(ticket_id__in=keys).update(confirmed=False, note="")
        parties = [party for party in parties if party.key not in keys]


def _make_table(proposal: Proposal, now: float) -> str:
    """Everyone is there: make the table, seat them, begin, and leave word where it is."""
    tickets = list(proposal.tickets.prefetch_related("askers"))
    group = [Party(t.pk, tuple(a.player_id for a in t.askers.all())) for t in tickets]
    people = seated(group, random.SystemRandom())
    wish = wish_of(proposal.queue)
    choices = choosing.check_choices(
        rules=wish.options.rules,
        players=wish.options.players,
        sides=wish.options.sides,
        ranked=wish.ranked,
        turn_seconds=TURN_SECONDS,
    )
    code = store.call(seating.create_table, people[0], choices)
    for seat, player_id in enumerate(people[1:], start=1):
        store.call(seating.sit, code, player_id, seat)
    store.call(beginning.start, code, people[0])
    Asker.objects.filter(ticket__in=tickets).update(ticket=None, table=code, seen_at=now)
    Ticket.objects.filter(pk__in=[t.pk for t in tickets]).delete()
    proposal.delete()
    return code
