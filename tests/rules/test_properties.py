"""What holds in every match of every system, at every ply."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dominoes.rules.errors import RulesError
from dominoes.rules.hand import Hand
from dominoes.rules.line import SpinnerHand, open_ends, tiles_laid
from dominoes.rules.match import Match
from dominoes.rules.moves import DRAW, KNOCK, LAID, WORDS
from dominoes.rules.perft import perft
from dominoes.rules.prospect import prospects
from dominoes.rules.record import load, replay, write
from dominoes.rules.tiles import ALL, CARRIES, NAMES, pips_in, tiles_in
from dominoes.rules.view import view_for
from tests.rules.games import TABLES, games
from tests.rules.sheet import state

EVERY_WORD = sorted({*LAID, "knock", "draw", "leave 0", "agree", "", "6-6 middle", "7-7", "left"})

seeds = st.integers(0, 2**32)
tables = st.sampled_from(TABLES)
restless = st.sampled_from([0.0, 0.0, 0.02])
matches = settings(max_examples=60)


def present(match: Match) -> Hand:
    assert match.hand is not None
    return match.hand


@matches
@given(seeds, tables, restless)
def test_the_28_tiles_are_conserved(seed: int, table: Any, unrest: float) -> None:
    for match in games(seed, table, restless=unrest):
        hand = present(match)
        assert match.current is not None
        places = [tiles_laid(hand), hand.gone, *hand.racks]
        places += [1 << tile for tile in hand.boneyard[hand.drawn :]]
        everything = 0
        for tiles in places:
            assert everything & tiles == 0, "a tile in two places"
            everything |= tiles
        dealt = sum(1 << t for rack in match.current.racks for t in rack or ())
        dealt |= sum(1 << tile for tile in match.current.boneyard)
        assert everything == dealt
        # Only Classic, after somebody has left, keeps undealt tiles out of play.
        if table[0] != "classic" or None not in match.current.racks:
            assert everything == ALL


@matches
@given(seeds, tables, restless)
def test_a_seat_on_turn_has_exactly_one_kind_of_thing_to_do(
    seed: int, table: Any, unrest: float
) -> None:
    for match in games(seed, table, restless=unrest):
        hand = present(match)
        if match.turn is None:
            assert hand.legal == ()
            assert match.phase != "play"
            continue
        assert match.phase == "play"
        kinds = {min(move, KNOCK) if move < KNOCK else move for move in hand.legal}
        laying = all(move < KNOCK for move in hand.legal)
        assert hand.legal
        assert laying or kinds in ({KNOCK}, {DRAW})
        if not laying:
            # Nothing fits, and drawing comes before the knock.
            fits = 0
            for pips in hand.ends:
                fits |= CARRIES[pips]
            assert hand.racks[match.turn] & fits == 0
            assert (hand.legal == (DRAW,)) == (hand.drawn < len(hand.boneyard))
        assert len(set(hand.legal)) == len(hand.legal)
        words = match.legal_words()
        assert words == sorted(set(words))


def legal_by_the_book(hand: Hand, turn: int) -> set[str]:
    """The legal words told from the words played alone: slowly, and by other means."""
    ends = open_ends(hand)
    rack = [NAMES[tile] for tile in tiles_in(hand.racks[turn])]
    words = {
        f"{tile} {end}"
        for tile in rack
        for end, shows in ends.items()
        if str(shows) in (tile[0], tile[2])
    }
    if words:
        return words
    return {"draw"} if hand.drawn < len(hand.boneyard) else {"knock"}


@settings(max_examples=20)
@given(seeds, tables)
def test_what_is_not_legal_is_refused_and_changes_nothing(seed: int, table: Any) -> None:
    chance = random.Random(seed)
    for match in games(seed, table, hands=2):
        before = state(match)
        legal = match.legal_words()
        hand = present(match)
        if match.turn is not None and hand.begun:
            assert set(legal) == legal_by_the_book(hand, match.turn)
        for word in chance.sample(EVERY_WORD, 25):
            for seat in range(match.options.players):
                if seat == match.turn and word in legal:
                    continue
                with pytest.raises(RulesError) as refused:
                    match.play(seat, word)
                assert str(refused.value) == refused.value.template % refused.value.params
                assert refused.value.code
        assert state(match) == before


@matches
@given(seeds, tables, restless)
def test_record_replay_record_is_the_identity(seed: int, table: Any, unrest: float) -> None:
    *_earlier, match = games(seed, table, restless=unrest)
    record = json.loads(json.dumps(write(match)))
    again = load(record)
    assert write(again) == record
    assert state(again) == state(match)
    lines = list(replay(record))
    assert lines[-1]["scores"] == match.scores
    assert sum(line["event"] == "deal" for line in lines) == match.hand_number


@settings(max_examples=25)
@given(seeds, tables, restless)
def test_racks_never_appear_in_another_viewers_view(seed: int, table: Any, unrest: float) -> None:
    for match in games(seed, table, restless=unrest, hands=2):
        hand = present(match)
        for viewer in (*range(match.options.players), None):
            view = view_for(match, viewer)
            own = viewer is not None and view.rack is not None
            may_see = tiles_laid(hand)
            if own and viewer is not None:
                may_see |= hand.racks[viewer]
            told = repr(
                (view.line, view.rack, view.legal, view.moves, view.seats, view.ends, view.result)
            )
            if match.phase == "play":
                for tile in tiles_in(ALL & ~may_see):
                    assert NAMES[tile] not in told, (viewer, NAMES[tile])
                assert view.result is None
            if match.turn != viewer:
                assert view.legal == ()
            else:
                assert list(view.legal) == match.legal_words()


@matches
@given(seeds, tables, restless)
def test_the_sum_of_an_explanation_is_the_score(seed: int, table: Any, unrest: float) -> None:
    before: list[int | None] = []
    for match in games(seed, table, restless=unrest):
        hand = present(match)
        view = view_for(match, None)
        if view.moves:
            last = view.moves[-1]
            assert last.scored == hand.scored
            if last.explain is not None:
                assert sum(end.counted for end in last.explain.ends) == last.explain.total
                due = last.explain.total if last.explain.total % 5 == 0 else 0
                assert last.scored == last.explain.scored == due
            assert (last.explain is not None) == (table[0] == "fives" and last.word in LAID)
        result = match.hand_result
        if result is not None:
            told = result.explain
            assert result.points == told.points
            assert told.raw - told.subtracted + told.rounded == told.points
            assert sum(told.sums[seat] or 0 for seat in told.counted) == told.raw
            for side, total in enumerate(told.side_sums):
                pips = [told.sums[seat] for seat in match.options.seats_of(side)]
                held = [p for p in pips if p is not None]
                assert total == (sum(held) if held else None)
        if result is None or result.how == "stopped":
            before = list(match.scores)
        if result is not None and result.how in ("out", "blocked") and hand.moves[-1] <= DRAW:
            gained = [
                (now or 0) - (was or 0) for now, was in zip(match.scores, before, strict=True)
            ]
            expected = hand.scored + result.points
            side = match.options.side_of(hand.seats[-1])
            assert sum(gained) == expected
            if result.winner is not None and result.how == "out":
                assert result.winner == side


@matches
@given(seeds, tables, restless)
def test_what_seats_have_shown_to_lack_they_do_lack(seed: int, table: Any, unrest: float) -> None:
    for match in games(seed, table, restless=unrest):
        hand = present(match)
        for seat in view_for(match, None).seats:
            # Who has drawn and not laid yet may have found what it lacked a moment ago.
            words = zip(hand.moves, hand.seats, strict=True)
            own = [m for m, s in words if s == seat.seat and m <= DRAW]
            if own and own[-1] == DRAW:
                continue
            for pips in seat.lacks:
                assert hand.racks[seat.seat] & CARRIES[pips] == 0
            assert set(seat.knocked) <= set(seat.lacks)


@matches
@given(seeds, tables, restless)
def test_a_copy_goes_its_own_way(seed: int, table: Any, unrest: float) -> None:
    for match in games(seed, table, restless=unrest, hands=2):
        before = state(match)
        twin = match.copy()
        assert state(twin) == before
        if twin.phase == "play":
            twin.play(twin.turn or 0, twin.timeout_word())
        elif twin.phase == "deal":
            twin.leave(next(s for s in range(twin.options.players) if s not in twin.left))
        assert state(match) == before


@matches
@given(seeds, tables, restless)
def test_a_match_can_be_taken_up_from_its_present_hand_alone(
    seed: int, table: Any, unrest: float
) -> None:
    for match in games(seed, table, restless=unrest):
        if match.ply % 7:
            continue
        base = json.loads(json.dumps(match.base()))
        again = Match.resume(match.options, base)
        assert match.current is not None
        again.deal(match.current.racks, match.current.boneyard, match.current.lot)
        for word in match.logs()[-1].words:
            if word == "agree":
                again.agree()
            elif word.startswith("leave"):
                again.leave(int(word[-1]))
            else:
                again.play(again.turn if again.turn is not None else -1, word)
        assert view_for(again, 0) == view_for(match, 0)
        assert (again.scores, again.phase, again.turn) == (match.scores, match.phase, match.turn)
        assert again.winning_opener() == match.winning_opener()
        assert again.rack_sizes == match.rack_sizes


@settings(max_examples=30)
@given(seeds, tables)
def test_a_prospect_is_what_comes_of_the_move(seed: int, table: Any) -> None:
    for match in games(seed, table, hands=2):
        if match.turn is None:
            continue
        told = prospects(view_for(match, match.turn))
        legal = match.legal_words()
        assert set(told) == {word for word in legal if word in LAID}
        for word, prospect in told.items():
            after = match.copy()
            after.play(match.turn, word)
            hand = present(after)
            assert prospect.values == set(hand.ends)
            assert prospect.scored == hand.scored


@settings(max_examples=20)
@given(seeds, tables, restless)
def test_a_view_made_from_everyones_is_the_same(seed: int, table: Any, unrest: float) -> None:
    for match in games(seed, table, restless=unrest, hands=2):
        everyone = view_for(match, None)
        for seat in range(match.options.players):
            assert view_for(match, seat, everyone) == view_for(match, seat)


@settings(max_examples=15)
@given(seeds, tables)
def test_perft_counts_what_can_be_played(seed: int, table: Any) -> None:
    for match in games(seed, table, hands=1):
        if match.turn is None or match.ply % 6:
            continue
        before = state(match)
        level = [match]
        counts = []
        for _depth in range(3):
            level = [played(m, word) for m in level for word in m.legal_words()]
            counts.append(len(level))
        assert perft(present(match), 3) == counts
        assert state(match) == before


def played(match: Match, word: str) -> Match:
    after = match.copy()
    after.play(after.turn if after.turn is not None else -1, word)
    return after


def exposed_by_the_book(words: list[str]) -> int:
    """The sum of the exposed ends, told from the words alone: a second, slower reading."""
    spinner: str | None = None
    at_end: dict[str, tuple[int, bool]] = {}
    covered: set[str] = set()
    lone = True
    for word in words:
        if word not in LAID:
            continue
        tile, _space, end = word.partition(" ")
        high, low = int(tile[0]), int(tile[2])
        if not end:
            at_end = {"left": (high, high == low), "right": (low, high == low)}
            if high == low:
                spinner, sides = tile, {"left", "right"}
        else:
            lone = False
            was = at_end[end][0] if end in at_end else int((spinner or "0")[0])
            at_end[end] = (high + low - was, high == low)
            if spinner is not None and end in sides:
                covered.add(end)
            if spinner is None and high == low:
                spinner, sides = tile, {end}
                covered = set()
    if lone:
        return sum(number for number, _double in at_end.values())
    total = 0
    for end, (number, double) in at_end.items():
        if spinner is not None and len(sides) == 2 and end in sides and end not in covered:
            continue
        total += 2 * number if double else number
    if spinner is not None and len(sides) == 2 and covered != sides:
        total += 2 * int(spinner[0])
    return total


@matches
@given(seeds, st.sampled_from([table for table in TABLES if table[0] == "fives"]))
def test_points_in_play_by_a_second_reading(seed: int, table: Any) -> None:
    for match in games(seed, table):
        hand = present(match)
        assert isinstance(hand, SpinnerHand)
        words = [WORDS[move] for move in hand.moves]
        if words and words[-1] in LAID:
            total = exposed_by_the_book(words)
            assert hand.scored == (total if total % 5 == 0 else 0), words


@given(st.integers(0, ALL))
def test_the_pips_of_any_rack(rack: int) -> None:
    assert pips_in(rack) == sum(int(NAMES[t][0]) + int(NAMES[t][2]) for t in tiles_in(rack))


@matches
@given(seeds, tables, restless)
def test_scores_never_fall_and_a_finished_match_is_finished(
    seed: int, table: Any, unrest: float
) -> None:
    before: list[int] = []
    for match in games(seed, table, restless=unrest):
        scores = [-1 if score is None else score for score in match.scores]
        for was, now in zip(before, scores, strict=False):
            assert now == -1 or now >= was
        before = scores
        reached = [side for side, score in enumerate(scores) if score >= match.options.target]
        if reached:
            assert match.phase == "over"
            assert match.result is not None
            assert match.result.winner == reached[0]
            assert len(reached) == 1
        assert (match.result is not None) == (match.phase == "over")
