"""What a table page weighs: everything that it loads, compressed, and every push after a move.

Matches of every system are played by chance and every change is rendered for one viewer, as the
sockets do. Sockets aren't compressed, so a push counts as it is. Ends with 1 over the limits.
"""

from __future__ import annotations

import argparse
import gzip
import random
import re
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from django.contrib.auth.models import AnonymousUser
from django.contrib.staticfiles import finders
from django.template.loader import render_to_string
from django.test import RequestFactory

from dominoes.bench.tables import table as figures
from dominoes.rules.match import Match
from dominoes.rules.options import Options
from dominoes.rules.systems import SYSTEMS
from dominoes.rules.tiles import TILES
from dominoes.rules.view import view_for
from dominoes.table import fragments
from dominoes.table.pictures import SeatState, TableState

PAGE_LIMIT = 80_000
PUSH_LIMIT, PUSH_MEDIAN = 16_000, 6_000
STATIC = re.compile(r'(?:href|src)="/static/([^"]+\.(?:css|js|svg|woff2))"')
# An average name, and one as long as names may be.
NAMES = ("Ana", "Benjamin", "Carmen Rosa", "Wilhelmina Featherstone")


def main(arguments: Sequence[str]) -> int:
    """Measure and print; exit status 1 over the limits."""
    parser = argparse.ArgumentParser(prog="manage.py bench page", description=__doc__)
    parser.add_argument("--matches", type=int, default=2, help="matches of every table size (2)")
    asked = parser.parse_args(arguments)
    page = _page()
    _say(figures(("loaded with a table page", "bytes", "compressed"), page))
    pushes = _pushes(asked.matches)
    rows: list[tuple[object, ...]] = []
    for name, sizes in pushes.items():
        sizes.sort()
        rows.append((name, len(sizes), sizes[len(sizes) // 2], sizes[-1]))
    _say("")
    _say(figures(("pushes to one viewer", "number", "median", "largest"), rows))
    everything = sorted(size for sizes in pushes.values() for size in sizes)
    heavy = (
        int(str(page[-1][2])) > PAGE_LIMIT
        or everything[-1] > PUSH_LIMIT
        or everything[len(everything) // 2] > PUSH_MEDIAN
    )
    _say("")
    _say(
        f"Limits: {PAGE_LIMIT:,} for the page; {PUSH_MEDIAN:,} for the median push, "
        f"{PUSH_LIMIT:,} for any: {'broken' if heavy else 'kept'}."
    )
    return int(heavy)


def _say(text: str) -> None:
    sys.stdout.write(f"{text}\n")


def _page() -> list[tuple[object, ...]]:
    """The document, as heavy as it gets, and each file that it names; the sum last."""
    html = max((_document(*moment) for moment in _moments(1)), key=len)
    rows: list[tuple[object, ...]] = [("the document", len(html), len(gzip.compress(html)))]
    for name in sorted(set(STATIC.findall(html.decode()))):
        plain = re.sub(r"\.[0-9a-f]{12}(?=\.\w+$)", "", name)
        found = finders.find(plain)
        data = Path(str(found)).read_bytes()
        rows.append((plain, len(data), len(gzip.compress(data, 9))))
    rows.append(("in all", *(sum(int(str(row[i])) for row in rows) for i in (1, 2))))
    return rows


def _document(setup: str, match: Match) -> bytes:
    state = _state(match)
    request = RequestFactory().get(f"/tables/{state.code}/")
    request.user = AnonymousUser()
    views = view_for(match, None), view_for(match, 0)
    context = fragments.page_context(state, *views, 0, {})
    return render_to_string("table/page.html", context, request).encode()


def _pushes(matches: int) -> dict[str, list[int]]:
    """For each set-up the bytes of what changes for seat 0 with every change of the table."""
    sizes: dict[str, list[int]] = {}
    before: dict[str, str] = {}
    for setup, match in _moments(matches):
        state = _state(match)
        parts = {
            **fragments.shared(state, view_for(match, None)),
            **fragments.own(state, view_for(match, 0), 0),
        }
        changed = [html for part, html in parts.items() if before.get(part) != html]
        sizes.setdefault(setup, []).append(sum(len(html.encode()) for html in changed))
        before = parts
    return sizes


def _moments(matches: int) -> Iterator[tuple[str, Match]]:
    """Every change of some matches of every system, played by chance."""
    chance = random.Random(28)  # noqa: S311 - the same figures every time
    for rules, system in SYSTEMS.items():
        for players, allowed in system.tables.items():
            for sides in allowed:
                for _ in range(matches):
                    options = Options.of(rules, players=players, sides=sides)
                    for match in _played(Match(options), chance):
                        yield f"{rules}, {players} seats, {sides}", match


def _played(match: Match, chance: random.Random) -> Iterator[Match]:
    while match.phase != "over":
        if match.phase == "deal":
            deck = chance.sample(range(TILES), TILES)
            racks: list[list[int] | None] = []
            for size in match.rack_sizes:
                racks.append(deck[:size] if size else None)
                del deck[:size]
            lot = chance.sample(range(TILES), match.options.players) if match.lot_due else None
            match.deal(racks, deck[: match.boneyard_size], lot)
        else:
            assert match.turn is not None
            match.play(match.turn, chance.choice(match.legal_words()))
        yield match


def _state(match: Match) -> TableState:
    """The table around a match, everybody there."""
    seats = tuple(
        SeatState(seat, NAMES[seat], seat, None, False, "here", False, False, False)
        for seat in range(match.options.players)
    )
    result = None
    if match.result is not None:
        result = {"how": match.result.how, "winner": match.result.winner, "seat": None, "why": None}
    return TableState(
        code="K7QF2M",
        seq=1234,
        position_seq=1234,
        presence=0,
        status={"play": "playing", "deal": "between", "over": "over"}[match.phase],
        match_id="abcdefgh2345",
        match_number=1,
        options=match.options,
        kind="online",
        ranked=False,
        private=False,
        turn_seconds=60,
        timed=False,
        aid=True,
        replay="all",
        host=0,
        seats=seats,
        due=None,
        now=0.0,
        offer=None,
        commit="00" * 32,
        seed=None,
        autos=(),
        match_result=result,
        anyone_may_start_at=None,
        hands=(),
    )
