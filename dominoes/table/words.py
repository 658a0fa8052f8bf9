"""The sentences that a table says: shown under the line, and spoken to a screen reader.

What happened at a seat is said in two ways, to the seat itself and to everybody else; what a side
did in three (us, them, and a spectator's names). Fragments carry all of them and CSS shows the one
that fits the viewer, so that one rendering serves everyone; `say` picks the one for its listener.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from django.utils.translation import ngettext, pgettext

from dominoes.table.quick import gettext as _

if TYPE_CHECKING:
    from dominoes.rules.options import Options
    from dominoes.rules.view import MoveView, View
    from dominoes.table.pictures import SeatState, TableState


class Said(NamedTuple):
    """A sentence about a seat: to that seat (`me`) and to the others (`they`)."""

    seat: int | None
    me: str
    they: str

    def to(self, seat: int | None) -> str:
        """The sentence for a viewer in that seat, None for a spectator."""
        return self.me if seat is not None and seat == self.seat else self.they


class SideSaid(NamedTuple):
    """A sentence about a side: to its seats, to the seats against it, and to a spectator."""

    side: int | None
    us: str
    them: str
    others: str

    def to(self, side: int | None) -> str:
        """The sentence for a viewer of that side, None for a spectator."""
        if side is None:
            return self.others
        return self.us if side == self.side else self.them


def end_word(end: str) -> str:
    """Where a tile was laid, as it ends a sentence."""
    return {
        "left": _("on the left"),
        "right": _("on the right"),
        "up": _("above"),
        "down": _("below"),
    }[end]


def end_name(end: str) -> str:
    """An end of the line by its name alone; anything else as it is."""
    return {
        "left": pgettext("end of the line", "left"),
        "right": pgettext("end of the line", "right"),
        "up": pgettext("end of the line", "up"),
        "down": pgettext("end of the line", "down"),
    }.get(end, end)


def move_name(word: str) -> str:
    """A move's word, as the protocol has it, in a few words for people: `6-4 left`, `draws`."""
    if word[:1].isdigit():
        tile, _space, end = word.partition(" ")
        return f"{tile} {end_name(end)}".strip()
    if word.startswith("leave"):
        return _("leaves the match")
    return {
        "draw": _("draws"),
        "knock": _("knocks"),
        "agree": _("The draw is agreed"),
    }.get(word, word)


def names_of(state: TableState) -> tuple[str, ...]:
    """The name at each seat of a table."""
    return names_at(state.seats)


def names_at(seats: Sequence[SeatState | None]) -> tuple[str, ...]:
    """The name at each of these seats: bots by their level (numbered where there are several of
    one level), a free seat by its number."""
    levels = [seat.bot for seat in seats if seat is not None and seat.bot]
    names = []
    met: dict[str, int] = {}
    for number, seat in enumerate(seats):
        if seat is None:
            names.append(_("Seat %(number)d") % {"number": number + 1})
        elif seat.bot is None:
            names.append(seat.name)
        else:
            name = bot_name(seat.bot, seat.name)
            met[seat.bot] = met.get(seat.bot, 0) + 1
            names.append(f"{name} {met[seat.bot]}" if levels.count(seat.bot) > 1 else name)
    return tuple(names)


def bot_name(level: str, name: str) -> str:
    """A bot by its level, in the reader's language."""
    return {"easy": _("Easy bot"), "steady": _("Steady bot")}.get(level, name)


def side_name(options: Options, names: Sequence[str], side: int) -> str:
    """A side by the names of its seats."""
    seats = [names[seat] for seat in options.seats_of(side)]
    if len(seats) == 1:
        return seats[0]
    return _("%(one)s and %(two)s") % {"one": seats[0], "two": seats[1]}


def arithmetic(move: MoveView) -> str:
    """The exposed ends of an All Fives play added up: `5 + 5 + 0 + 10 = 20`."""
    if move.explain is None:
        return ""
    counts = [str(end.counted) for end in move.explain.ends]
    if len(counts) == 1:
        return counts[0]
    return f"{' + '.join(counts)} = {move.explain.total}"


def how_left(why: str | None, *, clocked: bool, two_sided: bool) -> str:
    """How a seat left, from the log's `why`: it "left" by walking out, its "clock" ran out where
    that loses the match, three turns were "missed" where the others play on, or it was "claimed"
    at a table without a clock. A seat that "dropped" from a nearby table stays that.
    """
    if why != "time":
        return why or "left"
    if not clocked:
        return "claimed"
    return "clock" if two_sided else "missed"


def left_at(state: TableState, why: str | None) -> str:
    """`how_left` at this table."""
    clocked = state.kind == "online" and state.turn_seconds > 0
    return how_left(why, clocked=clocked, two_sided=state.options.two_sided)


def leaving(how: str, seat: int, names: Sequence[str]) -> Said:
    """How a seat left, told to it and to the others, without a full stop."""
    me, they = {
        "left": (_("You left the match"), _("%(name)s left the match")),
        "clock": (_("Your time ran out"), _("%(name)s ran out of time")),
        "claimed": (
            _("You did nothing for five minutes, and your seat was claimed"),
            _("%(name)s did nothing for five minutes, and the seat was claimed"),
        ),
        "missed": (
            _("Three turns in a row were played for you, so you are out of the match"),
            _("Three turns in a row were played for %(name)s, who is out of the match"),
        ),
        "dropped": (_("You did not come back in time"), _("%(name)s did not come back in time")),
    }[how]
    return Said(seat, me, they % {"name": names[seat]})


def told(move: MoveView, names: Sequence[str], how: str = "left") -> Said:
    """One move in words, without its score; `how` the seat left, if it is that."""
    word = move.word
    seat = move.seat
    about = {"name": names[seat] if seat is not None else ""}
    if word == "draw":
        said = Said(seat, _("You drew a tile"), _("%(name)s drew a tile") % about)
    elif word == "knock":
        said = Said(seat, _("You knocked"), _("%(name)s knocked") % about)
    elif word == "agree":
        said = Said(None, _("Both sides agreed to a draw"), _("Both sides agreed to a draw"))
    elif word.startswith("leave"):
        said = leaving(how, seat or 0, names)
    else:
        tile, _space, end = word.partition(" ")
        about["tile"] = tile
        if end:
            about["end"] = end_word(end)
            said = Said(
                seat,
                _("You laid %(tile)s %(end)s") % about,
                _("%(name)s laid %(tile)s %(end)s") % about,
            )
        else:
            said = Said(
                seat,
                _("You opened with %(tile)s") % about,
                _("%(name)s opened with %(tile)s") % about,
            )
    return said


def counted(move: MoveView) -> str:
    """What an All Fives play came to: its arithmetic and what it scored; "" in other systems."""
    if move.explain is None:
        return ""
    about = {"sum": arithmetic(move), "points": move.scored}
    if move.scored:
        return _("%(sum)s, scores %(points)d") % about
    return _("%(sum)s, no score") % about


def with_count(said: Said, move: MoveView) -> Said:
    """The same sentence with what the play counted, and with a full stop."""
    count = counted(move)
    tail = f": {count}." if count else "."
    return Said(said.seat, said.me + tail, said.they + tail)


def moves_told(state: TableState, view: View, names: Sequence[str], since: int = 0) -> list[Said]:
    """The hand's moves from one on in sentences; tiles drawn one after the other become one."""
    moves, autos = view.moves[since:], state.autos[since:]
    out: list[Said] = []
    drawn = 0
    for place, move in enumerate(moves):
        if move.word == "draw":
            drawn += 1
            after = moves[place + 1] if place + 1 < len(moves) else None
            if after is not None and after.word == "draw" and after.seat == move.seat:
                continue
            about = {"name": names[move.seat or 0], "n": drawn}
            out.append(
                Said(
                    move.seat,
                    ngettext("You drew a tile.", "You drew %(n)d tiles.", drawn) % about,
                    ngettext("%(name)s drew a tile.", "%(name)s drew %(n)d tiles.", drawn) % about,
                )
            )
            drawn = 0
        else:
            auto = place < len(autos) and autos[place]
            how = left_at(state, "time" if auto else "left")
            out.append(with_count(told(move, names, how), move))
    return out


def opening(view: View, names: Sequence[str]) -> Said | None:
    """Who opens the hand, and why it is that seat."""
    opener = view.opener
    if opener is None:
        return None
    seat = opener.seat
    drew = view.lot[seat] if view.lot else ""
    about = {"name": names[seat], "tile": drew}
    if opener.why == "lot":
        return Said(
            seat,
            _("You drew %(tile)s in the lot and open.") % about,
            _("%(name)s drew %(tile)s in the lot and opens.") % about,
        )
    if opener.why == "forced":
        return Said(
            seat,
            _("You hold the tile that has to open."),
            _("%(name)s holds the tile that has to open.") % about,
        )
    if opener.why == "won":
        return Said(
            seat,
            _("You open, having won the last hand."),
            _("%(name)s opens, having won the last hand.") % about,
        )
    if opener.why == "rematch":
        return Said(
            seat,
            _("You open, having won the last match."),
            _("%(name)s opens, having won the last match.") % about,
        )
    return Said(
        seat,
        _("It is your turn to open a hand."),
        _("It is %(name)s's turn to open a hand.") % about,
    )


def hand_over(state: TableState, view: View, names: Sequence[str]) -> SideSaid | None:
    """How the hand just ended and for whom, None while one is played."""
    result = view.result
    if result is None:
        return None
    if result.winner is None:
        text = (
            _("The hand stopped.")
            if result.how == "stopped"
            else _("The line is blocked and the hand is tied: nobody scores.")
        )
        return SideSaid(None, text, text, text)
    points = result.points
    about = {"side": side_name(state.options, names, result.winner), "points": points}
    blocked = result.how == "blocked"
    team = state.options.sides == "partners"
    if blocked:
        us = ngettext(
            "The line is blocked: %(points)d point for you.",
            "The line is blocked: %(points)d points for you.",
            points,
        )
        others = ngettext(
            "The line is blocked: %(points)d point for %(side)s.",
            "The line is blocked: %(points)d points for %(side)s.",
            points,
        )
        them = (
            ngettext(
                "The line is blocked: %(points)d point for them.",
                "The line is blocked: %(points)d points for them.",
                points,
            )
            if team
            else others
        )
        return SideSaid(result.winner, us % about, them % about, others % about)
    out = result.explain.seat if result.explain is not None else None
    about["name"] = names[out] if out is not None else about["side"]
    others = ngettext(
        "%(name)s is out: %(points)d point for %(side)s.",
        "%(name)s is out: %(points)d points for %(side)s.",
        points,
    )
    if not team:
        us = ngettext("You are out: %(points)d point.", "You are out: %(points)d points.", points)
        plain = ngettext(
            "%(name)s is out: %(points)d point.", "%(name)s is out: %(points)d points.", points
        )
        return SideSaid(result.winner, us % about, plain % about, plain % about)
    us = ngettext(
        "%(name)s is out: %(points)d point for us.",
        "%(name)s is out: %(points)d points for us.",
        points,
    )
    them = ngettext(
        "%(name)s is out: %(points)d point for them.",
        "%(name)s is out: %(points)d points for them.",
        points,
    )
    return SideSaid(result.winner, us % about, them % about, others % about)
