"""Partners, row by row of its sheet."""

from __future__ import annotations

import pytest

from dominoes.rules.errors import BadDeal, BadOptions, NotYourTurn
from dominoes.rules.match import Match
from dominoes.rules.options import Options
from tests.rules.sheet import Sheet, sheet

LOT = "6-5 5-5 1-0 0-0"  # seat 0 sets


def partners(*racks: str, lot: str = LOT, **options: object) -> Sheet:
    return sheet("partners", *racks, lot=lot, **options)


class TestTable:
    def test_four_seats_as_partners_to_a_hundred(self) -> None:
        options = Options.of("partners")
        assert (options.players, options.sides, options.target) == (4, "partners", 100)
        assert [options.side_of(seat) for seat in range(4)] == [0, 1, 0, 1]
        assert [options.seats_of(side) for side in range(2)] == [(0, 2), (1, 3)]

    def test_seven_tiles_each_and_no_boneyard(self) -> None:
        match = Match(Options.of("partners"))
        assert match.rack_sizes == (7, 7, 7, 7)
        assert match.boneyard_size == 0

    @pytest.mark.parametrize(
        ("choice", "value"),
        [("players", 2), ("players", 3), ("sides", "singles"), ("opens", 1), ("target", 0)],
    )
    def test_no_other_table(self, choice: str, value: object) -> None:
        with pytest.raises(BadOptions) as refused:
            Options.of("partners", **{choice: value})  # type: ignore[arg-type]
        assert refused.value.code == choice

    @pytest.mark.parametrize("target", [1, 25, 100, 500])
    def test_any_target_from_one(self, target: int) -> None:
        assert Options.of("partners", target=target).target == target


class TestFirstSetter:
    @pytest.mark.parametrize(
        ("lot", "setter"),
        [
            ("1-0 6-5 5-5 6-4", 1),  # the greater weight
            ("6-4 5-5 6-3 5-4", 1),  # at equal weight the double
            ("5-4 6-3 2-1 3-0", 1),  # at equal weight without one the heavier end
            ("0-0 1-0 1-1 2-0", 2),  # 1-1 and 2-0 weigh the same
        ],
    )
    def test_the_heaviest_tile_of_the_lot_sets(self, lot: str, setter: int) -> None:
        hand = partners("6-6 1-0", "5-5 2-0", "4-4 3-0", "3-3 4-0", lot=lot)
        assert hand.match.turn == setter
        assert hand.match.opener is not None
        assert hand.match.opener.why == "lot"

    def test_the_setter_opens_with_any_tile(self) -> None:
        partners("6-6 1-0", "5-5 2-0", "4-4 3-0", "3-3 4-0").may("6-6", "1-0")

    def test_the_lot_must_be_drawn(self) -> None:
        with pytest.raises(BadDeal, match="lot"):
            sheet("partners", "6-6", "5-5", "4-4", "3-3")

    def test_the_lot_is_one_different_tile_a_seat(self) -> None:
        for lot in ("6-5 5-5 1-0", "6-5 5-5 1-0 1-0"):
            with pytest.raises(BadDeal):
                partners("6-6", "5-5", "4-4", "3-3", lot=lot)

    def test_no_lot_in_later_hands(self) -> None:
        hand = partners("6-6", "6-5", "4-4", "3-3").say("0 6-6")
        with pytest.raises(BadDeal, match="lot"):
            hand.deal("6-6", "6-5", "4-4", "3-3", lot=LOT)
        hand.deal("6-6", "6-5", "4-4", "3-3")


class TestDoubleSixOpens:
    def opened(self) -> Sheet:
        return sheet("partners", "6-5 1-0", "5-5 2-0", "6-6 3-0", "3-3 4-0", double_six_opens=True)

    def test_whoever_holds_it_sets_and_must_open_with_it(self) -> None:
        hand = self.opened()
        assert hand.match.turn == 2
        assert hand.match.must_open == "6-6"
        hand.may("6-6")
        hand.refuses("2 3-0", "forced")
        hand.say("2 6-6")

    def test_there_is_no_lot(self) -> None:
        with pytest.raises(BadDeal, match="lot"):
            sheet("partners", "6-5", "5-5", "6-6", "3-3", lot=LOT, double_six_opens=True)

    def test_in_the_first_hand_only(self) -> None:
        hand = self.opened().say("2 6-6", "3 knock", "0 6-5 left", "1 5-5 left", "2 knock")
        hand.say("3 knock", "0 knock", "1 knock")
        hand.deal("6-6 1-0", "5-5 2-0", "4-4 3-0", "3-3 4-0")
        assert hand.match.must_open is None
        assert hand.match.opener is not None
        assert hand.match.opener.why != "forced"

    @pytest.mark.parametrize("rules", ["draw", "classic", "fives"])
    def test_in_partners_only(self, rules: str) -> None:
        with pytest.raises(BadOptions):
            Options.of(rules, 4, "singles", double_six_opens=True)


class TestTurn:
    def test_clockwise_and_at_either_end(self) -> None:
        hand = partners("6-4 1-0", "6-1 4-2", "5-5 3-3", "4-1 0-0")
        hand.say("0 6-4")
        hand.may("6-1 left", "4-2 right")
        hand.say("1 4-2 right", "2 knock")
        hand.refuses("3 4-1 left", "does_not_fit")

    def test_the_opening_tiles_heavier_half_is_the_left_end(self) -> None:
        hand = partners("6-4 1-0", "6-1 4-2", "5-5 3-3", "4-1 0-0").say("0 6-4")
        assert hand.match.hand is not None
        assert hand.match.hand.ends == (6, 4)

    def test_on_equal_ends_left_and_right_are_two_moves(self) -> None:
        hand = partners("6-6 1-0", "6-1 4-2", "5-5 3-3", "4-1 0-0").say("0 6-6")
        hand.may("6-1 left", "6-1 right")

    def test_a_double_does_not_branch(self) -> None:
        hand = partners("6-6 1-0", "6-1 4-2", "6-3 3-3", "6-4 0-0")
        hand.say("0 6-6", "1 6-1 left", "2 6-3 right")
        hand.refuses("3 6-4 up", "no_such_end")

    def test_nobody_may_knock_holding_a_legal_tile(self) -> None:
        hand = partners("6-4 1-0", "6-1 4-2", "5-5 3-3", "4-1 0-0").say("0 6-4")
        hand.refuses("1 knock", "can_lay")

    def test_nobody_draws(self) -> None:
        hand = partners("6-4 1-0", "5-5 3-3", "6-1 4-2", "4-1 0-0").say("0 6-4")
        hand.refuses("1 draw", "boneyard_empty")
        hand.may("knock")
        hand.say("1 knock")
        hand.refuses("2 draw", "can_lay")

    def test_only_the_seat_on_turn(self) -> None:
        hand = partners("6-4 1-0", "6-1 4-2", "5-5 3-3", "4-1 0-0").say("0 6-4")
        with pytest.raises(NotYourTurn):
            hand.match.play(2, "knock")

    @pytest.mark.parametrize(
        ("word", "code"),
        [
            ("6-6 left", "not_held"),
            ("6-1", "which_end"),
            ("1-6 left", "nonsense"),
            ("7-1 left", "nonsense"),
            ("6-1 middle", "nonsense"),
            ("6-1  left", "nonsense"),
            ("", "nonsense"),
            ("leave 1", "nonsense"),
        ],
    )
    def test_what_is_no_move(self, word: str, code: str) -> None:
        hand = partners("6-4 1-0", "6-1 4-2", "5-5 3-3", "4-1 0-0").say("0 6-4")
        hand.refuses(f"1 {word}", code)

    def test_the_opening_tile_takes_no_end(self) -> None:
        partners("6-4 1-0", "6-1 4-2", "5-5 3-3", "4-1 0-0").refuses("0 6-4 left", "no_line")


class TestGoingOut:
    def test_the_pips_of_the_two_opponents_the_partner_costs_nothing(self) -> None:
        hand = partners("6-4 6-1", "4-3 5-5", "2-2 3-3", "3-0 0-0", target=200)
        hand.say("0 6-4", "1 4-3 right", "2 3-3 right", "3 3-0 right", "0 6-1 left")
        hand.over("out", winner=0, points=10)  # 5-5 and 0-0
        assert hand.match.scores == [10, 0]
        result = hand.match.hand_result
        assert result is not None
        assert result.explain.counted == (1, 3)
        assert result.explain.sums == (0, 10, 4, 0)
        assert result.explain.rule == "partners.out"

    def test_the_hand_ends_at_once(self) -> None:
        hand = partners("6-4 6-1", "4-3 5-5", "2-2 3-3", "3-0 0-0", target=200)
        hand.say("0 6-4", "1 4-3 right", "2 3-3 right", "3 3-0 right", "0 6-1 left")
        assert hand.match.turn is None
        assert hand.match.legal_words() == []
        assert hand.match.phase == "deal"

    def test_exact_pips_never_rounded(self) -> None:
        hand = partners("6-6", "5-4", "2-2", "2-0").say("0 6-6")
        hand.over("out", winner=0, points=11)

    def test_the_seat_that_went_out_sets_next(self) -> None:
        hand = partners("6-6 1-0", "6-5 5-5", "2-2 3-3", "2-0 3-0")
        hand.say("0 6-6", "1 6-5 left", "2 knock", "3 knock", "0 knock", "1 5-5 left")
        hand.over("out", winner=1, points=11)
        hand.deal("6-6", "5-5", "4-4", "3-3")
        assert hand.match.turn == 1
        assert hand.match.opener is not None
        assert hand.match.opener.why == "won"


class TestBlocked:
    """Every seat has knocked since the last tile."""

    def blocked(self, *held: str) -> Sheet:
        """Blocked on two sixes at once, with these tiles left in the racks."""
        racks = [f"6-6 {held[0]}", *held[1:]]
        hand = partners(*racks, target=500)
        return hand.say("0 6-6", "1 knock", "2 knock", "3 knock", "0 knock")

    def test_after_four_knocks_in_a_row(self) -> None:
        hand = partners("6-6 5-4", "5-5", "3-2", "2-1")
        hand.say("0 6-6", "1 knock", "2 knock", "3 knock")
        assert hand.match.phase == "play"
        hand.say("0 knock")
        hand.over("blocked", winner=1, points=14)

    def test_a_tile_in_between_begins_the_count_again(self) -> None:
        hand = partners("6-6 5-4", "5-5 5-3", "6-1 2-0", "2-2 3-3")
        hand.say("0 6-6", "1 knock", "2 6-1 left", "3 knock", "0 knock", "1 knock")
        assert hand.match.phase == "play"

    def test_the_lightest_single_rack_wins_the_opponents_racks(self) -> None:
        # Side 1 has fewer pips together (10 against 12), yet the lightest rack is seat 2's.
        hand = self.blocked("5-5", "3-2", "2-0", "4-1")
        hand.over("blocked", winner=0, points=10)
        assert hand.match.hand_result is not None
        explain = hand.match.hand_result.explain
        assert (explain.seat, explain.counted, explain.tie) == (2, (1, 3), None)

    def test_partners_tied_for_lightest_win_together(self) -> None:
        hand = self.blocked("5-4", "1-1", "3-2", "2-0")
        hand.over("blocked", winner=1, points=14)
        assert hand.match.hand_result is not None
        assert hand.match.hand_result.explain.tie == "partners_together"

    def test_tied_across_the_sides_nobody_wins(self) -> None:
        hand = self.blocked("1-1", "2-0", "5-5", "5-4")
        hand.over("blocked", winner=None, points=0)
        assert hand.match.scores == [0, 0]
        assert hand.match.hand_result is not None
        assert hand.match.hand_result.explain.tie == "lightest_on_both_sides"

    def test_three_tied_are_across_the_sides(self) -> None:
        self.blocked("2-1", "3-0", "5-5", "4-0").over("blocked", winner=None, points=0)
        self.blocked("4-0", "3-1", "2-2", "5-5").over("blocked", winner=None, points=0)

    @pytest.mark.parametrize(
        ("held", "setter", "why"),
        [
            (("5-5", "3-2", "2-0", "4-1"), 2, "won"),  # the lightest rack
            (("5-4", "1-1", "3-2", "2-0"), 1, "won"),  # partners tied: clockwise after seat 0
            (("2-0", "5-4", "1-1", "3-2"), 2, "won"),  # tied with the setter: it comes last
            (("1-1", "2-0", "5-5", "5-4"), 1, "next"),  # nobody won: after the setter
        ],
    )
    def test_who_sets_next(self, held: tuple[str, ...], setter: int, why: str) -> None:
        hand = self.blocked(*held).deal("6-6", "5-5", "4-4", "3-3")
        assert hand.match.turn == setter
        assert hand.match.opener is not None
        assert hand.match.opener.why == why


class TestMatch:
    def test_hands_are_dealt_until_a_side_has_the_target(self) -> None:
        hand = partners("6-6", "5-4", "2-2", "2-0", target=22)
        hand.say("0 6-6")
        assert hand.match.phase == "deal"
        assert hand.match.result is None
        hand.deal("6-6", "5-4", "2-2", "2-0").say("0 6-6")
        assert hand.match.phase == "over"
        assert hand.match.result is not None
        assert (hand.match.result.how, hand.match.result.winner) == ("target", 0)
        assert hand.match.scores == [22, 0]

    def test_no_hand_after_it(self) -> None:
        hand = partners("6-6", "5-4", "2-2", "2-0", target=11).say("0 6-6")
        with pytest.raises(BadDeal, match="ended"):
            hand.deal("6-6", "5-4", "2-2", "2-0")
        hand.refuses("agree", "match_over")
        hand.refuses("leave 1", "match_over")

    def test_no_deal_while_a_hand_is_played(self) -> None:
        hand = partners("6-6 1-0", "5-4 2-1", "2-2 3-1", "2-0 4-1").say("0 6-6")
        with pytest.raises(BadDeal, match="not over"):
            hand.deal("6-6", "5-4", "2-2", "2-0")
