"""What people fill in: a table's choices, and what they want to play."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from dominoes.bots import LEVELS
from dominoes.rules.systems import SYSTEMS
from dominoes.table import choosing
from dominoes.table.fragments_parts import system_name
from dominoes.table.live import Choices
from lobby import words
from lobby.standings import Wish, check_wish

SETUPS = ((2, "singles"), (3, "singles"), (4, "singles"), (4, "partners"))
TURNS = (15, 30, 45, 60, 90, 120, 300)

USUAL = {
    "partners": "4-partners",
    "draw": "2-singles",
    "classic": "2-singles",
    "fives": "2-singles",
}
"""The table of a system that somebody gets who only names the system."""


def setup_key(players: int, sides: str) -> str:
    """The value by which forms name seats and sides."""
    return f"{players}-{sides}"


def read_setup(key: str) -> tuple[int, str] | tuple[None, None]:
    """Seats and sides of a form's value; Nones where it names nothing."""
    for players, sides in SETUPS:
        if key == setup_key(players, sides):
            return players, sides
    return None, None


def setups_of(rules: str) -> list[str]:
    """The tables that a system can be played at."""
    tables = SYSTEMS[rules].tables
    return [setup_key(n, sides) for n, sides in SETUPS if sides in tables.get(n, ())]


@dataclass(frozen=True, slots=True)
class Option:
    """One radio button: what it says, and what a script has to know about it."""

    value: str
    name: str
    line: str
    checked: bool
    disabled: bool = False
    short: str = ""
    setups: str = ""
    target: int = 0


def system_options(chosen: str) -> list[Option]:
    """The four systems to choose from."""
    return [
        Option(
            rules,
            system_name(rules),
            words.system_line(rules),
            rules == chosen,
            short=words.system_short(rules),
            setups=" ".join(setups_of(rules)),
            target=system.target,
        )
        for rules, system in SYSTEMS.items()
    ]


def setup_options(chosen: str) -> list[Option]:
    """Seats and sides to choose from."""
    return [
        Option(
            setup_key(n, sides),
            words.setup_name(n, sides),
            words.setup_line(n, sides),
            setup_key(n, sides) == chosen,
        )
        for n, sides in SETUPS
    ]


class PlayForm(forms.Form):
    """What somebody wants to play now: a system, perhaps at another table than the usual one."""

    rules = forms.ChoiceField(
        choices=[(rules, rules) for rules in SYSTEMS],
        error_messages={
            "required": gettext_lazy("Choose one of the four systems."),
            "invalid_choice": gettext_lazy("Choose one of the four systems."),
        },
    )
    setup = forms.CharField(required=False)
    level = forms.ChoiceField(choices=[(level, level) for level in LEVELS], required=False)
    counts = forms.ChoiceField(choices=[("casual", "casual"), ("ranked", "ranked")], required=False)

    def wish(self) -> Wish:
        """What was asked for. Raises Refused ("rules")."""
        rules = self.cleaned_data["rules"]
        key = self.cleaned_data["setup"] or USUAL[rules]
        players, sides = read_setup(key)
        return check_wish(
            rules=rules,
            players=players,
            sides=sides,
            ranked=self.cleaned_data["counts"] == "ranked",
        )

    def fault(self) -> str:
        """The first thing that is wrong with it, as a sentence."""
        return next((str(said) for faults in self.errors.values() for said in faults), "")


class TableForm(forms.Form):
    """All that a host chooses. What may go together is the server's to say (`choices`)."""

    rules = forms.ChoiceField(choices=[(rules, rules) for rules in SYSTEMS])
    setup = forms.ChoiceField(choices=[(setup_key(*setup), "") for setup in SETUPS])
    target = forms.IntegerField(
        required=False,
        error_messages={"invalid": gettext_lazy("The target is a whole number of points.")},
    )
    kind = forms.ChoiceField(choices=[("online", ""), ("nearby", "")])
    access = forms.ChoiceField(choices=[("public", ""), ("private", "")])
    counts = forms.ChoiceField(choices=[("casual", ""), ("ranked", "")])
    turn_seconds = forms.IntegerField(required=False, min_value=0, max_value=600)
    aid = forms.BooleanField(required=False)
    replay = forms.ChoiceField(choices=[("all", ""), ("players", "")])
    double_six_opens = forms.BooleanField(required=False)

    START: dict[str, Any] = {
        "rules": "partners",
        "setup": "4-partners",
        "target": None,
        "kind": "online",
        "access": "public",
        "counts": "casual",
        "turn_seconds": 60,
        "aid": True,
        "replay": "all",
        "double_six_opens": False,
    }

    def __init__(self, *args: Any, guest: bool = False, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.guest = guest

    def choices(self) -> Choices:
        """The choices, completed and checked. Raises Refused with a sentence.

        A nearby table has no clock and a ranked one no counting aid whatever stands in those
        fields: the form says so beside them. Everything else that doesn't go together is refused.
        """
        data = self.cleaned_data
        players, sides = read_setup(data["setup"])
        nearby, ranked = data["kind"] == "nearby", data["counts"] == "ranked"
        return choosing.check_choices(
            rules=data["rules"],
            players=players,
            sides=sides,
            target=data["target"],
            double_six_opens=data["double_six_opens"],
            kind=data["kind"],
            ranked=ranked,
            private=data["access"] == "private",
            turn_seconds=0 if nearby else data["turn_seconds"] or 0,
            aid=data["aid"] and not ranked,
            replay=data["replay"],
        )

    @classmethod
    def start_from(cls, choices: Choices) -> dict[str, Any]:
        """The form's values for a table as it stands."""
        options = choices.options
        usual = SYSTEMS[options.rules].target
        return {
            "rules": options.rules,
            "setup": setup_key(options.players, options.sides),
            "target": None if options.target == usual else options.target,
            "kind": choices.kind,
            "access": "private" if choices.private else "public",
            "counts": "ranked" if choices.ranked else "casual",
            "turn_seconds": 60 if choices.kind == "nearby" else choices.turn_seconds,
            "aid": choices.aid or choices.ranked,
            "replay": choices.replay,
            "double_six_opens": options.double_six_opens,
        }

    # What the page shows

    def now(self, name: str) -> Any:
        """The value that a field shows: what was sent, else what the form began with."""
        if not self.is_bound:
            return self.initial.get(name, self.START[name])
        if name in ("aid", "double_six_opens"):
            return name in self.data
        return self.data.get(name, "")

    @property
    def values(self) -> dict[str, Any]:
        """What all fields show."""
        return {name: self.now(name) for name in self.START}

    @property
    def systems(self) -> list[Option]:
        return system_options(self.now("rules"))

    @property
    def setups(self) -> list[Option]:
        return setup_options(self.now("setup"))

    @property
    def kinds(self) -> list[Option]:
        now = self.now("kind")
        return [
            Option(
                "online",
                _("Online"),
                _("Everybody at a screen of their own, wherever they are."),
                now == "online",
            ),
            Option(
                "nearby",
                _("Nearby"),
                _(
                    "You sit together, each with a phone. No clock; a phone that drops is waited "
                    "for 30 seconds, then the match ends without a result."
                ),
                now == "nearby",
            ),
        ]

    @property
    def accesses(self) -> list[Option]:
        now = self.now("access")
        return [
            Option(
                "public",
                _("Public"),
                _("Listed on the first page: anyone may come."),
                now == "public",
            ),
            Option(
                "private",
                _("By invitation"),
                _("Only whoever has the link or the code comes in."),
                now == "private",
            ),
        ]

    @property
    def stakes(self) -> list[Option]:
        now = self.now("counts")
        ranked = _("Pays points; between two it moves the rating. No bots, with a clock.")
        if self.guest:
            ranked = _("For signed-in people only. Signing up is free and keeps your matches.")
        return [
            Option(
                "casual",
                _("Casual"),
                _("For fun: only your history remembers it. Guests and bots may play."),
                now == "casual",
            ),
            Option("ranked", _("Ranked"), ranked, now == "ranked", disabled=self.guest),
        ]

    @property
    def replays(self) -> list[Option]:
        now = self.now("replay")
        return [
            Option("all", _("Everybody"), _("Anyone may look at it afterwards."), now == "all"),
            Option("players", _("The players"), _("Only those who played."), now == "players"),
        ]

    @property
    def turns(self) -> Iterator[tuple[int, str, bool]]:
        """The clocks to choose from: seconds, words, whether it is the one shown."""
        try:
            now = int(self.now("turn_seconds") or 0)
        except ValueError:
            now = 60
        for seconds in sorted({0, now, *TURNS}):
            yield seconds, words.clock_choice(seconds), seconds == now

    @property
    def counting(self) -> list[tuple[str, str]]:
        """What a table may count for, for a script to show the one that fits."""
        return [(what, words.counts(what)) for what in words.COUNTS]

    @property
    def more(self) -> bool:
        """Whether something among the rarer choices isn't as usual, so that they are shown."""
        rarer = ("aid", "replay", "double_six_opens")
        return self.is_bound or any(self.now(name) != self.START[name] for name in rarer)

    @property
    def targets(self) -> str:
        """What each system is played to unless something else is chosen."""
        return words.default_targets()
