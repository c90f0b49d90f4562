"""A workflow of ten steps on the shop, four of which must never be done twice; and a run of it, to be killed."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from skillnb.notebook import ipynb
from skillnb.notebook.assemble import Header
from skillnb.notebook.compose import StepDraft, compose
from skillnb.notebook.render import render
from skillnb.terms.workflow import Effect, Parameter, ParameterType, StepSettings, Workflow
from skillnb.testing.site import Site

__all__ = ["effects", "Run", "save", "STEPS", "workflows"]

_PARAMETERS = (
    Parameter(name="customer", type=ParameterType.STRING, default="null", required=True),
    Parameter(name="password", type=ParameterType.SECRET, default='"env:SHOP_PASSWORD"', required=False),
)
_EFFECTS = ("POST /cart", "POST /checkout", "POST /orders/*/tracking", "POST /issues")


def _step(name: str, code: str, post: str, effect: Effect = Effect.READ, checkpoint: str = "") -> StepDraft:
    settings = StepSettings(effect=effect, checkpoint=checkpoint, timeout=20)
    intent = name.replace("-", " ").capitalize()
    return StepDraft(name=name, intent=intent, procedure=(), code=code.strip(), post=post.strip(), settings=settings)


def _login(url: str) -> Workflow:
    log_in = _step(
        "log-in",
        f"""
await page.goto("{url}/login")
await page.get_by_label("Username").fill("alice")
await page.get_by_label("Password").fill(params.password)
await page.get_by_role("button", name="Log in").click()""",
        'await gate.visible(role="button", name="Log out")',
        Effect.IDEMPOTENT,
    )
    header = Header(name="kit/log-in", site="kit", task_type="log in", start_url=url)
    return compose(header, "# Log in", _PARAMETERS[1:], (log_in,))


def _steps(url: str) -> tuple[StepDraft, ...]:
    return (*_to_checkout(url), *_through_the_order(url), *_to_the_issue(url))


def _to_checkout(url: str) -> tuple[StepDraft, ...]:
    return (
        _step(
            "log-in",
            'await call("kit/log-in", password=params.password)',
            'await gate.visible(role="button", name="Log out")',
            Effect.IDEMPOTENT,
        ),
        _step(
            "find-the-lamp",
            f'await page.goto("{url}/products/4")',
            'await gate.visible(role="heading", name="Desk lamp")',
        ),
        _step(
            "add-to-cart",
            'await page.get_by_role("button", name="Add to cart").click()',
            """
await gate.url("**/cart")
await gate.visible(role="cell", name="Desk lamp")""",
            Effect.ONCE,
            "/cart",
        ),
        _step(
            "go-to-checkout",
            'await page.get_by_role("link", name="Checkout").click()',
            'await gate.visible(role="textbox", name="Full name")',
        ),
    )


def _through_the_order(url: str) -> tuple[StepDraft, ...]:
    return (
        _step(
            "place-the-order",
            """
await page.get_by_label("Full name").fill(params.customer)
await page.get_by_label("Address").fill("Rosenweg 2")
await page.get_by_label("Card number").fill("4242424242424242")
await page.get_by_role("button", name="Place order").click()""",
            """
await gate.url("**/orders/*")
await gate.text(contains=params.customer)""",
            Effect.ONCE,
            "/orders",
        ),
        _step(
            "open-the-order",
            f"""
await page.goto("{url}/orders")
await page.get_by_role("row", name=params.customer).get_by_role("link").click()""",
            """
await gate.visible(role="heading", name="Order 1013")
await gate.text(contains=params.customer)""",
        ),
        _step(
            "add-tracking",
            """
await page.get_by_role("link", name="Add tracking").click()
await page.get_by_label("Carrier").select_option(index=1)
await page.get_by_label("Tracking number").fill("TR-77")
await page.get_by_role("button", name="Save tracking").click()""",
            """
await gate.url("**/orders/1013/tracking")
await gate.value(label="Tracking number", equals="TR-77")
await gate.response("POST", "**/orders/1013/tracking")""",
            Effect.ONCE,
            "/orders/1013/tracking",
        ),
    )


def _to_the_issue(url: str) -> tuple[StepDraft, ...]:
    return (
        _step(
            "go-to-issues",
            f'await page.goto("{url}/issues/new")',
            'await gate.visible(role="button", name="Create issue")',
        ),
        _step(
            "report-an-issue",
            """
await page.get_by_label("Title").fill(f"Lamp for {params.customer} is late")
await page.get_by_text("Choose a priority").click()
await page.get_by_text("High", exact=True).click()
await page.get_by_role("button", name="Create issue").click()""",
            """
await gate.url("**/issues/*")
await gate.text(contains=f"Lamp for {params.customer} is late")
await gate.visible(role="button", name="Close issue")""",
            Effect.ONCE,
            "/issues",
        ),
        _step(
            "look-again",
            f'await page.goto("{url}/orders/1013")',
            """
await gate.visible(role="heading", name="Order 1013")
await gate.text(contains="TR-77")""",
        ),
    )


STEPS = tuple(draft.name for draft in _steps(""))


def workflows(url: str) -> tuple[Workflow, Workflow]:
    """The journey, and the log-in that it calls."""
    header = Header(name="kit/journey", site="kit", task_type="order", start_url=f"{url}/")
    return compose(header, "# A journey", _PARAMETERS, _steps(url)), _login(url)


def save(project: Path, url: str) -> None:
    for workflow in workflows(url):
        path = project / "workflows" / workflow.name / "versions" / "0001.ipynb"
        path.parent.mkdir(parents=True, exist_ok=True)
        ipynb.write(path, render(workflow))


def effects(site: Site) -> dict[str, int]:
    """How often each request came that must come once."""
    return {name: site.count(*name.split(" ")) for name in _EFFECTS}


class Run:
    """``skillnb run`` in a process of its own, with temporary files of its own by which its processes are known."""

    def __init__(self, project: Path, *arguments: str, name: str = "kit/journey", seconds: float = 90.0) -> None:
        self.marker = tempfile.mkdtemp(prefix="skj-", dir="/tmp")
        self.out = project / "out"
        self._seconds = seconds
        self._traces = set(self.out.glob("*.jsonl"))
        environment = {**os.environ, "TMPDIR": self.marker, "SHOP_PASSWORD": "wonder-land-7"}
        environment.setdefault("SKILLNB_SCREENSHOTS", "off")
        named = (name,) if name else ()
        places = ("--json", "--project", str(project), "--out", str(self.out))
        main = "from skillnb.cli.main import main; main()"
        self.process = subprocess.Popen(
            [sys.executable, "-c", main, "run", *named, *places, *arguments],
            cwd=project,
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            encoding="utf-8",
        )

    @property
    def trace(self) -> Path | None:
        made = [
            path for path in self.out.glob("*.jsonl") if path not in self._traces and ".dispatched" not in path.name
        ]
        return min(made) if made else None  # later runs write beside it; ids are in order of time

    @property
    def run_id(self) -> str:
        assert self.trace is not None
        return self.trace.stem

    def wait_for_step(self, step: str) -> bool:
        """Until the step is recorded as finished; False when the run ended without."""
        return self.wait_for('"kind":"StepFinished"', f'"step":"{step}"')

    def wait_for(self, *texts: str) -> bool:
        """Until one trace line holds all ``texts``; False when the run ended without."""
        deadline = time.monotonic() + self._seconds
        while time.monotonic() < deadline:
            ended = self.process.poll() is not None
            lines = self.trace.read_text("utf-8", "replace").splitlines() if self.trace else []
            if any(all(text in line for text in texts) for line in lines):
                return True
            if ended:
                return False
            time.sleep(0.005)
        raise TimeoutError(f"no {texts} within {self._seconds:g} s")

    def end(self) -> dict[str, Any]:
        """The run's JSON object, with ``stderr`` and the exit status; empty but for these when it was killed."""
        stdout, stderr = self.process.communicate(timeout=self._seconds)
        told: dict[str, Any] = json.loads(stdout) if stdout.strip().startswith("{") else {}
        return {**told, "exit": self.process.returncode, "stderr": stderr}
