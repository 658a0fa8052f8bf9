"""Every public page in a real browser: nothing that the content security policy had to stop."""

import pytest
from playwright.sync_api import ConsoleMessage, Page

from tests.services import Site

pytestmark = pytest.mark.e2e

PAGES = [
    *("/", "/tables/new/", "/quick/", "/join/", "/rules/", "/fair/", "/ladder/"),
    *("/rules/partners/", "/rules/draw/", "/rules/classic/", "/rules/fives/"),
    *("/about/stored/", "/accounts/login/", "/accounts/signup/", "/accounts/password_reset/"),
    "/admin/login/",
]


def test_pages_load_without_a_complaint(site: Site, page: Page) -> None:
    complaints: list[str] = []

    def heard(message: ConsoleMessage) -> None:
        if message.type in {"error", "warning"}:
            complaints.append(f"{page.url}: {message.text}")

    page.on("console", heard)
    page.on("pageerror", lambda error: complaints.append(f"{page.url}: {error}"))
    for address in PAGES:
        answer = page.goto(site.url + address, wait_until="load")
        assert answer is not None
        assert answer.status == 200, address
        assert "default-src 'none'" in answer.headers["content-security-policy"]
    assert complaints == []


def test_a_script_that_came_in_with_text_does_not_run(site: Site, page: Page) -> None:
    page.goto(site.url)
    page.evaluate(
        """() => {
          const box = document.createElement("div");
          box.innerHTML = '<img src="/nothing" onerror="document.title = 1"><b style="color:red">';
          document.body.append(box);
          const script = document.createElement("script");
          script.textContent = "document.title = 2";
          document.body.append(script);
        }"""
    )
    page.wait_for_timeout(300)
    assert page.title() not in {"1", "2"}
