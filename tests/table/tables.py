"""Tables for tests: people, rooms, matches under way, and time that can be moved."""

from __future__ import annotations

import itertools
import json
import random
import time
from typing import Any

from dominoes.rules.match import Match as Game
from dominoes.table import automatic, beginning, choosing, presence, seating, store
from dominoes.table.live import Live
from dominoes.table.models import Table
from dominoes.table.play import move
from dominoes.table.showing import Showing
from ranking.models import Player
from ranking.players import create_guest

SETUPS = [
    ("partners", 4, "partners"),
    ("draw", 2, "singles"),
    ("draw", 3, "singles"),
    ("draw", 4, "singles"),
    ("classic", 2, "singles"),
    ("classic", 4, "singles"),
    ("classic", 4, "partners"),
    ("fives", 2, "singles"),
    ("fives", 3, "singles"),
    ("fives", 4, "singles"),
    ("fives", 4, "partners"),
]


def picture_of(live: Live, seat: int | None) -> dict[str, Any]:
    """The picture of a table as a program at that seat gets it; None: as a spectator does."""
    picture: dict[str, Any] = json.loads(Showing(live, now=0.0).json(seat))
    return picture


_names = itertools.count(1)


def guest() -> Player:
    """Somebody new."""
    return create_guest(f"Guest {next(_names)}")


def member() -> Player:
    """Somebody with an account."""
    player = create_guest(f"Member {next(_names)}")
    player.is_guest = False
    player.save()
    return player


def sweep() -> int:
    """Do what is due now at every table, as the sweeper does; at how many something was done."""
    done = 0
    for code in Table.objects.filter(due_at__lte=time.time()).values_list("code", flat=True):
        command, about = automatic.duty(store.fresh(code))
        done += bool(store.call(command, code, *about))
    return done


class Room:
    """A table with its people, played on by name of seat."""

    def __init__(
        self,
        rules: str = "draw",
        *,
        bots: int = 0,
        people: list[Player] | None = None,
        **choices: Any,
    ) -> None:
        if rules != "partners":
            choices.setdefault("players", 2)
        chosen = choosing.check_choices(rules=rules, **choices)
        make = member if chosen.ranked else guest
        count = chosen.options.players
        self.people = people or [make() for _ in range(count - bots)]
        self.code = store.call(seating.create_table, self.people[0].pk, chosen)
        for seat, player in enumerate(self.people[1:], 1):
            store.call(seating.sit, self.code, player.pk, seat)
        for seat in range(len(self.people), count):
            store.call(seating.set_bot, self.code, self.people[0].pk, seat, "easy")

    def start(self) -> Room:
        store.call(beginning.start, self.code, self.people[0].pk)
        return self

    @property
    def live(self) -> Live:
        return store.call(store.fresh, self.code)

    @property
    def game(self) -> Game:
        game = self.live.game
        assert game is not None
        return game

    def do(self, command: Any, seat: int, *args: Any) -> Any:
        """Have the person in a seat do something."""
        holder = self.live.seats[seat]
        assert holder is not None
        return store.call(command, self.code, holder.player_id, *args)

    def move(self, word: str | None = None, client_id: str | None = None) -> None:
        """The seat on turn plays a word, by default one by chance."""
        live = self.live
        assert live.game is not None and live.game.turn is not None
        seat = live.game.turn
        word = word or random.choice(live.game.legal_words())
        holder = live.seats[seat]
        assert holder is not None
        if holder.bot:
            self.pass_time(5)
            assert sweep()
        else:
            store.call(move, self.code, holder.player_id, word, live.seq, client_id)

    def play_hand(self) -> None:
        """To the end of the hand."""
        while self.live.status == Table.PLAYING:
            self.move()

    def here(self, *seats: int) -> None:
        """These seats' sockets are open, no others."""
        live = self.live
        held = [h for h in presence._own.held.values() if h.table_id == live.table_id]
        for one in held:
            presence.closed(one)
        for seat in seats:
            holder = live.seats[seat]
            assert holder is not None
            presence.opened(live.table_id, seat, holder.player_id)
        store.call(automatic.presence_changed, self.code)
        store.refresh_presence(self.code)

    def pass_time(self, seconds: float) -> None:
        """Let time go by at this table alone: every deadline comes closer by that much."""
        row = Table.objects.get(code=self.code)
        live = self.live.fork()
        clock = live.clock
        for name in ("turn_at", "turn_from", "act_at", "deal_at", "gone_at", "full_at"):
            at = getattr(clock, name)
            if at is not None:
                setattr(clock, name, at - seconds)
        clock.holds = {seat: at - seconds for seat, at in clock.holds.items()}
        row.clock, row.due_at = clock.to_json(), clock.due_at()
        row.save(update_fields=["clock", "due_at"])
        store.forget(self.code)

    def wait(self, seconds: float) -> None:
        """Let time go by and do what falls due."""
        self.pass_time(seconds)
        sweep()
