"""The documentation says what the code says: generated parts are current, links lead somewhere, decisions are short."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from docs.generate import current, pages

DOCS = Path(__file__).parents[2] / "docs"
PAGES = sorted(DOCS.rglob("*.md"))
DECISIONS = sorted((DOCS / "decisions").glob("*.md"))


def test_pages_with_generated_parts() -> None:
    assert [page.name for page in pages()] == [
        "architecture.md",
        "cli.md",
        "errors.md",
        "fallback.md",
        "gates.md",
        "models.md",
        "notebook.md",
    ]


@pytest.mark.parametrize("page", pages(), ids=lambda page: page.name)
def test_generated_parts_are_current(page: Path) -> None:
    """If not: ``python -m docs.generate``."""
    text = page.read_text("utf-8")
    assert text.splitlines() == current(text).splitlines()


def test_an_outdated_part_is_noticed_and_an_unknown_one_refused() -> None:
    old = "# T\n\n<!-- generated: statuses -->\nold\n<!-- end -->\n\nby hand\n"
    new = current(old)
    assert "| 4 | aborted" in new
    assert new.endswith("<!-- end -->\n\nby hand\n")
    assert current(new) == new
    with pytest.raises(KeyError, match="nothing"):
        current("<!-- generated: nothing -->\n<!-- end -->\n")


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_to_files_that_exist(page: Path) -> None:
    targets = re.findall(r"\]\((?!https?:|#)([^)#]+)", page.read_text("utf-8"))
    assert [target for target in targets if not (page.parent / target).exists()] == []


def test_decisions_are_numbered_without_gaps() -> None:
    assert [int(page.name[:4]) for page in DECISIONS] == list(range(1, len(DECISIONS) + 1))


@pytest.mark.parametrize("page", DECISIONS, ids=lambda page: page.name)
def test_a_decision_says_question_choice_rejected_price_in_forty_lines(page: Path) -> None:
    text = page.read_text("utf-8")
    assert text.startswith(f"# {int(page.name[:4])}. ")
    assert re.findall(r"^\*\*(\w+)\.\*\*", text, re.MULTILINE) == ["Question", "Choice", "Rejected", "Price"]
    assert len(text.splitlines()) <= 40


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_modules_that_a_page_names_exist(page: Path) -> None:
    package = DOCS.parent / "skillnb"
    named = re.findall(r"`((?:\w+/)*\w+\.py)`", page.read_text("utf-8"))
    homes = (package, DOCS.parent)
    assert [name for name in named if "/" in name and not any((home / name).is_file() for home in homes)] == []
