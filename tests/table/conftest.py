from collections.abc import Iterator

import pytest

from dominoes.table import presence, store


@pytest.fixture(autouse=True)
def fresh_memory() -> Iterator[None]:
    """No table and no socket carries over from one test to the next."""
    store.forget()
    presence.reset()
    yield
    store.forget()
    presence.reset()
