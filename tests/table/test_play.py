"""Commands at the table: whole matches of every setup, refusals, ids, leaving, draws, claims."""

import random

import pytest

from dominoes.rules.record import replay
from dominoes.table import beginning, course, play, presence, store
from dominoes.table.live import Live
from dominoes.table.models import Event, Table
from dominoes.table.records import record_of
from dominoes.table.refusals import Refused
from ranking.outcomes import Result
from tests.table.tables import SETUPS, Room, picture_of

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(("rules", "players", "sides"), SETUPS)
def test_a_whole_match_is_played_recorded_and_counted_once(
    rules: str, players: int, sides: str
) -> None:
    random.seed(f"{rules}{players}{sides}")
    room = Room(rules, players=players, sides=sides, target=60).start()
    while room.live.in_match:
        room.play_hand()
        if room.live.status == Table.BETWEEN:
            room.wait(11)
    live = room.live
    assert live.status == Table.OVER
    assert live.match is not None
    record = record_of(live.match.id)
    trace = list(replay(record))
    assert trace[-1]["event"] == "match"
    assert trace[-1]["scores"] == picture_of(room.live, None)["scores"]
    assert Result.objects.filter(key=f"dominoes:{live.match.id}").count() == 1
    store.forget()
    again = room.live
    assert picture_of(again, 0) == picture_of(live, 0)


def test_memory_and_database_tell_the_same_at_every_ply() -> None:
    random.seed(5)
    room = Room("fives", players=3).start()
    for _ in range(60):
        if room.live.status == Table.BETWEEN:
            room.wait(11)
        if not room.live.in_match:
            break
        room.move()
        kept = [picture_of(room.live, seat) for seat in range(3)]
        store.forget()
        assert kept == [picture_of(room.live, seat) for seat in range(3)]


class TestMove:
    def test_an_accepted_id_sent_again_gets_its_answer_and_plays_nothing(self) -> None:
        room = Room().start()
        live = room.live
        assert live.game is not None and live.game.turn is not None
        seat, word = live.game.turn, live.game.legal_words()[0]
        first = room.do(play.move, seat, word, live.seq, "a1")
        again = room.do(play.move, seat, word, live.seq, "a1")
        store.forget()
        assert first == again == room.do(play.move, seat, word, live.seq, "a1")
        assert Event.objects.filter(kind="move").count() == 1

    def test_an_id_sent_again_with_a_newer_picture_plays_nothing_either(self) -> None:
        random.seed(3)
        room = Room().start()
        live = room.live
        assert live.game is not None and live.game.turn is not None
        seat = live.game.turn
        first = room.do(play.move, seat, live.game.legal_words()[0], live.seq, "a1")
        room.move()
        while room.game.turn != seat:
            room.move()
        live = room.live
        assert live.game is not None
        plies = live.game.ply
        assert room.do(play.move, seat, live.game.legal_words()[0], live.seq, "a1") == first
        assert room.game.ply == plies

    def test_an_older_picture_is_stale(self) -> None:
        room = Room().start()
        seq = room.live.seq
        room.move()
        turn = room.game.turn
        assert turn is not None
        with pytest.raises(Refused) as refused:
            room.do(play.move, turn, room.game.legal_words()[0], seq, "x")
        assert refused.value.code == "stale"

    def test_presence_and_offers_make_nothing_stale(self) -> None:
        room = Room(kind="nearby", players=2).start()
        seq = room.live.seq
        room.here(0)
        assert room.live.seq > seq
        turn = room.game.turn
        assert turn is not None
        room.do(play.move, turn, room.game.legal_words()[0], seq, "x")

    @pytest.mark.parametrize(
        ("word", "code"), [("9-9", "illegal"), ("knock", "illegal"), ("6-4 sideways", "illegal")]
    )
    def test_what_is_not_legal_changes_nothing(self, word: str, code: str) -> None:
        room = Room().start()
        live = room.live
        assert live.game is not None and live.game.turn is not None
        with pytest.raises(Refused) as refused:
            room.do(play.move, live.game.turn, word, live.seq, "x")
        assert refused.value.code == code
        assert refused.value.detail.endswith(".")
        assert room.live.seq == live.seq
        assert not Event.objects.filter(client_id="x").exists()

    def test_the_others_turn_is_not_yours(self) -> None:
        room = Room().start()
        live = room.live
        assert live.game is not None and live.game.turn is not None
        with pytest.raises(Refused) as refused:
            room.do(play.move, 1 - live.game.turn, "draw", live.seq, "x")
        assert refused.value.code == "not_your_turn"

    def test_without_a_seat(self) -> None:
        room = Room().start()
        for stranger in (None, 10**6):
            with pytest.raises(Refused) as refused:
                store.call(play.move, room.code, stranger, "draw", room.live.seq, "x")
            assert refused.value.code == "not_seated"


class TestLeaving:
    def test_two_sides_online_lose_at_once(self) -> None:
        room = Room().start()
        room.do(play.leave, 0)
        picture_now = picture_of(room.live, 1)
        assert picture_now["status"] == "over"
        assert picture_now["match_result"] == {
            "how": "forfeit",
            "winner": 1,
            "seat": 0,
            "why": "left",
        }
        assert Result.objects.count() == 1

    def test_for_the_partner_too(self) -> None:
        room = Room("partners").start()
        room.do(play.leave, 2)
        result = picture_of(room.live, None)["match_result"]
        assert isinstance(result, dict)
        assert result["winner"] == 1

    def test_more_sides_play_on_and_the_last_one_wins(self) -> None:
        room = Room("draw", players=3).start()
        room.do(play.leave, 1)
        assert room.live.status == Table.PLAYING
        assert picture_of(room.live, None)["scores"] == [0, None, 0]
        room.do(play.leave, 0)
        assert room.live.status == Table.OVER
        result = picture_of(room.live, None)["match_result"]
        assert isinstance(result, dict)
        assert (result["how"], result["winner"]) == ("forfeit", 2)

    def test_the_last_side_that_is_away_wins_nothing(self) -> None:
        room = Room("draw", players=3).start()
        away = room.game.turn
        assert away is not None
        room.here(0, 1, 2)
        room.wait(61)
        assert away in room.live.clock.away
        for seat in range(3):
            if seat != away:
                room.do(play.leave, seat)
        assert room.live.status == Table.ABANDONED
        assert not Result.objects.exists()

    def test_only_bots_left(self) -> None:
        room = Room("draw", players=3, bots=2).start()
        room.do(play.leave, 0)
        assert room.live.status == Table.ABANDONED
        assert not Result.objects.exists()

    def test_a_nearby_match_ends_for_everyone(self) -> None:
        room = Room("draw", players=3, kind="nearby").start()
        room.do(play.leave, 1)
        shown = picture_of(room.live, 0)
        assert shown["status"] == "abandoned"
        assert shown["match_result"] == {
            "how": "abandoned",
            "winner": None,
            "seat": 1,
            "why": "left",
        }
        assert isinstance(shown["result"], dict)
        assert shown["result"]["how"] == "stopped"
        assert not Result.objects.exists()

    def test_before_a_match_the_seat_is_given_up(self) -> None:
        room = Room()
        room.do(play.leave, 1)
        assert room.live.seats[1] is None

    def test_a_second_tap_on_leaving_costs_the_match_alone(self) -> None:
        for bots, people in ((0, 2), (1, 1)):
            room = Room("draw", bots=bots).start()
            assert room.live.match is not None
            first = room.do(play.leave, 0, f"leave:{room.live.match.id}")
            assert not room.live.in_match
            assert room.do(play.leave, 0, f"leave:{room.live.match.id}") == first
            room.do(play.walk_out, 0)  # the same by the page's form, which gives no id
            room.do(play.leave, 0, f"leave:{room.live.match.id}")
            assert len(room.live.people) == people

    def test_a_page_that_leaves_the_match_before_leaves_neither_the_next_nor_the_seat(
        self,
    ) -> None:
        room = Room("draw").start()
        assert room.live.match is not None
        old = f"leave:{room.live.match.id}"
        room.do(play.leave, 1)
        room.do(play.leave, 0, old)
        assert len(room.live.people) == 2
        room.here(0, 1)
        room.do(beginning.rematch, 0)
        room.do(beginning.rematch, 1)
        room.do(play.leave, 0, old)
        assert room.live.in_match
        room.do(play.leave, 0, f"leave:{room.live.match.id}")
        assert not room.live.in_match

    def test_an_id_of_a_program_s_own_that_looks_like_a_page_s_gives_up_the_seat(self) -> None:
        room = Room("draw")
        room.do(play.leave, 1, "leave:1")
        assert room.live.seats[1] is None

    def test_leaving_by_form_is_leaving(self) -> None:
        room = Room("draw").start()
        room.do(play.walk_out, 0)
        assert room.live.status == Table.OVER


def about_to_draw(**choices: int) -> Room:
    """A match of Draw in which the seat on turn can only draw."""
    for seed in range(200):
        random.seed(seed)
        room = Room(turn_seconds=20, **choices).start()
        for _ in range(12):
            if room.game.phase != "play" or room.game.legal_words() == ["draw"]:
                break
            room.move()
        if room.live.status == Table.PLAYING and room.game.legal_words() == ["draw"]:
            return room
    pytest.fail("no hand came to a draw")


class TestClock:
    def test_time_out_with_two_sides_loses(self) -> None:
        room = Room(turn_seconds=20).start()
        room.here(0, 1)
        loser = room.game.turn
        room.wait(19)
        assert room.live.status == Table.PLAYING
        room.wait(2)
        result = picture_of(room.live, None)["match_result"]
        assert isinstance(result, dict)
        assert (result["how"], result["seat"], result["why"]) == ("forfeit", loser, "time")

    def test_a_seat_without_connection_has_a_reserve_once(self) -> None:
        room = Room(turn_seconds=20).start()
        turn = room.game.turn
        assert turn is not None
        room.here(1 - turn)
        room.wait(21)
        assert room.live.status == Table.PLAYING
        room.wait(58)
        assert room.live.status == Table.PLAYING
        room.wait(3)
        assert room.live.status == Table.OVER

    def test_more_sides_are_played_for_then_away_then_gone(self) -> None:
        random.seed(2)
        room = Room("draw", players=3, turn_seconds=20).start()
        room.here(0, 1, 2)
        slow = room.game.turn
        assert slow is not None
        room.wait(21)
        assert slow in room.live.clock.away
        assert room.live.autos[0]
        seen = 0
        while room.live.in_match and slow not in room.game.left:
            if room.live.status == Table.BETWEEN:
                room.wait(11)
            elif room.game.turn == slow:
                seen += 1
                room.wait(2.1)
            else:
                room.move()
        assert seen == 2

    def test_coming_back(self) -> None:
        room = Room("draw", players=3, turn_seconds=20).start()
        room.here(0, 1, 2)
        slow = room.game.turn
        assert slow is not None
        room.wait(21)
        room.do(play.ready, slow)
        assert slow not in room.live.clock.away
        assert not room.live.clock.missed

    def test_coming_back_by_a_draw(self) -> None:
        room = about_to_draw(players=3)
        seat = room.game.turn
        assert seat is not None
        room.here(0, 1, 2)

        def gone(draft: Live, now: float) -> None:
            draft.clock.away.add(seat)
            course.begin_turn(draft, now)
            course.bump(draft, moved=False)

        store.call(store.change, room.code, gone)
        room.move("draw")
        assert seat not in room.live.clock.away
        before = room.game.ply
        room.wait(15)  # its whole turn is its own again
        assert room.game.ply == before
        assert seat not in room.live.clock.away
        room.wait(6)
        assert seat in room.live.clock.away

    def test_a_draw_leaves_ten_seconds(self) -> None:
        room = about_to_draw()
        room.pass_time(15)
        before = room.live.clock.turn_at
        room.move("draw")
        after = room.live.clock.turn_at
        assert before is not None and after is not None
        assert 4 < after - before < 6

    def test_against_bots_alone_there_is_none(self) -> None:
        room = Room("draw", players=2, bots=1).start()
        while room.live.in_match and room.game.turn != 0:
            room.move()
        assert room.live.clock.turn_at is None
        assert picture_of(room.live, 0)["due"] is None

    def test_nearby_a_dropped_seat_is_held_for_thirty_seconds(self) -> None:
        room = Room("draw", players=3, kind="nearby").start()
        room.here(0, 1, 2)
        room.here(0, 2)
        due = picture_of(room.live, 0)["due"]
        assert isinstance(due, dict)
        assert (due["what"], due["seat"]) == ("return", 1)
        room.wait(20)
        room.here(0, 1, 2)
        assert (
            picture_of(room.live, 0)["due"] is None
            or picture_of(room.live, 0)["due"]["what"] != "return"
        )  # type: ignore[index]
        room.here(0, 2)
        room.wait(31)
        shown = picture_of(room.live, 0)
        assert shown["status"] == "abandoned"
        assert shown["match_result"]["why"] == "dropped"  # type: ignore[index]

    def test_claim_after_five_minutes_without_a_clock(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        room = Room("draw", players=2, turn_seconds=0).start()
        room.here(0, 1)
        turn = room.game.turn
        assert turn is not None
        with pytest.raises(Refused) as refused:
            room.do(play.claim, 1 - turn)
        assert refused.value.code == "not_now"
        room.pass_time(301)
        with pytest.raises(Refused):
            room.do(play.claim, turn)
        unreachable = frozenset({(room.live.table_id, turn)})
        monkeypatch.setattr(presence, "doubtful", lambda _now: unreachable)
        with pytest.raises(Refused):  # its process hangs: it may have moved long ago
            room.do(play.claim, 1 - turn)
        monkeypatch.undo()
        room.do(play.claim, 1 - turn)
        assert room.live.status == Table.OVER

    def test_everyone_gone_for_an_hour(self) -> None:
        room = Room("draw", players=2, turn_seconds=0).start()
        room.here(0, 1)
        room.here()
        room.wait(3599)
        assert room.live.status == Table.PLAYING
        room.wait(2)
        assert room.live.status == Table.ABANDONED
        room.wait(3601)
        assert Table.objects.get(code=room.code).status == Table.CLOSED

    def test_a_match_against_bots_waits_a_week(self) -> None:
        room = Room("draw", players=2, bots=1).start()
        room.here(0)
        room.here()
        assert room.live.clock.gone_at is not None
        while room.live.in_match and room.game.turn != 0:
            room.move()
        room.wait(6 * 86400)
        assert room.live.in_match
        room.wait(86400 + 1)
        assert room.live.status == Table.ABANDONED
