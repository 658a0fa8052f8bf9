"""Profiles: record, streaks, partners, the plot, and the history with its filters."""

import re
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from itertools import pairwise

import pytest
from django.test import Client
from hypothesis import given
from hypothesis import strategies as st

from ranking import history, profile
from ranking.history import Wanted
from ranking.models import Player
from ranking.plot import HEIGHT, MOST_POINTS, WIDTH, Point, plot
from ranking.results import void_result
from tests.ranking.conftest import MONDAY, account, duel, pairs

pytestmark = [pytest.mark.django_db, pytest.mark.urls("tests.ranking.urls")]


def test_record_by_variant_and_seats(ana: Player, ben: Player, cleo: Player, dan: Player) -> None:
    duel(ana, ben)
    duel(ana, ben, "lost", ranked=False)
    duel(ana, ben, variant="fancy")
    pairs(ana, ben, cleo, dan, variant="plain")
    pairs(ana, ben, "easy", dan, variant="plain", winner=1)
    rows = [
        (one.variant, one.seats, one.ranked.won, one.casual.lost, one.bots.lost)
        for one in profile.record(ana)
    ]
    assert rows == [("fancy", 2, 1, 0, 0), ("plain", 2, 1, 1, 0), ("plain", 4, 1, 0, 1)]


def test_streaks_leave_bots_and_voids_out(
    ana: Player, ben: Player, cleo: Player, days: Callable[[int], datetime]
) -> None:
    assert profile.streaks(ana) == profile.Streaks()
    for day, outcome in enumerate(("won", "won", "won", "lost", "won", "won")):
        duel(ana, ben, outcome, key=f"m{day}", ended_at=days(day))  # type: ignore[arg-type]
    pairs(ana, "easy", cleo, "easy", winner=1, ended_at=days(9))
    assert profile.streaks(ana) == profile.Streaks("won", 2, 3)
    void_result("m3", None, "a reason")
    assert profile.streaks(ana) == profile.Streaks("won", 5, 5)


def test_partners_played_with(ana: Player, ben: Player, cleo: Player, dan: Player) -> None:
    pairs(ana, ben, cleo, dan)
    pairs(ana, ben, cleo, dan, winner=1)
    pairs(ana, cleo, ben, dan, winner=None)
    pairs(ana, ben, "easy", dan)
    duel(ana, dan)
    found = [(one.name, one.played, one.won, one.drawn, one.lost) for one in profile.partners(ana)]
    assert found == [("Cleo", 2, 1, 0, 1), ("Ben", 1, 0, 1, 0)]


# --- the plot ---------------------------------------------------------------------------------


def test_no_plot_without_a_rated_match(ana: Player) -> None:
    assert plot(profile.rating_points(ana)) is None


def test_the_plot_begins_where_everybody_does(ana: Player, ben: Player) -> None:
    duel(ana, ben)
    points = profile.rating_points(ana)
    assert [round(point.value) for point in points] == [1500, 1662]
    drawn = plot(points)
    assert drawn is not None
    assert drawn.matches == 1
    assert (drawn.lowest, drawn.highest, drawn.now) == (1500, 1662, 1662)


@given(st.lists(st.floats(0, 3500), min_size=2, max_size=400), st.floats(0, 350))
def test_the_plot_stays_in_its_box(values: list[float], deviation: float) -> None:
    at = datetime(2026, 1, 1, tzinfo=UTC)
    drawn = plot([Point(at, value, deviation) for value in values])
    assert drawn is not None
    pairs_drawn = [pair.split(",") for pair in f"{drawn.line} {drawn.band}".split()]
    assert all(0 <= float(x) <= WIDTH and 0 <= float(y) <= HEIGHT for x, y in pairs_drawn)
    assert len(drawn.line.split()) <= MOST_POINTS
    assert 2 <= len(drawn.ticks) <= 7
    assert all(0 <= tick.y <= HEIGHT for tick in drawn.ticks)
    heights = [tick.y for tick in drawn.ticks]
    assert min(a - b for a, b in pairwise(heights)) >= 28  # a line of text on a phone
    assert drawn.ticks[0].value <= min(values)
    assert drawn.ticks[-1].value >= max(values)


# --- history ----------------------------------------------------------------------------------


def keys(player: Player, **wanted: object) -> list[str]:
    return [entry.key for entry in history.matches(player, Wanted(**wanted))[0]]  # type: ignore[arg-type]


def test_filters(ana: Player, ben: Player, cleo: Player, dan: Player) -> None:
    duel(ana, ben, key="a", ended_at=MONDAY)
    duel(ana, cleo, "lost", key="b", ranked=False, ended_at=MONDAY + timedelta(hours=1))
    pairs(ana, ben, cleo, dan, key="c", ended_at=MONDAY + timedelta(hours=2))
    pairs(ana, "easy", dan, "easy", key="d", winner=1, ended_at=MONDAY + timedelta(hours=3))
    assert keys(ana) == ["d", "c", "b", "a"]
    assert keys(ana, variant="plain") == ["b", "a"]
    assert keys(ana, game="quoits", variant="pairs") == ["d", "c"]
    assert keys(ana, game="chess") == []
    assert keys(ana, counted_as="bots") == ["d"]
    assert keys(ana, outcome="lost") == ["d", "b"]
    assert keys(ana, seats=4) == ["d", "c"]
    assert keys(ana, other=cleo) == ["c", "b"]


def test_pages_of_a_history_are_the_history(ana: Player, ben: Player) -> None:
    for number in range(11):  # also several that ended at the same moment
        duel(ana, ben, key=f"m{number:02}", ended_at=MONDAY + timedelta(minutes=number // 4))
    whole = keys(ana)
    found, before = [], None
    while True:
        entries, before = history.matches(ana, before=before, size=3)
        found += [entry.key for entry in entries]
        if before is None:
            break
    assert found == whole
    assert len(whole) == 11


def test_a_page_goes_on_from_ones_own_matches_only(ana: Player, ben: Player) -> None:
    duel(ana, ben)
    mine = history.matches(ana)[0][0]
    with pytest.raises(history.NoSuchPlace):
        history.matches(ben, before=mine.id)


def test_an_entry_tells_the_match_from_ones_own_side(
    ana: Player, ben: Player, cleo: Player
) -> None:
    pairs(ana, ben, cleo, "steady", winner=1, leaver=2)
    entry = history.matches(ana)[0][0]
    assert [one.shown for one in entry.partners] == ["Cleo"]
    assert [one.shown for one in entry.others] == ["Ben", "Computer"]
    assert entry.partner_left
    assert (entry.points, entry.change) == (0, None)


# --- the pages --------------------------------------------------------------------------------


def test_the_profile_page(
    client: Client, ana: Player, ben: Player, cleo: Player, dan: Player
) -> None:
    for _ in range(2):
        duel(ana, ben)
    pairs(ana, ben, cleo, dan, winner=1, leaver=2)
    page = client.get("/players/Ana/").content.decode()
    assert "<svg" in page
    assert "After 2 rated matches" in page
    assert re.search(r'href="/players/Cleo/"', page)
    assert "the partner left" in page
    assert "<small>(1)</small>" in page


def test_a_player_of_no_matches_has_a_page(client: Client, ana: Player) -> None:
    page = client.get("/players/Ana/")
    assert page.status_code == 200
    assert "No match has ended yet" in page.content.decode()
    client.force_login(ana)
    assert "You have not ended a match yet" in client.get("/players/Ana/").content.decode()


def test_any_case_leads_to_the_name_as_it_is_written(client: Client, ana: Player) -> None:
    assert client.get("/players/aNA/").headers["Location"] == "/players/Ana/"
    assert client.get("/players/Nobody/").status_code == 404
    assert client.get("/players/Nobody/matches/").status_code == 404


def test_names_are_safe_to_show(client: Client) -> None:
    one, other = account("Tom & 'Jo' (2)"), account("émile ñ")
    duel(one, other)
    for path in ("/ladder/", "/players/%C3%A9mile%20%C3%B1/"):
        page = client.get(path).content.decode()
        assert "Tom &amp; &#x27;Jo&#x27; (2)" in page
        assert "Tom & 'Jo'" not in page
    assert client.get("/players/Tom%20&%20'Jo'%20(2)/").status_code == 200


def test_the_history_page_filters_and_turns(client: Client, ana: Player, ben: Player) -> None:
    for number in range(35):
        duel(ana, ben, "won" if number % 2 else "lost", ended_at=MONDAY + timedelta(hours=number))
    page = client.get("/players/Ana/matches/").content.decode()
    assert page.count('class="list__title"') == 30
    following = re.search(r'rel="next" href="\?([^"]+)"', page)
    assert following is not None
    rest = client.get(f"/players/Ana/matches/?{following[1]}").content.decode()
    assert rest.count('class="list__title"') == 5
    won = client.get("/players/Ana/matches/?outcome=won&seats=2&other=ben").content.decode()
    assert won.count('class="list__title"') == 17
    assert "No match fits" in client.get("/players/Ana/matches/?seats=4").content.decode()
    for query in ("other=x", "other=x&outcome=won", "variant=nonsense"):
        wrong = client.get(f"/players/Ana/matches/?{query}").content.decode()
        assert "errorlist" in wrong and 'class="list__title"' not in wrong
    assert "no player of that name" in client.get("/players/Ana/matches/?other=x").content.decode()
    assert client.get("/players/Ana/matches/?before=999999").status_code == 404


def test_a_voided_match_says_so_on_the_page(client: Client, ana: Player, ben: Player) -> None:
    duel(ana, ben, key="one")
    void_result("one", None, "The same person sat twice.")
    for path in ("/players/Ana/", "/players/Ana/matches/"):
        page = client.get(path).content.decode()
        assert "<strong>void</strong>" in page and "The same person sat twice." not in page
        assert "25 points" not in page
    client.force_login(ben)
    for path in ("/players/Ana/", "/players/Ana/matches/"):
        page = client.get(path).content.decode()
        assert "The same person sat twice." in page
        assert "25 points" not in page
