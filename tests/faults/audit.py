"""After the faults: is everything that was promised there, once, and did nobody see too much?"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from tests import services
from tests.faults.farm import Farm
from tests.faults.known import Course, Position, positions, tiles_in_html, too_many
from tests.faults.load import Match


@dataclass
class Tally:
    """What was looked at, and every fault that was found."""

    matches: int = 0
    moves: int = 0  # acknowledged
    pictures: int = 0
    pages: int = 0
    again: int = 0  # times that a client was cut off and came back
    refused: Counter[str] = field(default_factory=Counter)
    lost: list[str] = field(default_factory=list)
    twice: list[str] = field(default_factory=list)
    made: list[str] = field(default_factory=list)  # moves and exits that nobody asked for
    leaks: list[str] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)

    def __str__(self) -> str:
        return (
            f"{self.matches} matches, {self.moves} moves acknowledged: {len(self.lost)} lost, "
            f"{len(self.twice)} twice, {len(self.made)} made for somebody; {self.again} times cut "
            f"off; {self.pictures} pictures and {self.pages} pushes to pages: "
            f"{len(self.leaks)} tiles too many"
        )

    def clean(self) -> None:
        """Raise AssertionError unless nothing is wrong."""
        wrong = [*self.lost, *self.twice, *self.made, *self.leaks, *self.faults]
        assert not wrong, "\n".join([str(self), *wrong[:20]])


async def audit(farm: Farm, played: Sequence[Match], ends: Sequence[str] = ("target",)) -> Tally:
    """Hold what the programs were told against log, record, result and ladder.

    `ends`: how the matches may have ended. Whatever was played for somebody, and whoever is out
    without having said so, is a fault.
    """
    tally = Tally(matches=len(played))
    courses: dict[str, Course] = {}
    known: dict[str, dict[tuple[int, int], Position]] = {}
    for match in played:
        record = await farm.ask(lambda api, m=match: api.record(m.id, m.people[0]))
        how = record["result"]["how"]
        if how not in ends:
            tally.faults.append(f"{match.id} ended by {record['result']}")
        events = farm.rows(
            "SELECT kind, seat, word, auto, client_id, seq FROM table_event"
            " WHERE match_id = ? ORDER BY number",
            match.id,
        )
        _log(tally, match, record, events)
        known[match.id] = positions(record, abandoned=how == "abandoned")
        courses.setdefault(match.code, Course()).add(match.id, [(e[0], e[5]) for e in events])
    for match in played:
        _pictures(tally, match, known)
        _pages(tally, match, known, courses[match.code])
    checked = services.manage(
        "check_matches", *(match.id for match in played), env=farm.env, check=False
    )
    if checked.returncode:
        tally.faults.append(checked.stdout + checked.stderr)
    return tally


def _log(
    tally: Tally, match: Match, record: dict[str, Any], events: Sequence[tuple[Any, ...]]
) -> None:
    """Each acknowledged move is in the log once, by its id and its word, and no other is."""
    asked: Counter[tuple[int, str, str]] = Counter()
    for seat, program in enumerate(match.programs[: len(match.people)]):
        asked.update((seat, id, word) for _match, id, word in program.acknowledged)
        tally.again += len(program.closes)
        tally.refused.update(program.refusals)
    stored = Counter(
        (seat, id, word) for kind, seat, word, _auto, id, _seq in events if kind == "move" and id
    )
    tally.moves += asked.total()
    tally.lost += [f"{match.id}: {move} is not in the log" for move in asked - stored]
    tally.twice += [f"{match.id}: {move} is in the log again" for move in stored - asked]
    for kind, seat, word, auto, id, _seq in events:
        if auto or (kind == "move" and not id) or kind in ("leave", "away"):
            tally.made.append(f"{match.id}: {kind} {word} for seat {seat}")
    words = [word for kind, _, word, _, _, _ in events if kind in ("move", "leave", "agree")]
    if words != [word for hand in record["hands"] for word in hand["moves"]]:
        tally.faults.append(f"{match.id}: its record is not its log")


def _pictures(
    tally: Tally, match: Match, known: dict[str, dict[tuple[int, int], Position]]
) -> None:
    for program in match.programs:
        for picture in map(json.loads, program.pictures):
            tally.pictures += 1
            # At a table that is played on, the first picture may still be of the match before.
            if picture["match"] in known:
                faults = too_many(picture, known[picture["match"]])
                tally.leaks += [f"{picture['match']}, seq {picture['seq']}: {f}" for f in faults]


def _pages(
    tally: Tally,
    match: Match,
    known: dict[str, dict[tuple[int, int], Position]],
    course: Course,
) -> None:
    for page in match.pages:
        for text in page.texts:
            message = json.loads(text)
            if message["type"] != "table":
                continue
            tally.pages += 1
            stands = course.at(message["seq"])
            may = frozenset[str]()
            if stands is not None and stands[1] in known[stands[0]]:
                may = known[stands[0]][stands[1]].may_know(page.seat)
            extra = sorted(set(tiles_in_html(text)) - may)
            if extra:
                tally.leaks.append(f"{match.id}, page of seat {page.seat}, {stands}: {extra}")
