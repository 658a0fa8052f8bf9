"""Farms for the fault tests, and a place where they tell what they did and what was lost."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from tests import services
from tests.faults.farm import Farm

_TOLD = pytest.StashKey[list[str]]()

Tell = Callable[[object], None]


@pytest.fixture
def tell(request: pytest.FixtureRequest) -> Tell:
    """Say what a test did; it is shown at the end of the run, whatever became of it."""
    lines = request.config.stash.setdefault(_TOLD, [])

    def say(words: object) -> None:
        lines.append(f"{request.node.name}: {words}")

    return say


def pytest_terminal_summary(
    terminalreporter: pytest.TerminalReporter, config: pytest.Config
) -> None:
    """Show what was told."""
    lines = config.stash.get(_TOLD, [])
    if lines:
        terminalreporter.section("what was done, and what was lost")
        for line in lines:
            terminalreporter.write_line(line)


@pytest.fixture(scope="session")
def three(
    postgres: services.Postgres,
    redis_server: services.Redis,
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[Farm]:
    """Three processes on one PostgreSQL and one Redis, shared by the tests."""
    farm = Farm(tmp_path_factory.mktemp("three"), 3, postgres, redis_server)
    try:
        yield farm
    finally:
        farm.remove()


@pytest.fixture(scope="session")
def one(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Farm]:
    """The embedded default: one process on SQLite."""
    farm = Farm(tmp_path_factory.mktemp("one"), 1)
    try:
        yield farm
    finally:
        farm.remove()


@pytest.fixture
def farm(three: Farm) -> Farm:
    """Three processes that are all well."""
    return three.mend()


@pytest.fixture
def embedded(one: Farm) -> Farm:
    """One process on SQLite that is well."""
    return one.mend()
