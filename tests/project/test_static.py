"""Static files: plain while nothing is collected, hashed afterwards, collected when changed."""

import re
from pathlib import Path

import pytest
from django.contrib.staticfiles import finders
from django.contrib.staticfiles.storage import staticfiles_storage
from django.http import HttpResponse, HttpResponseBase
from django.templatetags.static import static
from django.test import Client, RequestFactory
from pytest_django import Settings

from dominoes import assets
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


@pytest.mark.django_db
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


def test_style_sheets_of_a_page_are_one_file_once_collected(
    source: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (source / "dots.css").write_text('p { background: url("dot.svg") }')
    (source / "dot.svg").write_text("<svg/>")
    monkeypatch.setattr(ours, "STYLES", {"all": ("house.css", "dots.css")})
    monkeypatch.setattr(assets, "STYLES", ours.STYLES)
    monkeypatch.setattr(ours, "bundle", lambda name: f"{name}.css")
    monkeypatch.setattr(assets, "bundle", ours.bundle)
    staticfiles_storage._setup()  # type: ignore[attr-defined]
    assert re.findall(r'href="([^"]+)"', assets.styles("all")) == [
        "/static/house.css",
        "/static/dots.css",
    ]
    ours.collect()
    staticfiles_storage._setup()  # type: ignore[attr-defined]
    (whole,) = re.findall(r'href="([^"]+)"', assets.styles("all"))
    assert re.fullmatch(r"/static/all\.[0-9a-f]{12}\.css", whole)
    text = Path(staticfiles_storage.path(whole.removeprefix("/static/"))).read_text()
    assert text.index("teal") < text.index("background")
    assert re.search(r"dot\.[0-9a-f]{12}\.svg", text)
    (source / "house.css").write_text("body { color: tomato }")
    ours.collect()
    staticfiles_storage._setup()  # type: ignore[attr-defined]
    assert assets.styles("all") != f'<link rel="stylesheet" href="{whole}">'


def test_every_style_sheet_that_pages_share_is_there() -> None:
    for names in ours.STYLES.values():
        for name in names:
            assert finders.find(name), name


@pytest.mark.django_db
def test_a_page_is_sent_compressed(client: Client) -> None:
    plain = client.get("/", headers={"accept-encoding": "identity"})
    packed = client.get("/", headers={"accept-encoding": "gzip"})
    assert packed.headers["Content-Encoding"] == "gzip"
    assert len(packed.content) < len(plain.content) / 2
