"""The fragments of the table page: the hooks that programs use, and what must not be there."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from html.parser import HTMLParser

import pytest
from django.contrib.auth.models import AnonymousUser
from django.template.loader import render_to_string
from django.test import RequestFactory
from django.utils import translation

from dominoes.rules.match import Match
from dominoes.rules.options import Options
from dominoes.rules.view import view_for
from dominoes.table import fragments
from dominoes.table.pictures import Due, TableState
from tests.table.samples import bot, played, samples, seat_state, table

SAMPLES = samples()
TILE = re.compile(r"\b[0-6]-[0-6]\b")


class Element(HTMLParser):
    """The start tags of some HTML, each as (name, attributes)."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.open: list[str] = []
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag != "input":
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def having(self, name: str) -> list[dict[str, str | None]]:
        return [attrs for _tag, attrs in self.tags if name in attrs]


def parts_of(state: TableState, match: Match | None, you: int | None) -> dict[str, str]:
    everyone = view_for(match, None) if match else None
    mine = view_for(match, you) if match else None
    return {**fragments.shared(state, everyone), **fragments.own(state, mine, you)}


@pytest.mark.parametrize("name", SAMPLES)
def test_every_part_is_one_whole_element_with_its_own_id(name: str) -> None:
    for part, html in parts_of(*SAMPLES[name]).items():
        read = Element(html)
        assert read.open == [], part
        assert read.tags[0][1]["id"] == part


@pytest.mark.parametrize("name", SAMPLES)
def test_the_rail_shows_the_rack_and_what_can_be_played(name: str) -> None:
    state, match, you = SAMPLES[name]
    rail = Element(parts_of(state, match, you)["rail"])
    view = view_for(match, you) if match and you is not None else None
    rack = list(view.rack or ()) if view else []
    tiles = [a for a in rail.having("data-tile") if "id" in a]
    assert [a["data-tile"] for a in tiles] == rack
    legal = {word.split()[0] for word in view.legal} if view else set()
    assert {a["data-tile"] for a in tiles if "data-playable" in a} == legal & set(rack)
    radios = [a for tag, a in rail.tags if tag == "input"]
    assert [a["value"] for a in radios] == rack
    assert {a["type"] for a in radios} <= {"radio"}


@pytest.mark.parametrize("name", SAMPLES)
def test_a_button_for_every_legal_move_and_no_other(name: str) -> None:
    state, match, you = SAMPLES[name]
    controls = Element(parts_of(state, match, you)["controls"])
    moves = [a["value"] for tag, a in controls.tags if tag == "button" and a.get("name") == "move"]
    legal = list(view_for(match, you).legal) if match and you is not None else []
    assert sorted(str(move) for move in moves) == legal


@pytest.mark.parametrize("name", SAMPLES)
def test_scores_seats_and_turn_are_marked(name: str) -> None:
    state, match, you = SAMPLES[name]
    parts = parts_of(state, match, you)
    scores = re.findall(r'data-side="(\d)">([^<]+)<', parts["score"])
    expected = view_for(match, None).scores if match else [0] * state.options.side_count
    assert scores == [(str(i), "–" if s is None else str(s)) for i, s in enumerate(expected)]
    seats = Element(parts["seats"]).having("data-seat")
    assert [a["data-seat"] for a in seats] == [str(i) for i in range(state.options.players)]
    on_turn = [a["data-seat"] for a in seats if "aria-current" in a]
    turn = match.turn if match else None
    assert on_turn == ([] if turn is None else [str(turn)])


@pytest.mark.parametrize("name", SAMPLES)
def test_nothing_shows_a_tile_that_the_viewer_may_not_know(name: str) -> None:
    state, match, you = SAMPLES[name]
    if match is None:
        return
    parts = parts_of(state, match, you)
    spectator, mine = view_for(match, None), view_for(match, you)
    line = spectator.line
    laid = {t for t in (line.first, *line.left, *line.right, *line.up, *line.down) if t}
    known = laid | set(spectator.lot or ())
    if spectator.result:
        known |= {tile for rack in spectator.result.racks for tile in rack or ()}
    everybody = "".join(html for part, html in parts.items() if part in fragments.shared_ids)
    assert set(TILE.findall(everybody)) <= known
    assert set(TILE.findall("".join(parts.values()))) <= known | set(mine.rack or ())


def test_a_page_is_made_of_what_is_pushed() -> None:
    for state, match, you in SAMPLES.values():
        everyone = view_for(match, None) if match else None
        mine = view_for(match, you) if match else None
        context = fragments.page_context(state, everyone, mine, you, {})
        assert context["part"] == parts_of(state, match, you)


def whole_page(state: TableState, match: Match | None, you: int | None) -> str:
    request = RequestFactory().get("/tables/K7QF2M/")
    request.user = AnonymousUser()
    views = (view_for(match, None), view_for(match, you)) if match else (None, None)
    context = fragments.page_context(state, *views, you, {})
    return render_to_string("table/page.html", context, request)


def test_a_page_without_script_shows_how_long_it_is_until_then() -> None:
    state, match, you = SAMPLES["fives-mine"]
    assert match is not None
    for left, shown in ((34, "0:34"), (64.2, "1:05"), (-3, "0:00")):
        due = Due("turn", match.turn, state.now + left)
        html = whole_page(replace(state, due=due), match, you)
        assert re.findall('<time class="clock"[^>]*>(.*?)</time>', html) == [shown, shown]
    claim = Due("claim", match.turn, state.now + 200)
    assert ">3:20</time>" in whole_page(replace(state, due=claim), match, you)


def test_a_clock_that_runs_on_is_not_pushed_again() -> None:
    state, match, you = SAMPLES["fives-mine"]
    assert parts_of(state, match, you) == parts_of(replace(state, now=state.now + 5), match, you)


def test_a_page_without_script_waits_for_a_bot_but_leaves_its_reader_in_peace() -> None:
    def refresh(html: str) -> list[str]:
        assert ">Load again</a>" in html
        return re.findall('http-equiv="refresh" content="([0-9]+)"', html)

    state, match, _you = SAMPLES["fives-mine"]
    assert match is not None and match.turn == 0
    assert refresh(whole_page(state, match, 0)) == []
    assert refresh(whole_page(state, match, 1)) == ["10"]
    bots = (bot(0), *state.seats[1:])
    assert refresh(whole_page(replace(state, seats=bots), match, 1)) == ["3"]
    state, match, you = SAMPLES["match-over"]
    assert refresh(whole_page(state, match, None)) == []
    assert refresh(whole_page(state, match, you)) == ["30"]
    agreed = tuple(seat and replace(seat, rematch=True) for seat in state.seats)
    assert refresh(whole_page(replace(state, seats=agreed), match, you)) == ["10"]
    assert refresh(whole_page(*SAMPLES["room-host"])) == ["10"]


def test_no_two_buttons_of_a_page_have_one_id() -> None:
    for name, (state, match, you) in SAMPLES.items():
        ids = re.findall(r' id="([^"]+)"', whole_page(state, match, you))
        assert sorted(ids) == sorted(set(ids)), name


@pytest.mark.parametrize("language", ["en", "es"])
def test_numbers_for_scripts_are_written_alike_in_every_language(language: str) -> None:
    with translation.override(language):
        html = whole_page(*SAMPLES["fives-mine"])
    assert 'data-now="1764500000.000"' in html
    assert 'data-at="1764500034000"' in html


def test_names_are_text_wherever_they_stand() -> None:
    rude = '<b onclick="x">\'&'
    state, match, you = SAMPLES["hand-over"]
    seats = tuple(seat_state(seat, name=rude) for seat in range(4))
    for kind in (state, replace(state, status="abandoned", match_result=None)):
        for html in parts_of(replace(kind, seats=seats), match, you).values():
            assert "<b onclick" not in html
            assert "'&<" not in html


def test_only_the_host_is_offered_what_only_a_host_may() -> None:
    state, _match, _you = SAMPLES["room-host"]
    parts = parts_of(state, None, 0)
    assert 'value="bot 1 easy"' in parts["seats"]
    assert "host-only" in parts["seats"]
    assert 'data-host="1"' in parts["me"]
    assert 'data-host="0"' in parts_of(state, None, None)["me"]
    ranked = parts_of(replace(state, ranked=True), None, 0)
    assert "easy" not in ranked["seats"].split("data-seat")[2]


def test_begin_waits_for_every_seat() -> None:
    options = Options.of("draw", players=2)
    alone = table(None, options, seats=(seat_state(0), None))
    assert 'value="start"' not in parts_of(alone, None, 0)["controls"]
    full = replace(alone, seats=(seat_state(0), bot(1)))
    assert 'value="start"' in parts_of(full, None, 0)["controls"]
    silent = replace(
        alone, seats=(seat_state(0), seat_state(1)), anyone_may_start_at=1_764_500_060.0
    )
    guest = parts_of(silent, None, 1)["controls"]
    assert 'value="start"' in guest
    assert 'data-from="1764500060000"' in guest


def test_a_draw_is_offered_between_hands_to_the_other_side_only() -> None:
    state, match, _you = SAMPLES["hand-over"]
    assert state.offer == 1
    assert 'value="accept_draw"' in parts_of(state, match, 0)["controls"]
    assert "accept_draw" not in parts_of(state, match, 1)["controls"]
    accepted = replace(state, seats=(seat_state(0, accepted=True), *state.seats[1:]))
    controls = parts_of(accepted, match, 0)["controls"]
    assert "accept_draw" not in controls and "Waiting for your partner." in controls
    nearby = replace(state, kind="nearby", offer=None)
    assert "draw" not in parts_of(nearby, match, 0)["controls"]
    bots = replace(state, offer=None, seats=(seat_state(0), bot(1), seat_state(2), bot(3)))
    assert "offer_draw" not in parts_of(bots, match, 0)["controls"]


@pytest.mark.parametrize(
    ("about", "words"),
    [
        ({"kind": "online"}, "for Carmen too"),
        ({"kind": "nearby"}, "for everybody at the table"),
        ({"seats": (seat_state(0), bot(1), bot(2), bot(3))}, "without a result"),
        ({"ranked": True}, "ranked loss"),
    ],
)
def test_leaving_says_what_it_costs_and_whom(about: dict[str, object], words: str) -> None:
    state, match, _you = SAMPLES["fives-mine"]
    html = parts_of(replace(state, **about), match, 0)["leave"]  # type: ignore[arg-type]
    assert words in html
    assert 'value="leave"' in html


def test_the_counting_aid_is_off_where_the_room_says_so() -> None:
    state, match, you = SAMPLES["fives-mine"]
    assert "Unseen" in parts_of(state, match, you)["aid"]
    assert "Unseen" not in parts_of(replace(state, aid=False), match, you)["aid"]
    assert "Unseen" not in parts_of(state, match, None)["aid"]


def whole_matches() -> Iterator[tuple[TableState, Match, int | None]]:
    for rules, players, sides in (
        ("fives", 4, "partners"), ("fives", 2, "singles"), ("draw", 2, "singles"),
        ("partners", 4, "partners"), ("classic", 4, "singles"),
    ):  # fmt: skip
        seen: list[Match] = []

        def note(match: Match, seen: list[Match] = seen) -> bool:
            seen.append(match.copy())
            return match.phase == "over"

        played(rules, players, sides, note)
        for match in seen[:160]:
            yield table(match), match, 0


def test_a_push_is_light() -> None:
    """Bytes of what changed for one viewer after a move: 6 kB in the median, 16 kB at worst."""
    before: dict[str, str] = {}
    sizes = []
    for state, match, you in whole_matches():
        parts = parts_of(state, match, you)
        sizes.append(sum(len(h.encode()) for p, h in parts.items() if before.get(p) != h))
        before = parts
    sizes.sort()
    assert sizes[len(sizes) // 2] <= 6_000
    assert sizes[-1] <= 16_000


def test_each_person_has_a_small_menu_and_bots_have_none() -> None:
    state, match, you = samples()["draw-waiting"]
    parts = parts_of(state, match, you)
    assert re.findall(r'popovertarget="(\w+)"', parts["seats"]) == ["sm0", "sm1"]
    menus = re.findall(r'id="(sm\d)" popover.*?</div>', parts["menus"])
    assert menus == ["sm0", "sm1"]
    assert f'href="/tables/{state.code}/report/?seat=1">Report Ben</a>' in parts["menus"]
    assert re.search(r"data-mute=\"1\" aria-pressed=\"false\">Don't hear Ben<", parts["menus"])


def test_before_a_match_there_is_nothing_to_report() -> None:
    state, match, you = samples()["room-host"]
    menus = parts_of(state, match, you)["menus"]
    assert "data-mute" in menus and "report" not in menus


def test_the_menus_change_with_the_people_only() -> None:
    state, match, you = samples()["partners-mine"]
    before = parts_of(state, match, you)
    assert match is not None and match.turn is not None
    match.play(match.turn, match.legal_words()[0])
    after = parts_of(state, match, you)
    assert before["seats"] != after["seats"] and before["menus"] == after["menus"]


def test_the_seal_comes_with_every_picture() -> None:
    state, match, you = samples()["match-over"]
    before = parts_of(state, match, you)
    assert before["seal"] == f'<code id="seal" class="seal">{state.commit}</code>'
    again = replace(state, commit="a7" * 32)
    assert "a7" * 32 in parts_of(again, match, you)["seal"]


def test_a_page_knows_for_which_choices_it_was_made() -> None:
    state, match, _you = samples()["room-host"]
    (chosen,) = re.findall(r'data-choices="(\S+)"', parts_of(state, match, 0)["me"])
    for about in ({"aid": False}, {"turn_seconds": 30}, {"kind": "nearby"}, {"ranked": True}):
        assert f'data-choices="{chosen}"' not in parts_of(replace(state, **about), match, 0)["me"]
    playing, match, you = samples()["fives-mine"]
    assert "data-choices" not in parts_of(playing, match, you)["me"]  # nothing can be chosen then
    context = fragments.page_context(playing, None, None, you, {})
    assert context["root"]["choices"]
