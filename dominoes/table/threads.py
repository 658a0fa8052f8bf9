"""Connections to the database for the server's own threads.

Requests share a pool, and most of them wait for the writing thread while they hold one of its
connections. If that thread, or one that it depends on, had to take its own from the same pool, ten
requests at once would wait for it and it for them. So each of these threads has its own.
"""

from __future__ import annotations

from django.db import connection


def own_connection() -> None:
    """Let this thread connect by itself from now on, and keep what it has; to be called first."""
    if "pool" in connection.settings_dict["OPTIONS"]:
        options = {k: v for k, v in connection.settings_dict["OPTIONS"].items() if k != "pool"}
        connection.settings_dict = {
            **connection.settings_dict,
            "OPTIONS": options,
            "CONN_MAX_AGE": None,
        }
