"""`/healthz`, which says whether this process can serve, and `/metrics`, which says how it does."""

from __future__ import annotations

import asyncio
import ipaddress
import time

from asgiref.sync import sync_to_async
from channels.layers import get_channel_layer
from django.db import connection
from django.db.models import Count
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from prometheus_client.exposition import CONTENT_TYPE_PLAIN_0_0_4, generate_latest

from dominoes.security import is_private
from dominoes.table import metrics, presence
from dominoes.table.hub import hub
from dominoes.table.models import Table
from ranking.http import client_ip

PATIENCE = 3.0  # seconds for the database and the layer to answer


async def healthz(request: HttpRequest) -> JsonResponse:
    """200 when the database and the layer were reached and the heart beats, else 503."""
    database, layer = await asyncio.gather(_database(), _layer())
    well = {
        "database": database,
        "layer": layer,
        "heartbeat": presence.healthy(time.time()),
        "serving": not hub.closing,
    }
    fine = all(well.values())
    return JsonResponse(
        {"status": "ok" if fine else "unwell", **well},
        status=200 if fine else 503,
        headers={"Cache-Control": "no-store"},
    )


async def _database() -> bool:
    try:
        # Not in the one thread that pages share: a page that waits must not look like a fault here.
        ask = sync_to_async(_ask_database, thread_sensitive=False)
        await asyncio.wait_for(ask(), PATIENCE)
    except Exception:
        return False
    return True


def _ask_database() -> None:
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
    finally:
        connection.close()


async def _layer() -> bool:
    layer = get_channel_layer()
    if layer is None:
        return False
    try:
        await asyncio.wait_for(layer.group_send("health", {"type": "health"}), PATIENCE)
    except Exception:
        return False
    return True


async def show_metrics(request: HttpRequest) -> HttpResponse:
    """This process's figures, for addresses of this machine and of private networks only."""
    if not _near(client_ip(request)):
        raise Http404
    await sync_to_async(_count_tables, thread_sensitive=False)()
    metrics.OPEN_TABLES.set(len(hub.rooms))
    return HttpResponse(generate_latest(metrics.REGISTRY), content_type=CONTENT_TYPE_PLAIN_0_0_4)


def _count_tables() -> None:
    try:
        counts = dict(Table.objects.values_list("status").annotate(Count("pk")))
    finally:
        connection.close()
    for status, _label in Table.STATUSES:
        metrics.TABLES.labels(status).set(counts.get(status, 0))


def _near(text: str) -> bool:
    try:
        address = ipaddress.ip_address(text)
    except ValueError:
        return False
    return is_private(address)
