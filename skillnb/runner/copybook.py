"""The executed copy of the notebook: cells by id, what a run writes beside them, and its summary."""

from __future__ import annotations

import copy
import math
import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from skillnb.codec import canonical, decode, plain
from skillnb.notebook.protocol import Notebooks
from skillnb.rules.bundles import mime, with_picture
from skillnb.rules.masking import Masker
from skillnb.rules.outcome import HEALED
from skillnb.rules.outputs import masked_outputs
from skillnb.rules.spending import together, told_use
from skillnb.runner.behind import Behind
from skillnb.terms.gate import GateResult
from skillnb.terms.outcome import CellStatus, Outcome
from skillnb.terms.outcome import Path as Way
from skillnb.terms.record import FallbackReport, RunResult, StepResult
from skillnb.terms.workflow import Role

__all__ = ["Copybook"]

_SAVING_SHARE = 50
"""Saving may take one part in fifty of the run's time, so that its cost stays linear in the notebook's length."""


class Copybook:
    def __init__(
        self,
        nb: Any,
        path: Path,
        notebooks: Notebooks,
        mask: Masker,
        clock: Callable[[], float],
        behind: Behind,
    ) -> None:
        self.nb, self._path, self._notebooks, self._mask, self._clock = nb, path, notebooks, mask, clock
        self._behind = behind
        self._next_save = 0.0
        for cell in nb["cells"]:
            if cell["cell_type"] == "code":
                cell["outputs"], cell["execution_count"] = [], None
                self.note(cell, status=CellStatus.NOT_RUN)

    def index(self, identifier: str) -> int:
        return next(index for index, cell in enumerate(self.nb["cells"]) if cell.get("id") == identifier)

    def cell(self, identifier: str) -> Any:
        return self.nb["cells"][self.index(identifier)]

    def note(self, cell: Any, **facts: object) -> None:
        """Write under the cell's own ``run`` key, which authored keys never share."""
        own = cell["metadata"].setdefault("skillnb", {})
        run = own.setdefault("run", {})
        run.update(plain(self._mask.term(facts)))

    def ran(self, cell: Any, status: CellStatus, seconds: float) -> None:
        self.note(cell, status=status, seconds=round(seconds, 4))

    def hide(self, cell: Any) -> None:
        """Mask what the cell has put out, however it ended, before anything else can write it anywhere."""
        masked = masked_outputs(cell["outputs"], self._mask)
        # the notebook library's own dictionaries stay what they are
        cell["outputs"] = [type(old)(new) for old, new in zip(cell["outputs"], masked, strict=True)]

    def masked(self, text: str) -> str:
        return self._mask.text(text)

    def learn(self, secrets: Mapping[str, str]) -> None:
        """Values that called workflows were given as secrets: masked from now on."""
        self._mask.learn(secrets)

    def hide_sources(self) -> None:
        """Once nothing is executed any more: no cell of the copy holds a secret, even where its author wrote one."""
        for cell in self.nb["cells"]:
            cell["source"] = self._mask.text(cell["source"])

    def add(self, cell: Any, bundle: Mapping[str, Any], *, first: bool = False) -> None:
        """Put a bundle behind the cell's outputs, or before them."""
        output = self._notebooks.new_output(dict(bundle))
        cell["outputs"].insert(0 if first else len(cell["outputs"]), output)

    def insert_after(self, identifier: str, role: Role, step: str, source: str) -> str:
        """A new code cell behind ``identifier``; returns its id."""
        taken = {cell.get("id") for cell in self.nb["cells"]}
        made = f"{step}-{role}"
        for number in range(2, 100):
            if made not in taken:
                break
            made = f"{step}-{role}-{number}"
        metadata = {"skillnb": {"role": str(role), "step": step, "injected": True}, "tags": [f"skillnb-{role}"]}
        cell = self._notebooks.new_cell("code", made, source, metadata)
        cells = self.nb["cells"]
        # into the same list: papermill and nbclient hold on to it
        cells.insert(self.index(identifier) + 1, cell)
        return made

    def soften_errors(self, identifiers: tuple[str, ...]) -> None:
        """Errors of a step that passed in the end stay readable, but not as ``error`` outputs: those fail a run."""
        for identifier in identifiers:
            cell = self.cell(identifier)
            for position, output in enumerate(cell["outputs"]):
                if output["output_type"] == "error":
                    text = f"first error, overcome: {output['ename']}: {output['evalue']}"
                    self.note(cell, first_error={"name": output["ename"], "message": output["evalue"]})
                    cell["outputs"][position] = self._notebooks.new_output({"text/plain": text})

    def picture(self, step: str, thumbnail: str, blob: str) -> None:
        """Put a step's picture into its result, wherever that stands."""
        for cell in self.nb["cells"]:
            for output in cell.get("outputs", []):
                payload = output.get("data", {}).get(mime("step"))
                if payload is not None and payload["step"] == step:
                    near = os.path.relpath(blob, self._path.parent)
                    output["data"] = type(output["data"])(with_picture(output["data"], thumbnail, near))

    def gate_results(self, cell: Any) -> tuple[GateResult, ...]:
        return tuple(self._payloads(cell, "gate", GateResult))

    def step_results(self, cell: Any) -> tuple[StepResult, ...]:
        return tuple(self._payloads(cell, "step", StepResult))

    def fallback_report(self, cell: Any) -> FallbackReport | None:
        found = list(self._payloads(cell, "fallback", FallbackReport))
        return found[-1] if found else None

    def _payloads(self, cell: Any, kind: str, term: Any) -> Any:
        for output in cell["outputs"]:
            payload = output.get("data", {}).get(mime(kind))
            if payload is not None:
                yield decode(term, canonical(payload), f"cell {cell.get('id')}")

    def save(self, *, now: bool = False) -> None:
        """Save behind the run, unless saving has lately taken more than its share of the time; ``now``: at once."""
        if now:
            self._notebooks.write(self._path, self.nb)
            return
        if self._clock() < self._next_save:
            return
        self._next_save = math.inf  # until this one is written
        as_it_is = copy.deepcopy(self.nb)

        def work() -> None:
            begun = self._clock()
            self._notebooks.write(self._path, as_it_is)
            ended = self._clock()
            self._next_save = ended + (ended - begun) * _SAVING_SHARE

        self._behind.do(work)

    def summarise(self, result: RunResult) -> None:
        """The summary at the top of the copy; a cell that no version knows."""
        rows = "\n".join(
            f"| {step.step} | {step.outcome} | {_way(step)} | {step.seconds:.2f} | {_cell_text(_why(step))} |"
            for step in result.steps
        )
        version = f"{result.workflow}@{result.version}"
        text = (
            f"**Run {result.run_id}** of {version}: **{result.outcome}** in {result.seconds:.1f} s"
            + (f" ({result.reason})" if result.reason else "")
            + f"\n\n| step | outcome | path | seconds | why |\n|---|---|---|---|---|\n{rows}\n"
            + "".join(f"\n{note}\n" for note in result.notes)
        )
        asked = told_use(together(step.use for step in result.steps))
        text += f"\nModel {asked}\n" if asked else ""
        self.hide_sources()
        cell = self._notebooks.new_cell(
            "markdown", "run-summary", self._mask.text(text), {"skillnb": {"role": "note", "injected": True}}
        )
        self.nb["cells"].insert(0, cell)
        own = self.nb["metadata"].setdefault("skillnb", {})
        own["run"] = {
            "run_id": result.run_id,
            "version": result.version,
            "version_id": result.version_id,
            "outcome": str(result.outcome),
            "exit_status": result.exit_status,
            "reason": result.reason,
            "seconds": result.seconds,
        }


def _why(step: StepResult) -> str:
    """Nothing of a step that was done as the version has it."""
    plainly = step.outcome is Outcome.PASSED and step.path is Way.CODE
    return "; ".join(filter(None, ("" if plainly else step.reason, *step.patched)))


def _way(step: StepResult) -> str:
    """Ways that healed stand out."""
    if step.path in HEALED:
        return f"**{step.path}**"
    if step.patched:
        return f"**{step.path}, patched**"
    return str(step.path or "")


def _cell_text(text: str) -> str:
    return text.replace("|", "\\|").replace("\n", " ")[:300]
