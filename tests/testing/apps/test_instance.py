from __future__ import annotations

import os
import signal
import socket
import sqlite3
import subprocess
import sys
import time
import urllib.request
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from skillnb.codec import canonical
from skillnb.errors import AppAmbiguous, AppNotReady, AppNotRunning, PortTaken
from skillnb.testing.apps.catalogue import Release
from skillnb.testing.apps.home import Home
from skillnb.testing.apps.instance import Instance, discard, instances, reset, start, stop
from skillnb.testing.apps.port import free_port, is_free
from skillnb.testing.apps.process import Process

DIRECT = urllib.request.build_opener(urllib.request.ProxyHandler({}))


def groups(instance: Instance) -> int:
    with closing(sqlite3.connect(Path(instance.site) / "db.sqlite3")) as database:
        return int(database.execute("select count(*) from auth_group").fetchone()[0])


def delete_a_group(instance: Instance) -> None:
    with closing(sqlite3.connect(Path(instance.site) / "db.sqlite3")) as database, database:
        database.execute("delete from auth_group where name = 'Interns'")


def status_of(url: str) -> int:
    with DIRECT.open(url, timeout=5) as answer:
        return int(answer.status)


def test_a_started_release_serves_its_seeded_data_until_it_is_stopped(release: Release, home: Home) -> None:
    instance = start(release, home, free_port())
    assert status_of(instance.url + release.ready) == 200
    assert groups(instance) == 4
    assert (instance,) == instances(home)
    assert instance == start(release, home, instance.port)
    assert instance == start(release, home)
    assert instance == stop(release, home)
    assert not instance.running
    assert is_free(instance.port)
    assert instances(home) == ()
    assert stop(release, home) is None
    assert stop(release, home, instance.port) is None


def test_reset_restores_the_data_on_the_same_address(release: Release, home: Home) -> None:
    before = start(release, home, free_port())
    delete_a_group(before)
    after = reset(release, home)
    assert groups(after) == 4
    assert (before.url, before.site) == (after.url, after.site)
    assert not before.running
    assert after.running


def test_a_killed_server_is_seen_as_gone_and_starts_again_with_its_data(release: Release, home: Home) -> None:
    before = start(release, home, free_port())
    delete_a_group(before)
    os.killpg(before.process.pid, signal.SIGKILL)
    until = time.monotonic() + 5
    while before.running:
        assert time.monotonic() < until
        time.sleep(0.02)
    with pytest.raises(AppNotRunning, match=f"start it with `skillnb apps start {release.app} {release.version}`"):
        reset(release, home)
    after = start(release, home, before.port)
    assert status_of(after.url + release.ready) == 200
    assert groups(after) == 3


def test_a_killed_server_can_be_stopped_which_clears_its_record(toy: Release, own_home: Home) -> None:
    instance = start(toy, own_home, free_port())
    os.killpg(instance.process.pid, signal.SIGKILL)
    while instance.running:
        time.sleep(0.02)
    assert (instance,) == instances(own_home)
    assert stop(toy, own_home) is None
    assert instances(own_home) == ()


def test_two_instances_of_one_version_share_nothing(release: Release, home: Home) -> None:
    one, other = start(release, home, free_port()), start(release, home, free_port())
    delete_a_group(one)
    assert (groups(one), groups(other)) == (3, 4)
    with pytest.raises(AppAmbiguous, match=r"say which with --port") as caught:
        stop(release, home)
    assert all(str(each.port) in str(caught.value) for each in (one, other))
    assert one == stop(release, home, one.port)
    assert other.running
    assert other == stop(release, home)


def test_a_record_whose_number_a_stranger_got_harms_nobody(toy: Release, own_home: Home) -> None:
    before = start(toy, own_home, free_port())
    stop(toy, own_home)
    with subprocess.Popen(["sleep", "60"], start_new_session=True) as stranger:
        stale = replace(before, process=Process(pid=stranger.pid, started=before.process.started))
        record = own_home.run / f"toy-1-{before.port}.json"
        record.write_text(canonical(stale))
        assert not instances(own_home)[0].running
        after = start(toy, own_home, before.port)
        assert after.running
        record.write_text(canonical(stale))
        assert stop(toy, own_home, before.port) is None
        assert stranger.poll() is None
        record.write_text(canonical(after))
        stranger.kill()
    assert after == stop(toy, own_home)


@pytest.mark.parametrize("text", ["", "{", "[]", '{"app":"toy"}', "12 \n"])
def test_an_unreadable_record_is_as_good_as_none(toy: Release, own_home: Home, text: str) -> None:
    port = free_port()
    own_home.run.mkdir(parents=True)
    (own_home.run / f"toy-1-{port}.json").write_text(text)
    assert instances(own_home) == ()
    assert stop(toy, own_home, port) is None
    assert start(toy, own_home, port).running


def test_a_port_that_another_program_holds_is_refused(toy: Release, own_home: Home) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = int(listener.getsockname()[1])
        with pytest.raises(PortTaken) as caught:
            start(toy, own_home, port)
        assert f"port {port} on 127.0.0.1 is taken by another program" in str(caught.value)
        assert caught.value.exit_status == 2
        assert instances(own_home) == ()
        assert port != start(replace(toy, port=port), own_home).port


def test_the_preferred_port_is_taken_when_it_is_free(toy: Release, own_home: Home) -> None:
    port = free_port()
    assert port == start(replace(toy, port=port), own_home).port


def test_one_that_ends_before_it_answers_is_told_with_its_log(toy: Release, own_home: Home) -> None:
    broken = replace(toy, serve=("{bin}/python", "-c", "raise SystemExit('not today')"))
    with pytest.raises(AppNotReady) as caught:
        start(broken, own_home, free_port())
    assert "toy 1 did not come up: it ended with status 1 before it answered" in str(caught.value)
    assert Path(caught.value.where).read_text() == "not today\n"
    assert instances(own_home) == ()


def test_one_that_answers_with_errors_only_is_stopped_in_bounded_time(toy: Release, own_home: Home) -> None:
    (toy.files / "status").write_text("503")
    port = free_port()
    with pytest.raises(AppNotReady, match=r"status 503 from http://127.0.0.1:\d+/ within 1 s"):
        start(replace(toy, ready_seconds=1.0), own_home, port)
    assert is_free(port)
    assert instances(own_home) == ()


def test_one_that_does_not_listen_is_stopped_in_bounded_time(toy: Release, own_home: Home) -> None:
    deaf = replace(toy, ready_seconds=0.5, serve=("{bin}/python", "-c", "import time; time.sleep(60)"))
    with pytest.raises(AppNotReady, match=r"no answer from http://127.0.0.1:\d+/ within 0.5 s"):
        start(deaf, own_home, free_port())


def test_a_refusal_to_a_stranger_counts_as_ready(toy: Release, own_home: Home) -> None:
    (toy.files / "status").write_text("403")
    assert start(toy, own_home, free_port()).running


def test_a_server_outlives_the_process_that_started_it(release: Release, home: Home) -> None:
    code = (
        "import sys\nfrom pathlib import Path\n"
        "from skillnb.testing.apps.catalogue import find\n"
        "from skillnb.testing.apps.home import Home\n"
        "from skillnb.testing.apps.instance import start\n"
        "shared, own, version, port = sys.argv[1:]\n"
        "start(find('django-admin', version), Home(shared=Path(shared), own=Path(own)), int(port))\n"
    )
    port = free_port()
    given = [str(home.shared), str(home.own), release.version, str(port)]
    subprocess.run([sys.executable, "-c", code, *given], check=True, timeout=60)
    (instance,) = instances(home)
    assert instance.running
    assert status_of(instance.url + release.ready) == 200
    assert instance == stop(release, home)


def test_discard_removes_the_data_too(toy: Release, own_home: Home) -> None:
    instance = start(toy, own_home, free_port())
    discard(instance, toy, own_home)
    assert not instance.running
    assert not Path(instance.site).exists()
