"""Requests that may change a site are told of before they leave, whoever sends them, and the cache stays in use."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any

import pytest
from playwright.async_api import Page

from skillnb.browser.attached import attach
from skillnb.browser.chromium import Chromium, find_chromium
from skillnb.browser.holding import Holding

_PAGE = """<!doctype html><script src="/script.js"></script>
<button id="fetch" onclick="fetch('/fetch', {method: 'POST'})">Fetch</button>
<button id="xhr" onclick="let r = new XMLHttpRequest(); r.open('PUT', '/xhr'); r.send()">Put</button>
<button id="beacon" onclick="navigator.sendBeacon('/beacon', 'x')">Beacon</button>
<form method="post" action="/form"><button id="form">Send</button></form>
<form method="post" action="/window" target="_blank"><button id="window">Open</button></form>
<iframe src="http://localhost:PORT/frame"></iframe>"""
_FRAME = """<form method="post" action="/framed"><button id="framed">Send</button></form>
<button id="inside" onclick="fetch('/inside', {method: 'POST'})">Fetch</button>"""


class _Handler(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        self._answer(_PAGE.replace("PORT", str(self.server.server_port)) if self.path == "/" else _FRAME)

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers.get("Content-Length", 0)))
        self._answer("done")

    def do_PUT(self) -> None:
        self.do_POST()

    def _answer(self, text: str) -> None:
        script = self.path.endswith(".js")
        body = b"//" if script else text.encode()
        self.server.seen.append(f"{self.command} {self.path}")
        self.send_response(200)
        self.send_header("Content-Type", "text/javascript" if script else "text/html")
        self.send_header("Cache-Control", "max-age=600" if script else "no-store")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_arguments: Any) -> None:
        return


@pytest.fixture
def server() -> Iterator[Any]:
    with ThreadingHTTPServer(("127.0.0.1", 0), _Handler) as made:
        made.seen = []  # type: ignore[attr-defined]
        thread = Thread(target=made.serve_forever, kwargs={"poll_interval": 0.02})
        thread.start()
        yield made
        made.shutdown()
        thread.join()


def _on_page(server: Any, what: Callable[[Page, Holding], Any]) -> Any:
    async def run() -> Any:
        browser = await Chromium.start(
            find_chromium(os.environ), headed=False, locale="en-US", timezone="UTC", environment=dict(os.environ)
        )
        try:
            attached = await attach(browser.endpoint, action_seconds=5, navigation_seconds=10)
            await attached.page.goto(f"http://127.0.0.1:{server.server_port}/")
            came = await what(attached.page, Holding(attached.page.context))
            await attached.close()
            return came
        finally:
            browser.stop()

    return asyncio.run(run())


@pytest.mark.parametrize(
    ("button", "request_"),
    [
        ("fetch", "POST /fetch"),
        ("xhr", "PUT /xhr"),
        ("beacon", "POST /beacon"),
        ("form", "POST /form"),
        ("window", "POST /window"),
        ("framed", "POST /framed"),
        ("inside", "POST /inside"),
    ],
)
def test_a_request_is_told_of_before_it_reaches_the_site(server: Any, button: str, request_: str) -> None:
    told: list[tuple[str, bool]] = []

    def note(request: str) -> None:
        method, _, address = request.partition(" ")
        told.append((f"{method} /{address.rpartition('/')[2]}", request_ in server.seen))

    async def press(page: Page, holding: Holding) -> None:
        await holding.begin(note)
        frame = page.frame_locator("iframe") if button in {"framed", "inside"} else page
        await frame.locator(f"#{button}").click()
        for _ in range(100):
            if request_ in server.seen:
                break
            await asyncio.sleep(0.05)

    _on_page(server, press)
    assert (request_, False) in told
    assert server.seen.count(request_) == 1


def test_the_cache_stays_in_use(server: Any) -> None:
    async def load_again(page: Page, holding: Holding) -> None:
        await holding.begin(lambda request: None)
        await page.goto(page.url)
        await page.goto(page.url)

    _on_page(server, load_again)
    assert (server.seen.count("GET /"), server.seen.count("GET /script.js")) == (3, 1)


def test_nothing_is_told_after_the_end(server: Any) -> None:
    told: list[str] = []

    async def press(page: Page, holding: Holding) -> None:
        await holding.begin(told.append)
        await holding.end()
        await page.locator("#fetch").click()
        await page.wait_for_timeout(300)
        await holding.begin(told.append)
        await page.locator("#xhr").click()
        await page.wait_for_timeout(300)

    _on_page(server, press)
    assert [request.rpartition("/")[2] for request in told] == ["xhr"]
    assert "POST /fetch" in server.seen
