"""The messages of a table's socket, read by hand and written: no database, no game.

A message is JSON text of at most 16 KiB: one object with a known `type` and fields of the right
kind. Whatever else comes is `BadMessage`, with the sender's id as far as one could be read.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import orjson
from django.utils.translation import gettext as _

from dominoes.rules.deal import clean_seed
from dominoes.rules.errors import BadDeal
from dominoes.table.phrases import PHRASES
from dominoes.table.refusals import from_rules

HTML: Final = "dominoes.html.v1"
JSON: Final = "dominoes.json.v1"
FORMATS: Final = (HTML, JSON)

# Close codes.
REPLACED_SERVER: Final = 1012
SIGNED_OUT: Final = 4401
REMOVED: Final = 4403
NO_SUCH_ROOM: Final = 4404
FLOOD: Final = 4429

MOST_BYTES: Final = 16 * 1024
MOST_ID: Final = 64
MOST_WORD: Final = 64

PLAIN: Final = frozenset({"ready", "leave", "offer_draw", "accept_draw", "claim", "ping"})


class BadMessage(ValueError):
    """A message that can't be understood; `id` is the sender's, None where none could be read."""

    def __init__(self, detail: str, id: str | None = None) -> None:
        super().__init__(detail)
        self.id = id


@dataclass(frozen=True, slots=True)
class Message:
    """One message from a client, checked for its shape."""

    type: str
    id: str | None = None
    seq: int = 0  # of a move: the position that it was made against
    move: str = ""  # a move word
    seed: str = ""  # hex, in lower case
    phrase: str = ""  # a key of PHRASES


def choose_format(offered: Sequence[str]) -> str | None:
    """The subprotocol to answer with: the client's first that we speak, None where there is none.

    A socket without one speaks JSON.
    """
    return next((name for name in offered if name in FORMATS), None)


def read(text: str | None) -> Message:
    """Read a client's message; None stands for a binary one. Raises BadMessage."""
    if text is None:
        raise BadMessage(_("Send text: one JSON object a message."))
    try:
        raw = text.encode()
        found = orjson.loads(raw) if len(raw) <= MOST_BYTES else None
    except (UnicodeEncodeError, orjson.JSONDecodeError):
        raise BadMessage(_("This is not JSON.")) from None
    if not isinstance(found, dict):
        raise BadMessage(_("A message is one JSON object."))
    return _checked(found)


def _checked(found: dict[str, Any]) -> Message:
    kind, id = found.get("type"), found.get("id")
    if id is not None and not _is_id(id):
        raise BadMessage(_("An id is a text of 1 to 64 characters."))
    if not isinstance(kind, str):
        raise BadMessage(_("A message says its type."), id)
    if kind in PLAIN:
        return Message(kind, id)
    if kind == "move":
        return _move(found, id)
    if kind == "seed":
        try:
            return Message(kind, id, seed=clean_seed(found.get("seed")))
        except BadDeal as fault:
            raise BadMessage(from_rules(fault).detail, id) from None
    if kind == "say":
        phrase = found.get("phrase")
        if not isinstance(phrase, str) or phrase not in PHRASES:
            raise BadMessage(_("This is none of the phrases that can be said here."), id)
        return Message(kind, id, phrase=phrase)
    raise BadMessage(_("Messages of this type are not known."), id)


def _move(found: dict[str, Any], id: str | None) -> Message:
    seq, word = found.get("seq"), found.get("move")
    if id is None:
        raise BadMessage(_("A move carries an id of your own making."))
    if type(seq) is not int or seq < 0:
        raise BadMessage(_("A move names the seq of the picture that it was made on."), id)
    if not isinstance(word, str) or not word or len(word) > MOST_WORD:
        raise BadMessage(_("A move is a move word, like “6-4 left”."), id)
    return Message("move", id, seq=seq, move=word)


def _is_id(id: object) -> bool:
    # A NUL can't be stored by every database.
    return isinstance(id, str) and 0 < len(id) <= MOST_ID and "\0" not in id


def ok(id: str | None, seq: int) -> str:
    """The answer to what was carried out: it is stored, `seq` is the table's."""
    return _text({"type": "ok", "id": id, "seq": seq})


def error(id: str | None, code: str, detail: str) -> str:
    """The answer to what was refused: a code for programs, a sentence for people."""
    return _text({"type": "error", "id": id, "code": code, "detail": detail})


def pong(seq: int) -> str:
    """The answer to a ping: where the table stands."""
    return _text({"type": "pong", "seq": seq})


def said(seat: int, phrase: str) -> str:
    """A phrase, for everybody at the table."""
    return _text({"type": "said", "seat": seat, "phrase": phrase})


def _text(message: dict[str, Any]) -> str:
    return orjson.dumps(message).decode()
