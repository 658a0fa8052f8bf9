"""What the browser's tests have of their own: a site with hurried bots, a phone's plain HTTP."""

from collections.abc import Iterator
from typing import Any

import pytest

from tests.services import Site, running_site

# An address at home, as a phone would open it: the browser finds the test's server there, and
# since it isn't the machine itself, plain HTTP is no secure context.
AT_HOME = "192.168.7.7"


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """One server as anywhere else, but its bots think for a blink only."""
    scratch = tmp_path_factory.mktemp("site")
    with running_site(scratch, DJANGO_SETTINGS_MODULE="tests.e2e.hurried") as server:
        yield server


@pytest.fixture(scope="session")
def browser_type_launch_args(browser_type_launch_args: dict[str, Any]) -> dict[str, Any]:
    """The machine's Chromium, which finds this machine at `AT_HOME` as well."""
    rules = f"--host-resolver-rules=MAP {AT_HOME} 127.0.0.1"
    return {**browser_type_launch_args, "args": [*browser_type_launch_args["args"], rules]}
