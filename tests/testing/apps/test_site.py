from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from skillnb.errors import AppNotReady
from skillnb.testing.apps.catalogue import Release
from skillnb.testing.apps.environment import install
from skillnb.testing.apps.home import Home
from skillnb.testing.apps.site import _MARKER, build, restore, variables


def test_the_snapshot_is_built_once_and_anew_when_its_files_change(toy: Release, own_home: Home) -> None:
    install(toy, own_home)
    assert build(toy, own_home)
    assert not build(toy, own_home)
    (toy.files / "status").write_text("204")
    assert build(toy, own_home)
    assert (own_home.snapshot / "toy-1" / "status").read_text() == "204"


def test_a_half_finished_snapshot_is_built_anew(toy: Release, own_home: Home) -> None:
    install(toy, own_home)
    build(toy, own_home)
    (own_home.snapshot / "toy-1" / _MARKER).unlink()
    (own_home.snapshot / "toy-1" / "seeded").unlink()
    assert build(toy, own_home)
    assert (own_home.snapshot / "toy-1" / "seeded").exists()


def test_a_restored_site_holds_the_snapshot_and_nothing_of_before(toy: Release, own_home: Home, tmp_path: Path) -> None:
    install(toy, own_home)
    build(toy, own_home)
    site = tmp_path / "site" / "toy-1-80"
    site.mkdir(parents=True)
    (site / "old").write_text("x")
    restore(toy, own_home, site)
    assert {"seeded", "server.py", "status", _MARKER} == {path.name for path in site.iterdir()}
    assert [site] == list(site.parent.iterdir())


def test_a_failed_seed_names_its_log_and_leaves_no_snapshot(toy: Release, own_home: Home) -> None:
    install(toy, own_home)
    broken = replace(toy, seed=(("{bin}/python", "-c", "raise SystemExit('no seed today')"),))
    with pytest.raises(AppNotReady) as caught:
        build(broken, own_home)
    log = own_home.snapshot / "toy-1.log"
    assert caught.value.where == str(log)
    assert log.read_text() == "no seed today\n"
    assert not (own_home.snapshot / "toy-1").exists()


def test_variables_are_filled_in(toy: Release, own_home: Home) -> None:
    assert variables(toy, own_home, Path("/a/site"))["TOY_SITE"] == "/a/site"
