"""The table page and its form posts; what a page without script does, and every page at first."""

from __future__ import annotations

import time
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from dominoes.table import company, fragments, guessing, keeping, play, seating, store, witness
from dominoes.table.live import Live
from dominoes.table.models import Table
from dominoes.table.pictures import state_of
from dominoes.table.refusals import Refused
from ranking.models import Player

PREFS = (
    "sound_play",
    "sound_knock",
    "sound_draw",
    "sound_blocked",
    "sound_turn",
    "sound_clock",
    "sound_nearby",
    "at_once",
    "knock_for_me",
    "confirm",
    "left",
    "aid",
)


def _player(request: HttpRequest) -> Player | None:
    return request.user if isinstance(request.user, Player) else None


class ClosedByKeepers(Http404):
    """The room was closed by a keeper; its text is why, for somebody who sat there."""


def _live(request: HttpRequest, code: str) -> Live:
    """The table with that code. To an address that tried too many, only tables it sits at."""
    try:
        live = store.call(store.fresh, code.upper())
    except store.NoSuchTable:
        guessing.missed(request)
        raise Http404(_("There is no room with that code.")) from None
    player = _player(request)
    if live.holder_of(player.pk if player else None) is None and guessing.seconds_shut(request):
        raise Http404(_("There is no room with that code."))
    if live.status == Table.CLOSED:
        reason = keeping.closed_by_keepers(live.code, player)
        if reason is not None:
            raise ClosedByKeepers(reason)
        raise Http404(_("This room is closed."))
    return live


@require_safe
def table_page(request: HttpRequest, code: str) -> HttpResponse:
    """The table as this viewer may see it: the very fragments that the socket would push."""
    if code != code.upper():
        return redirect("table", code=code.upper())
    try:
        live = _live(request, code)
    except ClosedByKeepers as closed:
        return render(request, "table/closed.html", {"reason": str(closed)}, status=404)
    player = _player(request)
    if player is not None and player.pk in live.removed:
        return render(request, "table/removed.html", status=403)
    holder = live.holder_of(player.pk if player else None)
    host = live.host.player_id if live.host else None
    if player and holder is None and company.is_shut_out(player.pk, host):
        return render(request, "table/not_for_you.html", status=403)
    you = holder.seat if holder else None
    if witness.wants_address(live, you) and live.match is not None and you is not None:
        store.call(witness.note_address, live.match.id, you, witness.digest(request))
    state = state_of(live, time.time())
    prefs = dict(player.prefs.get("table", {})) if player else {}
    context: dict[str, Any] = fragments.page_context(
        state, live.view(None), live.view(you), you, prefs
    )
    context["screen"] = "screen" in request.GET
    response = render(request, "table/page.html", context)
    response["Cache-Control"] = "no-store"
    return response


@require_POST
def act(request: HttpRequest, code: str) -> HttpResponse:
    """A form of the table page: a move, or one of the other things that people do at a table."""
    code = code.upper()
    try:
        live = _live(request, code)
    except ClosedByKeepers:
        return redirect("table", code=code)
    player = _player(request)
    if player is None:
        # A name is all that a guest needs: where invitations lead it is asked for.
        what, _space, seat = request.POST.get("act", "").partition(" ")
        asked = f"?seat={seat}" if what == "sit" and seat.isascii() and seat.isdigit() else ""
        return redirect(reverse("join-room", args=[code]) + asked)
    try:
        said = _act(code, player, request, live)
    except Refused as refused:
        messages.error(request, refused.detail)
        said = None
    if request.headers.get("X-Requested-With") == "fetch" and request.POST.get("act") == "prefs":
        return HttpResponse(status=204)
    if said:
        messages.success(request, said)
    return redirect("table", code=code)


def _act(code: str, player: Player, request: HttpRequest, live: Live) -> str | None:
    form = request.POST
    pk = player.pk
    word = form.get("move")
    if word:
        seq = _number(form.get("seq"))
        client_id = (form.get("id") or f"{seq}:{word}").replace("\0", "")[:64]
        store.call(play.move, code, pk, word, seq, client_id)
        return None
    what, *about = (form.get("act") or "").split() or [""]
    simple = {
        "ready": play.ready,
        "leave": play.leave,
        "offer_draw": play.offer_draw,
        "accept_draw": play.accept_draw,
        "claim": play.claim,
    }
    if what in simple:
        store.call(simple[what], code, pk)
    elif what == "sit":
        store.call(seating.sit, code, pk, _number(about), form.get("seed") or None)
    elif what == "stand":
        store.call(seating.stand, code, pk)
    elif what == "bot" and len(about) == 2:
        level = None if about[1] == "none" else about[1]
        store.call(seating.set_bot, code, pk, _number(about[:1]), level)
    elif what == "kick":
        store.call(seating.remove, code, pk, _number(about))
    elif what == "start":
        store.call(seating.start, code, pk)
    elif what == "rematch":
        if store.call(seating.rematch, code, pk) is None:
            return _("You are ready to play again. It begins when everyone is.")
    elif what == "mix":
        store.call(seating.mix_teams, code, pk)
    elif what == "prefs":
        player.prefs = {
            **player.prefs,
            "table": {name: form.get(name) == "1" for name in PREFS},
        }
        player.save(update_fields=["prefs"])
    else:
        raise Refused("bad_message", _("This page is out of date. Reload it and try again."))
    return None


def _number(value: Any) -> int:
    text = value[0] if isinstance(value, list) and value else value
    try:
        return int(str(text))
    except ValueError:
        raise Refused(
            "bad_message", _("This page is out of date. Reload it and try again.")
        ) from None
