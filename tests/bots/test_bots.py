"""Bots play legally, see nothing that isn't theirs, and the steady one is the better player."""

import random

import pytest

from dominoes.bots import LEVELS, choose
from dominoes.rules.match import Match
from dominoes.rules.options import Options
from dominoes.rules.prospect import prospects
from dominoes.rules.view import view_for
from tests.playing import deal_next

SETUPS = [
    ("partners", 4, "partners"),
    *(("draw", n, "singles") for n in (2, 3, 4)),
    ("classic", 2, "singles"),
    ("classic", 4, "singles"),
    ("classic", 4, "partners"),
    *(("fives", n, "singles") for n in (2, 3, 4)),
    ("fives", 4, "partners"),
]


def play_match(options: Options, levels: list[str], chance: random.Random) -> Match:
    match = Match(options)
    while match.phase != "over":
        if match.phase == "deal":
            deal_next(match, chance)
        seat = match.turn
        assert seat is not None
        word = choose(view_for(match, seat), levels[seat], chance)
        assert word in match.legal_words()
        match.play(seat, word)
    return match


@pytest.mark.parametrize("level", sorted(LEVELS))
@pytest.mark.parametrize(("rules", "players", "sides"), SETUPS)
def test_whole_matches_of_every_setup(rules: str, players: int, sides: str, level: str) -> None:
    options = Options.of(rules, players=players, sides=sides, target=60)
    match = play_match(options, [level] * players, random.Random(f"{rules}{players}{sides}"))
    assert match.result is not None
    assert match.result.how == "target"


@pytest.mark.parametrize(
    ("rules", "sides", "players"),
    [
        ("partners", "partners", 4),
        ("draw", "singles", 2),
        ("fives", "singles", 2),
    ],
)
def test_steady_beats_easy(rules: str, sides: str, players: int) -> None:
    options = Options.of(rules, players=players, sides=sides)
    chance = random.Random(7)
    won = 0
    for game in range(60):
        steady_side = game % 2
        levels = ["steady" if s % 2 == steady_side else "easy" for s in range(players)]
        match = play_match(options, levels, chance)
        assert match.result is not None
        won += match.result.winner == steady_side
    assert won >= 34, f"the steady bot won {won} of 60"


def test_a_prospect_is_what_the_rules_then_say() -> None:
    chance = random.Random(3)
    match = Match(Options.of("fives", players=4, sides="partners"))
    seen = 0
    while match.phase != "over":
        if match.phase == "deal":
            deal_next(match, chance)
        seat = match.turn
        assert seat is not None
        ahead = prospects(view_for(match, seat))
        word = chance.choice(match.legal_words())
        match.play(seat, word)
        view = view_for(match, None)
        if word in ahead:
            seen += 1
            assert ahead[word].scored == view.moves[-1].scored
            assert ahead[word].values == set(view.ends.values())
    assert seen > 50


def test_a_bot_is_asked_on_its_turn_only() -> None:
    match = Match(Options.of("draw", players=2))
    deal_next(match, random.Random(1))
    assert match.turn is not None
    with pytest.raises(ValueError, match="turn"):
        choose(view_for(match, 1 - match.turn), "steady")


def test_the_choice_rests_on_the_view_alone() -> None:
    """Other racks and another boneyard order behind the same view lead to the same move."""
    chance = random.Random(11)
    for _ in range(40):
        match = Match(Options.of("draw", players=3))
        deal_next(match, chance)
        for _ply in range(chance.randrange(8)):
            if match.phase != "play":
                break
            match.play(match.turn or 0, chance.choice(match.legal_words()))
        if match.phase != "play" or match.hand is None or match.turn is None:
            continue
        seat = match.turn
        others = [s for s in range(3) if s != seat]
        twin = match.copy()
        assert twin.hand is not None
        a, b = others
        if twin.hand.racks[a].bit_count() == twin.hand.racks[b].bit_count():
            twin.hand.racks[a], twin.hand.racks[b] = twin.hand.racks[b], twin.hand.racks[a]
        for level in LEVELS:
            one = choose(view_for(match, seat), level, random.Random(5))
            other = choose(view_for(twin, seat), level, random.Random(5))
            assert one == other
