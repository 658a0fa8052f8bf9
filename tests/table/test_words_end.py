"""How a match ended, or goes on without someone: what each viewer is told, and that it is true."""

from __future__ import annotations

import random
from dataclasses import replace
from html.parser import HTMLParser

import pytest
from django.utils import translation

from dominoes.rules.deal import HANDS
from dominoes.rules.match import Match
from dominoes.rules.options import Options
from dominoes.rules.view import view_for
from dominoes.table import fragments, words, words_say
from dominoes.table.fragments_parts import all_of
from dominoes.table.pictures import TableState
from dominoes.table.words_end import heard_by, match_over, out_of_it
from tests.playing import deal_next
from tests.project.test_spanish import ENGLISH
from tests.table.samples import NAMES, bot, seat_state, table

Case = tuple[TableState, Match]


def left(players: int, sides: str, *goers: int) -> Match:
    """A match that these seats left, one after the other."""
    rules = "partners" if sides == "partners" else "draw"
    match = Match(Options.of(rules, players=players, sides=sides))
    deal_next(match, random.Random(4))
    for seat in goers:
        match.leave(seat)
    return match


def forfeit(setup: str, how: str) -> Case:
    """Ana (seat 0) loses a match, or leaves one as the last but one."""
    match = {
        "two": lambda: left(2, "singles", 0),
        "partners": lambda: left(4, "partners", 0),
        "last": lambda: left(3, "singles", 2, 0),
    }[setup]()
    why = "left" if how == "left" else "time"
    state = table(match, turn_seconds=0 if how == "claimed" else 60)
    result = {**(state.match_result or {}), "why": why}
    autos = (False,) * (len(view_for(match, None).moves) - 1) + (why == "time",)
    return replace(state, match_result=result, autos=autos), match


LEFT = ("You left the match.", "Ana left the match.")
CLOCK = ("Your time ran out.", "Ana ran out of time.")
CLAIMED = (
    "You did nothing for five minutes, and your seat was claimed.",
    "Ana did nothing for five minutes, and the seat was claimed.",
)
MISSED = (
    "Three turns in a row were played for you, so you are out of the match.",
    "Three turns in a row were played for Ana, who is out of the match.",
)
# The seats are Ana's own, a partner's, one's who stays, None a spectator's.
TWO = {0: "You lose the match.", 1: "You win the match.", None: "Ben wins the match."}
PARTNERS = {
    0: "The match is lost for both of you.",
    2: "The match is lost for both of you.",
    1: "You win the match.",
    3: "You win the match.",
    None: "Ben and Dora win the match.",
}
LAST = {
    0: "Ben wins the match: nobody else is still in it.",
    1: "You win the match: nobody else is still in it.",
    2: "Ben wins the match: nobody else is still in it.",
    None: "Ben wins the match: nobody else is still in it.",
}
FORFEITS = [
    ("two", "left", LEFT, TWO),
    ("two", "clock", CLOCK, TWO),
    ("two", "claimed", CLAIMED, TWO),
    ("partners", "left", LEFT, PARTNERS),
    ("partners", "clock", CLOCK, PARTNERS),
    ("partners", "claimed", CLAIMED, PARTNERS),
    ("last", "left", LEFT, LAST),
    ("last", "claimed", CLAIMED, LAST),
    ("last", "missed", MISSED, LAST),
]


def heard(case: Case, you: int | None) -> str:
    state, match = case
    side = None if you is None else state.options.side_of(you)
    sentences = match_over(state, view_for(match, None), words.names_of(state))
    return heard_by(sentences, you, side)


@pytest.mark.parametrize(("setup", "how", "first", "then"), FORFEITS)
def test_a_match_lost_by_leaving(
    setup: str, how: str, first: tuple[str, str], then: dict[int | None, str]
) -> None:
    case = forfeit(setup, how)
    assert {you: heard(case, you) for you in then} == {
        you: f"{first[0] if you == 0 else first[1]} {after}" for you, after in then.items()
    }


def abandoned(setup: str) -> Case:
    """Ana's going, or nobody's coming back, ends a match without a result."""
    goers = {"bots left": (1,), "last away": (2,)}.get(setup, ())
    match = left(3, "singles", *goers)
    match.abandon()
    people = {"bots alone": (True, False, False), "week": (True, False, False)}
    people["bots left"] = (True, True, False)
    seat, why = {
        "nearby left": (0, "left"),
        "nearby claimed": (0, "time"),
        "dropped": (0, "dropped"),
        "bots alone": (0, "left"),
        "bots left": (0, "time"),
        "last away": (0, "time"),
    }.get(setup, (None, None))
    near = setup.startswith("nearby") or setup == "dropped"
    state = table(
        match,
        status="abandoned",
        kind="nearby" if near else "online",
        people=people.get(setup, (True, True, True)),
        match_result={"how": "abandoned", "winner": None, "seat": seat, "why": why},
    )
    return state, match


# To Ana, to Ben, to a spectator.
ENDS = "The match ends for everybody, without a result."
HOUR = "Nobody came back for an hour: the match ends without a result."
WEEK = "Nobody came back for a week: the match ends without a result."
ALONE = "It was against bots alone, so the match ends without a result."
ABANDONED: dict[str, tuple[str, str, str]] = {
    "nearby left": (f"{LEFT[0]} {ENDS}", f"{LEFT[1]} {ENDS}", f"{LEFT[1]} {ENDS}"),
    "nearby claimed": (f"{CLAIMED[0]} {ENDS}", f"{CLAIMED[1]} {ENDS}", f"{CLAIMED[1]} {ENDS}"),
    "dropped": (
        f"You did not come back in time. {ENDS}",
        f"Ana did not come back in time. {ENDS}",
        f"Ana did not come back in time. {ENDS}",
    ),
    "bots alone": (f"{LEFT[0]} {ALONE}", f"{LEFT[1]} {ALONE}", f"{LEFT[1]} {ALONE}"),
    "bots left": (
        f"{MISSED[0]} Only bots are left, so the match ends without a result.",
        f"{MISSED[1]} Only bots are left, so the match ends without a result.",
        f"{MISSED[1]} Only bots are left, so the match ends without a result.",
    ),
    "last away": (
        f"{MISSED[0]} Ben, the last one in it, was away: the match ends without a result.",
        f"{MISSED[1]} You were away, the last one in it: the match ends without a result.",
        f"{MISSED[1]} Ben, the last one in it, was away: the match ends without a result.",
    ),
    "hour": (HOUR, HOUR, HOUR),
    "week": (WEEK, WEEK, WEEK),
}


@pytest.mark.parametrize("setup", ABANDONED)
def test_a_match_without_a_result(setup: str) -> None:
    case = abandoned(setup)
    assert (heard(case, 0), heard(case, 1), heard(case, None)) == ABANDONED[setup]


def test_a_match_that_has_no_more_deals() -> None:
    state, match = abandoned("hour")
    view = replace(view_for(match, None), hand=HANDS)
    said = heard_by(match_over(state, view, words.names_of(state)), 0, 0)
    assert said == "All deals of this match are used up, so it ends without a result."


def goes_on(how: str) -> Case:
    """Ana has left a match of three that the others play on."""
    match = left(3, "singles", 0)
    by_time = how != "left"
    seats = (seat_state(0, state="left", by_time=by_time), seat_state(1), seat_state(2))
    autos = (by_time,)
    return table(match, seats=seats, turn_seconds=0 if how == "claimed" else 60, autos=autos), match


ON = "It goes on without you; you may watch it."
GOES_ON = {"left": LEFT, "claimed": CLAIMED, "missed": MISSED}


@pytest.mark.parametrize("how", GOES_ON)
def test_a_match_that_goes_on_without_one(how: str) -> None:
    state, match = goes_on(how)
    view, names = view_for(match, None), words.names_of(state)
    assert out_of_it(state, 0, names) == f"{GOES_ON[how][0]} {ON}"
    assert out_of_it(state, 1, names) == out_of_it(state, None, names) == ""
    controls = fragments.own(state, view_for(match, 0), 0)["controls"]
    assert f"{GOES_ON[how][0]} {ON}" in controls and 'href="/"' in controls
    assert words_say.say(None, state, view, 0).endswith(ON)
    before = words_say.heard(table(left(3, "singles")), view_for(left(3, "singles"), None))
    assert words_say.say(before, state, view, 1) == GOES_ON[how][1]
    shown = fragments.shared(state, view)["last"]
    assert GOES_ON[how][1] in shown and "made for the seat" not in shown


# --- the same in the page and in Spanish ----------------------------------------------------


class Seen(HTMLParser):
    """What a viewer sees of HTML in which CSS picks the words, as static/css/table.css does."""

    def __init__(self, html: str, you: int | None, side: int | None) -> None:
        super().__init__()
        self.you, self.side = str(you), str(side)
        self.text = ""
        self.open: list[tuple[dict[str, str | None], bool]] = [({}, True)]
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        about, (parent, shown) = dict(attrs), self.open[-1]
        own, ours = parent.get("data-who") == self.you, parent.get("data-of") == self.side
        shows = {
            "me": own,
            "they": not own,
            "us": ours,
            "them": not ours and self.side != "None",
            "others": self.side == "None",
        }
        self.open.append((about, shown and shows.get(about.get("class") or "", True)))

    def handle_endtag(self, tag: str) -> None:
        self.open.pop()

    def handle_data(self, data: str) -> None:
        if self.open[-1][1]:
            self.text += data


CASES = {
    **{f"{setup}, {how}": forfeit(setup, how) for setup, how, _first, _then in FORFEITS},
    **{setup: abandoned(setup) for setup in ABANDONED},
}


@pytest.mark.parametrize("language", ["en", "es"])
@pytest.mark.parametrize("name", CASES)
def test_the_page_shows_what_is_spoken(name: str, language: str) -> None:
    state, match = CASES[name]
    view = view_for(match, None)
    with translation.override(language):
        html = all_of(match_over(state, view, words.names_of(state)))
        for you in (None, *range(state.options.players)):
            side = None if you is None else state.options.side_of(you)
            assert Seen(html, you, side).text == heard(CASES[name], you)
        assert html in fragments.shared(state, view)["result"]
        # Spoken once, not as a move and again as the end of the match.
        before = words_say.heard(table(left(2, "singles")), None)
        said = words_say.say(replace(before, match_id=state.match_id, hand=1), state, view, 1)
        assert said.endswith(heard(CASES[name], 1))
        first = heard(CASES[name], 1).split(".")[0]
        assert said.count(first) == 1


@pytest.mark.parametrize("name", CASES)
def test_who_went_is_told_something_else_in_every_language(name: str) -> None:
    case = CASES[name]
    seats = range(case[0].options.players)
    english = {you: heard(case, you) for you in (None, *seats)}
    with translation.override("es"):
        spanish = {you: heard(case, you) for you in (None, *seats)}
    for you, said in spanish.items():
        assert said.endswith(".") and "%(" not in said
        assert said != english[you]
        assert ENGLISH.search(said) is None, said
    if (case[0].match_result or {})["seat"] is None:
        return  # nobody went
    for told in (english, spanish):
        for you in (None, *seats[1:]):
            assert told[you] != told[0]
            assert NAMES[0] in told[you]
        assert NAMES[0] not in told[0]


@pytest.mark.parametrize("how", GOES_ON)
def test_a_match_that_goes_on_is_told_in_spanish(how: str) -> None:
    state, _match = goes_on(how)
    with translation.override("es"):
        said = out_of_it(state, 0, words.names_of(state))
    assert said.endswith(".") and ENGLISH.search(said) is None


def test_a_bot_wins_by_its_level() -> None:
    state, match = forfeit("last", "left")
    seats = (seat_state(0, state="left"), bot(1, "easy"), seat_state(2, state="left"))
    assert "Easy bot wins the match" in heard((replace(state, seats=seats), match), None)


def test_whoever_sits_there_by_now_has_not_left() -> None:
    for setup in ("two", "partners"):
        state, match = forfeit(setup, "left")
        state = replace(state, newcomers=frozenset({0}))
        view = view_for(match, None)
        for seat in (None, *range(state.options.players)):
            side = None if seat is None else state.options.side_of(seat)
            told = heard_by(match_over(state, view, NAMES), seat, side)
            assert told and "left" not in told and "Ana left" not in told
