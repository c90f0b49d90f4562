"""Runs that do their worst to show a secret: workflows, the command run on them, and a plain search of what is left."""

from __future__ import annotations

import base64
import html
import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple
from urllib.parse import quote, quote_plus

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
from tests.conftest import Site

__all__ = [
    "audited",
    "BREAK",
    "brightest",
    "command",
    "draft",
    "environment",
    "FILL",
    "leaks",
    "LOOK",
    "PAGE",
    "PARAMETERS",
    "picture",
    "Ran",
    "ran",
    "SECRETS",
    "SEND",
    "SHOW",
    "streams",
    "trace_of",
    "workflow",
]

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
        "SKILLNB_SCREENSHOTS": "steps",
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


def audited(result: Ran, out: Path | None = None, more: dict[str, str] | None = None) -> Audit:
    return audit_secrets(
        Workspace(result.place), str(trace_of(out or result.out)), more or {}, environment(result.place)
    )


def streams(result: Ran) -> list[str]:
    outputs = [item for cell in json.loads(result.notebook())["cells"] for item in cell.get("outputs", [])]
    texts = ["".join(item["text"]) for item in outputs if item["output_type"] == "stream"]
    return [line for text in texts for line in text.splitlines()]


def picture(result: Ran, step: str) -> Path:
    events = [line.event for line in read_trace(trace_of(result.out)).lines]
    shot = next(item.screenshot for item in events if isinstance(item, Pictured) and item.step == step)
    return next(result.out.rglob(f"{shot.removeprefix('sha256:')}*"))


def brightest(shot: Image.Image, box: dict[str, float]) -> int:
    inner = (box["x"] + 4, box["y"] + 4, box["x"] + box["width"] - 4, box["y"] + box["height"] - 4)
    return int(shot.convert("L").crop(tuple(map(int, inner))).getextrema()[1])


def trace_of(out: Path) -> Path:
    [trace] = [path for path in out.glob("*.jsonl") if "dispatched" not in path.name]
    return trace
