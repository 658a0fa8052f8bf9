"""Why these points: what an explanation says, figure by figure."""

from __future__ import annotations

from dominoes.rules.explain import EndCount, HandScore, PlayScore
from dominoes.rules.view import view_for
from tests.rules.sheet import Sheet, sheet


def last(hand: Sheet) -> PlayScore:
    """The explanation of the last tile."""
    told = view_for(hand.match, None).moves[-1].explain
    assert told is not None
    return told


def fives(first: str, second: str) -> Sheet:
    return sheet("fives", first, second, lot="6-6 5-5", target=500)


def result(hand: Sheet) -> HandScore:
    assert hand.match.hand_result is not None
    return hand.match.hand_result.explain


class TestPlays:
    def test_a_lone_opening_tile(self) -> None:
        told = last(fives("6-4 1-0", "3-3 2-2").say("0 6-4"))
        assert told == PlayScore((EndCount("first", "6-4", 10, True),), 10, 10, "fives.play")

    def test_the_spinner_with_one_side_open(self) -> None:
        told = last(fives("5-5 4-0", "5-0 5-3").say("0 5-5", "1 5-0 left"))
        assert told.ends == (EndCount("left", "5-0", 0, False), EndCount("right", "5-5", 10, True))
        assert (told.total, told.scored, told.uncounted) == (10, 10, ())

    def test_arms_without_a_tile_are_named_as_not_counted(self) -> None:
        hand = fives("5-5 5-4 3-2", "5-1 5-0 6-6").say("0 5-5", "1 5-1 left", "0 5-4 right")
        told = last(hand)
        assert told.ends == (EndCount("left", "5-1", 1, False), EndCount("right", "5-4", 4, False))
        assert told.uncounted == ("up", "down")
        told = last(hand.say("1 5-0 down"))
        assert told.ends[2] == EndCount("down", "5-0", 0, False)
        assert told.uncounted == ("up",)
        assert told.scored == 5

    def test_a_double_counts_both_its_halves(self) -> None:
        told = last(fives("4-1 2-2 0-0", "4-2 5-5 1-0").say("0 4-1", "1 4-2 left", "0 2-2 left"))
        assert told.ends[0] == EndCount("left", "2-2", 4, True)
        assert (told.total, told.scored) == (5, 5)

    def test_a_tile_that_scores_nothing_says_why_not(self) -> None:
        told = last(fives("6-3 1-0", "3-3 2-2").say("0 6-3"))
        assert (told.total, told.scored) == (9, 0)

    def test_draws_and_knocks_have_none(self) -> None:
        hand = sheet("fives", "6-3 1-0", "4-4 2-2", boneyard="5-5", lot="6-6 5-5")
        hand.say("0 6-3", "1 draw", "1 knock")
        assert [move.explain is None for move in view_for(hand.match, 0).moves] == [
            False, True, True,
        ]  # fmt: skip

    def test_where_plays_do_not_score_there_is_none(self) -> None:
        hand = sheet("draw", "5-5 1-0", "5-0 2-2").say("0 5-5", "1 5-0 left")
        assert [move.explain for move in view_for(hand.match, 0).moves] == [None, None]

    def test_it_stays_what_it_was(self) -> None:
        hand = fives("5-5 5-4 3-2", "5-1 5-0 6-6").say("0 5-5")
        first = view_for(hand.match, 0).moves
        twin = hand.match.copy()
        hand.say("1 5-1 left", "0 5-4 right")
        assert view_for(hand.match, 1).moves[0] is first[0]
        assert view_for(twin, 0).moves == first


class TestHands:
    def test_going_out_in_all_fives(self) -> None:
        told = result(fives("2-1", "6-5 2-0").say("0 2-1"))
        assert told == HandScore(
            how="out", winner=0, seat=0, sums=(0, 13), side_sums=(0, 13), counted=(1,), raw=13,
            subtracted=0, rounded=2, points=15, tie=None, rule="fives.out",
        )  # fmt: skip

    def test_a_blocked_hand_of_draw(self) -> None:
        hand = sheet("draw", "6-6 5-4", "2-1", "4-3", target=500)
        told = result(hand.say("0 6-6", "1 knock", "2 knock", "0 knock"))
        assert told == HandScore(
            how="blocked", winner=1, seat=1, sums=(9, 3, 7), side_sums=(9, 3, 7), counted=(0, 2),
            raw=16, subtracted=3, rounded=0, points=13, tie=None, rule="draw.blocked",
        )  # fmt: skip

    def test_a_stopped_hand_awards_nothing(self) -> None:
        told = result(sheet("draw", "6-6 5-4", "2-1 1-1").say("0 6-6", "agree"))
        assert (told.how, told.points, told.counted, told.rule) == (
            "stopped",
            0,
            (),
            "draw.stopped",
        )
        assert told.sums == (9, 5)
