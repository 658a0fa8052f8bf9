from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _lazy


class TableConfig(AppConfig):
    """Live play: tables, seats, matches, the log of events."""

    name = "dominoes.table"
    label = "table"
    verbose_name = _lazy("Tables and matches")
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Say what keepers may do here, and listen for those who want to see their data."""
        from dominoes.table import reports, wiring  # noqa: F401 (they listen)
        from ranking.groups import MODERATORS, grant

        grant(
            MODERATORS,
            "table.view_match",
            "table.view_table",
            "table.close_room",
            "table.view_report",
            "table.change_report",
        )
