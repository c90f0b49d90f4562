"""Trace files: one writer, dressed lines, read back strictly."""

from __future__ import annotations

from pathlib import Path

import pytest

from skillnb.errors import BadTraceLine
from skillnb.store.traces import TraceFile, read_trace
from skillnb.terms.trace import StepStarted

EVENT = StepStarted(step="pay", intent="Pay")


def written(path: Path, *intents: str) -> Path:
    trace = TraceFile(path, "r1", lambda: "2026-01-01T00:00:00.000000Z", lambda event: event)
    for intent in intents:
        trace.write(StepStarted(step="pay", intent=intent))
    trace.close()
    return path


def test_lines_are_numbered_and_read_back_as_they_were(tmp_path: Path) -> None:
    read = read_trace(written(tmp_path / "a.jsonl", "Pay", "王 👋"))
    assert [(line.seq, line.run, line.kind, line.event) for line in read.lines] == [
        (0, "r1", "StepStarted", EVENT),
        (1, "r1", "StepStarted", StepStarted(step="pay", intent="王 👋")),
    ]
    assert not read.torn


def test_a_run_id_is_never_used_twice(tmp_path: Path) -> None:
    path = written(tmp_path / "a.jsonl", "Pay")
    with pytest.raises(FileExistsError):
        TraceFile(path, "r1", lambda: "", lambda event: event)


def test_half_a_sign_is_written_as_a_question_mark(tmp_path: Path) -> None:
    read = read_trace(written(tmp_path / "a.jsonl", "half \ud83d"))
    assert read.lines[0].event == StepStarted(step="pay", intent="half ?")


def test_a_torn_last_line_is_left_out_and_told(tmp_path: Path) -> None:
    path = written(tmp_path / "a.jsonl", "Pay", "Pay")
    path.write_bytes(path.read_bytes()[:-9])
    read = read_trace(path)
    assert (len(read.lines), read.torn) == (1, True)


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        (b'"format":1', b'"format":99', "format 99"),
        (b'"seq":1', b'"seq":5', "sequence 5 where 1 was expected"),
        (b'"intent"', b'"intend"', "unreadable"),
        (b'"at"', b"at", "unreadable"),
    ],
)
def test_any_other_bad_line_is_named(tmp_path: Path, old: bytes, new: bytes, problem: str) -> None:
    path = written(tmp_path / "a.jsonl", "Pay", "Pay", "Pay")
    lines = path.read_bytes().split(b"\n")
    lines[1] = lines[1].replace(old, new)
    path.write_bytes(b"\n".join(lines))
    with pytest.raises(BadTraceLine, match=f"a.jsonl:2.*{problem}"):
        read_trace(path)
