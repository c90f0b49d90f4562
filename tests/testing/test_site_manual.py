"""The documentation of the shop is what the code says."""

from __future__ import annotations

from pathlib import Path

from skillnb.testing.site.manual import manual

PAGE = Path(__file__).parents[2] / "docs" / "demo-site.md"


def test_the_page_is_current() -> None:
    """If not: ``python -m skillnb.testing.site.manual > docs/demo-site.md``."""
    assert PAGE.read_text("utf-8").splitlines() == manual().splitlines()
