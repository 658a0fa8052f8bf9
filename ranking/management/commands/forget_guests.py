"""`manage.py forget_guests`: remove guests who stayed away for a month."""

from typing import Any

from django.core.management.base import BaseCommand

from ranking.accounts import FORGET_AFTER, forget_guests


class Command(BaseCommand):
    """The server does this by itself as well; here it can be done at once."""

    help = f"Removes guests who haven't been here for {FORGET_AFTER.days} days."

    def handle(self, *args: Any, **options: Any) -> None:
        """Forget them, in portions, and say how many they were."""
        total = 0
        while gone := forget_guests():
            total += gone
        self.stdout.write(f"Guests forgotten: {total}")
