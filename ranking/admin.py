"""The keepers' desk for people and results. Whatever is done here is logged, with a reason."""

from collections.abc import Callable
from datetime import datetime
from typing import Any

from django import forms
from django.contrib import admin, messages
from django.contrib.admin.helpers import ACTION_CHECKBOX_NAME
from django.contrib.admin.options import IncorrectLookupParameters
from django.core.exceptions import PermissionDenied
from django.db import DataError
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.utils.html import format_html
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _lazy

from ranking.accounts import close_account, reset_path
from ranking.acts import Act, log_act
from ranking.http import player_of
from ranking.ladder import variants
from ranking.models import Player, Result, Side
from ranking.results import void_result
from ranking.sessions import end_everywhere
from ranking.titles import variant_title


class Lists:
    """For admins whose lists are asked for by address: whatever it says, it is no error of ours.

    Django lets any date filter through and compares only when it counts the rows: a year 0 fails
    there. Such an address leads back to the list as other unknown filters do.
    """

    def get_changelist_instance(self, request: HttpRequest) -> Any:
        """The list. Raises IncorrectLookupParameters where the database can't be asked so."""
        try:
            return super().get_changelist_instance(request)  # type: ignore[misc]
        except (ValueError, OverflowError, DataError) as fault:
            raise IncorrectLookupParameters(fault) from None

    def lookup_allowed(self, lookup: str, value: str, request: HttpRequest | None = None) -> bool:
        """Whether the list may be narrowed down so: by its own filters alone.

        Django lets any column be compared. A hidden one would be told letter by letter.
        """
        if not super().lookup_allowed(lookup, value, request):  # type: ignore[misc]
            return False
        field, _, how = lookup.partition("__")
        if field in ("id", "pk"):
            return how in ("", "exact")
        own = self.get_list_filter(request)  # type: ignore[attr-defined]
        columns = {one.name for one in self.model._meta.get_fields()}  # type: ignore[attr-defined]
        named = {getattr(one, "parameter_name", None) for one in own}
        # What is no column compares nothing: Django leads back to the list.
        return field in own or lookup in named or field not in columns


class ReadOnly(Lists):
    """For admins that only show: nothing is added, changed or deleted here."""

    def has_add_permission(self, request: HttpRequest, *args: Any) -> bool:
        """Nobody may."""
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Nobody may."""
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Nobody may."""
        return False


class ReasonForm(forms.Form):
    """Why something is done: it goes into the log, and to those whom it concerns."""

    reason = forms.CharField(
        label=_lazy("Reason"),
        max_length=500,
        widget=forms.Textarea(attrs={"rows": 3, "cols": 60}),
        help_text=_lazy("It is kept in the log, and those concerned can read it."),
    )


def with_reason(
    desk: admin.ModelAdmin,
    request: HttpRequest,
    rows: "QuerySet[Any]",
    *,
    action: str,
    title: str,
    do: Callable[[Any, str], object],
) -> HttpResponse | None:
    """Ask for a reason on a page of its own, then do it to every row; None when all is done."""
    form = ReasonForm(request.POST if "apply" in request.POST else None)
    if form.is_valid():
        done = 0
        for row in rows:
            try:
                do(row, form.cleaned_data["reason"])
                done += 1
            except (PermissionDenied, ValueError) as fault:
                # In quotes, since pages begin a message with a capital: an id is written as it is.
                desk.message_user(request, f"“{row}”: {fault}", messages.ERROR)
        if done:
            desk.message_user(request, _("Done: %(count)d") % {"count": done}, messages.SUCCESS)
        return None
    context = {
        **desk.admin_site.each_context(request),
        "opts": desk.model._meta,
        "title": title,
        "form": form,
        "rows": rows,
        "action": action,
        "selected_name": ACTION_CHECKBOX_NAME,
    }
    return TemplateResponse(request, "ranking/admin_reason.html", context)


class PlayerForm(forms.ModelForm):
    """What may be changed of a player, and why it is."""

    reason = forms.CharField(
        label=_lazy("Reason"),
        max_length=500,
        required=False,
        help_text=_lazy("Needed for every change; it is kept in the log."),
    )

    def clean(self) -> dict[str, Any]:
        """No change without a reason."""
        data = super().clean() or {}
        if set(self.changed_data) - {"reason"} and not data.get("reason", "").strip():
            self.add_error("reason", _("Please say why."))
        return data


@admin.register(Player)
class PlayerAdmin(Lists, admin.ModelAdmin):
    """People: looked up by moderators, touched by administrators alone."""

    form = PlayerForm
    list_display = ("name", "is_guest", "last_seen", "suspended_until", "muted_until", "is_staff")
    list_filter = ("is_guest", "is_staff", "groups", "date_joined")
    search_fields = ("name", "name_key")
    ordering = ("-last_seen",)
    list_per_page = 50
    actions = ("make_reset_link", "end_all_sessions", "close_accounts")
    _shown = ("name", "is_guest", "date_joined", "last_seen", "closed_at")
    _rights = ("is_staff", "is_superuser", "groups")

    def get_fieldsets(self, request: HttpRequest, obj: Player | None = None) -> Any:
        """Rights are shown to superusers only, the address to administrators."""
        account: tuple[str, ...] = self._shown
        if self.has_change_permission(request, obj):
            account = (*account, "email")
        sets: list[Any] = [(None, {"fields": account})]
        sets.append((_("Restrictions"), {"fields": ("suspended_until", "muted_until")}))
        if _is_superuser(request):
            sets.append((_("Rights"), {"fields": self._rights}))
        if self.has_change_permission(request, obj):
            sets.append((_("Why"), {"fields": ("reason",)}))
        return sets

    def get_readonly_fields(
        self, request: HttpRequest, obj: Player | None = None
    ) -> tuple[str, ...]:
        """Names and dates stay as they are; rights are a superuser's to give."""
        return self._shown if _is_superuser(request) else (*self._shown, *self._rights)

    def has_add_permission(self, request: HttpRequest) -> bool:
        """People sign up themselves; `make admin` and `manage.py token --create` do the rest."""
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Player | None = None) -> bool:
        """Accounts are closed, not deleted: matches point at them."""
        return False

    def has_change_permission(self, request: HttpRequest, obj: Player | None = None) -> bool:
        """Administrators; but a superuser is touched by superusers only."""
        allowed = super().has_change_permission(request, obj)
        return allowed and (obj is None or not obj.is_superuser or _is_superuser(request))

    def save_model(
        self, request: HttpRequest, obj: Player, form: forms.ModelForm, change: bool
    ) -> None:
        """Store what was changed and log it."""
        changed = [name for name in form.changed_data if name != "reason"]
        if not changed:
            return
        super().save_model(request, obj, form, change)
        for name in changed:
            value = form.cleaned_data[name]
            shown = value.isoformat() if isinstance(value, datetime) else str(value or "-")
            what = _WHAT.get(name, "change account")
            # What an address was is nobody's business in the log.
            told = "" if name == "email" else f" ({name}: {shown})"
            log_act(
                by=player_of(request),
                what=what,
                about=obj,
                reason=form.cleaned_data["reason"] + told,
            )

    @admin.action(description=_lazy("Make a link for a new password"), permissions=["change"])
    def make_reset_link(self, request: HttpRequest, rows: QuerySet[Player]) -> Any:
        """A link that works once, to be handed over by the keeper."""

        def do(player: Player, reason: str) -> None:
            self._may_touch(request, player)
            if player.is_guest or player.closed_at is not None:
                raise ValueError(_("has no password"))
            log_act(by=player_of(request), what="reset link", about=player, reason=reason)
            link = request.build_absolute_uri(reset_path(player))
            self.message_user(request, format_html("{}: <code>{}</code>", player.name, link))

        return with_reason(
            self, request, rows, action="make_reset_link", title=_("A new password for"), do=do
        )

    @admin.action(description=_lazy("Sign out everywhere"), permissions=["change"])
    def end_all_sessions(self, request: HttpRequest, rows: QuerySet[Player]) -> Any:
        """End sessions and tokens; an account's holder signs in anew, a guest is gone."""

        def do(player: Player, reason: str) -> None:
            self._may_touch(request, player)
            end_everywhere(player, sessions=True)
            log_act(by=player_of(request), what="sign out", about=player, reason=reason)

        return with_reason(
            self, request, rows, action="end_all_sessions", title=_("Sign out everywhere"), do=do
        )

    @admin.action(description=_lazy("Close the account"), permissions=["change"])
    def close_accounts(self, request: HttpRequest, rows: QuerySet[Player]) -> Any:
        """Take everything personal out, for good."""

        def do(player: Player, reason: str) -> None:
            self._may_touch(request, player)
            log_act(by=player_of(request), what="close account", about=player, reason=reason)
            close_account(player)

        return with_reason(
            self, request, rows, action="close_accounts", title=_("Close for good"), do=do
        )

    def _may_touch(self, request: HttpRequest, player: Player) -> None:
        if not self.has_change_permission(request, player):
            raise PermissionDenied(_("only for superusers"))


_WHAT = {"suspended_until": "suspend", "muted_until": "mute"}


def _is_superuser(request: HttpRequest) -> bool:
    return bool(getattr(request.user, "is_superuser", False))


class SideInline(ReadOnly, admin.TabularInline):
    """Who sat where, and how it ended for them."""

    model = Side
    fields = ("seat", "side", "player", "bot", "outcome", "points", "left", "partner_left")
    extra = 0
    ordering = ("seat",)


class VariantFilter(admin.SimpleListFilter):
    """Which game and variant, of those that have results."""

    title = _lazy("variant")
    parameter_name = "variant"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        """All that were played."""
        return [(f"{game}/{name}", variant_title(game, name)) for game, name in variants()]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Result]) -> QuerySet[Result]:
        """Those of that variant."""
        game, slash, name = (self.value() or "").partition("/")
        return queryset.filter(game=game, variant=name) if slash else queryset


@admin.register(Result)
class ResultAdmin(ReadOnly, admin.ModelAdmin):
    """Results: found, opened, and voided for a reason."""

    list_display = ("key", "game", "variant", "seats", "kind", "ranked", "rated", "ended_at",
                    "voided_at", "match")  # fmt: skip
    list_filter = (VariantFilter, "ranked", "rated", "ended_at")
    search_fields = ("=key", "sides__player__name")
    ordering = ("-id",)
    list_per_page = 50
    inlines = (SideInline,)
    actions = ("void",)
    show_full_result_count = False

    @admin.display(description=_lazy("match"))
    def match(self, result: Result) -> str:
        """The page of the match."""
        return format_html('<a href="{}">{}</a>', result.url, _("open")) if result.url else "-"

    def has_void_permission(self, request: HttpRequest) -> bool:
        """Moderators and administrators."""
        return request.user.has_perm("ranking.void_result")

    @admin.action(description=_lazy("Void"), permissions=["void"])
    def void(self, request: HttpRequest, rows: QuerySet[Result]) -> Any:
        """Points and ratings as if these matches had never been."""

        def do(result: Result, reason: str) -> None:
            void_result(result.key, player_of(request), reason)

        return with_reason(self, request, rows, action="void", title=_("Void these matches"), do=do)


@admin.register(Act)
class ActAdmin(ReadOnly, admin.ModelAdmin):
    """The log. It is read here and written nowhere."""

    list_display = ("at", "by_name", "what", "about", "key", "reason")
    list_filter = ("what", "at")
    search_fields = ("by_name", "=key", "about__name", "reason")
    list_select_related = ("about",)
    list_per_page = 50
