"""Taking a finished match out of all figures, and knowing that one was."""

from __future__ import annotations

from django.utils.translation import gettext as _

from dominoes.table.models import Match
from dominoes.table.results import GAME, key_of
from ranking.acts import Act
from ranking.models import Player, Result
from ranking.results import void_result


def void(match: Match, by: Player | None, reason: str) -> None:
    """Void a match: points and ratings are as if it had never been; logged with the reason.

    Its players alone read the reason, on the match's page and in their history. Raises ValueError,
    with a sentence, without a reason, for a match that is void already or isn't in the ladder's
    books, and where `by` played in it (superusers may, see `ranking.acts.not_own_cause`).
    """
    if not reason.strip():
        raise ValueError(_("Please say why."))
    if void_result(key_of(match.pk), by, reason) is None:
        raise ValueError(_("This match has no result that could be voided."))


def void_reason(match_id: str) -> str | None:
    """Why a match is void; None for one that counts. For its players and for keepers."""
    if not voided([match_id]):
        return None
    acts = Act.objects.filter(what="void", key=key_of(match_id))
    return acts.values_list("reason", flat=True).first() or ""


def voided(match_ids: list[str]) -> set[str]:
    """Of many matches, those that are void."""
    keys = {key_of(match_id): match_id for match_id in match_ids}
    results = Result.objects.filter(game=GAME, key__in=keys, voided_at__isnull=False)
    return {keys[key] for key in results.values_list("key", flat=True)}
