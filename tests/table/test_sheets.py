"""The rule sheets say what the engine does: every position, sum and reason is held against it."""

import random
import re
from typing import Any

import pytest
from django.conf import settings
from django.test import Client

from dominoes.rules.match import Match
from dominoes.rules.options import Options
from dominoes.rules.systems import SYSTEMS
from dominoes.rules.tiles import NAMES, parse_tile
from dominoes.rules.view import View, view_for
from dominoes.table import sheet_positions
from dominoes.table.sheet_positions import BadPosition, Position, position
from dominoes.table.sheet_views import way_back
from dominoes.table.sheets import BadSheet, _head, _parser, sheet, terms
from dominoes.table.words import arithmetic

LANGUAGES = [code for code, _name in settings.LANGUAGES]
EVERY = [name for system in SYSTEMS for name in sheet_positions.names(system)]
FIGURE = re.compile(r'<figure class="diagram" id="see-([\w-]+)">')
CAPTION = re.compile(r'id="see-([\w-]+)">.*?<figcaption>(.*?)</figcaption>', re.DOTALL)


def words_of(text: str) -> list[str]:
    return sorted(word.strip() for word in text.split(",") if word.strip())


# ---- positions -----------------------------------------------------------------------------------


@pytest.mark.parametrize("name", EVERY)
def test_the_engine_agrees_with_what_a_sheet_says_of_a_position(name: str) -> None:
    shown = position(name)
    view, said = shown.view, shown.said
    claims = {
        "ends": lambda: view.ends,
        "boneyard_left": lambda: view.boneyard,
        "why": lambda: view.opener.why if view.opener else None,
        "scored": lambda: view.moves[-1].scored,
        "count": lambda: arithmetic(view.moves[-1]),
        "after": lambda: view.scores[0],
        "pips": lambda: sum(pips(tile) for tile in view.rack or ()),
    }
    for claim, found in claims.items():
        if claim in said:
            assert found() == said[claim], claim
    if "legal" in said:
        assert sorted(view.legal) == words_of(said["legal"])
    if "unseen" in said:
        assert view.unseen is not None
        assert {int(n): view.unseen[int(n)] for n in said["unseen"]} == {
            int(n): count for n, count in said["unseen"].items()
        }
    if "unseen_on_ends" in said:
        assert unseen_on_ends(view) == sorted(said["unseen_on_ends"].split())
    if "scores" in said:
        assert what_scores(shown.match) == said["scores"]
    if "result" in said:
        agrees_with_result(view, said["result"])
    if "then" in said:
        later = shown.match.copy()
        for word in said["then"].split(","):
            assert later.turn is not None
            later.play(later.turn, word.strip())
        agrees_with_result(view_for(later, 0), said["result_then"])
    assert {"legal", "pips", "result", "scored"} & set(said), "a position is there to say something"


def pips(tile: str) -> int:
    return int(tile[0]) + int(tile[2])


def unseen_on_ends(view: View) -> list[str]:
    """The tiles that fit an open end and stand neither on the line nor in the reader's rack."""
    line = view.line
    seen = {line.first, *line.left, *line.right, *line.up, *line.down, *(view.rack or ())}
    ends = {str(end) for end in view.ends.values()}
    return sorted(tile for tile in NAMES if tile not in seen and {tile[0], tile[2]} & ends)


def what_scores(match: Match) -> dict[str, int]:
    found = {}
    for word in match.legal_words():
        tried = match.copy()
        assert tried.turn is not None
        tried.play(tried.turn, word)
        scored = view_for(tried, 0).moves[-1].scored
        if scored:
            found[word] = scored
    return found


def agrees_with_result(view: View, said: dict[str, Any]) -> None:
    assert view.result is not None
    score = view.result.explain
    found = {
        "how": view.result.how,
        "winner": view.result.winner,
        "points": view.result.points,
        "sums": list(score.sums),
        "tie": score.tie,
        "subtracted": score.subtracted,
        "rounded": score.rounded,
    }
    assert {key: found[key] for key in said} == said
    if "winner" not in said:
        assert view.result.winner is None


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("system", SYSTEMS)
def test_captions_speak_of_tiles_that_are_in_the_picture(system: str, language: str) -> None:
    for name, caption in CAPTION.findall(sheet(system, language).html):
        shown = position(name)
        view = shown.view
        line = view.line
        there = {line.first, *line.left, *line.right, *line.up, *line.down, *(view.rack or ())}
        there |= {
            tile for rack in (view.result.racks if view.result else ()) for tile in rack or ()
        }
        there |= set(shown.said.get("unseen_on_ends", "").split())
        told = set(re.findall(r"\b[0-6]-[0-6]\b", caption))
        assert told <= there, name


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_position_is_shown_once_and_in_the_same_order_in_every_language(
    language: str,
) -> None:
    for system in SYSTEMS:
        shown = FIGURE.findall(sheet(system, language).html)
        assert shown == FIGURE.findall(sheet(system).html)
        assert sorted(shown) == sorted(sheet_positions.names(system))


def test_a_picture_says_what_stands_and_what_is_sunk() -> None:
    html = sheet("draw").html
    figure = html[html.index('id="see-draw-two-ends"') :]
    figure = figure[: figure.index("</figure>")]
    assert figure.count('class="proud"') == 2
    assert "6-2, fits on the left" in figure
    assert "1-0, fits on the right" in figure
    assert figure.count("does not fit") == 3


def test_a_position_that_cannot_be_played_is_refused_by_name() -> None:
    entry = dict(position("draw-two-ends").said)
    entry["moves"] = "5-5, 6-6 left"
    with pytest.raises(BadPosition, match="draw-wrong"):
        sheet_positions.read("draw-wrong", "draw", entry)
    with pytest.raises(BadPosition, match="show"):
        sheet_positions.read("draw-wrong", "draw", {**position("draw-two-ends").said, "show": []})
    with pytest.raises(BadPosition, match="no position"):
        position("nowhere")


# ---- anchors -------------------------------------------------------------------------------------


def reasons(system: str) -> set[str]:
    """Every reason that the engine gives in many hands of a system, as the pages link to it."""
    found = {f"{system}.{how}" for how in ("stopped", "target", "forfeit", "agreed")}
    chance = random.Random(system)
    for players, allowed in SYSTEMS[system].tables.items():
        for sides in allowed:
            for _match in range(12):
                match = Match(Options.of(system, players=players, sides=sides))
                while match.phase != "over":
                    found |= one_hand(match, chance, system)
    if system == "partners":
        match = Match(Options.of(system, double_six_opens=True))
        found |= one_hand(match, chance, system)
    if system == "fives":
        match = Match(Options.of(system, players=2, opens=1))
        found |= one_hand(match, chance, system)
    return found


def one_hand(match: Match, chance: random.Random, system: str) -> set[str]:
    deck = list(range(len(NAMES)))
    lot = chance.sample(deck, match.options.players) if match.lot_due else None
    chance.shuffle(deck)
    sizes = match.rack_sizes
    racks = [[deck.pop() for _tile in range(size)] for size in sizes]
    match.deal(racks, deck[: match.boneyard_size], lot)
    assert match.opener is not None
    found = {f"{system}.{match.opener.why}"}
    while match.phase == "play":
        assert match.turn is not None
        match.play(match.turn, chance.choice(match.legal_words()))
    found |= {move.explain.rule for move in view_for(match, None).moves if move.explain}
    assert match.hand_result is not None
    score = match.hand_result.explain
    return found | {score.rule} | ({f"{system}.{score.tie}"} if score.tie else set())


@pytest.mark.parametrize("system", SYSTEMS)
def test_every_reason_of_the_engine_has_its_paragraph(system: str) -> None:
    given = reasons(system)
    ties = {
        "partners": ("partners_together", "lightest_on_both_sides"),
        "draw": ("fewer_tiles", "equal_tiles"),
        "classic": ("equal_totals",),
        "fives": ("equal_totals",),
    }[system]
    given |= {f"{system}.{tie}" for tie in ties}
    for language in LANGUAGES:
        anchors = set(re.findall(r'id="([^"]+)"', sheet(system, language).html))
        assert given <= anchors, language


@pytest.mark.parametrize("name", [*SYSTEMS, "fair"])
def test_translations_have_the_same_chapters_and_anchors(name: str) -> None:
    for language in LANGUAGES:
        theirs = re.findall(r'id="([^"]+)"', sheet(name, language).html)
        assert theirs == re.findall(r'id="([^"]+)"', sheet(name).html)
        assert len(set(theirs)) == len(theirs)
        assert len(sheet(name, language).chapters) == len(sheet(name).chapters)
        if language != "en":
            assert sheet(name, language).title != sheet(name).title
            assert sheet(name, language).summary != sheet(name).summary


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_facts_at_the_head_are_those_of_the_system(language: str) -> None:
    for name, system in SYSTEMS.items():
        facts = sheet(name, language).facts
        assert facts["target"] == str(system.target)
        assert set(facts) == {"seats", "tiles", "target"}


def test_terms_are_many_and_each_has_a_meaning() -> None:
    for language in LANGUAGES:
        _title, words = terms(language)
        assert len(words) >= 20
        assert all(word and meaning for word, meaning in words)
        assert len({word for word, _meaning in words}) == len(words)


# ---- the marks in the text -----------------------------------------------------------------------


def rendered(text: str, name: str = "partners") -> str:
    return str(_parser("en").render(text, {"sheet": name, "anchors": set()}))


def test_anchors_stand_where_they_are_written() -> None:
    assert rendered("## Blocked {#.blocked}") == '<h2 id="partners.blocked">Blocked</h2>\n'
    assert '<p id="how"><strong>A</strong> b</p>' in rendered("**A** {#how} b")
    assert '<li id="partners.next">One</li>' in rendered("- One {#.next}\n- Two")
    with pytest.raises(BadSheet, match=r"partners\.a"):
        rendered("A {#.a}\n\nB {#.a}")
    with pytest.raises(BadSheet, match="one anchor"):
        rendered("A {#.a} and {#.b}")


def test_text_from_a_sheet_cannot_bring_html_of_its_own() -> None:
    assert "<b>" not in rendered("a <b>bold</b> word & more")
    assert "&amp;" in rendered("this & that")


def test_a_tile_is_never_broken_over_two_lines() -> None:
    assert '<span class="tl">6-4</span>' in rendered("Lay the 6-4.")


def test_a_sheet_without_a_head_is_refused() -> None:
    with pytest.raises(BadSheet, match="partners"):
        _head("partners", "Just text.")
    with pytest.raises(BadSheet, match="title"):
        _head("partners", "---\nsummary: x\n---\n")


# ---- pages ---------------------------------------------------------------------------------------


@pytest.mark.django_db
@pytest.mark.parametrize("language", LANGUAGES)
def test_pages_are_there_in_every_language(client: Client, language: str) -> None:
    client.cookies[settings.LANGUAGE_COOKIE_NAME] = language
    for name in SYSTEMS:
        page = client.get(f"/rules/{name}/")
        assert page.status_code == 200
        text = page.content.decode()
        assert f'<html lang="{language}"' in text
        assert f'<h1 id="h-rules" tabindex="-1">{sheet(name, language).title}</h1>' in text
        for anchor, _title in sheet(name, language).chapters:
            assert f'href="#{anchor}"' in text
            assert f'id="{anchor}"' in text
    index = client.get("/rules/").content.decode()
    assert all(f'href="/rules/{name}/"' in index for name in SYSTEMS)
    assert 'href="/fair/"' in index
    assert sheet("fair", language).title in client.get("/fair/").content.decode()
    assert client.get("/rules/chess/").status_code == 404
    assert client.post("/rules/draw/").status_code == 405


@pytest.mark.django_db
def test_a_sheet_closes_back_to_its_table_and_keeps_the_way_from_sheet_to_sheet(
    client: Client,
) -> None:
    for query in ("?back=/tables/K7QF2M/", "?table=K7QF2M", "?table=k7qf2m"):
        page = client.get(f"/rules/draw/{query}").content.decode()
        assert page.count('href="/tables/K7QF2M/"') == 2
        assert "Back to the table" in page
        assert 'href="/rules/fives/?back=/tables/K7QF2M/"' in page
    assert "Back to the table" not in client.get("/rules/draw/").content.decode()


@pytest.mark.parametrize(
    "path",
    [
        "https://elsewhere.example/",
        "//elsewhere.example/",
        "/\\elsewhere.example/",
        "///elsewhere.example",
        "javascript:alert(1)",
        "tables/K7QF2M/",
        "/\n/elsewhere.example/",
        "",
    ],
)
def test_back_leads_nowhere_but_to_this_site(rf: Any, path: str) -> None:
    assert way_back(rf.get("/rules/draw/", {"back": path})) == ""
    assert way_back(rf.get("/rules/draw/", {"table": path})) == ""


def test_back_may_be_any_page_of_this_site(rf: Any) -> None:
    assert way_back(rf.get("/rules/draw/", {"back": "/matches/7/?hand=2"})) == "/matches/7/?hand=2"


# ---- fair deals ----------------------------------------------------------------------------------


def test_the_check_without_the_site_that_the_page_speaks_of_is_there() -> None:
    assert "docs/verify_deal.py" in sheet("fair").html
    assert (settings.BASE_DIR / "docs" / "verify_deal.py").is_file()


def test_a_shown_position_is_read_from_the_readers_seat() -> None:
    shown: Position = position("partners-knock")
    assert shown.view.viewer == 0
    assert shown.last == "6-4"
    assert [parse_tile(tile) for tile in shown.view.rack or ()] == sorted(
        parse_tile(tile) for tile in shown.view.rack or ()
    )
