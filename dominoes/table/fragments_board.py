"""What stands under the line: the last moves, the facts of the hand, and the boards.

Before a match the board says what is played here and what it counts for; after a hand it shows all
racks, the points and why; after the match its result, which stays to be looked at.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from django.utils.translation import ngettext

from dominoes.rules.systems import SYSTEMS
from dominoes.table import drawing, results
from dominoes.table.fragments_parts import (
    Words,
    all_of,
    both,
    hidden,
    swatch,
    system_name,
    three,
)
from dominoes.table.quick import gettext as _
from dominoes.table.words import (
    SideSaid,
    hand_over,
    moves_told,
    opening,
)
from dominoes.table.words_end import match_over
from dominoes.table.words_points import reasons, summed

if TYPE_CHECKING:
    from dominoes.rules.results import HandResult
    from dominoes.rules.view import View
    from dominoes.table.live import HandLine
    from dominoes.table.pictures import TableState

LAST_SHOWN = 3


def facts(state: TableState, view: View | None) -> str:
    """The system, the hand's number, the target, the boneyard."""
    options = state.options
    parts = []
    if view is not None and view.hand and state.status != "open":
        parts.append(f"<span>{_('Hand %(number)d') % {'number': view.hand}}</span>")
    parts.append(f"<span>{_('to %(target)d') % {'target': options.target}}</span>")
    yard = ""
    if view is not None and state.status == "playing" and _has_boneyard(state, view):
        label = ngettext(
            "%(n)d tile in the boneyard", "%(n)d tiles in the boneyard", view.boneyard
        ) % {"n": view.boneyard}
        yard = (
            f'<span class="yard" role="img" aria-label="{label}" title="{label}">'
            f"<i></i><b>{view.boneyard}</b></span>"
        )
    return f'<p id="facts" class="facts-line">{yard}{"".join(parts)}</p>'


def _has_boneyard(state: TableState, view: View) -> bool:
    seats = state.options.players
    return view.boneyard > 0 or SYSTEMS[state.options.rules].boneyard_size(seats, seats) > 0


def last(state: TableState, view: View | None, words: Words) -> str:
    """The latest moves in words, with the arithmetic of All Fives; at first who opens and why."""
    if view is None or state.status == "open" or not view.hand:
        return '<div id="last" class="news"></div>'
    out = [f'<div id="last" class="news"{_last_data(view)}>']
    if not view.moves:
        if view.lot:
            out.append(_lot(view, words))
        opened = opening(view, words.names)
        if opened is not None:
            out.append(f"<p>{both(opened)}</p>")
    else:
        since = _since_last_tile(view)
        told = moves_told(state, view, words.names, since)[-LAST_SHOWN:]
        out.append(f"<p>{' '.join(both(sentence) for sentence in told)}</p>")
        autos = state.autos
        made = autos and autos[-1] and len(autos) == len(view.moves)
        if made and not view.moves[-1].word.startswith("leave"):
            out.append(f'<p class="quiet">{_("That move was made for the seat.")}</p>')
    out.append("</div>")
    return "".join(out)


def _last_data(view: View) -> str:
    """What the page's scripts need of the latest move: which it is, whose, and how it sounds."""
    about = f' data-ply="{view.hand}.{view.ply}"'
    if not view.moves:
        return about
    move = view.moves[-1]
    sound = {"draw": "draw", "knock": "knock"}.get(move.word, "play")
    if view.result is not None and view.result.how == "blocked":
        sound = "blocked"
    by = "" if move.seat is None else move.seat
    return f'{about} data-by="{by}" data-sound="{sound}"'


def _since_last_tile(view: View) -> int:
    for place in range(len(view.moves) - 1, -1, -1):
        if view.moves[place].word[0].isdigit():
            return place
    return max(0, len(view.moves) - LAST_SHOWN)


def _lot(view: View, words: Words) -> str:
    tiles = "".join(
        f"<li>{words.who[seat]} {drawing.tile_html(tile, lying=True)}{hidden(tile)}</li>"
        for seat, tile in enumerate(view.lot or ())
    )
    return f'<ul class="lot" aria-label="{_("The lot")}">{tiles}</ul>'


def result(state: TableState, view: View | None, words: Words) -> str:
    """The board of the room, of the hand just ended, or of the match; empty while one plays."""
    if view is None or state.status == "open":
        return _room(state)
    if state.status == "playing":
        return '<section id="result" class="board" hidden></section>'
    return _ended(state, view, words)


def _ended(state: TableState, view: View, words: Words) -> str:
    out = [f'<section id="result" class="board" aria-label="{_("How it ended")}">']
    hand = hand_over(state, view, words.names)
    if state.status in ("over", "abandoned"):
        head = all_of(match_over(state, view, words.names))
        out.append(f'<h2 class="board__h">{head}</h2>')
        out.append(_counts(state, words))
    if hand is not None and view.result is not None:
        if state.status == "between":
            out.append(f'<h2 class="board__h">{three(hand)}</h2>')
        elif view.result.how != "stopped":
            out.append(f"<p>{three(hand)}</p>")
        elif view.moves and view.moves[-1].scored:
            out.append(f"<p>{_('The target was reached in play.')}</p>")
        out.append(_racks(state, view.result, words))
        out.append(_why(state, view, words))
    if state.match_id and state.status == "over":
        out.append(
            f'<p class="board__more"><a href="/matches/{state.match_id}/">'
            f"{_('Replay, record and proof of the deals')}</a></p>"
        )
    out.append("</section>")
    return "".join(out)


def _racks(state: TableState, result: HandResult, words: Words) -> str:
    score = result.explain
    out = ['<ul class="racks">']
    for seat, rack in enumerate(result.racks):
        if rack is None:
            continue
        side = state.options.side_of(seat)
        won = score is not None and score.winner == side
        tiles = "".join(drawing.tile_html(tile, lying=True) for tile in rack)
        pips = score.sums[seat] if score is not None else None
        counted = score is not None and seat in score.counted
        total = ngettext("%(n)d pip", "%(n)d pips", pips or 0) % {"n": pips or 0}
        label = ", ".join(rack) if rack else _("no tiles")
        out.append(
            f'<li class="rk{" rk--won" if won else ""}{" rk--counted" if counted else ""}">'
            f'<span class="rk__w">{swatch(side) if state.options.side_count == 2 else ""}'
            f"{words.who[seat]}</span>"
            f'<span class="rk__t" role="img" aria-label="{label}">{tiles}</span>'
            f'<b class="num" aria-label="{total}">{"" if pips is None else pips}</b></li>'
        )
    out.append("</ul>")
    return "".join(out)


def _why(state: TableState, view: View, words: Words) -> str:
    result = view.result
    score = result.explain if result is not None else None
    if score is None:
        return ""
    line = ""
    if score.counted and score.points:
        text = summed(score, words.names)
        if score.rounded:
            text += f" → {score.points}"
        line = f'<p class="sum">{text}</p>'
    lines = "".join(f"<p>{text}</p>" for text in reasons(state, score, words.names))
    # The paragraph of the rule sheet that decided it.
    place = f"{state.options.rules}.{score.tie}" if score.tie else score.rule
    return (
        f'{line}<details class="why"><summary>{_("Why these points?")}</summary>{lines}'
        f'<p><a data-sheet href="/rules/{state.options.rules}/?table={state.code}#{place}">'
        f"{_('The rules of %(system)s') % {'system': system_name(state.options.rules)}}</a></p>"
        "</details>"
    )


def _counts(state: TableState, words: Words) -> str:
    """What the finished match counted for, to each side."""
    if state.status == "abandoned":
        text = _("It is not counted for anybody.")
    elif not state.ranked:
        text = _("It is in the history and pays no points.")
    else:
        awards = results.AWARDS
        winner = state.match_result["winner"] if state.match_result else None
        paid = _("Ranked: %(points)d points for you.")
        if winner is None:
            each = _("Ranked: %(points)d points for everybody.") % {"points": awards["drawn"]}
            text = each
        else:
            text = three(
                SideSaid(
                    winner,
                    paid % {"points": awards["won"]},
                    paid % {"points": awards["lost"]},
                    _("Ranked: %(won)d points for a win, %(lost)d for a loss.") % awards,
                )
            )
    return f'<p class="quiet">{text}</p>'


def _ranked(state: TableState) -> str:
    awards = results.AWARDS
    text = (
        _("Ranked: %(won)d points for a win, %(drawn)d for a draw, %(lost)d for a loss.") % awards
    )
    if state.options.players == 2:
        return f"{text} {_('The rating moves too.')}"
    return f"{text} {_('Ratings stay as they are.')}"


def _room(state: TableState) -> str:
    """What is played here, and whether it counts, before anything begins."""
    options = state.options
    rows = [
        (_("Sides"), _sides(state)),
        (_("Played to"), _("%(target)d points") % {"target": options.target}),
    ]
    if options.double_six_opens:
        rows.append((_("First hand"), _("the double six opens")))
    if state.kind == "nearby":
        rows.append((_("Clock"), _("none: everybody is in one room")))
    elif state.turn_seconds:
        text = _("%(n)d seconds a turn, none against bots alone") % {"n": state.turn_seconds}
        rows.append((_("Clock"), text))
    else:
        rows.append((_("Clock"), _("none; after five silent minutes a seat can be claimed")))
    rows.append((_("Counting aid"), _("on") if state.aid else _("off")))
    replay = _("everybody") if state.replay == "all" else _("the players")
    rows.append((_("Replay for"), replay))
    if state.kind == "nearby":
        counts = _("Nearby: it pays no points; if someone drops out, nothing is kept of it.")
    elif state.ranked:
        counts = _ranked(state)
    else:
        counts = _("Casual: it goes into the history, pays no points and moves no rating.")
    facts = "".join(f"<div><dt>{name}</dt><dd>{text}</dd></div>" for name, text in rows)
    return (
        f'<section id="result" class="board board--room" aria-label="{_("This table")}">'
        f'<h2 class="board__h">{system_name(options.rules)}</h2>'
        f'<dl class="room-facts">{facts}</dl><p class="counts"><b>{_("What it counts for")}</b> '
        f"{counts}</p></section>"
    )


def _sides(state: TableState) -> str:
    if state.options.sides == "partners":
        return _("two pairs, partners opposite")
    n = state.options.players
    return ngettext("%(n)d seat, each for itself", "%(n)d seats, each for itself", n) % {"n": n}


def sheet(state: TableState, view: View | None, words: Words) -> str:
    """The score sheet: every finished hand of this match, and the score after it."""
    if view is None or not state.hands:
        none = _("No hand is finished yet.")
        return f'<div id="sheet" class="sheet"><p class="quiet">{none}</p></div>'
    return _sheet(state.hands, state.options.side_count, words)


# It changes with the hands, not with the moves: else a move would cost more in a long match.
@lru_cache(maxsize=1024)
def _sheet(hands: tuple[HandLine, ...], side_count: int, words: Words) -> str:
    sides = range(side_count)
    head = "".join(f'<th scope="col" class="n">{words.us[s]}</th>' for s in sides)
    rows = []
    for hand in hands:
        how = {"out": _("out"), "blocked": _("blocked"), "stopped": _("stopped")}[hand.how]
        cells = "".join(
            f'<td class="n">{"–" if hand.scores[s] is None else hand.scores[s]}'
            f"{f'<small>+{hand.points}</small>' if hand.winner == s and hand.points else ''}</td>"
            for s in sides
        )
        rows.append(f'<tr><th scope="row">{hand.hand}</th><td>{how}</td>{cells}</tr>')
    return (
        f'<div id="sheet" class="sheet"><table class="table"><thead><tr><th scope="col">{_("Hand")}'
        f'</th><th scope="col">{_("ended")}</th>{head}</tr></thead><tbody>{"".join(rows)}</tbody>'
        "</table></div>"
    )
