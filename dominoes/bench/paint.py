"""How soon a table page is painted on a slow phone: a real browser, throttled, with empty caches.

The line is that of a middling mobile network (150 ms there and back, 1.6 Mbit/s), the processor
four times slower than this one. What counts is the first contentful paint; the socket's first
picture comes after it, with the table already there.
"""

from __future__ import annotations

import argparse
import statistics
import sys
from collections.abc import Sequence
from pathlib import Path
from shutil import which
from typing import Any

from dominoes.bench import _servers as servers
from dominoes.bench._servers import Setup
from dominoes.bench.tables import table

HELP = "first paint of a table page in a real browser, throttled as a slow phone"
LIMIT = 1000.0  # milliseconds
PHONE = {"width": 390, "height": 844}
LINE = {"offline": False, "latency": 150, "downloadThroughput": 200_000, "uploadThroughput": 94_000}
SLOWER = 4
FIRST_PAINT = """() => new Promise(done => {
  const look = () => {
    const found = performance.getEntriesByName('first-contentful-paint')[0];
    found ? done(found.startTime) : setTimeout(look, 20);
  };
  look();
})"""


def main(arguments: Sequence[str]) -> int:
    """Measure and print; exit status 1 over the limit."""
    parser = argparse.ArgumentParser(prog="manage.py bench paint", description=__doc__)
    parser.add_argument("--times", type=int, default=9, help="each page is opened (9)")
    asked = parser.parse_args(arguments)
    with servers.running("site", 1, Setup(), collected=True) as site:
        host, port = site.addresses[0]
        base = f"http://{host}:{port}"
        pages = {"table in play": f"{base}/tables/{site.tables[0]['code']}/", "home": f"{base}/"}
        rows: list[tuple[Any, ...]] = []
        for name, address in pages.items():
            took = _paints(address, asked.times)
            rows.append((name, statistics.median(took), max(took)))
    sys.stdout.write(table(("page", "median ms", "slowest ms"), rows) + "\n")
    good = rows[0][1] <= LIMIT
    kept = "kept" if good else "not kept"
    sys.stdout.write(f"\nLimit: {LIMIT:,.0f} ms for the table, at the median: {kept}.\n")
    return int(not good)


def _paints(address: str, times: int) -> list[float]:
    """Milliseconds to the first paint, each time with a browser profile of its own."""
    from playwright.sync_api import sync_playwright

    took = []
    path = which("chromium") or which("chromium-browser")
    with sync_playwright() as play:
        browser = play.chromium.launch(
            executable_path=path and Path(path), args=["--no-sandbox", "--disable-gpu"]
        )
        for _time in range(times):
            context = browser.new_context(viewport=PHONE, device_scale_factor=3, is_mobile=True)  # type: ignore[arg-type]
            page = context.new_page()
            session = context.new_cdp_session(page)
            session.send("Network.enable")
            session.send("Network.emulateNetworkConditions", LINE)
            session.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
            answer = page.goto(address, wait_until="commit")
            if answer is None or not answer.ok:
                raise RuntimeError(f"{address} could not be opened.")
            took.append(float(page.evaluate(FIRST_PAINT)))
            context.close()
        browser.close()
    return took
