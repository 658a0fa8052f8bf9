"""How often one address may open rooms, look for people, or try codes that lead nowhere."""

from __future__ import annotations

from django.http import HttpRequest
from django.utils.translation import gettext as _

from dominoes.table import guessing
from ranking.http import ApiError, allowed

ROOMS = (60, 600)
"""Rooms from one address in ten minutes, matches against the computer among them."""

QUICK = (60, 600)
"""Times that one address may join a queue in ten minutes."""


def count(what: str, request: HttpRequest, most: tuple[int, int]) -> None:
    """Count one use of `what` by the address. Raises ApiError 429 when that was too many."""
    wait = allowed(what, request, *most)
    if wait is not None:
        raise _too_often(wait)


def may_try_codes(request: HttpRequest) -> None:
    """Raises ApiError 429 for an address that has tried too many codes that lead nowhere."""
    wait = guessing.seconds_shut(request)
    if wait is not None:
        raise _too_often(wait)


def _too_often(seconds: int) -> ApiError:
    return ApiError(
        429,
        "rate",
        _("Too many from your address. Please try again in %(seconds)d seconds.")
        % {"seconds": seconds},
    )
