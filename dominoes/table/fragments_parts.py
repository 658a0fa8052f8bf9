"""Small parts that the fragments of the table page are made of.

Fragments are plain strings, put together without a template engine: they are made for every viewer
after every move. What people wrote (their names) is escaped once, in `Words`, and nothing else that
comes from outside goes into them: the rest is numbers, tile names, fixed words and our own texts.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from django.utils.html import escape
from django.utils.translation import get_language

from dominoes.table.quick import gettext as _
from dominoes.table.words import Said, SideSaid, names_of, side_name

if TYPE_CHECKING:
    from dominoes.rules.options import Options
    from dominoes.rules.view import View
    from dominoes.table.pictures import Due, TableState

ARROWS = {"left": "◀", "right": "▶", "up": "▲", "down": "▼"}


@dataclass(frozen=True, slots=True)
class Words:
    """The names at a table, escaped, and as HTML: what every fragment may put into a page.

    `who` is each seat's name, or You; `us` each side's: Us and Them between two pairs, else the
    names, and You; `partner` says of each seat that it is the viewer's partner.
    """

    language: str | None
    names: tuple[str, ...]
    sides: tuple[str, ...]
    who: tuple[str, ...]
    us: tuple[str, ...]
    partner: tuple[str, ...]

    @classmethod
    def of(cls, state: TableState) -> Words:
        """The escaped names of a table's seats and sides."""
        return _words(get_language(), names_of(state), state.options)


@lru_cache(maxsize=4096)
def _words(language: str | None, names: tuple[str, ...], options: Options) -> Words:
    escaped = tuple(str(escape(name)) for name in names)
    sides = tuple(side_name(options, escaped, side) for side in range(options.side_count))
    pairs = options.sides == "partners"
    us = (
        (
            SideSaid(side, _("Us"), _("Them"), name)
            if pairs
            else SideSaid(side, _("You"), name, name)
        )
        for side, name in enumerate(sides)
    )
    partner = (SideSaid(options.side_of(seat), _("partner"), "", "") for seat in range(len(names)))
    return Words(
        language=language,
        names=escaped,
        sides=sides,
        who=tuple(both(Said(seat, _("You"), name)) for seat, name in enumerate(escaped)),
        us=tuple(map(three, us)),
        partner=tuple(
            f' <span class="rel rel--partner">{three(said)}</span>' if pairs else ""
            for said in partner
        ),
    )


def both(said: Said) -> str:
    """A sentence about a seat, for that seat and for the others; CSS shows the right one."""
    if said.seat is None or said.me == said.they:
        return said.they
    return (
        f'<span data-who="{said.seat}"><span class="me">{said.me}</span>'
        f'<span class="they">{said.they}</span></span>'
    )


def three(said: SideSaid) -> str:
    """A sentence about a side, for us, for them and for spectators; CSS shows the right one."""
    if said.side is None:
        return said.others
    parts = (("us", said.us), ("them", said.them), ("others", said.others))
    inner = "".join(f'<span class="{kind}">{text}</span>' for kind, text in parts if text)
    return f'<span data-of="{said.side}">{inner}</span>'


def all_of(sentences: Sequence[Said | SideSaid]) -> str:
    """Sentences one after the other, each for whom it is meant."""
    return " ".join(both(one) if isinstance(one, Said) else three(one) for one in sentences)


def swatch(side: int) -> str:
    """The side's colour and pattern; the word always stands beside it."""
    return f'<i class="sw" data-of="{side}"></i>'


def clock(due: Due | None, seat: int | None = None) -> str:
    """A clock that clock.js counts down; `seat`: only if the table waits for that seat."""
    if due is None or (seat is not None and due.seat != seat):
        return ""
    if due.what == "claim":
        return ""
    return countdown(due)


def countdown(due: Due) -> str:
    """The time until then. It says nothing by itself: a push must not differ from the one before
    just because time has passed."""
    return f'<time class="clock" data-at="{int(due.at * 1000)}" data-what="{due.what}"></time>'


_CLOCK = re.compile(r'(<time class="clock" data-at="(\d+)"[^>]*>)(?=</time>)')


def with_clocks(html: str, now: float) -> str:
    """The same with what every clock shows now, as clock.js writes it: for pages without script."""

    def shown(clock: re.Match[str]) -> str:
        minutes, seconds = divmod(max(0, math.ceil(int(clock[2]) / 1000 - now)), 60)
        return f"{clock[1]}{minutes}:{seconds:02}"

    return _CLOCK.sub(shown, html)


def hidden(text: str) -> str:
    """Words for those who listen, not seen."""
    return f'<span class="vh">{text}</span>'


def pill(text: str, kind: str = "") -> str:
    """A small label."""
    return f'<span class="pill{" pill--" + kind if kind else ""}">{text}</span>'


def act(value: str, text: str, style: str = "btn btn--small btn--quiet", more: str = "") -> str:
    """A button anywhere on the page that sends `act=value` with the page's one form.

    By its id a push knows one button from the next: the focus of one that goes must not be found
    on another, which a second press would send.
    """
    id = f"do-{value.replace(' ', '-')}"
    return (
        f'<button form="act" id="{id}" name="act" value="{value}" class="{style}"{more}>'
        f"{text}</button>"
    )


def system_name(rules: str) -> str:
    """A rule system's name."""
    return {
        "partners": _("Partners"),
        "draw": _("Draw"),
        "classic": _("Classic"),
        "fives": _("All Fives"),
    }[rules]


def side_of(state: TableState, you: int | None) -> int | None:
    """The viewer's side, None for a spectator."""
    return None if you is None else state.options.side_of(you)


def on_turn(view: View | None) -> int | None:
    """The seat on turn, None when there is no hand in play."""
    return None if view is None else view.turn
