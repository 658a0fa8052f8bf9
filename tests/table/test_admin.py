"""The keepers' desk: matches are found, inspected and voided; each act is logged."""

from __future__ import annotations

import json
import time
from datetime import UTC, datetime
from typing import Any

import pytest
from django.contrib.admin import site
from django.contrib.auth.models import Group
from django.test import Client
from django.urls import reverse

from dominoes.table import admin, admin_filters, play, reports, store, witness
from dominoes.table.models import Event, Match, Table
from ranking import profile
from ranking.accounts import stored_about
from ranking.acts import Act
from ranking.groups import ADMINISTRATORS, MODERATORS
from ranking.models import Player
from tests.table.finished import finished
from tests.table.finished import play as play_out
from tests.table.tables import Room, member

pytestmark = pytest.mark.django_db


def keeper(name: str, group: str | None) -> Client:
    player = Player.objects.create_user(name, is_staff=True)
    if group is None:
        player.is_superuser = True
        player.save()
    else:
        player.groups.add(Group.objects.get(name=group))
    client = Client()
    client.force_login(player, "django.contrib.auth.backends.ModelBackend")
    return client


@pytest.fixture
def moderator(db: None) -> Client:
    return keeper("Mo", MODERATORS)


@pytest.fixture
def administrator(db: None) -> Client:
    return keeper("Ada", ADMINISTRATORS)


@pytest.fixture
def chief(db: None) -> Client:
    return keeper("Chief", None)


def found(client: Client, **query: str) -> set[str]:
    """The ids of the matches that the list shows."""
    page = client.get("/admin/table/match/", query)
    assert page.status_code == 200, page.content
    return {match.pk for match in page.context["cl"].result_list}


def inspect(client: Client, match: Match) -> str:
    page = client.get(f"/admin/table/match/{match.pk}/change/")
    assert page.status_code == 200
    return str(page.content.decode())


def void(client: Client, match: Match, reason: str) -> None:
    answer = client.post(f"/admin/table/match/{match.pk}/void/", {"reason": reason})
    assert answer.status_code == 302


# --- finding ----------------------------------------------------------------------------------


def test_matches_are_found_by_player_room_id_and_date(moderator: Client) -> None:
    ana = Player.objects.create_user("Ana María")
    one, other = finished(people=[ana, member()]), finished()
    assert found(moderator, q="ana maría") == {one.pk}
    assert found(moderator, q="ANA") == {one.pk}
    assert found(moderator, q=one.table.code.lower()) == {one.pk}
    for text in (other.pk, other.pk.upper(), f"dominoes:{other.pk}"):
        assert found(moderator, q=text) == {other.pk}
    assert found(moderator, q="nobody at all") == set()
    long_ago = datetime(2025, 12, 31, 12, tzinfo=UTC)
    Match.objects.filter(pk=other.pk).update(started_at=long_ago.timestamp())
    today = f"{datetime.now(UTC):%Y-%m-%d}"
    assert found(moderator, q=today) == {one.pk}
    assert found(moderator, q="2025-12-31") == {other.pk}
    assert found(moderator, q="2025-12") == {other.pk}
    assert found(moderator, q="2026-01") == set()
    assert found(moderator, q="2025-12-99") == set()
    assert found(moderator, q=f"ana {today}") == {one.pk}
    assert found(moderator, q="ana 2025-12") == set()


def test_what_was_looked_for_is_counted_as_far_as_it_is_listed(
    moderator: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    matches = [finished("draw") for _ in range(4)]
    monkeypatch.setattr(admin_filters, "MOST_FOUND", 2)
    monkeypatch.setattr(admin.MatchAdmin, "list_per_page", 1)
    address = reverse("admin:table_match_changelist")
    shown = moderator.get(f"{address}?rules=draw")
    assert [row.pk for row in shown.context["cl"].result_list] == [matches[-1].pk]
    assert shown.context["cl"].result_count == 2
    assert "More fit than are listed" in shown.content.decode()
    everything = moderator.get(address)
    assert everything.context["cl"].result_count == 4
    assert "More fit than are listed" not in everything.content.decode()


def test_matches_are_filtered_by_system_size_end_length_time_and_what_they_count(
    moderator: Client,
) -> None:
    draw, fives = finished("draw"), finished("fives", players=3)
    partners, ranked = finished("partners"), finished("draw", ranked=True)
    left = Room("draw").start()
    left.do(play.leave, 0)
    nearby = Room("draw", kind="nearby", private=True).start()
    nearby.do(play.leave, 0)
    running = Room("draw").start()
    forfeit, abandoned, playing = (
        Match.objects.get(table__code=room.code) for room in (left, nearby, running)
    )
    Match.objects.filter(pk=fives.pk).update(started_at=time.time() - 8 * 86400)
    everything = {m.pk for m in (draw, fives, partners, ranked, forfeit, abandoned, playing)}
    assert found(moderator) == everything
    assert found(moderator, rules__exact="fives") == {fives.pk}
    assert found(moderator, seats="3") == {fives.pk}
    assert found(moderator, seats="partners") == {partners.pk}
    assert found(moderator, ranked__exact="1") == {ranked.pk}
    assert found(moderator, kind__exact="nearby") == {abandoned.pk}
    assert found(moderator, ended="playing") == {playing.pk}
    assert found(moderator, ended="target") == {draw.pk, fives.pk, partners.pk, ranked.pk}
    assert found(moderator, ended="forfeit") == {forfeit.pk}
    assert found(moderator, ended="abandoned") == {abandoned.pk}
    assert found(moderator, ended="agreed") == set()
    assert found(moderator, moves="10") == {forfeit.pk, abandoned.pk, playing.pk}
    assert found(moderator, began="30") == everything
    assert found(moderator, began="7") == everything - {fives.pk}


def test_a_long_list_costs_few_queries(
    moderator: Client, django_assert_max_num_queries: Any
) -> None:
    for _ in range(4):
        finished()
    with django_assert_max_num_queries(14):
        found(moderator)


# --- inspecting -------------------------------------------------------------------------------


def test_a_match_opens_with_its_log_times_and_who_was_played_for(moderator: Client) -> None:
    room = Room("draw", players=3).start()
    room.here(0, 1)
    room.here(0, 1, 2)
    room.move()
    seat = room.game.turn
    room.wait(61)
    room.wait(61)
    store.call(witness.note_phrase, room.code, 0, "luck")
    match = play_out(room)
    assert Event.objects.filter(match=match, auto=True, seat=seat).exists()
    page = inspect(moderator, match)
    assert f"/matches/{match.pk}/?eyes=all" in page
    for said in ("Connection lost", "Connection regained", "played for the seat", "Good luck!"):
        assert said in page
    first = Event.objects.filter(match=match, kind="move").order_by("number")[0]
    assert f"lays {first.word}" in page
    assert f"{first.when:%H:%M:%S}" in page
    for row in match.seat_rows.all():
        assert row.player is not None and row.player.name in page
    replay = moderator.get(f"/matches/{match.pk}/", {"eyes": "all"})
    assert "Move by move" in replay.content.decode()


def test_admins_may_see_any_finished_match(moderator: Client) -> None:
    match = finished(replay="players", private=True)
    assert "Move by move" not in Client().get(f"/matches/{match.pk}/").content.decode()
    assert "Move by move" in moderator.get(f"/matches/{match.pk}/?eyes=all").content.decode()


def test_their_matches_against_each_other(moderator: Client) -> None:
    ana, ben = member(), member()
    first = finished(people=[ana, ben])
    second = finished("fives", people=[ben, ana])
    stranger = finished(people=[ana, member()])
    void(moderator, second, "a test")
    page = inspect(moderator, first)
    assert f"/matches/{second.pk}/" in page and f"/matches/{stranger.pk}/" not in page
    won = Match.objects.get(pk=first.pk).result
    score = "1 : 0" if json.loads(won)["winner"] == 0 else "0 : 1"
    assert f"{ana.name} – {ben.name}: {score}" in page


def test_four_people_cost_as_few_queries_as_two(
    moderator: Client, django_assert_max_num_queries: Any
) -> None:
    people = [member() for _ in range(4)]
    for rules, players in (("partners", 4), ("draw", 4), ("draw", 3)):
        match = finished(rules, people=people[:players], players=players)
    void(moderator, match, "a test")
    match = finished("fives", people=people, players=4, sides="singles")
    store.call(reports.make_report, match, people[0], 1, "slow")
    inspect(moderator, match)
    with django_assert_max_num_queries(20):
        inspect(moderator, match)


def test_no_secret_and_no_tile_of_a_match_that_is_played(chief: Client) -> None:
    room = Room("draw").start()
    for _ in range(4):
        room.move()
    match = Match.objects.get(table__code=room.code)
    table = Table.objects.get(code=room.code)
    pages = [
        inspect(chief, match),
        chief.get("/admin/table/match/").content.decode(),
        chief.get(f"/admin/table/table/{table.pk}/change/").content.decode(),
        chief.get("/admin/table/table/").content.decode(),
        chief.get(f"/matches/{match.pk}/?eyes=all").content.decode(),
    ]
    dealt = json.loads(Event.objects.get(match=match, kind="deal").data)
    tiles = {tile for rack in dealt["racks"] for tile in rack} | set(dealt["boneyard"])
    for page in pages:
        assert bytes(match.secret).hex() not in page
        assert bytes(table.next_secret).hex() not in page
        words = set(page.replace("<", " ").replace(">", " ").replace('"', " ").split())
        assert not words & tiles
    assert "lays a tile" in pages[0]
    assert "Move by move" not in pages[4]


def test_matches_are_only_read(chief: Client) -> None:
    match = finished()
    page = f"/admin/table/match/{match.pk}"
    assert chief.post(f"{page}/change/", {"status": "playing"}).status_code == 403
    assert chief.post(f"{page}/delete/", {"post": "yes"}).status_code == 403
    assert chief.get("/admin/table/match/add/").status_code == 403
    assert chief.post(f"/admin/table/table/{match.table_id}/change/", {}).status_code == 403
    assert chief.get("/admin/table/match/nosuchmatch/change/").status_code == 404


def test_whoever_is_no_keeper_sees_nothing(client: Client) -> None:
    match = finished()
    pages = ["", f"{match.pk}/change/", "figures/", "odd/", f"{match.pk}/void/"]
    player = Player.objects.create_user("Staff", is_staff=True)
    for page in pages:
        assert client.get(f"/admin/table/match/{page}").status_code == 302
    client.force_login(player, "django.contrib.auth.backends.ModelBackend")
    for page in pages:
        assert client.get(f"/admin/table/match/{page}").status_code == 403


# --- voiding ----------------------------------------------------------------------------------


def test_a_voided_match_is_as_if_it_had_never_been_and_its_players_see_why(
    moderator: Client,
) -> None:
    ana, ben = member(), member()
    first = finished(people=[ana, ben], ranked=True)
    before = profile.figures(ana), profile.figures(ben)
    second = finished(people=[ana, ben], ranked=True)
    assert (profile.figures(ana), profile.figures(ben)) != before
    void(moderator, second, " ")
    assert (profile.figures(ana), profile.figures(ben)) != before
    void(moderator, second, "One person in both seats")
    assert (profile.figures(ana), profile.figures(ben)) == before
    pages = [f"/matches/{second.pk}/", f"/players/{ana.name}/", f"/players/{ana.name}/matches/"]
    theirs, stranger = Client(), Client()
    theirs.force_login(ben, "django.contrib.auth.backends.ModelBackend")
    stranger.force_login(member(), "django.contrib.auth.backends.ModelBackend")
    for page in pages:
        for client in (theirs, moderator):
            assert "One person in both seats" in client.get(page).content.decode()
        for client in (stranger, Client()):
            text = client.get(page).content.decode()
            assert "void" in text and "One person in both seats" not in text
    assert "is void" not in Client().get(f"/matches/{first.pk}/").content.decode()
    assert [one["void"] for one in stored_about(ben)["matches"]] == [
        "One person in both seats",
        None,
    ]
    logged = Act.objects.get()
    assert (logged.by_name, logged.what) == ("Mo", "void")
    assert logged.key == f"dominoes:{second.pk}" and logged.at is not None
    assert "One person in both seats" in inspect(moderator, second)
    again = f"/admin/table/match/{second.pk}/void/"
    page = moderator.post(again, {"reason": "Again"}, follow=True).content.decode()
    assert "It is void already." in page and "The match is void." not in page
    assert Act.objects.count() == 1


def test_several_at_once_from_the_list(moderator: Client) -> None:
    one, other = finished(), finished()
    running = Room("draw").start()
    playing = Match.objects.get(table__code=running.code)
    form = {"action": "void_matches", "_selected_action": [one.pk, other.pk, playing.pk]}
    assert "Reason" in moderator.post("/admin/table/match/", form).content.decode()
    answer = moderator.post(
        "/admin/table/match/", {**form, "apply": "1", "reason": "a test"}, follow=True
    )
    text = answer.content.decode()
    assert "no result that could be voided" in text and "Done: 2" in text
    assert f"“{playing.pk}”: " in text
    answer = moderator.post(
        "/admin/table/match/", {**form, "apply": "1", "reason": "once more"}, follow=True
    )
    text = answer.content.decode()
    assert text.count("It is void already.") == 2 and "Done" not in text
    assert {act.key for act in Act.objects.all()} == {f"dominoes:{m.pk}" for m in (one, other)}


def test_only_who_may_void_does(db: None) -> None:
    match = finished()
    client = keeper("Reader", MODERATORS)
    Group.objects.get(name=MODERATORS).permissions.filter(codename="void_result").delete()
    assert "Void this match" not in inspect(client, match)
    answer = client.post(f"/admin/table/match/{match.pk}/void/", {"reason": "x"})
    assert answer.status_code == 403
    assert not Act.objects.exists()


# --- the groups -------------------------------------------------------------------------------


def test_moderators_inspect_and_void_and_only_administrators_touch_accounts(
    moderator: Client, administrator: Client
) -> None:
    def rights(name: str) -> set[str]:
        group = Group.objects.get(name=name)
        pairs = group.permissions.values_list("content_type__app_label", "codename")
        return {f"{app}.{code}" for app, code in pairs}

    wanted = {"table.view_match", "table.view_table", "table.close_room", "table.view_report",
              "table.change_report", "ranking.void_result"}  # fmt: skip
    assert wanted <= rights(MODERATORS) <= rights(ADMINISTRATORS)
    assert "ranking.change_player" not in rights(MODERATORS)
    assert "ranking.change_player" in rights(ADMINISTRATORS)
    assert not {r for r in rights(ADMINISTRATORS) if "delete" in r or "table.change_match" in r}
    for client in (moderator, administrator):
        index = client.get("/admin/").content.decode()
        assert reverse("admin:table_match_changelist") in index


# --- what a list can't be asked -------------------------------------------------------------------

HIDDEN = [
    ("table/match", "secret"),
    ("table/match", "seeds"),
    ("table/match", "base"),
    ("table/match", "table__next_secret"),
    ("table/match", "events__data"),
    ("table/table", "next_secret"),
    ("table/table", "clock"),
    ("table/table", "match__secret"),
    ("ranking/player", "password"),
    ("ranking/player", "email"),
    ("ranking/player", "prefs"),
]


@pytest.mark.parametrize(("page", "column"), HIDDEN)
def test_a_list_can_not_be_asked_for_what_it_hides(
    moderator: Client, page: str, column: str
) -> None:
    finished("draw")
    assert moderator.get(f"/admin/{page}/").status_code == 200
    for how in ("", "__startswith", "__contains", "__regex", "__gt", "__isnull"):
        answer = moderator.get(f"/admin/{page}/", {f"{column}{how}": "1"})
        assert answer.status_code == 400, how


def test_a_list_is_asked_by_its_own_filters_only() -> None:
    """A new column is hidden until somebody makes a filter of it."""
    for desk in site._registry.values():
        if not desk.model.__module__.startswith(("dominoes", "ranking", "lobby")):
            continue
        named = {one for one in desk.list_filter if isinstance(one, str)}
        for field in desk.model._meta.get_fields():
            for how in ("__startswith", "__regex", "__pk"):
                if desk.lookup_allowed(f"{field.name}{how}", "1", None):
                    assert field.name in named, (desk, field.name)
