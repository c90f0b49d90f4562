from __future__ import annotations

import asyncio
from typing import Any

from skillnb.browser.drawing import drawn, showing
from skillnb.rules.masking import Masker
from skillnb.rules.snapshot import parse_snapshot

MASK = Masker({"p": "hunter22", "pin": "7"})
PLAIN = '- textbox "Name" [ref=e2]: zoe'
SHOWN = (
    '- list [ref=e1]:\n  - listitem "key hunter22" [ref=e2]: key hunter22\n- textbox "Pin" [ref=e3]: "7"\n- text: "7 a"'
)


class Page:
    """Shows one snapshot after the other, and notes what each picture covers."""

    def __init__(self, *snapshots: str) -> None:
        self.snapshots, self.covered, self.asked = list(snapshots), list[list[str]](), 0

    async def screenshot(self, *, mask: list[str], **_options: Any) -> bytes:
        self.covered.append(mask)
        return f"picture {len(self.covered)}".encode()

    async def aria_snapshot(self, *, mode: str) -> str:
        self.asked += 1
        return self.snapshots.pop(0)

    def get_by_ref(self, ref: str) -> str:
        return ref

    def locator(self, selector: str) -> str:
        return selector


def test_the_smallest_elements_that_show_a_secret_are_found() -> None:
    assert showing(parse_snapshot(SHOWN), MASK) == {"e2", "e3"}


def test_a_text_without_an_element_covers_the_page() -> None:
    assert showing(parse_snapshot("- text: hunter22"), MASK) == {""}


def test_a_page_without_secrets_is_drawn_once_and_not_even_read_again() -> None:
    page = Page()
    assert asyncio.run(drawn(page, MASK, PLAIN)) == b"picture 1"
    assert (page.covered, page.asked) == ([[]], 0)


def test_what_shows_a_secret_is_covered() -> None:
    page = Page(SHOWN)
    assert asyncio.run(drawn(page, MASK, SHOWN)) == b"picture 1"
    assert page.covered == [["e2", "e3"]]


def test_a_secret_that_came_up_meanwhile_has_the_page_drawn_again() -> None:
    page = Page(SHOWN, SHOWN)
    assert asyncio.run(drawn(page, MASK, "")) == b"picture 2"
    assert page.covered == [[], ["e2", "e3"]]


def test_a_page_that_keeps_moving_its_secret_has_no_picture() -> None:
    page = Page(*(f"- textbox [ref=e{number}]: hunter22" for number in range(3)))
    assert asyncio.run(drawn(page, MASK, "")) is None
