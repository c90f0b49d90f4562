"""The dispatch journal: a line is there before its request may leave, and a torn one let none go."""

from __future__ import annotations

from pathlib import Path

from skillnb.store.dispatches import DispatchFile, dispatched_steps


def test_steps_are_read_back(tmp_path: Path) -> None:
    path = tmp_path / "r.dispatched.jsonl"
    assert dispatched_steps(path) == frozenset()
    journal = DispatchFile(path, lambda text: text)
    journal.append("pay", "POST http://shop/pay")
    journal.append("outer/send", "POST http://shop/\ud83d")
    assert dispatched_steps(path) == {"pay", "outer/send"}


def test_a_torn_line_is_none(tmp_path: Path) -> None:
    path = tmp_path / "r.dispatched.jsonl"
    journal = DispatchFile(path, lambda text: text)
    journal.append("pay", "POST http://shop/pay")
    path.write_bytes(path.read_bytes()[:-1])
    assert dispatched_steps(path) == frozenset()
