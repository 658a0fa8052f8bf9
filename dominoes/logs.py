"""Structured logs, one JSON object a line (readable lines with DEBUG), without secrets.

Whatever is logged, by us or by a library, goes through ``hide``: values under names that may hold
a secret or a tile that somebody may not know are replaced, and so are tokens inside texts. Of a
room's code, which is the key to it, two letters stay, so that lines about one table can be found.
Tracebacks are written without the values of variables.
"""

import logging
import logging.config
import re
from collections.abc import Mapping, MutableMapping
from typing import Any

import structlog

HIDDEN = "[hidden]"

# Any key that contains one of these is a secret, or tells hands that are still being played.
_SECRET = re.compile(
    r"passw|secret|token|authori[sz]ation|cookie|session|csrf|credential|api_?key|nonce"
    r"|seed|chain|rack|boneyard|deck|snapshot|legal|unseen|dsn|_url$",
    re.IGNORECASE,
)
_IN_TEXT = (
    (re.compile(r"\b(bearer|basic)\s+[\w.~+/=-]+", re.IGNORECASE), rf"\1 {HIDDEN}"),
    (re.compile(r"\b(\w+://[^\s/:@]*):[^\s/@]+@"), rf"\1:{HIDDEN}@"),
    (re.compile(r"(/reset/)[^\s/]+/[^\s/]+"), rf"\1{HIDDEN}"),
    (
        re.compile(
            r"\b(token|password|passwd|secret|seed|sessionid|csrftoken|csrfmiddlewaretoken)"
            r"(\"?'?\s*[=:]\s*\"?'?)[^\s&;,\"'}]+",
            re.IGNORECASE,
        ),
        rf"\1\2{HIDDEN}",
    ),
)

# The letters of `dominoes.table.models.CODE_LETTERS`; no app is loaded yet when logs begin.
CODE_LETTERS = "ACDEFGHJKMNPQRTWXY34679"
_OPEN, _REST = rf"[{CODE_LETTERS}]{{2}}", rf"[{CODE_LETTERS}]{{4}}(?!\w)"
_CODE = re.compile(_OPEN + _REST, re.IGNORECASE)
_HOLDS_CODES = re.compile(r"table|room|code|pair", re.IGNORECASE)
_CODES_IN_TEXT = (
    # In an address, or beside a name: /tables/K7QF2M/, code=K7QF2M, Key (code)=(K7QF2M)
    re.compile(rf"((?:/|%2F)(?:tables?|rooms|join|pair)(?:/|%2F){_OPEN}){_REST}", re.IGNORECASE),
    re.compile(
        r"\b((?:\w{0,40}_)?(?:tables?|rooms?|codes?|pair|NoSuchTable|KeyError)[\"')]?\s*[=:(.]\s*"
        rf"[\"'(\[]*{_OPEN}){_REST}",
        re.IGNORECASE,
    ),
    re.compile(rf"\b((?:[Tt]able|[Rr]oom|[Cc]ode) {_OPEN}){_REST}"),
    # Anywhere, as far as it can't be a word.
    re.compile(rf"(?<![A-Za-z0-9])(?=[A-Z]*[0-9])(?=[0-9]*[A-Z])({_OPEN}){_REST}"),
)


def clean_text(text: str) -> str:
    """Take secrets out of a text: bearer tokens, passwords in addresses, reset links, codes, …"""
    for pattern, instead in _IN_TEXT:
        text = pattern.sub(instead, text)
    for pattern in _CODES_IN_TEXT:
        text = pattern.sub(r"\1…", text)
    return text


def _clean(value: Any, name: str = "") -> Any:
    if isinstance(value, str):
        if _HOLDS_CODES.search(name) and _CODE.fullmatch(value):
            return f"{value[:2]}…"
        return clean_text(value)
    if isinstance(value, Mapping):
        return {
            clean_text(str(key)): HIDDEN if _SECRET.search(str(key)) else _clean(item, str(key))
            for key, item in value.items()
        }
    if isinstance(value, (list, tuple, set, frozenset)):
        return [_clean(item, name) for item in value]
    return value


def hide(_logger: Any, _method: str, event: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
    """Replace what a log may not hold (a structlog processor)."""
    for key in list(event):
        if key.startswith("_"):  # structlog's own, gone before anything is written
            continue
        event[key] = HIDDEN if _SECRET.search(key) else _clean(event[key], key)
    return event


def options(*, debug: bool) -> dict[str, Any]:
    """Give what ``configure`` needs; kept in settings as LOGGING."""
    return {"debug": debug}


def configure(given: Mapping[str, Any]) -> None:
    """Set up logging for the process, for structlog and the standard library alike."""
    debug = bool(given.get("debug"))
    shared: list[Any] = [
        structlog.contextvars.merge_contextvars,
        structlog.stdlib.add_logger_name,
        structlog.stdlib.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
        structlog.stdlib.PositionalArgumentsFormatter(),
        structlog.processors.StackInfoRenderer(),
    ]
    final: list[Any] = (
        [hide, structlog.dev.ConsoleRenderer(colors=False)]
        if debug
        else [structlog.processors.format_exc_info, hide, structlog.processors.JSONRenderer()]
    )
    logging.config.dictConfig(
        {
            "version": 1,
            "disable_existing_loggers": False,
            "formatters": {
                "line": {
                    "()": structlog.stdlib.ProcessorFormatter,
                    "foreign_pre_chain": shared,
                    "processors": [
                        structlog.stdlib.ProcessorFormatter.remove_processors_meta,
                        *final,
                    ],
                }
            },
            "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": "line"}},
            "root": {"handlers": ["stderr"], "level": "INFO"},
            "loggers": {
                # Every request and socket would be a line; what goes wrong comes by itself.
                "daphne": {"level": "WARNING"},
                "django.channels.server": {"level": "WARNING"},
                "axes": {"level": "WARNING"},
                # Foreign hosts and odd paths are the weather of the network, not our errors.
                "django.security.DisallowedHost": {"level": "CRITICAL"},
            },
        }
    )
    structlog.configure(
        processors=[*shared, structlog.stdlib.ProcessorFormatter.wrap_for_formatter],
        logger_factory=structlog.stdlib.LoggerFactory(),
        wrapper_class=structlog.stdlib.BoundLogger,
        cache_logger_on_first_use=True,
    )
