"""Tables to look at: states of every kind, played by the real rules, without a database.

The tests of the fragments use them, and `python -m tests.table.look FOLDER` writes them as whole
pages into a folder.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

from dominoes.rules.match import Match
from dominoes.rules.options import Options
from dominoes.rules.view import view_for
from dominoes.table.live import HandLine
from dominoes.table.pictures import Due, SeatState, TableState
from tests.playing import deal_next

NAMES = ("Ana", "Ben", "Carmen", "Dora")
LONG_NAMES = (
    "Wilhelmina Featherston",
    "Bartholomew Montgomery",
    "Maximiliane Oberhuber",
    "WWWWWWWWWWWWWWWWWWWWWWWW",
)
NOW = 1_764_500_000.0


def played(
    rules: str,
    players: int,
    sides: str,
    until: Callable[[Match], bool],
    *,
    seed: int = 1,
    target: int | None = None,
) -> Match:
    """A match played at random until the condition holds; fails if it never does."""
    for attempt in range(seed, seed + 400):
        dice = random.Random(attempt)
        match = Match(Options.of(rules, players=players, sides=sides, target=target))
        while match.phase != "over":
            if match.phase == "deal":
                if match.hand_number and until(match):
                    return match
                deal_next(match, dice)
            if match.hand_number and until(match):
                return match
            assert match.turn is not None
            match.play(match.turn, dice.choice(match.legal_words()))
        if until(match):
            return match
    raise AssertionError("no match came to that")


def seat_state(seat: int, **about: Any) -> SeatState:
    """A person who is there, unless said otherwise."""
    plain: dict[str, Any] = {
        "seat": seat,
        "name": NAMES[seat],
        "player_id": seat + 1,
        "bot": None,
        "guest": False,
        "state": "here",
        "ready": False,
        "rematch": False,
        "accepted": False,
    }
    return SeatState(**{**plain, **about})


def bot(seat: int, level: str = "steady") -> SeatState:
    """A bot in a seat."""
    return seat_state(seat, name=f"{level} bot", player_id=None, bot=level, state="bot")


def table(match: Match | None, options: Options | None = None, **about: Any) -> TableState:
    """The state of a table around a match (None: a room before its first one)."""
    options = match.options if match else options
    assert options is not None
    status = "open"
    result = None
    if match is not None:
        status = {"play": "playing", "deal": "between", "over": "over"}[match.phase]
        if match.result is not None:
            result = {
                "how": match.result.how,
                "winner": match.result.winner,
                "seat": match.result.seat,
                "why": None,
            }
    due = None
    if match is not None and match.phase == "play":
        due = Due("turn", match.turn, NOW + 34)
    elif status == "between":
        due = Due("deal", None, NOW + 8)
    plain: dict[str, Any] = {
        "code": "K7QF2M",
        "seq": 17,
        "position_seq": 17,
        "presence": 0,
        "status": status,
        "match_id": "abcdefgh2345" if match else None,
        "match_number": 1,
        "options": options,
        "kind": "online",
        "ranked": False,
        "private": False,
        "turn_seconds": 60,
        "timed": True,
        "aid": True,
        "replay": "all",
        "host": 0,
        "seats": tuple(seat_state(seat) for seat in range(options.players)),
        "due": due,
        "now": NOW,
        "offer": None,
        "commit": "5f" * 32,
        "seed": None,
        "autos": (),
        "match_result": result,
        "anyone_may_start_at": None,
        "hands": (),
    }
    return TableState(**{**plain, **about})


def tiles_on(match: Match) -> int:
    """How many tiles lie in the line."""
    return sum(word[0].isdigit() for word in view_words(match))


def view_words(match: Match) -> list[str]:
    """The words of this hand."""
    return [move.word for move in view_for(match, None).moves]


def _turn_with(tiles: int, seat: int, moves: int = 2) -> Callable[[Match], bool]:
    return lambda m: (
        m.phase == "play"
        and m.turn == seat
        and tiles_on(m) >= tiles
        and len(m.legal_words()) >= moves
        and m.legal_words()[0][0].isdigit()
    )


def _ended(how: str, hand: int = 1, won: bool = True) -> Callable[[Match], bool]:
    """The moment after a hand that ended so."""
    return lambda m: (
        m.phase == "deal"
        and m.hand_number >= hand
        and m.hand_result is not None
        and m.hand_result.how == how
        and (m.hand_result.winner is not None) == won
    )


def samples() -> dict[str, tuple[TableState, Match | None, int | None]]:
    """Named tables: the state, the match, and the viewer's seat."""
    out: dict[str, tuple[TableState, Match | None, int | None]] = {}

    def add(name: str, match: Match | None, you: int | None, state: TableState) -> None:
        out[name] = (state, match, you)

    match = played("partners", 4, "partners", _turn_with(13, 2), seed=3)
    add("partners-mine", match, 2, table(match))
    match = played("fives", 4, "partners", _turn_with(14, 0, 3), seed=11)
    add("fives-mine", match, 0, table(match))
    match = played(
        "fives", 2, "singles",
        lambda m: _turn_with(9, 1)(m) and len(view_for(m, None).ends) == 4,
    )  # fmt: skip
    add("fives-two", match, 1, table(match))
    match = played(
        "draw", 3, "singles", lambda m: m.phase == "play" and m.turn == 1 and tiles_on(m) > 6
    )
    seats = (seat_state(0), seat_state(1, state="dropped"), bot(2))
    add("draw-waiting", match, 0, table(match, seats=seats))
    match = played(
        "draw", 2, "singles", lambda m: m.phase == "play" and m.legal_words() == ["draw"]
    )
    add("draw-draw", match, match.turn, table(match))
    match = played(
        "draw", 2, "singles",
        lambda m: m.phase == "play" and m.turn == 0 and len(view_for(m, 0).rack or ()) > 13,
    )  # fmt: skip
    add("draw-many", match, 0, table(match))
    match = played(
        "classic", 4, "singles",
        lambda m: m.phase == "play" and tiles_on(m) > 20 and m.legal_words() == ["knock"],
    )  # fmt: skip
    add("classic-pass", match, match.turn, table(match))
    match = played("partners", 4, "partners", lambda m: m.hand_number == 1 and m.ply == 0)
    add("lot", match, match.turn, table(match))
    match = played("fives", 4, "partners", _ended("out", hand=3))
    hands = (HandLine(1, "out", 0, 15, (35, 20)), HandLine(2, "blocked", None, 0, (50, 20)))
    add("hand-over", match, 0, table(match, offer=1, hands=hands))
    match = played("partners", 4, "partners", _ended("blocked"))
    add("blocked", match, 1, table(match))
    match = played("fives", 4, "partners", lambda m: m.phase == "over", target=100)
    add("match-over", match, 2, table(match, ranked=True))
    match = played("partners", 4, "partners", _turn_with(22, 0, 1))
    add("long-line", match, 0, table(match))
    match = played("fives", 4, "singles", _turn_with(10, 3, 1))
    add("watching", match, None, table(match))
    match = played("partners", 4, "partners", _turn_with(10, 3, 1))
    seats = tuple(seat_state(seat, name=name) for seat, name in enumerate(LONG_NAMES))
    add("watching-long", match, None, table(match, seats=seats))
    add("long-names", match, 3, table(match, seats=seats))
    options = Options.of("fives", players=4, sides="partners")
    some = (seat_state(0), None, bot(2), None)
    add("room-host", None, 0, table(None, options, seats=some))
    add("room-visitor", None, None, table(None, options, seats=some, ranked=True))
    return out
