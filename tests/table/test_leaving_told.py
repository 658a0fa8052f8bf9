"""Real tables that people leave or that nobody comes back to: what the page says of it is so."""

from __future__ import annotations

import random
import time

import pytest
from django.test import Client

from dominoes.rules.view import view_for
from dominoes.table import play, store, words
from dominoes.table.models import Match, Table
from dominoes.table.pictures import due_of, state_of
from dominoes.table.words_end import heard_by, match_over, out_of_it
from tests.table.tables import Room

pytestmark = pytest.mark.django_db


def over(room: Room, you: int | None) -> str:
    """How the match ended, as a seat hears it, read anew from the database."""
    store.forget()
    live = room.live
    state, view = state_of(live, time.time()), live.view(None)
    assert view is not None
    side = None if you is None else state.options.side_of(you)
    names = ("Ana", "Ben", "Carmen", "Dora")[: state.options.players]
    return heard_by(match_over(state, view, names), you, side)


def on_turn(room: Room) -> int:
    turn = room.game.turn
    assert turn is not None
    return turn


def page_of(room: Room) -> str:
    match = Match.objects.get(table__code=room.code)
    return Client().get(f"/matches/{match.pk}/").content.decode()


def test_a_clock_that_ran_out() -> None:
    room = Room(turn_seconds=20).start()
    room.here(0, 1)
    loser = on_turn(room)
    name = room.people[loser].name
    room.wait(21)
    assert over(room, loser) == "Your time ran out. You lose the match."
    assert over(room, 1 - loser).endswith("ran out of time. You win the match.")
    page = page_of(room)
    assert "Won on time" in page and f"{name} ran out of time." in page


def test_walking_out() -> None:
    room = Room(turn_seconds=20).start()
    room.do(play.leave, 0)
    assert over(room, 0) == "You left the match. You lose the match."
    page = page_of(room)
    assert "Won by the other side&#x27;s leaving" in page and "left the match." in page


def test_a_claim() -> None:
    room = Room(turn_seconds=0).start()
    room.here(0, 1)
    loser = on_turn(room)
    room.pass_time(301)
    room.do(play.claim, 1 - loser)
    assert over(room, loser).startswith("You did nothing for five minutes")
    assert "Won by claiming a seat that did nothing" in page_of(room)


def test_a_claim_in_a_match_that_goes_on_is_remembered_in_later_hands() -> None:
    random.seed(3)
    room = Room("draw", players=3, turn_seconds=0, target=500).start()
    room.here(0, 1, 2)
    claimed = on_turn(room)
    room.pass_time(301)
    room.do(play.claim, (claimed + 1) % 3)
    room.play_hand()
    room.wait(11)
    assert room.live.status == Table.PLAYING and room.game.hand_number == 2
    store.forget()
    state = state_of(room.live, time.time())
    said = out_of_it(state, claimed, words.names_of(state))
    assert said.startswith("You did nothing for five minutes, and your seat was claimed.")


def test_three_turns_that_were_played_for_a_seat() -> None:
    random.seed(2)
    room = Room("draw", players=3, turn_seconds=20).start()
    room.here(0, 1, 2)
    slow = on_turn(room)
    room.wait(21)
    while room.live.in_match and slow not in room.game.left:
        if room.live.status == Table.BETWEEN:
            room.wait(11)
        elif room.game.turn == slow:
            room.wait(2.1)
        else:
            room.move()
    state = state_of(room.live, time.time())
    said = out_of_it(state, slow, words.names_of(state))
    assert said.startswith("Three turns in a row were played for you, so you are out of the match.")
    room.do(play.leave, (slow + 1) % 3)
    assert "You left the match. " in over(room, (slow + 1) % 3)
    page = page_of(room)
    assert "Won as the last one still in it" in page and "left the match." in page


def test_the_last_one_was_away() -> None:
    random.seed(1)
    room = Room("draw", players=3, turn_seconds=20).start()
    room.here(0, 1, 2)
    away = on_turn(room)
    room.wait(21)
    first, second = (seat for seat in range(3) if seat != away)
    room.do(play.leave, first)
    room.do(play.leave, second)
    assert over(room, away).endswith(
        "You were away, the last one in it: the match ends without a result."
    )
    assert over(room, second).startswith("You left the match. ")


def test_only_bots_left() -> None:
    room = Room("draw", players=3, bots=2).start()
    room.do(play.leave, 0)
    assert over(room, 0) == (
        "You left the match. It was against bots alone, so the match ends without a result."
    )
    room = Room("draw", players=3, bots=1).start()
    room.do(play.leave, 0)
    room.do(play.leave, 1)
    assert over(room, 1) == (
        "You left the match. Only bots are left, so the match ends without a result."
    )


def test_a_nearby_seat_that_was_not_back_in_time() -> None:
    room = Room("draw", players=3, kind="nearby").start()
    room.here(0, 1, 2)
    room.here(0, 2)
    room.wait(31)
    assert over(room, 1).startswith("You did not come back in time.")
    assert over(room, 0) == (
        "Ben did not come back in time. The match ends for everybody, without a result."
    )
    assert "did not come back in time." in page_of(room)


def test_nobody_came_back() -> None:
    for bots, seconds, span in ((0, 3601, "an hour"), (1, 7 * 86400 + 1, "a week")):
        room = Room("draw", bots=bots, turn_seconds=0).start()
        room.here(0)
        room.here()
        while room.live.in_match and room.game.turn != 0 and bots:
            room.move()
        room.wait(seconds)
        assert over(room, 0) == f"Nobody came back for {span}: the match ends without a result."


def test_a_reserve_runs_for_its_turn_alone() -> None:
    room = Room("draw", players=3, turn_seconds=20).start()
    turn = on_turn(room)
    room.here(*(seat for seat in range(3) if seat != turn))

    def reserve() -> bool:
        store.forget()
        due = due_of(room.live)
        return due is not None and due.reserve

    assert not reserve()
    room.wait(21)
    assert reserve()
    room.here(0, 1, 2)
    assert reserve()
    while room.game.turn == turn:
        room.move()
    assert not reserve()


def test_the_replay_says_how_a_seat_left() -> None:
    room = Room(turn_seconds=20).start()
    room.here(0, 1)
    room.wait(21)
    assert page_of(room).count("ran out of time") >= 1
    match = Match.objects.get(table__code=room.code)
    ply = len(view_for(room.game, None).moves)
    last = Client().get(f"/matches/{match.pk}/?hand=1&ply={ply}").content.decode()
    assert "ran out of time</b>" in last and "made for the seat" not in last
