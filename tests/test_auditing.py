"""What the worst of runs leaves holds no secret (promise 6), and the audit that says so finds one that is planted."""

from __future__ import annotations

import json
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

import pytest
from PIL import Image

from skillnb.notebook import ipynb
from skillnb.store.traces import read_trace
from tests.conftest import Site, served
from tests.secretruns import (
    FILL,
    LOOK,
    PAGE,
    PARAMETERS,
    SECRETS,
    SEND,
    SHOW,
    Ran,
    audited,
    brightest,
    command,
    draft,
    environment,
    leaks,
    picture,
    ran,
    streams,
    trace_of,
    workflow,
)


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    folder = tmp_path_factory.mktemp("shop")
    (folder / "index.html").write_text(PAGE, "utf-8")
    with served(folder) as site:
        yield site


@pytest.fixture
def place() -> Iterator[Path]:
    """A folder with a short name: the path of a Chromium's socket has room for a hundred characters."""
    with tempfile.TemporaryDirectory(prefix="s") as folder:
        yield Path(folder)


@pytest.fixture(scope="module")
def failed(shop: Site) -> Iterator[Ran]:
    """One run that shows its secrets in every way it can, and then fails."""
    with tempfile.TemporaryDirectory(prefix="s") as folder:
        yield showing(shop, Path(folder))


def showing(shop: Site, place: Path) -> Ran:
    steps = (
        draft("fill", FILL, 'await gate.value(label="Card", equals=params.longer)'),
        draft("show", SHOW),
        draft("look", LOOK),
        draft("send", SEND, 'await gate.text(contains=params.longer)\nawait gate.url("**/index.html?**")'),
        draft(
            "break", 'raise ValueError(f"no {params.odd} in {params.token!s}")', "await gate.text(equals=params.odd)"
        ),
    )
    workflow(place, shop, "shop/pay", *steps)
    return ran(place, "run", "shop/pay", "--out", "out", "--json")


def test_the_run_went_as_far_as_it_should(failed: Ran) -> None:
    assert failed.status == 1, failed.stderr
    steps = {step["step"]: step["outcome"] for step in json.loads(failed.stdout)["steps"]}
    assert steps == {"fill": "passed", "show": "passed", "look": "passed", "send": "passed", "break": "failed"}
    assert "looked True True True" in failed.notebook()


def test_nothing_that_a_run_writes_or_prints_holds_a_secret(failed: Ran) -> None:
    assert leaks(failed) == []


def test_marks_stand_where_the_secrets_were(failed: Ran) -> None:
    marks = [f"[secret:{name}]" for name in SECRETS]
    assert [mark for mark in marks if mark not in failed.notebook()] == []
    assert "[secret:odd]" in failed.stdout
    assert "[secret:odd]" in failed.stderr
    [bundle] = failed.out.glob("*.failure.json")
    assert "[secret:odd]" in bundle.read_text("utf-8")
    blobs = "".join(path.read_text("utf-8") for path in failed.out.rglob("*.json"))
    assert 'textbox \\"Password\\"' in blobs
    assert "?p=[secret:token]&card=[secret:longer]" in blobs


def test_a_common_word_and_a_short_secret_leave_the_record_readable(failed: Ran) -> None:
    trace = trace_of(failed.out)
    assert [line.kind for line in read_trace(trace).lines][-1] == "RunFinished"
    assert '"verdict":"passed"' in trace.read_text("utf-8")
    assert ipynb.read(next(failed.out.glob("*.ipynb")))["nbformat"] == 4


def test_nothing_is_left_in_temporary_folders_or_in_a_history(failed: Ran) -> None:
    assert [path.name for path in (failed.place / "tmp").iterdir() if path.name.startswith("skillnb-")] == []
    assert list((failed.place / "ipython").rglob("history.sqlite")) == []


def test_fields_that_hold_a_secret_are_black_in_pictures_and_others_are_not(failed: Ran) -> None:
    boxes = json.loads(next(line for line in streams(failed) if line.startswith("boxes ")).removeprefix("boxes "))
    with Image.open(picture(failed, "fill")) as shot:
        darkest = {name: brightest(shot, box) for name, box in boxes.items()}
    assert {name: value < 40 for name, value in darkest.items()} == {
        "Password": True,
        "Card": True,
        "Phone": True,
        "Pin": True,
        "City": False,
    }


def test_pictures_hold_no_text_beside_the_picture(failed: Ran) -> None:
    for path in failed.out.rglob("*.jpg"):
        with Image.open(path) as shot:
            assert set(shot.info) <= {"jfif", "jfif_version", "jfif_unit", "jfif_density", "icc_profile"}


def test_an_audit_of_the_run_is_clean(failed: Ran, monkeypatch: pytest.MonkeyPatch) -> None:
    audit = audited(failed)
    assert audit.leaks == ()
    assert audit.short == ("pin",)
    assert {leak.secret for leak in audit.words} <= {"word"}
    assert {Path(file).suffix for file in audit.files} == {".ipynb", ".json", ".jsonl", ".jpg"}


@pytest.mark.parametrize("where", ["*.ipynb", "*.jsonl", "*.failure.json", "blobs/*/*.json", "blobs/*/*.jpg"])
def test_a_planted_secret_is_found(failed: Ran, where: str, tmp_path: Path) -> None:
    out = tmp_path / "out"
    shutil.copytree(failed.out, out)
    target = next(path for path in sorted(out.glob(where)) if "dispatched" not in path.name)
    data = target.read_bytes()
    if target.suffix == ".jpg":
        target.write_bytes(
            data[:2] + b"\xff\xfe\x00\x22" + quote("the tok-42&x", safe="").encode().ljust(32) + data[2:]
        )
    else:
        assert b"[secret:odd]" in data or b"[secret:token]" in data
        shown = json.dumps(SECRETS["token"]).encode()[1:-1]
        target.write_bytes(data.replace(b"[secret:odd]", shown, 1).replace(b"[secret:token]", shown, 1))
    audit = audited(failed, out)
    assert [(leak.secret, Path(leak.file).name) for leak in audit.leaks] == [("token", target.name)]


def test_a_secret_over_several_lines_of_a_notebook_is_found(failed: Ran, tmp_path: Path) -> None:
    out = tmp_path / "out"
    shutil.copytree(failed.out, out)
    [notebook] = out.glob("*.ipynb")
    nb = json.loads(notebook.read_bytes())
    nb["cells"][1]["source"] = ["first line\n", "second line"]
    notebook.write_text(json.dumps(nb), "utf-8")
    assert [leak.secret for leak in audited(failed, out, more={"key": "line\nsecond"}).leaks] == ["key"]


@pytest.mark.parametrize("plain", [False, True], ids=["step", "plain cell"])
def test_called_workflows_are_given_secrets_that_nobody_else_knows(shop: Site, place: Path, plain: bool) -> None:
    log_in = draft("log-in", 'print("with", params.key)\nawait page.get_by_label("Card").fill(params.key)')
    workflow(place, shop, "shop/log-in", log_in, parameters='key = "env:T_NONE"  # secret: of the card')
    calls = 'key = "".join(reversed("99-terces-rehtona"))\nprint(key)\nawait call("shop/log-in", key=key)'
    known = 'if False:\n    await call("shop/log-in", key="")'  # what steps name is what can be called
    step = draft("call", known if plain else calls)
    path = workflow(place, shop, "shop/main", step, parameters="n = 1  # int: a number")
    if plain:
        nb = ipynb.read(path)
        first = next(at for at, cell in enumerate(nb["cells"]) if cell["metadata"].get("skillnb", {}).get("step"))
        nb["cells"].insert(first, ipynb.new_cell("code", "own", calls, {}))
        ipynb.write(path, nb)
    result = ran(place, "run", "shop/main", "--out", "out")
    assert result.status == 0, result.stdout + result.stderr
    assert "with [secret:shop/log-in.key]" in result.notebook()
    assert [
        path.name for path in result.out.rglob("*") if path.is_file() and b"another-secret" in path.read_bytes()
    ] == []


def test_a_kernel_that_dies_with_a_secret_that_nobody_else_knows_leaves_it_nowhere(shop: Site, place: Path) -> None:
    die = (
        'import os, sys\nprint("with", params.key)\nsys.stdout.flush()\nawait asyncio.sleep(1)\nos.kill(os.getpid(), 9)'
    )
    log_in = draft("log-in", f"import asyncio\n{die}")
    workflow(place, shop, "shop/log-in", log_in, parameters='key = "env:T_NONE"  # secret: of the card')
    calls = 'key = "".join(reversed("99-terces-rehtona"))\nprint(key)\nawait call("shop/log-in", key=key)'
    workflow(place, shop, "shop/main", draft("call", calls), parameters="n = 1  # int: a number")
    result = ran(place, "run", "shop/main", "--out", "out")
    assert result.status == 4, result.stdout + result.stderr
    assert [
        path.name for path in result.out.rglob("*") if path.is_file() and b"another-secret" in path.read_bytes()
    ] == []


def test_an_interrupted_run_leaves_no_secret(shop: Site, place: Path) -> None:
    show = 'print("half", params.token, flush=True)'
    code = f'import asyncio\n{show}\nopen("begun", "w").close()\nawait asyncio.sleep(60)'
    workflow(place, shop, "shop/slow", draft("wait", code))
    with subprocess.Popen(
        command("run", "shop/slow", "--out", "out"), env=environment(place), cwd=place, stderr=subprocess.DEVNULL
    ) as process:
        deadline = time.monotonic() + 60
        while not (place / "begun").exists() and time.monotonic() < deadline:
            time.sleep(0.05)
        time.sleep(0.5)
        process.send_signal(signal.SIGTERM)
        assert process.wait(30) == 4
    result = Ran(4, "", "", place)
    assert "half [secret:token]" in result.notebook()
    assert leaks(result) == []


def test_papermill_keeps_secrets_too(shop: Site, place: Path) -> None:
    path = workflow(
        place,
        shop,
        "shop/paper",
        draft("print", 'print("it is", params.token, params.user, user)'),
        parameters=PARAMETERS + '\nuser = ""  # string: who',
    )
    given = ["-r", "token", "typed-tok-77", "-r", "user", "typed-tok-77"]
    streams = ["--log-output", "--stdout-file", "out/stdout.txt", "--stderr-file", "out/stderr.txt"]
    code = "from papermill.__main__ import papermill; papermill()"
    done = subprocess.run(
        [sys.executable, "-c", code, "--engine", "skillnb", *streams, *given, str(path), "out/copy.ipynb"],
        env={**environment(place), "SKILLNB_SITE_URL": shop.url},
        cwd=place,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    written = {path: path.read_bytes() for path in place.rglob("*") if path.is_file()}
    assert [str(path) for path, data in written.items() if b"typed-tok" in data] == []
    assert "typed-tok" not in done.stdout + done.stderr
    assert "it is [secret:token] [secret:token] [secret:token]" in (place / "out" / "stdout.txt").read_text("utf-8")


def test_bad_parameters_never_quote_a_secret(shop: Site, place: Path) -> None:
    workflow(place, shop, "shop/bad", draft("x", "pass"), parameters=PARAMETERS + "\nn = 1  # int: a number")
    result = ran(place, "run", "shop/bad", "-p", "token=typed-tok-77", "-p", "n=typed-tok-77")
    assert (result.status, "typed-tok" in result.stderr) == (2, False)
    assert "'[secret:token]' is no int" in result.stderr
