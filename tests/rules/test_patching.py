from __future__ import annotations

import ast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skillnb.rules.patching import patched, receiver, remainder
from skillnb.terms.action import Abstain

NEW = 'page.get_by_role("button", name="Choose all groups")'


def at(source: str, call: str) -> tuple[int, int, int, int]:
    """The position of ``call`` in ``source`` as CPython counts: lines from 1, columns in bytes."""
    start = source.encode().index(call.encode())
    stop = start + len(call.encode())
    data = source.encode()

    def place(offset: int) -> tuple[int, int]:
        before = data[:offset]
        return before.count(b"\n") + 1, offset - (before.rfind(b"\n") + 1)

    (line, col), (end_line, end_col) = place(start), place(stop)
    return line, end_line, col, end_col


CELL = """# choose — “ünïcode” in a comment
await page.get_by_label("é").fill("x")  # keep me
await page.get_by_role("link", name="Choose").click(timeout=5)   # and me

await page.get_by_role("button", name="Save").click()
"""


def test_patched_replaces_the_receiver_and_nothing_else() -> None:
    call = 'page.get_by_role("link", name="Choose").click(timeout=5)'
    expected = CELL.replace('page.get_by_role("link", name="Choose")', NEW)
    assert patched(CELL, at(CELL, call), NEW) == expected
    assert patched(CELL, at(CELL, "await " + call), NEW) == expected
    assert receiver(CELL, at(CELL, call)) == 'page.get_by_role("link", name="Choose")'


def test_columns_are_bytes() -> None:
    source = 'x = "é😀"; await page.get_by_text("é😀").click()'
    assert patched(source, at(source, 'page.get_by_text("é😀").click()'), "page.q") == 'x = "é😀"; await page.q.click()'


def test_a_chain_over_several_lines() -> None:
    source = 'await (\n    page.get_by_role("row")\n    .get_by_role("link")\n    .click()\n)\n'
    call = 'page.get_by_role("row")\n    .get_by_role("link")\n    .click()'
    expected = f"await (\n    {NEW}\n    .click()\n)\n"
    assert patched(source, at(source, call), NEW) == expected
    assert patched(source, at(source, source.strip()), NEW) == expected
    # CPython places a method call of several lines at the line of its last attribute
    line, end_line, _, end_col = at(source, call)
    assert patched(source, (end_line, end_line, end_col - len("click()"), end_col), NEW) == expected
    assert line != end_line


def test_positions_that_python_reports_are_understood() -> None:
    source = 'await page.get_by_role("link").click()\n'
    code = compile(source, "cell", "exec", flags=ast.PyCF_ALLOW_TOP_LEVEL_AWAIT)
    awaited = [place for place in code.co_positions() if place[2:] == (0, len(source) - 1)]
    line, end_line, col, end_col = awaited[0]
    assert None not in awaited[0]
    position = (line or 0, end_line or 0, col or 0, end_col or 0)
    assert patched(source, position, "page.a") == "await page.a.click()\n"


@pytest.mark.parametrize("line_end", ["\n", "\r\n"])
def test_line_ends_stay(line_end: str) -> None:
    source = line_end.join(["x = 1", 'await page.a("b").click()', "y = 2", ""])
    position = (2, 2, 6, 25)
    assert patched(source, position, "page.c") == source.replace('page.a("b")', "page.c")
    assert remainder(source, position) == line_end.join(['await page.a("b").click()', "y = 2", ""])


@pytest.mark.parametrize(
    ("source", "call", "locator"),
    [
        ("await page.goto('x')", "page.goto('x')", NEW),
        ("await expect(page.a).to_be_visible()", "expect(page.a).to_be_visible()", NEW),
        ("await f('x')", "f('x')", NEW),
        ("await page.a.click()", "page.a.click()", "page.a if x else y"),
        ("await page.a.click()", "page.a.click()", "page.a # c"),
        ("await page.a.click()", "page.a.click()", "page.a; y"),
        ("await page.a.click()", "page.a.click()", "page.("),
        ("await page.a.click()", "await", NEW),
        ("%%page\nx y", "x", NEW),
    ],
)
def test_what_can_not_be_patched_is_refused(source: str, call: str, locator: str) -> None:
    with pytest.raises(ValueError, match=r"locator|call|parse"):
        patched(source, at(source, call), locator)


def test_remainder_is_the_failed_statement_and_all_after_it() -> None:
    call = 'page.get_by_role("link", name="Choose").click(timeout=5)'
    assert remainder(CELL, at(CELL, call)) == CELL[CELL.index("await page.get_by_role(") :]
    assigned = "a = 1\nb = await page.x.text_content()\nc = 2"
    assert remainder(assigned, at(assigned, "page.x.text_content()")) == "b = await page.x.text_content()\nc = 2"


@pytest.mark.parametrize(
    ("source", "reason"),
    [
        ("for x in y:\n    await page.a.CLICK()", "inside `for`"),
        ("if x:\n    await page.a.CLICK()", "inside `if`"),
        ("async with x:\n    await page.a.CLICK()", "inside `asyncwith`"),
        ("try:\n    await page.a.CLICK()\nfinally:\n    pass", "inside `try`"),
        ("async def f():\n    await page.a.CLICK()\nawait f()", "inside `asyncfunctiondef`"),
        ("while True:\n    await page.a.CLICK()", "inside `while`"),
        ("[await page.a.CLICK() for x in y]", "loop or a choice"),
        ("x and await page.a.CLICK()", "loop or a choice"),
        ("(await page.b.click(), await page.a.CLICK())", "waits for something else"),
        ("await page.a(await page.b.click()).CLICK()", "waits for something else"),
        ("x = 1; await page.a.CLICK()", "shares its line"),
        ("await page.CLICK()", "method of page itself"),
        ("await page.a.CLICK()\nx = (", "does not parse"),
    ],
)
def test_remainder_abstains_where_running_again_could_repeat_or_skip(source: str, reason: str) -> None:
    stop = source.index(".CLICK()") + len(".CLICK()")
    line = source[:stop].count("\n") + 1
    column = stop - (source[:stop].rfind("\n") + 1)
    found = remainder(source, (line, line, 0, column))
    assert isinstance(found, Abstain)
    assert reason in found.reason


names = st.text(st.sampled_from('aé😀 "\\#(){}'), max_size=8)
statements = st.one_of(
    names.map(lambda name: f"await page.get_by_label({name!r}).fill({name!r})  # é {name.encode().hex()}"),
    names.map(lambda name: f"x = {name!r}"),
    st.just(""),
    st.just("# note"),
)


@given(st.lists(statements, max_size=4), names, names, st.lists(statements, max_size=3))
def test_the_patched_cell_parses_and_differs_only_in_the_receiver(
    before: list[str], old: str, new: str, after: list[str]
) -> None:
    failed = f"await page.get_by_text({old!r}).click(timeout=5)  # {'é'}"
    source = "\n".join([*before, failed, *after])
    line = len(before) + 1
    position = (line, line, 6, len(failed.split("  #")[0].encode()) if "  #" not in old else 0)
    if not position[3]:
        return
    locator = f"page.get_by_label({new!r})"
    result = patched(source, position, locator)
    assert result == "\n".join([*before, failed.replace(receiver(source, position), locator, 1), *after])
    ast.parse(result)
    rest = remainder(source, position)
    assert rest == "\n".join([failed, *after])
