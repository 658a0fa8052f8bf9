"""`bench pages` fills a site, asks for every page, and says how much each took."""

import pytest

from tests.services import environment, manage

pytestmark = pytest.mark.alone


def test_every_page_is_asked_for_and_counted(tmp_path_factory: pytest.TempPathFactory) -> None:
    told = manage(
        *("bench", "pages", "--players", "60", "--matches", "300", "--open", "5", "--times", "1"),
        env=environment(tmp_path_factory.mktemp("pages")),
        check=False,  # how long it takes depends on what else the machine does
    )
    lines = told.stdout.splitlines()
    assert told.stderr == "" and lines[-1].startswith("Limits: 20 statements"), told.stderr
    head = next(number for number, line in enumerate(lines) if line.startswith("page "))
    rows = [line for line in lines[head + 2 :] if line and not line.startswith("Limits")]
    names = " ".join(rows)
    for name in (
        "home",
        "profile",
        "ladder, deep",
        "history by outcome",
        "replay",
        "odd tables",
        "match of four",
    ):
        assert name in names
    column = lines[head].index("statements") + len("statements")
    assert all(0 <= int(row[:column].split()[-1]) <= 20 for row in rows)
