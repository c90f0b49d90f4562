from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

from skillnb.testing.apps.process import Process, alive, end, exit_status, spawn

DEAF = "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); print('deaf', flush=True); time.sleep(60)"

TALKER = "import sys, time; print('out', flush=True); print('err', file=sys.stderr); time.sleep(60)"
PARENT = "import subprocess, time; print(subprocess.Popen(['sleep', '60']).pid, flush=True); time.sleep(60)"


def start(tmp_path: Path, code: str) -> Process:
    return spawn([sys.executable, "-c", code], folder=tmp_path, environment=os.environ, log=tmp_path / "log")


def wait_for(tmp_path: Path, text: str) -> None:
    until = time.monotonic() + 10
    while text not in (tmp_path / "log").read_text():
        assert time.monotonic() < until
        time.sleep(0.02)


def test_a_process_leads_its_own_group_and_writes_to_its_log(tmp_path: Path) -> None:
    process = start(
        tmp_path, "import sys, time; print('out', flush=True); print('err', file=sys.stderr); time.sleep(60)"
    )
    wait_for(tmp_path, "err")
    assert alive(process)
    assert process.pid == os.getpgid(process.pid)
    assert (tmp_path / "log").read_text() == "out\nerr\n"
    assert end(process)
    assert not alive(process)
    assert not end(process)


def test_the_whole_group_ends(tmp_path: Path) -> None:
    process = start(tmp_path, PARENT)
    wait_for(tmp_path, "\n")
    grandchild = int((tmp_path / "log").read_text())
    assert process.pid == os.getpgid(grandchild)
    end(process)
    until = time.monotonic() + 5
    while Path(f"/proc/{grandchild}/stat").exists() and " Z " not in Path(f"/proc/{grandchild}/stat").read_text():
        assert time.monotonic() < until
        time.sleep(0.02)


def test_one_that_does_not_listen_is_killed(tmp_path: Path) -> None:
    process = start(tmp_path, DEAF)
    wait_for(tmp_path, "deaf")
    assert end(process, grace=0.2)
    assert not alive(process)


def test_a_number_used_again_by_a_stranger_is_left_alone() -> None:
    with subprocess.Popen(["sleep", "60"], start_new_session=True) as stranger:
        ours = Process(pid=stranger.pid, started="another boot:12345")
        assert not alive(ours)
        assert not end(ours)
        assert stranger.poll() is None
        assert not end(replace(ours, started=""))
        assert stranger.poll() is None
        stranger.kill()


def test_a_child_that_ended_by_itself_is_known_with_its_status(tmp_path: Path) -> None:
    process = start(tmp_path, "raise SystemExit(3)")
    until = time.monotonic() + 10
    while exit_status(process) is None:
        assert time.monotonic() < until
        time.sleep(0.02)
    assert exit_status(process) == 3
    assert not alive(process)


def test_a_dead_child_that_nobody_collected_counts_as_gone() -> None:
    with subprocess.Popen(["sleep", "60"]) as child:
        stat = Path(f"/proc/{child.pid}/stat").read_text().rpartition(")")[2].split()
        boot = Path("/proc/sys/kernel/random/boot_id").read_text().strip()
        ours = Process(pid=child.pid, started=f"{boot}:{stat[19]}")
        assert alive(ours)
        os.kill(child.pid, signal.SIGKILL)
        until = time.monotonic() + 5
        while alive(ours):
            assert time.monotonic() < until
            time.sleep(0.02)
