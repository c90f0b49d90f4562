"""A gate as data: what it asks of the observable state, and what it found."""

from __future__ import annotations

from enum import StrEnum

from skillnb.terms import term
from skillnb.terms.outcome import Verdict

__all__ = ["Argument", "Fixed", "Gate", "GateKind", "GateResult", "Moment", "Operand", "Param", "Pattern", "Template"]


class GateKind(StrEnum):
    URL = "url"
    VISIBLE = "visible"
    VALUE = "value"
    TEXT = "text"
    COUNT = "count"
    ABSENT = "absent"
    RESPONSE = "response"
    FILE = "file"
    CUSTOM = "custom"


class Moment(StrEnum):
    """When a gate was asked: before the step, after it, or as the already-done check before the step."""

    PRE = "pre"
    POST = "post"
    PROBE = "probe"


@term
class Fixed:
    """A value written in the gate itself."""

    value: str | int | float | bool | None


@term
class Param:
    """``params.<name>``."""

    name: str


@term
class Pattern:
    """``re.compile(<source>, <flags>)``; ``flags`` holds the letters of the flags used, sorted (``"i"``, ``"is"``)."""

    source: str
    flags: str = ""


@term
class Template:
    """An f-string: literal pieces and parameters in order."""

    parts: tuple[Fixed | Param, ...]


Operand = Fixed | Param | Pattern | Template


@term
class Argument:
    """One argument of a gate; positional ones carry the name of the gate's own signature."""

    name: str
    value: Operand


@term
class Gate:
    """One gate call. ``expression`` is its source text; a ``custom`` gate has no arguments and can't be re-checked."""

    kind: GateKind
    expression: str
    arguments: tuple[Argument, ...] = ()
    line: int = 1

    @property
    def recheckable(self) -> bool:
        return self.kind is not GateKind.CUSTOM


@term
class GateResult:
    """One answer of one gate. ``seconds`` includes the waiting."""

    gate: Gate
    moment: Moment
    verdict: Verdict
    expected: str
    actual: str
    seconds: float
