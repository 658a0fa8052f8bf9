"""What every test may ask for: fresh memory, servers, a browser."""

import os
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import hypothesis
import pytest
from django.core.cache import cache

from tests import services

# "ci" finds the same cases every time, so a red run is red for everyone; HYPOTHESIS_PROFILE=search
# looks further. No deadlines: a busy machine is no fault of the code.
hypothesis.settings.register_profile("ci", deadline=None, derandomize=True, print_blob=True)
hypothesis.settings.register_profile("search", deadline=None, max_examples=2000)
hypothesis.settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "ci"))

# A shell that starts the run in the background has it ignore Ctrl-C, and the servers that tests
# start would inherit that.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(autouse=True)
def fresh_cache() -> None:
    """No limit carries over from one test to the next."""
    cache.clear()


@pytest.fixture(scope="session")
def postgres(tmp_path_factory: pytest.TempPathFactory) -> Iterator[services.Postgres]:
    """A running PostgreSQL; ``postgres.fresh()`` makes a database. Tests may stop and start it."""
    services.need("PostgreSQL")
    server = services.Postgres(tmp_path_factory.mktemp("postgres"))
    try:
        yield server.create()
    finally:
        server.remove()


@pytest.fixture(scope="session")
def redis_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[services.Redis]:
    """A running Redis. Tests may stop and start it."""
    services.need("Redis")
    server = services.Redis(tmp_path_factory.mktemp("redis"))
    try:
        yield server.start()
    finally:
        server.stop()


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[services.Site]:
    """One server with the embedded default, shared by the session's tests: its own SQLite file."""
    with services.running_site(tmp_path_factory.mktemp("site")) as server:
        yield server


@pytest.fixture(scope="session")
def browser_type_launch_args(browser_type_launch_args: dict[str, Any]) -> dict[str, Any]:
    """Playwright's browser is the machine's own Chromium; as root it runs without its sandbox."""
    services.need("Chromium")
    path = services.chromium()
    flags = ["--no-sandbox"] if os.geteuid() == 0 else []
    return {**browser_type_launch_args, "executable_path": path, "args": flags}


@pytest.fixture
def scratch(tmp_path: Path) -> Path:
    """A folder for a server's data and logs."""
    return tmp_path
