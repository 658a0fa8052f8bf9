"""What happens around every request on behalf of this app."""

from collections.abc import Callable
from urllib.parse import unquote_to_bytes

from django.http import Http404, HttpRequest
from django.http.response import HttpResponseBase

from ranking import players
from ranking.http import CODES, refusal, sentence
from ranking.models import Player

Handler = Callable[[HttpRequest], HttpResponseBase]


class ApiErrors:
    """Errors under /api/ that Django answers itself become `{"code", "detail"}`.

    HEAD is answered there as GET is: the API names its methods one by one, and the server leaves
    out the body by itself.
    """

    def __init__(self, get_response: Handler) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Let the request pass and look at its answer."""
        if not request.path_info.startswith("/api/"):
            return self.get_response(request)
        asked = request.method
        if asked == "HEAD":
            request.method = "GET"
        response = self.get_response(request)
        request.method = asked
        status = response.status_code
        if status < 400:
            return response
        if response.headers.get("Content-Type", "").startswith("application/json"):
            return response
        status = 422 if status == 400 else status
        answer = refusal(status, CODES.get(status, "error"), sentence(status))
        for name in ("Allow", "Retry-After"):
            if name in response.headers:
                answer.headers[name] = response.headers[name]
        return answer


class NoNulls:
    """Nothing is found by a text with a NUL in it: PostgreSQL can't even be asked for one.

    Said here once, so that no page has to think of it. Forms and the API's JSON look at what they
    are sent by themselves; a cookie that holds one is none of ours.
    """

    def __init__(self, get_response: Handler) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Let the request pass. Raises Http404 for a page; the API says malformed of a query."""
        for name in [name for name, value in request.COOKIES.items() if "\0" in value]:
            del request.COOKIES[name]
        api = request.path_info.startswith("/api/")
        if "\0" in request.path_info:
            if api:
                return refusal(404, "not_found", sentence(404))
            raise Http404
        if b"\0" in unquote_to_bytes(request.META.get("QUERY_STRING", "")):
            if api:
                return refusal(422, "malformed", sentence(422))
            raise Http404
        return self.get_response(request)


class Seen:
    """Notes that a signed-in person is here, so that guests who come back aren't forgotten."""

    def __init__(self, get_response: Handler) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Let the request pass; its user was read by then, or isn't wanted."""
        response = self.get_response(request)
        # Only where the view or the page looked at the user anyway: no query of our own.
        user = request.__dict__.get("_cached_user")
        if isinstance(user, Player):
            players.seen(user)
        return response
