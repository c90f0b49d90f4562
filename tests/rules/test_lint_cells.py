from __future__ import annotations

import pytest

from tests.rules.edits import GOOD, Case, Edit, again, cell, drop, found, header, line, move, setting, source

CASES: list[Case] = [
    (setting("role", "pots", "log-in-post"), "error", "unknown-role", ": cell log-in-post"),
    (lambda nb: cell(nb, "log-in-post")["metadata"].update(skillnb=[1]), "error", "unknown-role", ": cell log-in-post"),
    (setting("efect", "once"), "error", "unknown-key", ": cell log-in-procedure"),
    (lambda nb: cell(nb, "log-in-post").update(cell_type="markdown"), "error", "role-type", ": cell log-in-post"),
    (setting("step", "Log In", "log-in-post"), "error", "step-name", ": cell log-in-post"),
    (setting("step", 3, "log-in-post"), "error", "step-name", ": cell log-in-post"),
    (setting("step", "log-in", "card"), "error", "role-step", ": cell card"),
    (lambda nb: cell(nb, "log-in-post").update(id="8f2a"), "warning", "cell-id-convention", ": cell 8f2a"),
    (setting("effect", "twice"), "error", "effect", ": cell log-in-procedure"),
    (setting("effect", ["once"]), "error", "effect", ": cell log-in-procedure"),
    (setting("optional", "yes"), "error", "setting-type", ": cell log-in-procedure"),
    (setting("timeout", 0), "error", "timeout", ": cell log-in-procedure"),
    (setting("timeout", -1.5), "error", "timeout", ": cell log-in-procedure"),
    (setting("timeout", "30"), "error", "timeout", ": cell log-in-procedure"),
    (setting("timeout", True), "error", "timeout", ": cell log-in-procedure"),
    (setting("timeout", 30, "log-in-code"), "error", "misplaced-setting", ": cell log-in-code"),
    (drop("card"), "warning", "no-card", ""),
    (drop("open"), "error", "no-open", ""),
    (again("card", "card-2"), "warning", "duplicate-card", ": cell card-2"),
    (again("open", "open-2"), "error", "duplicate-open", ": cell open-2"),
    (again("parameters", "parameters-2"), "error", "duplicate-parameters", ": cell parameters-2"),
    (move("open", 1), "error", "frame-order", ""),
    (move("open", 5), "error", "frame-order", ""),
    (source("card", "Log in"), "warning", "no-title", ": cell card"),
    (line("open", "print(1)"), "error", "open-line", ": cell open"),
    (header("name", "django/log-out"), "error", "open-name", ": cell open"),
    (drop("log-in-procedure"), "error", "no-procedure", ": cell log-in-pre"),
    (move("log-in-procedure", 9), "error", "step-order", ": cell log-in-pre"),
    (move("log-in-post", 10), "error", "step-order", ": cell log-in-code"),
    (move("log-in-code", 4), "error", "interleaved-steps", ": cell fill-in-the-form-pre"),
    (again("log-in-procedure", "log-in-procedure-2", 13), "error", "duplicate-step", ": cell log-in-procedure-2"),
    (source("log-in-fallback", "await fallback('log-in')"), "error", "fallback-line", ": cell log-in-fallback"),
    (source("log-in-fallback", 'await fallback("log-on")'), "error", "fallback-line", ": cell log-in-fallback"),
    (again("log-in-fallback", "log-in-fallback-2"), "error", "two-fallbacks", ": cell log-in-fallback-2"),
    (drop("log-in-fallback"), "warning", "no-fallback", ": cell log-in-procedure"),
    (drop("log-in-code"), "warning", "formalized-without-code", ": cell log-in-procedure"),
    (source("log-in-procedure", "1. Press."), "error", "no-intent", ": cell log-in-procedure"),
    (source("log-in-procedure", "## Log in"), "warning", "no-procedure-list", ": cell log-in-procedure"),
    (drop(*[cell["id"] for cell in GOOD["cells"][3:]]), "error", "no-step", ""),
]


@pytest.mark.parametrize(("change", "level", "code", "where"), CASES)
def test_finds(change: Edit, level: str, code: str, where: str) -> None:
    assert (level, code, where) in found(change)
