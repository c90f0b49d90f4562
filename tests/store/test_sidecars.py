"""What is remembered of a version: whole or as it was, whoever writes and whenever they are killed."""

from __future__ import annotations

import json
import multiprocessing
import os
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import pytest

from skillnb.store.protocol import Version
from skillnb.store.sidecars import changed_memory, read_memory
from skillnb.terms.fingerprint import Fingerprint
from skillnb.terms.memory import Call, Known, Memory

WRITER = """
import sys
from pathlib import Path
from tests.store.test_sidecars import known, version
from skillnb.store.sidecars import changed_memory
from dataclasses import replace
made = version(Path(sys.argv[1]))
for turn in range(100_000):
    many = tuple(known(f"run {turn}", number) for number in range(200))
    changed_memory(made, lambda memory: replace(memory, known=many))
    print(turn, flush=True)
"""


def version(folder: Path) -> Version:
    return Version("kit/it", 1, str(folder / "0001.ipynb"), "sha256:" + "0" * 64)


def known(run: str, number: int = 0) -> Known:
    call = Call(step="save", cell="save-code", number=number)
    return Known(call=call, selector="#save", fingerprint=Fingerprint(tag="button", name="Save ✓"), run=run)


def added(folder: str, number: int) -> None:
    def add(memory: Memory) -> Memory:
        time.sleep(0.01)
        return replace(memory, known=(*memory.known, known(f"run {number}", number)))

    changed_memory(version(Path(folder)), add)


def test_what_is_kept_is_read_again_and_nothing_else_lies_about(tmp_path: Path) -> None:
    made = version(tmp_path)
    assert read_memory(made) == (Memory(workflow="kit/it"), ())
    changed_memory(made, lambda memory: replace(memory, known=(known("one"),)))
    assert read_memory(made).memory.known == (known("one"),)
    assert {path.name for path in tmp_path.iterdir()} == {"0001.fingerprints.json", ".memory.lock"}
    data = (tmp_path / "0001.fingerprints.json").read_text("utf-8")
    assert json.loads(data)["format"] == 1


def test_what_was_kept_of_another_version_is_passed_over_with_a_note(tmp_path: Path) -> None:
    changed_memory(version(tmp_path), lambda memory: replace(memory, known=(known("one"),)))
    other = version(tmp_path)._replace(id="sha256:" + "1" * 64)
    memory, notes = read_memory(other)
    assert memory.known == ()
    assert len(notes) == 1
    assert "0001.fingerprints.json" in notes[0]


@pytest.mark.parametrize("data", [b"", b"{", b"\xff\xfe", b"null", b'{"format":1,"version_id":"x","known":[{}]}'])
def test_damage_is_a_note(tmp_path: Path, data: bytes) -> None:
    (tmp_path / "0001.fingerprints.json").write_bytes(data)
    memory, notes = read_memory(version(tmp_path))
    assert (memory, len(notes)) == (Memory(workflow="kit/it"), 1)


def test_runs_that_end_together_lose_nothing_of_each_other(tmp_path: Path) -> None:
    context = multiprocessing.get_context("fork")
    writers = [context.Process(target=added, args=(str(tmp_path), number)) for number in range(8)]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join(30)
    found = read_memory(version(tmp_path))
    assert sorted(item.call.number for item in found.memory.known) == list(range(8))
    assert found.notes == ()


def test_killed_while_it_writes_it_leaves_the_old_file_or_the_new_one(tmp_path: Path) -> None:
    for turn in range(5):
        with subprocess.Popen(
            [sys.executable, "-c", WRITER, str(tmp_path)], stdout=subprocess.PIPE, cwd=Path(__file__).parents[2]
        ) as writer:
            assert writer.stdout is not None
            writer.stdout.readline()
            time.sleep(0.003 * turn)
            os.kill(writer.pid, signal.SIGKILL)
        memory, notes = read_memory(version(tmp_path))
        assert notes == ()
        assert len(memory.known) == 200
        assert len({item.run for item in memory.known}) == 1
    changed_memory(version(tmp_path), lambda memory: replace(memory, known=()))
    assert read_memory(version(tmp_path)).memory.known == ()
