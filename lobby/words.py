"""What the lobby calls things, in the reader's language."""

from __future__ import annotations

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from dominoes.rules.options import Options
from dominoes.rules.systems import SYSTEMS
from dominoes.table.fragments_parts import system_name
from dominoes.table.live import Choices
from dominoes.table.results import AWARDS
from dominoes.table.words import bot_name as _bot_name


def system_line(rules: str) -> str:
    """One line on what a system is like."""
    return {
        "partners": _("Two against two. Who can't play knocks, and a knock tells a lot."),
        "draw": _("Each for oneself. Who can't play draws until something fits."),
        "classic": _("Every hand pays what the others still hold. Quick to learn."),
        "fives": _("Open ends that add up to fives score as you play. For those who count."),
    }[rules]


def system_short(rules: str) -> str:
    """The same in a few words."""
    return {
        "partners": _("Two against two"),
        "draw": _("Draw until it fits"),
        "classic": _("Quick to learn"),
        "fives": _("Score as you play"),
    }[rules]


def setup_name(players: int, sides: str) -> str:
    """A table by its seats and sides."""
    if sides == "partners":
        return _("Two pairs")
    return {2: _("Two seats"), 3: _("Three seats"), 4: _("Four seats")}[players]


def setup_line(players: int, sides: str) -> str:
    """One line on what seats and sides mean."""
    if sides == "partners":
        return _("Partners sit opposite and score together.")
    return {
        2: _("One against one."),
        3: _("Three people, each for oneself."),
        4: _("Four people, each for oneself."),
    }[players]


def seats_and_sides(options: Options) -> str:
    """Seats and sides in few words, for a line that lists a room."""
    if options.sides == "partners":
        return _("two pairs")
    n = options.players
    return ngettext("%(n)d seat", "%(n)d seats", n) % {"n": n}


def default_targets() -> str:
    """What each system is played to unless the host says otherwise."""
    usual = [rules for rules, system in SYSTEMS.items() if system.target == 100]
    others = [rules for rules in SYSTEMS if rules not in usual]
    first = _("%(systems)s: 100.") % {"systems": ", ".join(map(system_name, usual))}
    rest = (f"{system_name(rules)}: {SYSTEMS[rules].target}." for rules in others)
    return " ".join([first, *rest])


def clock(kind: str, seconds: int) -> str:
    """The turn clock in few words."""
    if kind == "nearby":
        return _("nearby, no clock")
    if not seconds:
        return _("no clock")
    return _("%(n)d s a turn") % {"n": seconds}


def clock_choice(seconds: int) -> str:
    """The turn clock as a choice of its own."""
    if not seconds:
        return _("No clock")
    return ngettext("%(n)d second a turn", "%(n)d seconds a turn", seconds) % {"n": seconds}


def facts(choices: Choices) -> str:
    """A room in one line: seats, target, clock, and whether the double six opens."""
    options = choices.options
    parts = [
        seats_and_sides(options),
        _("to %(target)d") % {"target": options.target},
        clock(choices.kind, choices.turn_seconds),
    ]
    if options.double_six_opens:
        parts.append(_("double six opens"))
    return " · ".join(parts)


COUNTS = ("nearby", "casual", "ranked-two", "ranked-more")


def what_counts(kind: str, ranked: bool, players: int) -> str:
    """Which of `COUNTS` a match is."""
    if kind == "nearby":
        return "nearby"
    if not ranked:
        return "casual"
    return "ranked-two" if players == 2 else "ranked-more"


def counts(what: str) -> str:
    """Whether a match counts, and for what; `what` is one of `COUNTS`."""
    if what == "nearby":
        return _(
            "The match goes into your history. It pays no points and moves no rating, and if "
            "somebody drops out nothing is kept of it."
        )
    if what == "casual":
        return _("The match goes into your history. It pays no points and moves no rating.")
    pays = (
        _(
            "The match counts: %(won)d points for a win, %(drawn)d for an agreed draw, "
            "%(lost)d for a loss."
        )
        % AWARDS
    )
    if what == "ranked-two":
        return pays + " " + _("It moves the rating of both.")
    return pays + " " + _("Ratings stay as they are: those come from matches between two.")


def bot_name(level: str) -> str:
    """A bot by its level."""
    return _bot_name(level, level)


def placed(options: Options, seat: int, other: int) -> str:
    """Where `other` sits, as `seat` sees it: opposite, to the left, to the right."""
    steps = (other - seat) % options.players
    if steps * 2 == options.players:
        return _("opposite")
    return _("on the left") if steps == 1 else _("on the right")
