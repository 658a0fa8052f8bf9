"""The desk's reports, its figures, and the list of what looks odd."""

from __future__ import annotations

import json
import time

import pytest
from django.test import Client

from dominoes.table import figures, odd, play, reports, store, witness
from dominoes.table.models import DealCheck, Event, Match, SeatAddress
from ranking.acts import Act
from ranking.models import Player
from tests.table.finished import finished
from tests.table.tables import Room, member
from tests.table.test_admin import administrator, chief, keeper, moderator

__all__ = ["administrator", "chief", "moderator"]  # fixtures

pytestmark = pytest.mark.django_db


# --- reports ----------------------------------------------------------------------------------


def test_a_moderator_reads_a_report_with_all_that_is_known_and_answers(moderator: Client) -> None:
    room = Room("draw").start()
    for _ in range(4):
        room.move()
    match = Match.objects.get(table__code=room.code)
    ana, ben = room.people
    store.call(witness.note_phrase, room.code, 1, "wow")
    older = reports.make_report(match, ben, 0, "name")
    report = reports.make_report(match, ana, 1, "slow")
    listed = moderator.get("/admin/table/report/?answered=no").content.decode()
    assert "Plays slowly on purpose" in listed and ben.name in listed
    page = f"/admin/table/report/{report.pk}/change/"
    text = moderator.get(page).content.decode()
    for known in ("Wow!", "hand 1, move 4", "Half of its moves", ana.name, ben.name):
        assert known in text
    assert f"/admin/table/report/{older.pk}/change/" in text
    assert f"/admin/table/match/{match.pk}/change/" in text
    assert (
        "Please write an answer"
        in moderator.post(page, {"answer": ""}, follow=True).content.decode()
    )
    moderator.post(page, {"answer": "They were within their time."})
    report.refresh_from_db()
    assert report.answer == "They were within their time." and not report.answer_read
    moderator.post(page, {"answer": "Changed."})
    report.refresh_from_db()
    assert report.answer == "They were within their time."
    logged = Act.objects.get()
    assert (logged.by_name, logged.what, logged.about) == ("Mo", "answer report", ben)
    assert "They were within" in moderator.get(page).content.decode()
    waiting = moderator.get("/admin/table/report/?answered=no")
    assert list(waiting.context["cl"].result_list) == [older]
    found = moderator.get(f"/admin/table/report/?q={ana.name}")
    assert set(found.context["cl"].result_list) == {older, report}
    assert moderator.get("/admin/table/report/99999/change/").status_code == 404
    assert (
        moderator.post(f"/admin/table/report/{report.pk}/delete/", {"post": "y"}).status_code == 403
    )
    assert moderator.get("/admin/table/report/add/").status_code == 403
    assert (
        "Plays slowly" in moderator.get(f"/admin/table/match/{match.pk}/change/").content.decode()
    )


def test_an_answer_is_no_longer_than_it_may_be(moderator: Client) -> None:
    report = reports.make_report(finished(), member(), 0, "slow")
    page = f"/admin/table/report/{report.pk}/change/"
    answer = moderator.post(page, {"answer": "x" * 3000})
    assert answer.status_code == 200 and "at most 500 characters" in answer.content.decode()
    report.refresh_from_db()
    assert report.answered_at is None and not Act.objects.exists()
    moderator.post(page, {"answer": "x" * 500})
    report.refresh_from_db()
    assert report.answer == "x" * 500


def test_reports_are_found_by_their_match(moderator: Client) -> None:
    report = reports.make_report(finished(), member(), 0, "slow")
    reports.make_report(finished(), member(), 0, "slow")
    for text in (report.match_id, report.match_id.upper(), f"dominoes:{report.match_id}"):
        listed = moderator.get("/admin/table/report/", {"q": text})
        assert list(listed.context["cl"].result_list) == [report]


def test_who_may_only_read_does_not_answer(db: None) -> None:
    match = finished()
    report = reports.make_report(match, member(), 0, "slow")
    client = keeper("Reader", "Moderators")
    from django.contrib.auth.models import Group

    Group.objects.get(name="Moderators").permissions.filter(codename="change_report").delete()
    page = f"/admin/table/report/{report.pk}/change/"
    assert "Send the answer" not in client.get(page).content.decode()
    assert client.post(page, {"answer": "No."}).status_code == 403


# --- figures ----------------------------------------------------------------------------------


def test_figures_of_each_day_and_of_ever(moderator: Client) -> None:
    one, other = finished(), finished()
    lost = Room("draw", kind="nearby", private=True).start()
    lost.do(play.leave, 0)
    now = time.time()
    Match.objects.filter(pk=one.pk).update(
        started_at=now - 2 * 86400, ended_at=now - 2 * 86400 + 600
    )
    Match.objects.filter(pk=other.pk).update(started_at=now - 40 * 86400)
    newest, older = figures.days(now)
    assert (newest.matches, newest.abandoned, newest.share) == (1, 1, 100.0)
    assert (newest.moves, newest.minutes) == (None, None)
    assert (older.matches, older.abandoned, older.moves) == (1, 0, one.plies)
    assert older.minutes == pytest.approx(10)
    ever = figures.altogether()
    assert (ever.matches, ever.abandoned) == (3, 1)
    assert ever.moves == pytest.approx((one.plies + other.plies) / 2)
    page = moderator.get("/admin/table/match/figures/").content.decode()
    assert "100.0 %" in page and f"{older.day}" in page
    assert "/admin/table/match/figures/" in moderator.get("/admin/table/match/").content.decode()


def test_no_figures_of_nothing(moderator: Client) -> None:
    assert "Nothing was played" in moderator.get("/admin/table/match/figures/").content.decode()


def test_deals_are_checked_and_a_wrong_one_is_named(moderator: Client) -> None:
    right, wrong = finished(), finished()
    deal = Event.objects.filter(match=wrong, kind="deal").order_by("number")[0]
    about = json.loads(deal.data)
    about["racks"][0][0], about["boneyard"][0] = about["boneyard"][0], about["racks"][0][0]
    Event.objects.filter(pk=deal.pk).update(data=json.dumps(about))
    assert "2 matches wait" in moderator.get("/admin/table/match/figures/").content.decode()
    page = moderator.post("/admin/table/match/figures/", follow=True).content.decode()
    dealt = Event.objects.filter(kind="deal").count()
    assert f"{dealt} deals of 2 matches" in page
    assert wrong.pk in page and "hand 1 is not the deal" in page
    assert DealCheck.objects.get(match=right).faults == ""
    assert figures.check_deals() == 0
    assert "wait" not in page


# --- what looks odd ---------------------------------------------------------------------------


def results(people: list[Player], winners: str, **about: object) -> list[Match]:
    """Ranked matches of two, as by the letters: who of them (a, b) won; capitals: by forfeit."""
    first = finished("draw", people=people, ranked=True)
    made = []
    for number, letter in enumerate(winners):
        winner = "ab".index(letter.lower())
        forfeit = letter.isupper()
        result = {
            "how": "forfeit" if forfeit else "target",
            "winner": winner,
            "seat": 1 - winner if forfeit else None,
            "why": "left" if forfeit else None,
        }
        at = time.time() - 1000 + number
        match = Match.objects.get(pk=first.pk)
        match.pk = f"m{people[0].pk}x{number}"
        match.started_at = match.ended_at = at
        match.result = json.dumps(result)
        match.save(force_insert=True)
        for seat, person in enumerate(people):
            match.seat_rows.create(seat=seat, player=person)
        made.append(match)
    Match.objects.filter(pk=first.pk).update(started_at=0, ended_at=0)
    return made


def listed(what: str) -> list[tuple[set[Player], set[str]]]:
    return [(set(one.people), set(one.matches)) for one in odd.listed() if one.what == what]


def test_two_people_who_win_by_turns_are_listed() -> None:
    ana, ben = member(), member()
    matches = results([ana, ben], "abababa")
    assert listed("trading") == [({ana, ben}, {match.pk for match in matches})]


@pytest.mark.parametrize("winners", ["aaaaaaaa", "aabbaabb", "abab", ""])
def test_two_people_who_just_play_are_not(winners: str) -> None:
    results([member(), member()], winners)
    assert odd.listed() == []


def test_forfeits_in_series_are_listed() -> None:
    ana, ben = member(), member()
    matches = results([ana, ben], "aAAAb")
    assert listed("forfeits") == [({ana, ben}, {match.pk for match in matches[1:4]})]
    assert "all to the same person" in odd.listed()[0].said
    results([member(), member()], "AAbAAb")
    assert len(odd.listed()) == 1


def test_forfeits_to_different_people_are_one_person_s() -> None:
    ana, others = member(), [member(), member()]
    for other in others:
        results([other, ana], "AA")
    found = [one for one in odd.listed() if one.what == "forfeits"]
    assert [set(one.people) for one in found] == [{ana}]


def test_one_address_in_two_seats_of_a_ranked_match_is_listed(moderator: Client) -> None:
    ana, ben = member(), member()
    match = finished("draw", people=[ana, ben], ranked=True)
    other = finished("draw", ranked=True)
    for seat in (0, 1):
        store.call(witness.note_address, match.pk, seat, witness.digest({"client": ["9.9.9.9", 1]}))
        store.call(
            witness.note_address, other.pk, seat, witness.digest({"client": [f"9.9.9.{seat}", 1]})
        )
    assert listed("address") == [({ana, ben}, {match.pk})]
    assert odd.listed()[0].said == "1 match with several seats at one address"
    inspected = moderator.get(f"/admin/table/match/{match.pk}/change/").content.decode()
    assert "Seats 1, 2 were played from one address" in inspected
    SeatAddress.objects.update(at=time.time() - 31 * 86400)
    assert odd.listed() == []


def test_the_list_is_for_a_look_and_punishes_nobody(moderator: Client) -> None:
    ana, ben = member(), member()
    results([ana, ben], "abababa")
    before = list(Player.objects.order_by("pk").values())
    page = moderator.get("/admin/table/match/odd/").content.decode()
    assert ana.name in page and ben.name in page and "won by turns" in page
    after = list(Player.objects.order_by("pk").values())
    for row in before + after:
        row.pop("last_seen"), row.pop("last_login")
    assert before == after
    assert not Act.objects.exists()


def test_nothing_odd(moderator: Client) -> None:
    finished("draw", ranked=True)
    assert "Nothing looks odd" in moderator.get("/admin/table/match/odd/").content.decode()


def test_odd_tables_are_looked_for_once_a_minute(monkeypatch: pytest.MonkeyPatch) -> None:
    looks: list[float] = []
    real = odd._look

    def look(now: float) -> object:
        looks.append(now)
        return real(now)

    monkeypatch.setattr(odd, "_look", look)
    assert odd.recent() == odd.recent() == odd.listed()
    assert len(looks) == 2  # one for both, and one by itself
    monkeypatch.setattr(odd, "cache", None)  # gone
    assert odd.recent() == []
    assert len(looks) == 3
