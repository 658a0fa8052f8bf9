"""The real things that tests run against: PostgreSQL, Redis, server processes, a browser.

Each is started on a free port (or handed a socket that is bound already), lives in a scratch folder
and is ended by its own process id. What is missing on a machine makes ``need`` say so.
"""

import contextlib
import grp
import json
import os
import pwd
import secrets
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Self

import psycopg
import pytest
import redis

ROOT = Path(__file__).resolve().parent.parent
# A machine under load, or one that just woke up, takes its time to start a server.
START_PATIENCE = 60.0
STOP_PATIENCE = 30.0


def free_port() -> int:
    """Give a TCP port that nobody listens on at the moment."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def postgres_tools() -> Path | None:
    """Find the folder with ``initdb`` and ``postgres``; Debian keeps it off PATH."""
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"), key=lambda p: p.parts[-3])
    on_path = shutil.which("initdb")
    if found:
        return found[-1].parent
    return Path(on_path).resolve().parent if on_path else None


def redis_tool() -> str | None:
    """Find ``redis-server`` (or its successor by another name)."""
    return shutil.which("redis-server") or shutil.which("valkey-server")


def chromium() -> str | None:
    """Find a Chromium to test in; ``CHROMIUM`` names another one."""
    names = ("chromium", "chromium-browser", "google-chrome-stable", "google-chrome")
    given = os.environ.get("CHROMIUM")
    return given or next((path for name in names if (path := shutil.which(name))), None)


_FINDERS = {
    "PostgreSQL": (postgres_tools, "install the package postgresql"),
    "Redis": (redis_tool, "install the package redis-server"),
    "Chromium": (chromium, "install the package chromium, or name one in CHROMIUM"),
}


def need(name: str) -> None:
    """Skip the test where PostgreSQL, Redis or Chromium is missing; fail it if all is required."""
    find, how = _FINDERS[name]
    if find() is None:
        text = f"{name} isn't on this machine: {how}."
        if os.environ.get("REQUIRE_ALL") == "1":
            pytest.fail(text, pytrace=False)
        # The one skip of the suite: without it nobody could test on a machine that lacks a server.
        pytest.skip(text)


class Process:
    """A server process: started, stopped, killed, paused; its output goes to a log file."""

    def __init__(self, name: str, log: Path) -> None:
        self.name = name
        self.log = log
        self.running: subprocess.Popen[bytes] | None = None

    def launch(self, command: list[str], **more: Any) -> None:
        """Start the process with its output appended to the log."""
        with self.log.open("ab") as log:
            self.running = subprocess.Popen(
                command, stdin=subprocess.DEVNULL, stdout=log, stderr=log, **more
            )

    @property
    def pid(self) -> int:
        """The id of the running process."""
        assert self.running is not None, f"{self.name} isn't running"
        return self.running.pid

    def send(self, number: int) -> None:
        """Send it a signal."""
        assert self.running is not None, f"{self.name} isn't running"
        self.running.send_signal(number)

    def pause(self) -> None:
        """Freeze it where it is (SIGSTOP)."""
        self.send(signal.SIGSTOP)

    def resume(self) -> None:
        """Let it go on (SIGCONT)."""
        self.send(signal.SIGCONT)

    def kill(self) -> None:
        """End it at once, without a chance to tidy up (SIGKILL)."""
        if self.running is not None:
            self.running.kill()
            self.running.wait()
            self.running = None

    def stop(self, number: int = signal.SIGTERM) -> int:
        """End it in good order; gives its exit status."""
        if self.running is None:
            return 0
        self.resume()
        self.running.send_signal(number)
        try:
            status = self.running.wait(STOP_PATIENCE)
        except subprocess.TimeoutExpired:
            self.kill()
            raise
        self.running = None
        return status

    def output(self) -> str:
        """What it wrote so far."""
        return self.log.read_text(errors="replace") if self.log.exists() else ""

    def await_(self, ready: Any, what: str) -> None:
        """Wait until ``ready()`` is true; fails with the log if the process ends before."""
        deadline = time.monotonic() + START_PATIENCE
        while not ready():
            ended = self.running is None or self.running.poll() is not None
            if ended or time.monotonic() > deadline:
                why = "ended" if ended else "took too long"
                raise AssertionError(f"{self.name} {why} before {what}:\n{self.output()[-4000:]}")
            time.sleep(0.05)


class Postgres(Process):
    """A PostgreSQL of our own: local, passwordless, as the user postgres if we are root."""

    def __init__(self, scratch: Path) -> None:
        super().__init__("PostgreSQL", scratch / "postgres.log")
        tools = postgres_tools()
        assert tools is not None
        self.tools = tools
        # Sockets have short names, and the postgres user must be able to reach the folder.
        self.home = Path(tempfile.mkdtemp(prefix="dominoes-pg-"))
        self.port = free_port()
        self.options: list[str] = []
        self.who: dict[str, Any] = {}
        if os.geteuid() == 0:
            user = pwd.getpwnam("postgres")
            groups = [group.gr_gid for group in grp.getgrall() if "postgres" in group.gr_mem]
            self.who = {"user": user.pw_uid, "group": user.pw_gid, "extra_groups": groups}
            os.chown(self.home, user.pw_uid, user.pw_gid)

    def create(self) -> Self:
        """Make the cluster and start it."""
        subprocess.run(
            [self.tools / "initdb", "-D", self.home / "data", "-U", "dominoes", "-A", "trust"]
            + ["--no-sync", "-E", "UTF8", "--locale=C.UTF-8"],
            check=True,
            stdout=subprocess.DEVNULL,
            cwd=self.home,
            **self.who,
        )
        self.start()
        return self

    def start(self) -> None:
        """Start it (again), on the same port with the same data, and wait until it answers."""
        settings = {
            "listen_addresses": "127.0.0.1",
            "unix_socket_directories": str(self.home),
            "max_connections": "200",
            # Tests kill processes, never the machine.
            "fsync": "off",
        }
        flags = [part for key, value in settings.items() for part in ("-c", f"{key}={value}")]
        command = [str(self.tools / "postgres"), "-D", str(self.home / "data")]
        self.launch(
            [*command, "-p", str(self.port), *flags, *self.options], cwd=self.home, **self.who
        )
        self.await_(self.answers, "it took connections")

    def answers(self) -> bool:
        """Say whether it takes connections."""
        try:
            psycopg.connect(self.url("postgres"), connect_timeout=2).close()
        except psycopg.Error:
            return False
        return True

    def url(self, database: str) -> str:
        """The address of one of its databases."""
        return f"postgres://dominoes@127.0.0.1:{self.port}/{database}"

    def fresh(self) -> str:
        """Make an empty database and give its address."""
        name = f"t{secrets.token_hex(6)}"
        with psycopg.connect(self.url("postgres"), autocommit=True) as connection:
            connection.execute(f"CREATE DATABASE {name}")  # type: ignore[call-overload]
        return self.url(name)

    def stop(self, number: int = signal.SIGINT) -> int:
        """End it, without waiting for its clients to go (SIGINT, its fast way)."""
        return super().stop(number)

    def remove(self) -> None:
        """End it and delete its files."""
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.stop()
        shutil.rmtree(self.home, ignore_errors=True)


class Redis(Process):
    """A Redis of our own, which keeps nothing on disk."""

    def __init__(self, scratch: Path) -> None:
        super().__init__("Redis", scratch / "redis.log")
        self.scratch = scratch
        self.port = free_port()

    @property
    def url(self) -> str:
        """Its address."""
        return f"redis://127.0.0.1:{self.port}"

    def start(self) -> Self:
        """Start it (again) on the same port and wait until it answers."""
        tool = redis_tool()
        assert tool is not None
        self.launch(
            [tool, "--port", str(self.port), "--bind", "127.0.0.1", "--save", ""]
            + ["--appendonly", "no", "--dir", str(self.scratch)]
        )
        self.await_(self.answers, "it answered")
        return self

    def answers(self) -> bool:
        """Say whether it answers."""
        try:
            with redis.Redis(port=self.port, socket_timeout=2) as client:
                return bool(client.ping())
        except redis.RedisError:
            return False


def environment(data_dir: Path, **more: str) -> dict[str, str]:
    """The environment of a server or command under test: nothing but what the test says."""
    inherited = (
        "PATH",
        "HOME",
        "LANG",
        "LC_ALL",
        "TMPDIR",
        "VIRTUAL_ENV",
        "COVERAGE_PROCESS_START",
    )
    base = {name: os.environ[name] for name in inherited if name in os.environ}
    return base | {"DATA_DIR": str(data_dir), "RATE_LIMITS": "off"} | more


def manage(
    *arguments: str, env: Mapping[str, str], text: str | None = None, check: bool = True
) -> subprocess.CompletedProcess[str]:
    """Run ``manage.py`` with these arguments; ``text`` goes to its standard input."""
    done = subprocess.run(
        [sys.executable, str(ROOT / "manage.py"), *arguments],
        env=dict(env),
        input=text,
        capture_output=True,
        text=True,
        cwd=ROOT,
        timeout=120,
        check=False,
    )
    if check and done.returncode:
        shown = " ".join(arguments)
        raise AssertionError(f"manage.py {shown}: exit {done.returncode}\n{done.stderr[-4000:]}")
    return done


class Site(Process):
    """A real ``manage.py serve``; its socket is bound here, so it keeps its port over restarts."""

    def __init__(self, name: str, scratch: Path, env: Mapping[str, str]) -> None:
        super().__init__(name, scratch / f"{name}.log")
        self.env = dict(env)
        self.socket = socket.socket()
        self.socket.bind(("127.0.0.1", 0))
        self.socket.listen(512)
        self.port = int(self.socket.getsockname()[1])
        self.url = f"http://127.0.0.1:{self.port}"
        self.ws_url = f"ws://127.0.0.1:{self.port}"

    def start(self, *arguments: str, wait: bool = True) -> Self:
        """Start it (again) and, unless told otherwise, wait until ``/healthz`` is well."""
        number = self.socket.fileno()
        self.launch(
            [sys.executable, str(ROOT / "manage.py"), "serve", "--fd", str(number), *arguments],
            env=self.env,
            pass_fds=(number,),
            cwd=ROOT,
        )
        if wait:
            self.await_(self.well, "/healthz was well")
        return self

    def well(self) -> bool:
        """Say whether ``/healthz`` answers 200."""
        try:
            with urllib.request.urlopen(f"{self.url}/healthz", timeout=5) as answer:
                return bool(answer.status == 200)
        except (urllib.error.URLError, OSError):
            return False

    def call(
        self, method: str, path: str, body: Any = None, token: str | None = None
    ) -> tuple[int, Any]:
        """Call the API: ``path`` under ``/api/v1/``; gives status and JSON."""
        request = urllib.request.Request(
            f"{self.url}/api/v1/{path}",
            method=method,
            data=None if body is None else json.dumps(body).encode(),
            headers={"Content-Type": "application/json"}
            | ({"Authorization": f"Bearer {token}"} if token else {}),
        )
        try:
            with urllib.request.urlopen(request, timeout=30) as answer:
                return answer.status, json.loads(answer.read() or b"null")
        except urllib.error.HTTPError as error:
            with error:
                text = error.read()
            try:
                return error.code, json.loads(text)
            except ValueError:
                return error.code, text.decode(errors="replace")

    def remove(self) -> None:
        """End it, if it runs, and give its port back."""
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.stop()
        self.socket.close()


@contextlib.contextmanager
def running_site(
    scratch: Path, *, prepared: bool = False, name: str = "site", **env: str
) -> Iterator[Site]:
    """Run one server for the time of the block, on its own database unless ``env`` names one.

    ``prepared``: the database is migrated and seeded already.
    """
    scratch.mkdir(parents=True, exist_ok=True)
    given = environment(scratch, **env)
    if not prepared:
        manage("migrate", "--verbosity", "0", env=given)
        manage("seed", env=given)
    site = Site(name, scratch, given)
    try:
        yield site.start()
    finally:
        site.remove()
