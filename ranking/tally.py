"""Adding results up into careers and standings.

`add` counts one new result; `recount` makes a player's figures again from all their results,
which is how a voided one leaves no trace.
"""

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import UTC, datetime

from ranking.outcomes import BOTS, DRAWN, LOST, RANKED, WON, Side
from ranking.standings import Career, Standing

Board = tuple[str, str, str]
"""(game, variant, period), as `Standing` has them."""

EVER = ""


def week_of(moment: datetime) -> str:
    """The ISO week, in UTC, that a board of the week goes by: `2026-W07`."""
    year, week, _day = moment.astimezone(UTC).isocalendar()
    return f"{year}-W{week:02d}"


def boards_of(game: str, variant: str, ended_at: datetime) -> list[Board]:
    """The boards on which a ranked result counts."""
    week = week_of(ended_at)
    return [("", "", EVER), ("", "", week), (game, variant, EVER), (game, variant, week)]


@dataclass(slots=True)
class Sums:
    """Points and outcomes added up."""

    points: int = 0
    won: int = 0
    drawn: int = 0
    lost: int = 0

    def add(self, outcome: str, points: int) -> None:
        """Count one result."""
        self.points += points
        self.won += outcome == WON
        self.drawn += outcome == DRAWN
        self.lost += outcome == LOST


def add(sides: Iterable[Side], boards: list[Board]) -> None:
    """Count a new result for these seats, which hold a player each and whose rows are locked.

    Matches against bots stand in the history alone; casual ones count as won, drawn or lost;
    ranked ones count on the boards as well.
    """
    counted = {
        side.player_id: side
        for side in sides
        if side.player_id is not None and side.counted_as != BOTS
    }
    if not counted:
        return
    careers = Career.objects.in_bulk(counted)
    missing = [Career(player_id=pk) for pk in counted if pk not in careers]
    for career in (*careers.values(), *missing):
        side = counted[career.player_id]
        _count(career, side.outcome, side.points)
        career.ranked += side.counted_as == RANKED
    Career.objects.bulk_create(missing)
    if careers:
        Career.objects.bulk_update(careers.values(), ["points", "ranked", "won", "drawn", "lost"])
    ranked = {pk: side for pk, side in counted.items() if side.counted_as == RANKED}
    if ranked:
        _add_to_boards(ranked, boards)


def _add_to_boards(sides: dict[int, Side], boards: list[Board]) -> None:
    there = {
        (row.player_id, row.game, row.variant, row.period): row
        for row in Standing.objects.filter(
            player__in=sides,
            game__in={board[0] for board in boards},
            variant__in={board[1] for board in boards},
            period__in={board[2] for board in boards},
        )
    }
    new, old = [], []
    for pk, side in sides.items():
        for board in boards:
            row = there.get((pk, *board))
            if row is None:
                row = Standing(player_id=pk, game=board[0], variant=board[1], period=board[2])
                new.append(row)
            else:
                old.append(row)
            _count(row, side.outcome, side.points)
    Standing.objects.bulk_create(new)
    if old:
        Standing.objects.bulk_update(old, ["points", "won", "drawn", "lost"])


def _count(row: Career | Standing, outcome: str, points: int) -> None:
    row.points += points
    row.won += outcome == WON
    row.drawn += outcome == DRAWN
    row.lost += outcome == LOST


def recount(players: Collection[int]) -> None:
    """Make the figures of these players, whose rows are locked, again from their results."""
    total = {pk: Sums() for pk in players}
    ranked = dict.fromkeys(players, 0)
    boards: dict[tuple[int, Board], Sums] = {}
    rows = (
        Side.objects.filter(player__in=players, result__voided_at=None)
        .exclude(counted_as=BOTS)
        .values_list(
            "player_id",
            "outcome",
            "points",
            "counted_as",
            "ended_at",
            "result__game",
            "result__variant",
        )
    )
    for pk, outcome, points, counted_as, ended_at, game, variant in rows:
        total[pk].add(outcome, points)
        if counted_as == RANKED:
            ranked[pk] += 1
            for board in boards_of(game, variant, ended_at):
                boards.setdefault((pk, board), Sums()).add(outcome, points)
    for pk, sums in total.items():
        Career.objects.update_or_create(
            player_id=pk,
            defaults={
                "points": sums.points,
                "ranked": ranked[pk],
                "won": sums.won,
                "drawn": sums.drawn,
                "lost": sums.lost,
            },
        )
    Standing.objects.filter(player__in=players).delete()
    Standing.objects.bulk_create(
        Standing(
            player_id=pk,
            game=board[0],
            variant=board[1],
            period=board[2],
            points=sums.points,
            won=sums.won,
            drawn=sums.drawn,
            lost=sums.lost,
        )
        for (pk, board), sums in boards.items()
    )
