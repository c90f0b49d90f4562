from __future__ import annotations

import subprocess
from dataclasses import replace

import pytest

from skillnb.errors import AppNotReady
from skillnb.testing.apps.catalogue import Release
from skillnb.testing.apps.environment import _MARKER, install, installed, programs, surroundings
from skillnb.testing.apps.home import Home


def test_the_installed_environment_holds_the_pinned_version(release: Release, home: Home) -> None:
    install(release, home)
    asked = [str(programs(release, home) / "python"), "-c", "import django; print(django.__version__)"]
    found = subprocess.run(asked, capture_output=True, text=True, check=True, env=surroundings()).stdout.strip()
    assert f"django=={found}" in release.requirements


def test_a_whole_environment_is_left_as_it_is(toy: Release, own_home: Home) -> None:
    assert not installed(toy, own_home)
    assert install(toy, own_home)
    assert installed(toy, own_home)
    assert not install(toy, own_home)


def test_a_half_finished_environment_is_made_anew(toy: Release, own_home: Home) -> None:
    half = own_home.env / toy.name
    half.mkdir(parents=True)
    (half / "left-over").write_text("of a killed install")
    assert install(toy, own_home)
    assert not (half / "left-over").exists()
    assert (half / _MARKER).exists()


def test_other_requirements_make_it_anew(toy: Release, own_home: Home) -> None:
    install(toy, own_home)
    assert not installed(replace(toy, requirements=("sqlparse==0.6.1",)), own_home)


def test_a_failed_install_names_its_log_and_leaves_no_marker(toy: Release, own_home: Home) -> None:
    broken = replace(toy, requirements=("not a requirement",))
    with pytest.raises(AppNotReady) as caught:
        install(broken, own_home)
    log = own_home.env / "toy-1.log"
    assert str(caught.value).startswith(f"{log}: toy 1 did not come up: `")
    assert "requirement" in log.read_text()
    assert not installed(broken, own_home)
    assert caught.value.exit_status == 4


def test_without_uv_the_standard_library_and_pip_do_it(
    toy: Release, own_home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("skillnb.testing.apps.environment.shutil.which", lambda *_, **__: None)
    assert install(replace(toy, requirements=("sqlparse==0.6.1",)), own_home)
    asked = [str(programs(toy, own_home) / "python"), "-c", "import sqlparse; print(sqlparse.__version__)"]
    assert subprocess.run(asked, capture_output=True, text=True, check=True).stdout == "0.6.1\n"


def test_our_own_python_settings_stay_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", "/ours")
    monkeypatch.setenv("VIRTUAL_ENV", "/ours")
    monkeypatch.setenv("LANG", "C")
    made = surroundings()
    assert (made.get("PYTHONPATH"), made.get("VIRTUAL_ENV"), made.get("LANG")) == (None, None, "C")
