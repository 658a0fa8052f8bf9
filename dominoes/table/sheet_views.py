"""The pages that explain: the rules of each system, the words of the game, how a deal is proved."""

from __future__ import annotations

import re

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from dominoes.rules.systems import SYSTEMS
from dominoes.table import drawing
from dominoes.table.sheets import Sheet, sheet, terms

_TABLE = re.compile(r"/tables/[A-Z0-9]{4,12}/")
_CODE = re.compile(r"[A-Za-z0-9]{4,12}")


def way_back(request: HttpRequest) -> str:
    """Where "Back" leads: `?table=CODE`, or `?back=` with a path of this site; else ""."""
    code = request.GET.get("table", "")
    if _CODE.fullmatch(code):
        return f"/tables/{code.upper()}/"
    path = request.GET.get("back", "")
    # A path only: no host, no scheme, nothing that a browser might read as one.
    if path.startswith("/") and url_has_allowed_host_and_scheme(path, allowed_hosts=None):
        return path
    return ""


def _language() -> str:
    return (get_language() or "en").partition("-")[0]


def _page(request: HttpRequest, template: str, **context: object) -> HttpResponse:
    back = way_back(request)
    language = _language()
    context |= {
        "back": back,
        "back_to_table": bool(_TABLE.fullmatch(back)),
        "sheets": [sheet(name, language) for name in SYSTEMS],
        "sprite": drawing.sprite(),
    }
    return render(request, template, context)


@require_safe
def rules_index(request: HttpRequest) -> HttpResponse:
    """What is played here, in four cards, and the words of the game."""
    title, words = terms(_language())
    return _page(request, "sheets/index.html", terms_title=title, terms=words)


@require_safe
def rules(request: HttpRequest, system: str) -> HttpResponse:
    """How one system is played."""
    if system not in SYSTEMS:
        raise Http404(_("There are no rules by that name."))
    return _page(request, "sheets/sheet.html", sheet=sheet(system, _language()))


@require_safe
def fair(request: HttpRequest) -> HttpResponse:
    """How a deal is made so that nobody can have chosen it, and how to check one."""
    shown: Sheet = sheet("fair", _language())
    return _page(request, "sheets/fair.html", sheet=shown)
