"""Settings of the test run: the site's own, cut off from the environment of whoever runs it."""

import atexit
import os
import shutil
import tempfile
from pathlib import Path

CUT_OFF = [
    "ALLOWED_HOSTS",
    "SECRET_KEY",
    "TRUSTED_PROXIES",
    "HSTS",
    "EMAIL_URL",
    "RATE_LIMITS",
    "DEBUG",
]
for name in CUT_OFF:
    os.environ.pop(name, None)
# tests/with_servers.py starts PostgreSQL and Redis and says here where they are.
os.environ["DATABASE_URL"] = os.environ.get("TEST_DATABASE_URL", "")
os.environ["REDIS_URL"] = os.environ.get("TEST_REDIS_URL", "")
if "DATA_DIR" not in os.environ:
    os.environ["DATA_DIR"] = tempfile.mkdtemp(prefix="dominoes-tests-")
    atexit.register(shutil.rmtree, os.environ["DATA_DIR"], ignore_errors=True)

from dominoes.settings import *  # noqa: E402, F403
from dominoes.settings import DATA_DIR, DATABASES  # noqa: E402

# A file, since the writing thread, the sockets and the tests each have a connection of their own.
if not os.environ["DATABASE_URL"]:
    DATABASES["default"]["TEST"] = {"NAME": str(Path(DATA_DIR) / "test.sqlite3")}
    DATABASES["default"]["OPTIONS"]["init_command"] = (
        "PRAGMA journal_mode=WAL; PRAGMA synchronous=OFF;"
    )

PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"
