"""Who would rather not sit with whom. The lobby keeps that; here is what follows from it.

Nobody is told that somebody avoids them, only that this table isn't for them.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable

from django.utils.translation import gettext as _

from dominoes.table.live import Holder
from dominoes.table.refusals import Refused

# Of people, and of others: the pairs (one, other) in which the one avoids the other.
Source = Callable[[Collection[int], Collection[int]], Iterable[tuple[int, int]]]

_sources: list[Source] = []


def register(source: Source) -> None:
    """Ask this one, too; an app says so when it is loaded."""
    if source not in _sources:
        _sources.append(source)


def avoiding(people: Collection[int], others: Collection[int]) -> frozenset[tuple[int, int]]:
    """The pairs in which one of `people` avoids one of `others`."""
    if not people or not others:
        return frozenset()
    return frozenset(pair for source in _sources for pair in source(people, others))


def is_shut_out(player_id: int | None, host_id: int | None) -> bool:
    """Whether the host avoids this person, who then has no business at the host's table."""
    if player_id is None or host_id is None or player_id == host_id:
        return False
    return bool(avoiding([host_id], [player_id]))


def may_sit(player_id: int, seated: Collection[Holder]) -> None:
    """Raises Refused where one of those who sit avoids this person, or the other way round."""
    names = {h.player_id: h.name for h in seated if h.player_id is not None}
    people = [*names, player_id]
    pairs = avoiding(people, people)
    for one, other in sorted(pairs):
        if one == player_id:
            raise Refused(
                "forbidden",
                _(
                    "%(name)s sits here, and you don't want to be paired with them. Choose another "
                    "table, or take the name off your list first."
                )
                % {"name": names[other]},
            )
    if any(other == player_id for _one, other in pairs):
        raise not_for_you()


def not_for_you() -> Refused:
    """For somebody who is avoided: it says no more than that."""
    return Refused("forbidden", _("You can't sit at this table. Choose another one."))
