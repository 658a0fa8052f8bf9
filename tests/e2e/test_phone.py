"""A phone at home on plain HTTP, the app on its home screen, and the system's own colours."""

from __future__ import annotations

import base64
import json
from collections.abc import Iterator
from urllib.parse import urljoin

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from tests.e2e.conftest import AT_HOME
from tests.e2e.table_page import (
    NOBODY_CHOSE,
    click_a_move,
    open_table,
    phone,
    play_to_the_end,
    settled,
    with_bots,
)
from tests.services import Site
from tests.table.look import NO_SOCKET, served

pytestmark = pytest.mark.e2e


@pytest.fixture(scope="module")
def tables(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with served(tmp_path_factory.mktemp("tables")) as url:
        yield url


def test_a_phone_on_plain_http_plays_a_hand(site: Site, browser: Browser) -> None:
    page = phone(browser, has_touch=True).new_page()
    faults: list[str] = []
    page.on("pageerror", lambda fault: faults.append(str(fault)))
    url = f"http://{AT_HOME}:{site.port}"
    open_table(page, url, "Ana", "draw", "2-singles", kind="nearby")
    assert (
        page.evaluate(
            "[isSecureContext, 'wakeLock' in navigator, 'serviceWorker' in navigator,"
            " Boolean(crypto.subtle), 'randomUUID' in crypto, 'clipboard' in navigator]"
        )
        == [False] * 6
    )
    # Nothing can copy the link here: it stands there, and a tap marks it to be copied by hand.
    link = page.locator("#invitation-link")
    assert link.input_value().startswith(f"{url}/join/")
    page.get_by_role("button", name="Copy").click()
    assert link.evaluate(
        "field => field.value.slice(field.selectionStart, field.selectionEnd)"
    ) == (link.input_value())
    # So it is with what stands in no field, as a new token.
    page.evaluate(
        """() => document.getElementById("invite").insertAdjacentHTML("beforeend",
            '<code id="told">abc</code><button type="button" id="take" data-copy="#told" '
            + 'data-copied="Copied" data-by-hand="Copy by hand">Copy</button>')"""
    )
    page.locator("#take").click()
    assert page.evaluate("getSelection().toString()") == "abc"
    expect(page.locator("#take")).to_have_text("Copied")
    with_bots(page)
    expect(page.locator("#conn")).to_be_hidden()
    laid = 0
    while settled(page, 30) == "playing":
        click_a_move(page)
        laid += 1
    assert laid
    expect(page.locator("#result")).to_be_visible()
    page.locator("#side > summary").click()
    expect(page.locator("#awake")).to_be_visible()
    expect(page.locator("#awake")).to_contain_text("device's settings")
    assert faults == []
    page.context.close()


def test_a_deal_is_proved_on_plain_http(site: Site, browser: Browser) -> None:
    page = phone(browser).new_page()
    open_table(page, f"http://{AT_HOME}:{site.port}", "Ana", "draw", "2-singles")
    page.wait_for_function("() => localStorage.length > 0")  # the seed is on its way
    with_bots(page)
    play_to_the_end([page])
    page.locator(".board__more a").click()
    page.locator("[data-prove]").click()
    expect(page.locator("#proof")).to_contain_text(NOBODY_CHOSE, timeout=30_000)
    expect(page.locator("#proof")).to_contain_text("this browser gave")
    page.context.close()


def test_the_home_screen_gets_what_it_needs(site: Site, page: Page) -> None:
    page.goto(site.url)
    link = page.locator('link[rel="manifest"]').get_attribute("href")
    address = urljoin(site.url, str(link))
    answer = page.request.get(address)
    assert answer.status == 200
    assert "json" in answer.headers["content-type"]
    manifest = json.loads(answer.body())
    assert manifest["name"]
    assert len(manifest["short_name"]) <= 12
    assert manifest["display"] == "standalone"
    assert page.request.get(urljoin(address, manifest["start_url"])).status == 200
    sizes = set()
    for icon in manifest["icons"]:
        found = page.request.get(urljoin(address, icon["src"]))
        assert found.status == 200, icon
        assert found.headers["content-type"].startswith(icon["type"])
        sizes.add(icon["sizes"])
        if icon["type"] == "image/png":
            size = page.evaluate(
                """async (data) => {
                  const image = new Image();
                  image.src = "data:image/png;base64," + data;
                  await image.decode();
                  return `${image.naturalWidth}x${image.naturalHeight}`;
                }""",
                base64.b64encode(found.body()).decode(),
            )
            assert size == icon["sizes"]
    assert {"192x192", "512x512"} <= sizes
    apple = page.locator('link[rel="apple-touch-icon"]').get_attribute("href")
    assert page.request.get(urljoin(site.url, str(apple))).status == 200
    # A browser that takes the manifest for its own has no fault to find in it.
    parsed = page.context.new_cdp_session(page).send("Page.getAppManifest")
    assert parsed["errors"] == []


# How much of a picture is dark and how much is light.
SHARES = """async (data) => {
  const image = new Image();
  image.src = "data:image/png;base64," + data;
  await image.decode();
  const canvas = new OffscreenCanvas(image.naturalWidth, image.naturalHeight);
  const context = canvas.getContext("2d");
  context.drawImage(image, 0, 0);
  const { data: bytes } = context.getImageData(0, 0, canvas.width, canvas.height);
  let dark = 0, light = 0;
  for (let at = 0; at < bytes.length; at += 4) {
    const bright = (0.2126 * bytes[at] + 0.7152 * bytes[at + 1] + 0.0722 * bytes[at + 2]) / 255;
    if (bright < 0.2) dark++;
    if (bright > 0.65) light++;
  }
  return [dark / (bytes.length / 4), light / (bytes.length / 4)];
}"""


def stands_out(paper: Page, what: Locator) -> bool:
    """Whether there is dark on light or light on dark in what is drawn there."""
    picture = base64.b64encode(what.screenshot()).decode()
    dark, light = paper.evaluate(SHARES, picture)
    return bool(dark > 0.03 and light > 0.03)


OUTLINE = """node => {
  const style = getComputedStyle(node);
  return style.outlineStyle === "none" ? 0 : parseFloat(style.outlineWidth);
}"""


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_systems_own_colours_hide_nothing(tables: str, browser: Browser, scheme: str) -> None:
    context = browser.new_context(
        viewport={"width": 820, "height": 1180},
        locale="en",
        forced_colors="active",
        color_scheme=scheme,  # type: ignore[arg-type]
        reduced_motion="reduce",
    )
    context.add_init_script(NO_SOCKET)
    page, paper = context.new_page(), browser.new_page()
    page.goto(f"{tables}/fives-mine.html")
    picked = page.locator("#rail [data-playable]").first
    picked.click()
    # The ring round the tile in hand, and round no other.
    rings = page.locator("#rail .rt .tile").evaluate_all(f"nodes => nodes.map({OUTLINE})")
    assert max(rings) >= 3
    assert sum(ring > 0 for ring in rings) == 1
    assert picked.locator(".tile").evaluate(OUTLINE) == max(rings)
    # The focus shows besides, where one comes by keys.
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowLeft")
    ring = "node => getComputedStyle(node).outlineStyle"
    assert picked.locator(".tile").evaluate(ring) == "double"
    # Whose turn it is.
    current = page.locator(".seat[aria-current] .plate")
    assert current.evaluate(OUTLINE) >= 3
    for plate in page.locator(".seat:not([aria-current]) .plate").all():
        assert plate.evaluate(OUTLINE) == 0
    # The tiles and the numbers of the ends, the latest move marked.
    for what in (
        page.locator("#rail .rt .tile").last,
        page.locator("#line [data-tile]:not([data-tile='0-0'])").first,
        page.locator("#line .last"),
        page.locator("#line [data-end]").first,
        page.locator("#controls button:visible").first,
    ):
        assert stands_out(paper, what), what
    assert page.locator("#line .last").evaluate(OUTLINE) >= 2
    fits = str(page.get_attribute("#line", "data-fits")).split()[0]
    lit = page.locator(f'#line [data-end="{fits}"]')
    back = "node => getComputedStyle(node).backgroundColor"
    others = page.locator("#line [data-end]").evaluate_all(f"nodes => nodes.map({back})")
    assert lit.evaluate(back) in others
    if len(others) > len(str(page.get_attribute("#line", "data-fits")).split()):
        assert len(set(others)) == 2
    paper.close()
    context.close()
