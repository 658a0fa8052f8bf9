"""A match's page in a real browser: its line on every phone, its keys, its check of the deals."""

from __future__ import annotations

import copy
import json
import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, TimeoutError, expect

from dominoes.rules.errors import BadRecord
from dominoes.rules.proof import check_deals
from tests import services
from tests.e2e.table_page import phone
from tests.rules.fair_records import RECORDS, SEEDS, changes, fair_record
from tests.services import Site

pytestmark = pytest.mark.e2e

PLAY = """
from tests.table.finished import finished
for choices in ({}, {"players": 4}):
    print("match", finished("draw", **choices).pk)
"""


@pytest.fixture(scope="module")
def matches(site: Site) -> dict[int, str]:
    """A match of Draw for two and one for four, played to the end: their ids by seats."""
    said = services.manage("shell", "-c", PLAY, env=site.env).stdout
    two, four = (line.split()[1] for line in said.splitlines() if line.startswith("match "))
    return {2: two, 4: four}


@pytest.mark.parametrize(("width", "height"), [(360, 740), (390, 844), (740, 360)])
@pytest.mark.parametrize("seats", [2, 4])
def test_the_line_has_room_on_a_phone(
    site: Site, browser: Browser, matches: dict[int, str], seats: int, width: int, height: int
) -> None:
    context = browser.new_context(viewport={"width": width, "height": height}, locale="en")
    page = context.new_page()
    for at in ("hand=1&ply=9", "hand=1&ply=999", "hand=99&ply=999", "hand=1&ply=9&eyes=0"):
        page.goto(f"{site.url}/matches/{matches[seats]}/?{at}")
        why = page.locator(".why summary")
        if why.count():
            why.click()  # what it says takes no room from the line
        box = page.locator("#line").bounding_box()
        assert box is not None and box["height"] >= 150, (at, box)
        narrowest = page.locator("#line [data-tile]").evaluate_all(
            "tiles => Math.min(...tiles.flatMap((one) => [one.offsetWidth, one.offsetHeight]))"
        )
        assert narrowest >= 10, at
        # The last tile slides in from wherever it was held, which may be beyond the edge.
        page.locator("#line .last").evaluate_all(
            "tiles => tiles.forEach((one) => { one.style.translate = '80vw'; })"
        )
        assert page.evaluate("document.documentElement.scrollWidth") <= width, at
    context.close()


def scrolled(page: Page, key: str, there: str) -> None:
    """Scroll by a key, again until it is there: a page that still glides takes none."""
    for _ in range(10):
        page.keyboard.press(key)
        try:
            page.wait_for_function(f"() => {there}", timeout=1000)
            return
        except TimeoutError:
            continue
    raise AssertionError(f"{key} does not scroll the page")


def test_keys_step_and_leave_the_page_its_own(
    site: Site, browser: Browser, matches: dict[int, str]
) -> None:
    page = phone(browser).new_page()
    page.goto(f"{site.url}/matches/{matches[2]}/?hand=1&ply=3")
    where = page.locator("#replay [role=status]")
    page.keyboard.press("ArrowRight")
    expect(where).to_contain_text("Hand 1, move 4")
    page.keyboard.press("ArrowLeft")
    expect(where).to_contain_text("Hand 1, move 3")

    # Home and End scroll the page, unless one is at the replay.
    scrolled(page, "End", "scrollY > 0 && scrollY + innerHeight >= document.body.scrollHeight - 2")
    scrolled(page, "Home", "scrollY === 0")
    expect(where).to_contain_text("Hand 1, move 3")
    page.locator('[data-step="on"]').focus()
    page.keyboard.press("End")
    expect(page.locator('[data-step="on"]')).to_have_attribute("aria-disabled", "true")
    page.keyboard.press("Home")
    expect(where).to_contain_text("Hand 1, move 0")

    # A field keeps its arrows, and so does what scrolls sideways.
    page.evaluate(
        """() => {
          document.querySelector("main").insertAdjacentHTML("beforeend",
            '<input id="field" value="ab"><div id="wide" tabindex="0" style="overflow-x: auto">'
            + '<p style="width: 200vw">.</p></div>');
        }"""
    )
    for taken in ("#field", "#wide"):
        page.locator(taken).focus()
        page.keyboard.press("ArrowRight")
    page.wait_for_function("() => document.getElementById('wide').scrollLeft > 0")
    expect(where).to_contain_text("Hand 1, move 0")
    page.context.close()


# --- the check of the deals: what the browser says of records of all kinds ------------------------


@pytest.fixture
def told(site: Site, page: Page, matches: dict[int, str]) -> Callable[[Any], str]:
    """What the page says of a record, as if it were this match's."""
    page.goto(f"{site.url}/matches/{matches[2]}/")
    button, proof = page.locator("[data-prove]"), page.locator("#proof")

    def check(record: Any) -> str:
        page.unroute("**/record")
        page.route("**/record", lambda route: route.fulfill(body=json.dumps(record)))
        page.evaluate("() => (document.getElementById('proof').textContent = '')")
        button.click()
        expect(proof).not_to_be_empty()
        return proof.inner_text()

    return check


def upper(record: Any) -> Any:
    """The same record with its hex in capitals."""
    changed = copy.deepcopy(record)
    fair = changed["fair"]
    fair["commit"] = fair["commit"].upper()
    fair["seeds"] = [seed.upper() for seed in fair["seeds"]]
    fair["hands"] = [value.upper() for value in fair["hands"]]
    return changed


def test_the_browser_finds_what_verify_finds(told: Callable[[Any], str]) -> None:
    rematch = fair_record("fives", 2, "singles", opens=1)
    for record in (*RECORDS.values(), rematch, upper(RECORDS["partners"])):
        hands = len(record["hands"])
        right = f"All deals of {hands} hands are" if hands > 1 else "The deal of the one hand is"
        assert told(record).startswith(f"{right} right: ")
    assert len(rematch["hands"]) == 1
    for record in RECORDS.values():
        for name, (hand, changed) in changes(record).items():
            said = told(changed)
            assert not re.search("(are|is) right", said), name
            with pytest.raises(BadRecord) as fault:
                list(check_deals(changed))
            if hand is None or "too few" in name:
                assert "There should be as many" in said, name
                continue
            assert re.search(f"hand {hand}\\b", said), (name, said)
            wrong = re.match("tile ([0-9]+) of (.*) is ([0-9]-[0-9]), but ", fault.value.reason)
            if wrong is not None and name != "a lot too many":  # no more is said of such a lot
                assert f"tile {wrong[1]} of {wrong[2].partition(' of ')[0]}" in said, (name, said)
                assert wrong[3] in said, (name, said)
            doubted = fault.value.reason.endswith("perhaps a seed was changed")
            assert ("Perhaps a seed was changed." in said) == doubted, (name, said)


def test_the_browser_names_seat_and_tile(told: Callable[[Any], str]) -> None:
    _hand, changed = changes(RECORDS["partners"])["a tile against another"]
    wrong, right = changed["hands"][1]["racks"][0][0], changed["hands"][1]["racks"][1][0]
    for names, seat in ((["Ana", "", "", ""], "seat 1 (Ana)"), ([""] * 4, "seat 1")):
        assert told(changed | {"players": names}) == (
            f"In hand 2, tile 1 of the rack of {seat} is {wrong}, but the sealed numbers give "
            f"{right}."
        )


@pytest.mark.parametrize(
    ("fair", "said"),
    [
        (None, "carries no proof"),
        ({}, "a seed for each seat"),
        ({"seeds": None}, "a seed for each seat"),
        ({"seeds": [""]}, "a seed for each seat"),
        ({"seeds": ["", "", "", "x"]}, "hex digits"),
        ({"commit": None}, "hex digits"),
        ({"hands": [7]}, "hex digits"),
        ({"hands": None}, "no match record"),
    ],
)
def test_a_proof_that_is_none_is_told_as_such(
    told: Callable[[Any], str], fair: dict[str, Any] | None, said: str
) -> None:
    record = copy.deepcopy(RECORDS["partners"])
    record["fair"] = record["fair"] | fair if fair else fair
    shown = told(record)
    assert said in shown
    assert "in a moment" not in shown  # nothing will change


@pytest.mark.parametrize(
    ("record", "said"),
    [
        (None, "no match record"),
        (7, "no proof"),
        ([], "no proof"),
        ({}, "no proof"),
        ({"fair": 3}, "a seed for each seat"),
        (RECORDS["partners"] | {"rules": "chess"}, "no match record"),
        (RECORDS["partners"] | {"hands": None}, "no match record"),
        (RECORDS["partners"] | {"hands": [None, None]}, "There should be as many"),
        ({key: it for key, it in RECORDS["partners"].items() if key != "fair"}, "no proof"),
    ],
)
def test_what_is_no_record_is_told_as_such(
    told: Callable[[Any], str], record: Any, said: str
) -> None:
    assert said in told(record)


def test_ones_own_seed_is_looked_for(told: Callable[[Any], str], page: Page) -> None:
    record = RECORDS["partners"]
    assert "this browser" not in told(record)
    give = "([commit, seed]) => localStorage.setItem(`seed:${commit}`, seed)"
    page.evaluate(give, [record["fair"]["commit"], SEEDS[0]])
    assert "this browser gave is among those used" in told(record)
    assert "this browser gave is among those used" in told(upper(record))
    page.evaluate(give, [record["fair"]["commit"], "12" * 32])
    said = told(record)
    assert "are right" in said
    assert "this browser gave is not among those used. That is as it should be if" in said
    expect(page.locator("#proof")).to_have_css("display", "block")  # many lines are one note
