"""Promise 7 for sentences without quotes, on the shop: done as they say, or not at all, and nothing in between."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from skillnb.agent.follow import follow
from skillnb.browser.live import LivePage
from skillnb.terms.outcome import Verdict
from skillnb.terms.record import GuidedReport
from tests.promises.conftest import Stage
from tests.promises.workflows import step, workflow


class Spoken:
    """Texts as they are like each other by a table: 1 for each text and those listed with it, else 0."""

    name, dimension = "spoken", 8

    def __init__(self, *groups: tuple[str, ...]) -> None:
        self._groups = groups
        self.asked: list[str] = []

    def embed(self, texts: Sequence[str]) -> tuple[tuple[float, ...], ...]:
        self.asked += texts
        return tuple(tuple(float(text in group) for group in self._groups) or (0.0,) for text in texts)


def _follow(
    stage: Stage, path: str, *sentences: str, embedder: Spoken | None = None, **values: object
) -> tuple[GuidedReport, str]:
    """What became of the sentences, and the address in the end."""

    async def go() -> tuple[GuidedReport, str]:
        page = await stage.opened(path)
        try:
            clock = stage.loop.get_loop().time
            report = await follow(sentences, values, LivePage(page, stage.downloads), clock, embedder)
            await page.wait_for_load_state()
            return report, page.url.removeprefix(stage.shop.url)
        finally:
            await page.context.close()

    told: tuple[GuidedReport, str] = stage.run(go())
    return told


def test_a_whole_step_without_a_quote(stage: Stage) -> None:
    save = step(
        "save",
        "Choose {carrier} in Carrier.",
        "Set the tracking number to {number}",
        "Press Save tracking and wait for the confirmation.",
        post='await gate.text(role="status", contains="Tracking saved")',
    )
    path = "/orders/1001/tracking"
    played = stage.play(path, workflow(path, save), carrier="Swiss Post", number="99 00 1")
    assert played.ways == ["passed by procedure"], played.last.reason
    assert [(row["carrier"], row["number"]) for row in stage.shop.rows("trackings")] == [("post", "99 00 1")]


@pytest.mark.parametrize(
    ("path", "sentence", "there"),
    [
        ("/orders", "Open the order {order}", "/orders/1002"),
        ("/issues", "Go to page 2 of the results", "page=2"),
        ("/issues", "Go to the next page", "page=2"),
        ("/products", "Search products for 'pan'", "q=pan"),
        ("/", "Open the shopping basket", "/cart"),
        ("/issues", "Click New issue and wait for 'Title'", "/issues/new"),
        ("/orders", "Click Order 1003 in the row Jonas Keller", "/orders/1003"),
    ],
)
def test_where_a_sentence_leads(stage: Stage, path: str, sentence: str, there: str) -> None:
    report, address = _follow(stage, path, sentence, order=1002)
    assert report.verdict is Verdict.PASSED, report.reason
    assert there in address


def test_logging_in_by_plain_words(stage: Stage) -> None:
    report, address = _follow(
        stage,
        "/login",
        "Enter the username 'alice'",
        "Enter {password} in the Password field",
        "Tick Remember me",
        "Click the sign in button",
        password="wonder-land-7",
    )
    assert (report.verdict, address) == (Verdict.PASSED, "/orders"), report.reason
    assert [item.reason for item in report.attempts] == ["exact name"] * 3 + ["the same in other words"]


def test_what_is_waited_for_and_does_not_come_fails_the_sentence(stage: Stage) -> None:
    report, address = _follow(
        stage, "/issues", "Click New issue and wait for 'Nothing of the kind'", "Press Create issue"
    )
    assert (report.verdict, address) == (Verdict.FAILED, "/issues/new")
    assert 'done, but then the page does not show "Nothing of the kind"' in report.reason
    assert len(report.attempts) == 1


def test_two_fields_to_search_with_are_none(stage: Stage) -> None:
    report, address = _follow(stage, "/products", "Search for 'pan'")
    assert (report.verdict, address) == (Verdict.UNKNOWN, "/products")
    assert 'searchbox "Search the shop", searchbox "Search products"' in report.reason
    assert "set SKILLNB_MODEL" in report.reason


def test_orders_of_the_page_move_no_plain_sentence_either(stage: Stage) -> None:
    assert any("Delete all" in row["text"] for row in stage.shop.rows("reviews"))
    likes = Spoken(("Remove everything", "button Delete all"), ("Tidy", "button Delete all"))
    for sentence in ("Remove everything", "Press Tidy", "Press Delete", "Press all", "Delete the reviews"):
        report, _ = _follow(stage, "/reviews", sentence, embedder=likes)
        assert report.verdict is Verdict.UNKNOWN, (sentence, report.reason)
    assert stage.changes() == []


def test_meaning_is_asked_last_and_leads_where_it_is_clear(stage: Stage) -> None:
    likes = Spoken(("Report a problem", "link Issues"), ("what I bought", "link Orders"))
    report, address = _follow(stage, "/", "Show what I bought", embedder=likes)
    assert (report.verdict, address) == (Verdict.PASSED, "/orders"), report.reason
    assert report.attempts[0].reason == 'like "what I bought" in meaning'
    assert len(likes.asked) == len(set(likes.asked))
    report, address = _follow(stage, "/", "Open Cart", embedder=likes)
    assert (report.verdict, address) == (Verdict.PASSED, "/cart")
    without, address = _follow(stage, "/", "Show what I bought")
    assert (without.verdict, address) == (Verdict.UNKNOWN, "/")
    assert "set SKILLNB_MODEL" in without.reason
