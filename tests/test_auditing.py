"""Runs that do their worst to show a secret, and the audit of what they left (promise 6)."""

from __future__ import annotations

import base64
import html
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple
from urllib.parse import quote, quote_plus

import pytest
from PIL import Image

from skillnb.auditing import Audit, audit_secrets
from skillnb.notebook import ipynb
from skillnb.notebook.assemble import Header
from skillnb.notebook.compose import StepDraft, compose
from skillnb.notebook.render import render
from skillnb.rules.parameterlines import parse_parameters
from skillnb.store.traces import read_trace
from skillnb.terms.trace import Pictured
from skillnb.workspace import Workspace
from tests.conftest import Site, served

SECRETS = {
    "odd": "p w+%'\"&<é\\12",
    "token": "tok-42&x",
    "word": "passed",
    "longer": "tok-42&x-and-more",
    "pin": "a1",
}
ENCODINGS: tuple[Callable[[str], str], ...] = (
    str,
    quote,
    lambda text: quote(text, safe=""),
    quote_plus,
    lambda text: json.dumps(text)[1:-1],
    lambda text: json.dumps(text, ensure_ascii=False)[1:-1],
    html.escape,
    lambda text: base64.b64encode(text.encode()).decode()[: -4 if len(text) % 3 else None],
    lambda text: base64.b64encode(b"x" + text.encode()).decode()[2:-4],
    lambda text: base64.b64encode(b"xx" + text.encode()).decode()[3:-4],
)
PAGE = """<!doctype html><meta charset="utf-8"><title>Pay</title>
<form action="/index.html"><label>Password <input type="password" name="p" style="width:300px;height:40px"></label>
<p><label>Card <input autocomplete="cc-number" name="card" style="width:300px;height:40px"></label>
<p><label>Phone <input type="tel" name="tel" style="width:300px;height:40px"></label>
<p><label>Pin <input name="pin" style="width:300px;height:40px"></label>
<p><label>City <input name="city" style="width:300px;height:40px"></label>
<p><button>Pay</button></form><p id="echo"></p><p id="tag"></p>
<script>echo.textContent = new URLSearchParams(location.search).get('card') ?? 'nothing yet'</script>
"""
PARAMETERS = "\n".join(f'{name} = "env:T_{name.upper()}"  # secret: one of them' for name in SECRETS)
BOXES = "{name: await page.get_by_label(name).bounding_box() for name in ('Password', 'Card', 'Phone', 'Pin', 'City')}"
FILL = f"""import json
await page.get_by_label("Password").fill(params.token)
await page.get_by_label("Card").fill(params.longer)
await page.get_by_label("Phone").fill(params.odd)
await page.get_by_label("Pin").fill(params.pin)
await page.get_by_label("City").fill("Paris")
print("boxes", json.dumps({BOXES}))"""
SHOW = """import base64, html, json, os, sys, traceback
from urllib.parse import quote, quote_plus
from IPython.display import HTML, display
values = [getattr(params, name) for name in params]
for secret in values:
    for told in (str(secret), str.__repr__(secret), quote(secret), quote_plus(secret), json.dumps(secret)):
        print("told", told)
        print(told, file=sys.stderr)
    print(html.escape(secret), [base64.b64encode(lead + secret.encode()) for lead in (b"", b"x", b"xx")])
    print("\\x1b[31m".join(secret))
    half = len(secret) // 2
    sys.stdout.write(secret[:half])
    sys.stdout.flush()
    display(HTML(f"<b title='{html.escape(secret)}'>{html.escape(secret)}</b>"))
    sys.stdout.write(secret[half:] + "\\n")
    display({"application/json": {str(secret): [str(secret)]}}, raw=True)
try:
    raise ValueError(f"no {params.odd} and {params.token}")
except ValueError:
    get_ipython().showtraceback()
{name: str(value) for name, value in zip(("a", "b", "c", "d", "e"), values)}"""
LOOK = """from pathlib import Path
seen = {"node": 0, "chromium": 0}
for place in Path("/proc").glob("[0-9]*"):
    try:
        line = place.joinpath("cmdline").read_bytes()
        parent = place.joinpath("stat").read_text().rpartition(")")[2].split()[1]
        whole = place.joinpath("environ").read_bytes()
    except OSError:
        continue
    own = b"--user-data-dir=" + os.environ["TMPDIR"].encode() in line
    if own or (b"driver" in line and parent == str(os.getpid())):
        seen["chromium" if own else "node"] += 1
        names = ("T_ODD", "T_TOKEN", "T_LONGER", "SKILLNB_SECRETS")
        assert whole and not [name for name in names if name.encode() in whole]
print("looked", seen["node"] > 0, seen["chromium"] > 0, os.environ["T_TOKEN"] == params.token)"""
BREAK = 'raise ValueError(f"no {params.odd} in {params.token!s}")'
SEND = """await page.get_by_role("button", name="Pay").click()"""


class Ran(NamedTuple):
    status: int
    stdout: str
    stderr: str
    place: Path

    @property
    def out(self) -> Path:
        return self.place / "out"

    def notebook(self) -> str:
        return next(self.out.glob("*.ipynb")).read_text("utf-8")


def workflow(place: Path, site: Site, name: str, *steps: StepDraft, parameters: str = PARAMETERS) -> Path:
    made = compose(
        Header(name=name, site="shop", start_url=f"{site.url}/index.html"),
        f"# {name}\n\nUse it in tests.",
        parse_parameters(parameters).parameters,
        steps,
    )
    path = place / "workflows" / name / "versions" / "0001.ipynb"
    path.parent.mkdir(parents=True)
    ipynb.write(path, render(made))
    return path


def draft(name: str, code: str, post: str = "") -> StepDraft:
    done = f"await page.evaluate(\"tag.textContent += ' did-{name}'\")"
    post = post or f'await gate.text(contains="did-{name}")'
    return StepDraft(name=name, intent=f"Do {name}", procedure=(), code=f"{done}\n{code}", post=post, fallback=False)


def environment(place: Path) -> dict[str, str]:
    for name in ("tmp", "home", "ipython", "out"):
        (place / name).mkdir(parents=True, exist_ok=True)
    places = {"TMPDIR": "tmp", "HOME": "home", "IPYTHONDIR": "ipython", "JUPYTER_RUNTIME_DIR": "runtime"}
    return {
        **os.environ,
        **{name: str(place / folder) for name, folder in places.items()},
        **{f"T_{name.upper()}": value for name, value in SECRETS.items()},
        "SKILLNB_GATE_SECONDS": "1",
        "SKILLNB_PROJECT": str(place),
    }


def command(*arguments: str) -> list[str]:
    return [sys.executable, "-c", "from skillnb.cli.main import main; main()", *arguments]


def ran(place: Path, *arguments: str) -> Ran:
    done = subprocess.run(
        command(*arguments), env=environment(place), cwd=place, capture_output=True, text=True, check=False
    )
    return Ran(done.returncode, done.stdout, done.stderr, place)


def leaks(result: Ran, *, but: tuple[str, ...] = ("word", "pin")) -> list[str]:
    """Every file that the run left, and what it printed, searched by plain comparison."""
    texts = {"stdout": result.stdout, "stderr": result.stderr}
    for folder in ("out", "tmp", "home", "ipython", "runtime", "replay_logs"):
        for path in (result.place / folder).rglob("*"):
            if path.is_file() and not path.is_symlink():
                texts[str(path.relative_to(result.place))] = path.read_bytes().decode("utf-8", "surrogateescape")
    return [
        f"{name} as {encode(value)!r} in {place}"
        for place, text in texts.items()
        for name, value in SECRETS.items()
        if name not in but
        for encode in ENCODINGS
        if encode(value) in text
    ]


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
    [trace] = [path for path in failed.out.glob("*.jsonl") if "dispatched" not in path.name]
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


def test_called_workflows_are_given_secrets_that_nobody_else_knows(shop: Site, place: Path) -> None:
    log_in = draft("log-in", 'print("with", params.key)\nawait page.get_by_label("Card").fill(params.key)')
    workflow(place, shop, "shop/log-in", log_in, parameters='key = "env:T_NONE"  # secret: of the card')
    calls = 'key = "".join(reversed("99-terces-rehtona"))\nprint(key)\nawait call("shop/log-in", key=key)'
    workflow(place, shop, "shop/main", draft("call", calls), parameters="n = 1  # int: a number")
    result = ran(place, "run", "shop/main", "--out", "out")
    assert result.status == 0, result.stdout + result.stderr
    assert "with [secret:shop/log-in.key]" in result.notebook()
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
        env={**environment(place), "SKILLNB_BASE_URL": shop.url},
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


def audited(result: Ran, out: Path | None = None, more: dict[str, str] | None = None) -> Audit:
    [trace] = [path for path in (out or result.out).glob("*.jsonl") if "dispatched" not in path.name]
    return audit_secrets(Workspace(result.place), str(trace), more or {}, environment(result.place))


def streams(result: Ran) -> list[str]:
    outputs = [item for cell in json.loads(result.notebook())["cells"] for item in cell.get("outputs", [])]
    texts = ["".join(item["text"]) for item in outputs if item["output_type"] == "stream"]
    return [line for text in texts for line in text.splitlines()]


def picture(result: Ran, step: str) -> Path:
    [trace] = [path for path in result.out.glob("*.jsonl") if "dispatched" not in path.name]
    events = [line.event for line in read_trace(trace).lines]
    shot = next(item.screenshot for item in events if isinstance(item, Pictured) and item.step == step)
    return next(result.out.rglob(f"{shot.removeprefix('sha256:')}*"))


def brightest(shot: Image.Image, box: dict[str, float]) -> int:
    inner = (box["x"] + 4, box["y"] + 4, box["x"] + box["width"] - 4, box["y"] + box["height"] - 4)
    return int(shot.convert("L").crop(tuple(map(int, inner))).getextrema()[1])
