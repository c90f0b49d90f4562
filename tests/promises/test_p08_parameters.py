"""Promise 8: parameters are typed, resolved before anything starts, and safe in every place they come to."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from skillnb.cli.main import main
from skillnb.terms.workflow import ParameterType, Workflow
from skillnb.testing.site import Site
from tests.promises.conftest import Stage
from tests.promises.workflows import command, parameter, ran, saved, step, workflow

KIND = ParameterType
TYPED = (
    parameter("first_name"),
    parameter("count", KIND.INT),
    parameter("ratio", KIND.FLOAT),
    parameter("urgent", KIND.BOOL),
    parameter("due", KIND.DATE),
    parameter("at", KIND.DATETIME),
    parameter("size", KIND.ENUM, choices=("small", "very large")),
    parameter("picture", KIND.FILE),
    parameter("tags", KIND.JSON),
    parameter("pin", KIND.SECRET, default='"env:KIT_PIN"', required=False),
)
SEND = """\
import json
names = ("first_name", "count", "ratio", "urgent", "due", "at", "size", "tags")
text = json.dumps([[type(getattr(params, name)).__name__, getattr(params, name)] for name in names], ensure_ascii=False)
await page.get_by_label("Your review").fill(text + f"|{len(params.pin)}|{len(open(params.picture).read())}")
await page.get_by_role("button", name="Post review").click()
"""
WANTED = [
    ["str", "Zoë {x} 100% a/b 'q' \"q\" \\n"],
    ["int", 42],
    ["float", 2.5],
    ["bool", True],
    ["str", "2026-02-28"],
    ["str", "2026-02-28T09:30:00+01:00"],
    ["str", "very large"],
    ["dict", {"a b": [1, None, "ü"]}],
]


def typed(shop: Site) -> Workflow:
    send = step("send", code=SEND, post='await gate.text(role="status", contains="Review posted")')
    return workflow(f"{shop.url}/reviews", send, parameters=TYPED)


def given(project: Path, option: str) -> list[str]:
    (project / "a picture.txt").write_text("12345", "utf-8")
    values = {
        "first_name": WANTED[0][1],
        "count": "42",
        "ratio": "2.5",
        "urgent": "true",
        "due": "2026-02-28",
        "at": "2026-02-28T09:30:00+01:00",
        "size": "very large",
        "picture": "a picture.txt",
        "tags": '{"a b": [1, null, "ü"]}',
    }
    if option == "-p":
        return [part for name, value in values.items() for part in ("-p", f"{name}={value}")]
    return [part for name, value in values.items() for part in ("-r", name, str(value))]


@pytest.mark.parametrize("front", ["skillnb run", "papermill"])
def test_each_type_comes_to_the_page_as_it_was_given(
    project: Path, shop: Site, front: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("KIT_PIN", "sesame-77")
    path = saved(project, typed(shop))
    if front == "papermill":
        values = given(project, "-r")
        engine = [sys.executable, "-m", "papermill", "--engine", "skillnb", "--no-progress-bar"]
        answer = subprocess.run(
            [*engine, str(path), "out.ipynb", *values], cwd=project, capture_output=True, text=True, check=False
        )
    else:
        answer = command(project, "run", "kit/it", *given(project, "-p"), environment=os.environ)
    assert answer.returncode == 0, answer.stderr
    text, pin, size = shop.rows("reviews")[-1]["text"].rsplit("|", 2)
    assert (json.loads(text), pin, size) == (WANTED, "9", "5")


HOSTILE = [
    "{braces} {{double}} {first_name}",
    "100% %s %(x)s %%",
    "a/b\\c ../../etc",
    """'single' "double" `back` '''three''' \"\"\"three\"\"\"""",
    "two\nlines\n\nand a tab\there",
    "日本語 العربية Zoë 👩‍👩‍👧‍👦 é",
    "<b>&amp;</b> </textarea><script>alert(1)</script>",
    "${HOME} $(id) `id`; rm -rf /",
    "  leading and trailing  ",
    "name = 1  # string, required",
    "x" * 5000,
]


@pytest.mark.parametrize("value", HOSTILE, ids=[repr(value[:20]) for value in HOSTILE])
def test_what_is_in_a_value_stays_in_it(stage: Stage, value: str) -> None:
    """In code and in sentences; the shop keeps what was given (it takes outer blanks off)."""
    code = (
        'await page.get_by_label("Your review").fill(params.text)\n'
        'await page.get_by_role("button", name="Post review").click()'
    )
    by_code = step("send", code=code, post='await gate.text(role="status", contains="Review posted")')
    by_words = step(
        "send",
        'Type {text} into "Your review".',
        'Press "Post review".',
        post='await gate.text(role="status", contains="Review posted")',
    )
    for made in (by_code, by_words):
        played = stage.play("/reviews", workflow("/reviews", made, parameters=(parameter("text"),)), text=value)
        assert played.last.outcome == "passed", played.last.reason
        kept = str(stage.shop.rows("reviews")[-1]["text"]).replace("\r\n", "\n")
        assert kept.strip() == value.strip()


def test_a_value_in_an_address_and_in_a_gate(stage: Stage) -> None:
    search = step(
        "search",
        code='await page.get_by_label("Search products").fill(params.words)\n'
        'await page.get_by_role("button", name="Search", exact=True).click()',
        post='await gate.value(label="Search products", equals=params.words)\n'
        'await gate.text(contains="0 products")\nawait gate.url("**/products?q=*")',
    )
    made = workflow("/products", search, parameters=(parameter("words"),))
    for words in ("50% {off} a/b?c&d=e#f", "Zoë “quoted” 'x'"):
        assert stage.play("/products", made, words=words).ways == ["passed by code"], words


# bad input: one clear error, exit 2, nothing started, nothing written


class Started:
    """Counts processes that this one starts."""

    def __init__(self) -> None:
        self.counting, self.count = False, 0
        sys.addaudithook(self._hear)

    def _hear(self, event: str, _arguments: tuple[Any, ...]) -> None:
        if self.counting and event in {"subprocess.Popen", "os.fork", "os.forkpty", "os.posix_spawn"}:
            self.count += 1


@pytest.fixture(scope="module")
def _started() -> Started:
    return Started()


@pytest.fixture
def started(_started: Started) -> Iterator[Started]:
    _started.counting, _started.count = True, 0
    yield _started
    _started.counting = False


def files(folder: Path) -> dict[str, bytes]:
    return {str(path): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def refused(project: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    """What the command says, after it was seen to have done nothing but that."""
    before = files(project)
    monkeypatch.chdir(project)
    monkeypatch.setattr(sys, "argv", ["skillnb", "run", *arguments])
    with pytest.raises(SystemExit) as left:
        main()
    said = capsys.readouterr()
    assert (left.value.code, said.out, files(project)) == (2, "", before), said.err
    return said.err


def simple() -> Workflow:
    send = step(
        "send", "Do it.", pre='await gate.url("**/x")', code="await page.reload()", post='await gate.url("**/y")'
    )
    return workflow("http://127.0.0.1:1/x", send, parameters=(parameter("order", KIND.INT),))


def edited(change: Callable[[Any], None]) -> Callable[[str], str]:
    def change_text(text: str) -> str:
        nb = json.loads(text)
        change(nb)
        return json.dumps(nb)

    return change_text


def cell(nb: Any, identifier: str) -> Any:
    return next(item for item in nb["cells"] if item["id"] == identifier)


def written(identifier: str, source: str) -> Callable[[str], str]:
    return edited(lambda nb: cell(nb, identifier).update(source=source))


FILES: dict[str, tuple[Callable[[str], str], str]] = {
    "no JSON": (lambda text: text[:200], "is not JSON"),
    "an empty file": (lambda text: "", "the file is empty"),
    "conflict markers": (lambda text: "<<<<<<< ours\n" + text, "is not JSON"),
    "conflict markers in a cell": (
        written("send-code", "<<<<<<< ours\nawait page.reload()\n=======\nawait page.go_back()\n>>>>>>> theirs"),
        "merge conflict",
    ),
    "NaN": (lambda text: text.replace('"nbformat": 4,', '"nbformat": 4, "x": NaN,', 1), "it holds NaN"),
    "format 4.4 with ids": (edited(lambda nb: nb.update(nbformat_minor=4)), "the format is 4.4, not 4.5"),
    "an id twice": (
        edited(lambda nb: nb["cells"].append({**cell(nb, "card")})),
        "cell id 'card' is used twice",
    ),
    "a step without its procedure": (
        edited(lambda nb: cell(nb, "send-post")["metadata"]["skillnb"].update(step="sned")),
        "sned",
    ),
    "an unknown role": (
        edited(lambda nb: cell(nb, "send-post")["metadata"]["skillnb"].update(role="proof")),
        "proof",
    ),
    "sync Playwright": (
        written("send-code", "from playwright.sync_api import sync_playwright\nsync_playwright().start()"),
        "the sync Playwright API can't run in a notebook; use `page`, with await",
    ),
    "asyncio.run": (
        written("send-code", "import asyncio\nasyncio.run(page.reload())"),
        "`asyncio.run` can't run in a notebook, where a loop already runs; await it directly",
    ),
    "no Python": (written("send-code", "await page.reload("), "not Python"),
    "no kernelspec": (edited(lambda nb: nb["metadata"].pop("kernelspec")), "kernelspec"),
}


@pytest.mark.parametrize("case", FILES)
def test_a_file_that_is_no_workflow(
    project: Path, started: Started, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], case: str
) -> None:
    change, reason = FILES[case]
    path = saved(project, simple())
    path.write_text(change(path.read_text("utf-8")), "utf-8")
    said = refused(project, monkeypatch, capsys, "kit/it", "-p", "order=1")
    assert reason in said
    assert "0001.ipynb" in said
    assert started.count == 0


ARGUMENTS: dict[str, tuple[tuple[str, ...], str]] = {
    "a parameter left out": (("kit/it",), "order"),
    "one that is not declared": (("kit/it", "-p", "order=1", "-p", "ordr=2"), "ordr"),
    "no number": (("kit/it", "-p", "order=one"), "'one' is no int"),
    "a number with a point": (("kit/it", "-p", "order=1.0"), "'1.0' is no int"),
    "not a number": (("kit/it", "-p", "order=NaN"), "'NaN' is no int"),
    "no value": (("kit/it", "-p", "order"), "a parameter is given as key=value"),
    "given twice": (("kit/it", "-p", "order=1", "-p", "order=2"), "parameter order is given twice"),
    "a bad name": (("Kit/It", "-p", "order=1"), "a workflow is named site/name"),
    "a name without a site": (("it", "-p", "order=1"), "a workflow is named site/name"),
    "a way out of the folder": (("../kit/it", "-p", "order=1"), "a workflow is named site/name"),
    "no such workflow": (("kit/its", "-p", "order=1"), "did you mean kit/it?"),
    "no such version": (("kit/it@7", "-p", "order=1"), "no workflow kit/it@7"),
    "a version that is no number": (("kit/it@x", "-p", "order=1"), "kit/it@x"),
    "no such file": (("nothing.ipynb",), "nothing.ipynb"),
    "nothing at all": ((), "name a workflow"),
    "no such run": (("--resume", "20260101T000000000Z-abcdef"), "20260101T000000000Z-abcdef"),
}


@pytest.mark.parametrize("case", ARGUMENTS)
def test_arguments_that_mean_nothing(
    project: Path, started: Started, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], case: str
) -> None:
    arguments, reason = ARGUMENTS[case]
    saved(project, simple())
    assert reason in refused(project, monkeypatch, capsys, *arguments)
    assert started.count == 0


def test_all_that_is_wrong_is_said_at_once(
    project: Path, started: Started, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    saved(
        project,
        workflow("http://127.0.0.1:1/x", step("send", "Do it.", post='await gate.url("**/y")'), parameters=TYPED),
    )
    wrong = ("count=x", "ratio=inf", "urgent=maybe", "due=2026-02-30", "at=2026-02-28T09:30", "size=large", "tags={")
    said = refused(project, monkeypatch, capsys, "kit/it", *(part for item in wrong for part in ("-p", item)))
    for name in ("first_name", "count", "ratio", "urgent", "due", "at", "size", "picture", "tags"):
        assert name in said
    assert said.count("skillnb: ") == 1
    assert (started.count, "KIT_PIN" in said) == (0, True)


def test_a_run_that_is_well_asked_for_does_start_processes(project: Path, shop: Site, started: Started) -> None:
    """The count above can tell."""
    made = workflow(f"{shop.url}/reviews", step("look", code="pass", post='await gate.url("**/reviews")'))
    assert ran(project, made).exit_status == 0
    assert started.count >= 2
