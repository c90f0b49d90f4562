"""Actions: what a sentence asks for, and what is done to which element."""

from __future__ import annotations

from enum import StrEnum

from skillnb.terms import term
from skillnb.terms.gate import Operand

__all__ = ["Abstain", "Grounded", "Instruction", "Refusal", "Target", "Verb"]


class Verb(StrEnum):
    GOTO = "goto"
    CLICK = "click"
    DOUBLE_CLICK = "double-click"
    FILL = "fill"
    SELECT = "select"
    CHECK = "check"
    UNCHECK = "uncheck"
    PRESS_KEY = "press-key"
    UPLOAD = "upload"
    WAIT = "wait"


@term
class Instruction:
    """One sentence of a procedure, understood but not yet grounded on a page."""

    verb: Verb
    sentence: str
    target: tuple[Operand, ...] = ()
    """Names of the element in order of preference; values of parameters put in before grounding."""
    scope: Operand | None = None
    """``in "Available groups"`` or ``in the row "Interns"``: text near which the element stands."""
    scope_role: str = ""
    """``row`` when the sentence says so: the element then stands in that row itself."""
    value: Operand | None = None
    """What is typed, chosen, pressed, uploaded or opened."""
    role: str = ""
    """A role the sentence names (button, link, row, tab ...); empty when it names none."""
    optional: bool = False
    """The sentence began with a condition (``If "Accept cookies" is shown, ...``)."""
    about: Operand | None = None
    """The sentence's own words for the element, where no quotes mark its name."""
    certain: bool = True
    """False where it is the page that must tell the words of the name from those of the value."""
    submit: bool = False
    """What is typed is sent with Enter (``Search for ...``)."""
    awaited: Operand | None = None
    """What the page must show afterwards (``... and wait for "Saved"``)."""


@term
class Refusal:
    """One candidate element and why it was not taken."""

    ref: str
    role: str
    name: str
    reason: str
    score: float


@term
class Target:
    """The element that a grounding or relocation settled on."""

    ref: str
    role: str
    name: str
    score: float
    """1.0 for an exact match, lower for fuzzy ones."""
    how: str
    """In words for the record: ``same role, same name`` ..."""


@term
class Grounded:
    """An instruction on one element of one snapshot (no target for ``goto`` and ``wait``)."""

    instruction: Instruction
    target: Target | None
    value: str
    refused: tuple[Refusal, ...] = ()


@term
class Abstain:
    """Nothing was settled on, and why: never a guess."""

    reason: str
    refused: tuple[Refusal, ...] = ()
