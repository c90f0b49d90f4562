"""The import table holds, and each of its rules can be seen to fail on a small tree that breaks it."""

from __future__ import annotations

from pathlib import Path

import pytest

import skillnb
from tests.repo.imports import modules
from tests.repo.layers import LAYERS, LIBRARIES, violations

PACKAGE = Path(skillnb.__file__).parent


def test_the_package_keeps_to_the_table() -> None:
    assert violations(PACKAGE) == []


def test_the_table_of_libraries_lists_no_home_that_is_not_used() -> None:
    used = {
        (item.target, place)
        for name, module in modules(PACKAGE).items()
        for item in module.imports
        for place in (name.removeprefix("skillnb."), module.unit)
    }
    listed = {(library, home) for library, homes in LIBRARIES.items() for home in homes}
    assert listed - used == set()


def test_every_part_of_the_outside_has_a_protocol() -> None:
    outside = next(layer.units for layer in LAYERS if layer.name == "outside")
    assert [unit for unit in outside if f"skillnb.{unit}.protocol" not in modules(PACKAGE)] == []


def planted(folder: Path, **files: str) -> Path:
    """A package of the given modules (``rules__gates`` is ``rules/gates.py``) that keeps to the table but for them."""
    package = folder / "skillnb"
    sound = {
        "__init__": "",
        "errors": "",
        "terms__gate": "from enum import StrEnum\n",
        "rules__gates": "import re\nfrom skillnb.terms.gate import Gate\n",
        "browser__protocol": "from skillnb.terms.gate import Gate\n",
        "browser__live": "from skillnb.browser.protocol import Page\nfrom skillnb.rules.gates import check\n",
        "agent__asking": "from skillnb.browser.protocol import Page\nfrom skillnb.rules.gates import check\n",
        "running": "from skillnb.agent import asking\nfrom skillnb.browser.live import LivePage\n",
        "cli__run": "def run():\n    imported('skillnb.running')\n",
    }
    for name, text in (sound | files).items():
        place = (
            package.joinpath(*name.split("__")).with_suffix(".py") if name != "__init__" else package / "__init__.py"
        )
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text)
    return package


def test_a_tree_that_keeps_to_the_table_has_no_violation(tmp_path: Path) -> None:
    assert violations(planted(tmp_path)) == []


@pytest.mark.parametrize(
    ("module", "text", "told"),
    [
        (
            "rules__gates",
            "from skillnb.browser.live import LivePage\n",
            "skillnb.rules.gates:1: imports upward: skillnb.browser.live (outside) from rules",
        ),
        (
            "terms__gate",
            "import skillnb.rules.gates\n",
            "skillnb.terms.gate:1: imports upward: skillnb.rules.gates (rules) from words",
        ),
        (
            "agent__asking",
            "def ask():\n    # there is a reason\n    from skillnb.running import run\n",
            "skillnb.agent.asking:3: imports upward: skillnb.running (wiring) from work",
        ),
        (
            "running",
            "def run():\n    imported('skillnb.cli.run')\n",
            "skillnb.running:2: imports upward: skillnb.cli.run (fronts) from wiring",
        ),
        (
            "agent__asking",
            "from skillnb.browser.live import LivePage\n",
            "skillnb.agent.asking:1: imports skillnb.browser.live: work knows the outside by its protocol only",
        ),
        (
            "runner__run",
            "from skillnb.agent.asking import ask\n",
            "skillnb.runner.run:1: imports skillnb.agent.asking: parts of work never import each other",
        ),
        (
            "store__traces",
            "from skillnb.browser.protocol import Page\n",
            "skillnb.store.traces:1: imports skillnb.browser.protocol: parts of outside never import each other",
        ),
        (
            "running",
            "from skillnb.testing import apps\n",
            "skillnb.running:1: imports upward: skillnb.testing (testing) from wiring",
        ),
        (
            "jupyter__papermill",
            "from skillnb.testing import apps\n",
            "skillnb.jupyter.papermill:1: imports skillnb.testing, which only the command line and tests may",
        ),
        (
            "browser__second",
            "from playwright.async_api import Page\n",
            "skillnb.browser.second:1: imports playwright, which does not live here",
        ),
        (
            "browser__protocol",
            "import requests\n",
            "skillnb.browser.protocol:1: imports requests, which does not live here",
        ),
        ("rules__gates", "import time\n", "skillnb.rules.gates:1: imports time, and rules is pure"),
        ("rules__gates", "import urllib.request\n", "skillnb.rules.gates:1: imports urllib.request, and rules is pure"),
        ("replay__fold", "from pathlib import Path\n", "skillnb.replay.fold:1: imports pathlib, and replay is pure"),
        (
            "rules__gates",
            "from datetime import datetime\nnow = datetime.now()\n",
            "skillnb.rules.gates:2: calls datetime.now, and rules is pure",
        ),
        ("rules__gates", "text = open('x').read()\n", "skillnb.rules.gates:1: calls open, and rules is pure"),
        (
            "browser__live",
            "def look():\n    import json\n",
            "skillnb.browser.live:2: imports json inside a function, without a comment above why",
        ),
        (
            "browser__live",
            "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from skillnb.rules import gates\n",
            "skillnb.browser.live:3: imports skillnb.rules.gates for types only: import it, or move the type down",
        ),
        (
            "__init__",
            "from skillnb import errors\n",
            "skillnb:1: the package itself imports nothing when it is imported",
        ),
        ("helping", "", "skillnb.helping: helping is in no layer"),
    ],
)
def test_a_planted_violation_is_found(tmp_path: Path, module: str, text: str, told: str) -> None:
    assert told in violations(planted(tmp_path, **{module: text}))


def test_a_planted_cycle_is_found(tmp_path: Path) -> None:
    package = planted(
        tmp_path,
        rules__gates="from skillnb.rules import globs\n",
        rules__globs="from skillnb.rules.claims import claim\n",
        rules__claims="def claim():\n    # there is a reason\n    from skillnb.rules.gates import check\n",
    )
    assert violations(package) == ["import cycle: skillnb.rules.claims <-> skillnb.rules.gates <-> skillnb.rules.globs"]


def test_a_relative_import_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SyntaxError, match="relative import on line 1"):
        violations(planted(tmp_path, rules__gates="from . import globs\n"))
