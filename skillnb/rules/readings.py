"""A sentence with or without quotes, to what it may ask for; and on a page, the one reading that fits, or none."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from skillnb.rules.grounding import ground
from skillnb.rules.guidance import as_quoted, heard
from skillnb.rules.meaning import Likeness
from skillnb.rules.plain import readings_of
from skillnb.rules.similarity import ACCEPTED
from skillnb.terms.action import Abstain, Grounded, Instruction, Verb
from skillnb.terms.gate import Operand, Param, Template
from skillnb.terms.observation import Observation

__all__ = ["NEEDS_MODEL", "QUOTED_NEEDS_MODEL", "readings", "settle"]

NEEDS_MODEL = 'needs a model: set SKILLNB_MODEL, or say it with the element\'s name in quotes (Press "Save")'
QUOTED_NEEDS_MODEL = (
    "needs a model: set SKILLNB_MODEL, or say in the procedure what the page calls it now, and in which row or group"
)
"""For a sentence that has its quotes already."""

_PRESSED = frozenset({Verb.CLICK, Verb.CHECK})
"""One and the same on an element that is not ticked yet; the first reading is then taken, which ticks."""


def readings(sentence: str, parameters: frozenset[str]) -> tuple[Instruction, ...] | Abstain:
    """What the sentence may ask for: one instruction where all names are quoted, else one for each way to cut it."""
    said = heard(sentence, parameters)
    if isinstance(said, Abstain):
        return said
    quoted = as_quoted(said, sentence)
    if isinstance(quoted, Instruction):
        return (quoted,)
    plain = readings_of(said, sentence)
    return plain or Abstain(reason=f"{quoted.reason}; {NEEDS_MODEL}")


def settle(
    among: Sequence[Instruction], values: Mapping[str, object], seen: Observation, likeness: Likeness | None = None
) -> Grounded | Abstain:
    """The reading that fits the page, where exactly one does. Likeness is asked only where no words fit."""
    refused: list[Abstain] = []
    remedy = QUOTED_NEEDS_MODEL if all(_quoted(reading) for reading in among) else NEEDS_MODEL
    for table in (None, likeness) if likeness is not None else (None,):
        found = [ground(reading, values, seen, table) for reading in among]
        grounded = [item for item in found if isinstance(item, Grounded)]
        refused = [item for item in found if isinstance(item, Abstain)]
        whole = next((item for reading, item in zip(among, found, strict=True) if _bears_all(reading, item)), None)
        if whole is not None:
            return _told(whole, remedy) if isinstance(whole, Abstain) else whole
        exact = [item for item in grounded if item.target is None or item.target.score >= 1.0]
        if exact:
            return _agreed(exact)
        twins = [item for item in refused if any(each.score >= ACCEPTED for each in item.refused)]
        if twins:
            return _told(twins[0], remedy)
        if grounded:
            return _agreed(grounded)
    return _told(max(refused, key=lambda item: max((each.score for each in item.refused), default=0.0)), remedy)


def _bears_all(reading: Instruction, found: Grounded | Abstain) -> bool:
    """Does something on the page have the whole sentence for its name? That goes before what bears a part of it."""
    if reading.verb is not Verb.CLICK or reading.about is not None:
        return False
    if isinstance(found, Abstain):
        return any(item.score >= 1.0 for item in found.refused)
    return found.target is not None and found.target.score >= 1.0


def _agreed(grounded: Sequence[Grounded]) -> Grounded | Abstain:
    effects = {_effect(item): item for item in reversed(grounded)}
    if len(effects) == 1:
        return grounded[0]
    told = " or ".join(sorted(_in_words(item) for item in effects.values()))
    return Abstain(reason=f"the sentence can be read as {told}: {NEEDS_MODEL}")


def _effect(item: Grounded) -> tuple[str, str, str]:
    verb = item.instruction.verb
    return ("press" if verb in _PRESSED else str(verb), item.target.ref if item.target else "", item.value)


def _in_words(item: Grounded) -> str:
    """With the value as the sentence says it: what a parameter holds may be a secret."""
    where = f' {item.target.role} "{item.target.name}"' if item.target else ""
    value = item.instruction.value
    return f"{item.instruction.verb}{where}" + (f' with "{_said(value)}"' if value is not None else "")


def _said(operand: Operand) -> str:
    parts = operand.parts if isinstance(operand, Template) else (operand,)
    return "".join(f"{{{part.name}}}" if isinstance(part, Param) else str(getattr(part, "value", "")) for part in parts)


def _quoted(reading: Instruction) -> bool:
    return reading.about is None and '"' in reading.sentence


def _told(refused: Abstain, remedy: str) -> Abstain:
    """With the candidates that came near, and what would help."""
    near = [item for item in refused.refused if item.score >= 0.3][:4]
    told = ", ".join(f'{item.role} "{item.name}"' for item in near)
    reason = refused.reason + (f" ({told})" if told else "")
    return Abstain(reason=f"{reason}; {remedy}", refused=refused.refused)
