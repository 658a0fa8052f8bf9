"""The texts of a push, each looked up once in a language and then remembered.

A push to a table's page holds some hundred short texts. Django's own look-up (the task's language,
the chain of catalogues) took a quarter of what it costs to render one.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from django.utils import translation

# By language, what was looked up: as many texts as the page has, at most.
_known: dict[str, dict[str, str]] = {}
_now: ContextVar[dict[str, str] | None] = ContextVar("texts of a push", default=None)


@contextmanager
def language(code: str) -> Iterator[None]:
    """Within the block texts are in that language, for Django and here; don't change it inside."""
    with translation.override(code):
        token = _now.set(_known.setdefault(code, {}))
        try:
            yield
        finally:
            _now.reset(token)


def gettext(message: str) -> str:
    """Django's `gettext`; within a `language` block, remembered."""
    known = _now.get()
    if known is None:
        return translation.gettext(message)
    text = known.get(message)
    if text is None:
        text = known[message] = translation.gettext(message)
    return text
