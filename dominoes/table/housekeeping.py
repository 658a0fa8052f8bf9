"""What a running site does now and then by itself, beside the tables."""

from __future__ import annotations

import time
from typing import Final

import structlog

from dominoes.table import witness
from ranking import accounts

log = structlog.get_logger(__name__)

EVERY: Final = 3600.0


def tick() -> float:
    """Forget guests nobody has been, and addresses kept, for a month; the seconds to the next look.

    Any process may do it, also several at once.
    """
    forgotten = accounts.forget_guests()
    if forgotten:
        log.info("guests forgotten", number=forgotten)
    witness.forget_addresses(time.time())
    return EVERY
