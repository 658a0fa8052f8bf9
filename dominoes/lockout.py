"""Guessed passwords: one name from one address is locked, and an address that tries many names.

The first is what django-axes counts in the database. The second is counted like other limits by
address (see `ranking.http.allowed`), so it lets people in where the cache can't be reached.
"""

import logging
from typing import Any, Final

from axes.handlers.database import AxesDatabaseHandler
from django.core.cache import cache
from django.http import HttpRequest

from ranking.http import allowed, client_ip, household

log = logging.getLogger(__name__)

WRONG: Final = (60, 900)
"""Wrong passwords from one address in a quarter of an hour, whatever the names."""


class Handler(AxesDatabaseHandler):
    """Axes' own, which also knows addresses that try names one after the other."""

    def is_locked(self, request: HttpRequest, credentials: dict[str, Any] | None = None) -> bool:
        """Say whether a sign-in from here under this name isn't even looked at."""
        return _shut(request) or bool(super().is_locked(request, credentials))

    def user_login_failed(
        self,
        sender: Any,
        credentials: dict[str, Any],
        request: HttpRequest | None = None,
        **more: Any,
    ) -> None:
        """Count a wrong password, and have those told who were not let try any."""
        if request is not None:
            if _shut(request):
                request.axes_locked_out = True  # type: ignore[attr-defined]
                return  # nothing was learnt, and there may be many of these
            _count(request)
        super().user_login_failed(sender, credentials, request, **more)


def _shut(request: HttpRequest) -> bool:
    try:
        return bool(cache.get(_key(request)))
    except Exception:
        log.warning("sign-ins can't be counted", exc_info=True)
        return False


def _count(request: HttpRequest) -> None:
    if allowed("passwords", request, *WRONG) is None:
        return
    try:
        cache.set(_key(request), 1, timeout=WRONG[1])
    except Exception:
        log.warning("sign-ins can't be counted", exc_info=True)


def _key(request: HttpRequest) -> str:
    return f"passwords-shut:{household(client_ip(request))}"


def address(request: HttpRequest) -> str:
    """Give the address that failed sign-ins are counted under.

    An IPv6 line has as many addresses as it likes: they count as the first of them.
    """
    return household(client_ip(request)).partition("/")[0]
