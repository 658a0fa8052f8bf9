"""Codes that lead nowhere: an address that tries too many has to wait.

A room's code is the key to a private room. It is one of some 148 million; at the pace allowed here
nobody comes upon one that is in use.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping
from typing import Any

from django.conf import settings
from django.core.cache import cache
from django.http import HttpRequest

from ranking.http import allowed, client_ip, household

log = logging.getLogger(__name__)

MISSES = (40, 600)
"""Codes without a room that one address may try in ten minutes; then it has to wait that long."""

Source = HttpRequest | Mapping[str, Any]
"""A request, or a socket's scope."""


def seconds_shut(source: Source) -> int | None:
    """How long an address that tried too many codes has to wait; None where it needn't."""
    if not settings.RATE_LIMITS:
        return None
    try:
        shut = cache.get(_key(source))
    except Exception:  # a limiter that is down lets people in
        log.warning("limit_unchecked", extra={"limit": "codes"}, exc_info=True)
        return None
    return MISSES[1] if shut else None


def missed(source: Source) -> None:
    """Note that a code led nowhere."""
    if allowed("codes", source, *MISSES) is None:
        return
    try:
        cache.set(_key(source), 1, timeout=MISSES[1])
    except Exception:
        log.warning("limit_unchecked", extra={"limit": "codes"}, exc_info=True)


def _key(source: Source) -> str:
    return f"codes-shut:{household(client_ip(source))}"
