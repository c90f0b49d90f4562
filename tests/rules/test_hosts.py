from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skillnb.rules.hosts import allowed, host_of, led_to
from tests.strategies import texts


@pytest.mark.parametrize(
    ("url", "host"),
    [
        ("http://" + "Shop.EXAMPLE/a", "shop.example"),
        ("https://shop.example:443/", "shop.example"),
        ("http://shop.example:8080", "shop.example:8080"),
        ("http://user:pw@shop.example/", "shop.example"),
        ("http://[::1]:8080/", "[::1]:8080"),
        ("http://shop.example@evil.example/", "evil.example"),
        ("https://evil.example\\@shop.example/", "evil.example"),
        ("https://evil.example\t/", "evil.example"),
        ("about:blank", ""),
        ("data:text/html,x", ""),
        ("javascript:alert(1)", ""),
        ("file:///etc/passwd", ""),
        ("//shop.example/", ""),
        ("http://shop.example:port/", ""),
        ("http://[::1/", ""),
        ("", ""),
    ],
)
def test_host_of_an_address(url: str, host: str) -> None:
    assert host_of(url) == host


def test_hosts_are_compared_whole() -> None:
    hosts = ("shop.example", "*.cdn.example", "127.0.0.1:8000")
    assert allowed("https://shop.example/x", hosts)
    assert allowed("http://a.b.cdn.example/", hosts)
    assert allowed("http://127.0.0.1:8000/", hosts)
    for url in (
        "http://evilshop.example/",
        "http://shop.example.evil.example/",
        "http://www.shop.example/",
        "http://cdn.example/",
        "http://evilcdn.example/",
        "http://127.0.0.1:8001/",
        "http://shop.example:81/",
    ):
        assert not allowed(url, hosts), url


@given(texts(), st.lists(texts(), max_size=3))
def test_no_address_and_no_list_raises(url: str, hosts: list[str]) -> None:
    assert not allowed(url, hosts) or host_of(url)


@pytest.mark.parametrize(
    ("href", "host"),
    [
        ("/orders", "shop.example"),
        ("?page=2", "shop.example"),
        ("https:/orders", "shop.example"),
        ("https:orders", "shop.example"),
        ("//evil.example/", "evil.example"),
        ("\\\\evil.example/", "evil.example"),
        ("/\\evil.example/", "evil.example"),
        ("///evil.example/", "evil.example"),
        ("/\t/evil.example/", "evil.example"),
        (" https:///evil.example/", "evil.example"),
        ("http:/evil.example/", "evil.example"),
        ("HTTPS:\\\\evil.example", "evil.example"),
        ("https://evil.example\\@shop.example/", "evil.example"),
        ("mailto:a@evil.example", ""),
        ("javascript:go()", ""),
        ("//[", ""),
    ],
)
def test_a_link_leads_where_browsers_go(href: str, host: str) -> None:
    assert host_of(led_to("https://shop.example/a/b", href)) == host


@given(texts(), texts())
def test_no_link_raises(here: str, href: str) -> None:
    assert not allowed(led_to(here, href), ())
