"""What a host may choose for a room, and what a seat may give as its seed."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext as _

from dominoes.rules.deal import clean_seed
from dominoes.rules.errors import BadDeal, RulesError
from dominoes.rules.options import Options
from dominoes.table.live import Choices
from dominoes.table.refusals import Refused, from_rules

TURN_SECONDS: Final = (10, 600)
TARGETS: Final = (25, 500)


def check_choices(
    *,
    rules: str,
    players: int | None = None,
    sides: str | None = None,
    target: int | None = None,
    double_six_opens: bool = False,
    kind: str = "online",
    ranked: bool = False,
    private: bool = False,
    turn_seconds: int | None = None,
    aid: bool | None = None,
    replay: str = "all",
) -> Choices:
    """What a host chose, completed and checked. Raises Refused ("rules") with a sentence."""

    def no(sentence: str) -> Refused:
        return Refused("rules", sentence)

    try:
        options = Options.of(
            rules, players=players, sides=sides, target=target, double_six_opens=double_six_opens
        )
        default = Options.of(rules, players=options.players, sides=options.sides).target
    except RulesError as error:
        raise from_rules(error, "rules") from None
    if not TARGETS[0] <= options.target <= TARGETS[1]:
        raise no(_("The target must lie between 25 and 500 points."))
    if kind not in ("online", "nearby"):
        raise no(_("A table is either online or nearby."))
    if replay not in ("all", "players"):
        raise no(_("The replay is open to all or to the players."))
    if kind == "nearby":
        if ranked:
            raise no(_("A nearby table can't be ranked."))
        if turn_seconds:
            raise no(_("A nearby table has no turn clock."))
        turn_seconds = 0
    elif turn_seconds is None:
        turn_seconds = 60
    if turn_seconds and not TURN_SECONDS[0] <= turn_seconds <= TURN_SECONDS[1]:
        raise no(_("A turn lasts from 10 to 600 seconds; 0 means no clock."))
    if turn_seconds < 0:
        raise no(_("A turn lasts from 10 to 600 seconds; 0 means no clock."))
    if ranked:
        if not turn_seconds:
            raise no(_("A ranked table needs a turn clock."))
        if options.target != default:
            raise no(
                _("A ranked match is played to %(target)d points.") % {"target": default},
            )
        if options.double_six_opens:
            raise no(_("A ranked match begins with the lot, not with the double six."))
        if aid:
            raise no(_("A ranked table has no counting aid."))
    return Choices(
        options=options,
        kind=kind,
        ranked=ranked,
        private=private,
        turn_seconds=turn_seconds,
        aid=(not ranked) if aid is None else aid,
        replay=replay,
    )


def check_seed(value: str) -> str:
    """A seed as it will be used, in lower case. Raises Refused."""
    try:
        return clean_seed(value)
    except BadDeal as error:
        raise from_rules(error, "bad_message") from None
