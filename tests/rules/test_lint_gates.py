from __future__ import annotations

import pytest

from tests.rules.edits import Case, Edit, drop, found, line, source

CASES: list[Case] = [
    (line("log-in-pre", "await gate.visibel(role='x')"), "error", "unknown-gate", ": cell log-in-pre, line 2"),
    (
        line("log-in-pre", "await gate.visible(roel='x', name='y')"),
        "error",
        "gate-argument",
        ": cell log-in-pre, line 2",
    ),
    (line("log-in-pre", "await gate.visible('x', name='y')"), "error", "gate-argument", ": cell log-in-pre, line 2"),
    (line("log-in-pre", "await gate.visible(exact=True)"), "error", "gate-argument", ": cell log-in-pre, line 2"),
    (line("log-in-pre", "await gate.value(label='x')"), "error", "gate-argument", ": cell log-in-pre, line 2"),
    (line("log-in-pre", "await gate.value(equals='x')"), "error", "gate-argument", ": cell log-in-pre, line 2"),
    (line("log-in-pre", "await gate.response('POST')"), "error", "gate-argument", ": cell log-in-pre, line 2"),
    (line("log-in-pre", "await gate.url('**/x', timeout=0)"), "error", "gate-timeout", ": cell log-in-pre, line 2"),
    (
        line("log-in-pre", "await page.get_by_label('x').fill('y')"),
        "error",
        "action-in-gate",
        ": cell log-in-pre, line 2",
    ),
    (line("log-in-pre", "await page.goto('/x')"), "error", "action-in-gate", ": cell log-in-pre, line 2"),
    (line("log-in-pre", "await call('oscar/login')"), "error", "action-in-gate", ": cell log-in-pre, line 2"),
    (source("log-in-pre", "# nothing"), "warning", "no-gate", ": cell log-in-pre"),
    (drop("log-in-post"), "warning", "no-post-gate", ": cell log-in-procedure"),
    (source("log-in-post", "await gate.absent(role='alert')"), "warning", "only-absent", ": cell log-in-post"),
    (source("log-in-post", "await gate.url('**')"), "warning", "passes-on-blank", ": cell log-in-post"),
    (source("log-in-post", "await gate.url(re.compile('.*'))"), "warning", "passes-on-blank", ": cell log-in-post"),
    (source("log-in-post", "await gate.text(contains='')"), "warning", "passes-on-blank", ": cell log-in-post"),
    (
        source("log-in-post", "await gate.count(role='row', equals=0)"),
        "warning",
        "passes-on-blank",
        ": cell log-in-post",
    ),
    (
        source("log-in-post", "await gate.count(role='row', at_most=3)"),
        "warning",
        "passes-on-blank",
        ": cell log-in-post",
    ),
    (line("log-in-post", "await gate.url('**/order/1*')"), "warning", "prefix-pattern", ": cell log-in-post, line 3"),
    (
        line("log-in-post", "await gate.url(f'**/order/{params.username}*')"),
        "warning",
        "prefix-pattern",
        ": cell log-in-post, line 3",
    ),
    (
        line("log-in-post", "await gate.url(re.compile('/order/1'))"),
        "warning",
        "prefix-pattern",
        ": cell log-in-post, line 3",
    ),
    (
        line("log-in-post", "await gate.response('GET', '**/o/1**')"),
        "warning",
        "prefix-pattern",
        ": cell log-in-post, line 3",
    ),
    (
        line("log-in-post", "await gate.url('https://shop.example/x')"),
        "warning",
        "baked-in-host",
        ": cell log-in-post, line 3",
    ),
    (
        line("log-in-code", "await page.goto(f'http://localhost:8000/{params.username}')"),
        "warning",
        "baked-in-host",
        ": cell log-in-code, line 2",
    ),
]


@pytest.mark.parametrize(("change", "level", "code", "where"), CASES)
def test_finds(change: Edit, level: str, code: str, where: str) -> None:
    assert (level, code, where) in found(change)
