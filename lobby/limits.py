"""How often one address may open rooms, look for people, or try codes that lead nowhere."""

from __future__ import annotations

import logging

from django.conf import settings
from django.core.cache import cache
from django.http import HttpRequest
from django.utils.translation import gettext as _

from ranking.http import ApiError, allowed, client_ip, household

log = logging.getLogger(__name__)

ROOMS = (60, 600)
"""Rooms from one address in ten minutes, matches against the computer among them."""

QUICK = (60, 600)
"""Times that one address may join a queue in ten minutes."""

MISSES = (40, 600)
"""Codes without a room that one address may try in ten minutes; then it has to wait that long.

A code is one of some 148 million: at this pace nobody comes upon one that is in use.
"""


def count(what: str, request: HttpRequest, most: tuple[int, int]) -> None:
    """Count one use of `what` by the address. Raises ApiError 429 when that was too many."""
    wait = allowed(what, request, *most)
    if wait is not None:
        raise _too_often(wait)


def may_try_codes(request: HttpRequest) -> None:
    """Raises ApiError 429 for an address that has tried too many codes that lead nowhere."""
    if not settings.RATE_LIMITS:
        return
    try:
        shut = cache.get(_shut(request))
    except Exception:  # a limiter that is down lets people in
        log.warning("limit_unchecked", extra={"limit": "codes"}, exc_info=True)
        return
    if shut:
        raise _too_often(MISSES[1])


def missed(request: HttpRequest) -> None:
    """Note that a code led nowhere."""
    if allowed("codes", request, *MISSES) is None:
        return
    try:
        cache.set(_shut(request), 1, timeout=MISSES[1])
    except Exception:
        log.warning("limit_unchecked", extra={"limit": "codes"}, exc_info=True)


def _shut(request: HttpRequest) -> str:
    return f"codes-shut:{household(client_ip(request))}"


def _too_often(seconds: int) -> ApiError:
    return ApiError(
        429,
        "rate",
        _("Too many from your address. Please try again in %(seconds)d seconds.")
        % {"seconds": seconds},
    )
