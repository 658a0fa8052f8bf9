"""A player's matches, newest first, with filters and pages."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import Q
from django.utils.translation import gettext as _

from ranking.acts import Act
from ranking.models import Player, RatingChange, Side
from ranking.titles import variant_title

PAGE = 30
"""Matches on a page."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which matches are asked for; what is empty doesn't matter."""

    game: str = ""
    variant: str = ""
    counted_as: str = ""
    outcome: str = ""
    seats: int | None = None
    other: Player | None = None
    voided: bool = False
    """Whether voided matches are listed too (the history shows them, as void)."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A match as one of its players sees it."""

    id: int
    key: str
    url: str
    game: str
    variant: str
    seats: int
    kind: str
    counted_as: str
    rated: bool
    ended_at: datetime
    outcome: str
    points: int
    change: int | None
    left: bool
    partner_left: bool
    voided: bool
    void_reason: str
    own_side: int
    everyone: tuple["Sitter", ...]

    @property
    def title(self) -> str:
        """The variant's name for people."""
        return variant_title(self.game, self.variant)

    @property
    def change_size(self) -> int:
        """How far the rating moved, whichever way."""
        return abs(self.change or 0)

    @property
    def partners(self) -> list["Sitter"]:
        """Those of the player's own side."""
        return [one for one in self.everyone if one.side == self.own_side and not one.me]

    @property
    def others(self) -> list["Sitter"]:
        """Those of the other sides."""
        return [one for one in self.everyone if one.side != self.own_side]


@dataclass(frozen=True, slots=True)
class Sitter:
    """Who sat in a seat; `name` is None where a bot did, or someone who is gone since."""

    seat: int
    side: int
    name: str | None
    bot: str
    outcome: str
    left: bool
    me: bool

    @property
    def shown(self) -> str:
        """What a page calls them."""
        if self.name is not None:
            return self.name
        return _("Computer") if self.bot else _("a closed account")


class NoSuchPlace(ValueError):
    """The place to go on from is not one of this player's matches."""


def reads_reasons(reader: Player | None) -> bool:
    """Whether that person reads why any match is void: those who may read the keepers' log."""
    return reader is not None and reader.is_staff and reader.has_perm("ranking.view_act")


def matches(
    player: Player,
    wanted: Wanted | None = None,
    before: int | None = None,
    size: int = PAGE,
    *,
    reader: Player | None = None,
) -> tuple[list[Entry], int | None]:
    """A page of the player's matches, and the `before` of the next page (None on the last).

    Why one is void is told to a `reader` who sat in it or keeps the log, and to nobody else.
    Raises NoSuchPlace when `before` is no such value.
    """
    wanted = wanted or Wanted()
    rows = Side.objects.filter(_condition(wanted), player=player)
    if before is not None:
        place = Side.objects.filter(pk=before, player=player).values_list("ended_at").first()
        if place is None:
            raise NoSuchPlace
        rows = rows.filter(Q(ended_at__lt=place[0]) | Q(ended_at=place[0], id__lt=before))
    page = list(rows.select_related("result").order_by("-ended_at", "-id")[: size + 1])
    more, page = len(page) > size, page[:size]
    results = [side.result_id for side in page]
    changes = {
        result: round(after) - round(was)
        for result, was, after in RatingChange.objects.filter(
            player=player, result__in=results
        ).values_list("result_id", "before", "rating")
    }
    voided = [side.result.key for side in page if side.result.voided_at is not None]
    reasons: dict[str, str] = {}
    if voided and reader is not None:
        if not reads_reasons(reader):
            own = Side.objects.filter(player=reader, result__key__in=voided)
            voided = list(own.values_list("result__key", flat=True))
        acts = Act.objects.filter(what="void", key__in=voided)
        reasons = dict(acts.values_list("key", "reason"))
    sitters = _sitters(player, results)
    entries = [_entry(side, changes, reasons, tuple(sitters[side.result_id])) for side in page]
    return entries, page[-1].pk if more else None


def _condition(wanted: Wanted) -> Q:
    asked: dict[str, Any] = {
        "result__game": wanted.game,
        "result__variant": wanted.variant,
        "counted_as": wanted.counted_as,
        "outcome": wanted.outcome,
        "result__seats": wanted.seats,
    }
    condition = Q(**{name: value for name, value in asked.items() if value})
    if not wanted.voided:
        condition &= Q(result__voided_at=None)
    if wanted.other is not None:
        met = Side.objects.filter(player=wanted.other).values("result")
        condition &= Q(result__in=met)
    return condition


def _sitters(player: Player, results: list[int]) -> dict[int, list[Sitter]]:
    """Who sat in these matches, by seat. Read without making objects of their accounts."""
    found: dict[int, list[Sitter]] = {result: [] for result in results}
    rows = Side.objects.filter(result__in=results).order_by("seat")
    for result, pk, name, closed, seat, side, bot, outcome, left in rows.values_list(
        "result_id",
        "player_id",
        "player__name",
        "player__closed_at",
        "seat",
        "side",
        "bot",
        "outcome",
        "left",
    ):
        shown = None if closed is not None else name
        found[result].append(Sitter(seat, side, shown, bot, outcome, left, pk == player.pk))
    return found


def _entry(
    side: Side, changes: dict[int, int], reasons: dict[str, str], everyone: tuple[Sitter, ...]
) -> Entry:
    result = side.result
    voided = result.voided_at is not None
    return Entry(
        id=side.pk,
        key=result.key,
        url=result.url,
        game=result.game,
        variant=result.variant,
        seats=result.seats,
        kind=result.kind,
        counted_as=side.counted_as,
        rated=side.result_id in changes,
        ended_at=side.ended_at,
        outcome=side.outcome,
        points=0 if voided else side.points,
        change=changes.get(side.result_id),
        left=side.left,
        partner_left=side.partner_left,
        voided=voided,
        void_reason=reasons.get(result.key, ""),
        own_side=side.side,
        everyone=everyone,
    )
