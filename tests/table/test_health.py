"""`/healthz` and `/metrics`: what they say, when, and to whom."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from django.test import AsyncClient

from dominoes.table import health, metrics
from dominoes.table.hub import hub

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def client() -> AsyncClient:
    return AsyncClient()


async def test_all_is_well(client: AsyncClient) -> None:
    answer = await client.get("/healthz")
    assert answer.status_code == 200
    assert answer.json() == {
        "status": "ok",
        "database": True,
        "layer": True,
        "heartbeat": True,
        "serving": True,
    }
    assert answer["Cache-Control"] == "no-store"


async def test_a_database_that_is_gone_is_told(
    client: AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    def gone() -> None:
        raise OSError("no database")

    monkeypatch.setattr(health, "_ask_database", gone)
    answer = await client.get("/healthz")
    assert answer.status_code == 503
    assert (answer.json()["database"], answer.json()["layer"]) == (False, True)


async def test_a_layer_that_hangs_is_told(
    client: AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Hanging:
        async def group_send(self, *_args: Any) -> None:
            await asyncio.sleep(60)

    monkeypatch.setattr(health, "get_channel_layer", Hanging)
    monkeypatch.setattr(health, "PATIENCE", 0.05)
    answer = await client.get("/healthz")
    assert answer.status_code == 503
    assert answer.json()["layer"] is False


async def test_a_server_that_ends_sends_new_ones_elsewhere(
    client: AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hub, "closing", True)
    answer = await client.get("/healthz")
    assert answer.status_code == 503
    assert answer.json()["serving"] is False


async def test_metrics_are_for_near_addresses(client: AsyncClient) -> None:
    metrics.ERRORS.labels("sweep").inc()
    answer = await client.get("/metrics")
    assert answer.status_code == 200
    text = answer.content.decode()
    for name in (
        'dominoes_tables{status="playing"}',
        'dominoes_errors_total{where="sweep"}',
        "dominoes_sweeper_lag_seconds_bucket",
        "dominoes_move_to_screen_seconds_count",
        "process_resident_memory_bytes",
    ):
        assert name in text, name


@pytest.mark.parametrize(
    ("address", "near"),
    [
        ("127.0.0.1", True),
        ("192.168.1.7", True),
        ("::1", True),
        ("8.8.8.8", False),
        ("2606:4700::1111", False),
        ("", False),
    ],
)
def test_what_is_near(address: str, near: bool) -> None:
    assert health._near(address) is near


async def test_a_stranger_finds_no_metrics(
    client: AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(health, "_near", lambda _address: False)
    assert (await client.get("/metrics")).status_code == 404
