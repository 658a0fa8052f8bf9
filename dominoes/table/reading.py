"""Reading the database from the event loop, in threads that write nothing.

Sockets need answers from the database when they open and when another process changed their table.
Channels' own way runs all of that in one thread, together with every page; these threads are the
sockets' alone. Without them (plain tests, management commands) reads run where Django wants them.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import ParamSpec, TypeVar

from asgiref.sync import sync_to_async
from django.db import close_old_connections, connection

from dominoes.table.threads import own_connection

P = ParamSpec("P")
R = TypeVar("R")

READERS = 2

_readers: ThreadPoolExecutor | None = None


def start() -> None:
    """From now on reads have threads of their own (`serve` calls this)."""
    global _readers
    if _readers is None:
        _readers = ThreadPoolExecutor(
            READERS, thread_name_prefix="reader", initializer=own_connection
        )


def stop() -> None:
    """End the threads, and with them their connections."""
    global _readers
    if _readers is not None:
        for _ in range(READERS):
            _readers.submit(connection.close)
        _readers.shutdown(wait=True, cancel_futures=False)
        _readers = None


async def run(fn: Callable[P, R], /, *args: P.args, **kwargs: P.kwargs) -> R:
    """Call `fn`, which reads, and give its answer; raises what it raises."""
    if _readers is None:
        return await sync_to_async(fn)(*args, **kwargs)
    loop = asyncio.get_running_loop()
    return await loop.run_in_executor(_readers, lambda: _call(fn, *args, **kwargs))


def _call(fn: Callable[P, R], /, *args: P.args, **kwargs: P.kwargs) -> R:
    try:
        return fn(*args, **kwargs)
    finally:
        # Kept, but looked at before it is used again; on SQLite there is nothing to look at.
        if connection.vendor != "sqlite":
            close_old_connections()
