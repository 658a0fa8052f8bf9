"""`manage.py reset_link NAME`: a link by which somebody chooses a new password."""

from argparse import ArgumentParser
from typing import Any

from django.contrib.auth.tokens import default_token_generator
from django.core.management.base import BaseCommand, CommandError
from django.urls import reverse
from django.utils.encoding import force_bytes
from django.utils.http import urlsafe_base64_encode

from ranking import players
from ranking.acts import log_act
from ranking.models import Player


class Command(BaseCommand):
    """For sites without mail: an administrator makes the link and hands it over."""

    help = "Prints a link with which the account's holder sets a new password; it works once."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Take the name and the site's address."""
        parser.add_argument("name")
        parser.add_argument(
            "--site",
            default="http://localhost:8000",
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


def reset_path(player: Player) -> str:
    """The path of a page on which the account's password can be set anew, once."""
    uid = urlsafe_base64_encode(force_bytes(player.pk))
    token = default_token_generator.make_token(player)
    return reverse("password_reset_confirm", args=[uid, token])
