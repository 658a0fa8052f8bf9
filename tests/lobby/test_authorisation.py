"""Every address of the lobby, generated from its routes, so that a new one can't be forgotten."""

from collections.abc import Callable
from dataclasses import dataclass

import pytest
from django.test import Client
from django.urls import URLPattern, reverse

from dominoes.table.models import Table
from lobby.urls import urlpatterns
from tests.lobby.conftest import MakePlayer

pytestmark = pytest.mark.django_db


@dataclass(frozen=True)
class Rule:
    """What an address answers: to a GET by nobody, a POST by nobody, a GET by a bystander."""

    get: int
    post: int
    bystander: int
    args: tuple[str, ...] = ()


LOGIN = 302

RULES = {
    "home": Rule(200, 405, 200),
    "play": Rule(405, 302, 405),
    "invite-decline": Rule(405, LOGIN, 405, ("7",)),
    "table-new": Rule(200, 422, 200),
    "table-choices": Rule(LOGIN, LOGIN, 403, ("CODE",)),
    "table-invite": Rule(LOGIN, LOGIN, 403, ("CODE",)),
    "join": Rule(200, 405, 200),
    "join-room": Rule(200, 200, 200, ("CODE",)),
    "quick": Rule(200, 302, 200),
    "quick-pair": Rule(404, 404, 404, ("CODE",)),
    "companions": Rule(LOGIN, LOGIN, 200),
}


def names() -> list[str]:
    assert all(isinstance(pattern, URLPattern) and pattern.name for pattern in urlpatterns)
    return [str(pattern.name) for pattern in urlpatterns]


def test_every_address_has_a_rule() -> None:
    assert sorted(names()) == sorted(RULES)


@pytest.mark.parametrize("name", names())
def test_who_may_see_it(
    name: str,
    guest: MakePlayer,
    make_room: Callable[..., str],
    browser: Callable[..., Client],
) -> None:
    code = make_room(guest("Ana"))
    rule = RULES[name]
    address = reverse(name, args=[arg.replace("CODE", code) for arg in rule.args])
    answer = browser().get(address)
    assert answer.status_code == rule.get
    if rule.get == LOGIN:
        assert answer.headers["Location"].startswith(reverse("login"))
    answer = browser().post(address)
    assert answer.status_code == rule.post
    if rule.get == LOGIN:
        assert answer.headers["Location"].startswith(reverse("login"))
    assert browser(guest("Ben")).get(address).status_code == rule.bystander
    assert Table.objects.count() == 1
    assert Table.objects.get().seat_rows.count() == 1


@pytest.mark.parametrize("name", names())
def test_every_form_needs_its_csrf_token(
    name: str, guest: MakePlayer, make_room: Callable[..., str]
) -> None:
    ana = guest("Ana")
    code = make_room(ana)
    address = reverse(name, args=[arg.replace("CODE", code) for arg in RULES[name].args])
    client = Client(enforce_csrf_checks=True)
    client.force_login(ana)
    assert client.post(address).status_code == 403


def test_numbers_beyond_all_bounds(guest: MakePlayer, browser: Callable[..., Client]) -> None:
    address = reverse("invite-decline", args=[10**30])
    assert browser(guest("Ana")).post(address).status_code == 302
