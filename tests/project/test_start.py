"""``make run``, as far as Python does it: from an empty folder to a site that answers."""

import re
import socket
import sqlite3
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest

from dominoes.network import lan_address
from tests.services import ROOT, Process, environment, free_port

MODULE = [sys.executable, "-m", "dominoes.start", "--port"]


class Started(Process):
    """A site started the way ``make run`` does."""

    def __init__(self, data_dir: Path) -> None:
        super().__init__("make run", data_dir / "run.log")
        self.port = free_port()
        self.data_dir = data_dir

    def start(self) -> float:
        """Start it; gives the seconds until it answered."""
        begun = time.monotonic()
        self.launch([*MODULE, str(self.port)], env=environment(self.data_dir), cwd=ROOT)
        self.await_(lambda: self.get("/healthz")[0] == 200, "it answered")
        return time.monotonic() - begun

    def get(self, path: str, host: str | None = None, to: str = "127.0.0.1") -> tuple[int, str]:
        """Ask for a page; gives status and text, 0 where nothing listens."""
        request = urllib.request.Request(f"http://{to}:{self.port}{path}")
        if host:
            request.add_header("Host", host)
        try:
            with urllib.request.urlopen(request, timeout=20) as answer:
                return answer.status, answer.read().decode()
        except urllib.error.HTTPError as error:
            with error:
                return error.code, error.read().decode(errors="replace")
        except OSError:
            return 0, ""


@pytest.fixture(scope="module")
def started(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Started]:
    site = Started(tmp_path_factory.mktemp("run"))
    try:
        site.start()
        yield site
    finally:
        site.stop()


def test_an_empty_folder_becomes_a_site(started: Started) -> None:
    status, page = started.get("/", host="localhost")
    assert status == 200
    assert "<html" in page
    assert (started.data_dir / "db.sqlite3").exists()


def test_it_prints_where_it_is(started: Started) -> None:
    said = started.output()
    assert f"http://localhost:{started.port}/" in said
    if address := lan_address():
        assert f"http://{address}:{started.port}/" in said


def test_phones_in_the_network_reach_it_and_foreign_names_do_not(started: Started) -> None:
    if address := lan_address():
        assert started.get("/", to=address)[0] == 200
    assert started.get("/", host=f"192.168.1.7:{started.port}")[0] == 200
    assert started.get("/", host="evil.example")[0] == 400


def test_static_files_have_hashed_names_that_may_be_kept(started: Started) -> None:
    page = started.get("/")[1]
    names = re.findall(r"/static/[^\"']+\.(?:css|js)", page)
    assert names
    for name in names:
        assert re.search(r"\.[0-9a-f]{12}\.(?:css|js)$", name), name
        with urllib.request.urlopen(f"http://127.0.0.1:{started.port}{name}") as answer:
            assert "immutable" in answer.headers["Cache-Control"]


def test_a_fault_shows_no_debug_page(started: Started) -> None:
    status, page = started.get("/nothing/here/")
    assert status == 404
    for telling in ("urlpatterns", "DEBUG = True", "Traceback", "dominoes.urls"):
        assert telling not in page


def test_a_taken_port_is_told(started: Started, tmp_path: Path) -> None:
    second = Process("second", tmp_path / "second.log")
    second.launch([*MODULE, str(started.port)], env=environment(tmp_path), cwd=ROOT)
    assert second.running is not None
    assert second.running.wait(60) == 1
    assert f"make run PORT={started.port + 1}" in second.output()
    assert not (tmp_path / "db.sqlite3").exists()


def test_a_stop_is_quiet_and_a_second_start_quick(started: Started) -> None:
    assert started.stop() == 0
    assert "Traceback" not in started.output()
    with sqlite3.connect(started.data_dir / "db.sqlite3") as connection:
        assert connection.execute("pragma integrity_check").fetchone() == ("ok",)
    started.start()


def test_the_address_in_the_network_is_one_of_this_machine() -> None:
    address = lan_address()
    if address is not None:
        with socket.socket() as probe:
            probe.bind((address, 0))
