"""``manage.py seed``: are the rule sheets there? With --demo, players and matches to look at."""

import asyncio
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from dominoes.rules.systems import SYSTEMS
from dominoes.table import sheets


class Command(BaseCommand):
    """Reads the rule sheets; with --demo adds players and matches, with --live tables in play."""

    help = (
        "Check that the rule sheets, which a site starts with, can be read; add a demo if asked."
        " Running it again changes nothing."
    )
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        """What to add beside the sheets."""
        parser.add_argument("--demo", action="store_true", help="add players and played matches")
        parser.add_argument(
            "--live", action="store_true", help="with --demo: keep tables going until Ctrl-C"
        )

    def handle(self, *_args: Any, **options: Any) -> None:
        """Read the sheets, then do what was asked for."""
        loud = options["verbosity"] > 0
        for name in SYSTEMS:
            try:
                sheets.sheet(name)
            except (OSError, sheets.BadSheet) as error:
                raise CommandError(f"The rule sheet of {name} can't be read: {error}") from None
        if loud:
            self.stdout.write(f"{len(SYSTEMS)} rule sheets are there.")
        if not options["demo"]:
            return
        # Only here: it brings in all of the live tables.
        from lobby import demo

        played = demo.fill(self._progress if loud else lambda done, of: None)
        if loud:
            self.stdout.write(
                f"{played} matches were played." if played else "The demo's matches are there."
            )
        if options["live"]:
            self.stdout.write("Tables are in play. Stop with Ctrl-C.")
            self.stdout.flush()
            asyncio.run(demo.keep_going())

    def _progress(self, done: int, of: int) -> None:
        """Say how far it is, on a screen in place, in a file now and then."""
        if self.stdout.isatty():
            self.stdout.write(f"\rMatch {done} of {of} …", ending="" if done < of else "\n")
            self.stdout.flush()
        elif done % 20 == 0:
            self.stdout.write(f"{done} of {of} matches …")
