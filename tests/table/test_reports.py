"""Reports: made at a table or in a replay, with what is known attached, and answered once."""

from __future__ import annotations

import json
import time
from typing import Any

import pytest
from django.test import Client

from dominoes.table import automatic, reports, store, timeline, witness
from dominoes.table.models import Connection, Match, Report, Said, SeatAddress
from dominoes.table.models_keeping import REASONS
from dominoes.table.records import hands_of
from ranking.accounts import close_account, stored_about
from ranking.acts import Act, log_act
from ranking.models import Player
from tests.table.finished import finished, play
from tests.table.tables import Room, guest, member

pytestmark = pytest.mark.django_db


def signed_in(player: Player) -> Client:
    client = Client()
    client.force_login(player, "django.contrib.auth.backends.ModelBackend")
    return client


def under_way(**choices: Any) -> tuple[Room, Match]:
    room = Room("draw", **choices).start()
    for _ in range(4):
        room.move()
    assert room.live.match is not None
    return room, Match.objects.get(pk=room.live.match.id)


# --- making one -------------------------------------------------------------------------------


def test_every_seat_of_the_match_page_has_its_button_but_one_s_own() -> None:
    match = finished("fives", players=3)
    names = [row.player.name for row in match.seat_rows.order_by("seat") if row.player]
    page = Client().get(f"/matches/{match.pk}/?hand=1&ply=3").content.decode()
    for seat, name in enumerate(names):
        assert f"Report {name}" in page
        assert f"/matches/{match.pk}/report/?seat={seat}&amp;hand=1&amp;ply=3" in page
    own = match.seat_rows.get(seat=1).player
    assert own is not None
    page = signed_in(own).get(f"/matches/{match.pk}/").content.decode()
    assert f"Report {names[0]}" in page and f"Report {names[1]}" not in page


def test_from_the_table_one_comes_to_the_match_that_is_played() -> None:
    room, match = under_way()
    browser = signed_in(room.people[0])
    assert f"/tables/{room.code}/report/" in browser.get(f"/tables/{room.code}/").content.decode()
    answer = browser.get(f"/tables/{room.code}/report/?seat=1")
    assert answer.headers["Location"] == f"/matches/{match.pk}/report/?seat=1"
    page = browser.get(answer.headers["Location"]).content.decode()
    assert room.people[1].name in page
    assert f'value="1" required checked><span><b>{room.people[1].name}' in page
    assert f"<b>{room.people[0].name}</b>" not in page
    empty = Room("draw")
    answer = signed_in(empty.people[0]).get(f"/tables/{empty.code}/report/")
    assert answer.headers["Location"] == f"/tables/{empty.code}/"
    assert browser.get("/tables/NOSUCH/report/").status_code == 404
    assert browser.get("/matches/nosuchmatch/report/").status_code == 404


def test_the_match_the_ply_phrases_and_timings_go_along() -> None:
    room, match = under_way()
    store.call(witness.note_phrase, room.code, 1, "oops")
    answer = signed_in(room.people[0]).post(
        f"/matches/{match.pk}/report/", {"seat": "1", "reason": "slow"}, follow=True
    )
    assert answer.redirect_chain[-1][0] == "/reports/"
    assert "Nobody has answered yet" in answer.content.decode()
    report = Report.objects.get()
    assert (report.match_id, report.seat, report.by_seat) == (match.pk, 1, 0)
    assert (report.by, report.about, report.reason) == (room.people[0], room.people[1], "slow")
    assert (report.hand, report.ply) == (1, 4)
    stored = json.loads(report.attached)
    assert stored["phrases"][0][:2] == [1, "oops"]
    assert [row[:2] for row in stored["timings"]] == [[1, 1], [1, 2], [1, 3], [1, 4]]
    known = reports.attached(report)
    assert str(known["phrases"][0]["said"]) == "Oops!"
    assert known["moves"] and known["longest"] >= known["median"] >= 0


def test_in_a_replay_it_is_about_the_ply_that_is_shown() -> None:
    match = finished()
    onlooker = guest()
    signed_in(onlooker).post(
        f"/matches/{match.pk}/report/",
        {"seat": "0", "reason": "gives_away", "hand": str(match.hand), "ply": "5"},
    )
    report = Report.objects.get()
    assert (report.hand, report.ply, report.by_seat) == (match.hand, 5, None)


def test_a_moment_that_the_match_never_had_becomes_the_nearest() -> None:
    match = finished()
    moves = [len(hand["moves"]) for hand in hands_of(match.pk)]
    page = f"/matches/{match.pk}/report/"
    for hand, ply, nearest in (
        ("99", "99", (len(moves), moves[-1])),
        ("0", "0", (1, 0)),
        ("1", "999", (1, moves[0])),
    ):
        browser = signed_in(guest())
        text = browser.get(page, {"hand": hand, "ply": ply}).content.decode()
        assert f"About hand {nearest[0]}, move {nearest[1]}." in text
        browser.post(page, {"seat": "0", "reason": "slow", "hand": hand, "ply": ply})
        report = Report.objects.latest("pk")
        assert (report.hand, report.ply) == nearest


def test_only_fixed_reasons_somebody_else_and_once() -> None:
    room, match = under_way()
    browser = signed_in(room.people[0])
    page = f"/matches/{match.pk}/report/"
    shown = browser.get(page).content.decode()
    assert all(str(words) in shown for _key, words in REASONS)
    for form in (
        {"seat": "1", "reason": "I don't like them"},
        {"seat": "0", "reason": "slow"},
        {"seat": "3", "reason": "slow"},
        {"reason": "slow"},
    ):
        assert browser.post(page, form).status_code == 422
    assert not Report.objects.exists()
    assert browser.post(page, {"seat": "1", "reason": "slow"}).status_code == 302
    again = browser.post(page, {"seat": "1", "reason": "name"})
    assert again.status_code == 422 and "already" in again.content.decode()
    assert Report.objects.count() == 1


def test_whoever_is_nobody_signs_in_first_and_bots_are_not_reported() -> None:
    room, match = under_way(bots=1)
    answer = Client().get(f"/matches/{match.pk}/report/?seat=1")
    assert answer.status_code == 302 and "/accounts/login/" in answer.headers["Location"]
    assert "/accounts/login/" in Client().get("/reports/").headers["Location"]
    page = signed_in(room.people[0]).get(f"/matches/{match.pk}/report/").content.decode()
    assert "Nobody who could be reported" in page


def test_one_person_does_not_flood_the_desk(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reports, "A_DAY", 2)
    match, reporter = finished("fives", players=4, sides="singles"), guest()
    browser, page = signed_in(reporter), f"/matches/{match.pk}/report/"
    for seat in ("0", "1"):
        assert browser.post(page, {"seat": seat, "reason": "slow"}).status_code == 302
    again = browser.post(page, {"seat": "2", "reason": "slow"})
    assert again.status_code == 422
    assert "You have made 2 reports within a day" in again.content.decode()
    reports.make_report(match, guest(), 2, "slow")  # others may
    Report.objects.filter(by=reporter, seat=0).update(at=time.time() - 86401)
    assert browser.post(page, {"seat": "2", "reason": "slow"}).status_code == 302
    assert Report.objects.filter(by=reporter).count() == 3


def test_one_address_does_not_flood_the_desk(settings: Any, monkeypatch: Any) -> None:
    settings.RATE_LIMITS = True
    monkeypatch.setattr("dominoes.table.report_views.MOST", 1)
    match = finished("fives", players=3)
    browser = signed_in(guest())
    page = f"/matches/{match.pk}/report/"
    assert browser.post(page, {"seat": "0", "reason": "slow"}).status_code == 302
    assert browser.post(page, {"seat": "1", "reason": "slow"}).status_code == 422


# --- the answer -------------------------------------------------------------------------------


def test_the_answer_reaches_who_reported_and_is_in_the_log() -> None:
    match = finished()
    reporter, keeper = guest(), member()
    report = reports.make_report(match, reporter, 1, "slow")
    browser = signed_in(reporter)
    assert "answer to your report" not in browser.get("/").content.decode()
    reports.answer(report, keeper, "The clock ran as it should.")
    assert "an answer to your report" in browser.get("/").content.decode()
    assert "/reports/" in browser.get("/settings/").content.decode()
    assert "The clock ran as it should." in browser.get("/reports/").content.decode()
    assert "answer to your report" not in browser.get("/").content.decode()
    logged = Act.objects.get(what="answer report")
    assert (logged.by, logged.about, logged.key) == (keeper, report.about, match.pk)
    for text in ("Once more", " "):
        with pytest.raises(ValueError):
            reports.answer(report, keeper, text)
    assert Act.objects.count() == 1


def test_whom_a_report_was_about_does_not_read_its_answer() -> None:
    match = finished()
    report = reports.make_report(match, guest(), 1, "slow")
    reports.answer(report, member(), "We have warned them twice.")
    assert report.about is not None
    log_act(by=None, what="mute", about=report.about, reason="Pesters with phrases")
    told = stored_about(report.about)
    assert [act["what"] for act in told["acts_about_you"]] == ["mute"]
    assert "warned them" not in json.dumps(told, default=str)


def test_earlier_reports_of_and_by_both() -> None:
    match, other = finished(), finished()
    ana, ben = (match.seat_rows.get(seat=seat).player for seat in (0, 1))
    assert ana is not None and ben is not None
    stranger = other.seat_rows.get(seat=0).player
    assert stranger is not None
    of_ben = reports.make_report(match, stranger, 1, "slow")
    by_ben = reports.make_report(other, ben, 0, "name")
    of_ana = reports.make_report(match, ben, 0, "leaves")
    by_ana = reports.make_report(other, ana, 1, "phrases")
    found = dict(reports.earlier(reports.make_report(match, ana, 1, "together")))
    assert found == {
        f"About {ben.name}": [of_ben],
        f"By {ben.name}": [of_ana, by_ben],
        f"About {ana.name}": [of_ana],
        f"By {ana.name}": [by_ana],
    }


def test_what_is_stored_tells_of_own_reports_and_never_who_reported() -> None:
    room, match = under_way()
    ana, ben = room.people
    store.call(witness.note_phrase, room.code, 0, "hello")
    store.call(witness.note_phrase, room.code, 1, "oops")
    reports.make_report(match, ana, 1, "slow")
    data = stored_about(ana)
    assert [(one["seat"], one["reason"]) for one in data["reports"]] == [(1, "slow")]
    assert [one["phrase"] for one in data["phrases"]] == ["hello"]
    assert data["reports_about_you"] == {}
    data = stored_about(ben)
    assert (data["reports"], data["reports_about_you"]) == ([], {"slow": 1})
    assert ana.name not in json.dumps({"reports": data["reports_about_you"]})


def test_a_report_outlives_its_people() -> None:
    match = finished()
    reporter = member()
    report = reports.make_report(match, reporter, 1, "slow")
    close_account(reporter)
    assert report.about is not None
    close_account(report.about)
    report.refresh_from_db()
    assert report.match_id == match.pk
    assert reports.reportable(match, None)[0][0] == 0


# --- what is noted beside the log -------------------------------------------------------------


def test_connections_lost_and_regained() -> None:
    room, match = under_way()
    room.here(0, 1)
    assert not Connection.objects.exists()
    room.here(0)
    room.here(0)
    room.here(0, 1)
    rows = Connection.objects.filter(match=match).order_by("pk")
    assert list(rows.values_list("seat", "here")) == [(1, False), (1, True)]
    room.here()
    assert rows.count() == 4
    told = [line.said for line in timeline.lines(match) if line.kind == "connection"]
    assert told[:2] == ["Connection lost", "Connection regained"]


def test_nothing_is_noted_where_no_match_is_played_nor_of_bots() -> None:
    room = Room("draw", bots=1)
    room.here(0)
    room.here()
    room.start()
    store.call(automatic.presence_changed, room.code)
    assert list(Connection.objects.values_list("seat", "here")) == [(0, False)]
    store.call(witness.note_phrase, Room("draw").code, 0, "hello")
    assert not Said.objects.exists()


def test_the_last_fifty_phrases_are_kept() -> None:
    room, match = under_way()
    for number in range(53):
        store.call(witness.note_phrase, room.code, number % 2, "nice" if number > 3 else "hello")
    kept = Said.objects.filter(match=match)
    assert kept.count() == 50
    assert kept.filter(phrase="hello").count() == 1


def test_the_address_of_a_ranked_seat_is_a_hash_that_is_forgotten() -> None:
    room = Room("draw", ranked=True).start()
    assert room.live.match is not None
    for seat, player in enumerate(room.people):
        browser = signed_in(player)
        browser.get(f"/tables/{room.code}/", REMOTE_ADDR="203.0.113.9")
        browser.get(f"/tables/{room.code}/", REMOTE_ADDR="203.0.113.9")
        assert SeatAddress.objects.filter(seat=seat).count() == 1
    assert len(set(SeatAddress.objects.values_list("digest", flat=True))) == 1
    assert witness.digest({"client": ["203.0.113.9", 1]}) == SeatAddress.objects.all()[0].digest
    assert witness.digest({"client": ["203.0.113.8", 1]}) != SeatAddress.objects.all()[0].digest
    assert witness.digest({}) == ""
    now = time.time()
    assert witness.forget_addresses(now + 29 * 86400) == 0
    assert witness.forget_addresses(now + 31 * 86400) == 2


def test_no_address_is_kept_of_casual_matches() -> None:
    room, match = under_way()
    signed_in(room.people[0]).get(f"/tables/{room.code}/")
    play(room)
    assert not SeatAddress.objects.filter(match=match).exists()
