"""Fair deals, bit for bit, and what finds a changed one."""

from __future__ import annotations

import copy
import hashlib
import hmac
import json
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from dominoes.rules import commands
from dominoes.rules.deal import (
    HANDS,
    Chain,
    clean_seed,
    deal_hand,
    draw_lot,
    label_of,
    shuffled,
    words,
)
from dominoes.rules.errors import BadDeal, BadRecord
from dominoes.rules.proof import check_deals
from dominoes.rules.tiles import NAMES
from tests.rules.fair_records import RECORDS, SECRET, SEEDS, changes, fair_record

ROOT = Path(__file__).resolve().parent.parent.parent
COMMIT = "45cd0d40a72c806c4b78bbeca7a52d9fa6f25751fea57cf1564e7b70b9519db4"
DECK = (
    "6-0 0-0 6-6 3-1 6-4 4-0 3-3 5-1 5-0 1-0 4-1 2-0 5-4 4-4 "
    "6-2 2-2 2-1 6-3 6-1 1-1 5-3 5-5 3-2 5-2 3-0 4-3 6-5 4-2"
)


def by_the_book(key: bytes, label: str) -> list[str]:
    """The shuffle written down once more from its definition."""
    numbers: list[int] = []

    def take() -> int:
        if not numbers:
            block = take.block  # type: ignore[attr-defined]
            digest = hmac.new(key, f"{label}:{block}".encode(), hashlib.sha256).digest()
            numbers.extend(int.from_bytes(digest[i : i + 4], "big") for i in range(0, 32, 4))
            take.block += 1  # type: ignore[attr-defined]
        return numbers.pop(0)

    take.block = 0  # type: ignore[attr-defined]
    deck = [f"{high}-{low}" for high in range(7) for low in range(high + 1)]
    for i in range(27, 0, -1):
        while (word := take()) >= 2**32 - 2**32 % (i + 1):
            pass
        j = word % (i + 1)
        deck[i], deck[j] = deck[j], deck[i]
    return deck


class TestChain:
    def test_each_value_is_the_hash_of_the_next(self) -> None:
        chain = Chain(SECRET)
        assert chain.value(HANDS) == SECRET
        for hand in (0, 1, 499, HANDS - 1):
            assert hashlib.sha256(chain.value(hand + 1)).digest() == chain.value(hand)
        assert chain.commit == chain.value(0).hex()

    @pytest.mark.parametrize("hand", [-1, HANDS + 1])
    def test_it_ends_with_the_thousandth_hand(self, hand: int) -> None:
        with pytest.raises(ValueError, match="no hand"):
            Chain(SECRET).value(hand)

    @pytest.mark.parametrize("hands", [0, 1, 2, 30])
    def test_all_that_a_record_reveals_at_once(self, hands: int) -> None:
        chain = Chain(SECRET)
        assert chain.values(hands) == [chain.value(k) for k in range(1, hands + 1)]

    @pytest.mark.parametrize("secret", [b"", bytes(31), bytes(33)])
    def test_a_secret_has_32_bytes(self, secret: bytes) -> None:
        with pytest.raises(ValueError, match="32"):
            Chain(secret)


class TestSeeds:
    @pytest.mark.parametrize(
        ("sent", "used"), [("", ""), ("AbC0", "abc0"), ("F" * 64, "f" * 64), ("0", "0")]
    )
    def test_up_to_64_hex_digits_in_lower_case(self, sent: str, used: str) -> None:
        assert clean_seed(sent) == used

    @pytest.mark.parametrize(
        "sent", ["g", "0" * 65, " 0", "0\n", "0x1", None, 5, "é", "٣", [], b"0"]
    )
    def test_nothing_else(self, sent: object) -> None:
        with pytest.raises(BadDeal):
            clean_seed(sent)


class TestShuffle:
    def test_the_label(self) -> None:
        assert label_of("c0", 12, ("a", "", "b")) == "c0:12:a,,b"
        assert label_of("c0", "lot", ("", "")) == "c0:lot:,"

    def test_the_stream(self) -> None:
        stream = words(b"k" * 32, "label")
        first = hmac.new(b"k" * 32, b"label:0", hashlib.sha256).digest()
        second = hmac.new(b"k" * 32, b"label:1", hashlib.sha256).digest()
        taken = [next(stream) for _ in range(16)]
        assert b"".join(n.to_bytes(4, "big") for n in taken) == first + second

    @pytest.mark.parametrize("hand", [1, 2, 7, 1000])
    def test_as_defined(self, hand: int) -> None:
        chain = Chain(SECRET)
        label = label_of(chain.commit, hand, SEEDS)
        deck = shuffled(chain.value(hand), label)
        assert [NAMES[tile] for tile in deck] == by_the_book(chain.value(hand), label)
        assert sorted(deck) == list(range(28))

    def test_a_fixed_deck(self) -> None:
        """Once and for all: a change here breaks every proof ever given."""
        chain = Chain(SECRET)
        assert chain.commit == COMMIT
        deck = shuffled(chain.value(1), label_of(chain.commit, 1, SEEDS))
        assert " ".join(NAMES[tile] for tile in deck) == DECK

    def test_a_word_that_would_favour_low_places_is_skipped(self, monkeypatch: Any) -> None:
        from dominoes.rules import deal

        high = 2**32 - 1  # beyond the last whole round of 28
        fed = iter([high, 5, *([0] * 40)])
        monkeypatch.setattr(deal, "words", lambda _key, _label: fed)
        deck = deal.shuffled(b"", "")
        assert deck[27] == 5

    def test_every_tile_comes_first(self) -> None:
        firsts = Counter(shuffled(bytes([n]) * 32, "x")[0] for n in range(250))
        assert len(firsts) == 28


class TestDealing:
    def test_racks_from_the_front_seat_by_seat(self) -> None:
        chain = Chain(SECRET)
        deck = shuffled(chain.value(3), label_of(chain.commit, 3, SEEDS[:3]))
        racks, boneyard = deal_hand(chain.commit, SEEDS[:3], 3, chain.value(3), (5, 5, 5), 13)
        assert racks == [deck[:5], deck[5:10], deck[10:15]]
        assert boneyard == deck[15:]

    def test_a_seat_that_left_gets_none(self) -> None:
        chain = Chain(SECRET)
        deck = shuffled(chain.value(3), label_of(chain.commit, 3, SEEDS[:3]))
        racks, boneyard = deal_hand(chain.commit, SEEDS[:3], 3, chain.value(3), (5, 0, 5), 18)
        assert racks == [deck[:5], None, deck[5:10]]
        assert boneyard == deck[10:]

    def test_undealt_tiles_may_stay_out_of_play(self) -> None:
        chain = Chain(SECRET)
        racks, boneyard = deal_hand(chain.commit, SEEDS, 2, chain.value(2), (7, 0, 7, 0), 0)
        assert [rack and len(rack) for rack in racks] == [7, None, 7, None]
        assert boneyard == []

    def test_the_lot_is_a_shuffle_of_its_own(self) -> None:
        chain = Chain(SECRET)
        lot = draw_lot(chain.commit, SEEDS, chain.value(1))
        assert lot == shuffled(chain.value(1), f"{chain.commit}:lot:{','.join(SEEDS)}")[:4]


@pytest.fixture(params=RECORDS, name="record")
def _record(request: pytest.FixtureRequest) -> Any:
    return RECORDS[request.param]


class TestProof:
    def test_a_fair_record_is_fair(self, record: Any) -> None:
        lines = list(check_deals(record))
        assert lines == [
            f"hand {k}: dealt as committed" for k in range(1, len(record["hands"]) + 1)
        ]
        assert len(lines) >= 2

    def test_whatever_was_changed_is_found_and_named(self, record: Any) -> None:
        for name, (hand, changed) in changes(record).items():
            with pytest.raises(BadRecord) as fault:
                list(check_deals(changed))
            assert fault.value.hand == hand, name
            if hand is not None:
                assert str(fault.value).startswith(f"hand {hand}, ply 0: "), name

    def test_the_tile_is_named_with_the_right_one(self) -> None:
        _hand, changed = changes(RECORDS["partners"])["a tile against another"]
        first, second = changed["hands"][1]["racks"][0][0], changed["hands"][1]["racks"][1][0]
        with pytest.raises(BadRecord) as fault:
            list(check_deals(changed))
        assert fault.value.reason == (
            f"tile 1 of the rack of seat 0 is {first}, but {second} was committed to"
        )

    def test_too_many_values_are_a_fault(self, record: Any) -> None:
        changed = copy.deepcopy(record)
        count = len(record["hands"])
        changed["fair"]["hands"].append(Chain(SECRET).value(count + 1).hex())
        with pytest.raises(BadRecord, match="were dealt"):
            list(check_deals(changed))

    def test_a_record_that_is_no_legal_match_is_a_fault(self, record: Any) -> None:
        changed = copy.deepcopy(record)
        changed["hands"][0]["moves"][3] = "6-6 middle"
        with pytest.raises(BadRecord) as fault:
            list(check_deals(changed))
        assert (fault.value.hand, fault.value.ply) == (1, 4)

    @pytest.mark.parametrize(
        "fair",
        [
            None, [], {}, {"commit": "00"}, {"commit": "0" * 64, "seeds": []},
            {"commit": "0" * 64, "seeds": ["", "", "", "x"], "hands": []},
            {"commit": "0" * 64, "seeds": ["", "", "", ""], "hands": {}},
            {"commit": "0" * 64, "seeds": ["", "", "", ""], "hands": [7]},
            {"commit": 7, "seeds": ["", "", "", ""], "hands": []},
        ],
    )  # fmt: skip
    def test_a_record_without_a_proof(self, fair: object) -> None:
        changed = copy.deepcopy(RECORDS["partners"]) | {"fair": fair}
        with pytest.raises(BadRecord):
            list(check_deals(changed))

    @pytest.mark.parametrize("hand", [None, [], {}, {"racks": None}, {"racks": [[], []]}])
    def test_a_hand_that_is_none(self, hand: object) -> None:
        changed = copy.deepcopy(RECORDS["partners"])
        changed["hands"][1] = hand
        with pytest.raises(BadRecord) as fault:
            list(check_deals(changed))
        assert (fault.value.hand, fault.value.ply) == (2, 0)


def standalone(path: Path) -> subprocess.CompletedProcess[str]:
    """The single-file checker in a Python without anything of ours."""
    script = ROOT / "docs" / "verify_deal.py"
    return subprocess.run(
        [sys.executable, "-I", "-S", str(script), str(path)],
        capture_output=True, text=True, timeout=60, cwd=path.parent, check=False,
    )  # fmt: skip


class TestCheckers:
    """`verify` and the script in docs say the same of the same records."""

    def test_a_fair_record(self, record: Any, tmp_path: Path, capsys: Any) -> None:
        file = tmp_path / "record.json"
        file.write_text(json.dumps(record))
        assert commands.run("verify", str(file)) == 0
        out = capsys.readouterr().out
        done = standalone(file)
        assert (done.returncode, done.stdout, done.stderr) == (0, out, "")
        assert out.endswith(f"All deals are as committed ({len(record['hands'])}).\n")

    def test_changed_ones(self, record: Any, tmp_path: Path, capsys: Any) -> None:
        file = tmp_path / "record.json"
        for name, (hand, changed) in changes(record).items():
            file.write_text(json.dumps(changed))
            assert commands.run("verify", str(file)) == 2, name
            told = capsys.readouterr().err
            done = standalone(file)
            assert done.returncode == 2, name
            assert "Traceback" not in done.stderr
            if hand is None or "too few" in name:
                assert "there are values for" in done.stderr, name
                continue
            assert told.startswith(f"hand {hand}, ply 0: "), name
            assert done.stderr.startswith(f"hand {hand}: "), name

    @pytest.mark.parametrize(
        ("name", "doubted"),
        [("a seed", True), ("an order", True), ("two values", False), ("a tile against", False)],
    )
    def test_a_changed_seed_is_thought_of(
        self, record: Any, name: str, doubted: bool, tmp_path: Path, capsys: Any
    ) -> None:
        """Where the first hand is wrong, but its value is right."""
        changed = next(it for key, (_hand, it) in changes(record).items() if key.startswith(name))
        file = tmp_path / "record.json"
        file.write_text(json.dumps(changed))
        commands.run("verify", str(file))
        for told in (capsys.readouterr().err, standalone(file).stderr):
            assert told.endswith("; perhaps a seed was changed\n") == doubted, told

    def test_a_rematch_opened_by_its_winner_draws_no_lot(self, tmp_path: Path) -> None:
        opened = fair_record("fives", 2, "singles", opens=1)
        assert "lot" not in opened["hands"][0]
        file = tmp_path / "record.json"
        file.write_text(json.dumps(opened))
        assert standalone(file).returncode == 0
        del opened["options"]["opens"]
        file.write_text(json.dumps(opened))
        assert "the lot should have 2 tiles" in standalone(file).stderr

    @pytest.mark.parametrize("options", [{"players": 5}, {"players": None}, {}, None])
    def test_options_that_there_are_none_of(self, options: Any, tmp_path: Path) -> None:
        file = tmp_path / "record.json"
        file.write_text(json.dumps(RECORDS["partners"] | {"options": options}))
        done = standalone(file)
        assert (done.returncode, done.stderr.count("\n")) == (2, 1)
        assert "Traceback" not in done.stderr

    @pytest.mark.parametrize(
        "text",
        ["", "{", "[]", "null", "{}", '{"fair": {}}', "[" * 100_000, '{"fair": 3}', "\udc80"],
    )
    def test_what_is_no_record(self, text: str, tmp_path: Path) -> None:
        file = tmp_path / "record.json"
        file.write_text(text, errors="surrogateescape")
        done = standalone(file)
        assert done.returncode == 2
        assert "Traceback" not in done.stderr
        assert done.stderr.count("\n") == 1

    def test_no_such_file(self, tmp_path: Path) -> None:
        done = standalone(tmp_path / "none.json")
        assert done.returncode == 2
        assert "Traceback" not in done.stderr
