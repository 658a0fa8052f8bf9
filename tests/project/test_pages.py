"""What stands around every page: the content security policy and its companions."""

import re

import pytest
from django.conf import settings
from django.http import HttpResponse
from django.test import Client
from django.urls import path

pytestmark = pytest.mark.django_db


def directives(policy: str) -> dict[str, list[str]]:
    """A content security policy as a dict of its directives."""
    parts = [part.split() for part in policy.split(";") if part.strip()]
    return {name: values for name, *values in parts}


def test_pages_run_our_own_scripts_only(client: Client) -> None:
    policy = directives(client.get("/admin/login/").headers["Content-Security-Policy"])
    assert policy["default-src"] == ["'none'"]
    assert policy["script-src"][0] == "'self'"
    assert all(word == "'self'" or word.startswith("'nonce-") for word in policy["script-src"])
    assert all(word == "'self'" or word.startswith("'nonce-") for word in policy["style-src"])
    assert policy["style-src-attr"] == ["'unsafe-inline'"]
    assert policy["connect-src"] == ["'self'"]
    for closed in ("frame-ancestors", "base-uri", "object-src"):
        assert policy[closed] == ["'none'"]
    everything_else = {name: words for name, words in policy.items() if name != "style-src-attr"}
    assert "unsafe" not in str(everything_else)


def test_companions(client: Client) -> None:
    headers = client.get("/admin/login/").headers
    assert headers["X-Frame-Options"] == "DENY"
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["Referrer-Policy"] == "same-origin"


def test_api_and_missing_pages_have_the_policy_too(client: Client) -> None:
    for address in ("/api/v1/openapi.json", "/nothing/here/"):
        assert "default-src 'none'" in client.get(address).headers["Content-Security-Policy"]


def _nonce(request: object) -> HttpResponse:
    return HttpResponse(str(request.csp_nonce))  # type: ignore[attr-defined]


urlpatterns = [path("nonce/", _nonce)]


@pytest.mark.urls(__name__)
def test_each_answer_has_a_nonce_of_its_own(client: Client) -> None:
    seen = set()
    for _ in range(3):
        answer = client.get("/nonce/")
        nonce = answer.content.decode()
        assert re.fullmatch(r"[A-Za-z0-9+/]{22}==", nonce)
        assert f"'nonce-{nonce}'" in answer.headers["Content-Security-Policy"]
        seen.add(nonce)
    assert len(seen) == 3


def test_no_template_has_an_inline_script_or_handler() -> None:
    """What the policy would refuse anyway, found before a browser does."""
    templates = settings.BASE_DIR / "templates"
    inline = re.compile(
        r"<script(?![^>]*\b(?:src|nonce)=)(?![^>]*type=\"application/json\")|\son[a-z]+\s*=\s*[\"']"
        r"|javascript:",
        re.IGNORECASE,
    )
    for file in templates.rglob("*.html"):
        assert not inline.search(file.read_text()), file
