"""`manage.py token NAME`: print a new API token of that player."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from ranking import players


class Command(BaseCommand):
    """Prints the token on standard output and nothing else, so that scripts can take it."""

    help = "Prints a new API token of the account of that name. It can't be shown again."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Take the name, and whether the account may be made."""
        parser.add_argument("name")
        parser.add_argument(
            "--create",
            action="store_true",
            help="make the account, without a password, if there is none of that name",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        """Make the token, or say why not."""
        name: str = options["name"]
        player = players.find_player(name)
        if player is None and options["create"]:
            try:
                player = players.create_account(name, None)
            except ValueError as fault:
                raise CommandError(str(fault)) from None
        if player is None:
            raise CommandError(
                f"There is no player called “{name}”. With --create an account is made."
            )
        if player.is_guest and options["create"]:
            raise CommandError(f"“{player.name}” is a guest; choose another name.")
        self.stdout.write(players.make_token(player, label="manage.py token"))
