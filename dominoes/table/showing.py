"""One state of a table, rendered for those who look at it: shared parts once, own parts a seat.

Lives for one round of sending, so that `now` is true for everyone whom it reaches.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass, field

import orjson

from dominoes.table import fragments, pictures, quick
from dominoes.table.live import Live
from dominoes.table.pictures import TableState
from dominoes.table.words_say import Heard, heard, say

# Rendered elements by id: each a member of a JSON object, ready to be sent.
Parts = dict[str, bytes]


@dataclass(slots=True)
class Page:
    """What a page shows already: marks of its elements, and what its reader heard.

    The marks are shared by all pages that were sent the same, so a waiting page costs little.
    """

    shared: Mapping[str, int] = field(default_factory=dict)
    own: Mapping[str, int] = field(default_factory=dict)
    heard: Heard | None = None


class Showing:
    """A table's newest state in this process, with what was rendered of it so far."""

    __slots__ = ("_common", "_heard", "_json", "_own", "_shared", "live", "state")

    def __init__(self, live: Live, now: float | None = None) -> None:
        self.live = live
        self.state: TableState = pictures.state_of(live, time.time() if now is None else now)
        self._common: bytes | None = None
        self._json: dict[int | None, str] = {}
        self._shared: dict[str, tuple[Parts, dict[str, int]]] = {}
        self._own: dict[tuple[int | None, str], tuple[Parts, dict[str, int]]] = {}
        self._heard: Heard | None = None

    def json(self, seat: int | None) -> str:
        """The whole picture for that seat (None: a spectator), as programs get it."""
        text = self._json.get(seat)
        if text is None:
            if self._common is None:
                self._common = orjson.dumps(pictures.shared_json(self.state, self.live.view(None)))
            own = orjson.dumps(pictures.own_json(self.live.view(seat), seat))
            # Both are JSON objects: the one's members are written behind the other's.
            text = self._json[seat] = (self._common[:-1] + b"," + own[1:]).decode()
        return text

    def html(self, seat: int | None, language: str, page: Page) -> str:
        """What has changed on a page since it was last shown something; `page` is brought up."""
        with quick.language(language):
            shared, shared_marks = self._shared_parts(language)
            own, own_marks = self._own_parts(seat, language)
            view = self.live.view(seat)
            sentence = say(page.heard, self.state, view, seat)
        changed = [part for id, part in shared.items() if page.shared.get(id) != shared_marks[id]]
        changed += [part for id, part in own.items() if page.own.get(id) != own_marks[id]]
        page.shared, page.own = shared_marks, own_marks
        if self._heard is None:
            self._heard = heard(self.state, view)  # the same for every viewer
        page.heard = self._heard
        state = self.state
        head = orjson.dumps(
            {
                "type": "table",
                "seq": state.seq,
                "now": pictures.iso(state.now),
                "due": pictures.due_json(state.due),
                "say": sentence,
                "turn": state.status == "playing" and view is not None and view.turn == seat,
            }
        )
        return (head[:-1] + b',"html":{' + b",".join(changed) + b"}}").decode()

    def _shared_parts(self, language: str) -> tuple[Parts, dict[str, int]]:
        found = self._shared.get(language)
        if found is None:
            parts = _encoded(fragments.shared(self.state, self.live.view(None)))
            found = self._shared[language] = parts, _marks(parts)
        return found

    def _own_parts(self, seat: int | None, language: str) -> tuple[Parts, dict[str, int]]:
        key = seat, language
        found = self._own.get(key)
        if found is None:
            parts = _encoded(fragments.own(self.state, self.live.view(seat), seat))
            found = self._own[key] = parts, _marks(parts)
        return found


def _encoded(parts: Mapping[str, str]) -> Parts:
    return {id: orjson.dumps({id: str(html)})[1:-1] for id, html in parts.items()}


def _marks(parts: Parts) -> dict[str, int]:
    return {id: hash(part) for id, part in parts.items()}
