"""Nobody judges their own cause: keepers who played, sit there, reported or are reported."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth.models import Group
from django.test import Client

from dominoes.table import keeping, play, reports, seating, store
from dominoes.table.models import Match, Report, Table
from ranking.acts import Act
from ranking.groups import ADMINISTRATORS, MODERATORS
from ranking.models import Player, Result
from tests.table.finished import finished
from tests.table.tables import Room, member

pytestmark = pytest.mark.django_db

REFUSED = "This concerns you yourself"


def keeper(name: str, group: str = MODERATORS) -> Player:
    player = Player.objects.create_user(name, is_staff=True)
    player.groups.add(Group.objects.get(name=group))
    return player


def chief() -> Player:
    return Player.objects.create_user("Chief", is_staff=True, is_superuser=True)


def at_the_desk(player: Player) -> Client:
    client = Client()
    client.force_login(player, "django.contrib.auth.backends.ModelBackend")
    return client


def void(player: Player, match: Match) -> str:
    """Void a match by its page; what is said."""
    page = f"/admin/table/match/{match.pk}/void/"
    answer = at_the_desk(player).post(page, {"reason": "I lost"}, follow=True)
    return str(answer.content.decode())


def close(player: Player, code: str) -> str:
    """Close a room from the list; what is said."""
    row = Table.objects.get(code=code)
    form = {"action": "close_rooms", "_selected_action": [row.pk], "apply": "1", "reason": "mine"}
    answer = at_the_desk(player).post("/admin/table/table/", form, follow=True)
    return str(answer.content.decode())


def answer(player: Player, report: Report) -> Any:
    page = f"/admin/table/report/{report.pk}/change/"
    return at_the_desk(player).post(page, {"answer": "Nothing in it."}, follow=True)


def test_who_played_in_a_match_does_not_void_it() -> None:
    for group in (MODERATORS, ADMINISTRATORS):
        mo = keeper(f"Mo {group}", group)
        match = finished(people=[mo, member()], ranked=True)
        assert REFUSED in void(mo, match)
        results = {"action": "void", "_selected_action": [Result.objects.latest("pk").pk]}
        said = at_the_desk(mo).post(
            "/admin/ranking/result/", {**results, "apply": "1", "reason": "I lost"}, follow=True
        )
        assert REFUSED in said.content.decode()
    assert not Act.objects.exists() and not Result.objects.exclude(voided_at=None).exists()
    assert REFUSED not in void(keeper("Another"), match)
    assert Act.objects.count() == 1


def test_a_superuser_may_and_it_is_logged() -> None:
    boss = chief()
    match = finished(people=[boss, member()], ranked=True)
    assert REFUSED not in void(boss, match)
    assert Act.objects.get().by == boss


def test_who_sits_in_a_room_does_not_close_it() -> None:
    mo = keeper("Mo")
    room = Room("draw", people=[member(), mo])
    assert REFUSED in close(mo, room.code)
    room.start()
    assert REFUSED in close(mo, room.code)
    assert room.live.in_match and not Act.objects.exists()
    assert REFUSED not in close(keeper("Another"), room.code)
    assert room.live.status == Table.CLOSED


def test_nor_does_who_left_the_match_that_is_played_there() -> None:
    mo = keeper("Mo")
    room = Room("draw", players=3, people=[member(), member(), mo]).start()
    room.here(0, 1, 2)
    room.do(play.leave, 2)
    with pytest.raises(ValueError, match=REFUSED):
        store.call(keeping.close_room, room.code, mo, "a reason")
    assert room.live.in_match
    stood = Room("draw", people=[member(), mo])
    stood.do(seating.stand, 1)
    assert REFUSED not in close(mo, stood.code)


def test_a_superuser_and_the_machine_close_any_room() -> None:
    boss = chief()
    room = Room("draw", people=[boss, member()])
    assert REFUSED not in close(boss, room.code)
    other = Room("draw")
    store.call(keeping.close_room, other.code, None, "a reason")
    assert room.live.status == other.live.status == Table.CLOSED


def test_who_is_reported_reported_or_played_does_not_answer() -> None:
    reported, reporter, played = keeper("Rosa"), keeper("Rufo"), keeper("Pepa")
    match = finished("draw", players=3, people=[reported, played, member()])
    report = reports.make_report(match, reporter, 0, "slow")
    for one in (reporter, played):
        assert REFUSED in answer(one, report).content.decode()
    assert answer(reported, report).status_code == 404
    with pytest.raises(ValueError, match=REFUSED):
        reports.answer(report, reported, "Nothing in it.")
    report.refresh_from_db()
    assert report.answered_at is None and not Act.objects.exists()
    assert REFUSED not in answer(keeper("Another"), report).content.decode()
    report.refresh_from_db()
    assert report.answer == "Nothing in it."


def test_a_superuser_answers_and_it_is_logged() -> None:
    boss = chief()
    match = finished(people=[boss, member()])
    report = reports.make_report(match, member(), 0, "slow")
    assert REFUSED not in answer(boss, report).content.decode()
    assert Act.objects.get().by == boss


def test_who_is_reported_does_not_see_by_whom() -> None:
    mo, other = keeper("Mo"), member()
    match = finished(people=[mo, other])
    teller = Player.objects.create_user("Teller")
    about_mo = reports.make_report(match, teller, 0, "slow")
    about_other = reports.make_report(match, teller, 1, "name")
    pages = (
        "/admin/table/report/",
        f"/admin/table/match/{match.pk}/change/",
        f"/admin/table/report/{about_other.pk}/change/",
    )
    address = f"/admin/table/report/{about_mo.pk}/change/"
    theirs, another = at_the_desk(mo), at_the_desk(keeper("Another"))
    assert theirs.get(address).status_code == 404
    assert another.get(address).status_code == 200
    for page in pages:
        assert address not in theirs.get(page).content.decode(), page
        assert address in another.get(page).content.decode(), page
    found = theirs.get("/admin/table/report/", {"q": "Mo"}).content.decode()
    assert address not in found
    assert address in at_the_desk(chief()).get(pages[0]).content.decode()
