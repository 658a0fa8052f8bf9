"""Pages that anybody may see: the ladder, players and their matches, what is stored."""

from typing import Any
from urllib.parse import urlencode

from django import forms
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _lazy
from django.views.decorators.http import require_safe

from ranking import history, ladder, players, profile
from ranking.accounts import FORGET_AFTER
from ranking.http import player_of
from ranking.models import Player
from ranking.outcomes import CLASSES, OUTCOMES
from ranking.plot import plot
from ranking.rating import IDLE_PERIOD, PROVISIONAL_FROM, RATED_A_DAY, START
from ranking.titles import variant_title


@require_safe
def ladder_view(request: HttpRequest) -> HttpResponse:
    """A board: `by`, `period` and `variant` say which, `page` which part of it."""
    board, week = _board(request.GET)
    total = ladder.length(board)
    pages = max(1, -(-total // ladder.PAGE))
    page = min(max(1, _number(request.GET.get("page"), 1)), pages)
    player = player_of(request)
    own = ladder.own_place(board, player) if player is not None else None
    context = {
        "board": board,
        "week": week,
        "rows": ladder.ladder_page(board, (page - 1) * ladder.PAGE),
        "total": total,
        "page": page,
        "pages": pages,
        "own": own,
        "own_page": None if own is None else ladder.page_of(board, own),
        "me": None if player is None else player.pk,
        "tabs": _tabs(board),
        "variants": _variant_links(board),
        "link": _link(board),
        "start": START,
        "provisional_from": round(PROVISIONAL_FROM),
        "idle_days": IDLE_PERIOD.days,
        "rated_a_day": RATED_A_DAY,
    }
    return render(request, "ranking/ladder.html", context)


def _board(query: QueryDict) -> tuple[ladder.Board, dict[str, Any] | None]:
    """The board that the address names, and its week with the ones around it."""
    if query.get("by", "rating") != "points":
        return ladder.Board(), None
    game, _slash, variant = query.get("variant", "").partition("/")
    period = query.get("period", "ever")
    if period == "ever":
        return ladder.Board("points", game, variant), None
    current = ladder.this_week()
    try:
        start = ladder.week_start(current if period == "week" else period)
        week = {
            "period": current if period == "week" else period,
            "start": start,
            "before": ladder.week_before(current if period == "week" else period),
            "after": ladder.week_after(current if period == "week" else period),
        }
    except (ValueError, OverflowError):
        raise Http404 from None
    week["current"] = week["period"] == current
    return ladder.Board("points", game, variant, str(week["period"])), week


def _link(board: ladder.Board, **changed: str) -> str:
    """The query of a board's address, for links to its pages."""
    named = {
        "by": board.by if board.by != "rating" else "",
        "period": board.period,
        "variant": f"{board.game}/{board.variant}" if board.variant else "",
        **changed,
    }
    return urlencode({name: value for name, value in named.items() if value})


def _tabs(board: ladder.Board) -> list[dict[str, Any]]:
    points = ladder.Board("points", board.game, board.variant)
    return [
        {"title": _("Rating"), "link": "", "current": board.by == "rating"},
        {
            "title": _("Points this week"),
            "link": _link(points, period="week"),
            "current": board.by == "points" and board.period != ladder.EVER,
        },
        {
            "title": _("Points for ever"),
            "link": _link(points),
            "current": board.by == "points" and board.period == ladder.EVER,
        },
    ]


def _variant_links(board: ladder.Board) -> list[dict[str, Any]]:
    if board.by == "rating":
        return []
    every = {"title": _("All"), "link": _link(board, variant=""), "current": not board.variant}
    return [
        every,
        *(
            {
                "title": variant_title(game, variant),
                "link": _link(board, variant=f"{game}/{variant}"),
                "current": (game, variant) == (board.game, board.variant),
            }
            for game, variant in ladder.variants()
        ),
    ]


@require_safe
def player_view(request: HttpRequest, name: str) -> HttpResponse:
    """A player's profile."""
    player = _player(name)
    if player.name != name:
        return redirect("player", player.name, permanent=False)
    reader = player_of(request)
    entries, _more = history.matches(player, history.Wanted(voided=True), size=10, reader=reader)
    context = {
        "player": player,
        "own": reader == player,
        "figures": profile.figures(player),
        "plot": plot(profile.rating_points(player)),
        "records": profile.record(player),
        "streaks": profile.streaks(player),
        "partners": profile.partners(player),
        "entries": entries,
        "provisional_from": round(PROVISIONAL_FROM),
    }
    return render(request, "ranking/player.html", context)


class HistoryForm(forms.Form):
    """Which of a player's matches are wanted."""

    variant = forms.ChoiceField(label=_lazy("Game"), required=False)
    counted = forms.ChoiceField(
        label=_lazy("Kind"), required=False, choices=[("", _lazy("all")), *CLASSES]
    )
    outcome = forms.ChoiceField(
        label=_lazy("Ended"), required=False, choices=[("", _lazy("all")), *OUTCOMES]
    )
    seats = forms.ChoiceField(
        label=_lazy("Seats"),
        required=False,
        choices=[("", _lazy("all")), *((str(n), str(n)) for n in (2, 3, 4))],
    )
    other = forms.CharField(label=_lazy("With or against"), required=False, max_length=64)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        choices = [
            (f"{game}/{variant}", variant_title(game, variant))
            for game, variant in ladder.variants()
        ]
        self.fields["variant"] = forms.ChoiceField(
            label=_("Game"), required=False, choices=[("", _("all")), *choices]
        )

    def clean_other(self) -> Player | None:
        """The other player, if there is one of that name."""
        name: str = self.cleaned_data["other"].strip()
        if not name:
            return None
        other = players.find_player(name)
        if other is None:
            raise forms.ValidationError(_("There is no player of that name."), code="name")
        return other

    def wanted(self) -> history.Wanted:
        """The filter."""
        data = self.cleaned_data
        game, _slash, variant = data["variant"].partition("/")
        return history.Wanted(
            game=game,
            variant=variant,
            counted_as=data["counted"],
            outcome=data["outcome"],
            seats=int(data["seats"]) if data["seats"] else None,
            other=data["other"],
            voided=True,
        )


@require_safe
def history_view(request: HttpRequest, name: str) -> HttpResponse:
    """A player's matches with filters, page by page."""
    player = _player(name)
    form = HistoryForm(request.GET or None)
    asked = form.is_bound and form.is_valid()
    wanted = form.wanted() if asked else history.Wanted(voided=True)
    before = _number(request.GET.get("before"), 0) or None
    entries: list[history.Entry] = []
    following: int | None = None
    try:
        # A filter that can't be read finds nothing; it is not as if none had been asked for.
        if asked or not form.is_bound:
            entries, following = history.matches(player, wanted, before, reader=player_of(request))
    except history.NoSuchPlace:
        raise Http404 from None
    kept = {
        key: value for key, value in request.GET.items() if value and key not in ("before", "page")
    }
    context = {
        "player": player,
        "own": player_of(request) == player,
        "form": form,
        "filtered": bool(kept),
        "entries": entries,
        "first_link": urlencode(kept),
        "on_first": before is None,
        "next_link": None if following is None else urlencode({**kept, "before": following}),
    }
    return render(request, "ranking/history.html", context)


@require_safe
def stored_view(request: HttpRequest) -> HttpResponse:
    """What is stored, of whom, for how long."""
    return render(request, "ranking/stored.html", {"forget_days": FORGET_AFTER.days})


def _player(name: str) -> Player:
    player = players.find_player(name)
    if player is None:
        raise Http404
    return player


def _number(text: str | None, default: int) -> int:
    return int(text) if text and text.isascii() and text.isdigit() and len(text) < 19 else default
