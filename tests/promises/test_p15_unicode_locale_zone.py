"""Promise 15: text of every script goes through whole, locale and zone are the workflow's."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from skillnb.notebook import ipynb
from skillnb.store.traces import read_trace
from skillnb.terms.outcome import Outcome
from skillnb.terms.trace import RunStarted
from skillnb.testing.site import Site
from tests.promises.conftest import Stage
from tests.promises.workflows import parameter, ran, saved, step, workflow

NAME = "王小明 👩‍👩‍👧‍👦 عمر Å"
GREET = step(
    "greet",
    code="""
await page.get_by_label("お名前").fill(params.name)
await page.get_by_role("button", name="送信").click()""".strip(),
    post='await gate.text(role="status", contains=f"ありがとう、{params.name}さん")',
)
HALF = """
await gate.visible(role="heading", name="多言語ページ")
seen = await page.evaluate("document.getElementById('half').textContent")
assert seen == "何もない", f"何もない, not {seen} \\ud83d"
""".strip()
PLAIN = ("LANG", "LC_ALL", "LC_CTYPE", "PYTHONIOENCODING", "PYTHONUTF8")


def _bare(**more: str) -> dict[str, str]:
    """A machine that knows nothing but ASCII, as cron and containers often do."""
    kept = {name: value for name, value in os.environ.items() if name not in PLAIN}
    return {**kept, "LC_ALL": "C", "LANG": "C", **more}


def test_every_script_is_seen_typed_and_read_back(stage: Stage) -> None:
    look = step(
        "look",
        code="pass",
        post="""
await gate.visible(role="heading", name="多言語ページ")
await gate.visible(text="السلام عليكم، الطلب رقم 1001 جاهز")
await gate.text(contains="👩‍👩‍👧‍👦")
await gate.text(contains="cafe\u0301 and café")
await gate.text(contains="Half a sign")""".strip(),
    )
    fill = step(
        "fill",
        'Type {name} in "お名前".',
        post='await gate.value(label="お名前", equals=params.name)',
    )
    send = step(
        "send", 'Press "送信".', post='await gate.text(role="status", contains=f"ありがとう、{params.name}さん")'
    )
    made = workflow(stage.shop.url, look, fill, send, parameters=(parameter("name"),))
    played = stage.play("/languages", made, name=NAME)
    assert played.ways[1:] == ["passed by procedure"] * 2
    assert stage.shop.log()[-1]["form"] == {"name": [NAME]}


def _command(
    project: Path, *arguments: str | bytes, environment: dict[str, str] | None = None
) -> subprocess.CompletedProcess[bytes]:
    main = "from skillnb.cli.main import main; main()"
    return subprocess.run(
        [sys.executable, "-c", main, *arguments],
        cwd=project,
        env=environment or _bare(),
        capture_output=True,
        timeout=90,
        check=False,
    )


def test_a_machine_of_plain_ascii_changes_nothing(project: Path, shop: Site) -> None:
    saved(project, workflow(f"{shop.url}/languages", GREET, parameters=(parameter("name"),)))
    shown = _command(project, "run", "kit/it", "-p", f"name={NAME}".encode(), "--json")
    assert shown.returncode == 0, shown.stderr
    told: dict[str, Any] = json.loads(shown.stdout.decode("utf-8"))
    assert shop.log()[-1]["form"] == {"name": [NAME]}
    began = next(line.event for line in read_trace(project / told["trace"]).lines if isinstance(line.event, RunStarted))
    assert json.loads(began.parameters) == {"name": NAME}
    nb = ipynb.read(project / told["notebook"])
    assert any(repr(NAME) in cell["source"] for cell in nb["cells"] if cell["id"] == "injected-parameters")


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "utf-8"])
def test_a_failure_is_told_in_every_script_and_with_half_a_sign(project: Path, shop: Site, encoding: str) -> None:
    """What the gate saw has a lone surrogate in it; the table and the JSON object are printed all the same."""
    wrong = step("wrong", code="pass", post=HALF)
    saved(project, workflow(f"{shop.url}/languages", wrong))
    for more in ((), ("--json",)):
        shown = _command(project, "run", "kit/it", *more, environment=_bare(PYTHONIOENCODING=encoding))
        assert shown.returncode == 1, shown.stderr
        assert "何もない, not Half a sign" in shown.stdout.decode("utf-8")
        assert b"Traceback" not in shown.stderr


def test_bytes_that_are_no_text_are_refused_or_carried_but_break_nothing(project: Path, shop: Site) -> None:
    saved(project, workflow(f"{shop.url}/languages", GREET, parameters=(parameter("name"),)))
    shown = _command(project, "run", "kit/it", "-p", b"name=\xff", "--json")
    assert shown.returncode == 2, shown.stdout
    assert b"Traceback" not in shown.stderr
    assert b"`name`" in shown.stderr


def test_locale_and_zone_are_the_workflow_s_and_stand_in_the_trace(
    project: Path, shop: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In the page, in one that it opens, and in what a server is asked for."""
    monkeypatch.setenv("TZ", "America/New_York")
    script = "() => [Intl.DateTimeFormat().resolvedOptions().timeZone, (1234.5).toLocaleString(), navigator.language]"
    look = step(
        "look",
        code=f"""
seen = await page.evaluate({script!r})
async with page.expect_popup() as opening:
    await page.get_by_role("link", name="Size guide").click()
tab = await opening.value
await tab.wait_for_load_state()
hour = await page.evaluate("new Date(0).getHours()")
there = await tab.evaluate({script!r})""".strip(),
        post="""
await gate.url("**/windows/sizes")
assert (hour, seen) == (9, ["Asia/Tokyo", "1.234,5", "de-DE"]), seen
assert there == seen, there""".strip(),
    )
    made = replace(workflow(f"{shop.url}/windows", look), locale="de-DE", timezone="Asia/Tokyo")
    result = ran(project, made)
    assert result.outcome is Outcome.PASSED, result.reason
    began = next(line.event for line in read_trace(Path(result.trace)).lines if isinstance(line.event, RunStarted))
    assert (began.locale, began.timezone) == ("de-DE", "Asia/Tokyo")
