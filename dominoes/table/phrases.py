"""What people can say at the table: a fixed list, so that nothing has to be moderated.

No phrase speaks of tiles, numbers or the play to come: what is said can't carry a hint worth more
than the moment at which it is said, and during a partnership hand nothing can be said at all.
"""

from __future__ import annotations

from collections import deque
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

MOST: Final = 10
"""Phrases that a person may say at a table in `WITHIN` seconds; each is a message to everybody."""

WITHIN: Final = 10.0


class Pace:
    """What people said lately, over all their sockets of this process: how often, by which ids.

    Also of other things that they do at a table, and at most so often: `most` times `within` so
    many seconds.
    """

    def __init__(self, most: int = MOST, within: float = WITHIN) -> None:
        self._most, self._within = most, within
        # By table and person, who spoke last at the end: when the latest phrases were said, and
        # the ids that they were said by.
        self._said: dict[tuple[str, int], deque[tuple[float, str | None]]] = {}

    def knows(self, code: str, player_id: int, id: str | None) -> bool:
        """Whether this person said something by that id lately: then it was heard already."""
        said = self._said.get((code, player_id), ())
        return id is not None and any(id == one for _at, one in said)

    def seconds_to_wait(
        self, code: str, player_id: int, now: float, id: str | None = None
    ) -> float:
        """Count a phrase, unless it is one too many; then say in how many seconds it isn't."""
        while self._said:
            longest_silent = next(iter(self._said))
            if now - self._said[longest_silent][-1][0] < self._within:
                break
            del self._said[longest_silent]
        said = self._said.get((code, player_id)) or deque(maxlen=self._most)
        if len(said) == self._most and now - said[0][0] < self._within:
            return self._within - (now - said[0][0])
        said.append((now, id))
        self._said.pop((code, player_id), None)
        self._said[code, player_id] = said
        return 0.0
