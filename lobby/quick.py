"""The pages of quick pairing, and those of the people one has met."""

from __future__ import annotations

import math
import time
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from dominoes.table import guessing
from dominoes.table.refusals import Refused
from lobby import companions, entry, invitations, limits, pairing, standings
from lobby.forms import PlayForm
from lobby.models import Asker, Invite
from lobby.standings import OUT, Standing
from lobby.views import ask_companion, companions_context, play_context
from ranking.http import ApiError, player_of
from ranking.models import Player

LOOK_EVERY = 2
"""Seconds between two looks of a page that waits; `lobby.js` takes it from the page."""


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def quick(request: HttpRequest) -> HttpResponse:
    """Ask for people, wait, say that one is there. `?part=now`: only how things stand."""
    if request.method == "POST":
        return _act(request)
    player = player_of(request)
    now = pairing.look(player) if player else OUT
    part = request.GET.get("part") == "now"
    if now.state == "go" and not part:
        return redirect("table", code=now.table)
    context: dict[str, Any] = {"now": now, "note": now.note or _note(request)}
    if now.state == "go":
        context["go"] = reverse("table", args=[now.table])
    elif now.state == "out":
        context["go"] = f"{reverse('quick')}?note={now.note}" if now.note else reverse("quick")
    else:
        context |= _waiting(request, player, now)
    if part:
        return render(request, "lobby/parts/pairing.html", context)
    if now.state == "out":
        context |= _asking(request)
    return render(request, "lobby/quick.html", context)


def _note(request: HttpRequest) -> str:
    note = request.GET.get("note", "")
    return note if note in (Asker.LATE, Asker.GONE, Asker.BARRED) else ""


def _waiting(request: HttpRequest, player: Player | None, now: Standing) -> dict[str, Any]:
    left = max(0, math.ceil(now.ends_at - time.time()))
    context: dict[str, Any] = {
        "every": LOOK_EVERY,
        "left": left,
        # Without a script the page reloads; while it asks, it leaves time to press the button.
        "reload": left + 1 if now.state == "asked" and not now.confirmed else LOOK_EVERY + 1,
    }
    if now.state == "forming" and not now.companion and player is not None:
        context["invitation"] = invitations.for_pair(request, now.code)
        context |= companions_context(player, now.code, reverse("quick"))
    return context


def _asking(request: HttpRequest) -> dict[str, Any]:
    rules = request.GET.get("rules") or request.session.get("rules", "partners")
    return {
        **play_context(request, rules, request.GET.get("setup", "")),
        "wanted": standings.waiting_now(),
    }


def _act(request: HttpRequest) -> HttpResponse:
    act = request.POST.get("act", "")
    try:
        if act == "ask":
            return _ask(request)
        player = player_of(request)
        if player is None:
            return redirect("quick")
        if act == "confirm":
            code = pairing.confirm(player)
            return redirect("table", code=code) if code else redirect("quick")
        if act == "leave":
            pairing.leave(player)
            messages.info(request, _("You are out of the queue."))
            return redirect("home")
        if act == "companion":
            now = standings.standing(player.pk)
            ask_companion(request, player, Invite.PAIR, now.code)
    except (Refused, ApiError) as refused:
        messages.error(request, refused.detail)
    except ValueError as fault:
        messages.error(request, str(fault))
    return redirect("quick")


def _ask(request: HttpRequest) -> HttpResponse:
    form = PlayForm(request.POST)
    if not form.is_valid():
        messages.error(request, form.fault())
        return redirect("quick")
    wish = form.wish()
    pair = request.POST.get("company") == "pair"
    limits.count("play", request, limits.QUICK)
    player = player_of(request)
    if wish.ranked and (player is None or player.is_guest):
        raise Refused(
            "forbidden", _("Ranked tables are for signed-in people. Sign up, it is free.")
        )
    player = entry.enter(request)
    request.session["rules"] = wish.options.rules
    pairing.ask(player, wish, pair=pair)
    return redirect("quick")


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def pair(request: HttpRequest, code: str) -> HttpResponse:
    """Where a pair's invitation leads: give a name and be somebody's partner."""
    try:
        limits.may_try_codes(request)
        offer = standings.pair_offer(code)
        if offer is None:
            guessing.missed(request)
        elif request.method == "POST":
            player = player_of(request)
            if offer[0].ranked and (player is None or player.is_guest):
                raise Refused("forbidden", _("Ranked tables are for signed-in people."))
            pairing.join_pair(entry.enter(request), code)
            return redirect("quick")
    except (Refused, ApiError) as refused:
        messages.error(request, refused.detail)
        return redirect("quick")
    except ValueError as fault:
        messages.error(request, str(fault))
    context = {
        "wish": offer[0] if offer else None,
        "host": offer[1] if offer else "",
        "name": request.POST.get("name") or entry.suggested_name(),
    }
    return render(request, "lobby/pair.html", context, status=200 if offer else 404)


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def people(request: HttpRequest) -> HttpResponse:
    """The people one has met: whom not to be paired with, which nobody else gets to know."""
    player = player_of(request)
    assert player is not None
    if request.method == "POST":
        act, name = request.POST.get("act", ""), request.POST.get("player", "")
        try:
            if act == "avoid":
                pairing.part(player, companions.avoid(player, name).player_id)
                messages.success(
                    request, _("You won't be paired with %(name)s any more.") % {"name": name}
                )
            elif act == "forgive":
                companions.forgive(player, name)
                messages.success(request, _("You may be paired with %(name)s.") % {"name": name})
        except Refused as refused:
            messages.error(request, refused.detail)
        return redirect("companions")
    context = {
        "companions": companions.recent(player, most=30),
        "avoided": companions.avoided_by(player),
    }
    return render(request, "lobby/companions.html", context)
