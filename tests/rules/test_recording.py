"""Output of the code generator read as data: every dialect, and every line that can't be taken over told with why."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from skillnb.notebook.parse import parse_workflow
from skillnb.notebook.recorded import from_recording
from skillnb.notebook.render import render
from skillnb.rules.proposing import Proposal, proposed
from skillnb.rules.recordedcalls import Refused
from skillnb.rules.recording import Recording, read_recording

GOTO = 'await page.goto("http://127.0.0.1:8200/orders")\n'
SAVE = 'await page.get_by_role("button", name="Save").click()\n'


def refused(text: str) -> list[str]:
    read = read_recording(text)
    if isinstance(read, Recording):
        made = proposed(read)
        return [] if isinstance(made, Proposal) else [f"{each.line}: {each.reason}" for each in made]
    return [f"{each.line}: {each.reason}" for each in read]


FIELD = 'await page.get_by_label("A")'


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "1: nothing is done in it"),
        (GOTO, "1: nothing is done in it but opening a page"),
        ("it's not Python", "1: not Python: unterminated string literal (detected at line 1)"),
        (GOTO + "for each in page.all(): pass\n", "2: not a recorded action: For (all, each, page)"),
        (GOTO + SAVE + "await page.mouse.move(1, 2)\n", "3: mouse is no part of a locator"),
        (GOTO + FIELD + ".fill(secret())\n", "2: a value is computed"),
        (GOTO + FIELD + '.fill(f"{a}")\n', "2: a value is computed"),
        (GOTO + FIELD + ".fill()\n", "2: fill without what to fill"),
        (GOTO + FIELD + '.fill("\\ud800")\n', "2: a text holds half a character (a lone surrogate)"),
        (GOTO + FIELD + ".drag_to(page.get_by_label('B'))\n", "2: the action drag_to is not one that is recorded"),
        (GOTO + "await other.get_by_label('A').click()\n", "2: other is no window of the recording"),
        (GOTO + 'page.once("dialog", handle)\n' + SAVE, "2: not an answer to a dialog"),
        (GOTO + 'page.on("dialog", None)\n' + SAVE, "2: the action on is not one that is recorded"),
        (
            GOTO + "async with page.expect_request('x') as r:\n    " + SAVE,
            "2: not understood: AsyncWith (click, expect_request, get_by_role, page)",
        ),
        (
            GOTO + "async with page.expect_popup() as page1_info:\n    pass\n" + SAVE,
            "2: a popup is waited for, but not by one action",
        ),
        (
            "def test_a(page): page.reload()\ndef test_b(page): page.reload()\n",
            "2: test_b is a second recording in one file",
        ),
        ("def test_a(page): page.reload()\nshutil.rmtree('x')\n", "2: outside of test_a: Expr (rmtree, shutil)"),
        (
            GOTO + "await page.get_by_label('Password').fill('tr0ub4dor')\nawait page.get_by_text('tr0ub4dor').click()",
            "3: the text typed as password stands here too, and would be written into the notebook",
        ),
    ],
)
def test_what_can_not_be_taken_over_is_told_with_its_line(text: str, told: str) -> None:
    assert refused(text) == [told]


def test_a_refusal_never_shows_what_was_typed() -> None:
    read = read_recording(GOTO + 'secret = "tr0ub4dor"\nawait page.get_by_label("Password").fill("tr0ub4dor" + x)\n')
    assert isinstance(read, tuple)
    assert len(read) == 2
    assert "tr0ub4dor" not in repr(read)


BODY = """\
    {a}page.goto("http://127.0.0.1:8200/orders")
    {a}page.get_by_role("link", name="Back").click()
    {a}expect(page.get_by_text("Orders")).to_be_visible()
"""
ASYNC = "async def run(playwright):\n    page = await context.new_page()\n" + BODY.format(a="await ")
SYNC = "def run(playwright):\n    page = context.new_page()\n" + BODY.format(a="")
PYTEST = "def test_it(page):\n    pass\n" + BODY.format(a="")


def test_all_dialects_give_the_same() -> None:
    made = [proposed(read) for read in map(read_recording, (ASYNC, SYNC, PYTEST)) if isinstance(read, Recording)]
    assert len(made) == 3
    assert made[0] == made[1] == made[2]


def _total(text: str) -> None:
    read = read_recording(text)
    made = proposed(read) if isinstance(read, Recording) else read
    if isinstance(made, Proposal):
        parse_workflow(render(from_recording("kit/it", made)), "it")
    else:
        assert made
        assert all(isinstance(each, Refused) and each.reason and each.remedy for each in made)


@given(st.text(max_size=200))
def test_any_text_is_a_recording_or_a_list_of_lines(text: str) -> None:
    _total(text)


_TEXT = st.text(st.characters(codec="utf-8"), max_size=12) | st.sampled_from(
    [
        "alice",
        "{x}",
        'a"b',
        "line\nline",
        "100%",
        "\\",
        "1001",
        "2026-03-01",
        "a@b.example",
        "Save",
        "Delete all",
        "\0",
        "🦔",
    ]
)
_CHAIN = st.builds(
    lambda by, text, more: f".{by}({text!r}{more})",
    st.sampled_from(
        ["get_by_label", "get_by_text", "get_by_placeholder", "get_by_test_id", "locator", "frame_locator"]
    ),
    _TEXT,
    st.just(""),
) | st.builds(
    lambda role, name, more: f'.get_by_role("{role}", name={name!r}{more})',
    st.sampled_from(["button", "link", "textbox", "row", "checkbox", "tab", "searchbox"]),
    _TEXT,
    st.sampled_from(["", ", exact=True", ", checked=True"]),
)
_PLACE = st.sampled_from(["", ".first", ".nth(2)", ".content_frame", ".filter(has_text='Bob')"])
_ACTION = st.sampled_from(
    [".click()", ".dblclick()", ".check()", ".uncheck()", ".hover()", ".click(button='right')"]
) | st.builds(
    lambda method, text: f".{method}({text!r})",
    st.sampled_from(["fill", "select_option", "set_input_files", "press", "press_sequentially"]),
    _TEXT,
)
_CHECKS = st.sampled_from(["to_be_visible()", "not_to_be_visible()", "to_be_checked()", "to_be_empty()"]) | st.builds(
    lambda method, text: f"{method}({text!r})",
    st.sampled_from(["to_contain_text", "to_have_text", "to_have_value", "to_match_aria_snapshot"]),
    _TEXT,
)
_ELEMENT = st.builds("page{}{}{}".format, _CHAIN, _PLACE, _CHAIN | st.just(""))
_LINE = (
    st.builds("await {}{}".format, _ELEMENT, _ACTION)
    | st.builds("await expect({}).{}".format, _ELEMENT, _CHECKS)
    | st.builds(lambda text: f"await page.goto({('http://127.0.0.1/' + text)!r})", _TEXT)
    | st.builds(
        "async with page.expect_popup() as page1_info:\n    await {}.click()\npage1 = await page1_info.value".format,
        _ELEMENT,
    )
    | st.sampled_from(
        ['page.once("dialog", lambda dialog: dialog.accept("yes"))', "await page.close()", "await page.reload()"]
    )
)


@given(st.lists(_LINE, min_size=1, max_size=8))
@settings(max_examples=200)
def test_whatever_is_recorded_becomes_a_notebook_without_errors(lines: list[str]) -> None:
    _total("\n".join(lines))
