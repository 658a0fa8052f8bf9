"""Many hands to a target: dealing, playing by words, leaving, agreeing, and who has won.

A match changes only through ``deal``, ``play``, ``leave``, ``agree`` and ``abandon``; each either
does what it says or raises a ``RulesError`` and changes nothing. Nothing else in the project
decides what is legal, what scores, who opens or who wins.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Self

from dominoes.rules.dealing import checked_deal
from dominoes.rules.errors import BadDeal, HandOver, MatchOver, NotNow, NotYourTurn, _
from dominoes.rules.explain import MoveView, tell_moves
from dominoes.rules.hand import STOPPED, Hand
from dominoes.rules.moves import KNOCK, WORDS
from dominoes.rules.options import Options
from dominoes.rules.refusals import refusal
from dominoes.rules.results import Deal, HandLog, HandResult, MatchResult, Opener
from dominoes.rules.systems import SYSTEMS
from dominoes.rules.systems.base import next_in
from dominoes.rules.tiles import HEAVIEST_ORDER, names_in, rack_of


class Match:
    """A match from its first deal to its end; see the properties for what may be read.

    ``phase`` is ``deal`` while a hand must be dealt, ``play``, or ``over``. Outside of ``play``
    the hand last played stays readable.
    """

    __slots__ = (
        "_base",
        "_earlier",
        "_inside",
        "_last_opener",
        "_last_winner",
        "_told",
        "current",
        "hand",
        "hand_number",
        "hand_result",
        "opener",
        "options",
        "phase",
        "result",
        "scores",
        "system",
    )

    def __init__(self, options: Options) -> None:
        self.options = options
        self.system = SYSTEMS[options.rules]
        self.scores: list[int | None] = [0] * options.side_count
        self.hand_number = 0
        self.phase = "deal"
        self.hand: Hand | None = None
        self.current: Deal | None = None
        self.opener: Opener | None = None
        self.hand_result: HandResult | None = None
        self.result: MatchResult | None = None
        self._inside = (1 << options.players) - 1
        self._last_opener = -1
        self._last_winner: int | None = None
        self._earlier: tuple[HandLog, ...] = ()
        self._base: dict[str, Any] | None = None
        self._told: tuple[MoveView, ...] = ()

    def copy(self) -> Self:
        """The same match again, free to go on another way. Finished hands are shared."""
        twin = object.__new__(type(self))
        for name in Match.__slots__:
            setattr(twin, name, getattr(self, name))
        twin.scores = self.scores.copy()
        if self.hand is not None:
            twin.hand = self.hand.copy()
        return twin

    # What may be read

    @property
    def ply(self) -> int:
        """How many words have been said in the present hand."""
        return 0 if self.hand is None else len(self.hand.moves)

    @property
    def turn(self) -> int | None:
        """The seat on turn, None when no hand is played."""
        if self.hand is None or self.phase != "play":
            return None
        return self.hand.turn

    @property
    def left(self) -> frozenset[int]:
        """The seats that have left for good."""
        return frozenset(s for s in range(self.options.players) if not self._inside >> s & 1)

    @property
    def lot_due(self) -> bool:
        """Whether the next deal comes with a lot."""
        return self.hand_number == 0 and self.system.lot_due(self.options)

    @property
    def rack_sizes(self) -> tuple[int, ...]:
        """Tiles due to each seat at the next deal: 0 for a seat that has left."""
        size = self.system.rack_size(self.options.players)
        return tuple(
            size if self._inside >> seat & 1 else 0 for seat in range(self.options.players)
        )

    @property
    def boneyard_size(self) -> int:
        """Tiles in the boneyard at the next deal; what is left over else stays out of play."""
        return self.system.boneyard_size(self.options.players, self._inside.bit_count())

    @property
    def must_open(self) -> str | None:
        """The tile that must open the hand, while it is still to be opened; None: any tile."""
        hand = self.hand
        if hand is None or hand.begun or self.phase != "play":
            return None
        tile = self.system.must_open(self.options, self.hand_number == 1, hand.racks)
        return None if tile is None else WORDS[hand.legal[0]]

    def legal_words(self) -> list[str]:
        """What the seat on turn may say, sorted as strings; empty when nobody is on turn."""
        if self.hand is None:
            return []
        return sorted(WORDS[move] for move in self.hand.legal)

    def timeout_word(self) -> str:
        """The word made for a seat whose time is out: the heaviest legal tile, left before right
        before up before down; else a draw; else the knock. Raises ``NotNow`` with nobody on turn.
        """
        hand = self._hand_in_play()
        best = max(hand.legal, key=lambda move: (_order(move), -(move >> 3 & 7)))
        return WORDS[best]

    def winning_opener(self) -> int | None:
        """The seat that opens a rematch (its option ``opens``); None: as any first hand.

        All Fives: the winner; in partners the seat that won the last hand for that side, else the
        side's lower seat; after an agreed draw the lot again.
        """
        if "opens" not in self.system.choices or self.result is None:
            return None
        winner = self.result.winner
        if winner is None:
            return None
        if self.hand_result is not None and self.hand_result.winner == winner:
            return self._last_winner
        return self.options.seats_of(winner)[0]

    def moves(self) -> tuple[MoveView, ...]:
        """Every word of the present hand, what it scored and why. What was told once is kept."""
        if self.hand is None:
            return ()
        if len(self._told) < self.ply:
            self._told = tell_moves(self.hand, f"{self.system.name}.play", self._told)
        return self._told

    def logs(self) -> tuple[HandLog, ...]:
        """Every hand so far as dealt and played (after ``resume``: from the present hand on)."""
        if self.hand is None or self.current is None:
            return self._earlier
        words = tuple(WORDS[move] for move in self.hand.moves)
        return (*self._earlier, HandLog(self.current, words))

    def base(self) -> dict[str, Any]:
        """What the match was just before the present hand was dealt, as plain JSON data.

        Before the first deal: the match as it stands.
        """
        base = self._as_base() if self._base is None else self._base
        return {**base, "scores": list(base["scores"]), "left": list(base["left"])}

    def _as_base(self) -> dict[str, Any]:
        return {
            "hand_number": self.hand_number,
            "scores": list(self.scores),
            "left": sorted(self.left),
            "last_opener": self._last_opener,
            "last_winner": self._last_winner,
        }

    @classmethod
    def resume(cls, options: Options, base: Mapping[str, Any]) -> Self:
        """A match that must be dealt to, as ``base`` described it.

        Dealing and saying one hand's words again brings it up to date without the earlier hands.
        """
        match = cls(options)
        match.hand_number = base["hand_number"]
        match.scores = list(base["scores"])
        for seat in base["left"]:
            match._inside &= ~(1 << seat)
        match._last_opener = base["last_opener"]
        match._last_winner = base["last_winner"]
        return match

    # What changes it

    def deal(
        self,
        racks: Sequence[Sequence[int] | None],
        boneyard: Sequence[int],
        lot: Sequence[int] | None = None,
    ) -> None:
        """Deal the next hand: tiles by seat (None: left), the boneyard in the order of drawing.

        Raises ``BadDeal``, also while a hand is played or after the match.
        """
        if self.phase == "over":
            raise BadDeal("over", _("The match has ended; no hand can follow."))
        if self.phase == "play":
            raise BadDeal("playing", _("The hand before is not over yet."))
        deal = checked_deal(self.rack_sizes, self.boneyard_size, self.lot_due, racks, boneyard, lot)
        self._base = self._as_base()
        self._earlier = self.logs()
        self._told = ()
        self.hand_number += 1
        self.current = deal
        self.hand_result = None
        wanting = [self.options.target - (score or 0) for score in self.scores]
        self.hand = self.system.new_hand(
            self.options, [rack_of(rack or ()) for rack in deal.racks], deal.boneyard, wanting
        )
        self.phase = "play"
        if not self._force_opening(self.hand):
            self._choose_opener(self.hand, deal)

    def play(self, seat: int, word: str) -> None:
        """Play a word (``6-4``, ``6-4 left``, ``draw``, ``knock``) for the seat on turn."""
        hand = self._hand_in_play()
        if seat != hand.turn:
            raise NotYourTurn("not_your_turn", _("It is not your turn."), turn=hand.turn)
        for move in hand.legal:
            if WORDS[move] == word:
                break
        else:
            raise refusal(hand, word)
        hand.play(move)
        if hand.scored:
            side = self.options.sides_by_seat[seat]
            self.scores[side] = (self.scores[side] or 0) + hand.scored
        if hand.over:
            self._close(hand)

    def leave(self, seat: int) -> None:
        """A seat is out: with two sides the match is lost, else it goes on among the others.

        It may come at any time after the first deal, also between hands.
        """
        hand = self._hand_begun()
        if type(seat) is not int or not 0 <= seat < self.options.players:
            raise NotNow("no_seat", _("There is no such seat to leave."))
        if not self._inside >> seat & 1:
            raise NotNow("left", _("Seat %(seat)d has left already."), seat=seat)
        side = self.options.side_of(seat)
        self._inside &= ~(1 << seat)
        if self.options.two_sided:
            hand.give_up(seat)
            self._stop(hand, MatchResult("forfeit", 1 - side, seat))
            return
        hand.leave(seat)
        self.scores[side] = None
        if self._inside.bit_count() == 1:
            last = self._inside.bit_length() - 1
            self._stop(hand, MatchResult("forfeit", self.options.side_of(last), seat))
        elif self.phase == "play":
            if hand.over:
                self._close(hand)
            elif not hand.begun and not self._force_opening(hand) and hand.turn == seat:
                self._open(hand, next_in(self._inside, seat), "next")

    def agree(self) -> None:
        """Both sides have agreed to a draw. Only in a match of two sides."""
        hand = self._hand_begun()
        if not self.options.two_sided:
            raise NotNow("sides", _("A draw can be agreed only between two sides."))
        hand.agree()
        self._stop(hand, MatchResult("agreed", None))

    def abandon(self) -> None:
        """The table gives the match up: it ends without a result. Not a word of the record.

        ``result`` stays None; a hand that was being played is stopped.
        """
        self._stop(self._hand_begun(), None)

    # How

    def _hand_in_play(self) -> Hand:
        if self.phase == "over":
            raise MatchOver("match_over", _("The match is over."))
        if self.phase != "play" or self.hand is None:
            raise HandOver("hand_over", _("No hand is being played; the next one is to be dealt."))
        return self.hand

    def _hand_begun(self) -> Hand:
        if self.phase == "over":
            raise MatchOver("match_over", _("The match is over."))
        if self.hand is None:
            raise NotNow("not_begun", _("The match has not begun: no hand is dealt yet."))
        return self.hand

    def _force_opening(self, hand: Hand) -> bool:
        """Where a tile must open: give the opening to whoever holds it among the seats still in."""
        tile = self.system.must_open(self.options, self.hand_number == 1, hand.racks)
        if tile is None:
            return False
        holder = next(seat for seat, rack in enumerate(hand.racks) if rack >> tile & 1)
        self._open(hand, holder, "forced", tile)
        return True

    def _choose_opener(self, hand: Hand, deal: Deal) -> None:
        """The opener of a hand that may open with any tile."""
        order = self.system.lot_order
        if self.hand_number > 1:
            if self.system.later == "won" and self._last_winner is not None:
                seat, why = self._last_winner, "won"
            else:
                seat, why = next_in(self._inside, self._last_opener), "next"
        elif deal.lot is not None and order is not None:
            seat, why = deal.lot.index(max(deal.lot, key=order.__getitem__)), "lot"
        else:
            seat, why = self.options.opens or 0, "rematch"
        if not self._inside >> seat & 1:
            seat, why = next_in(self._inside, seat), "next"
        self._open(hand, seat, why)

    def _open(self, hand: Hand, seat: int, why: str, tile: int | None = None) -> None:
        hand.open_with(seat, tile)
        self.opener = Opener(seat, why)

    def _close(self, hand: Hand) -> None:
        """The hand has ended by itself: award it, and see whether the match is over too."""
        self.hand_result = result = self._hand_result(hand)
        self._last_opener = hand.opener
        self._last_winner = result.explain.seat
        self.phase = "deal"
        if result.winner is not None:
            self.scores[result.winner] = (self.scores[result.winner] or 0) + result.points
        for side, score in enumerate(self.scores):
            if score is not None and score >= self.options.target:
                self.phase = "over"
                self.result = MatchResult("target", side)

    def _stop(self, hand: Hand, result: MatchResult | None) -> None:
        """The match has ended; a hand that was still played is stopped without an award."""
        if self.phase == "play":
            hand.end(STOPPED)
            self.hand_result = self._hand_result(hand)
        self.phase = "over"
        self.result = result

    def _hand_result(self, hand: Hand) -> HandResult:
        score = self.system.settle(hand, self.options)
        racks = tuple(
            names_in(rack) if hand.inside >> seat & 1 else None
            for seat, rack in enumerate(hand.racks)
        )
        return HandResult(score.how, score.winner, score.points, racks, score)


def _order(move: int) -> int:
    return HEAVIEST_ORDER[move >> 6] if move < KNOCK else -1
