"""One grounded action carried out on a Playwright page, and what it committed read back."""

from __future__ import annotations

import contextlib
from pathlib import Path
from typing import Any

from playwright.async_api import Error as PlaywrightError

from skillnb.browser.protocol import ActionFailed
from skillnb.rules.committed import agrees
from skillnb.terms.action import Grounded, Verb

__all__ = ["perform", "VALUE_SCRIPT"]

_REPLACED_MS = 500
"""A field that is not there any more has been replaced by another node."""
VALUE_SCRIPT = """element => {
  if (element instanceof HTMLSelectElement)
    return [...element.selectedOptions].map(option => option.label.trim()).join('\\n');
  if ('value' in element && typeof element.value === 'string') return element.value;
  if (element.isContentEditable) return element.innerText;
  return element.getAttribute('aria-valuetext') ?? element.textContent;
}"""

_FILES_SCRIPT = "element => [...(element.files ?? [])].map(file => [file.name, file.size])"


async def perform(page: Any, action: Grounded) -> None:
    """Raises ActionFailed and what Playwright raises."""
    verb = action.instruction.verb
    if verb is Verb.GOTO:
        await page.goto(action.value)
        return
    if action.target is None:
        raise ActionFailed("NoTarget", f"{verb} needs an element")
    element = page.get_by_ref(action.target.ref)
    match verb:
        case Verb.CLICK:
            await element.click()
        case Verb.DOUBLE_CLICK:
            await element.dblclick()
        case Verb.FILL:
            await _fill(element, action.value)
        case Verb.SELECT:
            await _select(page, element, action.value)
        case Verb.CHECK | Verb.UNCHECK:
            await _tick(element, verb is Verb.CHECK)
        case Verb.PRESS_KEY:
            await element.press(action.value)
        case Verb.UPLOAD:
            await _upload(element, action.value)
        case _:
            raise ActionFailed("NoAction", f"{verb} is not an action on an element")


async def _fill(element: Any, value: str) -> None:
    by_name = await element.normalize()
    await element.fill(value)
    await _read_back(element, by_name, value, "typing")


async def _select(page: Any, element: Any, label: str) -> None:
    by_name = await element.normalize()
    kind = await element.evaluate("element => element.tagName")
    if kind == "SELECT":
        await element.select_option(label=label)
    else:
        await (element.fill(label) if kind == "INPUT" else element.click())
        option = page.get_by_role("option", name=label, exact=True)
        await option.click()
    await _read_back(element, by_name, label, "choosing")


async def _tick(element: Any, wanted: bool) -> None:
    by_name = await element.normalize()
    await element.set_checked(wanted)
    with contextlib.suppress(PlaywrightError):
        if await element.is_checked(timeout=_REPLACED_MS) is wanted:
            return
    if await by_name.is_checked() is not wanted:
        raise ActionFailed("ValueNotCommitted", f"the box is {'not ' if wanted else ''}ticked after it was clicked")


async def _upload(element: Any, path: str) -> None:
    wanted = _named_and_sized(Path(path))
    by_name = await element.normalize()
    await element.set_input_files(path)
    try:
        held = await element.evaluate(_FILES_SCRIPT, timeout=_REPLACED_MS)
    except PlaywrightError:
        held = await by_name.evaluate(_FILES_SCRIPT)
    if [(name, size) for name, size in held] != [wanted]:
        names = ", ".join(f"{name!r} of {size} bytes" for name, size in held) or "no file"
        raise ActionFailed("ValueNotCommitted", f"the field holds {names} after choosing {wanted[0]!r}")


def _named_and_sized(file: Path) -> tuple[str, int]:
    if not file.is_file():
        raise ActionFailed("NoSuchFile", f"there is no file {str(file)!r} to choose")
    return file.name, file.stat().st_size


async def _read_back(element: Any, by_name: Any, value: str, done: str) -> None:
    """``by_name`` finds the field also when it was replaced by another node meanwhile."""
    try:
        committed = await element.evaluate(VALUE_SCRIPT, timeout=_REPLACED_MS)
    except PlaywrightError:
        committed = await by_name.evaluate(VALUE_SCRIPT)
    if not isinstance(committed, str) or not agrees(value, committed):
        raise ActionFailed("ValueNotCommitted", f"the field holds {committed!r} after {done} {value!r}")
