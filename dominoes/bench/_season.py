"""A site after a busy year, made quickly: its people, results, matches, rooms and reports.

Results and figures are what `ranking.filling` makes of them. Each has its match here, without a
log; a few matches are really played, since their logs are what pages about one match read.
"""

from __future__ import annotations

import json
import random
import time
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from itertools import islice

from django.db import transaction

from dominoes.rules.options import Options
from dominoes.table import beginning, choosing, seating, store
from dominoes.table.models import (
    DealCheck,
    Match,
    MatchSeat,
    Process,
    Report,
    SeatAddress,
    Socket,
    Table,
    new_code,
)
from dominoes.table.models_keeping import REASONS
from dominoes.table.results import GAME, key_of
from lobby import demo_season
from ranking import filling
from ranking.acts import log_act
from ranking.models import Player, Result, Side

SORTS = [
    filling.Sort(GAME, "draw-2-singles", 2, 2),
    filling.Sort(GAME, "partners-4-partners", 4, 2),
]
_CHUNK = 5000
_A_TABLE = 20  # matches that were played in one room
_ABANDONED = 33  # each so many-th match had no result
_DAY = 86400.0


@dataclass(frozen=True, slots=True)
class Site:
    """Who and what the pages are asked for."""

    regular: Player  # one of many matches
    other: Player  # whom the regular met
    keeper: Player
    code: str  # a match in play, with the regular in it
    match: str  # a long match of the regular's, played to its end
    four: str  # one of four people who met often
    report: int


def _id_of(number: int) -> str:
    return f"m{number:011d}"


def _named(number: int) -> tuple[str, str]:
    return key_of(_id_of(number)), f"/matches/{_id_of(number)}/"


def fill(players: int, matches: int, open_rooms: int) -> Site:
    """Make all of it. With logs of their own only the matches that are asked for by name."""
    people = filling.make_people(players)
    filling.fill(people, matches, sorts=SORTS, until=datetime.now(UTC), named=_named)
    with transaction.atomic():
        _store_matches(matches)
        keeper = Player.objects.create_superuser("Keeper of the bench")
        report = _store_reports(people, keeper)
    # Rooms and matches come about as they do on the site, each in a transaction of its own.
    _open(people[10 : 10 + open_rooms])
    # The regular is whoever has most to show.
    pair = [people[0], people[1]]
    match = _played(pair, rules="fives", players=2, ranked=True)
    for _time in range(2):
        _played(pair, rules="draw", players=2, ranked=True)
    four = _played(people[:4], rules="classic", players=4, sides="singles", ranked=True)
    wanted = choosing.check_choices(rules="draw", players=2)
    code = store.call(seating.create_table, pair[0].pk, wanted)
    store.call(seating.sit, code, pair[1].pk, 1)
    store.call(beginning.start, code, pair[0].pk)
    return Site(pair[0], pair[1], keeper, code, match, four, report)


def find() -> Site:
    """The same of a database that was filled before."""
    pair = list(Player.objects.filter(name__in=("Player 2", "Player 3")).order_by("name"))
    return Site(
        pair[0],
        pair[1],
        Player.objects.get(is_superuser=True),
        Table.objects.filter(status=Table.PLAYING).latest("pk").code,
        str(Match.objects.filter(rules="fives").latest("started_at").pk),
        str(Match.objects.filter(rules="classic").latest("started_at").pk),
        Report.objects.earliest("pk").pk,
    )


def _played(people: list[Player], **choices: object) -> str:
    """A match of these people, played out by the rules; its id."""
    wanted = choosing.check_choices(**choices)  # type: ignore[arg-type]
    code = store.call(seating.create_table, people[0].pk, wanted)
    for seat, player in enumerate(people[1:], 1):
        store.call(seating.sit, code, player.pk, seat)
    match = store.call(beginning.start, code, people[0].pk)
    store.call(demo_season.play_out, code, None, time.time(), random.Random(1))  # noqa: S311
    return match


def _open(hosts: list[Player]) -> None:
    """Open rooms, each with its host's page open in a process that won't be thought dead."""
    process = Process.objects.create(id="bench", beat=time.time() + 365 * _DAY)
    wanted = choosing.check_choices(rules="draw", players=3)
    codes = [store.call(seating.create_table, host.pk, wanted) for host in hosts]
    tables = dict(Table.objects.filter(code__in=codes).values_list("code", "pk"))
    Socket.objects.bulk_create(
        Socket(process=process, table_id=tables[code], seat=0, player=host)
        for code, host in zip(codes, hosts, strict=True)
    )


def _store_matches(how_many: int) -> None:
    """A match for every result, its seats, and what keepers know of it."""
    chance = random.Random(1)  # noqa: S311 (no secret)
    tables = _rooms(how_many // _A_TABLE + 1)
    rows = _results(how_many)
    number = 0
    while chunk := list(islice(rows, _CHUNK)):
        matches, seats, checks, addresses = [], [], [], []
        for result, sides in chunk:
            match = _match(result, sides, tables[number // _A_TABLE].pk, number % 20, chance)
            number += 1
            matches.append(match)
            seats += [
                MatchSeat(match=match, seat=one.seat, player_id=one.player_id, bot=one.bot)
                for one in sides
            ]
            if number < how_many - 300:
                checks.append(DealCheck(match=match, deals=match.hand))
            if match.ranked and result.ended_at > datetime.now(UTC) - timedelta(days=30):
                home = chance.random() < 0.01
                addresses += [
                    SeatAddress(
                        match=match, seat=one.seat, digest=f"{0 if home else one.player_id:032d}"
                    )
                    for one in sides
                ]
        Match.objects.bulk_create(matches)
        MatchSeat.objects.bulk_create(seats)
        DealCheck.objects.bulk_create(checks)
        SeatAddress.objects.bulk_create(addresses)


def _results(how_many: int) -> Iterator[tuple[Result, list[Side]]]:
    for start in range(0, how_many, _CHUNK):
        rows = Result.objects.order_by("id")[start : start + _CHUNK]
        for result in rows.prefetch_related("sides"):
            yield result, sorted(result.sides.all(), key=lambda side: side.seat)


def _rooms(how_many: int) -> list[Table]:
    codes: set[str] = set()
    while len(codes) < how_many:
        codes.add(new_code())
    return Table.objects.bulk_create(
        (
            Table(
                code=code,
                rules="draw",
                players=2,
                sides="singles",
                target=100,
                kind="online",
                replay="all",
                status=Table.CLOSED,
                next_secret=b"",
                next_commit="",
            )
            for code in codes
        ),
        batch_size=_CHUNK,
    )


def _match(
    result: Result, sides: list[Side], table: int, number: int, chance: random.Random
) -> Match:
    rules, players, among = result.variant.split("-")
    options = Options.of(rules, players=int(players), sides=among)
    ended = result.ended_at.timestamp()
    abandoned = chance.randrange(_ABANDONED) == 0
    forfeit = chance.random() < 0.08
    winner = next((side.side for side in sides if side.outcome == "won"), None)
    how = "abandoned" if abandoned else "agreed" if winner is None else "target"
    if how == "target" and forfeit:
        how = "forfeit"
    leaver = next((side.seat for side in sides if side.outcome == "lost"), None)
    said = {
        "how": how,
        "winner": None if abandoned else winner,
        "seat": leaver if how == "forfeit" else None,
        "why": "left" if how == "forfeit" else None,
    }
    return Match(
        id=result.key.partition(":")[2],
        table_id=table,
        number=number + 1,
        rules=rules,
        options=json.dumps(options.to_json()),
        kind="online",
        ranked=result.ranked,
        turn_seconds=60,
        secret=bytes(32),
        commit="0" * 64,
        status=Match.ABANDONED if abandoned else Match.OVER,
        hand=chance.randint(3, 9),
        scores=json.dumps([chance.randrange(150) for _side in range(options.side_count)]),
        result=json.dumps(said),
        started_at=ended - chance.randint(200, 3000),
        ended_at=ended,
        plies=chance.randint(4, 220),
    )


def _store_reports(people: list[Player], keeper: Player) -> int:
    """Reports, answered but for the newest, and what the keepers did; the newest one's id."""
    rows = MatchSeat.objects.filter(match__ranked=True, player__isnull=False)
    reports = [
        Report(
            match_id=row.match_id,
            by=people[number % min(100, len(people))],
            about_id=row.player_id,
            seat=row.seat,
            reason=REASONS[number % len(REASONS)][0],
            hand=1,
            ply=3,
            answer="We had a look at it.",
            answered_by=keeper,
            answered_at=time.time(),
        )
        for number, row in enumerate(rows.order_by("match_id")[:2000])
    ]
    for report in reports[:50]:
        report.answer, report.answered_by, report.answered_at = "", None, None
    for number, report in enumerate(reports[:500]):
        about = people[number % min(50, len(people))]
        log_act(by=keeper, what="suspend", about=about, key=report.match_id, reason="For a test.")
    return Report.objects.bulk_create(reports)[0].pk
