"""Static files: plain while nothing is collected, hashed afterwards, collected when changed."""

import re
from pathlib import Path

import pytest
from django.contrib.staticfiles.storage import staticfiles_storage
from django.templatetags.static import static
from pytest_django import Settings

from dominoes import static as ours


@pytest.fixture
def source(settings: Settings, tmp_path: Path) -> Path:
    """A folder with one style sheet, instead of the site's own files."""
    source = tmp_path / "source"
    source.mkdir()
    (source / "house.css").write_text("body { color: teal }")
    settings.STATICFILES_DIRS = [source]
    settings.STATICFILES_FINDERS = ["django.contrib.staticfiles.finders.FileSystemFinder"]
    settings.DATA_DIR = tmp_path / "data"
    settings.STATIC_ROOT = tmp_path / "data" / "static"
    return source


def address() -> str:
    """The address of the style sheet as a new process would give it."""
    staticfiles_storage._setup()  # type: ignore[attr-defined]
    return static("house.css")


def test_names_are_plain_then_hashed(source: Path) -> None:
    assert address() == "/static/house.css"
    assert ours.collect() is True
    hashed = address()
    assert re.fullmatch(r"/static/house\.[0-9a-f]{12}\.css", hashed)


def test_collecting_again_does_nothing_until_a_file_changes(source: Path) -> None:
    assert ours.collect() is True
    before = address()
    assert ours.collect() is False
    (source / "house.css").write_text("body { color: tomato }")
    assert ours.collect() is True
    assert address() != before


def test_collected_files_that_went_missing_are_collected_again(
    source: Path, settings: Settings
) -> None:
    ours.collect()
    (Path(settings.STATIC_ROOT) / "staticfiles.json").unlink()
    assert ours.collect() is True
