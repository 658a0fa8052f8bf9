#!/usr/bin/env python3
"""Django's command line for the project."""

import os
import sys

# These read one file and need no site: they start five times as fast without one.
OF_THE_RULES = ("replay", "perft", "verify")


def main(arguments: list[str]) -> None:
    if arguments[1:2] and arguments[1] in OF_THE_RULES and "--" not in "".join(arguments):
        from dominoes.rules import commands

        sys.exit(commands.main(arguments[1:]))
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "dominoes.settings")
    from django.core.management import execute_from_command_line

    execute_from_command_line(arguments)


if __name__ == "__main__":
    main(sys.argv)
