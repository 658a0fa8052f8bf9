"""What every page takes: statements to the database and server time, after a busy year.

The database is made for the occasion: 20,000 players with 200,000 matches, 500 open tables and one
match in play. Pages are asked for by a player of many matches and by a keeper, in this process and
without a network. Any page may send 20 statements and take 150 ms at the 95th percentile, those
that everybody comes by 50 ms.
"""

from __future__ import annotations

import argparse
import contextlib
import gc
import os
import statistics
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from dominoes.bench import _servers as servers
from dominoes.bench._servers import Setup
from dominoes.bench.tables import table

if TYPE_CHECKING:
    from dominoes.bench._season import Site

HELP = "every page after a busy year: statements and server time"
STATEMENTS = 20
LIMIT = 150.0  # milliseconds at the 95th percentile
BUSY_LIMIT = 50.0
INSIDE = "BENCH_PAGES_INSIDE"  # set in the process that has the database


@dataclass(frozen=True, slots=True)
class Page:
    """A page, for whom it is asked, and whether it is one of those that everybody comes by."""

    name: str
    path: str
    who: str = "regular"  # or "keeper", "nobody"
    busy: bool = False


def main(arguments: Sequence[str]) -> int:
    """Fill a database, ask for pages, print; exit status 1 where a page is too slow."""
    parser = argparse.ArgumentParser(prog="manage.py bench pages", description=__doc__)
    parser.add_argument("--players", type=int, default=20_000, help="(20,000)")
    parser.add_argument("--matches", type=int, default=200_000, help="(200,000)")
    parser.add_argument("--open", type=int, default=500, help="open tables in the lobby (500)")
    parser.add_argument("--times", type=int, default=40, help="each page is asked for (40)")
    parser.add_argument("--only", default="", help="pages with this in their names")
    parser.add_argument("--postgres", default="", help="URL of a PostgreSQL to make a database in")
    parser.add_argument("--data", default="", help="folder to keep the SQLite database in, if new")
    asked = parser.parse_args(arguments)
    if asked.postgres and asked.data:
        parser.error("--data is for SQLite")
    if INSIDE in os.environ:
        return _measured(asked)
    with contextlib.ExitStack() as stack:
        folder = asked.data or stack.enter_context(
            tempfile.TemporaryDirectory(prefix="dominoes-bench-pages-")
        )
        setup = Setup(asked.postgres)
        env = servers.environment(Path(folder), setup, **{INSIDE: "1"})
        stack.callback(servers.drop_database, setup, env)
        servers.run("manage.py", "migrate", "--verbosity", "0", env=env)
        # In a process of its own: this one's settings name the site's database.
        return servers.show("manage.py", "bench", "pages", *arguments, env=env)


def _measured(asked: argparse.Namespace) -> int:
    from django.db import connection
    from django.test import Client

    from dominoes.bench import _season
    from ranking.models import Result

    _say(f"On {'PostgreSQL' if connection.vendor == 'postgresql' else 'SQLite'}.")
    if Result.objects.exists():
        site = _season.find()
    else:
        start = time.perf_counter()
        site = _season.fill(asked.players, asked.matches, asked.open)
        _say(f"Filled in {time.perf_counter() - start:,.0f} s.")
        if connection.vendor == "postgresql":
            with connection.cursor() as cursor:
                cursor.execute("VACUUM ANALYZE")  # as it would have done by itself meanwhile
    clients = {"nobody": Client(), "regular": Client(), "keeper": Client()}
    for who, player in (("regular", site.regular), ("keeper", site.keeper)):
        clients[who].force_login(player, "django.contrib.auth.backends.ModelBackend")
    gc.collect()
    gc.freeze()  # as the server does once it has started
    rows: list[tuple[Any, ...]] = []
    broken = []
    for page in pages(site):
        if asked.only not in page.name:
            continue
        row, kept = _asked_for(page, clients[page.who], asked.times)
        rows.append(row)
        if not kept:
            broken.append(page.name)
    head = ("page", "statements", "median ms", "p95 ms", "p95 of processor ms", "limit", "bytes")
    _say(table(head, rows))
    _say("")
    limit = f"Limits: {STATEMENTS} statements, and so much time or work at the 95th percentile"
    _say(f"{limit}: broken by {', '.join(broken)}." if broken else f"{limit}: kept.")
    return int(bool(broken))


def _asked_for(page: Page, client: Any, times: int) -> tuple[tuple[Any, ...], bool]:
    """A row of the table, and whether the page keeps within its limits."""
    answer = client.get(page.path)
    if answer.status_code != 200:
        raise RuntimeError(f"{page.path}: {answer.status_code}")
    with _counted() as statements:
        client.get(page.path)
    took, used = [], []
    base = _database_seconds()
    for _time in range(times):
        began, worked = time.perf_counter(), time.process_time()
        client.get(page.path)
        took.append(1000 * (time.perf_counter() - began))
        used.append(1000 * (time.process_time() - worked))
    took.sort()
    used.sort()
    p95, work = (values[int(len(values) * 0.95)] for values in (took, used))
    after = _database_seconds()
    known = base is not None and after is not None
    if base is not None and after is not None:
        work += 1000 * (after - base) / times
    limit = BUSY_LIMIT if page.busy else LIMIT
    row = (page.name, len(statements), statistics.median(took), p95, work, limit)
    # A machine that does other things as well adds waiting; work is what the page is to blame for.
    judged = min(p95, work) if known else p95
    return (*row, len(answer.content)), len(statements) <= STATEMENTS and judged <= limit


def _database_seconds() -> float | None:
    """Processor seconds so far of the database's own processes; None where they run elsewhere."""
    from django.db import connection

    if connection.vendor == "sqlite":
        return 0.0  # it works in this process
    with connection.cursor() as cursor:
        cursor.execute("SELECT pid FROM pg_stat_activity WHERE datname = current_database()")
        pids = [pid for (pid,) in cursor.fetchall()]
    try:
        parent = servers.parent(pids[0])
        # Helpers of one statement have ended by now: they stand with their parent.
        return sum(map(servers.processor_seconds, pids)) + servers.ended_seconds(parent)
    except (OSError, IndexError):
        return None


@contextlib.contextmanager
def _counted() -> Iterator[list[str]]:
    """The statements of the block, whichever thread and connection they go through."""
    from django.db.backends.utils import CursorWrapper

    found: list[str] = []
    execute = CursorWrapper.execute

    def counted(self: Any, sql: str, params: Any = None) -> Any:
        found.append(sql)
        return execute(self, sql, params)

    CursorWrapper.execute = counted  # type: ignore[method-assign,assignment]
    try:
        yield found
    finally:
        CursorWrapper.execute = execute  # type: ignore[method-assign]


def _say(text: str) -> None:
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


def pages(site: Site) -> list[Page]:
    """All pages that are measured."""
    from django.urls import reverse

    ladder, name = reverse("ladder"), site.regular.name
    profile, history = reverse("player", args=[name]), reverse("player-matches", args=[name])
    match = reverse("match", args=[site.match])
    week = "by=points&period=week"
    found = [
        Page("home, with the lobby", reverse("home"), busy=True),
        Page("home, to a newcomer", reverse("home"), "nobody", busy=True),
        Page("home's lists, asked for anew", f"{reverse('home')}?part=now"),
        Page("home's own part, asked for anew", f"{reverse('home')}?part=mine"),
        Page("table in play", reverse("table", args=[site.code]), busy=True),
        Page("table in play, looking on", reverse("table", args=[site.code]), "nobody"),
        Page("profile", profile, busy=True),
        Page("ladder", ladder, busy=True),
        Page("ladder, deep", f"{ladder}?page=200"),
        Page("ladder, last page", f"{ladder}?page=99999"),
        Page("ladder by points of the week", f"{ladder}?{week}"),
        Page("ladder by points for ever", f"{ladder}?by=points"),
        Page("the same, deep", f"{ladder}?by=points&page=200"),
        Page("ladder of a variant", f"{ladder}?by=points&variant=dominoes/draw-2-singles"),
        Page(
            "ladder of a variant, week",
            f"{ladder}?{week}&variant=dominoes/partners-4-partners",
        ),
        Page("ladder, to a newcomer", ladder, "nobody"),
        Page("history", history),
        Page("history, old", f"{history}?before={_old_side(site)}"),
        *(
            Page(f"history by {what}", f"{history}?{query}")
            for what, query in (
                ("game", "variant=dominoes/partners-4-partners"),
                ("sort", "counted=bots"),
                ("outcome", "outcome=drawn"),
                ("seats", "seats=4"),
                ("other player", f"other={site.other.name}"),
                ("all of them", f"counted=ranked&outcome=won&seats=2&other={site.other.name}"),
            )
        ),
        Page("replay, first ply", match),
        Page("replay, last ply", f"{match}?hand=99&ply=99&eyes=1"),
        Page("record to keep", reverse("match-record", args=[site.match])),
        *(Page(f"rules of {one}", reverse("rules", args=[one])) for one in ("partners", "fives")),
        Page("rules", reverse("rules-index")),
        Page("fair deals", reverse("fair")),
        Page("what is stored", reverse("stored")),
        Page("settings", reverse("settings")),
        Page("own data", reverse("own-data")),
        Page("own reports", reverse("reports")),
        Page("new table", reverse("table-new")),
        Page("quick play", reverse("quick")),
        Page("companions", reverse("companions")),
        *(
            Page(f"API: {path}", f"/api/v1/{path}")
            for path in ("rooms", "ladder", f"players/{name}", f"players/{name}/matches")
        ),
    ]
    return found + _desk(site)


def _old_side(site: Site) -> int:
    from ranking.models import Side

    rows = Side.objects.filter(player=site.regular).order_by("ended_at")
    return rows.values_list("pk", flat=True)[3]


def _desk(site: Site) -> list[Page]:
    """The keepers' pages."""
    from django.urls import reverse

    from dominoes.table.models import Match

    matches = reverse("admin:table_match_changelist")
    deep = (Match.objects.count() + 99) // 100
    queries = {
        "": "",
        ", deep": f"?p={deep}",
        " of a player": f"?q={site.regular.name}",
        " of a part of a name": "?q=layer+19",
        " of a room": f"?q={site.code}",
        " of a month": f"?q={datetime.now(UTC):%Y-%m}",
        " by how they ended": "?ended=forfeit",
        " without result": "?ended=abandoned",
        " in partners": "?seats=partners",
        " by length": "?moves=150",
        " by all filters": "?rules__exact=draw&seats=2&kind__exact=online&ranked__exact=1"
        "&ended=forfeit&moves=60&began=30",
    }
    lists = {
        "players": reverse("admin:ranking_player_changelist"),
        "players of a name": f"{reverse('admin:ranking_player_changelist')}?q=player+19",
        "results": reverse("admin:ranking_result_changelist"),
        "acts": reverse("admin:ranking_act_changelist"),
        "rooms": reverse("admin:table_table_changelist"),
        "rooms of a name": f"{reverse('admin:table_table_changelist')}?q={site.regular.name}",
        "reports": reverse("admin:table_report_changelist"),
        "a report": reverse("admin:table_report_change", args=[site.report]),
        "a player": reverse("admin:ranking_player_change", args=[site.regular.pk]),
        "a match": reverse("admin:table_match_change", args=[site.match]),
        "a match of four": reverse("admin:table_match_change", args=[site.four]),
        "figures": reverse("admin:table_match_figures"),
        "odd tables": reverse("admin:table_match_odd"),
    }
    return [
        *(
            Page(f"desk: matches{what}", matches + query, "keeper")
            for what, query in queries.items()
        ),
        *(Page(f"desk: {what}", path, "keeper") for what, path in lists.items()),
    ]
