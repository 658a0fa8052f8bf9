"""``make run``: bring database, seeds and static files up to date, then serve, in one process.

One process, because loading everything anew for each step would take longer than the steps.
"""

import argparse
import os
import socket
import sys

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "dominoes.settings")

import django
from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from django.core.management import call_command

from dominoes.network import lan_address
from dominoes.static import collect


def taken(port: int) -> bool:
    """Say whether another program listens on this TCP port."""
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("", port))
        except OSError:
            return True
    return False


def main(arguments: list[str]) -> int:
    """Prepare and serve until interrupted; gives the exit status."""
    parser = argparse.ArgumentParser(prog="make run", description="Start the site.")
    parser.add_argument("--port", type=int, default=8000)
    port = parser.parse_args(arguments).port
    if taken(port):
        print(f"Port {port} is taken. Try another one: make run PORT={port + 1}", file=sys.stderr)
        return 1
    try:
        django.setup()
    except ImproperlyConfigured as error:
        print(error, file=sys.stderr)
        return 1
    call_command("migrate", interactive=False, verbosity=0)
    call_command("seed", verbosity=0)
    collect()
    if settings.PUBLIC:
        print(f"Port {port}, for {', '.join(settings.ALLOWED_HOSTS)}")
    else:
        print(f"On this machine:   http://localhost:{port}/")
        if address := lan_address():
            print(f"In the network:    http://{address}:{port}/")
    print("Stop with Ctrl-C.", flush=True)
    call_command("serve", port=port, verbosity=0)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
