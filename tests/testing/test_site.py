"""The shop over plain HTTP: pages, counters, log, reset, slow answers, neighbours, the end of its threads."""

from __future__ import annotations

import socket
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from html.parser import HTMLParser
from typing import Any
from urllib.parse import urlencode

import pytest

from skillnb.testing.site import Site, serving
from skillnb.testing.site.catalogue import PAGES, find, stands_for
from skillnb.testing.site.visit import Page
from tests.testing.site_client import TRACKING, Client


class Parsed(HTMLParser):
    """Every tag that is opened is closed, in order, and no id is there twice."""

    VOID = frozenset({"base", "br", "hr", "img", "input", "link", "meta"})

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.ids: list[str] = []
        self.feed(text)
        self.close()
        assert self.open == []
        assert sorted(set(self.ids)) == sorted(self.ids)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.ids += [value or "" for name, value in attrs if name == "id"]
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_page_answers_and_is_whole(shop: Site, page: Page) -> None:
    response, text = Client(shop).log_in().ask("GET", page.address)
    assert response.status == 200
    Parsed(text)
    assert shop.count("GET", page.path) == 1


@pytest.mark.parametrize("page", [page for page in PAGES if page.login], ids=lambda page: page.name)
def test_who_has_not_logged_in_is_sent_to_log_in(shop: Site, page: Page) -> None:
    response, _ = Client(shop).ask("GET", page.address)
    assert response.status == 302
    assert response.headers["Location"].startswith("/login?next=")


def test_a_page_takes_less_than_five_milliseconds(shop: Site) -> None:
    client = Client(shop).log_in()
    for path in ("/", "/orders", "/issues", "/issues/new", "/orders/1001/tracking"):
        took = []
        for _ in range(15):
            begin = time.perf_counter()
            client.ask("GET", path)
            took.append(time.perf_counter() - begin)
        assert min(took) < 0.005, path


def test_no_two_pages_share_a_name_and_no_page_is_out_of_reach(shop: Site) -> None:
    names = [page.name for page in PAGES]
    assert sorted(set(names)) == sorted(names)
    for page in PAGES:
        found = find("GET", page.address.partition("?")[0])
        assert found is not None
        assert found[0].page == page.name


@pytest.mark.parametrize(
    ("pattern", "path", "parts"),
    [
        ("/orders/*", "/orders/12", ("12",)),
        ("/orders/*/tracking", "/orders/12/tracking", ("12",)),
        ("/orders/*", "/orders/12/tracking", None),
        ("/orders/1", "/orders/12", None),
        ("/", "/", ()),
    ],
)
def test_a_star_stands_for_one_name(pattern: str, path: str, parts: tuple[str, ...] | None) -> None:
    assert stands_for(pattern, path) == parts


def test_requests_are_counted_exactly_also_when_they_come_together(shop: Site) -> None:
    client = Client(shop).log_in()
    with ThreadPoolExecutor(8) as several:
        list(several.map(lambda n: client.ask("POST", f"/orders/{1001 + n % 3}/tracking", **TRACKING), range(30)))
        list(several.map(lambda _n: client.ask("GET", "/orders/1001"), range(20)))
    assert shop.count("POST", "/orders/*/tracking") == 30
    assert shop.count("POST", "/orders/1001/tracking") == 10
    assert shop.counts() == {"GET /orders/*": 20, "POST /login": 1, "POST /orders/*/tracking": 30}
    assert len(shop.rows("trackings")) == 30
    assert [entry["number"] for entry in shop.log()] == list(range(1, 32))


def test_the_log_has_what_was_sent(shop: Site) -> None:
    Client(shop).log_in().ask("POST", "/orders/1002/tracking", carrier="dhl", tracking_number="Zoë {1} % / '")
    deadline = time.monotonic() + 2  # the client has its answer a moment before the server notes that
    while not shop.log()[1]["delivered"] and time.monotonic() < deadline:
        time.sleep(0.01)
    assert shop.log()[1] == {
        "number": 2,
        "method": "POST",
        "path": "/orders/1002/tracking",
        "route": "/orders/*/tracking",
        "form": {"carrier": ["dhl"], "tracking_number": ["Zoë {1} % / '"]},
        "files": {},
        "user": "alice",
        "status": 302,
        "delivered": True,
    }


def test_a_message_is_said_once(shop: Site) -> None:
    client = Client(shop).log_in()
    response, _ = client.ask("POST", "/orders/1001/tracking", **TRACKING)
    assert (response.status, response.headers["Location"]) == (302, "/orders/1001/tracking")
    first, second = (client.ask("GET", "/orders/1001/tracking")[1] for _ in range(2))
    assert '<div role="status">Tracking saved</div>' in first
    assert "Tracking saved" not in second


def test_what_is_typed_wrong_is_said_and_changes_nothing(shop: Site) -> None:
    response, text = Client(shop).log_in().ask("POST", "/orders/1001/tracking", carrier="", tracking_number="1")
    assert response.status == 422
    assert '<div role="alert">Choose a carrier</div>' in text
    assert shop.rows("trackings") == []


def test_an_order_is_placed_by_each_request_that_finds_a_full_cart(shop: Site) -> None:
    client = Client(shop).log_in()
    who = {"full_name": "Zoë", "address": "Seeweg 1", "phone": "1", "card_number": "4111"}
    for expected in ("/orders/1013", "/orders/1014"):
        client.ask("POST", "/cart", product="4", quantity="2")
        response, _ = client.ask("POST", "/checkout", **who)
        assert response.headers["Location"] == expected
    assert client.ask("POST", "/checkout", **who)[0].status == 422
    assert [row["total"] for row in shop.rows("orders")[-2:]] == [9800, 9800]


def test_a_reset_restores_everything(shop: Site) -> None:
    def everything() -> dict[str, list[dict[str, Any]]]:
        return {name: shop.rows(name) for name in ("orders", "trackings", "issues", "sessions", "cart", "reviews")}

    before = everything()
    client = Client(shop).log_in()
    client.ask("POST", "/orders/1001/tracking", **TRACKING)
    client.ask("POST", "/reviews/delete-all")
    client.ask("POST", "/cart", product="1", quantity="1")
    mutated = shop.mutate("remove", page="orders", target="Cancel order")
    assert everything() != before
    shop.reset()
    assert everything() == before
    assert (shop.counts(), shop.log(), shop.mutations(), mutated.happened) == ({}, [], [], 0)
    old_cookie = client.cookies
    Client(shop).log_in()
    stale = Client(shop)
    stale.cookies = old_cookie
    assert stale.ask("GET", "/orders")[0].status == 302, "a session from before is not taken for one of after"


def test_the_same_requests_give_the_same_bytes(shop: Site) -> None:
    def walk() -> list[str]:
        client = Client(shop).log_in()
        return [client.ask("GET", page.address)[1] for page in PAGES for _ in range(2)]

    first = walk()
    shop.reset()
    assert first == walk()


def test_the_list_of_products_is_ordered_anew_at_each_visit(shop: Site) -> None:
    texts = [Client(shop).ask("GET", "/products")[1] for _ in range(3)]
    first = [text.split('class="cards"')[1].split("</a>")[0].split(">")[-1] for text in texts]
    assert first == ["Garden trowel", "Notebook, squared", "Pepper mill"]


def test_the_banner_lies_over_every_second_load_until_it_is_answered(shop: Site) -> None:
    client = Client(shop)

    def shown(path: str = "/offers") -> bool:
        return "Accept cookies" in client.ask("GET", path)[1]

    assert [shown() for _ in range(4)] == [True, False, True, False]
    assert [shown("/offers?banner=always"), shown("/offers?banner=always")] == [True, True]
    assert shown("/offers?banner=never") is False
    client.ask("POST", "/cookies")
    assert [shown() for _ in range(4)] == [False] * 4


def test_a_slow_post_takes_effect_once_though_nobody_waits(shop: Site) -> None:
    client = Client(shop).log_in()
    shop.mutate("slow", page="orders.tracking", method="POST", seconds=0.6)
    connection = socket.create_connection(("127.0.0.1", client.port))
    body = urlencode(TRACKING)
    cookie = "; ".join(f"{name}={value}" for name, value in client.cookies.items())
    head = f"POST /orders/1001/tracking HTTP/1.1\r\nHost: x\r\nCookie: {cookie}\r\nContent-Length: {len(body)}\r\n"
    kind = "Content-Type: application/x-www-form-urlencoded\r\n\r\n"
    connection.sendall((head + kind + body).encode())
    until(lambda: len(shop.rows("trackings")) == 1)
    connection.close()
    until(lambda: shop.log()[-1]["status"] == 302)
    time.sleep(0.1)
    assert shop.count("POST", "/orders/1001/tracking") == 1
    assert [(row["order_id"], row["carrier"]) for row in shop.rows("trackings")] == [(1001, "ups")]
    assert (shop.log()[-1]["status"], shop.log()[-1]["delivered"]) == (302, False)


def until(true: Any, seconds: float = 5) -> None:
    end = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < end
        time.sleep(0.01)


def test_two_shops_share_nothing() -> None:
    with serving() as one, serving() as other:
        client = Client(one).log_in()
        client.ask("POST", "/orders/1001/tracking", **TRACKING)
        one.mutate("remove", page="login", target="Log in")
        assert (len(one.rows("trackings")), other.rows("trackings")) == (1, [])
        assert (other.counts(), other.log(), other.mutations()) == ({}, [], [])
        stranger = Client(other)
        stranger.cookies = client.cookies
        assert stranger.ask("GET", "/orders")[0].status == 302, "cookies do not tell ports apart, so names must"


def test_its_threads_end_with_it_whatever_they_are_doing() -> None:
    before = set(threading.enumerate())
    with serving() as shop:
        port = int(shop.url.rpartition(":")[2])
        shop.mutate("slow", seconds=60)
        connections = [socket.create_connection(("127.0.0.1", port)) for _ in range(3)]
        connections[0].sendall(b"GET / HTTP/1.1\r\nHost: x\r\n\r\n")
        connections[1].sendall(b"GET /downloads/recording.bin HTTP/1.1\r\nHost: x\r\n\r\n")
        until(lambda: shop.count("GET", "/") == 1 and shop.count("GET", "/downloads/recording.bin") == 1)
        begin = time.monotonic()
    assert time.monotonic() - begin < 2
    assert set(threading.enumerate()) <= before
    for connection in connections:
        connection.close()
    with pytest.raises(ConnectionRefusedError):
        socket.create_connection(("127.0.0.1", port))


def test_a_page_that_is_not_there(shop: Site) -> None:
    response, text = Client(shop).ask("GET", "/nowhere/at/all")
    assert (response.status, "<h1>Page not found</h1>" in text) == (404, True)
    assert shop.count("GET", "/nowhere/at/all") == 1
    for path in ("/orders/9", "/issues/99", "/products/99", "/addresses/9/edit", "/orders/9/tracking"):
        assert Client(shop).log_in().ask("GET", path)[0].status == 404
