"""``manage.py replay FILE``: the trace of a match record, one JSON object a line.

The work is in ``dominoes.rules.commands``, which needs nothing of the site.
"""

from __future__ import annotations

import sys
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand

from dominoes.rules import commands


class Command(BaseCommand):
    help = commands.HELP["replay"]
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        commands.add_arguments(parser, "replay")

    def handle(self, *_args: Any, **options: Any) -> None:
        sys.exit(commands.run("replay", options["file"]))
