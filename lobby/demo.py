"""Players and tables to look at, for a site that has none: whole matches, played by the rules.

``fill`` makes the players and plays the matches of ``seeds/demo.json`` (demo_season.py).
``keep_going`` takes part in the site as a process of its own, with its players at tables of their
own, until it is stopped. Nobody can sign in as one of these players: they have no password.
"""

import asyncio
import contextlib
import json
import random
import signal
import time
from dataclasses import dataclass
from typing import Any

from django.conf import settings

from dominoes.table import beginning, play, presence, store
from dominoes.table.hub import hub
from dominoes.table.live import Live
from dominoes.table.models import Table
from dominoes.table.refusals import Refused
from dominoes.table.run import Life
from lobby import demo_season
from ranking.models import Player
from ranking.players import create_account, find_player

#: Seconds that a player of the live demo takes to move, and to look at a hand that has ended.
THINKS = (1.5, 4.0)
LOOKS = 6.0


def plan() -> dict[str, Any]:
    """What the demo has: players, matches to be played out, tables to keep going, open ones."""
    text = (settings.BASE_DIR / "seeds" / "demo.json").read_text(encoding="utf-8")
    return dict(json.loads(text))


def people() -> dict[str, Player]:
    """The demo's players by name; makes those who aren't there yet."""
    return {
        name: find_player(name) or create_account(name, password=None) for name in plan()["players"]
    }


def fill(tell: demo_season.Told = lambda done, of: None) -> int:
    """Play the demo's matches to their ends; gives how many. Does nothing a second time.

    `tell` is called after each with how many are done, and of how many.
    """
    known = people()
    if Table.objects.filter(seat_rows__player__in=known.values()).exists():
        return 0
    return demo_season.fill(plan(), known, tell)


def live(code: str) -> Live:
    """The table as it stands."""
    return store.call(store.fresh, code)


@dataclass(slots=True)
class Going:
    """A table of the live demo, and when something is to be done there next."""

    code: str
    at: float = 0.0

    def step(self, chance: random.Random) -> None:
        """Do what its people would do now: move, be ready, play again. Runs in a thread."""
        state = live(self.code)
        try:
            if state.in_match and state.game is not None and state.game.turn is not None:
                store.call(demo_season.one_step, state, chance)
                self.at = time.time() + chance.uniform(*THINKS)
                return
            command = play.ready if state.in_match else beginning.rematch
            for holder in state.people:
                if holder.player_id is not None:
                    store.call(command, self.code, holder.player_id)
        except Refused:
            pass  # somebody else sat down, or the clock was first: look again
        self.at = time.time() + LOOKS


async def keep_going() -> None:
    """Keep the demo's tables going until SIGINT, SIGTERM, or being cancelled."""
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    with contextlib.suppress(ValueError, RuntimeError):  # signals come to the main thread only
        for number in (signal.SIGINT, signal.SIGTERM):
            loop.add_signal_handler(number, stop.set)
    life = Life()
    await asyncio.to_thread(life.prepare)
    life.begin()
    try:
        codes = await asyncio.to_thread(_sit_down)
        for code in codes:
            hub.came_or_went(code)
        tables = [Going(code, time.time() + LOOKS) for code in codes[: len(plan()["playing"])]]
        chance = random.Random()  # noqa: S311 (how long somebody seems to think)
        while not stop.is_set():
            for table in tables:
                if time.time() >= table.at:
                    await asyncio.to_thread(table.step, chance)
            await asyncio.sleep(0.1)
    finally:
        await life.stop_taking()
        await hub.stop()
        await asyncio.to_thread(life.end)


def _sit_down() -> list[str]:
    """Make the tables and be there, as if each seat had its page open; gives their codes."""
    known = people()
    codes = []
    for kind in ("playing", "open"):
        for wanted in plan()[kind]:
            code = store.call(demo_season.seat, wanted, known)
            if kind == "playing":
                store.call(beginning.start, code, known[wanted["seats"][0]].pk)
            state = live(code)
            for holder in state.people:
                presence.opened(state.table_id, holder.seat, holder.player_id)
            codes.append(code)
    return codes
