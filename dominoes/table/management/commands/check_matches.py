"""`manage.py check_matches`: log, snapshot, result and ladder of every match agree."""

from __future__ import annotations

import sys
from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from dominoes.table.checking import check
from dominoes.table.models import Match


class Command(BaseCommand):
    help = "Check that every match's log, snapshot and result agree. Exit status 1 if not."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("ids", nargs="*", help="match ids; by default all")

    def handle(self, *args: Any, **options: Any) -> None:
        matches = Match.objects.order_by("started_at")
        if options["ids"]:
            matches = matches.filter(pk__in=options["ids"])
        total, faulty = matches.count(), 0
        shows = sys.stderr.isatty()
        for done, match in enumerate(matches.iterator(), 1):
            for fault in check(match):
                faulty += 1
                self.stdout.write(f"match {match.pk}: {fault}")
            if shows and (done % 20 == 0 or done == total):
                self.stderr.write(f"\r{done} of {total} matches", ending="")
        if shows and total:
            self.stderr.write("")
        missing = set(options["ids"]) - set(matches.values_list("pk", flat=True))
        for unknown in sorted(missing):
            faulty += 1
            self.stdout.write(f"match {unknown}: there is no such match")
        self.stdout.write(f"{total} matches checked, {faulty} faults")
        if faulty:
            sys.exit(1)
