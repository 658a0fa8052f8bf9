"""Makes the screenshots of `docs/pictures/` anew: sample tables in a real browser, at four sizes.

`python -m tests.pictures [FOLDER]`. The tables are those of tests/table/samples.py, drawn by the
site's own code and style sheets; Chromium has to be installed.
"""

import functools
import http.server
import sys
import tempfile
import threading
from pathlib import Path

from playwright.sync_api import sync_playwright

from tests import services
from tests.table.look import write_pages

FOLDER = Path(__file__).resolve().parent.parent / "docs" / "pictures"
SIZES = [(360, 740), (740, 360), (820, 1180), (1440, 900)]
SHOWN = (
    "classic-pass",
    "draw-draw",
    "fives-mine",
    "hand-over",
    "long-line",
    "match-over",
    "partners-mine",
    "room-host",
)


class Quiet(http.server.SimpleHTTPRequestHandler):
    """Serves a folder without a line for each request."""

    def log_message(self, *_about: object) -> None:
        """Say nothing."""


def make(folder: Path) -> list[Path]:
    """Write one picture for each sample and size; gives the files."""
    folder.mkdir(parents=True, exist_ok=True)
    made = []
    with tempfile.TemporaryDirectory() as scratch:
        pages = Path(scratch)
        write_pages(pages)
        handler = functools.partial(Quiet, directory=scratch)
        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(
                executable_path=services.chromium(), args=["--no-sandbox"]
            )
            for width, height in SIZES:
                context = browser.new_context(
                    viewport={"width": width, "height": height}, reduced_motion="reduce"
                )
                page = context.new_page()
                for sample in SHOWN:
                    page.goto(f"http://127.0.0.1:{server.server_port}/{sample}.html")
                    page.wait_for_timeout(250)
                    made.append(folder / f"{sample}-{width}x{height}.jpg")
                    page.screenshot(path=made[-1], type="jpeg", quality=82)
                    print(made[-1].name, flush=True)
                context.close()
            browser.close()
        server.shutdown()
    return made


if __name__ == "__main__":
    make(Path(sys.argv[1]) if len(sys.argv) > 1 else FOLDER)
