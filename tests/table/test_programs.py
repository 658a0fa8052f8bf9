"""Programs that know only what is fixed outside play every setup to the end on a real server, and
each picture that any of them got is held against a replay of the match's record."""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from typing import Any

import pytest

from dominoes.rules.record import steps
from dominoes.rules.view import View, view_for
from tests.clients import Address, Api, Picture
from tests.programs import Program, play_out
from tests.services import Site
from tests.table.tables import SETUPS

EYES = (0, 1, 2, 3, None)


def seen_by(record: dict[str, Any]) -> dict[tuple[int, int], dict[int | None, View]]:
    """What every seat and a spectator may see after each deal and each word of a record."""
    found = {}
    for match, _lines in steps(record):
        eyes = [seat for seat in EYES if seat is None or seat < match.options.players]
        found[match.hand_number, match.ply] = {seat: view_for(match, seat) for seat in eyes}
    return found


def check(picture: Picture, seen: dict[tuple[int, int], dict[int | None, View]]) -> None:
    """A picture is what the record says that this viewer could see then, and no more."""
    you = picture["you"]
    view = seen[picture["hand"], picture["ply"]][you]
    assert picture["scores"] == list(view.scores)
    assert picture["turn"] == view.turn
    assert picture["ends"] == view.ends
    assert picture["boneyard"] == view.boneyard
    assert picture["rack"] == (None if view.rack is None or you is None else list(view.rack))
    assert picture["legal"] == list(view.legal)
    line = view.line
    assert picture["line"] == {
        "first": line.first,
        "left": list(line.left),
        "right": list(line.right),
        "up": list(line.up),
        "down": list(line.down),
        "spinner": line.spinner,
    }
    assert [seat["tiles"] for seat in picture["seats"]] == [seat.tiles for seat in view.seats]
    assert [(m["seat"], m["move"], m["scored"]) for m in picture["moves"]] == [
        (m.seat, m.word, m.scored) for m in view.moves
    ]
    assert not any(m["auto"] for m in picture["moves"])
    opener = view.opener
    assert opener is not None
    assert picture["opener"] == {"seat": opener.seat, "why": opener.why}
    assert picture["lot"] == (list(view.lot) if view.lot else None)
    if view.phase == "play":
        assert picture["status"] == "playing"
        assert picture["result"] is None
        assert picture["match_result"] is None
    else:
        result, shown = view.result, picture["result"]
        assert result is not None
        assert picture["status"] == ("between" if view.phase == "deal" else "over")
        assert (shown["how"], shown["winner"], shown["points"]) == (
            result.how,
            result.winner,
            result.points,
        )
        assert shown["racks"] == [None if r is None else list(r) for r in result.racks]


async def match_of(address: Address, rules: str, players: int, sides: str) -> None:
    api = Api(address)
    try:
        crowd = await api.guests(players + 1)
        code = await api.room(crowd[0], rules, players=players, sides=sides, target=40)
        for seat, person in enumerate(crowd[1:players], 1):
            await api.sit(code, person, seat, seed=f"{seat:02x}" * 32)
        match = await api.start(code, crowd[0])
        programs = [Program([address], code, person, keeps=True) for person in crowd]
        await play_out(programs, 100)
        record = await api.record(match, crowd[0])
    finally:
        api.close()
    seen = seen_by(record)
    assert record["fair"]["seeds"] == ["", *(f"{seat:02x}" * 32 for seat in range(1, players))]
    for number, program in enumerate(programs):
        # A program that is shown the same position again, when somebody came, may ask twice; one
        # that draws and draws may do it too fast; a spectator's `ready` is not heard.
        fair = {"stale", "not_your_turn", "rate"} if number < players else {"not_seated"}
        assert set(program.refusals) <= fair
        pictures = [json.loads(text) for text in program.pictures]
        seqs = [picture["seq"] for picture in pictures]
        assert seqs == sorted(seqs)
        for picture in pictures:
            assert picture["you"] == (number if number < players else None)
            check(picture, seen)
    plies = {
        (p["hand"], p["ply"]) for program in programs for p in map(json.loads, program.pictures)
    }
    assert len(plies) > 0.9 * len(seen)
    said = Counter(word for program in programs for _match, _id, word in program.acknowledged)
    assert said <= Counter(word for hand in record["hands"] for word in hand["moves"])


@pytest.mark.parametrize(("rules", "players", "sides"), SETUPS)
def test_every_picture_is_what_the_record_says(
    site: Site, rules: str, players: int, sides: str
) -> None:
    asyncio.run(match_of(("127.0.0.1", site.port), rules, players, sides))
