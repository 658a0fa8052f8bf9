"""Links and QR codes that work from another device."""

from typing import Any

import pytest
from django.template import Context, Template
from django.test import RequestFactory

from lobby import invitations


@pytest.fixture
def network(monkeypatch: pytest.MonkeyPatch) -> None:
    """This machine has an address in its network."""
    monkeypatch.setattr(invitations, "lan_address", lambda: "192.168.1.20")


@pytest.mark.parametrize(
    ("host", "link"),
    [
        ("localhost:8000", "http://192.168.1.20:8000/join/K7QF4M/"),
        ("127.0.0.1:8000", "http://192.168.1.20:8000/join/K7QF4M/"),
        ("[::1]:8000", "http://192.168.1.20:8000/join/K7QF4M/"),
        ("localhost", "http://192.168.1.20/join/K7QF4M/"),
        ("192.168.1.5:9000", "http://192.168.1.5:9000/join/K7QF4M/"),
        ("kitchen.local:8000", "http://kitchen.local:8000/join/K7QF4M/"),
    ],
)
def test_the_link(network: None, rf: RequestFactory, host: str, link: str) -> None:
    found = invitations.for_table(rf.get("/", headers={"Host": host}), "K7QF4M")
    assert (found.link, found.code) == (link, "K7QF4M")


def test_a_public_site_keeps_its_name(network: None, rf: RequestFactory, settings: Any) -> None:
    settings.PUBLIC = True
    request = rf.get("/", headers={"Host": "localhost"}, secure=True)
    assert invitations.for_table(request, "K7QF4M").link == "https://localhost/join/K7QF4M/"


def test_without_a_network_the_link_stays(
    rf: RequestFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(invitations, "lan_address", lambda: None)
    request = rf.get("/", headers={"Host": "localhost:8000"})
    assert invitations.for_pair(request, "K7QF4M").link == (
        "http://localhost:8000/quick/pair/K7QF4M/"
    )


def test_the_qr_code_is_an_svg_that_the_page_may_show(network: None, rf: RequestFactory) -> None:
    svg = invitations.for_table(rf.get("/", headers={"Host": "localhost"}), "K7QF4M").qr
    assert svg.startswith("<svg") and svg.endswith("</svg>")
    assert "viewBox" in svg
    assert "<script" not in svg and "<style" not in svg
    assert len(svg) < 6000


def test_the_tag(network: None, rf: RequestFactory) -> None:
    template = Template(
        "{% load invitation %}{% invitation code as inv %}{{ inv.link }} {{ inv.qr }}"
    )
    request = rf.get("/", headers={"Host": "localhost"})
    page = template.render(Context({"request": request, "code": "K7QF4M"}))
    assert page.startswith("http://192.168.1.20/join/K7QF4M/ <svg")
