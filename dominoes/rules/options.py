"""What a match is opened with: system, seats, sides, target and the few choices of a system."""

from dataclasses import dataclass, field
from typing import Self

from dominoes.rules.errors import BadOptions, _
from dominoes.rules.systems import SYSTEMS


@dataclass(frozen=True, slots=True)
class Options:
    """A match's options, known to be allowed when made by ``Options.of``.

    ``opens`` is the seat that opens the first hand of an All Fives rematch. In partners, seats 0
    and 2 are side 0, seats 1 and 3 side 1; in singles every seat is its own side.
    """

    rules: str
    players: int
    sides: str
    target: int
    double_six_opens: bool = False
    opens: int | None = None
    sides_by_seat: tuple[int, ...] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        paired = self.sides == "partners"
        sides = tuple(seat % 2 if paired else seat for seat in range(self.players))
        object.__setattr__(self, "sides_by_seat", sides)

    @classmethod
    def of(
        cls,
        rules: object,
        players: object = None,
        sides: object = None,
        target: object = None,
        double_six_opens: object = False,
        opens: object = None,
    ) -> Self:
        """Options with what the rules force, or set by default, filled in.

        Takes any values, also of wrong types; raises ``BadOptions`` for what is not offered.
        """
        system = SYSTEMS.get(rules) if isinstance(rules, str) else None
        if system is None:
            raise BadOptions(
                "rules",
                _("There are no rules by that name; choose one of: %(names)s."),
                names=", ".join(SYSTEMS),
            )
        if players is None and len(system.tables) == 1:
            players = next(iter(system.tables))
        if type(players) is not int or players not in system.tables:
            raise BadOptions(
                "players",
                _("%(rules)s is played with %(players)s seats."),
                rules=system.name,
                players=_either(system.tables),
            )
        allowed = system.tables[players]
        if sides is None and len(allowed) == 1:
            sides = allowed[0]
        if not isinstance(sides, str) or sides not in allowed:
            raise BadOptions(
                "sides",
                _("%(rules)s with %(players)d seats is played as %(sides)s."),
                rules=system.name,
                players=players,
                sides=_either(allowed),
            )
        if target is None:
            target = system.target
        if type(target) is not int or target < 1:
            raise BadOptions("target", _("The target is a whole number of points from 1."))
        if type(double_six_opens) is not bool or (
            double_six_opens and "double_six_opens" not in system.choices
        ):
            raise BadOptions(
                "double_six_opens", _("“Double six opens” is yes or no, and only in Partners yes.")
            )
        if opens is not None and (
            "opens" not in system.choices or type(opens) is not int or not 0 <= opens < players
        ):
            raise BadOptions("opens", _("Only an All Fives rematch says which of its seats opens."))
        return cls(system.name, players, sides, target, double_six_opens, opens)

    def to_json(self) -> dict[str, object]:
        """The ``options`` of a match record (the rules' name stands beside them)."""
        options: dict[str, object] = {
            "players": self.players,
            "sides": self.sides,
            "target": self.target,
        }
        if self.double_six_opens:
            options["double_six_opens"] = True
        if self.opens is not None:
            options["opens"] = self.opens
        return options

    def side_of(self, seat: int) -> int:
        """The side that a seat plays for."""
        return self.sides_by_seat[seat]

    def seats_of(self, side: int) -> tuple[int, ...]:
        """The seats of a side, lowest first."""
        return tuple(seat for seat, own in enumerate(self.sides_by_seat) if own == side)

    @property
    def side_count(self) -> int:
        """How many sides there are."""
        return 2 if self.sides == "partners" else self.players

    @property
    def two_sided(self) -> bool:
        """Whether two sides play: then leaving loses the match, and a draw can be agreed."""
        return self.side_count == 2


def _either(values: object) -> str:
    names = [str(value) for value in values]  # type: ignore[attr-defined]
    return " or ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)
