"""The baseline as a Django app of its own process; the site never installs it."""

from django.apps import AppConfig


class BenchConfig(AppConfig):
    """Named by hand: two apps called "bench" would be one too many."""

    name = "tests.bench"
    label = "bench"
