"""Whole settings, in processes of their own: the embedded default, a public site, other servers."""

import json
import stat
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.services import ROOT, environment, manage

KEY = "Vb7-qL2xX9wTz4nKd8sJf3hGm6pRy1cEoUaViWkNlMtBvCxZsQ5"
PUBLIC = {"ALLOWED_HOSTS": "play.example", "SECRET_KEY": KEY}


def settings(data_dir: Path, *names: str, **env: str) -> dict[str, Any]:
    """The named settings as a fresh process with this environment has them."""
    code = (
        "import json, sys; from django.conf import settings;"
        "print(json.dumps({n: getattr(settings, n) for n in sys.argv[1:]}, default=str))"
    )
    base = environment(data_dir, DJANGO_SETTINGS_MODULE="dominoes.settings", **env)
    done = subprocess.run(
        [sys.executable, "-c", code, *names], env=base, capture_output=True, text=True, cwd=ROOT
    )
    assert done.returncode == 0, done.stderr
    return dict(json.loads(done.stdout))


class TestEmbeddedDefault:
    def test_nothing_set_is_a_site_for_home(self, tmp_path: Path) -> None:
        found = settings(
            tmp_path,
            *("DEBUG", "PUBLIC", "SESSION_COOKIE_SECURE", "CSRF_COOKIE_SECURE"),
            *("SECURE_SSL_REDIRECT", "SECURE_HSTS_SECONDS", "DATABASES", "CHANNEL_LAYERS"),
        )
        for name in ("DEBUG", "PUBLIC", "SESSION_COOKIE_SECURE", "CSRF_COOKIE_SECURE"):
            assert found[name] is False, name
        assert found["SECURE_SSL_REDIRECT"] is False
        assert found["SECURE_HSTS_SECONDS"] == 0
        assert found["DATABASES"]["default"]["NAME"] == str(tmp_path / "db.sqlite3")
        assert found["CHANNEL_LAYERS"]["default"]["BACKEND"].endswith("InMemoryChannelLayer")

    def test_its_key_is_made_once_and_for_its_owner_only(self, tmp_path: Path) -> None:
        first = settings(tmp_path, "SECRET_KEY")
        assert settings(tmp_path, "SECRET_KEY") == first
        assert stat.S_IMODE((tmp_path / "secret_key").stat().st_mode) == 0o600

    def test_a_given_key_leaves_no_file(self, tmp_path: Path) -> None:
        assert settings(tmp_path, "SECRET_KEY", SECRET_KEY=KEY)["SECRET_KEY"] == KEY
        assert not (tmp_path / "secret_key").exists()

    def test_limits_are_on_unless_they_are_lifted(self, tmp_path: Path) -> None:
        assert settings(tmp_path, "RATE_LIMITS", RATE_LIMITS="on")["RATE_LIMITS"] is True
        assert settings(tmp_path, "RATE_LIMITS", RATE_LIMITS="off")["RATE_LIMITS"] is False


class TestEachChangesOnlyWhatItNames:
    names = ("DATABASES", "CHANNEL_LAYERS", "CACHES")

    def test_database_url(self, tmp_path: Path) -> None:
        found = settings(tmp_path, *self.names, DATABASE_URL="postgres://ana@127.0.0.1:1/domino")
        assert found["DATABASES"]["default"]["ENGINE"] == "django.db.backends.postgresql"
        assert found["CHANNEL_LAYERS"]["default"]["BACKEND"].endswith("InMemoryChannelLayer")
        assert found["CACHES"]["default"]["BACKEND"].endswith("LocMemCache")

    def test_redis_url(self, tmp_path: Path) -> None:
        found = settings(tmp_path, *self.names, REDIS_URL="redis://127.0.0.1:1")
        assert found["DATABASES"]["default"]["ENGINE"] == "django.db.backends.sqlite3"
        assert found["CHANNEL_LAYERS"]["default"]["BACKEND"].endswith("RedisPubSubChannelLayer")
        assert found["CACHES"]["default"]["BACKEND"].endswith("RedisCache")

    def test_email_url(self, tmp_path: Path) -> None:
        found = settings(tmp_path, "EMAIL_HOST", "MAIL_CONFIGURED", EMAIL_URL="smtp://mail.example")
        assert found == {"EMAIL_HOST": "mail.example", "MAIL_CONFIGURED": True}
        assert settings(tmp_path, "MAIL_CONFIGURED") == {"MAIL_CONFIGURED": False}

    def test_trusted_proxies(self, tmp_path: Path) -> None:
        found = settings(tmp_path, "TRUSTED_PROXIES", TRUSTED_PROXIES="127.0.0.1,10.0.0.0/8")
        assert found["TRUSTED_PROXIES"] == ["127.0.0.1/32", "10.0.0.0/8"]


class TestPublicSite:
    @pytest.mark.parametrize(
        ("hsts", "covers", "silenced"),
        [
            ({}, [True, False], 1),
            ({"HSTS": "host"}, [False, False], 2),
            ({"HSTS": "preload"}, [True, True], 0),
        ],
    )
    def test_passes_the_deployment_checks_however_far_tls_is_strict(
        self, tmp_path: Path, hsts: dict[str, str], covers: list[bool], silenced: int
    ) -> None:
        env = environment(tmp_path, **PUBLIC, **hsts)
        done = manage("check", "--deploy", "--fail-level", "WARNING", env=env)
        # Django warns of the lesser forms; nothing but that is silenced.
        assert f"no issues ({silenced} silenced)" in done.stdout + done.stderr
        names = ("SECURE_HSTS_INCLUDE_SUBDOMAINS", "SECURE_HSTS_PRELOAD")
        assert list(settings(tmp_path, *names, **PUBLIC, **hsts).values()) == covers

    def test_has_secure_cookies_and_strict_transport(self, tmp_path: Path) -> None:
        found = settings(
            tmp_path,
            *("ALLOWED_HOSTS", "SESSION_COOKIE_SECURE", "CSRF_COOKIE_SECURE"),
            *("SECURE_SSL_REDIRECT", "SECURE_HSTS_SECONDS", "DEBUG"),
            **PUBLIC,
        )
        assert found["ALLOWED_HOSTS"] == ["play.example"]
        for name in ("SESSION_COOKIE_SECURE", "CSRF_COOKIE_SECURE", "SECURE_SSL_REDIRECT"):
            assert found[name] is True, name
        assert found["SECURE_HSTS_SECONDS"] >= 31536000
        assert found["DEBUG"] is False

    def test_needs_a_key_of_its_own(self, tmp_path: Path) -> None:
        env = environment(tmp_path, ALLOWED_HOSTS="play.example")
        for command in (["check"], ["serve"], ["migrate"]):
            done = manage(*command, env=env, check=False)
            assert done.returncode != 0, command
            assert "SECRET_KEY" in done.stderr
        assert not (tmp_path / "secret_key").exists()


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("DEBUG", "perhaps"),
        ("RATE_LIMITS", "some"),
        ("TRUSTED_PROXIES", "the-proxy"),
        ("DATABASE_URL", "mysql://db/x"),
        ("EMAIL_URL", "pigeon://loft"),
        ("HSTS", "forever"),
    ],
)
def test_a_fault_in_the_environment_is_told_by_its_name(
    name: str, value: str, tmp_path: Path
) -> None:
    done = manage("check", env=environment(tmp_path, **{name: value}), check=False)
    assert done.returncode != 0
    assert name in done.stderr.strip().splitlines()[-1]
