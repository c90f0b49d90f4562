"""Promise 17: frames, shadow roots, tabs, dialogs, downloads and uploads as real pages have them."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from skillnb.agent.follow import follow
from skillnb.browser.live import LivePage
from skillnb.terms.outcome import FailureClass, Outcome
from tests.promises.conftest import Stage
from tests.promises.workflows import step, workflow

HOME = step(
    "home", code='await page.goto("/")', post='await gate.visible(role="heading", name="Welcome to the Corner Store")'
)
FRAME = "page.frame_locator(\"iframe[title='%s']\")"


def test_a_frame_in_a_frame_is_acted_in_and_seen_by_gates(stage: Stage) -> None:
    inner = f"{FRAME % 'Gift address'}.frame_locator(\"iframe[title='Address of the person']\")"
    fill = step(
        "gift",
        pre='await gate.count(role="textbox", label="Street", equals=3)',
        code=f"""
form = {inner}
await form.get_by_label("Street").fill("Rosenweg 2")
await form.get_by_label("City").fill("Bern")
await form.get_by_role("button", name="Save address").click()""".strip(),
        post='await gate.text(role="status", contains="Kept: Rosenweg 2, Bern")',
    )
    played = stage.play("/frames", workflow(stage.shop.url, fill))
    assert played.ways == ["passed by code"]
    assert [(row["kind"], row["street"]) for row in stage.shop.rows("frames")] == [("gift", "Rosenweg 2")]


def test_a_lazy_frame_is_waited_for(stage: Stage) -> None:
    show = step(
        "pick-up",
        code="await page.locator(\"iframe[title='Pick-up address']\").scroll_into_view_if_needed()",
        post='await gate.count(role="textbox", label="Street", equals=4)',
    )
    assert stage.play("/frames", workflow(stage.shop.url, show)).ways == ["passed by code"]


def test_a_frame_that_goes_while_it_is_typed_in_fails_the_step(stage: Stage) -> None:
    typed = step(
        "type",
        code=f"""
await page.evaluate("setTimeout(() => document.querySelector('iframe').remove(), 200)")
await {FRAME % "Delivery address"}.get_by_label("Street").press_sequentially("Rosenweg " * 9, delay=20)""".strip(),
        post='await gate.text(role="status", contains="Kept")',
    )
    played = stage.play("/frames", workflow(stage.shop.url, typed))
    assert played.last.outcome is Outcome.FAILED
    assert played.error == "StepFailed"
    assert stage.shop.count("POST", "/frames/address") == 0


def test_an_open_shadow_root_is_acted_in_and_seen(stage: Stage) -> None:
    rate = step(
        "rate",
        code="""
await page.get_by_role("button", name="4 stars").click()
await page.get_by_label("Your words").fill("Good trowel")
await page.get_by_role("button", name="Send rating").click()""".strip(),
        post="""
await gate.value(label="Your words", equals="Good trowel")
await gate.text(role="status", contains="Thank you")""".strip(),
    )
    assert stage.play("/rating", workflow(stage.shop.url, rate)).ways == ["passed by code"]
    assert [(row["stars"], row["text"]) for row in stage.shop.rows("ratings")] == [(4, "Good trowel")]


def test_gates_look_at_the_tab_that_a_link_has_opened_until_the_code_goes_back(stage: Stage) -> None:
    opened = step(
        "open",
        pre='await gate.visible(role="heading", name="Help")',
        code='await page.get_by_role("link", name="Size guide").click()',
        post="""
await gate.url("**/windows/sizes")
await gate.visible(role="heading", name="Size guide")""".strip(),
    )
    back = step(
        "back",
        pre='await gate.visible(role="heading", name="Size guide")',
        code="await page.bring_to_front()",
        post="""
await gate.url("**/windows")
await gate.visible(role="heading", name="Help")""".strip(),
    )
    assert stage.play("/windows", workflow(stage.shop.url, opened, back, HOME)).ways == ["passed by code"] * 3


def test_a_window_is_acted_in_and_when_it_closes_gates_are_back_at_its_opener(stage: Stage) -> None:
    chat = step(
        "chat",
        code="""
async with page.expect_popup() as opening:
    await page.get_by_role("button", name="Open live chat").click()
chat = await opening.value
await chat.get_by_label("Say something").fill("Hello")
await chat.get_by_role("button", name="Send").click()""".strip(),
        post="""
await gate.url("**/windows/chat")
await gate.visible(text="Hello")""".strip(),
    )
    close = step(
        "close",
        'Press "Close window".',
        post="""
await gate.url("**/windows")
await gate.visible(role="button", name="Open live chat")""".strip(),
    )
    played = stage.play("/windows", workflow(stage.shop.url, chat, close, HOME))
    assert not played.error, played.last.reason
    assert played.ways == ["passed by code", "passed by procedure", "passed by code"]
    assert [row["text"] for row in stage.shop.rows("chats")] == ["Hello"]


def test_a_dismissed_confirmation_is_recorded_and_names_the_failure(stage: Stage) -> None:
    cancel = step(
        "cancel",
        code='await page.get_by_role("button", name="Cancel order").click()',
        post='await gate.text(role="status", contains="Order cancelled")',
    )
    played = stage.play("/orders/1003", workflow(stage.shop.url, cancel))
    assert (played.last.outcome, played.last.failure) == (Outcome.FAILED, FailureClass.DIALOG)
    assert "Cancel order 1003?" in played.last.reason
    assert stage.shop.count("POST", "/orders/*/cancel") == 0


def test_a_confirmation_that_the_code_answers_is_left_to_it(stage: Stage) -> None:
    cancel = step(
        "cancel",
        code="""
page.once("dialog", lambda dialog: dialog.accept())
await page.get_by_role("button", name="Cancel order").click()""".strip(),
        post='await gate.text(role="status", contains="Order cancelled")',
    )
    assert stage.play("/orders/1003", workflow(stage.shop.url, cancel)).ways == ["passed by code"]
    assert stage.shop.count("POST", "/orders/*/cancel") == 1


DOWNLOAD = """
async with page.expect_download():
    await page.get_by_role("link", name="{}").click()""".strip()


@pytest.mark.parametrize(
    ("code", "gate", "outcome"),
    [
        (DOWNLOAD.format("Invoice (PDF)"), 'gate.file("invoice-*.pdf", min_size=30)', Outcome.PASSED),
        (DOWNLOAD.format("Invoice (PDF)"), 'gate.file("invoice-*.pdf", min_size=3000)', Outcome.FAILED),
        ('await page.get_by_role("button", name="Export orders").click()', 'gate.file("orders.csv")', Outcome.PASSED),
        (DOWNLOAD.format("Yearly archive"), 'gate.file("archive-2025.zip", timeout=6)', Outcome.PASSED),
        (DOWNLOAD.format("Empty report"), 'gate.file("report.csv")', Outcome.FAILED),
        ('await page.get_by_role("link", name="Old catalogue").click()', 'gate.file("*.pdf")', Outcome.FAILED),
        (DOWNLOAD.format("Live recording"), 'gate.file("recording.bin")', Outcome.FAILED),
    ],
    ids=["attachment", "too small", "blob", "slow", "empty", "missing", "endless"],
)
def test_a_download_counts_when_it_is_whole(stage: Stage, code: str, gate: str, outcome: Outcome) -> None:
    fetch = step("fetch", code=code, post=f"await {gate}")
    assert stage.play("/downloads", workflow(stage.shop.url, fetch)).last.outcome is outcome


def test_an_upload_arrives_whole(stage: Stage, tmp_path: Path) -> None:
    file = tmp_path / "Bestände 在庫.csv"
    file.write_text("sku,quantity\nSKU-0001,4\n", encoding="utf-8")
    upload = step(
        "upload",
        code=f"""
await page.get_by_label("Stock list (CSV)").set_input_files({str(file)!r})
await page.get_by_role("button", name="Upload").click()""".strip(),
        post='await gate.text(role="status", contains="uploaded")',
    )
    assert stage.play("/uploads", workflow(stage.shop.url, upload)).ways == ["passed by code"]
    assert [(row["name"], row["size"]) for row in stage.shop.rows("uploads")] == [(file.name, file.stat().st_size)]


@pytest.mark.parametrize("clears", [False, True])
def test_an_upload_by_words_is_read_back(stage: Stage, tmp_path: Path, clears: bool) -> None:
    """A field that lets go of its file holds nothing to be sent, whatever the page makes of it."""
    file = tmp_path / "notes.txt"
    file.write_text("three words only", encoding="utf-8")

    async def go() -> tuple[str, str]:
        page = await stage.opened("/uploads")
        try:
            if clears:
                await page.locator("input[type=file]").evaluate(
                    "field => field.addEventListener('change', () => { field.value = '' })"
                )
            sentences = ("Upload {file} to the Stock list (CSV).",)
            report = await follow(sentences, {"file": str(file)}, LivePage(page, stage.downloads), time.monotonic)
            return str(report.verdict), report.reason
        finally:
            await page.context.close()

    verdict, reason = stage.run(go())
    assert verdict == ("failed" if clears else "passed"), reason
    assert ("the field holds no file after choosing 'notes.txt'" in reason) is clears
