"""Static files: plain while nothing is collected, hashed afterwards, collected when changed."""

import re
from pathlib import Path

import pytest
from django.contrib.staticfiles.storage import staticfiles_storage
from django.http import HttpResponse, HttpResponseBase
from django.templatetags.static import static
from django.test import RequestFactory
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


def test_a_file_that_nobody_collected_yet_has_its_plain_name(source: Path) -> None:
    ours.collect()
    (source / "new.css").write_text("p { margin: 0 }")
    assert address() != "/static/house.css"
    assert static("new.css") == "/static/new.css"


def test_an_old_process_serves_what_a_newer_version_collected(
    source: Path, settings: Settings
) -> None:
    ours.collect()
    missing = HttpResponse(status=404)
    known = address()
    old = ours.StaticFiles(lambda _request: missing)
    first = old(RequestFactory().get(known))
    assert "immutable" in first["Cache-Control"]
    first.close()
    (source / "house.css").write_text("body { color: tomato }")
    (source / "secret.txt").write_text("not under a hashed name")
    ours.collect()

    def ask(path: str) -> HttpResponseBase:
        return old(RequestFactory().get(path))

    answer = ask(address())
    assert (answer.status_code, answer["Content-Type"]) == (200, 'text/css; charset="utf-8"')
    assert b"tomato" in b"".join(answer)
    answer.close()
    for path in (
        "/static/house.000000000000.css",
        "/static/secret.txt",
        "/static/../db.0123456789ab.css",
        "/static//house.css",
    ):
        assert ask(path) is missing
