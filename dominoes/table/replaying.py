"""A finished match, looked at again: the table as it was at any ply, from any seat's eyes.

The position comes from the record through the rules, and is drawn by the same fragments as the live
table. Whoever asks for this may see every tile of the match (api.may_see_record).
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from dominoes.rules.match import Match as Game
from dominoes.rules.record import steps
from dominoes.rules.tiles import names_in
from dominoes.rules.view import View, view_for
from dominoes.table.live import HandLine
from dominoes.table.models import Event, Match
from dominoes.table.pictures import SeatState, TableState
from dominoes.table.records import record_of, shown_names


@dataclass(frozen=True, slots=True)
class Moment:
    """A match at one ply of one hand (ply 0: just dealt)."""

    game: Game
    hand: int
    ply: int
    plies: tuple[int, ...]  # how many each hand has
    sheet: tuple[HandLine, ...]  # the hands that were over before this one

    @property
    def first(self) -> bool:
        """Whether nothing comes before it."""
        return self.hand == 1 and self.ply == 0

    @property
    def last(self) -> bool:
        """Whether nothing comes after it."""
        return self.hand == len(self.plies) and self.ply == self.plies[-1]

    def before(self) -> tuple[int, int]:
        """The hand and ply one step back."""
        if self.ply or self.hand == 1:
            return self.hand, max(0, self.ply - 1)
        return self.hand - 1, self.plies[self.hand - 2]

    def after(self) -> tuple[int, int]:
        """The hand and ply one step on."""
        if self.last:
            return self.hand, self.ply
        if self.ply < self.plies[self.hand - 1]:
            return self.hand, self.ply + 1
        return self.hand + 1, 0

    def racks(self) -> tuple[tuple[str, ...] | None, ...]:
        """Every rack as it was, None for a seat that had left."""
        hand = self.game.hand
        assert hand is not None
        return tuple(
            names_in(rack) if hand.inside >> seat & 1 else None
            for seat, rack in enumerate(hand.racks)
        )


def moment(record: dict[str, Any], hand: int, ply: int) -> Moment | None:
    """The match at that hand and ply; the nearest there is. None where nothing was dealt."""
    plies = tuple(len(one["moves"]) for one in record["hands"])
    if not plies:
        return None
    hand = min(max(1, hand), len(plies))
    ply = min(max(0, ply), plies[hand - 1])
    found: Game | None = None
    sheet: list[HandLine] = []
    for game, lines in steps(record):
        ended = (line for line in lines if line["event"] == "hand" and line["hand"] < hand)
        sheet.extend(map(HandLine.of, ended))
        if game.hand_number == hand and game.ply == ply:
            found = game.copy()
            break
    assert found is not None
    return Moment(found, hand, ply, plies, tuple(sheet))


def state_at(match: Match, at: Moment) -> TableState:
    """The table around that moment, as the fragments take it."""
    game = at.game
    options = game.options
    result = json.loads(match.result)
    ended = at.last and match.status != Match.PLAYING
    if ended:
        status = "over" if match.status == Match.OVER else "abandoned"
    else:
        status = "playing" if game.phase == "play" else "between"
    names = shown_names(match)
    bots = dict(match.seat_rows.values_list("seat", "bot"))
    seats = tuple(
        SeatState(
            seat=seat,
            name=names[seat],
            player_id=None,
            bot=bots.get(seat) or None,
            guest=False,
            state="left" if seat in game.left else "bot" if bots.get(seat) else "here",
            ready=False,
            rematch=False,
            accepted=False,
        )
        for seat in range(options.players)
    )
    return TableState(
        code="",
        seq=0,
        position_seq=0,
        presence=0,
        status=status,
        match_id=match.pk,
        match_number=match.number,
        options=options,
        kind=match.kind,
        ranked=match.ranked,
        private=match.private,
        turn_seconds=match.turn_seconds,
        timed=False,
        aid=False,
        replay=match.replay,
        host=None,
        seats=seats,
        due=None,
        now=match.ended_at or match.started_at,
        offer=None,
        commit=match.commit,
        seed=None,
        autos=_autos(match, at),
        match_result=result if ended else None,
        hands=at.sheet,
        anyone_may_start_at=None,
        people=tuple(not bots.get(seat) for seat in range(options.players)),
    )


def _autos(match: Match, at: Moment) -> tuple[bool, ...]:
    """Which moves of the hand, up to this moment, were made for the seat."""
    deals = Event.objects.filter(match=match, kind="deal").order_by("number")
    numbers = list(deals.values_list("number", flat=True))
    after = Event.objects.filter(
        match=match, kind__in=("move", "leave", "agree"), number__gt=numbers[at.hand - 1]
    )
    if at.hand < len(numbers):
        after = after.filter(number__lt=numbers[at.hand])
    return tuple(after.order_by("number").values_list("auto", flat=True)[: at.ply])


def view_at(at: Moment, eyes: int | None) -> View:
    """What that seat (None: a spectator) saw at that moment."""
    return view_for(at.game, eyes)


def load_moment(match: Match, hand: int, ply: int) -> Moment | None:
    """The moment of a stored match."""
    return moment(record_of(match.pk), hand, ply)
