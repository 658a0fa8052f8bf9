"""``manage.py export_matches``: a database of games, one match record a line."""

from __future__ import annotations

import json
import os
import sys
from argparse import ArgumentParser, ArgumentTypeError
from collections.abc import Iterator
from datetime import UTC, datetime
from itertools import islice
from typing import Any

from django.core.management.base import BaseCommand
from django.db.models import QuerySet

from dominoes.rules.systems import SYSTEMS
from dominoes.table.models import Match
from dominoes.table.records import record_of
from dominoes.table.voiding import voided

PORTION = 200


def moment(text: str) -> datetime:
    """A date, or a date with a time; in UTC unless it says otherwise."""
    try:
        at = datetime.fromisoformat(text)
    except ValueError:
        raise ArgumentTypeError(
            f"{text!r} is no date like 2026-03-31 or 2026-03-31T18:00"
        ) from None
    return at if at.tzinfo else at.replace(tzinfo=UTC)


def public(since: datetime | None = None, rules: str | None = None) -> QuerySet[Match]:
    """Finished matches that anybody may read, in the order in which they ended.

    Private rooms and those whose replay is for the players alone are left out; so are, later,
    the void ones (`voided`).
    """
    matches = Match.objects.filter(status=Match.OVER, replay="all", private=False)
    if since is not None:
        matches = matches.filter(ended_at__gte=since.timestamp())
    if rules is not None:
        matches = matches.filter(rules=rules)
    return matches.order_by("ended_at", "pk")


def portions(ids: Iterator[str]) -> Iterator[list[str]]:
    """Ids in portions, without the void matches."""
    while some := list(islice(ids, PORTION)):
        void = voided(some)
        yield [one for one in some if one not in void]


class Command(BaseCommand):
    help = (
        "Print all finished public matches as JSON lines (format dominoes-match/1), "
        "each good for replay and verify."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--since", type=moment, metavar="DATE", help="only matches that ended then or later"
        )
        parser.add_argument("--rules", choices=list(SYSTEMS), help="only matches of one system")

    def handle(self, *_args: Any, **options: Any) -> None:
        matches = public(options["since"], options["rules"])
        shows = sys.stderr.isatty()
        total = matches.count() if shows else 0
        seen = done = 0
        try:
            for some in portions(matches.values_list("pk", flat=True).iterator(PORTION)):
                for match_id in some:
                    record = record_of(match_id)
                    self.stdout.write(json.dumps(record, separators=(",", ":")))
                    done += 1
                seen += PORTION
                if shows:
                    self.stderr.write(f"\r{min(seen, total)} of {total} matches", ending="")
            self.stdout.flush()
        except BrokenPipeError:
            # Whoever read this has had enough, like `head`; nothing more can be written there.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            return
        if shows:
            self.stderr.write(f"\r{done} matches written, {total - done} are void")
