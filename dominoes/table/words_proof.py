"""What a browser says of the deals of a match that it has checked (static/js/fair.js)."""

from __future__ import annotations

from django.utils.translation import gettext as _


def proof_texts() -> dict[str, str]:
    """The sentences by name; those of a fault are named as the script names it."""
    return {
        "right_one": _("The deal of the one hand is right: nobody chose it."),
        "right": _("All deals of %(hands)s hands are right: nobody chose them."),
        "own": _("The seed that this browser gave is among those used."),
        "other": _(
            "The seed that this browser gave is not among those used. That is as it should be if "
            "you gave another one later, on another device or in another window, or did not play "
            "this match in the end."
        ),
        "failed": _("The record could not be read. Try again in a moment."),
        "no_record": _("This is no match record with a proof of its deals."),
        "no_proof": _("This record carries no proof of its deals, so there is nothing to check."),
        "seeds": _(
            "The proof does not give a seed for each seat, so the deals cannot be worked out."
        ),
        "hex": _("The proof is not written in hex digits as it should be."),
        "counts": _(
            "Hands in this record: %(hands)s, but sealed numbers: %(values)s. There should be as "
            "many of the one as of the other."
        ),
        "chain": _("The number of hand %(hand)s does not belong to the seal."),
        "racks": _("In hand %(hand)s, there should be %(due)s racks."),
        "left": _("In hand %(hand)s, %(seat)s has left and is dealt to."),
        "no_lot": _("In hand %(hand)s, no lot is drawn, but the record has one."),
        "lot_size": _("In hand %(hand)s, the lot should have %(due)s tiles."),
        "rack_size": _("In hand %(hand)s, the rack of %(seat)s should have %(due)s tiles."),
        "boneyard_size": _("In hand %(hand)s, the boneyard should have %(due)s tiles."),
        "lot_tile": _(
            "In hand %(hand)s, tile %(place)s of the lot is %(tile)s, but the sealed numbers give "
            "%(due)s."
        ),
        "rack_tile": _(
            "In hand %(hand)s, tile %(place)s of the rack of %(seat)s is %(tile)s, but the sealed "
            "numbers give %(due)s."
        ),
        "boneyard_tile": _(
            "In hand %(hand)s, tile %(place)s of the boneyard is %(tile)s, but the sealed numbers "
            "give %(due)s."
        ),
        "doubt": _("Perhaps a seed was changed."),
        "seat": _("seat %(seat)s"),
        "seat_of": _("seat %(seat)s (%(name)s)"),
    }
