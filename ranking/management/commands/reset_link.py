"""`manage.py reset_link NAME`: a link by which somebody chooses a new password."""

from argparse import ArgumentParser
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from ranking import players
from ranking.accounts import reset_path
from ranking.acts import log_act


class Command(BaseCommand):
    """For sites without mail: an administrator makes the link and hands it over."""

    help = "Prints a link with which the account's holder sets a new password; it works once."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Take the name and the site's address."""
        parser.add_argument("name")
        parser.add_argument(
            "--site",
            default=_site(),
            help="the address people open the site by (default: %(default)s)",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        """Make the link, or say why not."""
        player = players.find_player(options["name"])
        if player is None:
            raise CommandError(f"There is no account called “{options['name']}”.")
        if player.is_guest:
            raise CommandError(f"“{player.name}” is a guest and has no password.")
        self.stdout.write(options["site"].rstrip("/") + reset_path(player))
        log_act(by=None, what="reset link", about=player, reason="made on the command line")


def _site() -> str:
    """Give a public site's first name; at home the address that it has on this machine."""
    name = next((name.lstrip(".") for name in settings.ALLOWED_HOSTS if name != "*"), None)
    return f"https://{name}" if name else "http://localhost:8000"
