"""The shared fixtures do what tests rely on."""

from __future__ import annotations

import os
import urllib.request

from skillnb.workspace import Workspace
from tests.conftest import Site


def test_no_setting_leaks_in() -> None:
    assert [
        name for name in os.environ if name.startswith(("SKILLNB_", "DJANGO_")) and name != "SKILLNB_CHROMIUM"
    ] == []


def test_a_workspace_is_found_and_empty(workspace: Workspace) -> None:
    assert workspace.shelf.names() == ()
    assert Workspace.find(workspace.root / "workflows", {}).root == workspace.root


def test_a_site_serves_what_is_written(site: Site) -> None:
    for text in ("<h1>first</h1>", "<h1>second</h1>"):
        (site.folder / "index.html").write_text(text)
        with urllib.request.urlopen(f"{site.url}/") as answer:
            assert answer.read().decode() == text
