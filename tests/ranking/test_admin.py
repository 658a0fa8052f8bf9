"""The keepers' desk: who may do what, with a reason, in the log."""

from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import Group
from django.test import Client
from django.utils import timezone

from ranking import players, profile
from ranking.acts import Act
from ranking.groups import ADMINISTRATORS, MODERATORS
from ranking.models import Player, Result
from ranking.signals import result_voided
from tests.ranking.conftest import account, duel
from tests.ranking.people import PASSWORD

pytestmark = [pytest.mark.django_db, pytest.mark.urls("tests.ranking.urls")]


def keeper(name: str, group: str | None) -> Client:
    """Somebody's browser who may enter the admin."""
    player = Player.objects.create_user(name, is_staff=True)
    if group is None:
        player.is_superuser = True
        player.save()
    else:
        player.groups.add(Group.objects.get(name=group))
    client = Client()
    client.force_login(player)
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


def act(client: Client, what: str, action: str, rows: list[Any], reason: str | None) -> Any:
    """Choose an action for these rows; with a reason, also say it."""
    form: dict[str, Any] = {"action": action, "_selected_action": [row.pk for row in rows]}
    if reason is not None:
        form |= {"apply": "1", "reason": reason}
    return client.post(f"/admin/ranking/{what}/", form)


def change(client: Client, player: Player, **fields: str) -> Any:
    form = {"suspended_until_0": "", "suspended_until_1": "", "muted_until_0": "",
            "muted_until_1": "", "email": player.email, "reason": "", **fields}  # fmt: skip
    return client.post(f"/admin/ranking/player/{player.pk}/change/", form)


# --- voiding ----------------------------------------------------------------------------------


def test_a_moderator_finds_opens_and_voids_a_match(
    moderator: Client, ana: Player, ben: Player
) -> None:
    result = duel(ana, ben, key="one")
    duel(ana, ben, key="two")
    told: list[dict[str, Any]] = []

    def hear(sender: Any, signal: Any, **more: Any) -> None:
        told.append(more)

    result_voided.connect(hear)
    found = moderator.get("/admin/ranking/result/?q=Ana").content.decode()
    assert "one" in found
    opened = moderator.get(f"/admin/ranking/result/{result.pk}/change/")
    assert opened.status_code == 200
    assert "Ben" in opened.content.decode()
    asked = act(moderator, "result", "void", [result], None)
    assert "Reason" in asked.content.decode()
    assert profile.figures(ana).points == 50
    act(moderator, "result", "void", [result], " ")
    assert profile.figures(ana).points == 50
    act(moderator, "result", "void", [result], "one person in both seats")
    assert profile.figures(ana).points == 25
    logged = Act.objects.get()
    assert (logged.by_name, logged.what, logged.key) == ("Mo", "void", "one")
    act(moderator, "result", "void", [result], "once more")
    page = moderator.get("/admin/ranking/result/").content.decode()
    assert "It is void already." in page and page.count("Done: 1") == 1
    assert Act.objects.count() == 1
    assert told[0]["key"] == "one"
    result_voided.disconnect(hear)


def test_results_and_the_log_cannot_be_edited(chief: Client, ana: Player, ben: Player) -> None:
    result = duel(ana, ben, key="one")
    act(chief, "result", "void", [result], "a reason")
    logged = Act.objects.get()
    for path in (f"result/{result.pk}", f"act/{logged.pk}"):
        assert chief.get(f"/admin/ranking/{path}/change/").status_code == 200
        assert chief.post(f"/admin/ranking/{path}/change/", {"reason": "x"}).status_code == 403
        assert chief.post(f"/admin/ranking/{path}/delete/", {"post": "yes"}).status_code == 403
    act(chief, "act", "delete_selected", [logged], "x")
    assert Act.objects.get().reason == "a reason"
    assert Result.objects.exists()


# --- accounts ---------------------------------------------------------------------------------


def test_a_moderator_does_not_touch_accounts(moderator: Client, ana: Player) -> None:
    assert "Ana" in moderator.get("/admin/ranking/player/").content.decode()
    page = moderator.get(f"/admin/ranking/player/{ana.pk}/change/").content.decode()
    assert 'name="suspended_until_0"' not in page
    assert change(moderator, ana, reason="x", muted_until_0="2099-01-01").status_code == 403
    for action in ("make_reset_link", "end_all_sessions", "close_accounts"):
        act(moderator, "player", action, [ana], "a reason")
    ana.refresh_from_db()
    assert (ana.muted_until, ana.closed_at) == (None, None)
    assert not Act.objects.exists()


def test_an_administrator_suspends_for_a_reason(administrator: Client, ana: Player) -> None:
    until = {"suspended_until_0": "2099-01-01", "suspended_until_1": "00:00:00"}
    assert change(administrator, ana, **until).status_code == 200  # no reason, no change
    ana.refresh_from_db()
    assert not ana.is_suspended()
    assert change(administrator, ana, **until, reason="two seats").status_code == 302
    ana.refresh_from_db()
    assert ana.is_suspended()
    logged = Act.objects.get()
    assert (logged.what, logged.about, logged.by_name) == ("suspend", ana, "Ada")
    assert logged.reason.startswith("two seats")
    change(administrator, ana, reason="enough")
    ana.refresh_from_db()
    assert not ana.is_suspended()
    assert Act.objects.count() == 2


def test_an_address_does_not_get_into_the_log(administrator: Client, ana: Player) -> None:
    change(administrator, ana, email="ana@example.org", reason="asked for it by letter")
    ana.refresh_from_db()
    assert ana.email == "ana@example.org"
    assert "example" not in Act.objects.get().reason


def test_an_administrator_gives_no_rights_and_touches_no_superuser(
    administrator: Client, ana: Player
) -> None:
    boss = Player.objects.create_superuser("Boss", PASSWORD)
    page = administrator.get(f"/admin/ranking/player/{ana.pk}/change/").content.decode()
    assert 'name="is_superuser"' not in page
    change(administrator, ana, is_superuser="on", is_staff="on", reason="let me")
    ana.refresh_from_db()
    assert (ana.is_superuser, ana.is_staff) == (False, False)
    assert change(administrator, boss, email="mine@example.org", reason="x").status_code == 403
    for action in ("make_reset_link", "end_all_sessions", "close_accounts"):
        answer = act(administrator, "player", action, [boss], "a reason")
        assert "/accounts/reset/" not in answer.content.decode()
    boss.refresh_from_db()
    assert boss.closed_at is None
    assert not Act.objects.exists()
    assert administrator.get("/admin/auth/group/").status_code == 403


def test_a_superuser_gives_rights(chief: Client, ana: Player) -> None:
    group = Group.objects.get(name=MODERATORS)
    change(chief, ana, is_staff="on", groups=str(group.pk), reason="she helps")
    ana.refresh_from_db()
    assert ana.is_staff
    assert ana.has_perm("ranking.void_result")


def test_an_administrator_makes_a_reset_link(
    administrator: Client, ana: Player, client: Client
) -> None:
    guest = players.create_guest("Gil")
    act(administrator, "player", "make_reset_link", [ana, guest], "she wrote")
    page = administrator.get("/admin/ranking/player/").content.decode()
    link = page.partition("<code>http://testserver")[2].partition("</code>")[0]
    assert client.get(link, follow=True).status_code == 200
    assert "“Gil”: has no password" in page
    assert [one.what for one in Act.objects.all()] == ["reset link"]


def test_an_administrator_signs_someone_out_everywhere(
    administrator: Client, client: Client, ana: Player
) -> None:
    client.force_login(ana)
    token = players.make_token(ana)
    act(administrator, "player", "end_all_sessions", [ana], "a stolen phone")
    assert client.get("/settings/").status_code == 302
    assert players.player_for_token(token) is None
    assert administrator.get("/admin/").status_code == 200


def test_an_administrator_closes_an_account(administrator: Client, ana: Player) -> None:
    act(administrator, "player", "close_accounts", [ana], "asked for it by letter")
    ana.refresh_from_db()
    assert ana.closed_at is not None
    assert Act.objects.get().about == ana


def test_nobody_is_made_or_deleted_here(chief: Client, ana: Player) -> None:
    assert chief.get("/admin/ranking/player/add/").status_code == 403
    assert chief.post(f"/admin/ranking/player/{ana.pk}/delete/").status_code == 403


def test_the_desk_is_for_keepers(client: Client, ana: Player) -> None:
    client.force_login(ana)
    for path in ("", "ranking/player/", "ranking/result/", "ranking/act/"):
        assert client.get(f"/admin/{path}").status_code == 302


def test_no_secret_is_on_the_desk(chief: Client, ana: Player) -> None:
    ana.set_password(PASSWORD)
    ana.save()
    players.make_token(ana)
    page = chief.get(f"/admin/ranking/player/{ana.pk}/change/").content.decode()
    assert ana.password not in page
    assert ana.tokens.get().digest not in page


def test_lists_of_people_stay_quick(chief: Client, django_assert_max_num_queries: Any) -> None:
    for number in range(30):
        duel(account(f"a{number}"), account(f"b{number}"), ended_at=timezone.now()
             - timedelta(days=number))  # fmt: skip
    for what in ("player", "result", "act"):
        with django_assert_max_num_queries(20):
            assert chief.get(f"/admin/ranking/{what}/").status_code == 200
