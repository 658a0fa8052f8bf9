"""People one has played with: whom to ask again, and whom one would rather not meet.

That somebody is avoided stays with whoever said so: the other is paired with others, an invitation
from them goes nowhere, as if it hadn't been seen, and where the one sits, the other hears that this
table isn't for them, and no more (`dominoes.table.company`).
"""

from __future__ import annotations

import time
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from django.db.models import Q, QuerySet
from django.utils.translation import gettext as _

from dominoes.table import store
from dominoes.table.models import MatchSeat
from dominoes.table.refusals import Refused
from lobby import rooms
from lobby.models import Asker, Block, Invite, Ticket
from ranking.models import Player

RECENT = 40
"""How many of one's latest matches are looked through for companions."""

SHOWN = 12

LASTS = 900.0
"""Seconds for which an invitation stands."""

MOST = 20
"""Invitations that one person may send in that time."""


@dataclass(frozen=True, slots=True)
class Companion:
    """Somebody one has played with."""

    player_id: int
    name: str


@dataclass(frozen=True, slots=True)
class Call:
    """An invitation as its receiver sees it."""

    pk: int
    sender: str
    kind: str
    code: str
    room: rooms.Room | None  # None for a pair


def recent(player: Player, most: int = SHOWN) -> list[Companion]:
    """The people of one's latest matches, latest first, without those one avoids."""
    matches = list(
        MatchSeat.objects.filter(player=player)
        .order_by("-match__started_at")
        .values_list("match_id", flat=True)[:RECENT]
    )
    avoided = set(avoided_by(player).values_list("other_id", flat=True))
    rows = (
        MatchSeat.objects.filter(match_id__in=matches, player__closed_at=None)
        .exclude(player=player)
        .exclude(player=None)
        .order_by("-match__started_at", "seat")
        .values_list("player_id", "player__name")
    )
    found: dict[int, Companion] = {}
    for player_id, name in rows:
        if player_id is not None and player_id not in avoided:
            found.setdefault(player_id, Companion(player_id, name))
    return list(found.values())[:most]


def avoided_by(player: Player) -> QuerySet[Block]:
    """The blocks of a person, latest first."""
    return Block.objects.filter(owner=player).select_related("other").order_by("-at")


def not_to_meet(player: Player | None) -> tuple[frozenset[int], frozenset[int]]:
    """The people whom this one would rather not meet, and those who would rather not meet it."""
    if player is None:
        return frozenset(), frozenset()
    blocks = Block.objects.filter(Q(owner=player) | Q(other=player))
    pairs = list(blocks.values_list("owner_id", "other_id"))
    return (
        frozenset(other for owner, other in pairs if owner == player.pk),
        frozenset(owner for owner, other in pairs if other == player.pk),
    )


def kept_apart(people: Sequence[int]) -> frozenset[frozenset[int]]:
    """Of these people, the pairs of whom one avoids the other."""
    if len(people) < 2:
        return frozenset()
    return frozenset(frozenset(pair) for pair in avoiding(people, people))


def avoiding(people: Collection[int], others: Collection[int]) -> set[tuple[int, int]]:
    """The pairs in which one of `people` avoids one of `others`."""
    blocks = Block.objects.filter(owner_id__in=people, other_id__in=others)
    return set(blocks.values_list("owner_id", "other_id"))


def avoid(player: Player, name: str) -> Companion:
    """Don't seat me with that person any more. Raises Refused for somebody one never met."""
    companion = _met(player, name)
    Block.objects.get_or_create(owner=player, other_id=companion.player_id)
    return companion


def forgive(player: Player, name: str) -> None:
    """Pair me with that person again."""
    for block in avoided_by(player):
        if block.other.name == name:
            block.delete()


def _met(player: Player, name: str) -> Companion:
    for companion in recent(player, most=RECENT * 3):
        if companion.name == name:
            return companion
    raise Refused("forbidden", _("You haven't played with anyone of that name lately."))


def call(player: Player, name: str, kind: str, code: str) -> Companion:
    """Ask a recent companion to come to a room, or into the pair behind a code.

    Raises Refused for strangers, for rooms that aren't one's own, and after too many.
    """
    companion = _met(player, name)
    if not _may_call(player, kind, code):
        raise Refused("not_now", _("Sit down at a table with a free seat first, then ask."))
    now = time.time()
    if Invite.objects.filter(sender=player, at__gt=now - LASTS).count() >= MOST:
        raise Refused("rate", _("That is enough for now. Give them some time to come."))
    Invite.objects.filter(at__lt=now - 86400).delete()
    Invite.objects.update_or_create(
        sender=player,
        receiver_id=companion.player_id,
        code=code,
        defaults={"kind": kind, "at": now, "declined": False},
    )
    return companion


def _may_call(player: Player, kind: str, code: str) -> bool:
    if kind == Invite.PAIR:
        mine = Asker.objects.filter(player=player, ticket__code=code, ticket__pair=True)
        return mine.exists()
    if kind != Invite.ROOM:
        return False
    try:
        room = rooms.find(code)
    except store.NoSuchTable:
        return False
    sits = room.code == code and room.sitter(player.pk) is not None
    return sits and room.status == rooms.OPEN and bool(room.free)


def asked_already(player: Player, code: str) -> set[int]:
    """Whom the player has asked to this room or pair already."""
    sent = Invite.objects.filter(sender=player, code=code, at__gt=time.time() - LASTS)
    return set(sent.values_list("receiver_id", flat=True))


def calls_for(player: Player) -> list[Call]:
    """The invitations that still lead somewhere, latest first."""
    now = time.time()
    invites = (
        Invite.objects.filter(
            receiver=player, declined=False, at__gt=now - LASTS, sender__closed_at=None
        )
        .exclude(sender__in=avoided_by(player).values("other"))
        .select_related("sender")
        .order_by("-at")[:5]
    )
    found = []
    for invite in invites:
        if invite.kind == Invite.PAIR:
            forming = Ticket.objects.filter(code=invite.code, pair=True).first()
            if forming is not None and forming.askers.count() == 1:
                found.append(Call(invite.pk, invite.sender.name, invite.kind, invite.code, None))
            continue
        try:
            room = rooms.find(invite.code)
        except LookupError:
            continue
        wanted = room.status == rooms.OPEN and room.free and room.sitter(player.pk) is None
        if wanted and player.pk not in room.removed:
            found.append(Call(invite.pk, invite.sender.name, invite.kind, invite.code, room))
    return _where_one_may_sit(player, found)


def _where_one_may_sit(player: Player, calls: list[Call]) -> list[Call]:
    """Without the rooms in which somebody sits from whom the player is kept apart."""
    inside = {call.pk: {s.player_id for s in call.room.people} for call in calls if call.room}
    people = {person for here in inside.values() for person in here if person is not None}
    apart = kept_apart([*people, player.pk])
    return [
        call
        for call in calls
        if not any(frozenset((player.pk, one)) in apart for one in inside.get(call.pk, ()))
    ]


def decline(player: Player, invite_id: int) -> None:
    """Not now: the invitation is shown no more."""
    Invite.objects.filter(pk=invite_id, receiver=player).update(declined=True)
