from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

from skillnb.testing.apps.lock import exclusive

HOLD = """\
import sys, time
from pathlib import Path
from skillnb.testing.apps.lock import exclusive
with exclusive(Path(sys.argv[1])):
    print("held", flush=True)
    time.sleep(60)
"""


def test_a_lock_is_waited_for_and_dies_with_its_holder(tmp_path: Path) -> None:
    path = tmp_path / "new" / "a.lock"
    with subprocess.Popen([sys.executable, "-c", HOLD, str(path)], stdout=subprocess.PIPE, text=True) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == "held\n"
        with subprocess.Popen([sys.executable, "-c", HOLD, str(path)], stdout=subprocess.PIPE, text=True) as waiter:
            assert waiter.stdout is not None
            time.sleep(0.3)
            assert waiter.poll() is None
            holder.kill()
            assert waiter.stdout.readline() == "held\n"
            waiter.kill()
    with exclusive(path):
        assert path.exists()
