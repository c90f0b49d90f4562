from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from skillnb.cli.main import app
from skillnb.errors import ModelNotReady, UsageError


def test_list_is_a_table_or_one_object(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SKILLNB_CACHE", str(tmp_path))
    told = json.loads(CliRunner().invoke(app, ["model", "list", "--json"], catch_exceptions=False).stdout)
    assert {row["name"]: row["fetched"] for row in told["models"]}["smollm2"] is False
    assert "qwen15" in CliRunner().invoke(app, ["model", "list"], catch_exceptions=False).stdout


def test_fetching_what_is_here_or_unknown(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SKILLNB_CACHE", str(tmp_path))
    folder = tmp_path / "models" / "smollm2"
    folder.mkdir(parents=True)
    (folder / "model.gguf").touch()
    told = CliRunner().invoke(app, ["model", "fetch", "smollm2", "--json"], catch_exceptions=False)
    assert json.loads(told.stdout) == {"models": [{"model": "smollm2", "outcome": "was there"}]}
    with pytest.raises(ModelNotReady, match="no such model"):
        CliRunner().invoke(app, ["model", "fetch", "gpt-9"], catch_exceptions=False)


def test_a_run_takes_a_model_or_none(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="contradict"):
        CliRunner().invoke(app, ["run", "a/b", "--model", "local:qwen05", "--no-model"], catch_exceptions=False)
