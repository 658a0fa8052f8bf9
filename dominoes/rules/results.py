"""What a deal, a hand and a match came to: frozen values for readers."""

from dataclasses import dataclass

from dominoes.rules.explain import HandScore


@dataclass(frozen=True, slots=True)
class Opener:
    """Who opens the hand, and why: ``lot``, ``forced``, ``won``, ``next`` or ``rematch``."""

    seat: int
    why: str


@dataclass(frozen=True, slots=True)
class HandResult:
    """A hand just ended: ``how`` is ``out``, ``blocked``, or ``stopped`` with the match.

    ``winner`` is a side or None. ``racks`` are the tiles left in each rack (None: the seat left).
    """

    how: str
    winner: int | None
    points: int
    racks: tuple[tuple[str, ...] | None, ...]
    explain: HandScore


@dataclass(frozen=True, slots=True)
class MatchResult:
    """A match ended: ``how`` is ``target``, ``forfeit`` (``seat`` left last) or ``agreed``.

    ``winner`` is a side, None after an agreed draw.
    """

    how: str
    winner: int | None
    seat: int | None = None


@dataclass(frozen=True, slots=True)
class Deal:
    """A hand as dealt: racks by seat (None: the seat had left), the boneyard, and the lot."""

    racks: tuple[tuple[int, ...] | None, ...]
    boneyard: tuple[int, ...]
    lot: tuple[int, ...] | None = None


@dataclass(frozen=True, slots=True)
class HandLog:
    """A hand from its deal to its last word: what a match record says of it."""

    deal: Deal
    words: tuple[str, ...]
