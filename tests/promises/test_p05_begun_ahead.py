"""Promise 5: a step begins ahead of the runner only where a post cell of the one before has proven that one."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from skillnb.agent.desk import Desk
from skillnb.agent.session import Session
from skillnb.errors import GateFailed
from skillnb.kernel.protocol import CurrentCell
from skillnb.store.blobs import BlobFolder
from skillnb.terms.workflow import Workflow
from tests.promises.conftest import Stage
from tests.promises.workflows import step, workflow


def two_steps() -> Workflow:
    first = step("look", code="pass", post='await gate.visible(role="heading", name="Notes")')
    second = step("write", code="pass", post='await gate.visible(role="status")')
    return workflow("/notes", first, second, name="kit/main")


@pytest.mark.parametrize(
    ("cells", "proven", "begun"),
    [
        (("look-code", "look-post"), True, "write"),
        (("look-code", "look-post", "plain"), False, ""),
        (("look-code", "look-post", "raising"), False, ""),
        (("look-post", "look-code"), False, ""),
        (("write-post", "other"), False, ""),
    ],
)
def test_only_the_post_cell_that_proves_it(
    stage: Stage, tmp_path: Path, cells: tuple[str, ...], proven: bool, begun: str
) -> None:
    made = two_steps()
    sources = {cell.id: cell.source for cell in made.cells}
    sources |= {"plain": "1", "raising": "raise ValueError", "other": 'await fallback("look")'}

    async def run() -> tuple[dict[str, Any], dict[str, Any]]:
        page = await stage.opened("/notes")
        session: Session = stage.session(page, made, main=made.name)
        shell = stage.shells[-1]
        for cell in cells:
            session.cell_begins(CurrentCell(cell, sources[cell]))
            try:
                await shell.evaluate(sources[cell], shell.namespace)
            except (ValueError, GateFailed):
                continue
        desk = Desk(session, session._page, BlobFolder(tmp_path), lambda value: value, {"a": "secret"})
        told = json.loads(desk.told)
        await desk.telling()
        await page.context.close()
        return told, json.loads(desk.answer)

    told, telling = stage.run(run())
    assert (told["ended"] is not None, told["learnt"]) == (proven, {"a": "secret"})
    assert told["begun"] in {"", begun}, "what is seen may be too old to tell, never of another step"
    assert (telling["ended"], telling["begun"]) == (None, "")
