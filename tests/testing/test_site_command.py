"""``skillnb demo-site`` as a process: says where it is, serves, ends when told to."""

from __future__ import annotations

import signal
import socket
import subprocess
import sys
from urllib.request import urlopen

import pytest

COMMAND = [sys.executable, "-c", "from skillnb.cli.main import main; main()", "demo-site"]


@pytest.mark.parametrize("told", [signal.SIGINT, signal.SIGTERM])
def test_it_serves_until_it_is_told_to_end(told: signal.Signals) -> None:
    with subprocess.Popen(COMMAND, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        url = process.stdout.readline().strip()
        assert process.stdout.readline() == "log in as alice with password wonder-land-7\n"
        with urlopen(url) as answer:
            assert answer.status == 200
        process.send_signal(told)
        assert process.wait(timeout=10) == 0
        assert process.stderr is not None
        assert process.stderr.read() == "Ctrl-C ends it\n"


def test_a_port_that_is_taken_is_one_line_and_status_2() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        done = subprocess.run([*COMMAND, "--port", port], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(f"skillnb: port {port} on 127.0.0.1 is taken by another program;")
