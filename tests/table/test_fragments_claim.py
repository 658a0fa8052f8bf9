"""What runs beside a turn: a reserve, the time until a claim, a held seat; what leaving costs."""

from __future__ import annotations

import random
import re
from typing import Any

import pytest

from dominoes.rules.match import Match
from dominoes.rules.options import Options
from dominoes.rules.view import view_for
from dominoes.table import fragments, words_say
from dominoes.table.fragments_leave import cost
from dominoes.table.fragments_parts import Words
from dominoes.table.pictures import Due, TableState
from tests.playing import deal_next
from tests.table.samples import NAMES, NOW, bot, seat_state, table


def dealt(players: int = 3, sides: str = "singles") -> Match:
    rules = "partners" if sides == "partners" else "draw"
    match = Match(Options.of(rules, players=players, sides=sides))
    deal_next(match, random.Random(4))
    return match


def shown(state: TableState, match: Match, you: int | None, part: str) -> str:
    """A part's text without its tags."""
    html = fragments.own(state, view_for(match, you), you)[part]
    return " ".join(re.sub(r"<[^>]*>", " ", html).split())


def on_turn(match: Match, what: str, **about: Any) -> tuple[TableState, int]:
    assert match.turn is not None
    reserve = about.pop("reserve", False)
    due = Due(what, about.pop("seat", match.turn), NOW + 200, reserve)
    return table(match, due=due, turn_seconds=0 if what == "claim" else 60, **about), match.turn


def test_a_reserve_is_told_to_its_seat_and_to_the_others() -> None:
    match = dealt()
    state, turn = on_turn(match, "turn", reserve=True)
    name = NAMES[turn]
    mine = shown(state, match, turn, "status")
    assert mine.startswith("Your turn")
    assert mine.endswith("Your clock has run out: your reserve runs, once in a match.")
    for you in (None, (turn + 1) % 3):
        assert shown(state, match, you, "status") == (
            f"{name}'s turn The clock has run out: {name}'s reserve runs, once in a match."
        )
    # Spoken when it begins, not again.
    view = view_for(match, None)
    before = words_say.heard(on_turn(match, "turn")[0], view)
    began = words_say.say(before, state, view, None)
    assert began == f"The clock has run out: {name}'s reserve runs, once in a match."
    assert words_say.say(words_say.heard(state, view), state, view, None) == ""
    assert words_say.say(None, state, view, turn).endswith("your reserve runs, once in a match.")
    assert "reserve" not in shown(*(on_turn(match, "turn")[0], match, turn), "status")


def test_the_time_until_a_claim_is_shown_to_both() -> None:
    match = dealt()
    state, turn = on_turn(match, "claim")
    other = (turn + 1) % 3
    assert "Until your seat can be claimed, if you do nothing:" in shown(
        state, match, turn, "status"
    )
    assert f"Until {NAMES[turn]}'s seat can be claimed:" in shown(state, match, other, "status")
    for you in (turn, other, None):
        status = fragments.own(state, view_for(match, you), you)["status"]
        at = int((NOW + 200) * 1000)
        assert f'<time class="clock" data-at="{at}" data-what="claim"></time>' in status
    assert "claim" not in fragments.own(state, view_for(match, turn), turn)["controls"]
    view = view_for(match, None)
    assert words_say.say(words_say.heard(state, view), state, view, other) == ""


CLAIMS: dict[str, tuple[Match, dict[str, Any], int, str]] = {
    "two": (dealt(2), {}, 1, "{name} loses the match, you win it"),
    "three": (dealt(3), {}, 1, "{name} is out and loses, the others play on"),
    "three, two left": (dealt(3), {"left": 2}, 1, "{name} loses the match, you win it"),
    "partners": (dealt(4, "partners"), {}, 1, "{name} and {partner} lose the match"),
    "own partner": (dealt(4, "partners"), {}, 2, "the match is lost for both of you"),
    "nearby": (
        dealt(3), {"kind": "nearby"}, 1, "the match ends for everybody, without a result",
    ),
}  # fmt: skip


@pytest.mark.parametrize("setup", CLAIMS)
def test_a_claim_says_what_it_does_and_whom_it_costs(setup: str) -> None:
    match, about, after, says = CLAIMS[setup]
    about = dict(about)
    state, turn = on_turn(match, "claim")
    players = state.options.players
    gone = about.pop("left", None)
    seats = tuple(
        seat_state(s, state="left" if gone == (s - turn) % players else "here")
        for s in range(players)
    )
    state, turn = on_turn(match, "claim", seats=seats, **about)
    first, second = sorted((turn, (turn + 2) % players)) if players == 4 else (turn, turn)
    text = shown(state, match, (turn + after) % players, "controls")
    assert text.endswith(says.format(name=NAMES[first], partner=NAMES[second]))
    assert f"claim the seat of {NAMES[turn]}" in text


def test_a_held_seat_does_not_hide_whose_turn_it_is() -> None:
    match = dealt()
    turn = match.turn
    assert turn is not None
    gone, third = (turn + 1) % 3, (turn + 2) % 3
    state, _turn = on_turn(match, "return", seat=gone, kind="nearby")
    held = f"{NAMES[gone]} has dropped out. The seat is held for"
    mine = shown(state, match, turn, "status")
    assert mine.startswith("Your turn") and mine.endswith(f". {held}")
    assert shown(state, match, third, "status") == f"{NAMES[turn]}'s turn. {held}"
    state, _turn = on_turn(match, "return", seat=turn, kind="nearby")
    assert shown(state, match, third, "status") == (
        f"{NAMES[turn]} has dropped out. The seat is held for"
    )


HERE, AWAY, LEFT = "here", "away", "left"
ON = (
    "The others play on. Your tiles and your score go, and it counts as a loss for you "
    "when the match ends."
)
WINS = "Only Ben would be left and wins the match at once. It is a loss for you."
COSTS = [
    ((HERE, HERE, HERE), ON),
    ((HERE, AWAY, HERE), ON),
    ((HERE, HERE, LEFT), WINS),
    ((HERE, AWAY, LEFT), "Only Ben would be left, who is away: the match ends without a result."),
    ((HERE, LEFT, "bot"), "Nobody but bots would be left: the match ends without a result."),
]


@pytest.mark.parametrize(("states", "says"), COSTS)
def test_what_leaving_costs_where_others_may_be_left(states: tuple[str, ...], says: str) -> None:
    seats = tuple(
        bot(seat) if state == "bot" else seat_state(seat, state=state)
        for seat, state in enumerate(states)
    )
    state = table(dealt(), seats=seats)
    assert cost(state, 0, Words.of(state)) == says


CLOSED = [
    ({"timed": True}, "the clock of your turns runs on."),
    ({"kind": "nearby", "timed": False}, "aren't back within 30 seconds"),
    ({"timed": False}, "after five minutes without a move on your turn your seat can be claimed."),
    ({"timed": False, "seats": (seat_state(0), bot(1), bot(2))}, "waits a week for you."),
    (
        {"timed": False, "seats": (seat_state(0), seat_state(1, state="left"), bot(2))},
        "waits a week for you.",
    ),
]


@pytest.mark.parametrize(("about", "says"), CLOSED)
def test_closing_the_page_says_what_becomes_of_the_seat(about: dict[str, Any], says: str) -> None:
    match = dealt()
    assert says in shown(table(match, **about), match, 0, "leave")
