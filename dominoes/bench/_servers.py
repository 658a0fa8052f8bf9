"""Servers to measure: the site's and the baseline's, and the load that is put on them."""

from __future__ import annotations

import contextlib
import json
import os
import secrets
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import psycopg

ROOT = Path(__file__).resolve().parent.parent.parent
TICKS = os.sysconf("SC_CLK_TCK")
PATIENCE = 90.0


@dataclass(frozen=True)
class Setup:
    """Where the servers store and tell: nothing given is the embedded default."""

    postgres: str = ""
    redis: str = ""

    @property
    def name(self) -> str:
        return "PostgreSQL and Redis" if self.postgres else "the embedded default"


@dataclass
class Servers:
    """Some processes of one kind on one database, each on a port of its own."""

    kind: str  # "site", "timed" (the site, noting where time goes) or "bare"
    processes: list[subprocess.Popen[bytes]]
    addresses: list[tuple[str, int]]
    folder: Path
    tables: list[dict[str, Any]] = field(default_factory=list)

    def used(self) -> float:
        """Processor seconds of the processes so far."""
        return sum(processor_seconds(process.pid) for process in self.processes)

    def memory(self) -> int:
        """Bytes of memory that the processes hold."""
        return sum(resident(process.pid) for process in self.processes)


def _fields(pid: int) -> list[str]:
    """What the kernel says of a process, from its state on. Raises OSError if there is none."""
    return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()


def processor_seconds(pid: int) -> float:
    """User and system time of a process, in seconds."""
    fields = _fields(pid)
    return (int(fields[11]) + int(fields[12])) / TICKS


def ended_seconds(pid: int) -> float:
    """User and system time of the children of a process that have ended, in seconds."""
    fields = _fields(pid)
    return (int(fields[13]) + int(fields[14])) / TICKS


def parent(pid: int) -> int:
    """The process that started this one."""
    return int(_fields(pid)[1])


def resident(pid: int) -> int:
    """Bytes of a process's memory."""
    pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE")


def environment(folder: Path, setup: Setup, **more: str) -> dict[str, str]:
    """What a server under measurement is told: its own data, no limits by address."""
    kept = {name: os.environ[name] for name in ("PATH", "HOME", "LANG") if name in os.environ}
    made = {"DATA_DIR": str(folder), "RATE_LIMITS": "off", "PYTHONPATH": str(ROOT)}
    if setup.postgres:
        made["DATABASE_URL"] = _database(setup.postgres)
    if setup.redis:
        made["REDIS_URL"] = setup.redis
    return kept | made | more


def _database(url: str) -> str:
    """A new database beside the one that the URL names; gives its URL."""
    name = f"bench_{secrets.token_hex(5)}"
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name}")
    base, _, _old = url.rpartition("/")
    return f"{base}/{name}"


@contextlib.contextmanager
def running(
    kind: str, tables: int, setup: Setup, processes: int = 1, *, collected: bool = False
) -> Iterator[Servers]:
    """Servers with so many tables in play, for the time of the block.

    `collected`: with static files as a site has them that was set up.
    """
    folder = Path(tempfile.mkdtemp(prefix=f"dominoes-bench-{kind}-"))
    env = environment(folder, setup)
    made = Servers(kind, [], [], folder)
    try:
        if kind != "bare":
            run("manage.py", "migrate", "--verbosity", "0", env=env)
            if collected:
                run("manage.py", "collectstatic", "--noinput", "--verbosity", "0", env=env)
            made.tables = json.loads(run("-m", "tests.bench.filling", str(tables), env=env))
        else:
            made.tables = [{"code": f"bare{n}", "tokens": [""] * 4} for n in range(tables)]
        for _number in range(processes):
            _start(made, env)
        yield made
    finally:
        for process in made.processes:
            process.send_signal(signal.SIGTERM)
        for process in made.processes:
            try:
                process.wait(20)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
        drop_database(setup, env)
        shutil.rmtree(folder, ignore_errors=True)


def drop_database(setup: Setup, env: Mapping[str, str]) -> None:
    """Remove the database that `environment` made for a PostgreSQL setup."""
    if setup.postgres:
        with contextlib.suppress(psycopg.Error), _admin(setup) as connection:
            name = env["DATABASE_URL"].rpartition("/")[2]
            connection.execute(f"DROP DATABASE {name}")


def _admin(setup: Setup) -> psycopg.Connection[Any]:
    return psycopg.connect(setup.postgres, autocommit=True)


def _start(servers: Servers, env: Mapping[str, str]) -> None:
    listening = socket.socket()
    listening.bind(("127.0.0.1", 0))
    listening.listen(2048)
    number = listening.fileno()
    command = {
        "site": ["manage.py", "serve", "--fd", str(number), "--verbosity", "0"],
        "timed": ["-m", "tests.bench.timed", "serve", "--fd", str(number), "--verbosity", "0"],
        "bare": ["-m", "tests.bench.baseline", "--fd", str(number)]
        + ["--tables", str(len(servers.tables))],
    }[servers.kind]
    log = servers.folder / f"log{len(servers.processes)}"
    with log.open("wb") as out:
        process = subprocess.Popen(  # noqa: S603 - our own servers
            [sys.executable, *command],
            env=dict(env),
            cwd=ROOT,
            pass_fds=(number,),
            stdin=subprocess.DEVNULL,
            stdout=out,
            stderr=out,
        )
    servers.processes.append(process)
    address = listening.getsockname()
    listening.close()
    servers.addresses.append((address[0], address[1]))
    deadline = time.monotonic() + PATIENCE
    while not _answers(address):
        if process.poll() is not None or time.monotonic() > deadline:
            raise RuntimeError(f"A server did not start:\n{log.read_text()[-3000:]}")
        time.sleep(0.05)


def _answers(address: tuple[str, int]) -> bool:
    """Whether anything is answered there: the socket listens before the server does."""
    with contextlib.suppress(OSError), socket.create_connection(address, 2) as one:
        one.settimeout(3)
        one.sendall(b"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n")
        return one.recv(16).startswith(b"HTTP/")
    return False


def run(*arguments: str, env: Mapping[str, str]) -> str:
    """Run Python with these arguments in the project's folder; gives what it printed."""
    done = subprocess.run(  # noqa: S603 - our own commands
        [sys.executable, *arguments], env=dict(env), cwd=ROOT, capture_output=True, text=True,
        check=False,
    )  # fmt: skip
    if done.returncode:
        raise RuntimeError(f"{' '.join(arguments)}: {done.stderr[-3000:]}")
    return done.stdout


def load(servers: Servers, what: str, form: str, tables: int, **more: Any) -> dict[str, Any]:
    """Put a load on servers; its figures, with `cpu`: processor seconds of the servers meanwhile.

    `form` is "json" or "html" at the site, "bare" at the baseline. For "hold" there is also
    `memory`, the bytes that the sockets made the servers grow by.
    """
    job = {
        "what": what,
        "format": form,
        "addresses": servers.addresses,
        "tables": [{**one, "number": n} for n, one in enumerate(servers.tables[:tables])],
        "warm": 1.0,
        **more,
    }
    before = servers.memory()
    with subprocess.Popen(
        [sys.executable, "-m", "tests.bench.load"],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdin is not None and process.stdout is not None
        process.stdin.write(json.dumps(job) + "\n")
        process.stdin.flush()
        used, cpu, grown, figures = 0.0, 0.0, 0, None
        for line in process.stdout:
            if line == "begin\n":
                used = servers.used()
                if what == "hold":
                    grown = servers.memory() - before
                    process.stdin.write("go\n")
                    process.stdin.flush()
            elif line == "end\n":
                cpu = servers.used() - used
            else:
                figures = json.loads(line)
    if figures is None:
        raise RuntimeError(f"The load ended with {process.returncode}.")
    return {**figures, "cpu": cpu, "memory": grown}


def show(*arguments: str, env: Mapping[str, str]) -> int:
    """Run Python with these arguments in the project's folder; what it prints is shown."""
    command = [sys.executable, *arguments]
    return subprocess.run(command, env=dict(env), cwd=ROOT, check=False).returncode  # noqa: S603
