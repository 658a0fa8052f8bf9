"""The table page and its form posts; what a page without script does, and every page at first."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from dominoes.table import (
    beginning,
    company,
    fragments,
    guessing,
    keeping,
    play,
    seating,
    store,
    witness,
)
from dominoes.table.live import Live
from dominoes.table.models import Table
from dominoes.table.pictures import state_of
from dominoes.table.refusals import Refused
from dominoes.table.wiring import SECTION
from ranking import prefs
from ranking.http import player_of
from ranking.models import Player


class ClosedByKeepers(Http404):
    """The room was closed by a keeper; its text is why, for somebody who sat there."""


def _live(request: HttpRequest, code: str) -> Live:
    """The table with that code. To an address that tried too many, only tables it sits at."""
    try:
        live = store.call(store.fresh, code.upper())
    except store.NoSuchTable:
        guessing.missed(request)
        raise Http404(_("There is no room with that code.")) from None
    player = player_of(request)
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
    player = player_of(request)
    if player is not None and player.pk in live.removed:
        return render(request, "table/removed.html", status=403)
    holder = live.holder_of(player.pk if player else None)
    host = live.host.player_id if live.host else None
    if player and holder is None and company.is_shut_out(player.pk, host):
        return render(request, "table/not_for_you.html", status=403)
    if player and holder and live.choices.ranked and not live.in_match:
        live = _with_who_is_there(live, holder.seat, player)
        holder = live.holder_of(player.pk)  # the seats may have changed meanwhile
    you = holder.seat if holder else None
    if witness.wants_address(live, you) and live.match is not None and you is not None:
        store.call(witness.note_address, live.match.id, you, witness.digest(request))
    state = state_of(live, time.time())
    context: dict[str, Any] = fragments.page_context(
        state, live.view(None), live.view(you), you, prefs.of(player)[SECTION]
    )
    context["screen"] = "screen" in request.GET
    response = render(request, "table/page.html", context)
    response["Cache-Control"] = "no-store"
    return response


def _with_who_is_there(live: Live, seat: int, player: Player) -> Live:
    """The ranked table before its match, which begins only with people who are there.

    A page without a script opens no socket: that it is loaded says that its reader is there.
    """
    store.refresh_presence(live.code)  # they may have come to another process
    newest = store.peek(live.code) or live
    if seat not in newest.here:
        store.call(beginning.look_in, live.code, player.pk)
    return store.peek(live.code) or newest


@require_POST
def act(request: HttpRequest, code: str) -> HttpResponse:
    """A form of the table page: a move, or one of the other things that people do at a table."""
    code = code.upper()
    try:
        _live(request, code)
    except ClosedByKeepers:
        return redirect("table", code=code)
    player = player_of(request)
    if player is None:
        # A name is all that a guest needs: where invitations lead it is asked for.
        what, _space, seat = request.POST.get("act", "").partition(" ")
        asked = f"?seat={seat}" if what == "sit" and seat.isascii() and seat.isdigit() else ""
        return redirect(reverse("join-room", args=[code]) + asked)
    fetched = request.headers.get("X-Requested-With") == "fetch"
    by_the_way = fetched and request.POST.get("act") == "prefs"
    try:
        said = _act(code, player, request)
    except Refused as refused:
        if by_the_way:
            return HttpResponse(refused.detail, status=refused.status, content_type="text/plain")
        messages.error(request, refused.detail)
        said = None
    if by_the_way:
        return HttpResponse(status=204)
    if said:
        messages.success(request, said)
    return redirect("table", code=code)


def _act(code: str, player: Player, request: HttpRequest) -> str | None:
    form = request.POST
    word = form.get("move")
    if word:
        seq = _number(form.get("seq"))
        client_id = (form.get("id") or f"{seq}:{word}").replace("\0", "")[:64]
        store.call(play.move, code, player.pk, word, seq, client_id)
        return None
    what, *about = (form.get("act") or "").split() or [""]
    if what not in ACTS:
        raise _out_of_date()
    return ACTS[what](_Asked(code, player, tuple(about), form))


@dataclass(frozen=True, slots=True)
class _Asked:
    """What a form asks for: `act` is a word, and what it is about."""

    code: str
    player: Player
    about: tuple[str, ...]
    form: QueryDict

    def do(self, command: Callable[..., Any], *more: Any) -> Any:
        """Have the command carried out for this person at this table. Raises Refused."""
        return store.call(command, self.code, self.player.pk, *more)

    def seat(self) -> int:
        """The seat that it is about. Raises Refused."""
        return _number(self.about[0] if self.about else None)


def _plain(command: Callable[..., Any]) -> Callable[[_Asked], None]:
    """An act that says no more than that this person wants it."""

    def act(asked: _Asked) -> None:
        asked.do(command)

    return act


def _sit(asked: _Asked) -> None:
    asked.do(seating.sit, asked.seat(), asked.form.get("seed") or None)


def _bot(asked: _Asked) -> None:
    if len(asked.about) != 2:
        raise _out_of_date()
    level = asked.about[1]
    asked.do(seating.set_bot, asked.seat(), None if level == "none" else level)


def _kick(asked: _Asked) -> None:
    asked.do(seating.remove, asked.seat())


def _rematch(asked: _Asked) -> str | None:
    if asked.do(beginning.rematch) is None:
        return _("You are ready to play again. It begins when everyone is.")
    return None


def _prefs(asked: _Asked) -> None:
    # A box without a tick isn't sent, and one that this table doesn't have must keep its own.
    shown = asked.form.get("shown", "").split()
    if not shown:
        raise _out_of_date()
    prefs.store(asked.player, {SECTION: {name: asked.form.get(name) == "1" for name in shown}})


ACTS: Final[Mapping[str, Callable[[_Asked], str | None]]] = {
    "ready": _plain(play.ready),
    "leave": _plain(play.walk_out),  # to stand up is another act
    "offer_draw": _plain(play.offer_draw),
    "accept_draw": _plain(play.accept_draw),
    "claim": _plain(play.claim),
    "sit": _sit,
    "stand": _plain(seating.stand),
    "bot": _bot,
    "kick": _kick,
    "start": _plain(beginning.start),
    "rematch": _rematch,
    "mix": _plain(seating.mix_teams),
    "prefs": _prefs,
}
"""What the page's forms may ask for beside a move; what comes of it may be a sentence to show."""


def _number(text: Any) -> int:
    try:
        return int(str(text))
    except ValueError:
        raise _out_of_date() from None


def _out_of_date() -> Refused:
    return Refused("bad_message", _("This page is out of date. Reload it and try again."))
