"""The keepers' desk for matches, rooms and reports. Matches are read here, never changed.

No page here shows a chain's secret, nor a tile of a match that is being played.
"""

from __future__ import annotations

from typing import Any

from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.db.models import Exists, OuterRef, Q, QuerySet, Value
from django.db.models.functions import Concat
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.urls import URLPattern, path, reverse
from django.utils.html import format_html, format_html_join
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _lazy

from dominoes.table import admin_filters, figures, keeping, odd, reports, store
from dominoes.table.admin_inspect import AnswerForm, about_match, about_report, how_ended, title_of
from dominoes.table.models import Match, Report, Table
from dominoes.table.results import GAME
from dominoes.table.voiding import void
from ranking.admin import Lists, ReadOnly, ReasonForm, with_reason
from ranking.http import player_of
from ranking.models import Result


@admin.register(Match)
class MatchAdmin(ReadOnly, admin.ModelAdmin):
    """Matches: found, inspected, voided for a reason."""

    list_display = (
        "began",
        "room",
        "game",
        "players",
        "counts",
        "ended",
        "plies",
        "lasted",
        "void_mark",
    )
    list_display_links = ("began",)
    list_filter = (
        "rules",
        admin_filters.Seats,
        "kind",
        "ranked",
        admin_filters.Ended,
        admin_filters.Length,
        admin_filters.Started,
    )
    search_fields = ("pk",)  # so that there is a box; get_search_results reads it
    search_help_text = _lazy(
        "A player's name, a room's code, a match's id, a day (2026-03-31) or a month (2026-03); "
        "several words must all fit."
    )
    ordering = ("-started_at",)
    list_per_page = 30
    paginator = admin_filters.IdsFirst
    show_full_result_count = False
    actions = ("void_matches",)
    change_list_template = "admin/table/match/list.html"

    def get_queryset(self, request: HttpRequest) -> QuerySet[Match]:
        """Without what is secret or large; with the names and whether it is void."""
        voided = Result.objects.filter(
            key=Concat(Value(f"{GAME}:"), OuterRef("pk")), voided_at__isnull=False
        )
        return (
            super()
            .get_queryset(request)
            .defer("secret", "seeds", "base")
            .select_related("table")
            .defer("table__next_secret", "table__clock")
            .prefetch_related("seat_rows__player")
            .annotate(is_void=Exists(voided))
        )

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[Match], search_term: str
    ) -> tuple[QuerySet[Match], bool]:
        """By what people call a match."""
        return admin_filters.search(queryset, search_term), False

    @admin.display(description=_lazy("began"), ordering="started_at")
    def began(self, match: Match) -> str:
        """When."""
        return f"{match.began:%Y-%m-%d %H:%M}"

    @admin.display(description=_lazy("room"))
    def room(self, match: Match) -> str:
        """Where."""
        return match.table.code

    @admin.display(description=_lazy("game"), ordering="rules")
    def game(self, match: Match) -> str:
        """By which rules."""
        return title_of(match)

    @admin.display(description=_lazy("players"))
    def players(self, match: Match) -> str:
        """Who, by seat."""
        rows = sorted(match.seat_rows.all(), key=lambda row: row.seat)
        return ", ".join(row.player.name if row.player else row.bot or "-" for row in rows)

    @admin.display(description=_lazy("counts"))
    def counts(self, match: Match) -> str:
        """For what."""
        return _("ranked") if match.ranked else match.kind

    @admin.display(description=_lazy("ended"))
    def ended(self, match: Match) -> str:
        """How."""
        return how_ended(match)

    @admin.display(description=_lazy("minutes"))
    def lasted(self, match: Match) -> str:
        """How long."""
        if match.ended_at is None:
            return "-"
        return f"{(match.ended_at - match.started_at) / 60:.0f}"

    @admin.display(description=_lazy("void"), boolean=True)
    def void_mark(self, match: Any) -> bool | None:
        """Whether it is void."""
        return True if match.is_void else None

    def has_void_permission(self, request: HttpRequest) -> bool:
        """Moderators and administrators."""
        return request.user.has_perm("ranking.void_result")

    @admin.action(description=_lazy("Void"), permissions=["void"])
    def void_matches(self, request: HttpRequest, rows: QuerySet[Match]) -> Any:
        """Points and ratings as if these matches had never been."""

        def do(match: Match, reason: str) -> None:
            void(match, player_of(request), reason)

        return with_reason(
            self, request, rows, action="void_matches", title=_("Void these matches"), do=do
        )

    def get_urls(self) -> list[URLPattern]:
        """The desk's own pages beside the list and the matches."""
        view = self.admin_site.admin_view
        return [
            path("figures/", view(self.figures_view), name="table_match_figures"),
            path("odd/", view(self.odd_view), name="table_match_odd"),
            path("<str:object_id>/void/", view(self.void_view), name="table_match_void"),
            *super().get_urls(),
        ]

    def _page(self, request: HttpRequest, template: str, **more: Any) -> HttpResponse:
        context = {**self.admin_site.each_context(request), "opts": self.opts, **more}
        return TemplateResponse(request, f"admin/table/match/{template}.html", context)

    def _match(self, request: HttpRequest, object_id: str) -> Match:
        if not self.has_view_permission(request):
            raise PermissionDenied
        match = self.get_object(request, object_id)
        if match is None:
            raise Http404(_("There is no such match."))
        return match

    def change_view(
        self,
        request: HttpRequest,
        object_id: str,
        form_url: str = "",
        extra_context: dict[str, Any] | None = None,
    ) -> HttpResponse:
        """A match with its log, its players' other matches and what was reported."""
        match = self._match(request, object_id)
        if request.method == "POST":
            raise PermissionDenied
        may_void = self.has_void_permission(request)
        form = ReasonForm() if may_void and match.status == Match.OVER else None
        return self._page(
            request,
            "inspect",
            title=title_of(match),
            form=form,
            **about_match(match, player_of(request)),
        )

    def void_view(self, request: HttpRequest, object_id: str) -> HttpResponse:
        """Void the match that is being looked at."""
        match = self._match(request, object_id)
        if not self.has_void_permission(request):
            raise PermissionDenied
        form = ReasonForm(request.POST or None)
        if request.method == "POST" and form.is_valid():
            try:
                void(match, player_of(request), form.cleaned_data["reason"])
            except ValueError as fault:
                self.message_user(request, str(fault), messages.ERROR)
            else:
                self.message_user(request, _("The match is void."), messages.SUCCESS)
        elif request.method == "POST":
            self.message_user(request, _("Please say why."), messages.ERROR)
        return redirect("admin:table_match_change", match.pk)

    def figures_view(self, request: HttpRequest) -> HttpResponse:
        """How much is played, how it ends, and what is known of the deals."""
        if not self.has_view_permission(request):
            raise PermissionDenied
        if request.method == "POST":
            done = figures.check_deals()
            text = _("The deals of %(count)d matches were checked.") % {"count": done}
            self.message_user(request, text, messages.SUCCESS)
            return redirect("admin:table_match_figures")
        return self._page(
            request,
            "figures",
            title=_("Figures"),
            days=figures.days(),
            altogether=figures.altogether(),
            deals=figures.deals(),
            at_once=figures.AT_ONCE,
        )

    def odd_view(self, request: HttpRequest) -> HttpResponse:
        """What looks odd, for somebody to look at."""
        if not self.has_view_permission(request):
            raise PermissionDenied
        return self._page(
            request,
            "odd",
            title=_("Odd tables"),
            odd=odd.recent(),
            look_days=odd.DAYS,
        )


@admin.register(Table)
class TableAdmin(ReadOnly, admin.ModelAdmin):
    """Rooms: found, looked at, closed for a reason."""

    list_display = ("code", "status", "rules", "players", "kind", "ranked", "private", "sitting")
    list_filter = ("status", "rules", "kind", "ranked", "private")
    search_fields = ("code", "seat_rows__player__name")
    ordering = ("-pk",)
    list_per_page = 50
    fields = (
        "code",
        "status",
        "rules",
        "players",
        "sides",
        "target",
        "kind",
        "ranked",
        "private",
        "turn_seconds",
        "replay",
        "sitting",
        "matches_here",
    )
    readonly_fields = ("sitting", "matches_here")
    actions = ("close_rooms",)
    show_full_result_count = False

    def get_queryset(self, request: HttpRequest) -> QuerySet[Table]:
        """Without the secret of the match to come."""
        rows = super().get_queryset(request).defer("next_secret", "clock")
        return rows.prefetch_related("seat_rows__player")

    @admin.display(description=_lazy("seats"))
    def sitting(self, table: Table) -> str:
        """Who holds a seat."""
        rows = sorted(table.seat_rows.all(), key=lambda row: row.seat)
        return ", ".join(row.player.name if row.player else row.bot for row in rows) or "-"

    @admin.display(description=_lazy("matches"))
    def matches_here(self, table: Table) -> str:
        """The matches of this room, the newest first."""
        ids = table.matches.order_by("-number").values_list("number", "pk")[:50]
        links = ((reverse("admin:table_match_change", args=[pk]), n) for n, pk in ids)
        return format_html_join(" ", '<a href="{}">{}</a>', links) or "-"

    def has_close_permission(self, request: HttpRequest) -> bool:
        """Moderators and administrators."""
        return request.user.has_perm("table.close_room")

    @admin.action(description=_lazy("Close"), permissions=["close"])
    def close_rooms(self, request: HttpRequest, rows: QuerySet[Table]) -> Any:
        """Show everybody out; a match being played there has no result."""

        def do(table: Table, reason: str) -> None:
            store.call(keeping.close_room, table.code, player_of(request), reason)

        return with_reason(
            self, request, rows, action="close_rooms", title=_("Close these rooms"), do=do
        )


@admin.register(Report)
class ReportAdmin(Lists, admin.ModelAdmin):
    """Reports: read with all that is known, and answered once."""

    list_display = ("made", "reason", "about", "by", "the_match", "is_answered")
    list_filter = (admin_filters.Answered, "reason")
    search_fields = ("about__name", "by__name", "=match__id")
    list_select_related = ("about", "by")
    list_per_page = 50
    ordering = ("-at",)
    show_full_result_count = False

    def get_queryset(self, request: HttpRequest) -> QuerySet[Report]:
        """Without those about whoever looks."""
        return reports.for_keeper(super().get_queryset(request), player_of(request))

    def has_add_permission(self, request: HttpRequest) -> bool:
        """Reports come from the tables."""
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Report | None = None) -> bool:
        """They stay."""
        return False

    @admin.display(description=_lazy("made"), ordering="at")
    def made(self, report: Report) -> str:
        """When."""
        return f"{report.when:%Y-%m-%d %H:%M}"

    @admin.display(description=_lazy("match"))
    def the_match(self, report: Report) -> str:
        """The match, for inspection."""
        address = reverse("admin:table_match_change", args=[report.match_id])
        return format_html('<a href="{}">{}</a>', address, report.match_id)

    @admin.display(description=_lazy("answered"), boolean=True)
    def is_answered(self, report: Report) -> bool:
        """Whether."""
        return report.answered_at is not None

    def change_view(
        self,
        request: HttpRequest,
        object_id: str,
        form_url: str = "",
        extra_context: dict[str, Any] | None = None,
    ) -> HttpResponse:
        """A report with what is attached, and the form for its answer."""
        if not self.has_view_permission(request):
            raise PermissionDenied
        report = self.get_object(request, object_id)
        if report is None:
            raise Http404(_("There is no such report."))
        may_answer = self.has_change_permission(request, report)
        form = AnswerForm(request.POST or None)
        if request.method == "POST":
            if not may_answer:
                raise PermissionDenied
            # What was answered meanwhile is told as such, whatever stands in the form.
            if form.is_valid() or report.answered_at is not None:
                try:
                    reports.answer(report, player_of(request), form.cleaned_data.get("answer", ""))
                except ValueError as fault:
                    self.message_user(request, str(fault), messages.ERROR)
                else:
                    self.message_user(request, _("The answer is sent."), messages.SUCCESS)
                return redirect("admin:table_report_change", report.pk)
        context = {
            **self.admin_site.each_context(request),
            "opts": self.opts,
            "title": report.get_reason_display(),
            "form": form if may_answer and report.answered_at is None else None,
            **about_report(report, player_of(request)),
        }
        return TemplateResponse(request, "admin/table/report/inspect.html", context)

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[Report], search_term: str
    ) -> tuple[QuerySet[Report], bool]:
        """By whole names as well, which may have spaces in them, and by a match of the log."""
        found, duplicates = super().get_search_results(request, queryset, search_term)
        text = search_term.strip()
        if text:
            found |= queryset.filter(
                Q(about__name__iexact=text)
                | Q(by__name__iexact=text)
                | Q(match=admin_filters.id_of(text))
            )
        return found, duplicates
