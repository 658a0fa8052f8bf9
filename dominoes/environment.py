"""What the environment says, read into values that settings can use.

Every function here takes text and gives plain values: no Django, no global state. A fault in the
environment is told as ``BadEnvironment``, with a sentence that says which variable and what to do.
"""

import ipaddress
import os
import secrets
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, unquote, urlsplit

import dj_database_url

Network = ipaddress.IPv4Network | ipaddress.IPv6Network

# Seconds that a connection waits for another's write on SQLite, and for a free place in the pool.
SQLITE_WAIT = 20
POOL_WAIT = 10
# PostgreSQL connections of the pool that a process's requests share. Its own six threads have one
# each besides (table/threads.py).
POOL_SIZE = 10

_TRUE = {"1", "true", "yes", "on"}
_FALSE = {"0", "false", "no", "off", ""}


class BadEnvironment(Exception):
    """A variable of the environment can't be used; the message says which and why."""


def flag(env: Mapping[str, str], name: str, default: bool = False) -> bool:
    """Read a yes-or-no variable (``1``, ``on``, ``yes``, ``true`` and their opposites)."""
    value = env.get(name)
    if value is None:
        return default
    word = value.strip().lower()
    if word in _TRUE:
        return True
    if word in _FALSE:
        return False
    raise BadEnvironment(f"{name} must be on or off, not {value!r}.")


def words(env: Mapping[str, str], name: str) -> list[str]:
    """Read a variable that lists values, separated by commas or spaces."""
    return env.get(name, "").replace(",", " ").split()


def networks(env: Mapping[str, str], name: str) -> tuple[Network, ...]:
    """Read a list of addresses and networks (``127.0.0.1 10.0.0.0/8 ::1``)."""
    found = []
    for word in words(env, name):
        try:
            found.append(ipaddress.ip_network(word, strict=False))
        except ValueError as error:
            raise BadEnvironment(f"{name}: {word!r} is no address or network.") from error
    return tuple(found)


def word(env: Mapping[str, str], name: str, choices: Sequence[str]) -> str:
    """Read a variable that is one of a few words; the first of them stands for nothing said."""
    given = env.get(name, "").strip().lower() or choices[0]
    if given not in choices:
        raise BadEnvironment(f"{name} must be one of {', '.join(choices)}, not {given!r}.")
    return given


def database(url: str, data_dir: Path) -> dict[str, Any]:
    """Give Django's settings for the database at ``url``; without one, a file in ``data_dir``.

    SQLite: writers queue up at the start of their transaction (IMMEDIATE), since an upgrade from
    reading to writing fails at once however long one is ready to wait. Every commit reaches the
    disk (``synchronous=FULL``): what was answered ``ok`` must survive a power cut, and NORMAL would
    keep the file whole but may lose the last moves. PostgreSQL: a pool, since under ASGI
    connections kept by thread pile up, and those not kept cost a handshake each time.
    """
    if not url:
        data_dir.mkdir(parents=True, exist_ok=True)
        url = f"sqlite:///{data_dir / 'db.sqlite3'}"
    try:
        settings: dict[str, Any] = dict(dj_database_url.parse(url))
    except ValueError as error:  # its own message may repeat the password
        raise BadEnvironment("DATABASE_URL can't be read: postgres://… or sqlite:///….") from error
    options: dict[str, Any] = settings.setdefault("OPTIONS", {})
    if settings["ENGINE"] == "django.db.backends.sqlite3":
        options.update(
            transaction_mode="IMMEDIATE",
            timeout=SQLITE_WAIT,
            init_command="PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL;",
        )
    elif settings["ENGINE"] == "django.db.backends.postgresql":
        options.setdefault("pool", {"min_size": 1, "max_size": POOL_SIZE, "timeout": POOL_WAIT})
        settings.update(CONN_MAX_AGE=0, CONN_HEALTH_CHECKS=True)
    else:
        raise BadEnvironment("DATABASE_URL: only sqlite and postgres are known.")
    return settings


def channel_layer(redis_url: str) -> dict[str, Any]:
    """Give the channel layer: through Redis if there is one, else inside the process.

    ``socket_timeout`` is None because a subscriber that hears nothing for a while isn't broken.
    """
    if not redis_url:
        return {"BACKEND": "channels.layers.InMemoryChannelLayer"}
    return {
        "BACKEND": "channels_redis.pubsub.RedisPubSubChannelLayer",
        "CONFIG": {"hosts": [{"address": redis_url, "socket_timeout": None}]},
    }


def cache(redis_url: str) -> dict[str, Any]:
    """Give the cache: shared by all processes through Redis if there is one, else local memory."""
    if not redis_url:
        return {
            "BACKEND": "django.core.cache.backends.locmem.LocMemCache",
            # The default of 300 would forget limits as soon as a few hundred addresses come by.
            "OPTIONS": {"MAX_ENTRIES": 20_000},
        }
    return {
        "BACKEND": "django.core.cache.backends.redis.RedisCache",
        "LOCATION": redis_url,
        # A limiter must not make anyone wait long for a Redis that is gone.
        "OPTIONS": {"socket_connect_timeout": 1, "socket_timeout": 1},
    }


def mail(url: str) -> dict[str, Any]:
    """Give Django's mail settings for ``url``, as a dict of setting names.

    ``smtp://user:password@host:587`` (STARTTLS where a user is given or with ``?tls=on``),
    ``smtps://…`` (TLS from the start), ``console:``, ``file:///folder``; ``?from=name@host`` sets
    the sender. Without a URL nothing is sent.
    """
    if not url:
        return {"EMAIL_BACKEND": "django.core.mail.backends.dummy.EmailBackend"}
    parts = urlsplit(url)
    query = {key: values[-1] for key, values in parse_qs(parts.query).items()}
    given: dict[str, Any] = {}
    if parts.scheme in {"smtp", "smtps"}:
        if not parts.hostname:
            raise BadEnvironment("EMAIL_URL names no mail server: smtp://user:password@host:587.")
        secure = parts.scheme == "smtps"
        given = {
            "EMAIL_BACKEND": "django.core.mail.backends.smtp.EmailBackend",
            "EMAIL_HOST": parts.hostname,
            "EMAIL_PORT": parts.port or (465 if secure else 587),
            "EMAIL_HOST_USER": unquote(parts.username or ""),
            "EMAIL_HOST_PASSWORD": unquote(parts.password or ""),
            "EMAIL_USE_SSL": secure,
            "EMAIL_USE_TLS": not secure and flag(query, "tls", default=bool(parts.username)),
            "EMAIL_TIMEOUT": 10,
        }
    elif parts.scheme == "console":
        given = {"EMAIL_BACKEND": "django.core.mail.backends.console.EmailBackend"}
    elif parts.scheme == "file" and parts.path:
        given = {
            "EMAIL_BACKEND": "django.core.mail.backends.filebased.EmailBackend",
            "EMAIL_FILE_PATH": unquote(parts.path),
        }
    else:
        raise BadEnvironment("EMAIL_URL must begin with smtp://, smtps://, console: or file:///.")
    if sender := query.get("from"):
        given |= {"DEFAULT_FROM_EMAIL": sender, "SERVER_EMAIL": sender}
    return given


def generated_key(path: Path) -> str:
    """Give the key kept in the file at ``path``, making it (mode 0600) if there is none.

    Two processes that start together agree: the file is filled before it gets its name, and the
    name can be given only once.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    draft = path.with_name(f"{path.name}.{secrets.token_hex(8)}")
    if not path.exists():
        descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(descriptor, "w", encoding="ascii") as file:
            file.write(secrets.token_urlsafe(64))
        try:
            os.link(draft, path)
        except FileExistsError:
            pass
        finally:
            draft.unlink()
    path.chmod(0o600)
    key = path.read_text(encoding="ascii").strip()
    if not key:
        raise BadEnvironment(f"{path} is empty; remove it and a new key will be made.")
    return key
