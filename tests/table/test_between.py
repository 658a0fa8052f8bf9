"""Between two hands, after a match, and what is given for the next one."""

import random

import pytest

from dominoes.table import beginning, play, seating
from dominoes.table.models import Match, Table
from dominoes.table.refusals import Refused
from ranking.outcomes import Result
from tests.table.tables import Room, picture_of

pytestmark = pytest.mark.django_db


class TestBetweenHands:
    def room_between(self, **choices: object) -> Room:
        random.seed(4)
        room = Room(target=200, **choices).start()  # type: ignore[arg-type]
        room.here(*range(len(room.people)))
        room.play_hand()
        assert room.live.status == Table.BETWEEN
        return room

    def test_dealt_when_everyone_here_is_ready(self) -> None:
        room = self.room_between()
        room.do(play.ready, 0)
        assert room.live.status == Table.BETWEEN
        room.do(play.ready, 1)
        assert room.live.status == Table.PLAYING
        assert room.game.hand_number == 2

    def test_or_after_ten_seconds(self) -> None:
        room = self.room_between()
        room.wait(9)
        assert room.live.status == Table.BETWEEN
        room.wait(2)
        assert room.live.status == Table.PLAYING

    def test_whoever_is_not_here_is_not_waited_for(self) -> None:
        room = self.room_between()
        room.do(play.ready, 0)
        room.here(0)
        assert room.live.status == Table.PLAYING

    def test_agreed_draw(self) -> None:
        room = self.room_between()
        with pytest.raises(Refused):
            room.do(play.accept_draw, 0)
        room.do(play.offer_draw, 0)
        assert picture_of(room.live, None)["offer"] == 0
        with pytest.raises(Refused):
            room.do(play.accept_draw, 0)
        room.do(play.accept_draw, 1)
        shown = picture_of(room.live, None)
        assert shown["match_result"]["how"] == "agreed"  # type: ignore[index]
        assert shown["result"]["how"] in ("out", "blocked")  # type: ignore[index]
        assert {s.outcome for s in Result.objects.get().sides.all()} == {"drawn"}

    def test_every_person_of_the_other_side_accepts(self) -> None:
        room = self.room_between(rules="partners")
        room.do(play.offer_draw, 0)
        room.do(play.accept_draw, 1)
        assert room.live.status == Table.BETWEEN
        room.do(play.accept_draw, 3)
        assert room.live.status == Table.OVER

    def test_a_partner_s_offer_of_the_same_is_remembered_once(self) -> None:
        room = self.room_between(rules="partners")
        room.do(play.offer_draw, 0, "a")
        first = room.do(play.offer_draw, 2, "b")
        before = room.live.seq
        for id in ("b", "c", "d"):
            room.do(play.offer_draw, 2, id)
        assert room.live.seq == before
        room.wait(11)
        assert room.live.status == Table.PLAYING
        assert room.do(play.offer_draw, 2, "b") == first

    def test_an_offer_ends_with_the_deal(self) -> None:
        room = self.room_between()
        room.do(play.offer_draw, 0)
        room.wait(11)
        assert picture_of(room.live, None)["offer"] is None
        with pytest.raises(Refused):
            room.do(play.accept_draw, 1)

    def test_not_within_a_hand_nor_nearby_nor_with_three(self) -> None:
        room = Room().start()
        with pytest.raises(Refused) as refused:
            room.do(play.offer_draw, 0)
        assert refused.value.code == "not_now"
        for choices in ({"kind": "nearby"}, {"players": 3}):
            room = self.room_between(**choices)
            with pytest.raises(Refused) as refused:
                room.do(play.offer_draw, 0)
            assert refused.value.code == "not_now"


class TestRematch:
    def test_all_fives_winner_opens_without_a_lot(self) -> None:
        random.seed(9)
        room = Room("fives", players=2, target=25).start()
        while room.live.in_match:
            room.play_hand()
            room.wait(11)
        winner = room.live.match.result["winner"]  # type: ignore[union-attr, index]
        commit = picture_of(room.live, 0)["commit"]
        assert room.do(beginning.rematch, 0) is None
        match_id = room.do(beginning.rematch, 1)
        shown = picture_of(room.live, 0)
        assert shown["match"] == match_id
        assert shown["opener"] == {"seat": winner, "why": "rematch"}
        assert shown["lot"] is None
        assert shown["commit"] == commit
        assert Match.objects.get(pk=match_id).number == 2

    def test_changing_seats_voids_agreements(self) -> None:
        room = Room("draw", players=2, target=25).start()
        room.do(play.leave, 0)
        room.do(beginning.rematch, 1)
        room.do(seating.stand, 0)
        assert not any(h and h.rematch for h in room.live.seats)


class TestSeeds:
    def test_a_seed_counts_for_the_commitment_that_stood(self) -> None:
        room = Room()
        room.do(play.seed, 0, "AB12")
        room.do(play.seed, 1, "ff")
        room.do(play.seed, 1, "00ff")
        room.start()
        assert room.live.match is not None
        assert room.live.match.seeds == ("ab12", "00ff")
        with pytest.raises(Refused):
            room.do(play.seed, 0, "aa")
        room.do(play.leave, 0)
        room.do(play.seed, 1, "77")
        room.do(beginning.rematch, 0)
        room.do(beginning.rematch, 1)
        assert room.live.match is not None
        assert room.live.match.seeds == ("", "77")

    def test_a_seed_given_again_changes_nothing(self) -> None:
        room = Room()
        room.do(play.seed, 0, "ab12")
        before = room.live.seq
        assert room.do(play.seed, 0, "AB12").seq == before
        room.do(seating.sit, 0, 0, "ab12")
        assert room.live.seq == before
        room.do(play.seed, 0, "ab13")
        assert room.live.seq == before + 1
        room.start()
        room.do(play.leave, 0)
        before = room.live.seq
        room.do(play.seed, 0, "ab13")  # for another commitment
        assert room.live.seq == before + 1

    def test_what_is_no_seed(self) -> None:
        room = Room()
        for bad in ("xyz", "0" * 65, "é"):
            with pytest.raises(Refused):
                room.do(play.seed, 0, bad)
