"""Cells of one step executed: limits, statuses, trace lines and progress in one place."""

from __future__ import annotations

import asyncio
from typing import Any

from skillnb.codec import digest
from skillnb.kernel.protocol import CellReport, Kernel, KernelLost
from skillnb.runner.copybook import Copybook
from skillnb.runner.protocol import Listener
from skillnb.runner.told import Along, along
from skillnb.store.protocol import Trace
from skillnb.terms.outcome import CellStatus
from skillnb.terms.trace import CellRan

__all__ = ["CellRunner", "status_of"]

_ASK_SECONDS = 20.0


def status_of(report: CellReport) -> CellStatus:
    if report.timed_out:
        return CellStatus.TIMEOUT
    return CellStatus.FAILED if report.error_name else CellStatus.PASSED


class CellRunner:
    """``touched`` are the ids of the cells run, in order, each as often as it ran; ``along`` came with the last."""

    def __init__(
        self, step: str, kernel: Kernel, copy: Copybook, trace: Trace, listener: Listener, *, calls: bool
    ) -> None:
        """``calls``: cells may call workflows with secrets of their own, which are asked for after each cell."""
        self._step, self._kernel, self._copy, self._trace, self._listener = step, kernel, copy, trace, listener
        self._calls = calls
        self.touched: list[str] = []
        self.along = Along()

    async def run(self, identifier: str, seconds: float) -> CellReport:
        """Raises KernelLost, with the cell marked as what was lost."""
        index = self._copy.index(identifier)
        cell = self._copy.nb["cells"][index]
        self._listener.cell_started(index, cell)
        self.touched.append(identifier)
        self.along = Along()
        try:
            report = await self._execute(index, cell, seconds)
        except KernelLost as error:
            self._copy.ran(cell, CellStatus.FAILED, 0.0)
            self._copy.note(cell, reason=f"the kernel was lost: {error}")
            self._listener.cell_finished(index, cell, True)
            raise
        except asyncio.CancelledError:
            self._copy.ran(cell, CellStatus.FAILED, 0.0)
            self._copy.note(cell, reason="interrupted while it ran")
            self._listener.cell_finished(index, cell, True)
            raise
        status = status_of(report)
        self._copy.ran(cell, status, report.seconds)
        self._trace.write(
            CellRan(
                step=self._step,
                cell=identifier,
                code=digest(cell["source"]),
                status=status,
                seconds=round(report.seconds, 4),
                error_name=report.error_name,
                error=self._copy.masked(report.error)[:2000],
            )
        )
        self._listener.cell_finished(index, cell, status is not CellStatus.PASSED)
        return report

    async def _execute(self, index: int, cell: Any, seconds: float) -> CellReport:
        try:
            report = await self._kernel.run(index, seconds)
            self.along = along(report.told)
            if self._calls and not report.told:
                self.along = along(await self._kernel.ask("telling()", _ASK_SECONDS))
            self._copy.learn(self.along.learnt)
            return report
        except BaseException:
            if self._calls:
                # which secrets a call was given is not known any more, so what the cell said can't be masked
                cell["outputs"] = []
            raise
        finally:
            self._copy.hide(cell)  # also when the run is interrupted: the copy is written then, too
