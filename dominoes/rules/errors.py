"""What the rules refuse, each kind by its name.

A refusal carries a code, its parameters and an English template, which is marked for translation
by a no-op of our own (the rules know no translator); ``str()`` gives the English sentence.
"""

from typing import ClassVar


def _(template: str) -> str:
    """Marks a template for whoever collects texts to translate."""
    return template


class RulesError(ValueError):
    """Something that the rules do not allow. Nothing has changed when it is raised."""

    code: str
    params: dict[str, object]
    template: str

    def __init__(self, code: str, template: str, **params: object) -> None:
        super().__init__(template % params)
        self.code = code
        self.template = template
        self.params = params

    def __reduce__(self) -> tuple[object, ...]:
        return _rebuild, (type(self), self.__dict__.copy(), self.args)


def _rebuild(
    kind: type[RulesError], state: dict[str, object], args: tuple[object, ...]
) -> RulesError:
    error = kind.__new__(kind, *args)
    error.__dict__.update(state)
    return error


class BadOptions(RulesError):
    """A match that these rules do not offer."""


class BadDeal(RulesError):
    """A deal that the rules, or the match as it stands, do not allow."""


class IllegalMove(RulesError):
    """The seat is on turn, but may not do this."""


class NotYourTurn(RulesError):
    """Another seat is on turn."""


class NotNow(RulesError):
    """Nothing can be played at the moment, or this cannot be done at this table."""


class HandOver(NotNow):
    """The hand has ended and the next one is not dealt yet."""


class MatchOver(NotNow):
    """The match has ended."""


class BadRecord(RulesError):
    """A record that cannot be replayed: ``hand`` and ``ply`` say where (None: no record at all).

    ``reason`` is the sentence without the place.
    """

    PLACE: ClassVar[str] = _("hand %(hand)d, ply %(ply)d: %(reason)s")

    def __init__(self, reason: str, hand: int | None = None, ply: int = 0) -> None:
        self.hand = hand
        self.ply = ply
        self.reason = reason
        if hand is None:
            super().__init__("no_record", "%(reason)s", reason=reason)
        else:
            super().__init__("bad_record", self.PLACE, hand=hand, ply=ply, reason=reason)
