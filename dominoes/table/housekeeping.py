"""What a running site does now and then by itself, beside the tables."""

from __future__ import annotations

from typing import Final

import structlog

from ranking import accounts

log = structlog.get_logger(__name__)

EVERY: Final = 3600.0


def tick() -> float:
    """Forget the guests whom nobody has been for a month; gives the seconds until the next look.

    Any process may do it, also several at once.
    """
    forgotten = accounts.forget_guests()
    if forgotten:
        log.info("guests forgotten", number=forgotten)
    return EVERY
