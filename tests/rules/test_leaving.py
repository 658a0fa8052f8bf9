"""Leaving and agreeing: in a hand, between hands, before the opening, and who wins by it."""

from __future__ import annotations

import pytest

from dominoes.rules.errors import BadDeal, NotNow
from dominoes.rules.match import Match
from dominoes.rules.options import Options
from tests.rules.sheet import Sheet, sheet


class TestTwoSides:
    @pytest.mark.parametrize(
        ("rules", "sides", "players"),
        [
            ("draw", "singles", 2),
            ("classic", "singles", 2),
            ("fives", "singles", 2),
            ("classic", "partners", 4),
            ("fives", "partners", 4),
            ("partners", "partners", 4),
        ],
    )
    def test_leaving_loses_at_once_for_the_partner_too(
        self, rules: str, sides: str, players: int
    ) -> None:
        racks = ["6-6 1-0", "5-5 2-0", "4-4 3-0", "3-3 4-0"][:players]
        lots = ["6-6", "5-5", "4-4", "3-3"][:players]
        lot = " ".join(lots) if rules in ("fives", "partners") else None
        hand = sheet(rules, *racks, lot=lot, sides=sides)
        scores = list(hand.match.scores)
        hand.say("0 6-6", "leave 0")
        match = hand.match
        assert match.phase == "over"
        assert match.result is not None
        assert (match.result.how, match.result.winner, match.result.seat) == ("forfeit", 1, 0)
        assert match.scores == scores  # both keep theirs
        assert match.turn is None
        assert match.legal_words() == []
        hand.over("stopped", winner=None, points=0)

    def test_out_of_turn_as_well(self) -> None:
        hand = sheet("draw", "6-6 1-0", "5-5 2-0").say("0 6-6", "leave 0")
        assert hand.match.result is not None
        assert hand.match.result.winner == 1

    def test_between_hands_as_well(self) -> None:
        hand = sheet("draw", "6-6", "5-5").say("0 6-6", "leave 1")
        assert hand.match.scores == [10, 0]
        assert hand.match.result is not None
        assert hand.match.result.winner == 0
        hand.over("out", winner=0, points=10)  # the hand just ended stays as it was
        with pytest.raises(BadDeal):
            hand.deal("6-6", "5-5")


class TestMoreSides:
    def test_the_match_carries_on_without_tiles_and_score(self) -> None:
        hand = sheet("draw", "6-6 1-0", "6-5 2-0", "6-4 3-0").say("0 6-6", "leave 1")
        match = hand.match
        assert match.phase == "play"
        assert match.scores == [0, None, 0]
        assert match.left == {1}
        assert match.turn == 2
        assert match.hand is not None
        assert match.hand.racks[1] == 0
        assert match.hand.gone.bit_count() == 2

    def test_the_tiles_are_out_of_play_not_in_the_boneyard(self) -> None:
        hand = sheet("draw", "6-6 1-0", "6-5 2-0", "3-1 3-0", boneyard="4-1")
        hand.say("0 6-6", "leave 1", "2 draw")
        hand.may("knock")

    def test_out_of_turn_the_turn_stays(self) -> None:
        hand = sheet("draw", "6-6 1-0", "6-5 2-0", "6-4 3-0").say("0 6-6", "leave 2")
        assert hand.match.turn == 1
        hand.say("1 6-5 left")
        assert hand.match.turn == 0

    def test_after_drawing_the_turn_goes_on(self) -> None:
        hand = sheet("draw", "6-6 1-0", "2-1 2-0", "6-4 3-0", boneyard="4-1 6-3")
        hand.say("0 6-6", "1 draw", "leave 1")
        assert hand.match.turn == 2

    def test_a_seat_leaves_once(self) -> None:
        hand = sheet("draw", "6-6 1-0", "6-5 2-0", "6-4 3-0").say("0 6-6", "leave 1")
        hand.refuses("leave 1", "left")

    @pytest.mark.parametrize("seat", [-1, 3, 4, True, "1", None, 1.0])
    def test_only_a_seat_of_the_table(self, seat: object) -> None:
        hand = sheet("draw", "6-6 1-0", "6-5 2-0", "6-4 3-0").say("0 6-6")
        with pytest.raises(NotNow):
            hand.match.leave(seat)  # type: ignore[arg-type]

    def test_the_last_seat_in_wins(self) -> None:
        hand = sheet("draw", "6-6 1-0", "6-5 2-0", "6-4 3-0").say("0 6-6", "leave 1", "leave 0")
        match = hand.match
        assert match.scores == [None, None, 0]
        assert match.result is not None
        assert (match.result.how, match.result.winner, match.result.seat) == ("forfeit", 2, 0)
        hand.over("stopped", winner=None, points=0)
        assert match.hand_result is not None
        assert match.hand_result.racks == (None, None, ("3-0", "6-4"))

    def test_a_leaver_wins_no_hand_and_is_not_counted(self) -> None:
        hand = sheet("draw", "6-6 1-0", "6-5 2-0", "6-4 3-0", target=200)
        hand.say("0 6-6", "leave 2", "1 6-5 left", "0 knock", "1 knock")
        hand.over("blocked", winner=0, points=2 - 1)
        assert hand.match.hand_result is not None
        assert hand.match.hand_result.explain.sums == (1, 2, None)
        assert hand.match.hand_result.explain.side_sums == (1, 2, None)

    def test_not_before_the_first_deal(self) -> None:
        match = Match(Options.of("draw", 3))
        with pytest.raises(NotNow):
            match.leave(1)
        with pytest.raises(NotNow):
            match.abandon()


class TestKnocksInARow:
    """Blocked: every seat still in has knocked since the last tile."""

    def knocking(self) -> Sheet:
        return sheet(
            "classic", "6-6 1-0", "5-5 2-0", "4-4 3-0", "3-3 2-1", sides="singles", target=500
        ).say("0 6-6")

    def test_the_one_who_has_not_knocked_leaves(self) -> None:
        hand = self.knocking().say("1 knock", "2 knock", "3 knock", "leave 0")
        hand.over("blocked", winner=3, points=12 + 11)  # 9 against 12 and 11; seat 0 has gone

    def test_one_who_has_knocked_leaves(self) -> None:
        hand = self.knocking().say("1 knock", "2 knock", "leave 1")
        assert hand.match.phase == "play"
        hand.say("3 knock")
        assert hand.match.phase == "play"
        hand.say("0 knock")
        assert hand.match.hand_result is not None
        assert hand.match.hand_result.how == "blocked"

    def test_a_leave_before_any_knock_blocks_nothing(self) -> None:
        hand = self.knocking().say("leave 1", "leave 2")
        assert hand.match.phase == "play"
        assert hand.match.turn == 3

    def test_a_leave_before_the_opening_blocks_nothing(self) -> None:
        hand = sheet("draw", "6-6 1-0", "6-5 2-0", "6-4 3-0").say("leave 0")
        assert hand.match.phase == "play"

    def test_a_tile_still_begins_the_count_again(self) -> None:
        hand = sheet(
            "classic", "6-6 1-0", "5-5 2-0", "6-1 3-0", "3-3 2-1", sides="singles", target=500
        )
        hand.say("0 6-6", "1 knock", "2 6-1 left", "leave 1", "3 2-1 left", "0 knock", "2 knock")
        assert hand.match.phase == "play"
        hand.say("3 knock")
        assert hand.match.phase == "deal"

    def test_the_target_may_be_reached_by_it(self) -> None:
        hand = sheet("draw", "6-6 5-5", "4-4 1-1", "3-1 5-4", target=3)
        hand.say("0 6-6", "1 knock", "2 knock", "leave 0")
        hand.over("blocked", winner=1, points=13 - 10)
        assert hand.match.result is not None
        assert (hand.match.result.how, hand.match.result.winner) == ("target", 1)


class TestOpening:
    def test_where_a_tile_is_forced_the_rule_is_applied_again(self) -> None:
        hand = sheet("draw", "6-6 1-0", "4-4 2-0", "5-5 3-0").say("leave 0")
        assert hand.match.turn == 2
        hand.may("5-5")
        assert hand.match.opener is not None
        assert hand.match.opener.why == "forced"
        assert hand.match.must_open == "5-5"

    def test_without_a_double_left_the_heaviest(self) -> None:
        hand = sheet("draw", "6-6 1-0", "4-3 2-0", "6-2 3-0").say("leave 0")
        hand.may("6-2")

    def test_when_another_leaves_the_forced_tile_stays(self) -> None:
        hand = sheet("draw", "6-6 1-0", "4-4 2-0", "5-5 3-0").say("leave 2")
        assert hand.match.turn == 0
        hand.may("6-6")

    def test_classics_first_hand_too(self) -> None:
        hand = sheet("classic", "6-6 1-0", "4-4 2-0", "5-5 3-0", "3-3 4-0", sides="singles").say(
            "leave 0"
        )
        assert hand.match.turn == 2
        hand.may("5-5")

    def test_else_the_next_seat_clockwise_still_in_opens_with_any_tile(self) -> None:
        hand = sheet(
            "fives", "6-6 1-0", "4-4 2-0", "5-5 3-0", "3-3 4-0",
            sides="singles", lot="1-0 6-6 2-0 3-0",
        )  # fmt: skip
        hand.say("leave 2", "leave 1")
        assert hand.match.turn == 3
        hand.may("3-3", "4-0")
        assert hand.match.opener is not None
        assert (hand.match.opener.seat, hand.match.opener.why) == (3, "next")

    def test_a_rematchs_opener_too(self) -> None:
        hand = sheet("fives", "6-6 1-0", "4-4 2-0", "5-5 3-0", opens=1).say("leave 1")
        assert hand.match.turn == 2
        hand.may("5-5", "3-0")

    def test_the_last_opener_is_the_seat_that_did_open(self) -> None:
        hand = sheet("classic", "6-6", "4-4", "5-5", "3-3", sides="singles", target=500)
        hand.say("leave 0", "2 5-5").over("out", winner=2, points=14)
        hand.deal(None, "4-4 1-0", "5-5 2-0", "3-3 3-0")
        assert hand.match.turn == 3  # after seat 2, not after seat 0

    def test_it_comes_by_again_past_those_who_left(self) -> None:
        hand = sheet("classic", "1-0", "6-6", "5-5", "3-3", sides="singles", target=500)
        hand.say("1 6-6", "leave 2", "leave 3")
        hand.deal("4-4", "5-5", None, None)
        assert hand.match.turn == 0


class TestBetweenHands:
    def out(self) -> Sheet:
        """Seat 1 has opened and gone out."""
        hand = sheet(
            "fives", "1-0", "6-5", "5-5", "3-3", sides="singles", lot="1-0 6-6 2-0 3-0", target=500
        )
        hand.say("1 6-5").over("out", winner=1, points=15)
        return hand

    def test_a_winner_that_left_is_replaced_by_the_next_seat_still_in(self) -> None:
        hand = self.out().say("leave 1", "leave 2")
        assert hand.match.phase == "deal"
        assert hand.match.scores == [0, None, None, 0]
        hand.deal("1-0", None, None, "3-3")
        assert hand.match.turn == 3
        assert hand.match.opener is not None
        assert hand.match.opener.why == "next"

    def test_the_hand_just_ended_stays_as_it_was(self) -> None:
        hand = self.out()
        before = hand.match.hand_result
        hand.say("leave 2")
        assert hand.match.hand_result == before
        assert hand.match.logs()[-1].words == ("6-5", "leave 2")

    def test_the_last_side_still_in_wins(self) -> None:
        hand = self.out().say("leave 1", "leave 2", "leave 0")
        assert hand.match.result is not None
        assert (hand.match.result.how, hand.match.result.winner) == ("forfeit", 3)
        hand.over("out", winner=1, points=15)

    @pytest.mark.parametrize(
        ("rules", "players", "sizes", "boneyard"),
        [
            ("draw", 4, (5, 0, 5, 5), 13),  # the sizes of the table as it was opened
            ("draw", 3, (5, 0, 5), 18),
            ("fives", 4, (7, 0, 7, 7), 7),
            ("fives", 3, (7, 0, 7), 14),
            ("classic", 4, (7, 0, 7, 7), 0),  # undealt tiles stay out of play
        ],
    )
    def test_the_sizes_of_the_next_deal(
        self, rules: str, players: int, sizes: tuple[int, ...], boneyard: int
    ) -> None:
        match = Match(Options.of(rules, players, "singles"))
        size = match.rack_sizes[0]
        deck = list(range(28))
        racks = [deck[seat * size : seat * size + size] for seat in range(players)]
        rest = deck[players * size :] if match.boneyard_size else []
        match.deal(racks, rest, deck[:players] if match.lot_due else None)
        match.leave(1)
        assert match.rack_sizes == sizes
        assert match.boneyard_size == boneyard

    def test_a_seat_that_left_is_not_dealt_to(self) -> None:
        match = Match(Options.of("draw", 3))
        match.deal([range(5), range(5, 10), range(10, 15)], range(15, 28))
        match.leave(1)
        while match.phase == "play":
            match.play(match.turn or 0, match.timeout_word())
        with pytest.raises(BadDeal, match="has left"):
            match.deal([range(5), range(5, 10), range(10, 15)], range(15, 28))
        with pytest.raises(BadDeal, match="no rack"):
            match.deal([range(5), None, None], range(5, 28))
        match.deal([range(5), None, range(10, 15)], [*range(5, 10), *range(15, 28)])


class TestAgreeing:
    @pytest.mark.parametrize("rules", ["draw", "classic", "fives"])
    def test_two_sides_in_a_hand_or_between(self, rules: str) -> None:
        lot = "6-6 5-5" if rules == "fives" else None
        hand = sheet(rules, "6-6 1-0", "5-5 2-0", lot=lot).say("agree")
        match = hand.match
        assert match.result is not None
        assert (match.result.how, match.result.winner, match.result.seat) == ("agreed", None, None)
        hand.over("stopped", winner=None, points=0)
        hand = sheet(rules, "6-6", "5-5", lot=lot).say("0 6-6", "agree")
        assert hand.match.result is not None
        assert hand.match.result.how == "agreed"
        assert hand.match.scores == [10, 0]

    def test_partners_too(self) -> None:
        hand = sheet("partners", "6-6", "5-5", "4-4", "3-3", lot="6-6 5-5 4-4 3-3").say("agree")
        assert hand.match.phase == "over"

    def test_not_among_three_even_when_two_are_left(self) -> None:
        hand = sheet("draw", "6-6 1-0", "6-5 2-0", "6-4 3-0")
        hand.refuses("agree", "sides")
        hand.say("leave 2")
        hand.refuses("agree", "sides")

    def test_not_before_the_first_deal(self) -> None:
        with pytest.raises(NotNow):
            Match(Options.of("draw", 2)).agree()


class TestAbandoning:
    """Ends the match without a result; the record has no word for it."""

    def test_in_a_hand(self) -> None:
        hand = sheet("draw", "6-6 1-0", "5-5 2-0").say("0 6-6")
        hand.match.abandon()
        assert hand.match.phase == "over"
        assert hand.match.result is None
        assert hand.match.winning_opener() is None
        hand.over("stopped", winner=None, points=0)
        assert hand.match.logs()[-1].words == ("6-6",)

    def test_between_hands(self) -> None:
        hand = sheet("draw", "6-6", "5-5").say("0 6-6")
        hand.match.abandon()
        assert hand.match.phase == "over"
        hand.over("out", winner=0, points=10)
        hand.refuses("leave 1", "match_over")
