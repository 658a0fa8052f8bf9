"""Which socket leads where."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

from django.urls import re_path

from dominoes.table.consumers import TableConsumer


async def nowhere(
    scope: dict[str, Any],
    receive: Callable[[], Awaitable[dict[str, Any]]],
    send: Callable[[dict[str, Any]], Awaitable[None]],
) -> None:
    """Refuse the handshake of a socket that leads nowhere."""
    await receive()
    await send({"type": "websocket.close"})


websocket_urlpatterns = [
    re_path(r"^ws/table/(?P<code>[^/]+)/$", TableConsumer.as_asgi()),
    re_path(r"", nowhere),  # type: ignore[arg-type]  # an ASGI application, as Channels takes it
]
