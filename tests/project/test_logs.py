"""Nothing secret reaches a log."""

import io
import json
import logging
from collections.abc import Iterator
from typing import Any

import pytest
import structlog

from dominoes import logs
from dominoes.table.models import CODE_LENGTH, CODE_LETTERS


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
    structlog.get_logger("x").warning("moved", seat=2, word="6-4 left", path="/tables/new/")
    entry = last(lines)
    assert (entry["seat"], entry["word"], entry["path"]) == (2, "6-4 left", "/tables/new/")


def test_a_rooms_letters_are_those_of_the_tables() -> None:
    assert logs.CODE_LETTERS == CODE_LETTERS
    assert len("K7QF4M") == CODE_LENGTH


@pytest.mark.parametrize("code", ["K7QF4M", "ACDEFG", "346794"])
@pytest.mark.parametrize("name", ["table", "room", "code", "tables", "codes"])
def test_of_a_rooms_code_two_letters_stay(lines: io.StringIO, name: str, code: str) -> None:
    for value in (code, code.lower(), [code], {name: code}, {"of": {name: (code,)}}):
        structlog.get_logger("x").warning("said", **{name: value}, pairs={(1, 2): "x"})
        assert code.upper() not in lines.getvalue().upper()
        assert code[:2].upper() + "…" in json.dumps(last(lines), ensure_ascii=False).upper()


@pytest.mark.parametrize("code", ["K7QF4M", "ACDEFG", "346794"])
@pytest.mark.parametrize(
    "text",
    [
        *("Not Found: /tables/{}/", "/tables/{}/act/", "/ws/table/{}/", "GET /join/{}?seat=1"),
        *("/api/v1/rooms/{}", "/api/v1/rooms/{}/sit", "/quick/pair/{}/", "https://x.org/join/{}"),
        *("table={}", "/join/?code={}", '{{"room": "{}"}}', "NoSuchTable('{}')", "code: {}."),
        *("dominoes.table.batch.NoSuchTable: {}", "DETAIL:  Key (code)=({}) already exists."),
        *("no picture of table {} yet", "codes=['{}']", "KeyError: '{}'", "room_code='{}'"),
        *("the group table.{}", "next=%2Ftables%2F{}%2F"),
    ],
)
def test_nor_does_a_text_tell_more_of_it(lines: io.StringIO, text: str, code: str) -> None:
    logging.getLogger("django.request").warning(text.format(code))
    structlog.get_logger("x").warning("event", detail=text.format(code))
    assert code not in lines.getvalue()
    assert last(lines)["detail"] == text.format(f"{code[:2]}…")
    if "/" in text:
        logging.getLogger("django.request").warning(text.format(code.lower()))
        assert code.lower() not in lines.getvalue()


def test_nor_does_a_traceback(lines: io.StringIO) -> None:
    try:
        raise LookupError("K7QF" + "4M")
    except LookupError:
        structlog.get_logger("dominoes").exception("broken")
    assert "LookupError: K7…" in last(lines)["exception"]
    assert "K7QF4M" not in lines.getvalue()


@pytest.mark.parametrize(
    "text",
    [
        *("SELECT 1 FROM table_table WHERE code IN (%s)", "UPDATE", "ACCEPT", "346794 rows"),
        *("/matches/K7QF4MK7QF4M/", "code 4403", "table (name)", "at 12:30:46.346794Z", "room for"),
    ],
)
def test_other_words_are_no_codes(text: str) -> None:
    assert logs.clean_text(text) == text
