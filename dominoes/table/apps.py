from django.apps import AppConfig


class TableConfig(AppConfig):
    """Live play: tables, seats, matches, the log of events."""

    name = "dominoes.table"
    label = "table"
    default_auto_field = "django.db.models.BigAutoField"
