"""Draw, row by row of its sheet."""

from __future__ import annotations

import pytest

from dominoes.rules.errors import BadOptions
from dominoes.rules.match import Match
from dominoes.rules.options import Options
from tests.rules.sheet import Sheet, sheet


def draw(*racks: str, boneyard: str = "", **options: object) -> Sheet:
    return sheet("draw", *racks, boneyard=boneyard, **options)


class TestTable:
    @pytest.mark.parametrize(("players", "size", "boneyard"), [(2, 7, 14), (3, 5, 13), (4, 5, 8)])
    def test_seven_tiles_for_two_five_for_more(
        self, players: int, size: int, boneyard: int
    ) -> None:
        match = Match(Options.of("draw", players))
        assert match.rack_sizes == (size,) * players
        assert match.boneyard_size == boneyard
        assert match.options.target == 100
        assert match.options.sides == "singles"

    def test_singles_only(self) -> None:
        with pytest.raises(BadOptions):
            Options.of("draw", 4, "partners")

    @pytest.mark.parametrize("players", [None, 1, 5, 0, -2, True, "2", 2.0])
    def test_two_to_four_seats(self, players: object) -> None:
        with pytest.raises(BadOptions):
            Options.of("draw", players)

    def test_every_seat_is_a_side(self) -> None:
        options = Options.of("draw", 3)
        assert options.side_count == 3
        assert not options.two_sided


class TestOpening:
    def test_the_holder_of_the_highest_double_must_open_with_it(self) -> None:
        hand = draw("6-5 2-2", "4-4 6-4", "3-3 6-3")
        assert hand.match.turn == 1
        assert hand.match.must_open == "4-4"
        hand.may("4-4")
        hand.refuses("1 6-4", "forced")

    def test_without_a_double_the_heaviest_tile_must_open(self) -> None:
        hand = draw("6-3 2-1", "5-4 6-2", "6-4 3-1")
        assert hand.match.turn == 2
        hand.may("6-4")

    def test_at_equal_weight_the_heavier_end(self) -> None:
        hand = draw("5-4 2-1", "6-3 4-1", "6-2 3-1")
        hand.may("6-3")

    def test_in_every_hand_whoever_won(self) -> None:
        hand = draw("6-6", "5-4").say("0 6-6")
        hand.deal("2-1", "3-3")
        assert hand.match.turn == 1
        assert hand.match.must_open == "3-3"
        assert hand.match.opener is not None
        assert hand.match.opener.why == "forced"

    def test_a_double_in_the_boneyard_forces_nobody(self) -> None:
        draw("6-5 2-1", "4-3 1-0", boneyard="6-6 5-5").may("6-5")


class TestTurn:
    def test_draws_one_at_a_time_until_one_fits_and_lays_it_in_the_same_turn(self) -> None:
        hand = draw("6-6 2-1", "5-4 1-0", boneyard="5-5 3-3 6-0 6-1").say("0 6-6")
        hand.may("draw")
        hand.say("1 draw")
        hand.may("draw")
        hand.say("1 draw", "1 draw")
        hand.may("6-0 left", "6-0 right")
        hand.refuses("1 draw", "can_lay")
        hand.refuses("1 knock", "can_lay")
        hand.say("1 6-0 left")
        assert hand.match.turn == 0

    def test_nobody_draws_holding_a_legal_tile(self) -> None:
        hand = draw("6-6 2-1", "6-4 1-0", boneyard="5-5").say("0 6-6")
        hand.refuses("1 draw", "can_lay")

    def test_no_pass_while_there_is_a_boneyard(self) -> None:
        hand = draw("6-6 2-1", "5-4 1-0", boneyard="5-5").say("0 6-6")
        hand.refuses("1 knock", "must_draw")

    def test_the_boneyard_empty_and_nothing_legal_then_the_knock(self) -> None:
        hand = draw("6-6 2-1", "5-4 1-0", boneyard="5-5").say("0 6-6", "1 draw")
        hand.may("knock")
        hand.refuses("1 draw", "boneyard_empty")
        hand.say("1 knock")

    def test_tiles_come_in_the_boneyards_order(self) -> None:
        hand = draw("6-6 2-1", "5-4 1-0", boneyard="5-5 3-3 6-0").say("0 6-6", "1 draw", "1 draw")
        inner = hand.match.hand
        assert inner is not None
        assert inner.drawn == 2
        assert inner.racks[1].bit_count() == 4

    def test_no_spinner_and_no_points_in_play(self) -> None:
        hand = draw("5-5 2-1", "5-4 1-0", boneyard="6-0").say("0 5-5")
        assert hand.scored == 0
        hand.may("5-4 left", "5-4 right")


class TestScore:
    def test_going_out_pays_the_pips_of_all_other_seats(self) -> None:
        hand = draw("6-6", "5-4", "3-2", "1-0").say("0 6-6")
        hand.over("out", winner=0, points=15)
        assert hand.match.hand_result is not None
        assert hand.match.hand_result.explain.counted == (1, 2, 3)

    def blocked(self, *held: str, players: int = 3) -> Sheet:
        hand = draw(f"6-6 {held[0]}", *held[1:], players=players, target=500)
        hand.say("0 6-6")
        return hand.say(*(f"{seat % players} knock" for seat in range(1, players + 1)))

    def test_blocked_pays_everyone_elses_pips_less_ones_own(self) -> None:
        hand = self.blocked("5-4", "2-1", "4-3")
        hand.over("blocked", winner=1, points=9 + 7 - 3)
        assert hand.match.hand_result is not None
        explain = hand.match.hand_result.explain
        assert (explain.raw, explain.subtracted, explain.rounded) == (16, 3, 0)
        assert explain.tie is None

    def test_at_equal_pips_fewer_tiles_win(self) -> None:
        hand = self.blocked("4-3 2-0", "5-4", "5-5")
        hand.over("blocked", winner=1, points=9 + 10 - 9)
        assert hand.match.hand_result is not None
        assert hand.match.hand_result.explain.tie == "fewer_tiles"

    def test_fewer_tiles_may_win_nothing(self) -> None:
        self.blocked("4-3 2-0", "5-4", players=2).over("blocked", winner=1, points=0)

    def test_equal_tiles_too_and_nobody_scores(self) -> None:
        hand = self.blocked("4-3", "5-2", "5-5")
        hand.over("blocked", winner=None, points=0)
        assert hand.match.hand_result is not None
        assert hand.match.hand_result.explain.tie == "equal_tiles"

    def test_a_tie_above_the_lightest_does_not_matter(self) -> None:
        self.blocked("1-0", "5-2", "4-3").over("blocked", winner=0, points=13)

    def test_three_equal_two_with_fewest_tiles(self) -> None:
        self.blocked("3-1 2-0", "5-1", "4-2").over("blocked", winner=None, points=0)

    def test_blocked_only_when_every_seat_has_knocked(self) -> None:
        hand = draw("6-6 5-4", "2-1", "4-3").say("0 6-6", "1 knock", "2 knock")
        assert hand.match.phase == "play"
        hand.may("knock")

    def test_a_draw_is_no_knock(self) -> None:
        hand = draw("6-6 5-4", "2-1", boneyard="4-4 3-3").say("0 6-6", "1 draw", "1 draw")
        hand.say("1 knock")
        assert hand.match.phase == "play"
        hand.say("0 knock").over("blocked", winner=0, points=17 - 9)
