from django.apps import AppConfig


class RankingConfig(AppConfig):
    """Players, results, points, rating, history; knows no game."""

    name = "ranking"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Begin to listen: who signs out, and when the groups of keepers are to be made."""
        from ranking import groups, sessions  # noqa: F401 (listens to signing out)

        groups.connect()
