"""What every page and API call here shares: who asks, from where, how often, and how to refuse.

Errors of the API always have one shape, `{"code": "…", "detail": "a sentence"}`; `install` puts
that in place for a NinjaAPI, and `ranking.middleware.ApiErrors` for what Django answers itself.
"""

import ipaddress
import logging
import math
import time
from collections.abc import Mapping
from typing import Any

from django.conf import settings
from django.core.cache import cache
from django.core.exceptions import RequestDataTooBig, SuspiciousOperation
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.middleware.csrf import CsrfViewMiddleware
from django.utils.translation import gettext as _
from ninja import NinjaAPI, Schema
from ninja.errors import HttpError, ValidationError
from ninja.security import APIKeyCookie, HttpBearer

from ranking import players
from ranking.models import Player

log = logging.getLogger(__name__)


def player_of(request: HttpRequest) -> Player | None:
    """The signed-in player, guest or account; None for a visitor."""
    return request.user if isinstance(request.user, Player) else None


class ApiError(Exception):
    """A refusal with an HTTP status, a code for programs and a sentence for people."""

    def __init__(self, status: int, code: str, detail: str) -> None:
        super().__init__(detail)
        self.status = status
        self.code = code
        self.detail = detail


class Error(Schema):
    """The shape of every error."""

    code: str
    detail: str


def refusal(status: int, code: str, detail: str) -> JsonResponse:
    """The answer for an error."""
    response = JsonResponse({"code": code, "detail": detail}, status=status)
    if status == 401:
        response["WWW-Authenticate"] = "Bearer"
    return response


# --- who asks -------------------------------------------------------------------------------


class Bearer(HttpBearer):
    """`Authorization: Bearer TOKEN`: a token of a guest or an account."""

    openapi_description = "A token from POST guests, the settings page or `manage.py token`."

    def authenticate(self, request: HttpRequest, token: str) -> Player:
        """The token's player. Raises ApiError 401 for any other token."""
        player = players.player_for_token(token.strip())
        if player is None:
            raise ApiError(401, "bad_token", _("This token is unknown or was revoked."))
        players.seen(player)
        request.user = player
        return player


class Session(APIKeyCookie):
    """The site's own session cookie; calls that change something need the CSRF token as well."""

    param_name = settings.SESSION_COOKIE_NAME

    def __init__(self) -> None:
        super().__init__(csrf=False)

    def authenticate(self, request: HttpRequest, key: str | None) -> Player | None:
        """The signed-in player, or None. Raises ApiError 403 without a valid CSRF token."""
        if "Authorization" in request.headers or not isinstance(request.user, Player):
            return None  # a bad header is not made good by a cookie
        if _csrf_missing(request):
            raise ApiError(403, "csrf", _("This page is too old. Reload it and try again."))
        return request.user


def _csrf_missing(request: HttpRequest) -> bool:
    def view(_request: HttpRequest) -> HttpResponse:
        return HttpResponse()

    check = CsrfViewMiddleware(view)
    # The middleware ran already and let the API pass as exempt; here it counts.
    request.csrf_processing_done = False  # type: ignore[attr-defined]
    check.process_request(request)
    return check.process_view(request, view, (), {}) is not None


signed_in: list[Any] = [Bearer(), Session()]
"""For `auth=`: a signed-in player, guest or account, which is `request.auth`; else 401."""


def asking(request: HttpRequest) -> Player | None:
    """Who asks at a call that needs no sign-in: a player or None.

    Raises ApiError 401 for a bad token, 403 for a session without its CSRF token.
    """
    return Bearer()(request) or Session()(request)


# --- from where -----------------------------------------------------------------------------


def client_ip(source: HttpRequest | Mapping[str, Any]) -> str:
    """The address that a request, or a socket's scope, comes from; "" when it can't be known.

    Forwarded headers are no business of this app: what stands in front of Django has settled,
    from TRUSTED_PROXIES only, who the client is.
    """
    if isinstance(source, HttpRequest):
        return str(source.META.get("REMOTE_ADDR") or "")
    return str((source.get("client") or [""])[0])


def household(address: str) -> str:
    """What a limit counts by: an IPv4 address, or the /64 that one IPv6 line is given."""
    try:
        parsed = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return address
    if isinstance(parsed, ipaddress.IPv6Address):
        if parsed.ipv4_mapped:
            return str(parsed.ipv4_mapped)
        return str(ipaddress.ip_network((parsed, 64), strict=False))
    return str(parsed)


# --- how often ------------------------------------------------------------------------------

LIMITS: dict[str, tuple[int, int]] = {
    "guests": (40, 600),
    "signup": (20, 3600),
    "reset": (10, 3600),
}
"""How many times in how many seconds one address may do a thing; a family fits in easily."""


def allowed(
    what: str,
    source: HttpRequest | Mapping[str, Any],
    times: int,
    seconds: int,
    *,
    uses: int = 1,
) -> int | None:
    """Count one use (or several) of `what` by the address; None if it may, else seconds to wait.

    With RATE_LIMITS off everyone may, and so may everyone while the cache can't be reached: a
    limiter that is down must not close the house.
    """
    if not settings.RATE_LIMITS:
        return None
    address = household(client_ip(source))
    if not address:
        return None
    now = time.time()
    window = math.floor(now / seconds)
    key = f"limit:{what}:{address}:{window}"
    try:
        added = cache.add(key, uses, timeout=seconds)
        count = uses if added else cache.incr(key, uses)
    except ValueError:
        return None  # the entry expired in between
    except Exception:
        log.warning("limit_unchecked", extra={"limit": what}, exc_info=True)
        return None
    return None if count <= times else max(1, math.ceil((window + 1) * seconds - now))


def limit(what: str, source: HttpRequest | Mapping[str, Any]) -> None:
    """Count one use of a thing of `LIMITS`. Raises ApiError 429 when that was too many."""
    wait = allowed(what, source, *LIMITS[what])
    if wait is not None:
        raise ApiError(
            429,
            "rate",
            _("Too many from your address. Please try again in %(seconds)d seconds.")
            % {"seconds": wait},
        )


# --- how to refuse --------------------------------------------------------------------------

CODES = {
    400: "malformed",
    401: "not_signed_in",
    403: "forbidden",
    404: "not_found",
    405: "method",
    409: "not_now",
    413: "too_large",
    422: "malformed",
    429: "rate",
}


def sentence(status: int) -> str:
    """What to say where nobody said anything better."""
    return {
        400: _("This request can't be read."),
        401: _("Please sign in, or send a token."),
        403: _("This is not yours to do."),
        404: _("There is nothing here."),
        405: _("This address doesn't answer that method."),
        413: _("This request is too large."),
        422: _("This request can't be read: it must be JSON of the documented shape."),
        429: _("Too often. Please wait a moment."),
    }.get(status, _("Something went wrong on our side. Please try again."))


def install(api: NinjaAPI) -> None:
    """Make every error of the API say `{"code", "detail"}`."""

    @api.exception_handler(ApiError)
    def refused(request: HttpRequest, error: ApiError) -> HttpResponse:
        return refusal(error.status, error.code, error.detail)

    @api.exception_handler(ValidationError)
    def malformed(request: HttpRequest, error: ValidationError) -> HttpResponse:
        return refusal(422, "malformed", _faults(error))

    @api.exception_handler(Http404)
    def absent(request: HttpRequest, error: Http404) -> HttpResponse:
        return refusal(404, "not_found", sentence(404))

    @api.exception_handler(SuspiciousOperation)
    def suspicious(request: HttpRequest, error: SuspiciousOperation) -> HttpResponse:
        if isinstance(error, RequestDataTooBig):
            return refusal(422, "too_large", sentence(413))
        return refusal(422, "malformed", sentence(422))

    @api.exception_handler(HttpError)
    def other(request: HttpRequest, error: HttpError) -> HttpResponse:
        status = 422 if error.status_code == 400 else error.status_code
        return refusal(status, CODES.get(status, "error"), sentence(status))

    @api.exception_handler(Exception)
    def broken(request: HttpRequest, error: Exception) -> HttpResponse:
        log.error("api_failed", extra={"path": request.path}, exc_info=error)
        return refusal(500, "error", sentence(500))


_SOURCES = ("body", "query", "path", "form")


def _faults(error: ValidationError) -> str:
    """What is wrong with the request, naming the places: `name: Field required`."""
    said = []
    for fault in error.errors[:3]:
        parts = [str(part) for part in fault.get("loc", ()) if part not in _SOURCES]
        place = ".".join(parts) or "body"
        said.append(f"{place}: {fault.get('msg', '')}")
    return _("This request can't be read (%(faults)s).") % {"faults": "; ".join(said)}
