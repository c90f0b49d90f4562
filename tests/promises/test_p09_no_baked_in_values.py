"""Promise 9: recorded as Alice, run as Bob. The shop's own ledger tells whose values arrived."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from skillnb.notebook.recorded import from_recording
from skillnb.rules.proposing import Proposal, proposed
from skillnb.rules.recording import Recording, read_recording
from skillnb.terms.outcome import Outcome
from skillnb.terms.outcome import Path as Way
from skillnb.testing.site import Site
from tests.promises.workflows import command, path_of, ran

RECORDINGS = Path(__file__).parents[1] / "golden" / "recordings"
NAME = "kit/add-an-address"
BOBS = {
    "first_name": 'Bob "the {lamp}"',
    "last_name": "O'Ünï & <b>100%</b>",
    "street": "12 Mill / Road",
    "city": "東京",
}


def recorded(name: str, shop: Site, folder: Path) -> Path:
    """The recording as it had been made on this shop."""
    text = (RECORDINGS / f"{name}.py.txt").read_text("utf-8")
    file = folder / "recording.py"
    file.write_text(text.replace("http://127.0.0.1:8200", shop.url), "utf-8")
    return file


def test_recorded_as_alice_run_as_bob(project: Path, shop: Site) -> None:
    file = recorded("add-an-address", shop, project)
    environment = dict(os.environ) | {"KIT_BOB": shop.credentials["bob"]}
    made = command(project, "import", "codegen", str(file), "--name", NAME, "--json", environment=environment)
    assert made.returncode == 0, made.stderr
    told = json.loads(made.stdout)
    assert told["findings"] == []
    assert all(step["gated"] for step in told["steps"])
    notebook = path_of(project, NAME).read_text("utf-8")
    assert shop.credentials["alice"] not in notebook

    given = [text for name, value in BOBS.items() for text in ("-p", f"{name}={value}")]
    who = ["-p", "username=bob", "-p", "password=env:KIT_BOB"]
    done = command(project, "run", NAME, "--json", "--no-repair", *who, *given, environment=environment)
    result = json.loads(done.stdout)
    assert (done.returncode, result["outcome"]) == (0, "passed"), json.dumps(result["steps"], indent=1)
    assert [step["path"] for step in result["steps"]] == ["code"] * 4

    asked = [(entry["method"], entry["path"], entry["user"]) for entry in shop.log()]
    assert asked == [("POST", "/login", ""), ("POST", "/addresses", "bob")]
    login, address = (entry["form"] for entry in shop.log())
    assert login["username"] == ["bob"]
    assert {name: address[name] for name in BOBS} == {name: [value] for name, value in BOBS.items()}
    assert "alice" not in json.dumps(shop.log()).casefold()


def test_nothing_is_run_with_the_recordings_values_by_default(project: Path, shop: Site) -> None:
    file = recorded("add-an-address", shop, project)
    command(project, "import", "codegen", str(file), "--name", NAME, environment=os.environ)
    done = command(project, "run", NAME, environment=os.environ)
    assert done.returncode == 2
    assert "username" in done.stderr
    assert shop.counts() == {}


def test_a_value_that_was_left_is_told_with_its_place(project: Path, shop: Site) -> None:
    file = recorded("cancel-order", shop, project)
    made = command(project, "import", "codegen", str(file), "--name", "kit/cancel", "--json", environment=os.environ)
    left = [found for found in json.loads(made.stdout)["findings"] if found["code"] == "run-value"]
    assert len(left) == 8
    assert all("'1003'" in found["reason"] and "-p name=value" in found["remedy"] for found in left)
    again = ["--name", "kit/cancel-any", "-p", "order=1003", "--json"]
    better = command(project, "import", "codegen", str(file), *again, environment=os.environ)
    assert [found["code"] for found in json.loads(better.stdout)["findings"]] == ["no-post-gate"]
    assert "1003" not in path_of(project, "kit/cancel-any").read_text("utf-8").replace('recorded as \\"1003\\"', "")


def test_the_sentences_alone_do_the_same(project: Path, shop: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    """What was proposed as guidance is followed without any of the code, and proven by the same gates."""
    file = recorded("add-an-address", shop, project)
    read = read_recording(file.read_text("utf-8"))
    assert isinstance(read, Recording)
    proposal = proposed(read)
    assert isinstance(proposal, Proposal)
    bare = from_recording(NAME, proposal._replace(steps=tuple(step._replace(code="") for step in proposal.steps)))
    monkeypatch.setenv("KIT_BOB", shop.credentials["bob"])
    result = ran(project, bare, username="bob", password="env:KIT_BOB", **BOBS)
    assert [(step.outcome, step.path) for step in result.steps] == [(Outcome.PASSED, Way.PROCEDURE)] * 4
    assert [entry["user"] for entry in shop.log()] == ["", "bob"]
    assert {name: shop.log()[1]["form"][name] for name in BOBS} == {name: [value] for name, value in BOBS.items()}
