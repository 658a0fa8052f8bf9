"""Takes the pictures in `docs/shots`: every system, a hand's and a match's end, on four screens.

`python -m tests.table.screenshots docs/shots`. The tables are the samples of the tests, so the same
code gives the same pictures; nothing is drawn that the site doesn't send.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from playwright.sync_api import Page, sync_playwright

from tests import services
from tests.table.look import NO_SOCKET, served

SCREENS = ((360, 740), (740, 360), (820, 1180), (1440, 900))
SHOWN = {
    "partners": "long-line",
    "draw": "draw-many",
    "classic": "classic-pass",
    "fives": "fives-mine",
    "hand-over": "hand-over",
    "match-over": "match-over",
}


def take(folder: Path) -> None:
    """Write a picture of every table on every screen into the folder."""
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as scratch, served(Path(scratch)) as url:
        _shoot(folder, url)


def _shoot(folder: Path, url: str) -> None:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=services.chromium(), args=["--no-sandbox"]
        )
        for width, height in SCREENS:
            context = browser.new_context(
                viewport={"width": width, "height": height},
                device_scale_factor=1.5 if width < 800 else 1,
                reduced_motion="reduce",
                locale="en",
            )
            context.add_init_script(NO_SOCKET)
            page = context.new_page()
            for name, sample in SHOWN.items():
                page.goto(f"{url}/{sample}.html")
                _pick_up(page)
                page.wait_for_timeout(150)
                path = folder / f"{name}-{width}x{height}.jpg"
                page.screenshot(path=path, type="jpeg", quality=76)
        browser.close()


def _pick_up(page: Page) -> None:
    """Pick up a tile that fits, if there is one."""
    tiles = page.locator("#rail [data-playable]")
    if tiles.count():
        tiles.nth(tiles.count() // 2).click()


if __name__ == "__main__":
    take(Path(sys.argv[1]))
