"""Repairs are counted per run and day, also across runs that are killed."""

from __future__ import annotations

from pathlib import Path

from skillnb.store.repairs import RepairFile


def test_a_run_has_its_share_and_a_day_its_own(tmp_path: Path) -> None:
    path = tmp_path / "day" / "repairs.jsonl"
    first, second = (RepairFile(path, run, per_run=2, per_day=3) for run in ("first", "second"))
    assert [bool(first.take("save")) for _ in range(3)] == [False, False, True]
    assert "SKILLNB_REPAIRS_PER_RUN" in first.take("save")
    assert second.take("save") == ""
    assert "SKILLNB_REPAIRS_PER_DAY" in second.take("save")
    assert len(path.read_bytes().splitlines()) == 3


def test_a_line_that_broke_off_was_never_tried_and_is_written_over(tmp_path: Path) -> None:
    path = tmp_path / "repairs.jsonl"
    path.write_bytes(b'{"run": "a", "step": "save"}\n{"run": "a", "st')
    assert RepairFile(path, "a", per_run=2, per_day=9).take("save ✓") == ""
    assert len(path.read_bytes().splitlines()) == 2
    assert RepairFile(path, "a", per_run=2, per_day=9).take("save") != ""


def test_none_at_all_may_be_tried_with_a_limit_of_none(tmp_path: Path) -> None:
    assert RepairFile(tmp_path / "repairs.jsonl", "a", per_run=0, per_day=9).take("save") != ""
