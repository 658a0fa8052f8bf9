"""What the table says: every change in a sentence, and points in words that add up."""

from __future__ import annotations

import random
import re
from dataclasses import replace

import pytest
from django.utils import translation

from dominoes.rules.match import Match
from dominoes.rules.options import Options
from dominoes.rules.tiles import NAMES, parse_tile
from dominoes.rules.view import view_for
from dominoes.table import words, words_say
from dominoes.table.pictures import SeatState, TableState
from dominoes.table.words_points import reasons, summed
from tests.playing import deal_next
from tests.table.samples import bot, played, seat_state, table
from tests.table.tables import SETUPS


def dealt(options: Options, *racks: str, lot: str = "") -> Match:
    """A match whose first hand is dealt like this; what is left over is the boneyard, in order."""
    match = Match(options)
    tiles = [[parse_tile(name) for name in rack.split()] for rack in racks]
    used = {tile for rack in tiles for tile in rack}
    rest = [tile for tile in range(len(NAMES)) if tile not in used][: match.boneyard_size]
    match.deal(tiles, rest, [parse_tile(name) for name in lot.split()] or None)
    return match


def listened(match: Match, moves: str, you: int | None) -> list[str]:
    """What a viewer hears, move by move, from coming in on."""
    state = table(match)
    told = [words_say.say(None, state, view_for(match, None), you)]
    before = words_say.heard(state, view_for(match, None))
    for move in moves.split(", "):
        assert match.turn is not None
        match.play(match.turn, move)
        state = table(match)
        view = view_for(match, None)
        told.append(words_say.say(before, state, view, you))
        before = words_say.heard(state, view)
    return told


def test_a_whole_hand_sentence_by_sentence() -> None:
    match = dealt(
        Options.of("draw", players=2),
        "6-6 6-5 5-4 4-3 3-2 2-1 1-0",
        "5-5 4-4 6-4 3-3 2-2 6-0 5-0",
    )
    moves = "6-6, 6-4 left, 5-4 left, 5-5 left, 6-5 right, 5-0 left, 1-0 left, draw, draw, 1-1 left"
    assert listened(match, moves, 0) == [
        "Hand 1. It is your turn.",
        "You opened with 6-6.",
        "Ben laid 6-4 on the left.",
        "You laid 5-4 on the left.",
        "Ben laid 5-5 on the left.",
        "You laid 6-5 on the right.",
        "Ben laid 5-0 on the left.",
        "You laid 1-0 on the left.",
        "Ben drew a tile.",
        "Ben drew a tile.",
        "Ben laid 1-1 on the left.",
    ]


def test_drawn_tiles_missed_together_are_told_together() -> None:
    match = dealt(
        Options.of("draw", players=2),
        "6-6 6-5 5-4 4-3 3-2 2-1 1-0",
        "5-5 4-4 4-2 3-3 2-2 4-1 5-0",
    )
    match.play(0, "6-6")
    before = words_say.heard(table(match), view_for(match, None))
    for _ in range(2):
        match.play(1, "draw")
    said = words_say.say(before, table(match), view_for(match, None), 1)
    assert said == "You drew 2 tiles."


def test_all_fives_says_its_arithmetic() -> None:
    match = dealt(
        Options.of("fives", players=2),
        "5-5 6-5 5-4 4-3 3-2 2-1 1-0",
        "5-0 4-4 6-4 3-3 2-2 6-0 3-0",
        lot="5-5 1-0",
    )
    assert listened(match, "5-5, 5-0 left, 6-5 right", 1) == [
        "Hand 1. It is Ana's turn.",
        "Ana opened with 5-5: 10, scores 10.",
        "You laid 5-0 on the left: 0 + 10 = 10, scores 10.",
        "Ana laid 6-5 on the right: 0 + 6 = 6, no score.",
    ]


def test_the_lot_is_told_with_why_that_seat_opens() -> None:
    options = Options.of("partners")
    match = Match(options)
    deal_next(match, random.Random(4))
    view = view_for(match, None)
    assert view.opener is not None and view.lot is not None
    opened = words.opening(view, words.names_of(table(match)))
    assert opened is not None
    assert (
        opened.to(view.opener.seat) == f"You drew {view.lot[view.opener.seat]} in the lot and open."
    )


def test_people_come_and_go() -> None:
    options = Options.of("draw", players=2)
    empty = table(None, options, seats=(seat_state(0), None))
    full = table(None, options, seats=(seat_state(0), seat_state(1)))
    before = words_say.heard(empty, None)
    assert words_say.say(before, full, None, 0) == "Ben has sat down. Seats taken: 2 of 2."
    assert words_say.say(words_say.heard(full, None), empty, None, 0) == (
        "Ben has stood up. Seats taken: 1 of 2."
    )


def over(*, abandoned: bool = False, seats: tuple[SeatState | None, ...]) -> TableState:
    """A table after a match for two."""
    match = played("draw", 2, "singles", lambda m: m.phase == "over", target=25)
    state = table(match, seats=seats)
    return replace(state, status="abandoned", match_result=None) if abandoned else state


@pytest.mark.parametrize("abandoned", [False, True])
@pytest.mark.parametrize(
    ("old", "new", "sentence"),
    [
        (seat_state(1), None, "Ben has stood up. Seats taken: 1 of 2."),
        (None, seat_state(1), "Ben has sat down. Seats taken: 2 of 2."),
        (seat_state(1, state="left"), None, ""),
        (
            seat_state(1, state="left"),
            seat_state(1, name="Dora"),
            "Dora has sat down. Seats taken: 2 of 2.",
        ),
        (seat_state(1), seat_state(1, rematch=True), "Ben would play again."),
        (seat_state(1), seat_state(1), ""),
    ],
)
def test_people_come_and_go_after_a_match(
    old: SeatState | None, new: SeatState | None, sentence: str, abandoned: bool
) -> None:
    match = played("draw", 2, "singles", lambda m: m.phase == "over", target=25)
    view = view_for(match, None)
    before = words_say.heard(over(abandoned=abandoned, seats=(seat_state(0), old)), view)
    after = over(abandoned=abandoned, seats=(seat_state(0), new))
    assert words_say.say(before, after, view, 0) == sentence
    assert words_say.say(before, after, view, 1) == ""  # whoever does it knows


def test_what_the_others_agree_to_is_told() -> None:
    match = played("fives", 2, "singles", lambda m: m.phase == "deal" and m.hand_number > 0)
    view = view_for(match, None)
    before = words_say.heard(table(match, offer=0), view)
    for about, sentence in (
        ({"ready": True}, "Ben is ready for the next hand."),
        ({"accepted": True}, "Ben accepts the draw."),
    ):
        after = table(match, offer=0, seats=(seat_state(0), seat_state(1, **about)))
        assert words_say.say(before, after, view, 0) == sentence
        assert words_say.say(words_say.heard(after, view), after, view, 0) == ""


def test_a_bot_that_is_taken_away_has_its_name_in_the_listener_s_language() -> None:
    options = Options.of("draw", players=3)
    full = table(None, options, seats=(seat_state(0), bot(1, "easy"), bot(2, "easy")))
    less = replace(full, seats=(seat_state(0), bot(1, "easy"), None))
    before = words_say.heard(full, None)
    assert words_say.say(before, less, None, 0).startswith("Easy bot 2 has stood up.")
    with translation.override("es"):
        assert words_say.say(before, less, None, 0).startswith("Bot fácil 2 se levantó.")


@pytest.mark.parametrize(
    ("old", "new", "sentence"),
    [
        ("here", "dropped", "Ben has lost the connection."),
        ("dropped", "here", "Ben is back."),
        ("here", "away", "Ben is away; moves are made for that seat."),
        ("here", "here", ""),
    ],
)
def test_presence_is_told(old: str, new: str, sentence: str) -> None:
    match = Match(Options.of("draw", players=2))
    deal_next(match, random.Random(1))
    first = table(match, seats=(seat_state(0), seat_state(1, state=old)))
    then = table(match, seats=(seat_state(0), seat_state(1, state=new)))
    before = words_say.heard(first, view_for(match, None))
    assert words_say.say(before, then, view_for(match, None), 0) == sentence


def test_bots_of_one_level_are_numbered() -> None:
    options = Options.of("draw", players=3)
    state = table(None, options, seats=(bot(0, "easy"), bot(1), bot(2, "easy")))
    assert words.names_of(state) == ("Easy bot 1", "Steady bot", "Easy bot 2")


@pytest.mark.parametrize(("rules", "players", "sides"), SETUPS)
def test_the_reasons_of_every_hand_add_up(rules: str, players: int, sides: str) -> None:
    dice = random.Random(7)
    for _ in range(3):
        match = Match(Options.of(rules, players=players, sides=sides))
        while match.phase != "over":
            deal_next(match, dice)
            while match.phase == "play":
                assert match.turn is not None
                match.play(match.turn, dice.choice(match.legal_words()))
            result = match.hand_result
            if result is None:
                continue
            state = table(match)
            names = words.names_of(state)
            score = result.explain
            told = reasons(state, score, names)
            assert told and all(told)
            assert not re.search(r"%\(|None", " ".join(told))
            if score.points:
                figures = summed(score, names).partition("=")[0]
                numbers = [int(n) for n in re.findall(r"(?<=[ ])\d+", figures)]
                assert (
                    sum(numbers[: len(score.counted)]) - score.subtracted
                    == score.raw - score.subtracted
                )
                assert words.hand_over(state, view_for(match, None), names) is not None


@pytest.mark.parametrize(("rules", "players", "sides"), SETUPS)
def test_a_whole_match_is_told_to_every_seat(rules: str, players: int, sides: str) -> None:
    dice = random.Random(3)
    match = Match(Options.of(rules, players=players, sides=sides, target=50))
    before: words_say.Heard | None = None
    while True:
        if match.phase == "deal":
            deal_next(match, dice)
        elif match.phase == "play":
            assert match.turn is not None
            match.play(match.turn, dice.choice(match.legal_words()))
        state, view = table(match), view_for(match, None)
        for you in (None, *range(players)):
            said = words_say.say(before, state, view, you)
            assert said.endswith(".")
            assert "%(" not in said
        before = words_say.heard(state, view)
        if match.phase == "over":
            assert "match" in words_say.say(None, state, view, None)
            return
