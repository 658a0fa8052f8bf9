"""Why a word is refused: looked into only once it is known not to be legal.

The sentence goes to the seat on turn alone, so it may speak of that seat's own rack.
"""

from dominoes.rules.errors import IllegalMove, _
from dominoes.rules.hand import Hand
from dominoes.rules.line import open_ends
from dominoes.rules.moves import DRAW, ENDS, KNOCK, LAID, OPEN
from dominoes.rules.tiles import HEAVY, LIGHT, NAMES


def refusal(hand: Hand, word: object) -> IllegalMove:
    """The refusal of ``word`` for the seat on turn, which is known not to be legal."""
    if word == "knock" or word == "draw":
        return _refused_without_tile(hand, word)
    laid = LAID.get(word) if isinstance(word, str) else None
    if laid is None:
        return IllegalMove("nonsense", _("“%(word)s” is no move."), word=_short(word))
    tile, end = laid
    name = NAMES[tile]
    if not hand.racks[hand.turn] >> tile & 1:
        return IllegalMove("not_held", _("%(tile)s is not in your rack."), tile=name)
    if not hand.begun:
        return _refused_opening(hand, name, end)
    if end == OPEN:
        return IllegalMove(
            "which_end", _("The line has begun: say on which end %(tile)s goes."), tile=name
        )
    shows = open_ends(hand).get(ENDS[end])
    if shows is None:
        return IllegalMove("no_such_end", _("There is no open end %(end)s."), end=ENDS[end])
    return IllegalMove(
        "does_not_fit",
        _("%(tile)s does not fit the %(end)s end, which shows %(shows)d."),
        tile=name,
        end=ENDS[end],
        shows=shows,
        heavy=HEAVY[tile],
        light=LIGHT[tile],
    )


def _refused_without_tile(hand: Hand, word: object) -> IllegalMove:
    """Knocking and drawing: only with nothing to lay, and drawing comes first."""
    if hand.legal[0] < KNOCK:
        if word == "knock":
            return IllegalMove("can_lay", _("You hold a tile that fits, so you may not knock."))
        return IllegalMove("can_lay", _("You hold a tile that fits, so you may not draw."))
    if hand.legal[0] == DRAW:
        return IllegalMove("must_draw", _("There is a boneyard: draw before you knock."))
    return IllegalMove("boneyard_empty", _("There is nothing to draw; knock."))


def _refused_opening(hand: Hand, name: str, end: int) -> IllegalMove:
    if end != OPEN:
        return IllegalMove(
            "no_line", _("The line is empty: %(tile)s opens it, without an end."), tile=name
        )
    return IllegalMove(
        "forced",
        _("The hand opens with %(tile)s, and with no other tile."),
        tile=NAMES[hand.legal[0] >> 6],
    )


def _short(word: object) -> str:
    """Anything at all, made fit to stand in a sentence."""
    if not isinstance(word, str):
        return type(word).__name__
    text = word if len(word) <= 24 else word[:23] + "…"
    return "".join(c if c.isprintable() else "�" for c in text)
