"""The life of a server process around its web server: what begins with it and ends with it."""

from __future__ import annotations

import time
from typing import Final

import structlog
from django.db import connection, connections

from dominoes.table import housekeeping, presence, reading, store, sweeper
from dominoes.table.hub import hub
from dominoes.table.sweeper import Ticker

log = structlog.get_logger(__name__)

# PostgreSQL gives up a transaction that says nothing for so long, in milliseconds. A process that
# was halted within one would hold its tables until it wakes up, and the writing threads of all
# others who want them; and a turn that it began then would have run out when it is stored.
SILENT_TRANSACTION: Final = 3000


class Life:
    """Threads, heartbeat and hub of one server process."""

    def __init__(self) -> None:
        self._tickers: list[Ticker] = []

    def prepare(self) -> None:
        """Look at the database before the event loop runs, which must not wait for it."""
        _limit_transactions()
        presence.begin(time.time())
        connection.close()
        store.start_writer()
        reading.start()

    def begin(self) -> None:
        """Start what goes by itself; in the event loop, before the first request is taken."""
        hub.start()
        self._tickers = [
            Ticker("heartbeat", sweeper.beat),
            Ticker("sweeper", sweeper.sweep),
            Ticker("housekeeping", housekeeping.tick),
        ]
        for ticker in self._tickers:
            ticker.start()

    async def stop_taking(self) -> None:
        """Take no more moves, and play nothing more by the clock."""
        hub.closing = True
        for ticker in self._tickers:
            ticker.ask_to_stop()

    def busy(self) -> int:
        """How many moves are being stored."""
        return hub.busy

    def end(self) -> None:
        """After the last connection: finish what is written, and leave the books in order."""
        for ticker in self._tickers:
            ticker.stop()
        store.stop_writer()
        try:
            presence.end(time.time())
        except Exception:
            log.exception("the end could not be noted")
        reading.stop()


def _limit_transactions() -> None:
    """Have the database end what this process began and doesn't finish; before it is first used."""
    if connection.vendor != "postgresql":
        return
    options = connections.settings["default"]["OPTIONS"]
    limit = f"-c idle_in_transaction_session_timeout={SILENT_TRANSACTION}"
    options["options"] = f"{options.get('options', '')} {limit}".strip()
