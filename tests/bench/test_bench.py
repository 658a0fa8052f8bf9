"""The benches run, print their tables and say with their status what they found."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from dominoes.bench import deals, rules, tables
from dominoes.bench._hands import KINDS, hand_player, match_player, measure
from dominoes.table.management.commands.bench import names

ROOT = Path(__file__).resolve().parent.parent.parent


def test_the_benches_there_are() -> None:
    assert {"rules", "deals"} <= set(names())
    assert not any(name.startswith("_") for name in names())


def test_an_unknown_bench() -> None:
    with pytest.raises(CommandError):
        call_command("bench", "nothing")


def test_a_table() -> None:
    text = tables.table(("name", "n"), [("a", 1234567), ("bcd", 0.25), ("e", 1234.5)])
    assert text.splitlines() == [
        "name          n",
        "----  ---------",
        "a     1,234,567",
        "bcd        0.25",
        "e         1,234",
    ]


@pytest.mark.parametrize("kind", KINDS)
def test_random_hands_are_played_to_their_ends(kind: str) -> None:
    play = hand_player(*KINDS[kind])
    assert all(play() >= 4 for _hand in range(50))


def test_hands_as_a_table_plays_them() -> None:
    play = match_player()
    figures = measure(play, 0.01)
    assert figures["hands"] >= 20
    assert figures["plies"] > figures["hands"] * 6
    assert figures["seconds"] >= 0.01


def test_rules_without_the_peer_says_how_to_install_it(tmp_path: Path, capsys: Any) -> None:
    status = rules.main(["--rounds", "1", "--seconds", "0.02", "--peer", str(tmp_path)])
    told = capsys.readouterr().out
    assert status == 0
    assert "pip install --no-deps --target" in told
    assert rules.PEER in told
    assert "perft" in told
    assert "Draw" in told


def test_rules_against_a_peer_in_a_process_of_its_own(tmp_path: Path, capsys: Any) -> None:
    """A stand-in for the package, with the few names that the bench uses of it."""
    package = tmp_path / "dominoes"
    package.mkdir()
    (package / "__init__.py").write_text("from dominoes.game import Game\n")
    (package / "game.py").write_text(
        "class Game:\n"
        "    def __init__(self):\n"
        "        self.result, self.moves, self.valid_moves = None, [], ((1, True),)\n"
        "    @classmethod\n"
        "    def new(cls):\n"
        "        return cls()\n"
        "    def make_move(self, tile, left):\n"
        "        sum(range(100_000))\n"
        "        self.moves.append(tile)\n"
        "        self.result = True\n"
    )
    status = rules.main(["--rounds", "2", "--seconds", "0.02", "--peer", str(tmp_path)])
    told = capsys.readouterr().out
    assert status == 0, told
    assert "Four-seat hands:" in told


def test_deals_as_chance_would_have_them(capsys: Any) -> None:
    assert deals.main(["--count", "2500"]) == 0
    told = capsys.readouterr().out
    assert told.startswith("2,500 deals in ")
    assert "Every tile at every place" in told
    assert "as chance would have it" in told


def test_deals_that_are_not(monkeypatch: Any, capsys: Any) -> None:
    def biased(key: bytes, label: str) -> list[int]:
        deck = shuffled(key, label)
        six = deck.index(27)
        if six >= 21:  # the last seat gives the double six to the first more often than not
            deck[0], deck[six] = deck[six], deck[0]
        return deck

    shuffled = deals.shuffled
    monkeypatch.setattr(deals, "shuffled", biased)
    assert deals.main(["--count", "2500"]) == 1
    assert "NOT as chance" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("figure", "freedom", "chance"),
    [(3.8415, 1, 0.05), (14.0671, 7, 0.05), (18.4753, 7, 0.01), (729, 729, 0.4930), (0, 5, 1.0)],
)
def test_probabilities_are_those_of_the_tables(figure: float, freedom: int, chance: float) -> None:
    assert deals.by_chance(figure, freedom) == pytest.approx(chance, rel=1e-3)


def test_as_a_command(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, str(ROOT / "manage.py"), "bench", "deals", "--count", "100"],
        capture_output=True, text=True, timeout=120, check=False, cwd=tmp_path,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert json.dumps(done.stdout.splitlines()[0]).startswith('"100 deals in ')
