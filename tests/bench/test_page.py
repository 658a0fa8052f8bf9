"""`bench page`: what a table page weighs stays within its limits."""

import pytest

from dominoes.bench import page


def test_page_and_pushes_keep_their_limits(capsys: pytest.CaptureFixture[str]) -> None:
    assert page.main(["--matches", "1"]) == 0
    shown = capsys.readouterr().out
    assert "in all" in shown
    assert "kept." in shown
