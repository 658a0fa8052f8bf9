"""What the environment says, variable by variable."""

import stat
import threading
from ipaddress import ip_address
from pathlib import Path

import pytest

from dominoes import environment
from dominoes.environment import BadEnvironment


@pytest.mark.parametrize("word", ["1", "on", "Yes", "TRUE", " on "])
def test_flag_says_yes(word: str) -> None:
    assert environment.flag({"DEBUG": word}, "DEBUG") is True


@pytest.mark.parametrize("word", ["0", "off", "no", "False", ""])
def test_flag_says_no(word: str) -> None:
    assert environment.flag({"RATE_LIMITS": word}, "RATE_LIMITS", default=True) is False


def test_flag_that_is_absent_has_its_default() -> None:
    assert environment.flag({}, "RATE_LIMITS", default=True) is True


def test_flag_refuses_what_it_does_not_know() -> None:
    with pytest.raises(BadEnvironment, match="DEBUG must be on or off"):
        environment.flag({"DEBUG": "maybe"}, "DEBUG")


def test_lists_are_split_at_commas_and_spaces() -> None:
    env = {"ALLOWED_HOSTS": "play.example, www.play.example  other.example,"}
    assert environment.words(env, "ALLOWED_HOSTS") == [
        "play.example",
        "www.play.example",
        "other.example",
    ]


def test_networks_are_addresses_or_ranges() -> None:
    found = environment.networks(
        {"TRUSTED_PROXIES": "127.0.0.1, 10.1.0.0/16 ::1"}, "TRUSTED_PROXIES"
    )
    assert [ip_address("10.1.2.3") in net for net in found] == [False, True, False]


def test_networks_refuse_names() -> None:
    with pytest.raises(BadEnvironment, match="'proxy' is no address"):
        environment.networks({"TRUSTED_PROXIES": "proxy"}, "TRUSTED_PROXIES")


class TestDatabase:
    def test_the_default_is_a_file_that_keeps_what_was_committed(self, tmp_path: Path) -> None:
        found = environment.database("", tmp_path / "data")
        assert found["NAME"] == str(tmp_path / "data" / "db.sqlite3")
        assert found["OPTIONS"]["transaction_mode"] == "IMMEDIATE"
        assert "synchronous=FULL" in found["OPTIONS"]["init_command"]
        assert "journal_mode=WAL" in found["OPTIONS"]["init_command"]
        assert found["OPTIONS"]["timeout"] >= 10

    def test_another_sqlite_file_is_kept_the_same_way(self, tmp_path: Path) -> None:
        found = environment.database(f"sqlite:///{tmp_path}/other.sqlite3", tmp_path)
        assert found["NAME"] == f"{tmp_path}/other.sqlite3"
        assert found["OPTIONS"]["transaction_mode"] == "IMMEDIATE"

    def test_postgres_goes_through_a_pool(self, tmp_path: Path) -> None:
        found = environment.database(
            "postgres://ana:a%20b@db:5433/domino?sslmode=require", tmp_path
        )
        assert (found["HOST"], found["PORT"], found["NAME"]) == ("db", 5433, "domino")
        assert (found["USER"], found["PASSWORD"]) == ("ana", "a b")
        assert found["OPTIONS"]["sslmode"] == "require"
        assert found["OPTIONS"]["pool"]["max_size"] == environment.POOL_SIZE
        assert found["CONN_MAX_AGE"] == 0
        assert list(tmp_path.iterdir()) == []

    @pytest.mark.parametrize("url", ["mysql://ana:sesame@db/x", "nonsense://ana:sesame@db/x"])
    def test_others_are_refused_without_repeating_the_password(
        self, url: str, tmp_path: Path
    ) -> None:
        with pytest.raises(BadEnvironment, match="DATABASE_URL") as caught:
            environment.database(url, tmp_path)
        assert "sesame" not in str(caught.value)


class TestMail:
    def test_without_an_address_nothing_is_sent(self) -> None:
        assert environment.mail("")["EMAIL_BACKEND"].endswith("dummy.EmailBackend")

    def test_smtp_with_a_user_is_encrypted(self) -> None:
        found = environment.mail("smtp://ana%40home:p%2Fw@mail.example?from=desk@play.example")
        assert found["EMAIL_HOST"] == "mail.example"
        assert found["EMAIL_PORT"] == 587
        assert found["EMAIL_HOST_USER"] == "ana@home"
        assert found["EMAIL_HOST_PASSWORD"] == "p/w"
        assert found["EMAIL_USE_TLS"] is True
        assert found["EMAIL_USE_SSL"] is False
        assert found["DEFAULT_FROM_EMAIL"] == "desk@play.example"

    def test_smtp_of_the_machine_itself_is_plain(self) -> None:
        found = environment.mail("smtp://localhost:25")
        assert (found["EMAIL_PORT"], found["EMAIL_USE_TLS"]) == (25, False)

    def test_smtps_speaks_tls_from_the_start(self) -> None:
        found = environment.mail("smtps://ana:pw@mail.example")
        assert found["EMAIL_PORT"] == 465
        assert (found["EMAIL_USE_SSL"], found["EMAIL_USE_TLS"]) == (True, False)

    def test_a_folder_or_the_console_for_trying_out(self) -> None:
        assert environment.mail("file:///var/mail/out")["EMAIL_FILE_PATH"] == "/var/mail/out"
        assert environment.mail("console:")["EMAIL_BACKEND"].endswith("console.EmailBackend")

    @pytest.mark.parametrize("url", ["smtp://", "pigeon://loft", "mail.example", "file:"])
    def test_what_it_does_not_know_is_refused(self, url: str) -> None:
        with pytest.raises(BadEnvironment, match="EMAIL_URL"):
            environment.mail(url)


class TestRedis:
    def test_without_redis_all_stays_in_the_process(self) -> None:
        assert environment.channel_layer("")["BACKEND"].endswith("InMemoryChannelLayer")
        assert environment.cache("")["BACKEND"].endswith("LocMemCache")

    def test_a_subscriber_may_hear_nothing_for_any_time(self) -> None:
        layer = environment.channel_layer("redis://cache:6379/1")
        assert layer["BACKEND"] == "channels_redis.pubsub.RedisPubSubChannelLayer"
        (host,) = layer["CONFIG"]["hosts"]
        assert host == {"address": "redis://cache:6379/1", "socket_timeout": None}

    def test_a_limiter_never_waits_long_for_redis(self) -> None:
        assert environment.cache("redis://cache:6379/1")["OPTIONS"]["socket_timeout"] <= 1


class TestGeneratedKey:
    def test_is_for_its_owner_only_and_stays(self, tmp_path: Path) -> None:
        path = tmp_path / "new" / "secret_key"
        key = environment.generated_key(path)
        assert len(key) >= 80
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
        assert environment.generated_key(path) == key
        assert [item.name for item in path.parent.iterdir()] == ["secret_key"]

    def test_is_closed_again_if_somebody_opened_it(self, tmp_path: Path) -> None:
        path = tmp_path / "secret_key"
        environment.generated_key(path)
        path.chmod(0o644)
        environment.generated_key(path)
        assert stat.S_IMODE(path.stat().st_mode) == 0o600

    def test_starters_at_the_same_moment_agree(self, tmp_path: Path) -> None:
        path = tmp_path / "secret_key"
        barrier = threading.Barrier(8)
        keys = []

        def starter() -> None:
            barrier.wait()
            keys.append(environment.generated_key(path))

        threads = [threading.Thread(target=starter) for _ in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert len(keys) == 8
        assert len(set(keys)) == 1

    def test_an_empty_file_is_told(self, tmp_path: Path) -> None:
        (tmp_path / "secret_key").touch()
        with pytest.raises(BadEnvironment, match="is empty"):
            environment.generated_key(tmp_path / "secret_key")


def test_one_word_of_a_few() -> None:
    choices = ("subdomains", "host")
    assert environment.word({}, "HSTS", choices) == "subdomains"
    assert environment.word({"HSTS": " Host "}, "HSTS", choices) == "host"
    with pytest.raises(BadEnvironment, match="HSTS must be one of subdomains, host, not 'all'"):
        environment.word({"HSTS": "all"}, "HSTS", choices)
