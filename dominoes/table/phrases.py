"""What people can say at the table: a fixed list, so that nothing has to be moderated.

No phrase speaks of tiles, numbers or the play to come: what is said can't carry a hint worth more
than the moment at which it is said, and during a partnership hand nothing can be said at all.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from django.utils.translation import gettext_lazy as _

if TYPE_CHECKING:
    from django.utils.functional import _StrPromise

PHRASES: Final[dict[str, _StrPromise]] = {
    "hello": _("Hello everyone!"),
    "luck": _("Good luck!"),
    "nice": _("Nice play!"),
    "wow": _("Wow!"),
    "oops": _("Oops!"),
    "close": _("That was close!"),
    "well_done": _("Well done!"),
    "thanks": _("Thank you!"),
    "sorry": _("Sorry!"),
    "good_game": _("Good game!"),
    "again": _("Shall we play again?"),
    "moment": _("One moment, please."),
    "bye": _("I have to go. Bye!"),
}
"""Key, as it travels, and the sentence that a page shows for it in the reader's language."""
