"""A kernel through nbclient: cells of one notebook, executed in place one at a time, in the order asked for."""

from __future__ import annotations

import ast
import asyncio
import contextlib
import os
import tempfile
import time
from collections.abc import Mapping
from queue import Empty
from typing import Any, ClassVar

from jupyter_client.asynchronous.client import AsyncKernelClient
from jupyter_client.kernelspec import NoSuchKernel
from jupyter_client.manager import AsyncKernelManager
from nbclient import NotebookClient
from nbclient.exceptions import DeadKernelError
from traitlets import Type

from skillnb.errors import KernelNotReady
from skillnb.kernel.protocol import CellReport, KernelLost

__all__ = ["NotebookKernel"]

_SOCKET_FOLDER_BYTES = 60
_GRACE_SECONDS = 8.0
"""After an interrupt a cell has this long to end before its kernel is killed."""


class _TellingClient(AsyncKernelClient):
    """Sends the cell's id along, as JupyterLab does, so that code in the kernel knows which cell it is in."""

    cell_id: str | None = None
    asked: ClassVar[dict[str, str]] = {"told": "__skillnb__.told"}
    """Evaluated after each cell that raises nothing, and sent along with its reply: a message less to wait for."""

    def execute(self, code: str, silent: bool = False, store_history: bool = True, **options: Any) -> str:
        content = {
            "code": code,
            "silent": silent,
            "store_history": store_history and not silent,
            "user_expressions": options.get("user_expressions") or ({} if silent else self.asked),
            "allow_stdin": False,
            "stop_on_error": options.get("stop_on_error", True),
        }
        metadata = {} if silent or self.cell_id is None else {"cellId": self.cell_id}
        message = self.session.msg("execute_request", content, metadata=metadata)
        self.shell_channel.send(message)
        identifier: str = message["header"]["msg_id"]
        return identifier


class _TellingManager(AsyncKernelManager):
    client_class = "skillnb.kernel.nbclient._TellingClient"
    client_factory = Type(klass="jupyter_client.client.KernelClient", config=True)

    def _client_factory_default(self) -> type:
        return _TellingClient


class _Client(NotebookClient):
    """nbclient with time-outs that really stop a cell."""

    limit: float = 30.0
    timed_out_at: float | None = None

    def _get_timeout(self, cell: Any) -> Any:
        return self.limit

    async def _async_handle_timeout(self, timeout: float, cell: Any = None) -> None:
        now = time.monotonic()
        if self.timed_out_at is None:
            self.timed_out_at = now
            await self.km.interrupt_kernel()
            # the interrupt only schedules a callback on the kernel's loop; any message wakes that loop
            await asyncio.sleep(0.05)
            self.kc.kernel_info()
        elif now - self.timed_out_at > _GRACE_SECONDS:
            await self.km.shutdown_kernel(now=True)
            raise DeadKernelError("the cell ignored the interrupt, so its kernel was killed")
        else:
            await asyncio.sleep(0.1)


def _place_for_sockets() -> str:
    """A folder whose name leaves room for a socket's, which systems limit to about 100 bytes; empty: there is none."""
    places = (tempfile.gettempdir(), "/tmp") if os.name == "posix" else ()
    return next((it for it in places if len(os.fsencode(it)) <= _SOCKET_FOLDER_BYTES and os.access(it, os.W_OK)), "")


def _text(answer: Mapping[str, Any]) -> str:
    """Of an expression whose value is a text; empty where it has none (nothing is bound yet)."""
    if answer.get("status") != "ok":
        return ""
    text: str = ast.literal_eval(answer["data"]["text/plain"])
    return text


class NotebookKernel:
    """``kernel.protocol.Kernel`` over one notebook (a NotebookNode, changed in place)."""

    def __init__(self, notebook: Any, *, kernel_name: str, cwd: str, start_seconds: float) -> None:
        self._notebook, self._name, self._cwd = notebook, kernel_name, cwd
        self._client = _Client(
            notebook,
            kernel_name=kernel_name,
            kernel_manager_class=_TellingManager,
            startup_timeout=start_seconds,
            allow_errors=True,
            interrupt_on_timeout=True,
            coalesce_streams=True,
            record_timing=True,
            iopub_timeout=30,
            raise_on_iopub_timeout=False,
            skip_cells_with_tag="",
        )
        self._count = 0
        self._replied: dict[str, Any] = {}
        self._client.on_cell_executed = self._executed
        place = _place_for_sockets()
        self._sockets = tempfile.TemporaryDirectory(prefix="skillnb-kernel-", dir=place) if place else None

    @property
    def name(self) -> str:
        """The kernel that runs, which is ``python3`` where the notebook's own was not found."""
        return self._name

    async def start(self, environment: Mapping[str, str]) -> None:
        client = self._client
        try:
            try:
                await self._launch(environment)
            except NoSuchKernel:
                self._name = client.kernel_name = "python3"
                await self._launch(environment)
            await client.async_start_new_kernel_client()
        except (RuntimeError, NoSuchKernel, OSError) as error:
            raise KernelNotReady(kernel=self._name, problem=str(error)) from error

    async def _launch(self, environment: Mapping[str, str]) -> None:
        client = self._client
        client.km = client.create_kernel_manager()
        if self._sockets is not None:
            # sockets in a folder of our own: no other user can listen in, and no two kernels can take one port
            client.km.transport, client.km.ip = "ipc", os.path.join(self._sockets.name, "kernel")
        await client.async_start_new_kernel(env=dict(environment), cwd=self._cwd)

    async def run(self, index: int, seconds: float) -> CellReport:
        client, cell = self._client, self._notebook.cells[index]
        client.limit, client.timed_out_at = seconds, None
        client.kc.cell_id = cell.get("id")
        begun = time.monotonic()
        self._count += 1
        self._replied = {}
        executing = asyncio.ensure_future(client.async_execute_cell(cell, index, execution_count=self._count))
        try:
            await asyncio.wait({executing})
            executing.result()
        except DeadKernelError as error:
            raise KernelLost(str(error)) from None
        except asyncio.CancelledError:
            executing.cancel()
            with contextlib.suppress(DeadKernelError):  # which is what nbclient takes every cancellation for
                await executing
            raise
        failed = next((output for output in cell.outputs if output.output_type == "error"), None)
        return CellReport(
            error_name=failed.ename if failed else "",
            error=failed.evalue if failed else "",
            timed_out=client.timed_out_at is not None,
            seconds=time.monotonic() - begun,
            told=_text(self._replied.get("told", {})),
        )

    def _executed(self, *, execute_reply: dict[str, Any] | None, **_cell: Any) -> None:
        content = execute_reply["content"] if execute_reply else {}
        self._replied = content.get("user_expressions") or {}

    async def ask(self, call: str, seconds: float) -> str:
        client = self._client
        code = f"await __skillnb__.{call}"
        message = client.kc.execute(
            code, silent=True, store_history=False, user_expressions={"answer": "__skillnb__.answer"}
        )
        reply = await self._reply(message, seconds)
        content = reply["content"]
        if content["status"] != "ok":
            raise KernelLost(f"{code}: {content.get('ename')}: {content.get('evalue')}")
        answer = content["user_expressions"]["answer"]
        if answer["status"] != "ok":
            raise KernelLost(f"{code}: {answer.get('ename')}: {answer.get('evalue')}")
        return _text(answer)

    async def _reply(self, message: str, seconds: float) -> dict[str, Any]:
        client = self._client
        deadline = time.monotonic() + seconds
        while True:
            waiting = asyncio.ensure_future(client.kc.shell_channel.get_msg(timeout=1))
            try:
                reply: dict[str, Any] = await waiting
            except Empty as error:
                if not await client.kc.is_alive():
                    raise KernelLost("the kernel died") from error
                if time.monotonic() > deadline:
                    raise KernelLost(f"the kernel did not answer within {seconds:g} s") from error
                continue
            if reply["parent_header"].get("msg_id") == message:
                return reply

    async def stop(self) -> None:
        client = self._client
        if client.km is None:
            return
        manager, kernel_client = client.km, client.kc
        try:
            if await manager.is_alive():
                await manager.shutdown_kernel(now=True)
        finally:
            await manager.cleanup_resources()
            if kernel_client is not None:
                kernel_client.stop_channels()
            client.km = client.kc = None
            if self._sockets is not None:
                self._sockets.cleanup()
