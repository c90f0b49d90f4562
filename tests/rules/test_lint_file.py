from __future__ import annotations

import pytest

from tests.rules.edits import Case, Edit, cell, found, header, line

CASES: list[Case] = [
    (lambda nb: nb.update(nbformat_minor=4), "error", "format", ""),
    (lambda nb: nb.pop("nbformat"), "error", "format", ""),
    (lambda nb: nb["cells"].append(7), "error", "malformed", ""),
    (lambda nb: nb["cells"][4].pop("id"), "error", "cell-id", ": cell number 5"),
    (lambda nb: nb["cells"][4].update(id="a b"), "error", "cell-id", ": cell number 5"),
    (lambda nb: nb["cells"][4].update(id="ü"), "error", "cell-id", ": cell number 5"),
    (lambda nb: nb["cells"][4].update(id="x" * 65), "error", "cell-id", ": cell number 5"),
    (lambda nb: nb["cells"][5].update(id=nb["cells"][4]["id"]), "error", "duplicate-id", ": cell number 6"),
    (lambda nb: nb["cells"][4].update(cell_type="heading"), "error", "malformed", ": cell number 5"),
    (lambda nb: nb["metadata"].update(x=[float("nan")]), "error", "nan", ""),
    (lambda nb: nb["cells"][2]["metadata"].update(x=float("-inf")), "error", "nan", ""),
    (lambda nb: nb["metadata"].pop("kernelspec"), "error", "kernelspec", ""),
    (lambda nb: nb["metadata"]["kernelspec"].update(language="R"), "error", "kernelspec", ""),
    (lambda nb: nb["metadata"]["kernelspec"].update(name="conda-env-x"), "warning", "kernelspec-name", ""),
    (lambda nb: nb["metadata"].update({"nbdime-conflicts": {}}), "error", "merge-conflict", ""),
    (lambda nb: cell(nb, "card")["metadata"].update({"nbdime-conflicts": 1}), "error", "merge-conflict", ": cell card"),
    (line("log-in-procedure", "<<<<<<< local"), "error", "merge-conflict", ": cell log-in-procedure, line 4"),
    (line("card", ">>>>>>> remote"), "error", "merge-conflict", ": cell card, line 12"),
    (line("card", "half \ud83d"), "error", "surrogate", ": cell card, line 12"),
    (lambda nb: nb["metadata"].pop("skillnb"), "error", "no-metadata", ""),
    (header("schema", 2), "error", "schema", ""),
    (header("schema", True), "error", "schema", ""),
    (header("name", "Django/Log in"), "error", "workflow-name", ""),
    (header("name", "login"), "error", "workflow-name", ""),
    (header("name", None), "error", "workflow-name", ""),
    (header("tasktype", "x"), "error", "unknown-key", ""),
    (header("locale", 5), "error", "metadata-type", ""),
    (header("start_url", "admin/login"), "error", "start-url", ""),
    (header("provenance", []), "error", "provenance", ""),
    (header("provenance", {"episodes": [1]}), "error", "provenance", ""),
    (header("provenance", {"method": 1}), "error", "provenance", ""),
    (header("provenance", {"metod": "x"}), "error", "unknown-key", ""),
]


@pytest.mark.parametrize(("change", "level", "code", "where"), CASES)
def test_finds(change: Edit, level: str, code: str, where: str) -> None:
    assert (level, code, where) in found(change)
