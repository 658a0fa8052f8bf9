"""Rooms as the lobby shows them: one by its code, those that are open, those to watch, one's own.

Read from the committed rows alone, a list in one statement however many rooms there are.
"""

from __future__ import annotations

import json
import re
import time
from dataclasses import dataclass
from typing import Any

from dominoes.rules.options import Options
from dominoes.table import company, store
from dominoes.table.fragments_parts import system_name
from dominoes.table.live import Choices, bot_name
from dominoes.table.models import CODE_LENGTH, CODE_LETTERS, Table
from lobby import listing, words
from lobby.listing import RoomRow, SeatRow, Which
from ranking.models import Player

OPEN, PLAYING, CLOSED = "open", "playing", "closed"

MOST = 100
"""Most rooms in a list."""

OWN = 10
"""Of one's own tables, so many are looked at."""

_CODE = re.compile(f"[{CODE_LETTERS}]{{{CODE_LENGTH}}}")


@dataclass(frozen=True, slots=True)
class Sitter:
    """A taken seat."""

    seat: int
    name: str
    bot: str | None  # its level
    player_id: int | None
    sat_at: float

    @property
    def shown(self) -> str:
        """The name on pages: a bot's is in the reader's language."""
        return words.bot_name(self.bot) if self.bot else self.name


@dataclass(frozen=True, slots=True)
class Room:
    """A room as whoever has its code may know it."""

    code: str
    choices: Choices
    status: str  # OPEN, PLAYING or CLOSED
    seats: tuple[Sitter | None, ...]
    match: str | None
    commit: str
    scores: tuple[int | None, ...]
    removed: frozenset[int]

    @property
    def options(self) -> Options:
        return self.choices.options

    @property
    def people(self) -> list[Sitter]:
        """Seated persons, the longest there first."""
        people = [sitter for sitter in self.seats if sitter and not sitter.bot]
        return sorted(people, key=lambda sitter: (sitter.sat_at, sitter.seat))

    @property
    def host(self) -> Sitter | None:
        """The person there longest."""
        return next(iter(self.people), None)

    @property
    def free(self) -> list[int]:
        """The seats that nobody holds."""
        return [seat for seat, sitter in enumerate(self.seats) if sitter is None]

    @property
    def taken(self) -> int:
        """How many seats are held."""
        return len(self.seats) - len(self.free)

    def sitter(self, player_id: int | None) -> Sitter | None:
        """The seat that this person holds."""
        return next((s for s in self.people if s.player_id == player_id), None)

    def shuts_out(self, player: Player | None) -> bool:
        """Whether this person, who doesn't sit here, is avoided by the host. Asks the database."""
        if player is None or self.host is None or self.sitter(player.pk) is not None:
            return False
        return company.is_shut_out(player.pk, self.host.player_id)

    # What pages say of it

    @property
    def system(self) -> str:
        return system_name(self.options.rules)

    @property
    def facts(self) -> str:
        return words.facts(self.choices)

    @property
    def counts(self) -> str:
        choices = self.choices
        return words.counts(
            words.what_counts(choices.kind, choices.ranked, choices.options.players)
        )

    @property
    def names(self) -> str:
        """Who sits there, in the order of the seats."""
        return ", ".join(sitter.shown for sitter in self.seats if sitter)

    @property
    def sides(self) -> list[tuple[str, int | None]]:
        """Each side's names with its score, as far as hands have been finished."""
        out: list[tuple[str, int | None]] = []
        for side in range(self.options.side_count):
            sitters = [self.seats[seat] for seat in self.options.seats_of(side)]
            names = " & ".join(s.shown for s in sitters if s)
            out.append((names, self.scores[side] if side < len(self.scores) else None))
        return out

    def to_json(self) -> dict[str, Any]:
        """The room as programs get it."""
        return {
            "code": self.code,
            "rules": self.options.rules,
            "options": self.options.to_json(),
            "kind": self.choices.kind,
            "ranked": self.choices.ranked,
            "status": self.status,
            "host": self.host.name if self.host else None,
            "seats": [
                {"seat": s.seat, "name": s.name, "bot": s.bot} if s else None for s in self.seats
            ],
            "match": self.match,
            "commit": self.commit,
        }


def clean_code(text: str) -> str:
    """A code as it is stored, made from what somebody typed; "" when it can't be one."""
    code = re.sub(r"[\s\-]", "", text[:40]).upper()
    return code if _CODE.fullmatch(code) else ""


def find(code: str) -> Room:
    """The room with that code, in either case. Raises store.NoSuchTable."""
    clean = clean_code(code)
    rooms = _read(listing.coded(clean)) if clean else []
    if not rooms:
        raise store.NoSuchTable(code)
    return rooms[0]


def listed(now: float | None = None, *, hosts: frozenset[int] = frozenset()) -> list[Room]:
    """The open public rooms with somebody there, newest first; none of these `hosts`."""
    return _read(
        listing.stands(listing.NO_MATCH),
        listing.listable(time.time() if now is None else now),
        listing.not_hosted_by(hosts),
        most=MOST,
    )


def to_join(
    player: Player | None, *, avoid: frozenset[int] = frozenset(), most: int = 12
) -> list[Room]:
    """The newest open public rooms with a free seat in which the player doesn't sit yet.

    None in which somebody to `avoid` sits.
    """
    return _read(
        listing.stands(listing.NO_MATCH),
        listing.listable(time.time()),
        listing.with_a_free_seat(),
        listing.without(avoid if player is None else avoid | {player.pk}),
        most=most,
    )


def to_watch(
    now: float | None = None,
    *,
    avoid: frozenset[int] = frozenset(),
    hosts: frozenset[int] = frozenset(),
    most: int = 3,
) -> list[Room]:
    """Public tables where people play just now, those with the newest match first.

    None in which somebody to `avoid` plays, and none of these `hosts`.
    """
    return _read(
        listing.stands(listing.IN_MATCH),
        listing.listable(time.time() if now is None else now),
        listing.without(avoid),
        listing.not_hosted_by(hosts),
        first=listing.NEWEST_MATCH,
        most=most,
    )


def _read(*conditions: Which, first: str = listing.NEWEST, most: int = 1) -> list[Room]:
    return [_room(row, seats) for row, seats in listing.read(*conditions, first=first, most=most)]


def _room(row: RoomRow, taken: list[SeatRow]) -> Room:
    options = Options.of(
        row.rules,
        players=row.players,
        sides=row.sides,
        target=row.target,
        double_six_opens=row.double_six_opens,
    )
    seats: list[Sitter | None] = [None] * row.players
    for one in taken:
        if one.seat < row.players:  # a change of the choices may be under way
            name = one.name or bot_name(one.bot)
            seats[one.seat] = Sitter(one.seat, name, one.bot or None, one.player_id, one.sat_at)
    playing = row.status in listing.IN_MATCH
    return Room(
        code=row.code,
        choices=Choices(
            options, row.kind, row.ranked, row.private, row.turn_seconds, row.aid, row.replay
        ),
        status=CLOSED if row.status == Table.CLOSED else PLAYING if playing else OPEN,
        seats=tuple(seats),
        match=row.match,
        commit=row.commit if row.commit and playing else row.next_commit,
        scores=tuple(json.loads(row.scores)) if row.scores and playing else (),
        removed=frozenset(json.loads(row.removed)),
    )


@dataclass(frozen=True, slots=True)
class Waiting:
    """One of a person's own tables."""

    room: Room
    your_turn: bool

    @property
    def playing(self) -> bool:
        return self.room.status == PLAYING

    @property
    def with_others(self) -> bool:
        """Whether it is a match in which other people wait."""
        return self.playing and len(self.room.people) > 1


def waiting_for(player: Player, most: int = 6) -> list[Waiting]:
    """The tables where this person sits and is waited for: first the matches with other people.

    Of those, as of the rest, the ones where it is one's turn come first. A match that the person
    left isn't among them, nor is a closed room.
    """
    found = _own(player)
    found.sort(key=lambda one: (not one.with_others, not one.your_turn, not one.playing))
    return found[:most]


def _own(player: Player) -> list[Waiting]:
    """The same without an order, of the tables that `listing.MATCHES_FIRST` puts first."""
    mine = listing.seating(player.pk), listing.stands((*listing.IN_MATCH, *listing.NO_MATCH))
    found = []
    for room in _read(*mine, first=listing.MATCHES_FIRST, most=OWN):
        your_turn = False
        if room.status == PLAYING:
            live = store.fresh(room.code)
            holder, game = live.holder_of(player.pk), live.game
            if holder is None or game is None or holder.seat in game.left:
                continue
            away = holder.seat in live.clock.away  # then it is played for
            your_turn = live.status == Table.PLAYING and game.turn == holder.seat and not away
        found.append(Waiting(room, your_turn))
    return found


def busy_at(player: Player) -> str | None:
    """The table where this person plays a match that others wait in; None if there is none."""
    return next((one.room.code for one in _own(player) if one.with_others), None)
