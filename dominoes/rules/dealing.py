"""Whether a deal is one that the rules allow now. Each fault has its own sentence."""

from collections.abc import Sequence

from dominoes.rules.errors import BadDeal, _
from dominoes.rules.results import Deal
from dominoes.rules.tiles import NAMES, TILES


def checked_deal(
    sizes: Sequence[int],
    boneyard_size: int,
    lot_due: bool,
    racks: Sequence[Sequence[int] | None],
    boneyard: Sequence[int],
    lot: Sequence[int] | None,
) -> Deal:
    """The deal as a value, or ``BadDeal``.

    ``sizes`` are the tiles due to each seat, 0 for a seat that has left.
    """
    if len(racks) != len(sizes):
        raise BadDeal(
            "racks",
            _("There are %(given)d racks for %(due)d seats."),
            given=len(racks),
            due=len(sizes),
        )
    seen = 0
    for seat, (rack, size) in enumerate(zip(racks, sizes, strict=True)):
        if rack is None:
            if size:
                raise BadDeal("no_rack", _("Seat %(seat)d has no rack."), seat=seat)
            continue
        if not size:
            raise BadDeal("left", _("Seat %(seat)d has left and is dealt to."), seat=seat)
        if len(rack) != size:
            raise BadDeal(
                "size",
                _("Seat %(seat)d is dealt %(given)d tiles in place of %(due)d."),
                seat=seat,
                given=len(rack),
                due=size,
            )
        seen = _add(seen, rack)
    if len(boneyard) != boneyard_size:
        raise BadDeal(
            "boneyard",
            _("The boneyard has %(given)d tiles in place of %(due)d."),
            given=len(boneyard),
            due=boneyard_size,
        )
    _add(seen, boneyard)
    if not lot_due:
        if lot is not None:
            raise BadDeal("lot", _("No lot is drawn for this hand."))
    elif lot is None:
        raise BadDeal("no_lot", _("The lot for the first hand is missing."))
    elif len(lot) != len(sizes):
        raise BadDeal(
            "lot_size",
            _("The lot has %(given)d tiles for %(due)d seats."),
            given=len(lot),
            due=len(sizes),
        )
    else:
        _add(0, lot)
    return Deal(
        tuple(None if rack is None else tuple(rack) for rack in racks),
        tuple(boneyard),
        None if lot is None else tuple(lot),
    )


def _add(seen: int, tiles: Sequence[int]) -> int:
    for tile in tiles:
        if not 0 <= tile < TILES:
            raise BadDeal("tile", _("%(tile)d is no tile."), tile=tile)
        if seen >> tile & 1:
            raise BadDeal("twice", _("%(tile)s is there twice."), tile=NAMES[tile])
        seen |= 1 << tile
    return seen
