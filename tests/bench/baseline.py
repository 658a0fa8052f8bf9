"""What the site is measured against: a bare consumer that does less.

A message from one seat is one ORM transaction (update the row, select it, insert an event) and a
`group_send` to the table's sockets. Nothing is checked, nothing rendered, nobody signs in. The web
server, the database settings and the layer are the site's own.

``python -m tests.bench.baseline --fd N`` serves on a listening socket until SIGTERM.
"""

from __future__ import annotations

import argparse
import json
import os
import socket
from typing import Any


async def _nothing() -> None:
    """There is nothing to end."""


def main() -> None:
    """Make the tables and serve."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--fd", type=int, required=True)
    parser.add_argument("--tables", type=int, required=True)
    asked = parser.parse_args()
    os.environ["DJANGO_SETTINGS_MODULE"] = "tests.bench.baseline_settings"
    # First of all: this installs the reactor.
    from dominoes.table import server  # isort: skip
    import django

    django.setup()
    from channels.routing import ProtocolTypeRouter, URLRouter
    from django.core.handlers.asgi import ASGIHandler
    from django.db import connection
    from django.urls import re_path

    from tests.bench.models import Happening, Place

    with connection.schema_editor() as editor:
        editor.create_model(Place)
        editor.create_model(Happening)
    Place.objects.bulk_create(Place(code=f"bare{n}") for n in range(asked.tables))
    connection.close()
    sockets = URLRouter([re_path(r"^ws/table/(?P<code>\w+)/$", _consumer().as_asgi())])
    application = ProtocolTypeRouter({"http": ASGIHandler(), "websocket": sockets})
    server.TableServer(
        application,
        [socket.socket(fileno=asked.fd)],
        on_start=lambda: None,
        on_stop=_nothing,
        busy=lambda: 0,
    ).run()


def _consumer() -> Any:
    from channels.db import database_sync_to_async
    from channels.generic.websocket import AsyncWebsocketConsumer
    from django.db import connection, transaction
    from django.db.models import F

    from tests.bench.models import Happening, Place

    def store(code: str, seat: int, word: str) -> int:
        with transaction.atomic():
            Place.objects.filter(code=code).update(seq=F("seq") + 1, word=word)
            row = Place.objects.get(code=code)
            Happening.objects.create(place=row, number=row.seq, seat=seat, word=word)
        return row.seq

    # Each database in the way that is faster for it: one thread that keeps its connection, or
    # several that share a pool.
    stored = database_sync_to_async(store, thread_sensitive=connection.vendor == "sqlite")

    class Bare(AsyncWebsocketConsumer):
        async def connect(self) -> None:
            self.code = self.scope["url_route"]["kwargs"]["code"]
            await self.channel_layer.group_add(self.code, self.channel_name)
            await self.accept((self.scope.get("subprotocols") or [None])[0])

        async def receive(self, text_data: str = "", bytes_data: bytes | None = None) -> None:
            asked = json.loads(text_data)
            seq = await stored(self.code, asked["seat"], asked["move"])
            text = json.dumps({"type": "table", "seq": seq, "move": asked["move"]})
            await self.channel_layer.group_send(self.code, {"type": "moved", "text": text})

        async def moved(self, event: dict[str, Any]) -> None:
            await self.send(text_data=event["text"])

        async def disconnect(self, code: int) -> None:
            await self.channel_layer.group_discard(self.code, self.channel_name)

    return Bare


if __name__ == "__main__":
    main()
