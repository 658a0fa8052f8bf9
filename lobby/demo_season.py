"""The past of the demo: weeks of whole matches, and what keepers did about some of them.

Every match is played by the rules at its own time, the oldest first, so that points by week, the
ratings' course and the figures by day are what such a season would have made them.
"""

from __future__ import annotations

import random
import secrets
import time
from collections.abc import Callable, Mapping
from datetime import UTC, datetime, timedelta
from typing import Any

from dominoes.bots import choose
from dominoes.table import (
    beginning,
    choosing,
    course,
    figures,
    play,
    reports,
    seating,
    store,
    voiding,
)
from dominoes.table.live import Live
from dominoes.table.models import Match, Table
from ranking.acts import log_act
from ranking.models import Player

DAY = 86_400.0
#: Seconds that a move of the past took.
TOOK = (1.5, 9.0)
STEADY = 0.85  # how often those of the demo's last names play as well as they can

Told = Callable[[int, int], None]


def fill(plan: Mapping[str, Any], known: dict[str, Player], tell: Told) -> int:
    """Play the plan's matches to their ends; gives how many. `tell` hears how far it is."""
    chance = random.Random(plan["season"]["dice"])  # noqa: S311 (who met whom, at which time)
    wanted = sorted(
        [*plan["matches"], *_season(plan, chance)], key=lambda match: -match["days_ago"]
    )
    oldest = datetime.now(UTC) - timedelta(days=wanted[0]["days_ago"] + 1)
    Player.objects.filter(pk__in=[player.pk for player in known.values()]).update(
        date_joined=oldest
    )
    for number, match in enumerate(wanted, 1):
        played = _play(match, known, chance)
        _afterwards(match, played, known)
        tell(number, len(wanted))
    figures.check_deals(len(wanted) // 2)
    for act in plan["acts"]:
        _act(act, known)
    return len(wanted)


def _season(plan: Mapping[str, Any], chance: random.Random) -> list[dict[str, Any]]:
    """Ranked matches of two, by chance: those named first play most."""
    names, season = plan["players"], plan["season"]
    often = range(len(names), 0, -1)
    found = []
    for number in range(season["matches"]):
        pair: list[str] = []
        while len(set(pair)) < 2:
            pair = chance.choices(names, often, k=2)
        found.append(
            {
                "rules": chance.choice(season["rules"]),
                "seats": pair,
                "ranked": True,
                # Evenly over the days: nobody's pair plays more than three of them in one.
                "days_ago": season["days"] * (1 - number / season["matches"]) + 0.2,
            }
        )
    return found


def _play(wanted: Mapping[str, Any], known: dict[str, Player], chance: random.Random) -> Match:
    """Seat people and bots as wanted, and play to the end."""
    at = time.time() - wanted["days_ago"] * DAY
    with store.as_of(at):
        code = store.call(seat, wanted, known)
        id = store.call(beginning.start, code, known[wanted["seats"][0]].pk)
        store.call(play_out, code, wanted.get("end"), at, chance)
    return Match.objects.get(pk=id)


def seat(wanted: Mapping[str, Any], known: dict[str, Player]) -> str:
    """Make one of the plan's tables and seat its people and bots; gives its code.

    A seat is somebody's name, a bot's level, or nothing. Within `store.call`.
    """
    choices = choosing.check_choices(
        rules=wanted["rules"],
        players=len(wanted["seats"]),
        sides=wanted.get("sides"),
        ranked=wanted.get("ranked", False),
    )
    host, *others = wanted["seats"]
    code = seating.create_table(known[host].pk, choices, seed=secrets.token_hex(16))
    for number, name in enumerate(others, 1):
        if name in seating.BOT_LEVELS:
            seating.set_bot(code, known[host].pk, number, name)
        elif name is not None:
            seating.sit(code, known[name].pk, number, secrets.token_hex(16))
    return code


def play_out(code: str, end: Mapping[str, Any] | None, at: float, chance: random.Random) -> None:
    """Play a match from that time on, to its end or to the one that the plan has for it.

    All in one transaction: within `store.call`.
    """
    while True:
        at += chance.uniform(*TOOK)
        with store.as_of(at):
            state = store.fresh(code)
            if not state.in_match:
                return
            if not _ended_early(state, end):
                one_step(state, chance)


def _ended_early(state: Live, end: Mapping[str, Any] | None) -> bool:
    """Leave, or agree on a draw, where the plan says so."""
    game = state.game
    if end is None or game is None or game.hand_number < end["hand"]:
        return False
    people = {holder.seat: holder.player_id for holder in state.people_in}
    if end["how"] == "leave" and end["seat"] in people:
        play.leave(state.code, people[end["seat"]])
        return True
    if end["how"] == "agree" and state.status == Table.BETWEEN:
        first, *others = people.values()
        play.offer_draw(state.code, first)
        for player_id in others:
            play.accept_draw(state.code, player_id)
        return True
    return False


def one_step(state: Live, chance: random.Random) -> None:
    """Deal the next hand, or play one move for whoever is on turn. Within `store.call`."""
    assert state.game is not None
    turn = state.game.turn
    if turn is None:
        store.change(state.code, course.deal)
        return
    view, holder = state.view(turn), state.seats[turn]
    assert view is not None and holder is not None
    level = "steady" if chance.random() < STEADY else "easy"
    word = choose(view, holder.bot or level)
    if holder.bot:
        store.change(state.code, course.play_word, turn, word, auto=False)
    else:
        play.move(state.code, holder.player_id, word, state.seq, f"demo-{state.seq}")


def _afterwards(wanted: Mapping[str, Any], match: Match, known: dict[str, Player]) -> None:
    """What the plan's people and keepers did about a match."""
    report = wanted.get("report")
    if report:
        made = reports.make_report(match, known[report["by"]], report["seat"], report["reason"])
        if report.get("answer"):
            reports.answer(made, None, report["answer"])
    if wanted.get("void"):
        voiding.void(match, None, wanted["void"])


def _act(act: Mapping[str, Any], known: dict[str, Player]) -> None:
    """Mute or suspend somebody for some days."""
    player = known[act["about"]]
    until = datetime.now(UTC) + timedelta(days=act["days"])
    setattr(player, {"mute": "muted_until", "suspend": "suspended_until"}[act["what"]], until)
    player.save()
    log_act(by=None, what=act["what"], about=player, reason=act["reason"])
