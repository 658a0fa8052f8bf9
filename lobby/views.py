"""The pages that lead to a table: home, a new table, its choices, coming in by a code."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from dominoes.table import company, guessing, keeping, seating, store
from dominoes.table.live import Choices
from dominoes.table.refusals import Refused
from lobby import companions, entry, invitations, limits, pairing, practice, rooms, standings, words
from lobby.forms import PlayForm, TableForm, setup_options, system_options
from lobby.models import Invite
from ranking.http import ApiError, player_of
from ranking.models import Player

CHOICES_KEPT = "table-choices"
"""Where the session keeps what its person chose for the last table."""


# --- home -----------------------------------------------------------------------------------


@never_cache
@require_safe
def home(request: HttpRequest) -> HttpResponse:
    """Play now; what waits for you; open tables and some to watch.

    `?part=mine` and `?part=now`: only the second, only the last; an open page asks for both.
    """
    player = player_of(request)
    part = request.GET.get("part")
    if part == "mine":
        return render(request, "lobby/parts/mine.html", _own_context(player))
    if part == "now":
        return render(request, "lobby/parts/now.html", _rooms_context(player))
    chosen = request.session.get("rules", "partners")
    context = {
        **_own_context(player),
        **_rooms_context(player),
        **play_context(request, chosen),
    }
    return render(request, "lobby/home.html", context)


def _own_context(player: Player | None) -> dict[str, Any]:
    """What waits for this person: tables, and people who ask."""
    if player is None:
        return {"waiting": [], "calls": []}
    return {"waiting": rooms.waiting_for(player), "calls": companions.calls_for(player)}


def _rooms_context(player: Player | None) -> dict[str, Any]:
    """Tables and people that anybody may find."""
    avoided, avoiding = companions.not_to_meet(player)
    return {
        "open_rooms": rooms.to_join(player, avoid=avoided | avoiding),
        "watch": rooms.to_watch(avoid=avoided, hosts=avoiding),
        "wanted": standings.waiting_now()[:4],
    }


def play_context(request: HttpRequest, rules: str, setup: str = "") -> dict[str, Any]:
    """What the form that asks for a game shows."""
    return {
        "systems": system_options(rules),
        "setups": setup_options(setup),
        "name": request.POST.get("name") or entry.suggested_name(),
    }


@require_POST
def play(request: HttpRequest) -> HttpResponse:
    """Play now: against the computer at once, or into the queue for people."""
    form = PlayForm(request.POST)
    if not form.is_valid():
        messages.error(request, form.fault())
        return redirect("home")
    try:
        wish = form.wish()
        against_people = request.POST.get("against") == "people"
        limits.count("play", request, limits.QUICK if against_people else limits.ROOMS)
        player = entry.enter(request)
        request.session["rules"] = wish.options.rules
        if against_people:
            pairing.ask(player, wish)
            return redirect("quick")
        level = form.cleaned_data["level"] or "easy"
        return redirect("table", code=practice.begin(player, wish.options, level))
    except (Refused, ApiError) as refused:
        messages.error(request, refused.detail)
    except ValueError as fault:
        messages.error(request, str(fault))
    return redirect("home")


@require_POST
@login_required
def decline(request: HttpRequest, invite_id: int) -> HttpResponse:
    """Not now: put an invitation away."""
    companions.decline(_player(request), invite_id)
    return redirect("home")


def _player(request: HttpRequest) -> Player:
    player = player_of(request)
    if player is None:
        raise PermissionDenied
    return player


# --- a new table, and its choices -----------------------------------------------------------


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def new_table(request: HttpRequest) -> HttpResponse:
    """Choose everything about a table and open it."""
    player = player_of(request)
    guest = player is None or player.is_guest
    error = ""
    if request.method == "POST":
        form = TableForm(request.POST, guest=guest)
        choices, error = _read_choices(form)
        if choices is not None:
            try:
                if choices.ranked and guest:
                    raise Refused("forbidden", _("Ranked tables are for signed-in people."))
                limits.count("rooms", request, limits.ROOMS)
                player = entry.enter(request)
                keeping.may_play(player)
                code = store.call(seating.create_table, player.pk, choices)
                request.session[CHOICES_KEPT] = TableForm.start_from(choices)
                return redirect("table", code=code)
            except (Refused, ApiError) as refused:
                error = refused.detail
            except ValueError as fault:
                error = str(fault)
    else:
        kept = request.session.get(CHOICES_KEPT, {})
        if guest:
            kept = {**kept, "counts": "casual"}
        asked = request.GET.get("kind")
        if asked in ("online", "nearby"):
            kept = {**kept, "kind": asked}
        form = TableForm(initial=kept, guest=guest)
    context = {
        "form": form,
        "error": error,
        "name": request.POST.get("name") or entry.suggested_name(),
    }
    return render(request, "lobby/new.html", context, status=422 if error else 200)


def _read_choices(form: TableForm) -> tuple[Choices | None, str]:
    """What the form says, or why that can't be."""
    if not form.is_valid():
        name, faults = next(iter(form.errors.items()))
        if name == "target":
            return None, str(faults[0])
        return None, _("Something in the form is missing. Choose one of each and try again.")
    try:
        return form.choices(), ""
    except Refused as refused:
        return None, refused.detail


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def choices(request: HttpRequest, code: str) -> HttpResponse:
    """The host changes what the room plays, while nobody has begun."""
    player = _player(request)
    room = _room(request, code)
    if room.host is None or room.host.player_id != player.pk:
        raise PermissionDenied(_("Only the host can change this."))
    if room.status == rooms.PLAYING:
        messages.error(request, _("A match is being played. Change the table when it is over."))
        return redirect("table", code=room.code)
    error = ""
    if request.method == "POST":
        form = TableForm(request.POST, guest=player.is_guest)
        chosen, error = _read_choices(form)
        if chosen is not None:
            try:
                store.call(seating.choose, room.code, player.pk, chosen)
                messages.success(request, _("Changed. Everybody at the table sees it."))
                return redirect("table", code=room.code)
            except Refused as refused:
                error = refused.detail
    else:
        form = TableForm(initial=TableForm.start_from(room.choices), guest=player.is_guest)
    context = {"form": form, "error": error, "room": room}
    return render(request, "lobby/choices.html", context, status=422 if error else 200)


def _room(request: HttpRequest, code: str) -> rooms.Room:
    """The room with that code. Raises Http404; PermissionDenied for whoever may not be there."""
    try:
        limits.may_try_codes(request)
        room = rooms.find(code)
    except ApiError as wait:
        raise Http404(wait.detail) from None  # as if there were none
    except store.NoSuchTable:
        guessing.missed(request)
        raise Http404(_("There is no room with that code.")) from None
    player = player_of(request)
    if room.status == rooms.CLOSED:
        reason = keeping.closed_by_keepers(room.code, player)
        if reason is not None:
            raise Http404(_("A moderator closed this room: %(reason)s") % {"reason": reason})
        raise Http404(_("This room is closed."))
    if player is not None and player.pk in room.removed:
        raise PermissionDenied(_("The host has asked you to leave this room."))
    if room.shuts_out(player):
        raise PermissionDenied(company.not_for_you().detail)
    return room


# --- coming in ------------------------------------------------------------------------------


@never_cache
@require_safe
def join(request: HttpRequest) -> HttpResponse:
    """Come in by a code that was said or written down."""
    typed = request.GET.get("code", "")
    error = ""
    if typed:
        code = rooms.clean_code(typed)
        try:
            if not code:
                raise Http404(_("A code has six letters and digits, such as K7QF4M."))
            return redirect("join-room", code=_room(request, code).code)
        except Http404 as fault:
            error = str(fault)
    context = {"error": error, "typed": typed[:20]}
    return render(request, "lobby/join.html", context, status=404 if error else 200)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def join_room(request: HttpRequest, code: str) -> HttpResponse:
    """Where an invitation leads: see what is played and with whom, give a name, sit down."""
    try:
        room = _room(request, code)
    except Http404 as fault:
        return render(request, "lobby/join.html", {"error": str(fault), "typed": ""}, status=404)
    player = player_of(request)
    if room.status == rooms.PLAYING or room.sitter(player.pk if player else None):
        return redirect("table", code=room.code)
    barred = room.choices.ranked and (player is None or player.is_guest)
    if request.method == "POST":
        try:
            if barred:
                raise Refused("forbidden", _("Ranked tables are for signed-in people."))
            seat = _seat(request, room)
            player = entry.enter(request)
            keeping.may_play(player)
            store.call(seating.sit, room.code, player.pk, seat)
            return redirect("table", code=room.code)
        except (Refused, ApiError) as refused:
            messages.error(request, refused.detail)
        except ValueError as fault:
            messages.error(request, str(fault))
        room = rooms.find(room.code)
    context = {
        "room": room,
        "barred": barred,
        "seats": _free_seats(room, request.GET.get("seat", "")),
        "name": request.POST.get("name") or entry.suggested_name(),
    }
    return render(request, "lobby/join_room.html", context)


def _seat(request: HttpRequest, room: rooms.Room) -> int:
    """The seat that was asked for, or the first free one. Raises Refused when there is none."""
    text = request.POST.get("seat", "")
    if text.isascii() and text.isdigit() and len(text) < 3:
        return int(text)
    if not room.free:
        raise Refused("taken", _("All seats are taken. You may watch until one is free."))
    return room.free[0]


def _free_seats(room: rooms.Room, wanted: str) -> list[dict[str, Any]]:
    """Each free seat with who would sit where, as its holder would see it; the wanted one first."""
    found = []
    for seat in room.free:
        around: list[str] = []
        for other in room.seats:
            if other is None:
                continue
            where = words.placed(room.options, seat, other.seat)
            partner = room.options.side_of(other.seat) == room.options.side_of(seat)
            if partner:
                around.insert(0, _("Your partner: %(name)s, opposite") % {"name": other.shown})
            else:
                around.append(_("%(name)s %(where)s") % {"name": other.shown, "where": where})
        found.append({"seat": seat, "number": seat + 1, "around": around})
    found.sort(key=lambda one: str(one["seat"]) != wanted)
    return found


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def invite(request: HttpRequest, code: str) -> HttpResponse:
    """Link, code and QR of a room, and recent companions to ask with one tap."""
    player = _player(request)
    room = _room(request, code)
    if room.sitter(player.pk) is None:
        raise PermissionDenied(_("Take a seat at this table first."))
    if request.method == "POST":
        ask_companion(request, player, Invite.ROOM, room.code)
        return redirect("table-invite", code=room.code)
    context = {
        "room": room,
        "invitation": invitations.for_table(request, room.code),
        **companions_context(player, room.code, reverse("table-invite", args=[room.code])),
    }
    return render(request, "lobby/invite.html", context)


def ask_companion(request: HttpRequest, player: Player, kind: str, code: str) -> None:
    """Carry out "Ask" of a companion, and say what came of it."""
    try:
        asked = companions.call(player, request.POST.get("player", ""), kind, code)
        messages.success(
            request, _("%(name)s is asked: it shows on their first page.") % {"name": asked.name}
        )
    except Refused as refused:
        messages.error(request, refused.detail)


def companions_context(player: Player, code: str, ask_at: str) -> dict[str, Any]:
    """Recent companions to ask, and who has been asked already."""
    return {
        "companions": companions.recent(player),
        "asked": companions.asked_already(player, code),
        "ask_at": ask_at,
    }
