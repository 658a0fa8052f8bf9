"""What can be watched from outside: the figures of this process, for `/metrics`."""

from __future__ import annotations

from typing import Final

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram
from prometheus_client.platform_collector import PlatformCollector
from prometheus_client.process_collector import ProcessCollector

REGISTRY: Final = CollectorRegistry()
ProcessCollector(registry=REGISTRY)
PlatformCollector(registry=REGISTRY)

_FAST: Final = (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5)

TABLES = Gauge(
    "dominoes_tables", "Tables in the database, by status.", ["status"], registry=REGISTRY
)
OPEN_TABLES = Gauge(
    "dominoes_open_tables", "Tables that somebody looks at through this process.", registry=REGISTRY
)
SOCKETS = Gauge(
    "dominoes_sockets", "Open sockets of this process, by format.", ["format"], registry=REGISTRY
)
MESSAGES = Counter(
    "dominoes_messages",
    "Messages from sockets, by type and by answer (ok or the code of the refusal).",
    ["type", "answer"],
    registry=REGISTRY,
)
MOVES = Counter(
    "dominoes_moves", "Moves that this process stored, people's and others'.", registry=REGISTRY
)
MOVE_TO_SCREEN = Histogram(
    "dominoes_move_to_screen_seconds",
    "From a move's arrival until its picture was sent to the last viewer of this process.",
    buckets=_FAST,
    registry=REGISTRY,
)
SWEEPER_LAG = Histogram(
    "dominoes_sweeper_lag_seconds",
    "How late something that was due was done.",
    buckets=(*_FAST, 10, 30, 60),
    registry=REGISTRY,
)
ERRORS = Counter(
    "dominoes_errors",
    "What went wrong and was survived, by the part in which it did.",
    ["where"],
    registry=REGISTRY,
)
DROPPED = Counter(
    "dominoes_sockets_dropped",
    "Sockets ended by the server: slow readers and floods.",
    ["why"],
    registry=REGISTRY,
)
