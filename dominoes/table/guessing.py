"""Codes that lead nowhere: an address that tries too many has to wait.

A room's code is the key to a private room. It is one of some 148 million; at the pace allowed here
nobody comes upon one that is in use.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable, Mapping, Sequence
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
    shut = are_shut([source])
    return MISSES[1] if shut and shut[0] else None


def are_shut(sources: Sequence[Source]) -> list[bool] | None:
    """Of many, which have to wait; None when that can't be found out. One question for all."""
    keys = [_key(source) for source in sources]
    if not settings.RATE_LIMITS or not keys:
        return [False] * len(keys)
    try:
        found = cache.get_many(set(keys))
    except Exception:  # a limiter that is down lets people in
        log.warning("limit_unchecked", extra={"limit": "codes"}, exc_info=True)
        return None
    return [key in found for key in keys]


def all_missed(sources: Iterable[Source]) -> None:
    """Note for each of these that a code led nowhere."""
    by_key: dict[str, list[Source]] = {}
    for source in sources:
        by_key.setdefault(_key(source), []).append(source)
    for same in by_key.values():
        missed(same[0], times=len(same))


def missed(source: Source, *, times: int = 1) -> None:
    """Note that a code led nowhere, or several did."""
    if allowed("codes", source, *MISSES, uses=times) is None:
        return
    try:
        cache.set(_key(source), 1, timeout=MISSES[1])
    except Exception:
        log.warning("limit_unchecked", extra={"limit": "codes"}, exc_info=True)


def _key(source: Source) -> str:
    return f"codes-shut:{household(client_ip(source))}"
