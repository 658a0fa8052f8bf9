"""``manage.py serve``: the web server with its sockets, its heartbeat and its sweeper."""

from __future__ import annotations

import contextlib
import gc
import os
import resource
import socket
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError


class Command(BaseCommand):
    """Serve until SIGTERM or Ctrl-C; any number of these may share a database and a Redis."""

    help = "Serve the site: pages, API, sockets, clocks."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Where to listen."""
        parser.add_argument("--host", help="listen on this address only (else on every one)")
        parser.add_argument(
            "--port",
            type=int,
            default=int(os.environ.get("PORT") or 8000),
            help="listen on this port (PORT or 8000)",
        )
        parser.add_argument("--fd", type=int, help="take over this listening socket instead")

    def handle(self, *_args: Any, **options: Any) -> None:
        """Run the server; returns when it has ended in good order."""
        # First of all: this installs the reactor.
        from dominoes.table import server  # isort: skip

        from channels.routing import get_default_application

        from dominoes.table import run

        _allow_many_sockets()
        if options["fd"] is not None:
            sockets = [socket.socket(fileno=options["fd"])]
        else:
            try:
                sockets = server.listen(options["host"], options["port"])
            except OSError as error:
                raise CommandError(f"Can't listen there: {error}") from None
        application = get_default_application()
        life = run.Life()
        serving = server.TableServer(
            application, sockets, on_start=life.begin, on_stop=life.stop_taking, busy=life.busy
        )
        life.prepare()
        if options["verbosity"]:
            self._say_where(sockets)
        # What is loaded by now stays: the collector need not look at it again and again.
        gc.collect()
        gc.freeze()
        try:
            serving.run()
        finally:
            life.end()
        if serving.failed:
            raise CommandError("The server could not begin; the log says why.")

    def _say_where(self, sockets: list[socket.socket]) -> None:
        address, port = sockets[0].getsockname()[:2]
        self.stdout.write(f"Serving on {address}, port {port}.")
        self.stdout.flush()


def _allow_many_sockets() -> None:
    """Have as many open files as the system lets us: the usual 1,024 would be 1,000 sockets."""
    _soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    with contextlib.suppress(OSError, ValueError):  # some systems say "any number" and mean less
        resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
