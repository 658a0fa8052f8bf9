"""A ranked match in a real browser: from signing up to the ladder, the replay and the proof."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests import services
from tests.e2e.people import own_token, playing, ranked_room, sign_up
from tests.e2e.table_page import NOBODY_CHOSE, phone, play_to_the_end
from tests.services import Site

pytestmark = pytest.mark.e2e


# How large the plot's words are on the screen, and which lie on each other or outside of it.
WRITTEN = """() => {
  const words = [...document.querySelectorAll(".plot__text")];
  const box = (word) => word.getBoundingClientRect();
  const meet = (a, b) =>
    a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
  const plot = document.querySelector(".plot");
  const scale = plot.getScreenCTM().a;
  const out = (a, b) => a.left < b.left || a.right > b.right + 1 || a.bottom > b.bottom + 1;
  return [
    words.map((word) => parseFloat(getComputedStyle(word).fontSize) * scale),
    words.flatMap((a, i) => words.slice(i + 1).filter((b) => meet(box(a), box(b))))
      .concat(words.filter((word) => out(box(word), box(plot))))
      .map((word) => word.textContent),
  ];
}"""


def figure(page: Page, name: str) -> str:
    """A number of the profile."""
    row = page.locator("dl.facts > div", has=page.locator("dt", has_text=re.compile(f"^{name}$")))
    return row.locator("dd").inner_text()


def test_from_sign_up_to_the_ladder_the_replay_and_the_proof(
    site: Site, browser: Browser, scratch: Path
) -> None:
    ana, ben = phone(browser).new_page(), phone(browser).new_page()
    sign_up(ana, site, "Ana Ranked")
    sign_up(ben, site, "Ben Ranked")
    ben_plays = own_token(ben, site, "Ben Ranked")

    # Nobody has points or a rating yet.
    ana.goto(f"{site.url}/players/Ana%20Ranked/")
    assert (figure(ana, "Points"), figure(ana, "Rating")) == ("0", "–")

    # One opens a ranked table, the other sits down, both by their browsers.
    code = ranked_room(ana, site)
    ben.goto(f"{site.url}/join/{code}/")
    ben.locator('button[name="seat"][value="1"]').click()
    ben.wait_for_selector("#table")
    ana.locator('#controls [value="start"]').click()
    expect(ana.locator("#table")).to_have_attribute("data-status", "playing")
    expect(ben.locator("#rail [data-tile]")).to_have_count(7)
    expect(ben.locator(".seal").first).to_have_text(re.compile("[0-9a-f]{64}"))

    # Ana clicks; a program plays for Ben, whose page shows it all the same.
    with playing(site, code, ben_plays):
        play_to_the_end([ana], 200)
    expect(ben.locator("#table")).to_have_attribute("data-status", "over")
    match = str(ana.locator('a[href^="/matches/"]').first.get_attribute("href"))
    match = match.split("?")[0]

    # The ladder: the winner has 25 points and the better rating, the loser 3.
    ana.goto(f"{site.url}/ladder/")
    rows = {
        name: ana.locator("tbody tr", has_text=name).first.locator("td").all_inner_texts()
        for name in ("Ana Ranked", "Ben Ranked")
    }
    points = {name: int(cells[2]) for name, cells in rows.items()}
    ratings = {name: int(cells[1].rstrip("?")) for name, cells in rows.items()}
    assert sorted(points.values()) == [3, 25]
    winner = max(points, key=lambda name: points[name])
    assert ratings[winner] > 1500 > min(ratings.values())
    assert all("?" in cells[1] for cells in rows.values())  # one match: provisional
    expect(ana.locator("#me")).to_contain_text("Ana Ranked")
    ana.goto(f"{site.url}/players/{winner.replace(' ', '%20')}/")
    assert (figure(ana, "Points"), figure(ana, "Won")) == ("25", "1")
    expect(ana.locator(".matches li")).to_have_count(1)
    sizes, amiss = ana.evaluate(WRITTEN)
    assert min(sizes) >= 11
    assert amiss == []

    # The replay: forwards, back, from a seat's eyes, to the end.
    ana.locator(".matches .list__title").click()
    assert match in ana.url
    where = ana.locator("#replay [role=status]")
    expect(where).to_contain_text("Hand 1, move 0")
    expect(ana.locator(".replay__racks li")).to_have_count(2)
    ana.locator('[data-step="on"]').click()
    expect(where).to_contain_text("Hand 1, move 1")
    ana.locator('[data-step="back"]').click()
    expect(where).to_contain_text("Hand 1, move 0")
    ana.get_by_role("link", name="As Ben Ranked saw it").click()
    expect(ana.locator(".replay__racks")).to_have_count(0)
    expect(ana.locator(".replay__rail [data-tile]")).to_have_count(7)
    ana.locator('[data-step="end"]').click()
    expect(ana.locator('[data-step="on"]')).to_have_attribute("aria-disabled", "true")

    # The proof, in the browser and by the command.
    ana.locator("[data-prove]").click()
    expect(ana.locator("#proof")).to_contain_text(NOBODY_CHOSE, timeout=30_000)
    with ana.expect_download() as download:
        ana.get_by_role("link", name="Download the record").click()
    kept = scratch / "match.json"
    download.value.save_as(kept)
    record = json.loads(kept.read_text())
    assert record["players"] == ["Ana Ranked", "Ben Ranked"]
    done = services.manage("verify", str(kept), env=site.env)
    assert f"({len(record['hands'])})" in done.stdout
    last = services.manage("replay", str(kept), env=site.env).stdout.splitlines()[-1]
    assert json.loads(last)["event"] == "match"

    # A record in which somebody changed a tile is found out in the browser.
    def changed(route: object) -> None:
        first = record["hands"][0]
        rack, rest = first["racks"][0], first["boneyard"]
        rack[0], rest[0] = rest[0], rack[0]
        route.fulfill(json=record)  # type: ignore[attr-defined]

    ana.route("**/record", changed)
    ana.locator("[data-prove]").click()
    expect(ana.locator("#proof")).to_contain_text("hand 1", timeout=30_000)
