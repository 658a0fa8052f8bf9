from django.apps import AppConfig


class LobbyConfig(AppConfig):
    """Finding a table: listing, creating, invitations, quick pairing."""

    name = "lobby"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Listen for accounts that go."""
        from lobby import people  # noqa: F401
