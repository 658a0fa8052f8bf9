"""The commands about one match record: ``replay``, ``perft``, ``verify``.

They need a file and nothing else: no site, no settings, no database. ``manage.py`` offers them;
``python -m dominoes.rules.commands`` is the same. Whatever a file holds, a fault is told in one
sentence, after everything before it has been printed, and the exit status is 2.
"""

import argparse
import gc
import json
import os
import sys
from collections.abc import Iterator, Sequence
from typing import Final, NoReturn

from dominoes.rules.errors import BadRecord
from dominoes.rules.perft import DEEPEST, perft
from dominoes.rules.proof import check_deals
from dominoes.rules.record import load, replay

#: A record of a thousand long hands has less than one. What is larger is no match record, and
#: taking it apart would only fill the memory.
LARGEST: Final = 16 * 2**20
FAULTY: Final = 2


def replay_lines(record: object) -> Iterator[str]:
    """The trace of a record, one JSON object a line."""
    for line in replay(record):
        yield json.dumps(line)


def perft_lines(record: object, depth: int) -> Iterator[str]:
    """How many sequences of 1, 2, … ``depth`` plies can follow in the record's last hand."""
    hand = load(record).hand
    if hand is None:
        raise BadRecord("no hand has been dealt in this record")
    yield json.dumps(perft(hand, depth))


def verify_lines(record: object) -> Iterator[str]:
    """A line for each hand that was dealt as committed, and one for the whole."""
    hands = 0
    for line in check_deals(record):
        yield line
        hands += 1
    yield f"All deals are as committed ({hands})."


HELP: Final = {
    "replay": "Print what happens in a match record, one JSON object a line.",
    "perft": "Count the sequences of 1, 2, … DEPTH plies that can follow in a record's last hand.",
    "verify": "Check that the deals of a match record are the ones that were committed to.",
}


def add_arguments(parser: argparse.ArgumentParser, name: str) -> None:
    """The arguments of one of the commands."""
    parser.add_argument("file", metavar="FILE", help="a match record; - for standard input")
    if name == "perft":
        parser.add_argument("depth", metavar="DEPTH", type=_depth, help="how many plies to look")


def run(name: str, file: str, depth: int = 0) -> int:
    """Carry out one of the commands; gives the exit status."""
    if sys.stdout is None:
        return _fail("there is no standard output to write to")
    try:
        try:
            record = read_record(file)
            if name == "perft":
                lines = perft_lines(record, depth)
            else:
                lines = (replay_lines if name == "replay" else verify_lines)(record)
            for line in lines:
                sys.stdout.write(f"{line}\n")
        finally:
            sys.stdout.flush()
    except BadRecord as error:
        return _fail(str(error))
    except BrokenPipeError:
        _drop_output()
        return _fail("the output was closed before everything was written")
    except OSError as error:
        _drop_output()
        return _fail(f"the output cannot be written: {error.strerror or error}")
    return 0


def read_record(name: str) -> object:
    """What a file holds, as JSON; raises ``BadRecord`` with a sentence where it cannot be read."""
    try:
        if name == "-":
            if sys.stdin is None:
                raise BadRecord("there is no standard input to read from")
            raw = sys.stdin.buffer.read(LARGEST + 1)
        else:
            with open(name, "rb") as file:
                raw = file.read(LARGEST + 1)
    except (OSError, ValueError) as error:
        if isinstance(error, BadRecord):
            raise
        reason = getattr(error, "strerror", None) or error
        raise BadRecord(f"the file cannot be read: {reason}") from None
    if len(raw) > LARGEST:
        raise BadRecord(f"this is no match record: it is larger than {LARGEST >> 20} MB")
    # Looking for garbage between millions of new lists would take ten times as long as reading.
    collects = gc.isenabled()
    gc.disable()
    try:
        return json.loads(raw.decode("utf-8-sig"), parse_constant=_no_number)
    except RecursionError:
        raise BadRecord("this is no match record: it is nested too deeply") from None
    except (ValueError, MemoryError) as error:
        raise BadRecord(f"this is no match record: it is not JSON ({error})") from None
    finally:
        if collects:
            gc.enable()


def _no_number(word: str) -> NoReturn:
    """JSON knows no NaN and no Infinity, Python's reader does."""
    raise ValueError(f"{word} is no number")


def _depth(text: str) -> int:
    if text.isascii() and text.isdigit() and len(text) <= 4 and int(text) <= DEEPEST:
        return int(text)
    raise argparse.ArgumentTypeError(f"the depth is a whole number from 0 to {DEEPEST}")


def _drop_output() -> None:
    """Send the rest of the output nowhere, or Python would complain once more at its end."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _fail(sentence: str) -> int:
    if sys.stderr is not None:
        sys.stderr.write(f"{sentence}\n")
    return FAULTY


def main(arguments: Sequence[str], program: str = "manage.py") -> int:
    """Run the command that the arguments name; gives the exit status."""
    parser = argparse.ArgumentParser(prog=program)
    commands = parser.add_subparsers(dest="name", required=True)
    for name, text in HELP.items():
        add_arguments(commands.add_parser(name, help=text, description=text), name)
    chosen = parser.parse_args(arguments)
    return run(chosen.name, chosen.file, getattr(chosen, "depth", 0))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:], "dominoes.rules.commands"))
