"""The match record ``dominoes-match/1``: written, read, and replayed line by line."""

from collections.abc import Iterator, Mapping
from typing import Any

from dominoes.rules.errors import BadOptions, BadRecord, RulesError
from dominoes.rules.hand import STOPPED
from dominoes.rules.line import open_ends
from dominoes.rules.match import Match
from dominoes.rules.moves import DRAW, KNOCK, OPEN
from dominoes.rules.options import Options
from dominoes.rules.results import HandLog
from dominoes.rules.tiles import BY_NAME, NAMES

FORMAT = "dominoes-match/1"
_LEAVES = {f"leave {seat}": seat for seat in range(10)}


def write(match: Match) -> dict[str, Any]:
    """The record of a match, as far as it has come."""
    return {
        "format": FORMAT,
        "rules": match.options.rules,
        "options": match.options.to_json(),
        "hands": [hand_record(log) for log in match.logs()],
    }


def hand_record(log: HandLog) -> dict[str, Any]:
    """One hand of a record."""
    deal = log.deal
    hand: dict[str, Any] = {}
    if deal.lot is not None:
        hand["lot"] = [NAMES[tile] for tile in deal.lot]
    hand["racks"] = [
        None if rack is None else [NAMES[tile] for tile in rack] for rack in deal.racks
    ]
    hand["boneyard"] = [NAMES[tile] for tile in deal.boneyard]
    hand["moves"] = list(log.words)
    return hand


def read_options(record: object) -> Options:
    """The options of a record; raises ``BadRecord`` if it is no record of this format."""
    if not isinstance(record, Mapping):
        raise BadRecord("this is no match record: it is not a JSON object")
    if record.get("format") != FORMAT:
        raise BadRecord(f"this is no match record: its format is not {FORMAT}")
    options = record.get("options")
    if not isinstance(options, Mapping):
        raise BadRecord("this is no match record: its options are missing")
    for name in ("players", "sides", "target"):
        if options.get(name) is None:
            raise BadRecord(f"this is no match record: its options do not give {name}")
    if "opens" in options and options["opens"] is None:
        raise BadRecord("this is no match record: the option opens gives no seat")
    try:
        known = Options.of(
            record.get("rules"),
            options["players"],
            options["sides"],
            options["target"],
            options.get("double_six_opens", False),
            options.get("opens"),
        )
    except BadOptions as error:
        raise BadRecord(f"this is no match record: {error}") from None
    if not isinstance(record.get("hands"), list):
        raise BadRecord("this is no match record: its hands are missing")
    return known


def replay(record: object) -> Iterator[dict[str, Any]]:
    """The trace of a record, line by line; raises ``BadRecord`` where it is not legal."""
    for _match, lines in steps(record):
        yield from lines


def load(record: object) -> Match:
    """The match at the end of a record; raises ``BadRecord`` if it is not legal anywhere."""
    match = Match(read_options(record))
    for match, _lines in steps(record):  # noqa: B007 - the last one is wanted
        pass
    return match


def steps(record: object) -> Iterator[tuple[Match, list[dict[str, Any]]]]:
    """The match after each deal and each word of a record, with the trace lines of that step."""
    match = Match(read_options(record))
    assert isinstance(record, Mapping)
    for number, hand in enumerate(record["hands"], start=1):
        try:
            moves = _deal(match, hand)
        except RulesError as error:
            raise BadRecord(str(error), number) from None
        yield match, [_deal_line(match)]
        for ply, word in enumerate(moves, start=1):
            playing = match.hand_result is None
            try:
                seat = _say(match, word)
            except RulesError as error:
                raise BadRecord(str(error), number, ply) from None
            yield match, _lines(match, word, seat, playing)


def _deal(match: Match, hand: object) -> list[object]:
    if not isinstance(hand, Mapping):
        raise BadRecord("a hand is a JSON object")
    racks = hand.get("racks")
    if not isinstance(racks, list):
        raise BadRecord("the racks are missing")
    moves = hand.get("moves")
    if not isinstance(moves, list):
        raise BadRecord("the moves are missing")
    match.deal(
        [None if rack is None else _tiles(rack, "a rack") for rack in racks],
        _tiles(hand.get("boneyard"), "the boneyard"),
        _tiles(hand["lot"], "the lot") if "lot" in hand else None,
    )
    return moves


def _tiles(names: object, what: str) -> list[int]:
    if not isinstance(names, list):
        raise BadRecord(f"{what} is no list of tiles")
    tiles = []
    for name in names:
        tile = BY_NAME.get(name) if isinstance(name, str) else None
        if tile is None:
            raise BadRecord(f"{what} holds something that is no tile: {ascii(name)[:40]}")
        tiles.append(tile)
    return tiles


def _say(match: Match, word: object) -> int | None:
    """Say one word of a record; gives the seat that it belongs to (None: ``agree``)."""
    if word == "agree":
        match.agree()
        return None
    seat = _LEAVES.get(word) if isinstance(word, str) else None
    if seat is not None:
        match.leave(seat)
        return seat
    seat = match.turn
    match.play(-1 if seat is None else seat, word)  # type: ignore[arg-type]
    return seat


def _deal_line(match: Match) -> dict[str, Any]:
    return {
        "event": "deal",
        "hand": match.hand_number,
        "opener": match.turn,
        "must_open": match.must_open,
        "legal": match.legal_words(),
    }


def _lines(match: Match, word: object, seat: int | None, was_playing: bool) -> list[dict[str, Any]]:
    """The trace lines of one word: what was done, and the hand and match that ended with it."""
    hand = match.hand
    assert hand is not None
    move = hand.moves[-1]
    line: dict[str, Any]
    if move < KNOCK:
        end = None if move >> 3 & 7 == OPEN else str(word).partition(" ")[2]
        line = {"event": "play", "seat": seat, "tile": NAMES[move >> 6], "end": end}
    elif move == DRAW:
        left = len(hand.boneyard) - hand.drawn
        tile = NAMES[hand.boneyard[hand.drawn - 1]]
        line = {"event": "draw", "seat": seat, "tile": tile, "boneyard": left}
    elif seat is None:
        line = {"event": "agree"}
    else:
        line = {"event": str(word).partition(" ")[0], "seat": seat}
    line |= {
        "hand": match.hand_number,
        "ply": match.ply,
        "ends": open_ends(hand),
        "scored": hand.scored,
        "scores": list(match.scores),
        "turn": match.turn,
        "legal": match.legal_words(),
    }
    lines = [line]
    result = match.hand_result
    if was_playing and result is not None and result.how != STOPPED:
        if result.winner is not None:
            # The word's own line comes before the award for the hand.
            line["scores"][result.winner] -= result.points
        lines.append(
            {
                "event": "hand",
                "hand": match.hand_number,
                "how": result.how,
                "winner": result.winner,
                "points": result.points,
                "scores": list(match.scores),
            }
        )
    if match.result is not None:
        lines.append(
            {
                "event": "match",
                "how": match.result.how,
                "winner": match.result.winner,
                "scores": list(match.scores),
            }
        )
    return lines
