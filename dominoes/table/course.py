"""The course of a match at a table: begin, deal, whose turn, how it ends.

Everything here changes a draft (`Live`) inside a command, and only commands call
it. What is legal, what scores and who wins is the rules' alone.
"""

from __future__ import annotations

import json
import secrets
from dataclasses import replace
from typing import Any

from dominoes.rules import deal as fair
from dominoes.rules.match import Match as Game
from dominoes.rules.options import Options
from dominoes.rules.tiles import NAMES
from dominoes.table import clock as times
from dominoes.table import metrics, results, store
from dominoes.table.clock import Clock
from dominoes.table.live import HandLine, Holder, Live, MatchInfo
from dominoes.table.models import Match, MatchSeat, Table


def bump(draft: Live, *, moved: bool) -> None:
    """Count a stored change; `moved` when the position changed, so that older moves are stale."""
    draft.seq += 1
    if moved:
        draft.position_seq = draft.seq


def new_chain(draft: Live) -> None:
    """A fresh chain for the next match, with its commitment to show; given seeds are void."""
    draft.next_secret, draft.next_commit = fresh_chain()
    draft.touch("table")


def fresh_chain() -> tuple[bytes, str]:
    """A random end of a chain and the hex of its commitment, `s(0)`."""
    secret = secrets.token_bytes(32)
    return secret, fair.Chain(secret).commit


def begin(draft: Live, now: float, *, opens: int | None = None) -> None:
    """Begin a match with the people and bots in the seats, and deal its first hand."""
    choices = draft.choices
    options = choices.options
    if opens is not None:
        options = Options.of(
            options.rules,
            players=options.players,
            sides=options.sides,
            target=options.target,
            opens=opens,
        )
    commit = draft.next_commit
    seeds = tuple(h.seed if h and h.seed_commit == commit else "" for h in draft.seats)
    row = Match.objects.create(
        table_id=draft.table_id,
        number=(draft.match.number if draft.match else 0) + 1,
        rules=options.rules,
        options=json.dumps(options.to_json()),
        kind=choices.kind,
        ranked=choices.ranked,
        turn_seconds=choices.turn_seconds,
        replay=choices.replay,
        private=choices.private,
        secret=draft.next_secret,
        commit=commit,
        seeds=json.dumps(seeds),
        started_at=now,
        status=Match.PLAYING,
    )
    people = tuple(h.player_id if h else None for h in draft.seats)
    MatchSeat.objects.bulk_create(
        MatchSeat(match=row, seat=h.seat, player_id=h.player_id, bot=h.bot)
        for h in draft.seats
        if h
    )
    draft.match = MatchInfo(
        id=row.pk,
        number=row.number,
        options=options,
        kind=choices.kind,
        ranked=choices.ranked,
        turn_seconds=choices.turn_seconds,
        replay=choices.replay,
        secret=draft.next_secret,
        commit=commit,
        seeds=seeds,
        people=people,
        hand_from=1,
        hand=0,
        plies=0,
        status=Match.PLAYING,
        result=None,
        started_at=now,
    )
    draft.game = Game(options)
    draft.events = 0
    draft.hands = ()
    for holder in draft.people:
        draft.put(_without_agreement(holder))
    new_chain(draft)
    draft.clock = Clock()
    deal(draft, now)
    # Somebody may have gone a moment ago, who isn't missed in memory yet.
    draft.here = store.seats_here(draft.table_id)
    presence_changed(draft, now)


def _without_agreement(holder: Holder) -> Holder:
    return replace(holder, rematch=False, seed="", seed_commit="")


def deal(draft: Live, now: float) -> None:
    """Deal the next hand from the chain, as the provable shuffle has it."""
    game, match = draft.game, draft.match
    assert game is not None and match is not None
    number = game.hand_number + 1
    if number > fair.HANDS:
        abandon(draft, now, seat=None, why=None)
        return
    value = fair.Chain(match.secret).value(number)
    racks, boneyard = fair.deal_hand(
        match.commit, match.seeds, number, value, game.rack_sizes, game.boneyard_size
    )
    lot = fair.draw_lot(match.commit, match.seeds, value) if game.lot_due else None
    game.deal(racks, boneyard, lot)
    draft.log(
        "deal",
        data={
            "hand": number,
            "racks": [None if r is None else _names(r) for r in racks],
            "boneyard": _names(boneyard),
            **({"lot": _names(lot)} if lot else {}),
        },
    )
    draft.set_match(hand=number, hand_from=draft.events + len(draft.new_events))
    draft.autos = ()
    draft.status = Table.PLAYING
    clock = draft.clock
    clock.deal_at = None
    clock.offer = None
    clock.accepted.clear()
    clock.ready.clear()
    begin_turn(draft, now)
    bump(draft, moved=True)


def _names(tiles: Any) -> list[str]:
    return [NAMES[t] for t in tiles]


def begin_turn(draft: Live, now: float) -> None:
    """Start the clock of the seat that is now on turn."""
    clock, game = draft.clock, draft.game
    assert game is not None
    clock.stop_turn()
    seat = game.turn
    if game.phase != "play" or seat is None:
        return
    clock.turn_from = now
    holder = draft.seats[seat]
    if holder is None or holder.bot:
        clock.act_at = now + times.bot_pause()
    elif seat in clock.away:
        clock.act_at = now + times.AWAY_TURN
    elif draft.timed:
        assert draft.match is not None
        clock.turn_at = now + draft.match.turn_seconds


def go_on_turn(draft: Live, now: float) -> None:
    """The same seat stays on turn after a draw: the clock runs on, with ten seconds at least."""
    clock = draft.clock
    clock.turn_from = now
    if clock.act_at is not None:
        clock.act_at = now + times.bot_pause(after_draw=True)
    if clock.turn_at is not None:
        clock.turn_at = max(clock.turn_at, now + times.AFTER_DRAW)


def play_word(
    draft: Live, now: float, seat: int, word: str, *, auto: bool, client_id: str | None = None
) -> None:
    """Play a move word for a seat, log it, and see what follows. Raises RulesError."""
    game = draft.game
    assert game is not None and draft.match is not None
    before = game.turn
    game.play(seat, word)
    draft.log("move", seat=seat, word=word, auto=auto, client_id=client_id)
    store.after_commit(metrics.MOVES.inc)
    draft.autos = (*draft.autos, auto)
    bump(draft, moved=True)
    if game.phase == "play" and game.turn == before and word == "draw":
        go_on_turn(draft, now)
    else:
        follow_up(draft, now)


def leave_match(
    draft: Live, now: float, seat: int, *, why: str, client_id: str | None = None
) -> None:
    """A seat is out of the match: walked out (`left`), lost on time or claimed (`time`).

    Who is left decides what follows: a nearby match ends for everyone, a match with bots alone is
    abandoned, as is one whose last side is away; otherwise the rules go on without the seat.
    """
    game, match = draft.game, draft.match
    assert game is not None and match is not None
    clock = draft.clock
    remaining = [h for h in draft.people_in if h.seat != seat]
    if match.kind == "nearby" or not remaining:
        abandon(draft, now, seat=seat, why=why, client_id=client_id)
        return
    trial = game.copy()
    trial.leave(seat)
    if trial.phase == "over" and not match.options.two_sided:
        winner = trial.result.winner if trial.result else None
        still = [h.seat for h in remaining if match.options.side_of(h.seat) == winner]
        if not still or all(s in clock.away for s in still):
            abandon(draft, now, seat=seat, why=why, client_id=client_id)
            return
    was_on_turn = game.turn
    game.leave(seat)
    word, auto = f"leave {seat}", why == "time"
    draft.log("leave", seat=seat, word=word, auto=auto, client_id=client_id, data={"why": why})
    draft.autos = (*draft.autos, auto)
    clock.away.discard(seat)
    clock.missed.pop(seat, None)
    clock.ready.discard(seat)
    clock.holds.pop(seat, None)
    if why == "time":
        clock.timed_out.add(seat)
    bump(draft, moved=True)
    if game.phase == "play" and game.turn == was_on_turn:
        if clock.turn_at is not None and not draft.timed:
            clock.turn_at = None
        return
    follow_up(draft, now, seat=seat, why=why)


def follow_up(draft: Live, now: float, *, seat: int | None = None, why: str | None = None) -> None:
    """After a change of the position: the next turn, the end of the hand or of the match."""
    game = draft.game
    assert game is not None
    if game.phase == "play":
        begin_turn(draft, now)
    elif game.phase == "deal":
        end_hand(draft, now)
    else:
        end_match(draft, now, seat=seat, why=why)


def end_hand(draft: Live, now: float) -> None:
    """The hand is over, the match goes on: ten seconds to look at it, or until all are ready."""
    game, clock = draft.game, draft.clock
    assert game is not None
    if draft.status != Table.BETWEEN:
        clock.stop_turn()
        draft.status = Table.BETWEEN
        clock.deal_at = now + times.BETWEEN_HANDS
        clock.ready.clear()
        _note_hand(draft)
        draft.set_match(plies=draft.match.plies + game.ply if draft.match else 0)
    deal_if_ready(draft, now)


def _note_hand(draft: Live) -> None:
    """Write a hand that has just ended on the score sheet."""
    game = draft.game
    assert game is not None
    result = game.hand_result
    if result is None:
        return
    line = {
        "hand": game.hand_number,
        "how": result.how,
        "winner": result.winner,
        "points": result.points,
        "scores": list(game.scores),
    }
    draft.log("hand", data=line)
    draft.hands = (*draft.hands, HandLine.of(line))


def deal_if_ready(draft: Live, now: float) -> None:
    """Deal when every person who is here has said `ready`."""
    if draft.status != Table.BETWEEN:
        return
    here = {h.seat for h in draft.people_in if h.seat in draft.here}
    if here and here <= draft.clock.ready:
        deal(draft, now)


def end_match(draft: Live, now: float, *, seat: int | None = None, why: str | None = None) -> None:
    """The match has a result: store it, and hand it to the ladder in this same transaction."""
    game, match = draft.game, draft.match
    assert game is not None and match is not None and game.result is not None
    result = {
        "how": game.result.how,
        "winner": game.result.winner,
        "seat": seat if game.result.how == "forfeit" else None,
        "why": why if game.result.how == "forfeit" else None,
    }
    _close(draft, now, Table.OVER, Match.OVER, result)
    results.record(draft, now)


def abandon(
    draft: Live, now: float, *, seat: int | None, why: str | None, client_id: str | None = None
) -> None:
    """The match ends for everyone without a result; nothing of it reaches the ladder."""
    assert draft.game is not None
    draft.game.abandon()
    result = {"how": "abandoned", "winner": None, "seat": seat, "why": why}
    _close(draft, now, Table.ABANDONED, Match.ABANDONED, result, client_id=client_id, seat=seat)


def _close(
    draft: Live,
    now: float,
    table_status: str,
    match_status: str,
    result: dict[str, Any],
    *,
    client_id: str | None = None,
    seat: int | None = None,
) -> None:
    game, match = draft.game, draft.match
    assert game is not None and match is not None
    between = draft.status == Table.BETWEEN
    if not between:
        _note_hand(draft)
    draft.status = table_status
    draft.clock = Clock()
    draft.log(
        "end",
        seat=seat,
        client_id=client_id,
        data={**result, "scores": list(game.scores)},
    )
    draft.set_match(
        status=match_status,
        result=result,
        ended_at=now,
        plies=match.plies + (0 if between else game.ply),
    )
    presence_changed(draft, now)
    bump(draft, moved=True)


def presence_changed(draft: Live, now: float) -> bool:
    """Bring holds and the hour of emptiness up to who is here; says whether anything changed."""
    clock = draft.clock
    before = clock.to_json()
    people = draft.people_in if draft.in_match else draft.people
    here = [h for h in people if h.seat in draft.here]
    if here or draft.status == Table.CLOSED:
        clock.gone_at = None
    elif clock.gone_at is None:
        alone = draft.in_match and len(people) == 1
        clock.gone_at = now + (times.GONE_BOTS if alone else times.GONE)
    if draft.in_match and draft.match is not None and draft.match.kind == "nearby":
        for holder in people:
            if holder.seat in draft.here:
                clock.holds.pop(holder.seat, None)
            else:
                clock.holds.setdefault(holder.seat, now + times.HOLD)
    return clock.to_json() != before
