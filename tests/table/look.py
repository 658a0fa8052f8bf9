"""Writes sample tables as whole pages into a folder, to be looked at in a browser.

`python -m tests.table.look FOLDER`, then serve the folder over HTTP. The pages are those of the
site, without a server behind them: nothing moves.
"""

import functools
import http.server
import os
import socketserver
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import django

# A page without a server behind it would say that the connection is lost.
NO_SOCKET = "window.WebSocket = class { send() {} close() {} };"


class _Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_args: object) -> None:
        """Say nothing."""


@contextmanager
def served(folder: Path) -> Iterator[str]:
    """The sample tables as pages at an address that ends with the block."""
    write_pages(folder)
    handler = functools.partial(_Quiet, directory=str(folder))
    with socketserver.ThreadingTCPServer(("127.0.0.1", 0), handler) as server:
        server.daemon_threads = True
        threading.Thread(target=server.serve_forever, daemon=True).start()
        try:
            yield f"http://127.0.0.1:{server.server_address[1]}"
        finally:
            server.shutdown()


def write_pages(folder: Path) -> None:
    """Write every sample as a whole page, with the static files beside them."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tests.settings")
    django.setup()
    from django.contrib.auth.models import AnonymousUser
    from django.template.loader import render_to_string
    from django.test import RequestFactory

    from dominoes.rules.view import view_for
    from dominoes.table import fragments
    from tests.table.samples import samples

    folder.mkdir(parents=True, exist_ok=True)
    for name, (state, match, you) in samples().items():
        request = RequestFactory().get(f"/tables/{state.code}/")
        request.user = AnonymousUser()
        everyone = view_for(match, None) if match else None
        mine = view_for(match, you) if match else None
        context = fragments.page_context(state, everyone, mine, you, {})
        html = render_to_string("table/page.html", context, request)
        (folder / f"{name}.html").write_text(html)
    static = folder / "static"
    if not static.exists():
        static.symlink_to(Path(__file__).resolve().parents[2] / "static")


if __name__ == "__main__":
    write_pages(Path(sys.argv[1]))
