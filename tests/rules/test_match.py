"""The match itself: options, deals, what is played for an absent seat, taking it up again."""

from __future__ import annotations

import copy
import json
import pickle
from typing import Any

import pytest

from dominoes.rules import errors
from dominoes.rules.errors import BadDeal, BadOptions, HandOver, MatchOver, NotNow, RulesError
from dominoes.rules.match import Match
from dominoes.rules.moves import KNOCK
from dominoes.rules.options import Options
from dominoes.rules.perft import DEEPEST, perft
from dominoes.rules.systems import SYSTEMS
from tests.rules.sheet import Sheet, sheet, state


class TestOptions:
    def test_the_four_systems(self) -> None:
        assert list(SYSTEMS) == ["partners", "draw", "classic", "fives"]

    @pytest.mark.parametrize("rules", [None, "", "chess", 1, [], {}, "Partners", "\ud800"])
    def test_no_others(self, rules: object) -> None:
        with pytest.raises(BadOptions) as refused:
            Options.of(rules)
        assert refused.value.code == "rules"
        assert "partners" in str(refused.value)

    @pytest.mark.parametrize("target", [0, -1, True, 1.5, 100.0, "100", [], float("nan"), 10**400])
    def test_the_target_is_a_whole_number_from_one(self, target: object) -> None:
        if target == 10**400:
            assert Options.of("draw", 2, target=target).target == 10**400
            return
        with pytest.raises(BadOptions) as refused:
            Options.of("draw", 2, target=target)
        assert refused.value.code == "target"

    @pytest.mark.parametrize("value", [None, 0, 1, "yes", []])
    def test_double_six_opens_is_yes_or_no(self, value: object) -> None:
        with pytest.raises(BadOptions):
            Options.of("partners", double_six_opens=value)

    def test_what_is_chosen_goes_into_the_record(self) -> None:
        assert Options.of("partners").to_json() == {
            "players": 4, "sides": "partners", "target": 100,
        }  # fmt: skip
        assert Options.of("partners", double_six_opens=True).to_json()["double_six_opens"] is True
        assert Options.of("fives", 2, opens=0).to_json()["opens"] == 0

    def test_two_options_alike_are_equal(self) -> None:
        assert Options.of("draw", 3) == Options.of("draw", 3, "singles", 100)
        assert hash(Options.of("draw", 3)) == hash(Options.of("draw", 3, "singles", 100))


class TestDeals:
    def match(self) -> Match:
        return Match(Options.of("draw", 2))

    def racks(self) -> list[Any]:
        return [list(range(7)), list(range(7, 14))]

    @pytest.mark.parametrize(
        ("change", "code"),
        [
            (lambda racks, _yard: racks.pop(), "racks"),
            (lambda racks, _yard: racks.append([]), "racks"),
            (lambda racks, _yard: racks[0].pop(), "size"),
            (lambda racks, _yard: racks[1].append(20), "size"),
            (lambda racks, _yard: racks[1].__setitem__(0, 3), "twice"),
            (lambda racks, _yard: racks.__setitem__(1, None), "no_rack"),
            (lambda racks, _yard: racks[1].__setitem__(0, 28), "tile"),
            (lambda racks, _yard: racks[1].__setitem__(0, -1), "tile"),
            (lambda _racks, yard: yard.pop(), "boneyard"),
            (lambda _racks, yard: yard.append(0), "boneyard"),
            (lambda _racks, yard: yard.__setitem__(0, 3), "twice"),
        ],
    )
    def test_each_fault_is_named(self, change: Any, code: str) -> None:
        match, racks, yard = self.match(), self.racks(), list(range(14, 28))
        change(racks, yard)
        before = state(match)
        with pytest.raises(BadDeal) as refused:
            match.deal(racks, yard)
        assert refused.value.code == code
        assert state(match) == before

    def test_the_deal_is_kept_as_it_was(self) -> None:
        match, racks, yard = self.match(), self.racks(), list(range(14, 28))
        match.deal(racks, yard)
        racks[0].clear()
        yard.clear()
        assert match.current is not None
        assert match.current.racks[0] == tuple(range(7))
        assert match.current.boneyard == tuple(range(14, 28))


class TestTimeOut:
    """The move that is made for a seat whose time is out."""

    def test_the_heaviest_legal_tile(self) -> None:
        hand = sheet("draw", "6-6 1-0", "6-0 6-4 6-3", boneyard="5-5").say("0 6-6")
        assert hand.match.timeout_word() == "6-4 left"

    def test_at_equal_weight_a_double_then_the_heavier_end(self) -> None:
        hand = sheet("fives", "5-4 1-0", "5-5 6-4 4-4", lot="6-6 5-5", target=500).say("0 5-4")
        assert hand.match.timeout_word() == "5-5 left"
        hand = sheet("fives", "4-3 1-0", "4-2 3-3 6-1", lot="6-6 5-5", target=500).say("0 4-3")
        assert hand.match.timeout_word() == "3-3 right"
        hand = sheet("fives", "4-3 1-0", "4-4 5-3 6-2", lot="6-6 5-5", target=500).say("0 4-3")
        assert hand.match.timeout_word() == "4-4 left"

    def test_left_before_right_before_up_before_down(self) -> None:
        hand = sheet("fives", "6-6 6-4 1-0 2-0", "6-3 6-5 3-2 5-4", lot="6-6 5-5", target=500)
        hand.say("0 6-6")
        assert hand.match.timeout_word() == "6-5 left"
        hand.say("1 6-3 right", "0 6-4 left")
        assert hand.match.legal_words() == ["3-2 right", "5-4 left", "6-5 down", "6-5 up"]
        assert hand.match.timeout_word() == "6-5 up"

    def test_when_opening_any_tile_or_the_forced_one(self) -> None:
        hand = sheet("fives", "6-4 5-5 6-3", "6-6 1-1 1-0", lot="6-6 5-5")
        assert hand.match.timeout_word() == "5-5"
        assert sheet("draw", "2-2 6-5", "1-1 6-4").match.timeout_word() == "2-2"

    def test_else_a_draw_else_the_knock(self) -> None:
        hand = sheet("draw", "6-6 1-0", "5-4 2-0", boneyard="5-5").say("0 6-6")
        assert hand.match.timeout_word() == "draw"
        hand.say("1 draw")
        assert hand.match.timeout_word() == "knock"

    def test_with_nobody_on_turn_there_is_none(self) -> None:
        match = Match(Options.of("draw", 2))
        with pytest.raises(HandOver):
            match.timeout_word()
        hand = sheet("draw", "6-6", "5-5", target=10).say("0 6-6")
        with pytest.raises(MatchOver):
            hand.match.timeout_word()


class TestRefusals:
    def between(self) -> Sheet:
        return sheet("draw", "6-6", "5-5").say("0 6-6")

    def test_nothing_is_played_between_hands(self) -> None:
        with pytest.raises(HandOver):
            self.between().match.play(0, "knock")
        with pytest.raises(HandOver):
            Match(Options.of("draw", 2)).play(0, "knock")

    def test_each_carries_a_code_parameters_and_a_template(self) -> None:
        hand = sheet("draw", "6-6 1-0", "6-5 5-4", boneyard="2-2").say("0 6-6")
        refused = hand.refuses("1 5-4 left", "does_not_fit")
        assert refused.params["tile"] == "5-4"
        assert refused.params["shows"] == 6
        assert str(refused) == refused.template % refused.params
        assert isinstance(refused, ValueError)

    @pytest.mark.parametrize("word", ["\ud800", "x" * 10_000, "a\nb", "%s %d", "%(seat)s", None, 7])
    def test_anything_at_all_is_refused_in_a_sentence(self, word: Any) -> None:
        hand = sheet("draw", "6-6 1-0", "6-5 5-4", boneyard="2-2").say("0 6-6")
        with pytest.raises(RulesError) as refused:
            hand.match.play(1, word)
        text = str(refused.value)
        text.encode()
        assert "\n" not in text
        assert len(text) < 80

    def test_they_can_be_sent_between_processes(self) -> None:
        hand = sheet("draw", "6-6 1-0", "6-5 5-4", boneyard="2-2").say("0 6-6")
        refused = hand.refuses("1 5-4 left", "does_not_fit")
        again = pickle.loads(pickle.dumps(refused))
        assert type(again) is type(refused)
        assert (again.code, again.params, str(again)) == (
            refused.code, refused.params, str(refused),
        )  # fmt: skip
        fault = errors.BadRecord("no", 3, 12)
        again = pickle.loads(pickle.dumps(fault))
        assert (str(again), again.hand, again.ply) == ("hand 3, ply 12: no", 3, 12)

    def test_kinds_are_kinds_of_each_other(self) -> None:
        assert issubclass(HandOver, NotNow)
        assert issubclass(MatchOver, NotNow)
        assert issubclass(NotNow, RulesError)


class TestCore:
    """The hand underneath, as counting and benches use it."""

    def test_it_plays_nothing_that_is_not_legal(self) -> None:
        hand = sheet("draw", "6-6 1-0", "6-5 5-4", boneyard="2-2").match.hand
        assert hand is not None
        with pytest.raises(ValueError, match="legal"):
            hand.play(KNOCK)
        assert hand.moves == []

    @pytest.mark.parametrize("depth", [-1, DEEPEST + 1])
    def test_it_is_not_counted_too_deep(self, depth: int) -> None:
        hand = sheet("draw", "6-6 1-0", "6-5 5-4", boneyard="2-2").match.hand
        assert hand is not None
        with pytest.raises(ValueError, match="depth"):
            perft(hand, depth)
        assert perft(hand, 0) == []

    def test_a_match_before_its_first_deal_has_nothing_to_do(self) -> None:
        match = Match(Options.of("draw", 2))
        assert match.legal_words() == []
        assert match.moves() == ()
        assert match.logs() == ()
        assert match.must_open is None
        assert (match.ply, match.turn, match.hand_number) == (0, None, 0)


class TestTakingUp:
    def test_before_the_first_deal(self) -> None:
        match = Match(Options.of("fives", 2))
        again = Match.resume(match.options, json.loads(json.dumps(match.base())))
        assert state(again) == state(match)
        assert again.lot_due

    def test_base_is_of_the_moment_before_the_deal(self) -> None:
        hand = sheet("draw", "6-6", "5-5").say("0 6-6")
        first = hand.match.base()
        assert first["scores"] == [0, 0]
        hand.deal("6-6 1-0", "5-5 2-0").say("0 6-6")
        assert hand.match.base()["scores"] == [10, 0]
        assert hand.match.base()["hand_number"] == 1

    def test_changing_it_changes_nothing(self) -> None:
        hand = sheet("draw", "6-6 1-0", "5-5 2-0")
        base = hand.match.base()
        base["scores"][0] = 99
        base["left"].append(1)
        assert hand.match.base() != base
        assert hand.match.base()["scores"] == [0, 0]

    def test_finished_hands_are_shared_by_copies(self) -> None:
        hand = sheet("draw", "6-6", "5-5").say("0 6-6").deal("6-6 1-0", "5-5 2-0")
        twin = hand.match.copy()
        assert twin.logs()[0] is hand.match.logs()[0]
        assert copy.copy(twin).options is hand.match.options
