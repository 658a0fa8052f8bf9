from django.apps import AppConfig


class RankingConfig(AppConfig):
    """Players, results, points, rating, history; knows no game."""

    name = "ranking"
    default_auto_field = "django.db.models.BigAutoField"
