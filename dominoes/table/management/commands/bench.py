"""``manage.py bench NAME``: the project's own measurements, each a module of ``dominoes.bench``."""

from __future__ import annotations

import argparse
import importlib
import pkgutil
import sys
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand

from dominoes import bench

#: What benches share; a module with an underscore before its name is a part of one, too.
SHARED = {"tables"}


def names() -> list[str]:
    """The benches that there are."""
    found = {module.name for module in pkgutil.iter_modules(bench.__path__)}
    return sorted(name for name in found - SHARED if not name.startswith("_"))


class Command(BaseCommand):
    help = "Measure something and print a table of figures. bench NAME --help says more of each."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("name", choices=names(), help="what to measure")
        parser.add_argument(
            "arguments", nargs=argparse.REMAINDER, help="what that bench takes; try --help"
        )

    def handle(self, *_args: Any, **options: Any) -> None:
        module = importlib.import_module(f"{bench.__name__}.{options['name']}")
        status: int | None = module.main(options["arguments"])
        sys.exit(status or 0)
