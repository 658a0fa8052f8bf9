"""All Fives, row by row of its sheet."""

from __future__ import annotations

import pytest

from dominoes.rules.errors import BadDeal, BadOptions
from dominoes.rules.match import Match
from dominoes.rules.options import Options
from tests.rules.sheet import Sheet, sheet


def two(first: str, second: str, boneyard: str = "", **options: object) -> Sheet:
    """Two seats, seat 0 to open."""
    return sheet("fives", first, second, boneyard=boneyard, lot="6-6 5-5", **options)


def four(
    *racks: str, sides: str = "partners", lot: str = "6-6 5-5 4-4 3-3", **options: object
) -> Sheet:
    return sheet("fives", *racks, lot=lot, sides=sides, **options)


class TestTable:
    @pytest.mark.parametrize(
        ("players", "sides", "boneyard"),
        [(2, "singles", 14), (3, "singles", 7), (4, "singles", 0), (4, "partners", 0)],
    )
    def test_always_seven_tiles_the_rest_is_the_boneyard(
        self, players: int, sides: str, boneyard: int
    ) -> None:
        match = Match(Options.of("fives", players, sides))
        assert match.rack_sizes == (7,) * players
        assert match.boneyard_size == boneyard
        assert match.options.target == 250

    @pytest.mark.parametrize(("players", "sides"), [(3, "partners"), (2, "partners"), (5, None)])
    def test_no_other_table(self, players: int, sides: str | None) -> None:
        with pytest.raises(BadOptions):
            Options.of("fives", players, sides)


class TestFirstHand:
    @pytest.mark.parametrize(
        ("lot", "opener"),
        [
            ("6-5 1-1 5-4", 1),  # any double before any other tile
            ("3-3 1-1 4-4", 2),  # the higher double
            ("5-4 6-3 6-2", 1),  # without one the greater weight, then the heavier end
        ],
    )
    def test_the_highest_double_of_the_lot_opens(self, lot: str, opener: int) -> None:
        hand = sheet("fives", "6-6 1-0", "5-5 2-0", "4-4 3-0", lot=lot)
        assert hand.match.turn == opener
        assert hand.match.opener is not None
        assert hand.match.opener.why == "lot"

    def test_with_any_tile(self) -> None:
        two("6-6 1-0", "5-5 2-0").may("6-6", "1-0")

    def test_the_lot_is_due(self) -> None:
        with pytest.raises(BadDeal, match="lot"):
            sheet("fives", "6-6", "5-5")


class TestScoreInPlay:
    """The exposed ends after each tile."""

    def test_the_lone_opening_tile_counts_both_halves_once(self) -> None:
        assert two("6-4 1-0", "3-3 2-2").say("0 6-4").scored == 10
        assert two("5-5 1-0", "3-3 2-2").say("0 5-5").scored == 10
        assert two("5-0 1-0", "3-3 2-2").say("0 5-0").scored == 5

    def test_only_a_multiple_of_five_above_zero(self) -> None:
        assert two("6-3 1-0", "3-3 2-2").say("0 6-3").scored == 0
        assert two("0-0 1-0", "3-3 2-2").say("0 0-0").scored == 0

    def test_scored_at_once_exactly_and_for_the_side(self) -> None:
        hand = four("6-4 1-0", "6-2 1-1", "2-2 5-1", "4-1 0-0").say("0 6-4")
        assert hand.match.scores == [10, 0]
        hand.say("1 6-2 left")  # 2 + 4
        assert hand.match.scores == [10, 0]
        hand.say("2 2-2 left")  # 4 + 4
        assert (hand.scored, hand.match.scores) == (0, [10, 0])
        hand.say("3 4-1 right")  # 4 + 1
        assert (hand.scored, hand.match.scores) == (5, [10, 5])

    def test_an_exposed_double_counts_both_halves(self) -> None:
        hand = two("6-3 6-6", "3-1 5-5").say("0 6-3", "1 3-1 right", "0 6-6 left")
        assert hand.scored == 0  # 12 + 1
        hand = two("6-3 6-6", "3-2 5-5").say("0 6-3", "1 3-2 right", "0 6-6 left")
        assert hand.scored == 0  # 12 + 2
        hand = two("6-3 6-6", "3-3 5-5").say("0 6-3", "1 3-3 right")
        assert hand.scored == 0  # 6 + 6
        hand = two("4-3 2-2", "4-2 5-5").say("0 4-3", "1 4-2 left")
        assert hand.scored == 5  # 2 + 3
        hand = two("4-1 2-2", "4-2 5-5").say("0 4-1", "1 4-2 left", "0 2-2 left")
        assert hand.scored == 5  # 4 + 1

    def test_the_spinner_counts_while_one_long_side_is_open(self) -> None:
        hand = two("5-5 4-0", "5-0 5-3").say("0 5-5", "1 5-0 left")
        assert hand.scored == 10  # 0 and the spinner's two halves
        hand = two("5-5 4-0", "5-3 5-0").say("0 5-5", "1 5-3 right")
        assert hand.scored == 0  # 3 + 10

    def test_the_spinner_counts_nothing_once_both_are_covered(self) -> None:
        hand = two("5-5 5-4", "5-1 6-6").say("0 5-5", "1 5-1 left", "0 5-4 right")
        assert hand.scored == 5  # 1 + 4

    def test_an_arm_counts_only_once_a_tile_lies_on_it(self) -> None:
        hand = two("5-5 5-4 3-2 1-0", "5-1 5-0 5-3 6-6")
        hand.say("0 5-5", "1 5-1 left", "0 5-4 right")
        hand.refuses("1 5-0 middle", "nonsense")
        hand.say("1 5-0 up")
        assert hand.scored == 5  # 1 + 4 + 0
        hand.say("0 1-0 left", "1 5-3 down")
        assert hand.scored == 0  # 0 + 4 + 0 + 3

    def test_a_draw_and_a_knock_score_nothing(self) -> None:
        hand = two("5-0 3-2", "6-6 4-4", boneyard="6-1").say("0 5-0")
        assert hand.scored == 5
        hand.say("1 draw")
        assert hand.scored == 0
        hand.say("1 knock")
        assert hand.match.scores == [5, 0]


class TestSpinner:
    def test_the_first_double_laid_wherever_it_lands(self) -> None:
        hand = two("6-4 4-2 4-3 2-1", "4-4 4-1 4-0 6-6").say("0 6-4", "1 4-4 right")
        hand.may("4-2 right", "4-3 right")
        hand.say("0 4-2 right")  # now both long sides carry a tile
        hand.may("4-0 down", "4-0 up", "4-1 down", "4-1 up", "6-6 left")

    def test_open_on_both_long_sides_first(self) -> None:
        hand = two("4-4 2-1 1-0", "4-2 4-1 4-0").say("0 4-4")
        hand.may(*(f"{tile} {end}" for tile in ("4-2", "4-1", "4-0") for end in ("left", "right")))
        hand.refuses("1 4-2 up", "no_such_end")
        hand.say("1 4-2 left")
        hand.refuses("0 2-1 up", "no_such_end")

    def test_then_on_its_two_short_ends_as_well(self) -> None:
        hand = two("4-4 2-1 4-0", "4-2 4-1 4-3").say("0 4-4", "1 4-2 left", "0 4-0 right")
        assert hand.match.hand is not None
        assert hand.match.hand.ends == (2, 0, 4, 4)
        hand.may("4-1 up", "4-1 down", "4-3 up", "4-3 down")
        hand.say("1 4-1 up")
        assert hand.match.hand.ends == (2, 0, 1, 4)

    def test_all_other_doubles_do_not_branch(self) -> None:
        hand = two("6-6 6-4 4-0 5-4 1-0", "6-3 4-4 3-1 4-1 2-1")
        hand.say("0 6-6", "1 6-3 left", "0 6-4 right", "1 4-4 right", "0 4-0 right")
        assert hand.match.hand is not None
        assert hand.match.hand.ends == (3, 0, 6, 6)

    def test_a_line_that_grows_away_from_it_opens_nothing(self) -> None:
        hand = two("4-4 2-1 1-0 5-0", "4-2 3-0 6-1 6-0", boneyard="")
        hand.say("0 4-4", "1 4-2 left", "0 2-1 left", "1 6-1 left")
        assert hand.match.hand is not None
        assert hand.match.hand.ends == (6, 4)


class TestTurn:
    def test_draws_as_in_draw(self) -> None:
        hand = two("6-3 2-1", "5-4 1-0", boneyard="5-5 6-0").say("0 6-3")
        hand.refuses("1 knock", "must_draw")
        hand.say("1 draw", "1 draw")
        hand.may("6-0 left")
        hand.refuses("1 draw", "can_lay")

    def test_knocks_with_the_boneyard_empty(self) -> None:
        hand = two("6-3 2-1", "5-4 1-0").say("0 6-3")
        hand.refuses("1 draw", "boneyard_empty")
        hand.say("1 knock")


class TestHand:
    def test_going_out_pays_the_opponents_pips_rounded(self) -> None:
        for held, points in [
            ("1-0", 0),
            ("2-0", 0),
            ("3-0", 5),
            ("4-0", 5),
            ("5-1", 5),
            ("5-2", 5),
            ("5-3", 10),
            ("5-4", 10),
            ("6-6", 10),
            ("6-5 2-0", 15),
        ]:
            hand = two("2-1", held, target=500).say("0 2-1")
            hand.over("out", winner=0, points=points)
            assert hand.match.hand_result is not None
            explain = hand.match.hand_result.explain
            assert explain.raw + explain.rounded == points

    def test_together_then_rounded(self) -> None:
        # 2 and 2 and 4 are 8, which gives ten; rounded one by one they would give five.
        hand = four("2-1", "2-0", "1-1", "4-0", sides="singles", target=500).say("0 2-1")
        hand.over("out", winner=0, points=10)

    def test_a_partners_tiles_are_not_counted(self) -> None:
        hand = four("2-1", "4-0", "5-5", "6-0", target=500).say("0 2-1")
        hand.over("out", winner=0, points=10)

    def blocked(self, *held: str, sides: str = "partners") -> Sheet:
        hand = four(f"6-6 {held[0]}", *held[1:], sides=sides, target=500)
        return hand.say("0 6-6", "1 knock", "2 knock", "3 knock", "0 knock")

    def test_blocked_the_side_with_the_fewest_pips_scores_the_opponents(self) -> None:
        self.blocked("4-1", "1-0", "3-2", "5-5").over("blocked", winner=0, points=10)

    def test_blocked_and_rounded(self) -> None:
        self.blocked("4-1", "2-1", "3-2", "5-5").over("blocked", winner=0, points=15)

    def test_tied_nobody_scores(self) -> None:
        hand = self.blocked("4-1", "5-0", "2-0", "1-1")
        hand.over("blocked", winner=None, points=0)
        assert hand.match.hand_result is not None
        assert hand.match.hand_result.explain.tie == "equal_totals"


class TestLaterHands:
    def test_the_seat_that_went_out_opens_with_any_tile(self) -> None:
        hand = two("6-3 1-0", "3-1 1-1", target=500).say("0 6-3", "1 3-1 right", "0 1-0 right")
        hand.over("out", winner=0, points=0)
        hand.deal("6-6 5-4", "5-5 3-2")
        assert hand.match.turn == 0
        hand.may("6-6", "5-4")
        assert hand.match.opener is not None
        assert hand.match.opener.why == "won"

    @pytest.mark.parametrize(
        ("held", "sides", "opener", "why"),
        [
            (("4-1", "1-0", "3-2", "5-5"), "partners", 2, "won"),  # 5 and 5: clockwise after seat 0
            (("4-0", "1-0", "3-2", "5-5"), "partners", 0, "won"),  # the lighter rack
            (("5-5", "3-2", "5-4", "4-1"), "partners", 1, "won"),  # equal again
            (("5-5", "4-1", "5-4", "2-1"), "partners", 3, "won"),
            (("5-5", "4-1", "5-4", "2-1"), "singles", 3, "won"),
            (("4-1", "5-0", "2-0", "1-1"), "partners", 1, "next"),  # nobody won
        ],
    )
    def test_after_a_blocked_hand(
        self, held: tuple[str, ...], sides: str, opener: int, why: str
    ) -> None:
        hand = TestHand().blocked(*held, sides=sides).deal("6-6", "5-5", "4-4", "3-3")
        assert hand.match.turn == opener
        assert hand.match.opener is not None
        assert hand.match.opener.why == why


class TestRematch:
    def test_its_opener_opens_without_a_lot(self) -> None:
        hand = sheet("fives", "6-6 1-0", "5-5 2-0", opens=1)
        assert hand.match.turn == 1
        hand.may("5-5", "2-0")
        assert hand.match.opener is not None
        assert hand.match.opener.why == "rematch"

    def test_a_lot_is_then_a_fault(self) -> None:
        with pytest.raises(BadDeal, match="lot"):
            two("6-6 1-0", "5-5 2-0", opens=1)

    @pytest.mark.parametrize("opens", [2, -1, True, "0", 1.0])
    def test_only_a_seat_of_the_table(self, opens: object) -> None:
        with pytest.raises(BadOptions):
            Options.of("fives", 2, opens=opens)

    @pytest.mark.parametrize("rules", ["draw", "classic", "partners"])
    def test_only_in_all_fives(self, rules: str) -> None:
        players = 4 if rules == "partners" else 2
        with pytest.raises(BadOptions):
            Options.of(rules, players, opens=0)
        match = Match(Options.of(rules, players, target=1))
        assert match.winning_opener() is None

    def test_the_match_winner_opens_it(self) -> None:
        assert two("6-5", "6-6", target=10).say("0 6-5").match.winning_opener() == 0
        hand = two("6-5 1-0", "5-5 2-1", target=15).say("0 6-5", "1 5-5 right")
        assert hand.match.winning_opener() is None  # it goes on
        hand = two("6-5 1-0", "5-4 2-1", target=10).say("0 6-5", "1 5-4 right")
        assert hand.match.result is not None
        assert hand.match.winning_opener() == 1  # 6 + 4, in play

    def test_in_partners_the_seat_that_won_the_last_hand_for_that_side(self) -> None:
        hand = four("6-3 1-1", "3-1 0-0", "6-2 2-2", "1-0 4-4", target=15)
        hand.say("0 6-3", "1 3-1 right", "2 6-2 left", "3 1-0 right", "0 knock", "1 0-0 right")
        hand.over("out", winner=1, points=5)  # 2 and 4 are 6
        hand.say("leave 0")
        assert hand.match.result is not None
        assert hand.match.result.winner == 1
        assert hand.match.winning_opener() == 1

    def test_in_partners_a_blocked_hand_is_won_by_the_lighter_rack(self) -> None:
        hand = TestHand().blocked("4-1", "5-5", "2-0", "5-4")
        match = hand.match
        match.leave(1)
        assert match.result is not None
        assert match.result.winner == 0
        assert match.winning_opener() == 2

    def test_in_partners_else_the_sides_lower_seat(self) -> None:
        # The last hand was won by side 1, the match by side 0.
        hand = TestHand().blocked("5-5", "4-1", "5-4", "2-1")
        hand.say("leave 3")
        assert hand.match.winning_opener() == 0
        # The last hand was stopped, so nobody won it: side 1's lower seat.
        hand = four("6-3 1-0", "6-2 2-1", "3-1 0-0", "2-2 4-4", target=5)
        hand.say("0 6-3", "1 6-2 left")
        assert hand.match.result is not None
        assert hand.match.result.winner == 1
        assert hand.match.winning_opener() == 1

    def test_after_an_agreed_draw_the_lot_again(self) -> None:
        hand = two("6-5 1-0", "5-5 2-1").say("0 6-5", "agree")
        assert hand.match.winning_opener() is None


class TestMatchEnd:
    def test_the_moment_the_target_is_reached_in_the_middle_of_a_hand(self) -> None:
        hand = two("6-4 1-0", "3-3 2-2", target=10).say("0 6-4")
        assert hand.match.phase == "over"
        assert hand.match.scores == [10, 0]
        assert hand.match.result is not None
        assert (hand.match.result.how, hand.match.result.winner) == ("target", 0)
        hand.over("stopped", winner=None, points=0)
        assert hand.match.legal_words() == []

    def test_a_last_tile_that_does_it_in_play_gets_no_award(self) -> None:
        hand = two("6-4", "6-6 5-5", target=10).say("0 6-4")
        assert hand.match.scores == [10, 0]
        hand.over("stopped", winner=None, points=0)

    def test_a_last_tile_that_does_not_gets_it(self) -> None:
        hand = two("6-4", "6-6 5-5", target=11).say("0 6-4")
        hand.over("out", winner=0, points=20)
        assert hand.match.scores == [30, 0]
        assert hand.match.phase == "over"

    def test_by_the_award_for_a_hand(self) -> None:
        hand = two("6-3", "6-6", target=10).say("0 6-3")
        assert hand.match.result is not None
        assert hand.match.result.how == "target"
