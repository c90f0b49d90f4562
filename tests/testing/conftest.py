"""One Chromium and one shop for a module that asks for them; each test finds the shop as it was seeded."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, sync_playwright

from skillnb.browser.chromium import find_chromium
from skillnb.testing.site import Site, serving


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=find_chromium(os.environ), args=["--no-sandbox", "--disable-gpu"]
        )
        yield browser
        browser.close()


@pytest.fixture(scope="module")
def _shop() -> Iterator[Site]:
    with serving() as site:
        yield site


@pytest.fixture
def shop(_shop: Site) -> Iterator[Site]:
    _shop.reset()
    yield _shop
    assert _shop.faults == ()


@pytest.fixture
def guest(chromium: Browser, shop: Site) -> Iterator[Page]:
    context = chromium.new_context(base_url=shop.url)
    context.set_default_timeout(5000)
    yield context.new_page()
    context.close()


@pytest.fixture
def page(guest: Page) -> Page:
    """Alice has logged in."""
    guest.request.post("/login", form={"username": "alice", "password": "wonder-land-7"})
    return guest
