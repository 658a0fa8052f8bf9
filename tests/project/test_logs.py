"""Nothing secret reaches a log."""

import io
import json
import logging
from collections.abc import Iterator
from typing import Any

import pytest
import structlog

from dominoes import logs


@pytest.fixture
def lines() -> Iterator[io.StringIO]:
    """Whatever the configured handler writes meanwhile."""
    logs.configure(logs.options(debug=False))
    (handler,) = [item for item in logging.getLogger().handlers if item.formatter is not None][:1]
    assert isinstance(handler, logging.StreamHandler)
    stream = io.StringIO()
    before = handler.setStream(stream)
    yield stream
    handler.setStream(before or io.StringIO())


def last(lines: io.StringIO) -> dict[str, Any]:
    return dict(json.loads(lines.getvalue().splitlines()[-1]))


def test_a_line_is_one_json_object(lines: io.StringIO) -> None:
    structlog.get_logger("dominoes.table").info("move", table="K7QF2M", seq=17)
    entry = last(lines)
    assert entry["event"] == "move"
    assert entry["seq"] == 17
    assert entry["level"] == "info"
    assert entry["logger"] == "dominoes.table"
    assert entry["timestamp"].endswith("Z")


def test_libraries_come_out_the_same_way(lines: io.StringIO) -> None:
    logging.getLogger("somewhere").warning("about %s", "this", extra={"seed": "aa11"})
    assert last(lines)["event"] == "about this"
    assert "aa11" not in lines.getvalue()


@pytest.mark.parametrize(
    "name",
    [
        *("password", "new_password", "token", "api_key", "SECRET_KEY", "authorization", "Cookie"),
        *("session", "csrfmiddlewaretoken", "seed", "chain", "rack", "racks", "boneyard", "deck"),
        *("snapshot", "database_url", "legal"),
    ],
)
def test_secrets_and_hidden_tiles_go_by_their_names(lines: io.StringIO, name: str) -> None:
    log = structlog.get_logger("dominoes")
    log.warning("one", **{name: "6-4"})
    log.warning("two", details={"deeper": [{name: ["6-4"]}]})
    assert "6-4" not in lines.getvalue()
    assert lines.getvalue().count(logs.HIDDEN) == 2


@pytest.mark.parametrize(
    ("text", "secret"),
    [
        ("Authorization: Bearer abc.DEF-123", "abc.DEF-123"),
        ("connection to postgres://ana:sesame@db/x failed", "sesame"),
        ("Not Found: /accounts/reset/MQ/c8x-0123abcd/", "c8x-0123abcd"),
        ("GET /?token=abcdef12&x=1", "abcdef12"),
        ('{"seed": "00ff00ff"}', "00ff00ff"),
        ("cookie sessionid=zzz999; path=/", "zzz999"),
    ],
)
def test_secrets_inside_a_text_go_too(lines: io.StringIO, text: str, secret: str) -> None:
    logging.getLogger("django.request").warning(text)
    structlog.get_logger("x").warning("event", detail=text)
    assert secret not in lines.getvalue()
    assert len(lines.getvalue().splitlines()) == 2


def test_tracebacks_tell_where_but_not_with_what(lines: io.StringIO) -> None:
    def fail(given: str) -> None:
        raise ValueError(f"Bearer {given}")

    try:
        fail("abc" + "DEF")
    except ValueError:
        structlog.get_logger("dominoes").exception("broken")
    entry = last(lines)
    assert "ValueError" in entry["exception"]
    assert "in fail" in entry["exception"]
    assert "abcDEF" not in lines.getvalue()


def test_ordinary_words_stay(lines: io.StringIO) -> None:
    structlog.get_logger("x").warning("moved", seat=2, word="6-4 left", path="/tables/K7QF2M/")
    entry = last(lines)
    assert (entry["seat"], entry["word"], entry["path"]) == (2, "6-4 left", "/tables/K7QF2M/")
