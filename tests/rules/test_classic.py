"""Classic, row by row of its sheet."""

from __future__ import annotations

import pytest

from dominoes.rules.errors import BadDeal, BadOptions
from dominoes.rules.match import Match
from dominoes.rules.options import Options
from tests.rules.sheet import Sheet, sheet


class TestTable:
    @pytest.mark.parametrize(
        ("players", "sides", "boneyard"),
        [(2, "singles", 14), (4, "singles", 0), (4, "partners", 0)],
    )
    def test_two_or_four_seats_seven_tiles(self, players: int, sides: str, boneyard: int) -> None:
        match = Match(Options.of("classic", players, sides))
        assert match.rack_sizes == (7,) * players
        assert match.boneyard_size == boneyard
        assert match.options.target == 100

    @pytest.mark.parametrize(
        ("players", "sides"), [(3, "singles"), (3, None), (2, "partners"), (4, "teams"), (4, None)]
    )
    def test_no_other_table(self, players: int, sides: str | None) -> None:
        with pytest.raises(BadOptions):
            Options.of("classic", players, sides)

    def test_two_seats_are_singles_without_saying_so(self) -> None:
        assert Options.of("classic", 2).sides == "singles"


class TestOpening:
    def test_the_highest_double_opens_the_first_hand(self) -> None:
        hand = sheet("classic", "6-5 2-2", "4-4 6-4", boneyard="1-0")
        assert hand.match.turn == 1
        assert hand.match.must_open == "4-4"
        hand.refuses("1 6-4", "forced")

    def test_without_a_double_the_highest_tile(self) -> None:
        sheet("classic", "6-3 2-1", "5-4 6-2").may("6-3")

    def test_no_lot(self) -> None:
        with pytest.raises(BadDeal, match="lot"):
            sheet("classic", "6-5", "4-4", lot="6-6 5-5")

    def test_later_the_opening_passes_on_clockwise_with_any_tile(self) -> None:
        hand = sheet("classic", "6-5 1-0", "6-6 1-1", "2-2 2-1", "3-3 3-1", sides="singles")
        hand.say("1 6-6", "2 knock", "3 knock", "0 6-5 left", "1 knock", "2 knock", "3 knock")
        hand.say("0 knock").over("blocked", winner=0, points=2 + 7 + 10)
        hand.deal("6-6 6-5", "5-5 5-4", "4-4 4-3", "3-3 3-2")
        assert hand.match.turn == 2  # after the last opener, whoever won
        assert hand.match.must_open is None
        hand.may("4-4", "4-3")
        assert hand.match.opener is not None
        assert hand.match.opener.why == "next"
        hand.say("2 4-4", "3 knock", "0 knock", "1 5-4 left", "2 4-3 right")
        hand.over("out", winner=2, points=23 + 10 + 11)
        hand.deal("6-6", "5-5", "4-4", "3-3")
        assert hand.match.turn == 3


class TestTurn:
    def test_two_seats_draw_until_something_fits(self) -> None:
        hand = sheet("classic", "6-6 2-1", "5-4 1-0", boneyard="5-5 6-0 4-4").say("0 6-6")
        hand.refuses("1 knock", "must_draw")
        hand.say("1 draw", "1 draw")
        hand.may("6-0 left", "6-0 right")

    def test_two_seats_knock_once_it_is_empty(self) -> None:
        hand = sheet("classic", "6-6 2-1", "5-4 1-0", boneyard="5-5").say("0 6-6", "1 draw")
        hand.may("knock")

    def test_four_seats_knock(self) -> None:
        hand = sheet("classic", "6-6 2-1", "5-4 1-0", "6-5 0-0", "4-4 3-3", sides="partners")
        hand.say("0 6-6")
        hand.may("knock")
        hand.refuses("1 draw", "boneyard_empty")


class TestScore:
    def test_going_out_banks_the_other_sides_pips(self) -> None:
        hand = sheet("classic", "6-6", "5-4", "3-2", "1-0", sides="partners").say("0 6-6")
        hand.over("out", winner=0, points=10)  # the partner's 3-2 is not counted

    def test_in_singles_all_other_seats(self) -> None:
        sheet("classic", "6-6", "5-4", "3-2", "1-0", sides="singles").say("0 6-6").over(
            "out", winner=0, points=15
        )

    def blocked(self, *held: str, sides: str = "partners") -> Sheet:
        players = len(held)
        hand = sheet("classic", f"6-6 {held[0]}", *held[1:], sides=sides, target=500)
        return hand.say("0 6-6", *(f"{s % players} knock" for s in range(1, players + 1)))

    def test_blocked_the_side_with_the_lower_total_banks_the_others(self) -> None:
        # The lightest rack, 1-0, is on the heavier side: partners' racks are added together.
        hand = self.blocked("4-1", "1-0", "3-2", "5-5")
        hand.over("blocked", winner=0, points=11)
        assert hand.match.hand_result is not None
        explain = hand.match.hand_result.explain
        assert explain.side_sums == (10, 11)
        assert (explain.raw, explain.subtracted, explain.tie) == (11, 0, None)

    def test_nothing_is_subtracted(self) -> None:
        self.blocked("4-2", "5-4", sides="singles").over("blocked", winner=0, points=9)

    def test_lowest_total_tied_nobody_scores(self) -> None:
        hand = self.blocked("4-2", "5-1", "3-2", "4-1")
        hand.over("blocked", winner=None, points=0)
        assert hand.match.hand_result is not None
        assert hand.match.hand_result.explain.tie == "equal_totals"

    def test_in_singles_only_a_tie_for_the_lowest_counts(self) -> None:
        self.blocked("1-0", "4-2", "5-1", "5-5", sides="singles").over(
            "blocked", winner=0, points=6 + 6 + 10
        )
        self.blocked("5-5", "4-2", "5-1", "5-4", sides="singles").over(
            "blocked", winner=None, points=0
        )

    def test_no_points_in_play(self) -> None:
        hand = sheet("classic", "5-5 1-0", "5-0 1-1", boneyard="6-0").say("0 5-5")
        assert hand.scored == 0
        assert hand.match.scores == [0, 0]
