from __future__ import annotations

import pytest

from tests.rules.edits import Case, Edit, found, line, note, source

CASES: list[Case] = [
    (line("log-in-code", "if x"), "error", "python-syntax", ": cell log-in-code, line 2"),
    (line("log-in-post", "return 1"), "error", "python-syntax", ": cell log-in-post, line 3"),
    (note("x ="), "error", "python-syntax", ": cell n, line 1"),
    (
        line("log-in-code", "from playwright.sync_api import expect"),
        "error",
        "sync-playwright",
        ": cell log-in-code, line 2",
    ),
    (
        line("log-in-code", "with sync_playwright() as p:\n    pass"),
        "error",
        "sync-playwright",
        ": cell log-in-code, line 2",
    ),
    (line("log-in-code", "asyncio.run(main())"), "error", "asyncio-run", ": cell log-in-code, line 2"),
    (
        line("log-in-code", "loop.run_until_complete(main())"),
        "error",
        "run-until-complete",
        ": cell log-in-code, line 2",
    ),
    (line("log-in-code", "input('code?')"), "error", "input", ": cell log-in-code, line 2"),
    (line("log-in-code", "await page.pause()"), "error", "page-pause", ": cell log-in-code, line 2"),
    (line("log-in-code", "time.sleep(1)"), "warning", "time-sleep", ": cell log-in-code, line 2"),
    (line("log-in-code", "from time import sleep"), "warning", "time-sleep", ": cell log-in-code, line 2"),
    (line("log-in-code", "import nest_asyncio"), "warning", "nest-asyncio", ": cell log-in-code, line 2"),
    (
        line("log-in-code", "p = await async_playwright().start()"),
        "warning",
        "async-playwright",
        ": cell log-in-code, line 2",
    ),
    (line("log-in-code", "sys.exit(0)"), "warning", "exit", ": cell log-in-code, line 2"),
    (
        line("log-in-code", "page.get_by_role('link', name='x').click()"),
        "error",
        "not-awaited",
        ": cell log-in-code, line 2",
    ),
    (line("log-in-code", "page.goto('/x')"), "error", "not-awaited", ": cell log-in-code, line 2"),
    (
        line("log-in-code", "row = page.locator('tr').first\nrow.check()"),
        "error",
        "not-awaited",
        ": cell log-in-code, line 3",
    ),
    (line("log-in-code", "title = page.title()"), "error", "not-awaited", ": cell log-in-code, line 2"),
    (line("log-in-code", "x = page.title().lower()"), "error", "not-awaited", ": cell log-in-code, line 2"),
    (
        line("log-in-code", "if page.get_by_text('x').is_visible():\n    pass"),
        "error",
        "not-awaited",
        ": cell log-in-code, line 2",
    ),
    (line("log-in-code", "expect(page).to_have_title('x')"), "error", "not-awaited", ": cell log-in-code, line 2"),
    (line("log-in-code", "call('oscar/login')"), "error", "not-awaited", ": cell log-in-code, line 2"),
    (line("log-in-post", "gate.url('**/x')"), "error", "not-awaited", ": cell log-in-post, line 3"),
    (line("log-in-code", "page.get_by_role('link')"), "warning", "no-action", ": cell log-in-code, line 2"),
    (
        line("log-in-code", "with page.expect_popup() as popup:\n    await page.get_by_text('x').click()"),
        "error",
        "sync-with",
        ": cell log-in-code, line 2",
    ),
    (source("log-in-code", "%%ruby\nputs 1"), "warning", "language", ": cell log-in-code, line 1"),
]


@pytest.mark.parametrize(("change", "level", "code", "where"), CASES)
def test_finds(change: Edit, level: str, code: str, where: str) -> None:
    assert (level, code, where) in found(change)
