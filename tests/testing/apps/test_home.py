from __future__ import annotations

from pathlib import Path

import pytest

from skillnb.testing.apps.home import Home, default_home


def test_the_home_is_where_the_variable_says(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("SKILLNB_HOME", str(tmp_path))
    assert Home(shared=tmp_path / "apps", own=tmp_path / "apps") == default_home()


def test_without_the_variable_it_is_in_the_user_s_cache(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("SKILLNB_HOME", raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    assert tmp_path / ".cache" / "skillnb" / "apps" / "env" == default_home().env
