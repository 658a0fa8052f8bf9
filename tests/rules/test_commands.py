"""replay, perft and verify as programs: whatever they are given, a sentence and exit status 2."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.rules.cases import BAD, MATCHES, PERFT

ROOT = Path(__file__).resolve().parent.parent.parent
MANAGE = str(ROOT / "manage.py")
RECORD = MATCHES[49]["record"]
NAMES = ("replay", "perft", "verify")


def manage(
    *arguments: str, given: bytes | None = None, **options: Any
) -> subprocess.CompletedProcess[bytes]:
    """Run manage.py without a database or any other settings."""
    environment = {"PATH": os.environ["PATH"], "DATABASE_URL": "postgres://nobody@nowhere/none"}
    return subprocess.run(
        [sys.executable, MANAGE, *arguments],
        input=given, capture_output=True, timeout=120, env=environment, check=False, **options,
    )  # fmt: skip


def fails(done: subprocess.CompletedProcess[bytes], *words: str) -> None:
    """A sentence, status 2, and never a traceback."""
    said = done.stderr.decode()
    assert done.returncode == 2, said
    assert "Traceback" not in said
    assert "Error" not in said
    assert said.count("\n") == 1, said
    for word in words:
        assert word in said


def arguments(name: str, file: str) -> list[str]:
    return [name, file, "3"] if name == "perft" else [name, file]


class TestGood:
    def test_replay_a_file(self, tmp_path: Path) -> None:
        file = tmp_path / "record.json"
        file.write_text(json.dumps(RECORD, indent=2))
        done = manage("replay", str(file))
        assert done.returncode == 0
        assert done.stderr == b""
        assert [json.loads(line) for line in done.stdout.splitlines()] == MATCHES[49]["trace"]

    def test_replay_standard_input(self) -> None:
        done = manage("replay", "-", given=json.dumps(RECORD).encode())
        assert len(done.stdout.splitlines()) == len(MATCHES[49]["trace"])

    def test_perft(self) -> None:
        case = PERFT[4]
        done = manage("perft", "-", "4", given=json.dumps(case["record"]).encode())
        assert json.loads(done.stdout) == case["perft"][:4]

    def test_perft_of_a_hand_that_is_over_is_zeros(self) -> None:
        done = manage("perft", "-", "3", given=json.dumps(RECORD).encode())
        assert (done.returncode, json.loads(done.stdout)) == (0, [0, 0, 0])

    def test_through_django_as_well(self, tmp_path: Path) -> None:
        file = tmp_path / "record.json"
        file.write_text(json.dumps(RECORD))
        quick = manage("replay", str(file))
        environment = {"PATH": os.environ["PATH"], "DATA_DIR": str(tmp_path)}
        done = subprocess.run(
            [sys.executable, MANAGE, "replay", "--no-color", str(file)],
            capture_output=True, timeout=120, env=environment, check=False,
        )  # fmt: skip
        assert (done.returncode, done.stdout) == (0, quick.stdout)

    @pytest.mark.parametrize("name", NAMES)
    def test_it_loads_nothing_of_the_site(self, name: str) -> None:
        command = [sys.executable, "-X", "importtime", MANAGE, *arguments(name, "-")]
        done = subprocess.run(
            command,
            input=json.dumps(RECORD).encode(),
            capture_output=True,
            timeout=120,
            check=False,
        )
        assert b"dominoes.rules" in done.stderr
        assert b"django" not in done.stderr

    def test_a_byte_order_mark_is_no_fault(self) -> None:
        done = manage("replay", "-", given=b"\xef\xbb\xbf" + json.dumps(RECORD).encode())
        assert done.returncode == 0


@pytest.mark.parametrize("name", NAMES)
class TestBadFiles:
    def test_there_is_no_such_file(self, name: str, tmp_path: Path) -> None:
        fails(manage(*arguments(name, str(tmp_path / "none"))), "cannot be read")

    def test_a_folder(self, name: str, tmp_path: Path) -> None:
        fails(manage(*arguments(name, str(tmp_path))), "cannot be read")

    @pytest.mark.parametrize(
        ("given", "says"),
        [
            (b"", "not JSON"),
            (b"{", "not JSON"),
            (b"\xff\xfe\x00", "not JSON"),
            (b"[1, 2", "not JSON"),
            (b'{"target": NaN}', "NaN"),
            (b'{"target": -Infinity}', "Infinity"),
            (b"9" * 5000, "not JSON"),
            (b"[" * 200_000, "nested too deeply"),
            (b'{"a":' * 200_000, "nested too deeply"),
            (b"[" * 5000 + b"]" * 5000, ""),
            (b"null", "not a JSON object"),
            (b"[]", "not a JSON object"),
            (b'"\\ud800"', "not a JSON object"),
            (b'{"format": "dominoes-match/2"}', "format"),
            (b'{"format": "\\ud800"}', "format"),
        ],
        ids=range(15),
    )
    def test_what_is_no_record(self, name: str, given: bytes, says: str) -> None:
        done = manage(*arguments(name, "-"), given=given)
        fails(done, says)
        assert done.stdout == b""

    def test_fifty_megabytes(self, name: str, tmp_path: Path) -> None:
        file = tmp_path / "large.json"
        for piece in (b"[],", b" "):
            file.write_bytes(b"[" + piece * (50 * 2**20 // len(piece)))
            fails(manage(*arguments(name, str(file)), preexec_fn=_little_memory), "larger than")

    def test_no_more_than_it_takes(self, name: str, tmp_path: Path) -> None:
        """Just small enough to be read: the worst that a file can hold for its size."""
        file = tmp_path / "large.json"
        file.write_bytes(b"[" + b"[]," * (16 * 2**20 // 3 - 2) + b"[]]")
        fails(manage(*arguments(name, str(file)), preexec_fn=_little_memory), "no match record")

    def test_standard_input_without_an_end(self, name: str) -> None:
        with open("/dev/zero", "rb") as endless:
            done = subprocess.run(
                [sys.executable, MANAGE, *arguments(name, "-")],
                stdin=endless, capture_output=True, timeout=60, check=False,
            )  # fmt: skip
        fails(done, "larger than")


def _little_memory() -> None:
    """One gigabyte of address space for the process about to start."""
    import resource

    resource.setrlimit(resource.RLIMIT_AS, (2**30, 2**30))


def record_of(**changes: Any) -> bytes:
    return json.dumps(RECORD | changes).encode()


class TestBadRecords:
    def test_a_fault_comes_after_what_was_before_it(self) -> None:
        case = next(case for case in BAD if case["hand"] > 2 and case["ply"])
        done = manage("replay", "-", given=json.dumps(case["record"]).encode())
        fails(done, f"hand {case['hand']}, ply {case['ply']}: ")
        lines = [json.loads(line) for line in done.stdout.splitlines()]
        assert lines[-1]["hand"] == case["hand"]
        assert lines[-1].get("ply", 0) == case["ply"] - 1

    @pytest.mark.parametrize("name", NAMES)
    @pytest.mark.parametrize(
        "options",
        [
            {"players": -4}, {"players": True}, {"players": 2.0}, {"players": "2"}, {"target": 0},
            {"target": -1}, {"target": 1e9}, {"target": True}, {"opens": -1}, {"opens": 7},
            {"sides": ["singles"]}, {"sides": None}, {"double_six_opens": True},
            {"double_six_opens": 1},
        ],
    )  # fmt: skip
    def test_wrong_options(self, name: str, options: dict[str, Any]) -> None:
        given = record_of(options=RECORD["options"] | options)
        done = manage(*arguments(name, "-"), given=given)
        fails(done, "this is no match record")
        assert done.stdout == b""

    def test_ten_thousand_hands(self) -> None:
        done = manage("replay", "-", given=record_of(hands=RECORD["hands"] * 1250))
        fails(done, "hand 9, ply 0: ")
        assert len(done.stdout.splitlines()) == len(MATCHES[49]["trace"])
        fails(manage("replay", "-", given=record_of(hands=[{}] * 10_000)), "hand 1, ply 0: ")
        first = RECORD["hands"][0] | {"moves": []}
        fails(manage("replay", "-", given=record_of(hands=[first] * 10_000)), "hand 2, ply 0: ")

    def test_very_many_hands_that_are_sound(self) -> None:
        case = MATCHES[68]["record"]
        record = case | {"options": case["options"] | {"target": 10**9}}
        record["hands"] = (case["hands"] * 200)[:2000]
        done = manage("replay", "-", given=json.dumps(record).encode())
        assert done.returncode == 0, done.stderr
        assert json.loads(done.stdout.splitlines()[-1])["hand"] == 2000

    def test_lone_surrogates(self) -> None:
        hand = RECORD["hands"][0]
        given = record_of(hands=[hand | {"moves": ["\ud800 left"]}])
        fails(manage("replay", "-", given=given), "hand 1, ply 1: ")
        given = record_of(hands=[hand | {"boneyard": ["\udfff"]}])
        fails(manage("replay", "-", given=given), "hand 1, ply 0: ")

    def test_in_any_language_of_the_terminal(self) -> None:
        given = record_of(hands=[RECORD["hands"][0] | {"moves": ["…“ 6-4"]}])
        environment = {"PATH": os.environ["PATH"], "LC_ALL": "C", "PYTHONIOENCODING": "ascii"}
        done = subprocess.run(
            [sys.executable, MANAGE, "replay", "-"],
            input=given, capture_output=True, timeout=60, env=environment, check=False,
        )  # fmt: skip
        fails(done, "hand 1, ply 1: ")

    @pytest.mark.parametrize("depth", ["-1", "x", "1.5", "", "99999999999", "1001", "٣", "0x3"])
    def test_a_depth_that_is_none(self, depth: str) -> None:
        done = manage("perft", "-", depth, given=json.dumps(PERFT[0]["record"]).encode())
        assert done.returncode == 2
        assert b"Traceback" not in done.stderr

    def test_perft_without_a_hand(self) -> None:
        fails(manage("perft", "-", "2", given=record_of(hands=[])), "no hand")

    @pytest.mark.parametrize("name", NAMES)
    def test_arguments_missing(self, name: str) -> None:
        done = manage(name)
        assert done.returncode == 2
        assert b"Traceback" not in done.stderr


class TestOutput:
    def test_closed_before_the_end(self, tmp_path: Path) -> None:
        file = tmp_path / "record.json"
        file.write_bytes(record_of(hands=RECORD["hands"]))
        reading, writing = os.pipe()
        os.close(reading)
        done = subprocess.run(
            [sys.executable, MANAGE, "replay", str(file)],
            stdout=writing, stderr=subprocess.PIPE, timeout=60, check=False,
        )  # fmt: skip
        os.close(writing)
        assert done.returncode == 2
        assert b"Traceback" not in done.stderr
        assert b"Exception" not in done.stderr
        assert done.stderr.count(b"\n") == 1

    def test_none_at_all(self) -> None:
        command = f'exec "{sys.executable}" "{MANAGE}" replay - >&-'
        done = subprocess.run(
            ["/bin/sh", "-c", command],
            input=record_of(), stderr=subprocess.PIPE, timeout=60, check=False,
        )  # fmt: skip
        assert done.returncode == 2
        assert b"Traceback" not in done.stderr

    def test_no_room(self) -> None:
        with open("/dev/full", "wb") as full:
            done = subprocess.run(
                [sys.executable, MANAGE, "replay", "-"],
                input=record_of(), stdout=full, stderr=subprocess.PIPE, timeout=60, check=False,
            )  # fmt: skip
        assert done.returncode == 2
        assert b"Traceback" not in done.stderr
        assert done.stderr.count(b"\n") == 1
