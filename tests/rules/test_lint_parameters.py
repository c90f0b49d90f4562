from __future__ import annotations

import pytest

from tests.rules.edits import Case, Edit, cell, found, header, line, own, parameter

CASES: list[Case] = [
    (lambda nb: cell(nb, "parameters")["metadata"].update(tags=[]), "error", "parameters-tag", ": cell parameters"),
    (lambda nb: cell(nb, "open")["metadata"]["tags"].append("parameters"), "error", "parameters-tag", ": cell open"),
    (line("log-in-code", "print(params.user)"), "error", "undeclared-parameter", ": cell log-in-code, line 2"),
    (line("log-in-code", "print(params['user'])"), "error", "undeclared-parameter", ": cell log-in-code, line 2"),
    (
        line("log-in-post", "await gate.text(contains=params.user)"),
        "error",
        "undeclared-parameter",
        ": cell log-in-post, line 3",
    ),
    (line("log-in-procedure", "2. Greet {user}."), "error", "undeclared-parameter", ": cell log-in-procedure, line 4"),
    (line("log-in-code", "print(username)"), "warning", "bare-parameter", ": cell log-in-code, line 2"),
    (line("log-in-code", "print(password)"), "error", "bare-parameter", ": cell log-in-code, line 2"),
    (parameter('other = ""  # string'), "warning", "unused-parameter", ": cell parameters, line 3"),
    (parameter("other = 1"), "error", "parameter-type", ": cell parameters, line 3"),
    (parameter('token = "t0ken"  # secret'), "error", "secret-literal", ": cell parameters, line 3"),
    (parameter('class = ""  # string'), "error", "parameter-name", ": cell parameters, line 3"),
    (line("log-in-code", "await call(name)"), "warning", "computed-call", ": cell log-in-code, line 2"),
    (line("log-in-code", "await call('Login')"), "error", "call-name", ": cell log-in-code, line 2"),
    (header("parameters", []), "error", "parameters-metadata", ""),
    (lambda nb: own(nb)["parameters"].pop("username"), "warning", "parameters-metadata", ""),
    (lambda nb: own(nb)["parameters"].update(gone={"type": "int"}), "warning", "parameters-metadata", ""),
    (lambda nb: own(nb)["parameters"]["password"].update(type="string"), "error", "parameters-metadata", ""),
    (lambda nb: own(nb)["parameters"]["username"].update(required=False), "error", "parameters-metadata", ""),
]


@pytest.mark.parametrize(("change", "level", "code", "where"), CASES)
def test_finds(change: Edit, level: str, code: str, where: str) -> None:
    assert (level, code, where) in found(change)
