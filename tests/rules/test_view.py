"""What each viewer may see, and above all what not."""

from __future__ import annotations

import dataclasses
from typing import Any

import pytest

from dominoes.rules.match import Match
from dominoes.rules.options import Options
from dominoes.rules.view import View, view_for
from tests.rules.sheet import Sheet, sheet

FOUR = ("6-6 1-0 4-2", "6-5 5-5 2-0", "6-4 4-4 3-0", "3-3 5-1 4-0")
LOT = "6-6 5-5 4-4 3-3"


def partners() -> Sheet:
    return sheet("partners", *FOUR, lot=LOT, target=500)


def held(racks: tuple[str, ...]) -> list[set[str]]:
    return [set(rack.split()) for rack in racks]


def everything(value: object) -> str:
    """All that a view says, as one text: whatever is not in it cannot leak."""
    return repr(value)


class TestBeforeTheFirstDeal:
    def test_seats_and_scores_and_nothing_more(self) -> None:
        view = view_for(Match(Options.of("draw", 3)), 1)
        assert (view.phase, view.hand, view.ply, view.turn) == ("deal", 0, 0, None)
        assert [seat.tiles for seat in view.seats] == [0, 0, 0]
        assert view.rack is None
        assert view.legal == ()
        assert view.moves == ()
        assert view.opener is None


class TestDuringAHand:
    @pytest.mark.parametrize("viewer", [0, 1, 2, 3, None])
    def test_ones_own_rack_and_no_other(self, viewer: int | None) -> None:
        hand = partners().say("0 6-6", "1 6-5 left")
        view = view_for(hand.match, viewer)
        racks = held(FOUR)
        laid = {"6-6", "6-5"}
        told = everything(dataclasses.replace(view, lot=None))
        for seat, rack in enumerate(racks):
            for tile in rack - laid:
                assert (tile in told) == (seat == viewer), tile
        if viewer is None:
            assert view.rack is None
        else:
            assert view.rack is not None
            assert set(view.rack) == racks[viewer] - laid

    def test_legal_moves_are_for_the_seat_on_turn_alone(self) -> None:
        hand = partners().say("0 6-6", "1 6-5 left")
        assert view_for(hand.match, 2).legal == ("6-4 right",)
        for viewer in (0, 1, 3, None):
            assert view_for(hand.match, viewer).legal == ()
            assert view_for(hand.match, viewer).turn == 2

    def test_a_forced_tile_shows_in_its_holders_moves_alone(self) -> None:
        hand = sheet("draw", "5-4 1-0", "6-6 2-0", "3-0 2-1")
        assert view_for(hand.match, 1).legal == ("6-6",)
        for viewer in (0, 2, None):
            view = view_for(hand.match, viewer)
            assert "6-6" not in everything(view)
            assert view.opener is not None
            assert (view.opener.seat, view.opener.why) == (1, "forced")

    def test_a_drawn_tile_is_told_to_nobody_else(self) -> None:
        hand = sheet("draw", "6-6 1-0", "5-4 2-0", boneyard="5-5 3-3 6-1")
        hand.say("0 6-6", "1 draw", "1 draw")
        own = view_for(hand.match, 1)
        assert own.rack is not None
        assert {"5-5", "3-3"} <= set(own.rack)
        assert [move.word for move in own.moves] == ["6-6", "draw", "draw"]
        for viewer in (0, None):
            view = view_for(hand.match, viewer)
            told = everything(view)
            assert "5-5" not in told
            assert "3-3" not in told
            assert view.boneyard == 1
            assert view.seats[1].tiles == 4

    def test_the_boneyard_is_a_number(self) -> None:
        hand = sheet("draw", "6-6 1-0", "5-4 2-0", boneyard="5-5 3-3 6-1")
        for viewer in (0, 1, None):
            view = view_for(hand.match, viewer)
            assert view.boneyard == 3
            for tile in ("5-5", "3-3", "6-1"):
                assert tile not in everything(view)

    def test_the_lot_is_for_all_in_the_first_hand(self) -> None:
        hand = partners()
        assert view_for(hand.match, None).lot == ("6-6", "5-5", "4-4", "3-3")
        hand = sheet("partners", "6-6", "6-5", "4-4", "3-3", lot=LOT).say("0 6-6")
        hand.deal("6-6 1-0", "6-5 2-0", "4-4 3-0", "3-3 4-0")
        assert view_for(hand.match, None).lot is None

    def test_a_seat_that_left_sees_no_rack(self) -> None:
        hand = sheet("draw", "6-6 1-0", "6-5 2-0", "6-4 3-0").say("0 6-6", "leave 2")
        view = view_for(hand.match, 2)
        assert view.rack is None
        assert view.unseen is None
        assert view.legal == ()
        assert [seat.left for seat in view.seats] == [False, False, True]
        assert view.seats[2].tiles == 0
        for viewer in (0, 1, 2, None):
            assert "6-4" not in everything(view_for(hand.match, viewer))
            assert "3-0" not in everything(view_for(hand.match, viewer))

    def test_there_is_no_result_while_a_hand_is_played(self) -> None:
        hand = sheet("draw", "6-6", "5-5").say("0 6-6")
        assert view_for(hand.match, None).result is not None
        hand.deal("6-6 1-0", "5-5 2-0")
        assert view_for(hand.match, None).result is None


class TestAfterAHand:
    def test_all_racks_are_shown_to_everyone(self) -> None:
        hand = sheet("partners", "6-6", "6-5", "4-4", "3-3", lot=LOT, target=500).say("0 6-6")
        for viewer in (0, 1, None):
            result = view_for(hand.match, viewer).result
            assert result is not None
            assert result.racks == ((), ("6-5",), ("4-4",), ("3-3",))

    def test_line_moves_and_ends_stay(self) -> None:
        hand = sheet("draw", "6-6", "5-5").say("0 6-6", "agree")
        view = view_for(hand.match, 1)
        assert view.line.first == "6-6"
        assert view.ends == {"left": 6, "right": 6}
        assert [move.word for move in view.moves] == ["6-6", "agree"]
        assert view.moves[1].seat is None
        assert view.rack == ("5-5",)
        assert view.phase == "over"
        assert view.match_result is not None

    def test_a_stopped_hand_shows_its_racks_as_they_were_left(self) -> None:
        hand = sheet("draw", "6-6 1-0", "5-5 2-0").say("0 6-6", "leave 1")
        view = view_for(hand.match, None)
        assert view.result is not None
        assert (view.result.how, view.result.winner, view.result.points) == ("stopped", None, 0)
        assert view.result.racks == (("1-0",), ("2-0", "5-5"))
        assert view.match_result is not None
        assert view.match_result.seat == 1

    def test_the_tiles_of_a_seat_that_left_are_not_shown(self) -> None:
        hand = sheet("draw", "6-6 1-0", "6-5 2-0", "6-4 3-0").say("0 6-6", "leave 2", "leave 1")
        view = view_for(hand.match, 0)
        assert view.result is not None
        assert view.result.racks == (("1-0",), None, None)


class TestLine:
    def test_arms_run_outward_from_the_first_tile(self) -> None:
        hand = sheet("classic", "6-4 4-2 2-1", "6-5 5-3 3-0", boneyard="1-0")
        hand.say("1 6-5", "0 6-4 left", "1 5-3 right", "0 4-2 left", "1 3-0 right")
        line = view_for(hand.match, None).line
        assert line.first == "6-5"
        assert line.left == ("6-4", "4-2")
        assert line.right == ("5-3", "3-0")
        assert line.spinner is None

    def test_a_spinner_that_is_not_first_stands_in_its_arm(self) -> None:
        hand = sheet("fives", "6-4 4-2 4-3 2-1", "4-4 4-1 4-0 1-1", lot="6-6 5-5", target=500)
        hand.say("0 6-4", "1 4-4 right", "0 4-2 right", "1 4-1 up", "0 4-3 down")
        line = view_for(hand.match, None).line
        assert line.spinner == "4-4"
        assert line.right == ("4-4", "4-2")
        assert (line.up, line.down) == (("4-1",), ("4-3",))

    def test_a_second_double_is_no_spinner(self) -> None:
        hand = sheet("fives", "6-6 6-4 1-0", "6-3 4-4 3-1", lot="6-6 5-5", target=500)
        hand.say("0 6-6", "1 6-3 left", "0 6-4 right", "1 4-4 right")
        assert view_for(hand.match, None).line.spinner == "6-6"

    def test_only_all_fives_has_a_spinner(self) -> None:
        hand = sheet("draw", "6-6 1-0", "5-4 2-0").say("0 6-6")
        assert view_for(hand.match, None).line.spinner is None

    def test_ends_name_the_open_ones_only(self) -> None:
        hand = sheet("fives", "6-6 6-4 1-0", "6-3 4-4 3-1", lot="6-6 5-5", target=500)
        assert view_for(hand.match, None).ends == {}
        hand.say("0 6-6", "1 6-3 left")
        assert view_for(hand.match, None).ends == {"left": 3, "right": 6}
        hand.say("0 6-4 right")
        assert view_for(hand.match, None).ends == {"left": 3, "right": 4, "up": 6, "down": 6}


class TestWhatSeatsHaveShown:
    def seat(self, hand: Sheet, seat: int) -> Any:
        return view_for(hand.match, None).seats[seat]

    def test_a_knock_shows_that_the_open_numbers_are_lacking(self) -> None:
        hand = sheet("partners", "6-4 1-0", "5-5 2-0", "6-1 3-0", "3-3 5-1", lot=LOT)
        hand.say("0 6-4", "1 knock")
        assert self.seat(hand, 1).lacks == (4, 6)
        assert self.seat(hand, 1).knocked == (4, 6)
        assert self.seat(hand, 0).lacks == ()

    def test_knocks_add_up(self) -> None:
        hand = sheet(
            "partners", "6-4 4-0 2-2", "3-3 2-1 3-2", "6-1 3-0 1-1", "4-4 5-1 5-2", lot=LOT
        )
        hand.say("0 6-4", "1 knock", "2 6-1 left", "3 5-1 left", "0 4-0 right", "1 knock")
        assert self.seat(hand, 1).lacks == (0, 4, 5, 6)
        assert self.seat(hand, 1).knocked == (0, 5)

    def test_laying_a_tile_ends_the_knock_not_the_lack(self) -> None:
        hand = sheet("partners", "6-4 4-0 1-0", "5-5 2-1", "6-1 3-0", "3-3 5-1", lot=LOT)
        hand.say("0 6-4", "1 knock", "2 6-1 left", "3 5-1 left", "0 4-0 right")
        assert self.seat(hand, 1).knocked == (4, 6)
        hand.say("1 5-5 left")
        assert self.seat(hand, 1).knocked == ()
        assert self.seat(hand, 1).lacks == (4, 6)

    def test_a_draw_shows_it_too(self) -> None:
        hand = sheet("draw", "6-6 1-0", "5-4 2-0", boneyard="5-5 3-3 6-1").say("0 6-6", "1 draw")
        assert self.seat(hand, 1).lacks == (6,)
        assert self.seat(hand, 1).knocked == ()

    def test_a_later_draw_clears_all_but_the_ends_of_that_moment(self) -> None:
        hand = sheet("draw", "6-6 3-1 5-2 5-0", "5-4 2-0", boneyard="6-3 5-5 6-1")
        hand.say("0 6-6", "1 draw", "1 6-3 left", "0 3-1 left", "1 draw", "1 draw")
        assert self.seat(hand, 1).lacks == (1, 6)
        hand = sheet("draw", "6-6 3-3 5-2", "5-4 2-0", boneyard="6-3 6-1")
        hand.say("0 6-6", "1 draw", "1 6-3 left", "0 3-3 left", "1 draw")
        assert self.seat(hand, 1).lacks == (3, 6)

    def test_all_four_ends_of_all_fives(self) -> None:
        hand = sheet(
            "fives", "6-6 6-4 1-0 2-2", "6-3 4-4 3-1 5-5", "5-1 5-2 2-0 2-1", lot="6-6 5-5 4-4",
            target=500,
        )  # fmt: skip
        hand.say("0 6-6", "1 6-3 left", "2 knock", "0 6-4 right", "1 3-1 left", "2 5-1 left")
        hand.say("0 knock")
        assert self.seat(hand, 0).lacks == (4, 5, 6)
        assert self.seat(hand, 2).lacks == (3, 6)


class TestUnseen:
    def test_seven_of_each_less_line_and_own_rack(self) -> None:
        hand = sheet("draw", "6-6 1-0", "6-5 5-4", boneyard="2-2").say("0 6-6")
        assert view_for(hand.match, 1).unseen == (7, 7, 7, 7, 6, 5, 5)
        assert view_for(hand.match, 0).unseen == (6, 6, 7, 7, 7, 7, 6)

    def test_none_for_a_spectator(self) -> None:
        assert view_for(partners().match, None).unseen is None


def test_a_view_cannot_be_changed() -> None:
    view = view_for(partners().match, 0)
    with pytest.raises(dataclasses.FrozenInstanceError):
        view.turn = 3  # type: ignore[misc]
    kinds = {field.name: getattr(view, field.name) for field in dataclasses.fields(View)}
    lists = [name for name, value in kinds.items() if isinstance(value, list)]
    assert lists == []


def test_a_view_stays_as_it_was_when_the_match_goes_on() -> None:
    hand = partners()
    view = view_for(hand.match, 0)
    before = everything(view)
    hand.say("0 6-6", "1 6-5 left", "2 6-4 right")
    assert everything(view) == before
