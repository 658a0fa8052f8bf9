"""Against the computer: a private room, filled with bots and begun at once, without a clock."""

from __future__ import annotations

from dominoes.rules.options import Options
from dominoes.table import beginning, choosing, keeping, seating, store
from ranking.models import Player


def begin(player: Player, options: Options, level: str) -> str:
    """A match against bots of that level; gives its room's code. Raises Refused."""
    keeping.may_play(player)
    return store.call(_begin, player.pk, options, level)


def _begin(player_id: int, options: Options, level: str) -> str:
    choices = choosing.check_choices(
        rules=options.rules,
        players=options.players,
        sides=options.sides,
        target=options.target,
        private=True,
        turn_seconds=0,
    )
    code = seating.create_table(player_id, choices)
    for seat in range(1, options.players):
        seating.set_bot(code, player_id, seat, level)
    beginning.start(code, player_id)
    return code
