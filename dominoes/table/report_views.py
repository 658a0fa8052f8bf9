"""The pages on which somebody is reported, and those who reported read the answer."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.contrib.auth.views import redirect_to_login
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from dominoes.table import guessing, reports
from dominoes.table.api import room_of
from dominoes.table.models import Match, Table
from dominoes.table.models_keeping import REASONS
from ranking.http import allowed
from ranking.models import Player

# So many reports in so many seconds from one address; more are a prank.
MOST, SPAN = 20, 3600


def _number(text: str | None, most: int) -> int | None:
    if text and text.isascii() and text.isdigit() and len(text) < 6 and int(text) <= most:
        return int(text)
    return None


@require_http_methods(["GET", "HEAD", "POST"])
def report_page(request: HttpRequest, match_id: str) -> HttpResponse:
    """Report a seat of a match: `seat`, and of a replay's moment `hand` and `ply`."""
    match = Match.objects.select_related("table").filter(pk=match_id).first()
    if match is None:
        raise Http404(_("There is no such match."))
    if not isinstance(request.user, Player):
        return redirect_to_login(request.get_full_path())
    seats = reports.reportable(match, request.user)
    form = request.POST if request.method == "POST" else request.GET
    context: dict[str, Any] = {
        "match": match,
        "seats": seats,
        "seat": _number(form.get("seat"), 3),
        "hand": _number(form.get("hand"), 99999),
        "ply": _number(form.get("ply"), 99999),
        "reason": form.get("reason", ""),
        "reasons": REASONS,
        "back": _back(match, request.user),
    }
    if context["hand"] is not None:
        about = reports.moment(match, context["hand"], context["ply"] or 0)
        context["hand"], context["ply"] = about
    status = 200
    if request.method == "POST":
        try:
            if allowed("report", request, MOST, SPAN) is not None:
                raise ValueError(_("Too many reports from your address. Try again in an hour."))
            seat, ply = context["seat"], context["ply"] or 0
            reports.make_report(
                match,
                request.user,
                -1 if seat is None else seat,
                context["reason"],
                context["hand"],
                ply,
            )
        except ValueError as fault:
            context["fault"] = str(fault)
            status = 422
        else:
            messages.success(
                request, _("Thank you. Somebody will look into it; the answer comes here.")
            )
            return redirect("reports")
    return render(request, "table/report.html", context, status=status)


def _back(match: Match, player: Player) -> str:
    """To the table while it plays, for those who may know where that is."""
    room = room_of(match, player) if match.status == Match.PLAYING else None
    return reverse("table", args=[room]) if room else reverse("match", args=[match.pk])


@require_safe
def table_report(request: HttpRequest, code: str) -> HttpResponse:
    """From a table to the report about its match, the present one or the last."""
    if not isinstance(request.user, Player):
        return redirect_to_login(request.get_full_path())
    table = Table.objects.filter(code=code.upper()).first()
    if table is None:
        guessing.missed(request)
    at_home = table is not None and table.seat_rows.filter(player=request.user).exists()
    if table is None or (guessing.seconds_shut(request) and not at_home):
        raise Http404(_("There is no room with that code."))
    if table.match_id is None:
        messages.info(request, _("No match has begun at this table yet."))
        return redirect("table", table.code)
    query = request.META.get("QUERY_STRING", "")
    return redirect(reverse("report", args=[table.match_id]) + (f"?{query}" if query else ""))


@require_safe
def own_reports(request: HttpRequest) -> HttpResponse:
    """One's own reports, and what came of them."""
    if not isinstance(request.user, Player):
        return redirect_to_login(request.get_full_path())
    return render(request, "table/reports.html", {"reports": reports.own_reports(request.user)})
