"""The picture of a table: what everyone may know of it, and the JSON that programs get.

What a viewer may see of the match itself is `view_for`'s alone; here stand the room, the clocks and
the presence around it.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from dominoes.rules import deal as fair
from dominoes.rules.options import Options
from dominoes.rules.view import View
from dominoes.table import clock as times
from dominoes.table import play, presence
from dominoes.table.live import HandLine, Live
from dominoes.table.models import Table


@dataclass(frozen=True, slots=True)
class SeatState:
    """A taken seat as everyone sees it."""

    seat: int
    name: str
    player_id: int | None
    bot: str | None  # its level
    guest: bool
    state: str  # "here", "dropped", "away", "left" or "bot"
    ready: bool
    rematch: bool
    accepted: bool  # has accepted the draw on offer
    by_time: bool = False  # has left, but didn't walk out: by the clock, claimed, or played for


@dataclass(frozen=True, slots=True)
class Due:
    """The first of what the table waits for."""

    what: str  # "return", "turn", "deal" or "claim"
    seat: int | None
    at: float  # seconds since the epoch
    reserve: bool = False  # of a turn: its clock has run out, the seat's reserve runs


@dataclass(frozen=True, slots=True)
class TableState:
    """What everyone may know of a table beside the rules' view. Built once for a change."""

    code: str
    seq: int
    position_seq: int
    presence: int
    status: str  # "open", "playing", "between", "over" or "abandoned"
    match_id: str | None
    match_number: int
    options: Options
    kind: str
    ranked: bool
    private: bool
    turn_seconds: int
    timed: bool
    aid: bool
    replay: str
    host: int | None
    seats: tuple[SeatState | None, ...]
    due: Due | None
    now: float
    offer: int | None
    commit: str
    seed: str | None  # hex of s(hand), once that hand is over
    autos: tuple[bool, ...]  # of this hand's moves, which were made for the seat
    match_result: dict[str, Any] | None  # how, winner, seat, why
    hands: tuple[HandLine, ...]  # the match's score sheet
    anyone_may_start_at: float | None  # the host is silent: then anyone seated may begin
    people: tuple[bool, ...] = ()  # by seat: whether a person began this match in it
    newcomers: frozenset[int] = frozenset()  # seats of the last match that are another's by now
    missing: frozenset[int] = frozenset()  # seats that a ranked match doesn't begin without

    @property
    def rules(self) -> str:
        return self.options.rules


def state_of(live: Live, now: float) -> TableState:
    """The table as it stands now."""
    match, game = live.match, live.game
    options = match.options if match and game else live.choices.options
    shown = Table.OPEN if live.status == Table.CLOSED else live.status
    hand_over = game is not None and game.phase != "play" and game.hand_number > 0
    full_at = live.clock.full_at
    return TableState(
        code=live.code,
        seq=live.seq,
        position_seq=live.position_seq,
        presence=live.presence,
        status=shown,
        match_id=match.id if match else None,
        match_number=match.number if match else 0,
        options=options,
        kind=live.choices.kind,
        ranked=live.choices.ranked,
        private=live.choices.private,
        turn_seconds=live.choices.turn_seconds,
        timed=live.timed,
        aid=live.choices.aid,
        replay=live.choices.replay,
        host=live.host.seat if live.host else None,
        seats=_seats(live),
        due=due_of(live),
        now=now,
        offer=live.clock.offer,
        commit=match.commit if match and live.in_match else live.next_commit,
        seed=fair.Chain(match.secret).value(game.hand_number).hex()
        if hand_over and match and game
        else None,
        autos=live.autos,
        match_result=match.result if match and not live.in_match else None,
        hands=live.hands,
        anyone_may_start_at=None
        if full_at is None or live.in_match
        else full_at + times.HOST_SILENT,
        people=tuple(person is not None for person in match.people) if match else (),
        newcomers=_newcomers(live),
        missing=frozenset() if live.in_match else frozenset(h.seat for h in live.missing(now)),
    )


def _newcomers(live: Live) -> frozenset[int]:
    if live.match is None or live.in_match:
        return frozenset()
    now = [None if holder is None else holder.player_id for holder in live.seats]
    then = live.match.people
    return frozenset(seat for seat, person in enumerate(then) if now[seat : seat + 1] != [person])


def _seats(live: Live) -> tuple[SeatState | None, ...]:
    clock = live.clock
    left = live.leavers
    seats: list[SeatState | None] = []
    for holder in live.seats:
        if holder is None:
            seats.append(None)
            continue
        seat = holder.seat
        if seat in left:
            state = "left"
        elif holder.bot:
            state = "bot"
        elif seat in clock.away:
            state = "away"
        else:
            state = "here" if seat in live.here else "dropped"
        seats.append(
            SeatState(
                seat=seat,
                name=holder.name,
                player_id=holder.player_id,
                bot=holder.bot or None,
                guest=holder.guest,
                state=state,
                ready=seat in clock.ready,
                rematch=holder.rematch,
                accepted=seat in clock.accepted,
                by_time=seat in clock.timed_out,
            )
        )
    return tuple(seats)


def due_of(live: Live) -> Due | None:
    """What the table waits for first: a return, a turn, the deal, a claim, in this order."""
    clock, game = live.clock, live.game
    if not live.in_match or game is None or not presence.awake():
        return None  # just after an outage nobody knows yet what is left of a clock
    if clock.holds:
        seat = min(clock.holds, key=lambda s: (clock.holds[s], s))
        return Due("return", seat, clock.holds[seat])
    if game.turn is not None and live.status == Table.PLAYING:
        if clock.turn_at is not None:
            return Due("turn", game.turn, clock.turn_at, clock.on_reserve == game.turn)
        if clock.act_at is not None and game.turn in clock.away:
            return Due("turn", game.turn, clock.act_at)
    if clock.deal_at is not None:
        return Due("deal", None, clock.deal_at)
    claim_at = play.claim_at(live)
    if claim_at is not None:
        return Due("claim", game.turn, claim_at)
    return None


def iso(at: float) -> str:
    """A time for programs: ISO 8601, UTC, milliseconds."""
    return datetime.fromtimestamp(at, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def due_json(due: Due | None) -> dict[str, Any] | None:
    """The table's `due` for programs and the page."""
    return None if due is None else {"what": due.what, "seat": due.seat, "at": iso(due.at)}


def shared_json(state: TableState, view: View | None) -> dict[str, Any]:
    """The part of the picture that is the same for every viewer; `view` is a spectator's."""
    options = state.options
    picture: dict[str, Any] = {
        "type": "table",
        "seq": state.seq,
        "room": state.code,
        "match": state.match_id,
        "status": state.status,
        "rules": options.rules,
        "options": options.to_json(),
        "hand": view.hand if view else 0,
        "ply": view.ply if view else 0,
        "turn": view.turn if view else None,
        "due": due_json(state.due),
        "now": iso(state.now),
        "opener": {"seat": view.opener.seat, "why": view.opener.why}
        if view and view.opener
        else None,
        "lot": list(view.lot) if view and view.lot else None,
        "offer": state.offer,
        "commit": state.commit,
        "seats": [_seat_json(state, view, seat) for seat in range(options.players)],
        "scores": list(view.scores) if view else [0] * options.side_count,
        "line": _line_json(view),
        "ends": dict(view.ends) if view else {},
        "boneyard": view.boneyard if view else 0,
        "moves": _moves_json(state, view),
        "result": _result_json(state, view),
        "match_result": state.match_result,
    }
    return picture


def own_json(view: View | None, you: int | None) -> dict[str, Any]:
    """The part of the picture that only this viewer gets."""
    return {
        "you": you,
        "rack": list(view.rack) if view and view.rack is not None and you is not None else None,
        "legal": list(view.legal) if view and you is not None else [],
    }


def _seat_json(state: TableState, view: View | None, seat: int) -> dict[str, Any] | None:
    holder = state.seats[seat] if seat < len(state.seats) else None
    if holder is None:
        return None
    return {
        "seat": seat,
        "name": holder.name,
        "side": state.options.side_of(seat),
        "tiles": view.seats[seat].tiles if view else 0,
        "state": holder.state,
    }


def _line_json(view: View | None) -> dict[str, Any]:
    if view is None:
        return {"first": None, "left": [], "right": [], "up": [], "down": [], "spinner": None}
    line = view.line
    return {
        "first": line.first,
        "left": list(line.left),
        "right": list(line.right),
        "up": list(line.up),
        "down": list(line.down),
        "spinner": line.spinner,
    }


def _moves_json(state: TableState, view: View | None) -> list[dict[str, Any]]:
    if view is None:
        return []
    autos = state.autos
    return [
        {
            "seat": move.seat,
            "move": move.word,
            "scored": move.scored,
            "auto": autos[i] if i < len(autos) else False,
        }
        for i, move in enumerate(view.moves)
    ]


def _result_json(state: TableState, view: View | None) -> dict[str, Any] | None:
    if view is None or view.result is None:
        return None
    result = view.result
    return {
        "how": result.how,
        "winner": result.winner,
        "points": result.points,
        "racks": [None if rack is None else list(rack) for rack in result.racks],
        "seed": state.seed,
    }
