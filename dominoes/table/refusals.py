"""How a command says no: a code for programs, a sentence for people, a status for HTTP."""

from __future__ import annotations

from collections.abc import Mapping

from django.utils.translation import gettext as _

from dominoes.rules.errors import RulesError
from dominoes.table.words import end_name

STATUS = {
    "not_seated": 403,
    "forbidden": 403,
    "signed_out": 401,
    "no_such_room": 404,
    "not_now": 409,
    "taken": 409,
    "playing": 409,
    "over": 409,
    "stale": 409,
    "not_your_turn": 409,
    "illegal": 422,
    "rules": 422,
    "bad_message": 422,
    "rate": 429,
}


class Refused(Exception):
    """A command that was not carried out; nothing was changed."""

    def __init__(self, code: str, detail: str) -> None:
        super().__init__(detail)
        self.code = code
        self.detail = detail

    @property
    def status(self) -> int:
        """The HTTP status that fits."""
        return STATUS.get(self.code, 409)


def from_rules(error: RulesError, code: str = "illegal") -> Refused:
    """A refusal by the rules, in the reader's language."""
    try:
        detail = _(error.template) % _translated(error.params)
    except (KeyError, TypeError, ValueError):
        detail = str(error)
    return Refused(code, detail)


def _translated(params: Mapping[str, object]) -> dict[str, object]:
    """The parameters of a refusal with those words in them that are not names of the protocol."""
    words = {**params}
    if "end" in words:
        words["end"] = end_name(str(words["end"]))
    for several in ("players", "sides"):
        if isinstance(words.get(several), str):
            words[several] = str(words[several]).replace(" or ", f" {_('or')} ")
    return words


def not_seated() -> Refused:
    return Refused("not_seated", _("Take a seat at this table first."))


def not_now(detail: str) -> Refused:
    return Refused("not_now", detail)
