from django.apps import AppConfig


class LobbyConfig(AppConfig):
    """Finding a table: listing, creating, invitations, quick pairing."""

    name = "lobby"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Listen for accounts that go, and tell the tables who would rather not meet whom."""
        from dominoes.table import company
        from lobby import companions, people  # noqa: F401 (it listens)

        company.register(companions.avoiding)
