"""What several tests of the lobby look at: what pages say, and who seems to be at a table."""

import re
import time
from typing import Any

from django.contrib.messages import get_messages

from dominoes.table.models import Process, Seat, Socket, Table

# What the API tells of a room.
ROOM = {
    "code", "rules", "options", "kind", "ranked", "status", "host", "seats", "match", "commit",
}  # fmt: skip


def said(answer: Any) -> list[str]:
    """The messages that an answer leaves for the next page."""
    return [str(message) for message in get_messages(answer.wsgi_request)]


def text(answer: Any) -> str:
    """A page's text, without its tags."""
    plain = re.sub(r"<(script|style)\b.*?</\1>|<[^>]+>", " ", answer.content.decode(), flags=re.S)
    return re.sub(r"\s+", " ", plain)


def sockets_at(code: str, *seats: int, age: float = 0.0) -> None:
    """Sockets of these seats on a process whose heart last beat `age` seconds ago."""
    process, _ = Process.objects.update_or_create(id="p", defaults={"beat": time.time() - age})
    table = Table.objects.get(code=code)
    for seat in seats:
        Socket.objects.create(process=process, table=table, seat=seat)


def long_ago(code: str) -> None:
    """Nobody sat down there lately."""
    Seat.objects.filter(table__code=code).update(sat_at=time.time() - 600)
