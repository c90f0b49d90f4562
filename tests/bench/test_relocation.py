from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from bench.changedpages import hit, read
from bench.fitting import Fitting
from bench.relocation import main


def item(tag: str, text: str, path: str, y: int, **more: object) -> dict[str, Any]:
    return {
        "tag": tag,
        "visibleText": text.split(),
        "xpath": f"/html[1]/body[1]/{path}",
        "idxpath": f"/html[1]/body[1]/{path}",
        "location": {"x": 40, "y": y, "width": 90, "height": 20},
        "area": 1800,
        "shape": 450,
        "id": "",
        "name": None,
        "alt": "",
        "href": "",
        "classList": [],
        "neighborText": [],
        "isButton": False,
        **more,
    }


WORDS = ("Home", "Orders", "Customers", "Reports", "Discounts")


def site(name: str) -> dict[str, Any]:
    """Five links that moved, one of them answered wrongly by the file's truth, and one that is gone and doubtful."""
    host = f"http://www.{name}.example"
    links = {
        word: item("A", word, f"div[1]/nav[1]/a[{at}]", 30 * at, href=f"{host}/{word}/")
        for at, word in enumerate(WORDS, 1)
    }
    now = [
        {
            **one,
            "xpath": one["xpath"].replace("/div[1]", "/section[1]/div[2]"),
            "location": {**one["location"], "y": 500},
        }
        for one in links.values()
    ]
    paths = {word: one["xpath"] for word, one in zip(WORDS, now, strict=True)}
    wrong = {**paths, "Reports": paths["Home"]} if name == "third" else paths
    cases = [
        {"target": links[word], "truth_xpath": wrong[word], "baselines": {"similo": word != "Home", "robula": False}}
        for word in WORDS
    ]
    gone = item("A", "Imprint", "footer[1]/a[1]", 900, href=f"{host}/imprint/")
    doubtful = {"target": gone, "truth_xpath": "/html[1]/body[1]/p[1]", "baselines": {}, "doubtful": True}
    lost = {"target": gone, "truth_xpath": "/html[1]/body[1]/p[1]", "baselines": {"similo": False, "robula": True}}
    return {
        "site": name,
        "old_url": f"https://archive.example/web/2017if_/{host}/",
        "new_url": f"https://archive.example/web/2020if_/{host}/",
        "candidates": now,
        "cases": [*cases, doubtful, *([lost] if name == "second" else [])],
    }


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "first.json").write_text(json.dumps(site("first")), "utf-8")
    (tmp_path / "second.json.gz").write_bytes(gzip.compress(json.dumps(site("second")).encode()))
    (tmp_path / "third.json").write_text(json.dumps(site("third")), "utf-8")
    (tmp_path / "notes.txt").write_text("no site", "utf-8")
    return tmp_path


def test_every_element_is_counted_once_and_doubtful_ones_not(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main([str(folder), "--json"])
    told = json.loads(capsys.readouterr().out)
    counts = {key: told[key] for key in ("n", "forced_right", "right", "wrong", "abstained", "sites", "weights")}
    assert counts == {
        "n": 16,
        "forced_right": 14,
        "right": 14,
        "wrong": 1,
        "abstained": 1,
        "sites": 3,
        "weights": "shipped",
    }
    assert 0 < told["ms_per_element"] < told["ms_per_element_with_its_share_of_pages"]


def test_the_table_sets_ours_beside_the_published(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main([str(folder), "--gone"])
    rows = [line.split() for line in capsys.readouterr().out.splitlines()]
    assert ["second", "6", "5", "5", "0", "1", "|", "4", "1", "-"] in rows
    assert ["all", "16", "14", "14", "1", "1", "|", "12", "1", "-"] in rows
    assert ["right", "of", "the", "15", "answers", "given:", "93.3%"] in rows
    assert ["gone_given:", "1"] in rows  # the one that the file's truth takes for another
    assert ["gone_given_same_by_name:", "1"] in rows


def test_weights_fitted_without_a_site_have_not_seen_it(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main([str(folder), "--leave-one-out", "--json"])
    told = json.loads(capsys.readouterr().out)
    assert (told["n"], told["forced_right"]) == (16, 14)
    assert told["weights"] == "fitted for each site on the others"
    both, without = Fitting(read(folder)), Fitting(page for page in read(folder) if page.site != "third")
    assert both.weights(without="third").features == pytest.approx(without.weights().features, abs=0.02)


def test_a_folder_without_sites_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stopped:
        main([str(tmp_path)])
    assert stopped.value.code == 2
    assert "holds no *.json or *.json.gz with cases" in capsys.readouterr().err


def test_addresses_lose_the_archive_and_their_own_site(folder: Path) -> None:
    page = next(read(folder))
    assert [one.href for one in page.candidates] == [f"/{word}/" for word in WORDS]
    assert page.cases[0].was.href == "/Home/"


def test_a_hit_is_one_step_away_at_most() -> None:
    assert all(hit(answer, "/a/b") for answer in ("/a/b", "/a", "/a/b/c"))
    assert not any(hit(answer, "/a/b") for answer in ("/a/b/c/d", "/a/bc", "/a/c"))
