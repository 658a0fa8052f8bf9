"""A match's own page: its result while it is new, and its replay for as long as the site stands."""

from __future__ import annotations

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.safestring import mark_safe
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from dominoes.rules.view import View
from dominoes.table import drawing, fragments, replaying, reports
from dominoes.table.api import find_match, may_see_record, played_in, result_of, room_of
from dominoes.table.live import options_from
from dominoes.table.models import Match
from dominoes.table.pictures import TableState
from dominoes.table.records import record_of, shown_names
from dominoes.table.replaying import Moment
from dominoes.table.voiding import void_reason
from dominoes.table.words import how_left, leaving, left_at, move_name
from dominoes.table.words_end import forfeit_title
from dominoes.table.words_proof import proof_texts
from ranking import history
from ranking.http import ApiError, player_of


def _match(match_id: str) -> Match:
    try:
        return find_match(match_id)
    except ApiError as error:
        raise Http404(error.detail) from None


def _may_see(request: HttpRequest, match: Match) -> bool:
    return match.status != Match.PLAYING and may_see_record(match, player_of(request))


@require_safe
def match_page(request: HttpRequest, match_id: str) -> HttpResponse:
    """A match: who played, how it ended, and for those who may see it, every move of it.

    `hand`, `ply` and `eyes` (a seat, `all` racks, or nobody's) say which moment is shown.
    """
    match = _match(match_id)
    names = shown_names(match)
    reason = void_reason(match.pk) if match.status == Match.OVER else None
    context: dict[str, Any] = {
        "match": match,
        "names": names,
        "result": result_of(match),
        **_who_left(match, names),
        "void": reason is not None,
        "void_reason": reason if reason and _reads_reason(request, match) else "",
        "score_rows": _score_rows(match, names),
        "open_record": _may_see(request, match),
        "proof_texts": proof_texts(),
    }
    if context["open_record"]:
        hand, ply = _number(request, "hand", 1), _number(request, "ply", 0)
        at = replaying.load_moment(match, hand, ply)
        if at is not None:
            context.update(_replay(request, match, names, at))
    if match.status == Match.PLAYING:
        context["room"] = room_of(match, player_of(request))
    context["report_links"] = _report_links(request, match, context.get("at"))
    return render(request, "table/match.html", context)


def _reads_reason(request: HttpRequest, match: Match) -> bool:
    """Those who played it, and whoever may read the keepers' log."""
    player = player_of(request)
    return history.reads_reasons(player) or played_in(match, player)


def _report_links(request: HttpRequest, match: Match, at: Moment | None) -> list[tuple[str, str]]:
    """For every seat that this viewer may report, its name and where that is done."""
    moment = f"&hand={at.hand}&ply={at.ply}" if at is not None else ""
    address = reverse("report", args=[match.pk])
    return [
        (person.name, f"{address}?seat={seat}{moment}")
        for seat, person in reports.reportable(match, player_of(request))
    ]


def _who_left(match: Match, names: list[str]) -> dict[str, str]:
    """For a match that ended by somebody's leaving: how it was won, and who left and how."""
    result = result_of(match)
    if result is None:
        return {}
    two_sided = options_from(match.rules, match.options).two_sided
    clocked = match.kind == "online" and match.turn_seconds > 0
    how = how_left(result["why"], clocked=clocked, two_sided=two_sided)
    title = {"forfeit": forfeit_title(how, two_sided=two_sided)}
    if result["seat"] is None:
        return title
    return {**title, "who_left": leaving(how, result["seat"], names).they + "."}


def _score_rows(match: Match, names: list[str]) -> list[dict[str, Any]]:
    """The final score of each side, with who played for it and whether it won."""
    result = result_of(match)
    if result is None:
        return []
    options = options_from(match.rules, match.options)
    return [
        {
            "name": " + ".join(names[seat] for seat in options.seats_of(side)),
            "score": score,
            "won": result["winner"] == side,
        }
        for side, score in enumerate(result["scores"])
    ]


def _replay(request: HttpRequest, match: Match, names: list[str], at: Moment) -> dict[str, Any]:
    """The table at that moment, and the links to the others."""
    eyes = request.GET.get("eyes", "all")
    asked = _number(request, "eyes", len(names))
    seat = asked if asked < len(names) else None
    state = replaying.state_at(match, at)
    view = replaying.view_at(at, seat)
    parts = fragments.shared(state, replaying.view_at(at, None))
    if seat is not None:
        parts["rail"] = fragments.own(state, view, seat)["rail"]

    def link(hand: int, ply: int, seen: str = eyes) -> str:
        return f"?hand={hand}&ply={ply}&eyes={seen}"

    return {
        "at": at,
        "part": {name: mark_safe(html) for name, html in parts.items()},  # noqa: S308
        "root": {**fragments.root_data(state, view, seat), "mine": "0"},
        "sprite": drawing.sprite(),
        "racks": _racks(names, at) if seat is None and eyes == "all" else None,
        "eyes": eyes if seat is not None or eyes == "all" else "none",
        "eyes_choices": [
            ("all", _("All racks open"), link(at.hand, at.ply, "all")),
            *(
                (
                    str(s),
                    _("As %(name)s saw it") % {"name": name},
                    link(at.hand, at.ply, str(s)),
                )
                for s, name in enumerate(names)
            ),
            ("none", _("As a spectator"), link(at.hand, at.ply, "none")),
        ],
        "word": _latest(state, view, names) if at.ply else "",
        "steps": {
            "start": link(1, 0),
            "back": link(*at.before()),
            "on": link(*at.after()),
            "end": link(len(at.plies), at.plies[-1]),
        },
        "hands": [(number, link(number, 0)) for number in range(1, len(at.plies) + 1)],
        "plies": [(ply, link(at.hand, ply)) for ply in range(at.plies[at.hand - 1] + 1)],
    }


def _latest(state: TableState, view: View, names: list[str]) -> str:
    """The latest move in a few words; of one who left, how."""
    if not view.moves:
        return ""
    move = view.moves[-1]
    if move.seat is None or not move.word.startswith("leave"):
        return move_name(move.word)
    auto = len(state.autos) == len(view.moves) and state.autos[-1]
    return leaving(left_at(state, "time" if auto else "left"), move.seat, names).they


def _racks(names: list[str], at: Moment) -> list[dict[str, Any]]:
    """Every rack as it was, drawn open."""
    return [
        {
            "seat": seat,
            "name": names[seat],
            "tiles": [
                mark_safe(f'<span data-tile="{tile}">{drawing.rail_tile_html(tile)}</span>')  # noqa: S308
                for tile in rack or ()
            ],
            "left": rack is None,
            "said": ", ".join(rack or ()),
            "turn": at.game.turn == seat,
        }
        for seat, rack in enumerate(at.racks())
    ]


def _number(request: HttpRequest, name: str, default: int) -> int:
    text = request.GET.get(name, "")
    return int(text) if text.isascii() and text.isdigit() and len(text) < 6 else default


@require_safe
def match_record(request: HttpRequest, match_id: str) -> HttpResponse:
    """The record as a file to keep."""
    match = _match(match_id)
    if not _may_see(request, match):
        raise Http404(_("There is no record to be had of this match."))
    response = JsonResponse(record_of(match.pk), json_dumps_params={"indent": 1})
    response["Content-Disposition"] = f'attachment; filename="match-{match.pk}.json"'
    return response
