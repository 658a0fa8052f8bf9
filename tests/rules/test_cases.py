"""The fixed cases: every line of every trace, every faulty record, every count."""

from __future__ import annotations

import copy
import json
from itertools import zip_longest
from pathlib import Path
from typing import Any

import pytest

from dominoes.rules import commands
from dominoes.rules.errors import BadRecord
from dominoes.rules.perft import perft
from dominoes.rules.record import load, replay, write
from tests.rules.cases import BAD, MATCHES, PERFT


def named(cases: list[dict[str, Any]]) -> list[Any]:
    return [pytest.param(case, id=f"{n}-{case['record']['rules']}") for n, case in enumerate(cases)]


def test_all_cases_are_here() -> None:
    assert (len(MATCHES), len(BAD), len(PERFT)) == (73, 40, 22)


@pytest.mark.parametrize("case", named(MATCHES))
def test_every_line_of_a_trace(case: dict[str, Any]) -> None:
    for number, (got, due) in enumerate(zip_longest(replay(case["record"]), case["trace"])):
        assert got == due, f"line {number}"


@pytest.mark.parametrize("case", named(MATCHES))
def test_a_record_written_again_is_the_same(case: dict[str, Any]) -> None:
    record = case["record"]
    again = write(load(record))
    known = {key: record[key] for key in ("format", "rules", "options", "hands")}
    known = copy.deepcopy(known)
    if known["options"].get("double_six_opens") is False:
        del known["options"]["double_six_opens"]
    assert again == known


@pytest.mark.parametrize("case", named(BAD))
def test_every_fault_is_named(case: dict[str, Any]) -> None:
    with pytest.raises(BadRecord) as fault:
        for _line in replay(case["record"]):
            pass
    assert (fault.value.hand, fault.value.ply) == (case["hand"], case["ply"])
    assert str(fault.value).startswith(f"hand {case['hand']}, ply {case['ply']}: ")


@pytest.mark.parametrize("case", named(PERFT))
def test_every_count(case: dict[str, Any]) -> None:
    hand = load(case["record"]).hand
    assert hand is not None
    assert perft(hand, len(case["perft"])) == case["perft"]


def run(name: str, record: object, folder: Path, capsys: Any, depth: int = 0) -> tuple[int, Any]:
    """A command on a record: its exit status and what it printed."""
    file = folder / "record.json"
    file.write_text(json.dumps(record))
    status = commands.run(name, str(file), depth)
    return status, capsys.readouterr()


@pytest.mark.parametrize("case", named(MATCHES))
def test_replay_prints_the_trace(case: dict[str, Any], tmp_path: Path, capsys: Any) -> None:
    status, told = run("replay", case["record"], tmp_path, capsys)
    assert status == 0
    assert [json.loads(line) for line in told.out.splitlines()] == case["trace"]
    assert told.err == ""


@pytest.mark.parametrize("case", named(BAD))
def test_replay_stops_at_the_fault(case: dict[str, Any], tmp_path: Path, capsys: Any) -> None:
    status, told = run("replay", case["record"], tmp_path, capsys)
    assert status == 2
    assert told.err.startswith(f"hand {case['hand']}, ply {case['ply']}: ")
    assert told.err.count("\n") == 1
    # Everything before the fault has been printed, and nothing after it.
    sound = copy.deepcopy(case["record"])
    del sound["hands"][case["hand"] - (0 if case["ply"] else 1) :]
    if case["ply"]:
        del sound["hands"][-1]["moves"][case["ply"] - 1 :]
    assert [json.loads(line) for line in told.out.splitlines()] == list(replay(sound))


@pytest.mark.parametrize("case", named(PERFT))
def test_perft_prints_the_counts(case: dict[str, Any], tmp_path: Path, capsys: Any) -> None:
    status, told = run("perft", case["record"], tmp_path, capsys, len(case["perft"]))
    assert status == 0
    assert json.loads(told.out) == case["perft"]


@pytest.mark.parametrize("case", named(BAD[::4]))
def test_perft_and_verify_name_a_fault_too(
    case: dict[str, Any], tmp_path: Path, capsys: Any
) -> None:
    status, told = run("perft", case["record"], tmp_path, capsys, 2)
    assert status == 2
    assert told.err.startswith(f"hand {case['hand']}, ply {case['ply']}: ")
    assert told.out == ""
