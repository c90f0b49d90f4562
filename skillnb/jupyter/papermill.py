"""papermill's engine ``skillnb``: the same machine as ``skillnb run``, same statuses, evidence and exit status.

papermill loads every engine at start, so this module stays cheap: what runs a workflow is imported when one is run.
"""

from __future__ import annotations

import os
import time
from collections.abc import Mapping
from importlib import import_module
from pathlib import Path
from typing import Any, TextIO

from click import ClickException
from papermill.engines import Engine, NotebookExecutionManager
from papermill.log import logger

from skillnb.errors import SkillnbError

__all__ = ["RunNotPassed", "SkillnbEngine"]

_SAVING_SHARE = 20
_STATUS = {
    "passed": NotebookExecutionManager.COMPLETED,
    "repaired": NotebookExecutionManager.COMPLETED,
    "skipped": NotebookExecutionManager.COMPLETED,
    "failed": NotebookExecutionManager.FAILED,
    "timeout": NotebookExecutionManager.FAILED,
    "not-run": NotebookExecutionManager.PENDING,
}


class RunNotPassed(ClickException):
    """Carries skillnb's exit status through papermill's command line, which is click's; 2 means nothing was started."""

    def __init__(self, message: str, exit_code: int) -> None:
        super().__init__(message)
        self.exit_code = exit_code  # type: ignore[misc]  # click reads it from the instance as well


class _Manager(NotebookExecutionManager):
    """papermill's bookkeeping told the truth: a cell that was never run is never called completed."""

    pbar: Any

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self._next_save = 0.0
        self._counted: set[str] = set()
        self.passed = False

    def save(self, **options: Any) -> None:
        """Save at most one part in twenty of the time: two saves a cell would grow with the square of the length."""
        begun = time.monotonic()
        if begun >= self._next_save:
            super().save(**options)
            self._next_save = time.monotonic() + (time.monotonic() - begun) * _SAVING_SHARE

    def cell_complete(self, cell: Any, cell_index: int | None = None, **options: Any) -> None:
        bar: Any = self.pbar
        self.pbar = None  # a cell that runs twice moves the bar once
        super().cell_complete(cell, cell_index, **options)
        self.pbar = bar
        if bar and cell.id not in self._counted:
            self._counted.add(cell.id)
            bar.update(1)

    def notebook_complete(self, **options: Any) -> None:
        for cell in self.nb.cells:
            own = cell.metadata.setdefault("papermill", _blank(self.COMPLETED))
            status = cell.metadata.get("skillnb", {}).get("run", {}).get("status")
            if cell.cell_type == "code" and status in _STATUS:
                own["status"] = _STATUS[status]
                own["exception"] = own["status"] == self.FAILED
            elif own["status"] == self.PENDING and self.passed:
                own["status"] = self.COMPLETED
        self.nb.metadata.papermill["exception"] = None if self.passed else True
        self.nb.metadata.papermill["end_time"] = self.now().isoformat()
        if self.start_time:
            self.nb.metadata.papermill["duration"] = (self.now() - self.start_time).total_seconds()
        if self.pbar:
            self.pbar.total = len(self.nb.cells)
        self.complete_pbar()
        self.cleanup_pbar()
        self._next_save = 0.0
        self.save()


class _Saves:
    """Where the runner would write the executed copy, papermill does: it knows remote paths and standard output."""

    def __init__(self, manager: _Manager, ipynb: Any) -> None:
        self._manager = manager
        self.new_cell, self.new_output = ipynb.new_cell, ipynb.new_output

    def write(self, path: Path, nb: Any) -> None:
        for cell in nb["cells"]:
            cell["metadata"].setdefault("papermill", _blank(NotebookExecutionManager.COMPLETED))
        self._manager.save()


class _Told:
    """The runner's listener: papermill's bar, timing, logs and stream files."""

    def __init__(self, manager: _Manager, log_output: bool, streams: Mapping[str, TextIO | None]) -> None:
        self._manager, self._log_output, self._streams = manager, log_output, streams

    def cell_started(self, index: int, cell: Any) -> None:
        cell["metadata"].setdefault("papermill", _blank(NotebookExecutionManager.PENDING))
        self._manager.cell_start(cell, index)

    def cell_finished(self, index: int, cell: Any, failed: bool) -> None:
        for output in cell["outputs"]:
            if output["output_type"] == "stream":
                file = self._streams.get(output["name"])
                if file:
                    file.write(output["text"])
                    file.flush()
                if self._log_output:
                    (logger.info if output["name"] == "stdout" else logger.warning)(output["text"])
        self._manager.cell_complete(cell, index)

    def step_finished(self, result: Any) -> None:
        logger.info(f"step {result.step}: {result.outcome} {result.path or ''} {result.reason}".rstrip())


class SkillnbEngine(Engine):
    """``papermill --engine skillnb in.ipynb out.ipynb -p order 1001``."""

    @classmethod
    def nb_kernel_name(cls, nb: Any, name: str | None = None) -> str:
        """``python3`` where the notebook names no kernel; the runner falls back to it as well."""
        return name or nb.metadata.get("kernelspec", {}).get("name") or "python3"

    @classmethod
    def execute_notebook(
        cls,
        nb: Any,
        kernel_name: str,
        output_path: str | None = None,
        progress_bar: bool | dict[str, Any] = True,
        log_output: bool = False,
        autosave_cell_every: int = 30,
        input_path: str | None = None,
        start_timeout: float = 60,
        execution_timeout: float | None = None,
        stdout_file: TextIO | None = None,
        stderr_file: TextIO | None = None,
        **_others: Any,
    ) -> Any:
        """Raises RunNotPassed; a failed run is left to papermill, which finds the error outputs and raises its own."""
        planning, running = import_module("skillnb.planning"), import_module("skillnb.running")
        options = planning.RunOptions(
            base_url=os.environ.get("SKILLNB_SITE_URL", ""),
            kernel_name=kernel_name,
            kernel_start_seconds=start_timeout,
            cell_seconds=execution_timeout,
        )
        try:
            plan = planning.planned_in_place(nb, input_path or "", output_path or "", options, dict(os.environ))
        except SkillnbError as error:
            raise RunNotPassed(str(error), error.exit_status) from error
        manager = _Manager(
            nb,
            output_path=output_path,
            progress_bar=progress_bar,
            log_output=log_output,
            autosave_cell_every=autosave_cell_every,
        )
        manager.notebook_start()
        told = _Told(manager, log_output, {"stdout": stdout_file, "stderr": stderr_file})
        saves = _Saves(manager, import_module("skillnb.notebook.ipynb"))
        try:
            result = running.blocking(running.execute(plan, options, told, dict(os.environ), saves))
            manager.passed = result.exit_status == 0
        except SkillnbError as error:
            raise RunNotPassed(str(error), error.exit_status) from error
        finally:
            manager.notebook_complete()
        if result.exit_status and not (result.exit_status == 1 and _has_error(nb)):
            raise RunNotPassed(f"{result.outcome}: {result.reason}", result.exit_status)
        return manager.nb

    @classmethod
    def execute_managed_notebook(cls, nb_man: Any, kernel_name: str, **options: Any) -> None:
        raise RunNotPassed("this engine runs whole notebooks: call execute_notebook", 2)


def _blank(status: str) -> dict[str, Any]:
    return {"exception": False, "start_time": None, "end_time": None, "duration": None, "status": status}


def _has_error(nb: Any) -> bool:
    return any(output.output_type == "error" for cell in nb.cells for output in cell.get("outputs", []))
