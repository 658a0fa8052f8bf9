"""What the table app hears from the ladder and tells it; the ladder knows nothing of the table."""

from __future__ import annotations

from typing import Any

from django.dispatch import receiver
from django.utils.translation import gettext_lazy as _

from dominoes.table.hub import hub
from dominoes.table.models import MatchSeat
from dominoes.table.pictures import iso
from ranking import prefs
from ranking.models import Player
from ranking.prefs import Switch
from ranking.signals import own_data, signed_out

SECTION = "table"

for name, label, default in (
    ("at_once", _("Play a tile at once when it fits one end only"), False),
    ("knock_for_me", _("Knock for me when I can only pass"), False),
    ("confirm", _("Ask me again before a move"), False),
    ("left", _("Left-handed: buttons on the left"), False),
    ("aid", _("Show the counting aid"), True),
    ("sound_play", _("Sound: a tile laid"), True),
    ("sound_knock", _("Sound: a knock"), True),
    ("sound_draw", _("Sound: a tile drawn"), True),
    ("sound_blocked", _("Sound: the line blocked"), True),
    ("sound_turn", _("Sound: my turn"), True),
    ("sound_clock", _("Sound: the clock running out"), True),
    ("sound_nearby", _("Sound: at a nearby table on this device too"), False),
):
    prefs.register(Switch(SECTION, name, label, default=default), _("At the table"))


@receiver(signed_out)
def _close_sockets(
    sender: Any,
    player_id: int,
    session_key: str | None,
    token: str | None,
    everything: bool,
    **_more: Any,
) -> None:
    """Sockets opened by a session or a token that has ended are closed."""
    hub.sign_out(player_id, session=session_key or "", token=token or "", everything=everything)


@receiver(own_data)
def _matches(sender: Any, player: Player, **_more: Any) -> dict[str, Any]:
    """The matches that someone sat in, for the download of one's own data."""
    seats = (
        MatchSeat.objects.filter(player=player)
        .select_related("match")
        .order_by("match__started_at")
    )
    return {
        "tables": [
            {
                "match": row.match_id,
                "seat": row.seat,
                "rules": row.match.rules,
                "started": iso(row.match.started_at),
                "status": row.match.status,
            }
            for row in seats
        ]
    }
