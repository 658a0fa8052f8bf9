"""What the lobby does when an account goes, or when its owner wants to see what is stored."""

from __future__ import annotations

from typing import Any

from django.db.models import Q
from django.dispatch import receiver

from lobby.companions import avoided_by
from lobby.models import Asker, Block, Invite
from ranking.models import Player
from ranking.signals import account_closed, own_data


@receiver(account_closed)
def forget(sender: Any, player_id: int, **more: Any) -> None:
    """Nothing of the lobby is kept about somebody who has gone."""
    Asker.objects.filter(player_id=player_id).delete()
    Block.objects.filter(Q(owner_id=player_id) | Q(other_id=player_id)).delete()
    Invite.objects.filter(Q(sender_id=player_id) | Q(receiver_id=player_id)).delete()


@receiver(own_data)
def stored(sender: Any, player: Player, **more: Any) -> dict[str, Any]:
    """The lobby's section of what is stored about a person."""
    return {
        "not_paired_with": list(
            Block.objects.filter(owner=player).order_by("at").values_list("other__name", flat=True)
        ),
        "invitations": [
            {"from": one, "to": other, "to_what": kind, "code": code, "at": at}
            for one, other, kind, code, at in Invite.objects.filter(
                Q(sender=player) | Q(receiver=player)
            )
            # One that doesn't reach its receiver isn't told of here either.
            .exclude(receiver=player, sender__in=avoided_by(player).values("other"))
            .order_by("at")
            .values_list("sender__name", "receiver__name", "kind", "code", "at")
        ],
    }
