"""The rules of a skill's head (name, description, metadata), and what a workflow says in it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from skillnb.terms.workflow import Role, Workflow

__all__ = ["described", "DESCRIPTION_LENGTH", "head_problems", "NAME_LENGTH", "skill_head", "skill_name", "SkillHead"]

NAME_LENGTH = 64
DESCRIPTION_LENGTH = 1024

_NAME = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")
_KEYS = frozenset({"allowed-tools", "compatibility", "description", "license", "metadata", "name"})
_MARKS = re.compile(r"[*`]+|^#+\s*")


class SkillHead(NamedTuple):
    name: str
    description: str
    metadata: Mapping[str, str]
    others: tuple[str, ...]
    """Keys that the format does not know at the top."""


def skill_name(workflow: str) -> str:
    """``site/name`` as the name of a skill and its folder; shortened at a hyphen where it is too long."""
    whole = re.sub(r"-{2,}", "-", workflow.replace("/", "-"))
    return whole[:NAME_LENGTH].strip("-")


def described(workflow: Workflow) -> str:
    """What the card says, in one line: title, and when to use it."""
    card = next((cell.source for cell in workflow.cells if cell.role is Role.CARD), "")
    paragraphs = [" ".join(part.split()) for part in re.split(r"\n\s*\n", card)]
    plain = [_MARKS.sub("", part).strip() for part in paragraphs]
    said = ". ".join(part.rstrip(".") for part in plain[:4] if part) or workflow.title
    whole = f"{said}.".replace("<", "(").replace(">", ")")
    return whole if len(whole) <= DESCRIPTION_LENGTH else whole[: DESCRIPTION_LENGTH - 1].rstrip() + "…"


def head_problems(head: Mapping[str, object], folder: str) -> Iterator[str]:
    """What breaks the format; keys that it does not know are told by ``skill_head``."""
    name, description = head.get("name"), head.get("description")
    if not isinstance(name, str) or not _NAME.fullmatch(name) or len(name) > NAME_LENGTH:
        yield f"name is {name!r:.80}, not at most {NAME_LENGTH} lower-case letters, digits and single hyphens"
    elif name != folder:
        yield f"name is {name!r}, but the folder is {folder!r}"
    if not isinstance(description, str) or not description.strip():
        yield "there is no description"
    elif len(description) > DESCRIPTION_LENGTH:
        yield f"the description has {len(description)} characters, more than {DESCRIPTION_LENGTH}"
    if not isinstance(head.get("metadata", {}), Mapping):
        yield "metadata is no list of keys and values"


def skill_head(head: Mapping[str, object]) -> SkillHead:
    """Of a head without problems."""
    metadata = head.get("metadata", {})
    told = {str(key): str(value) for key, value in metadata.items()} if isinstance(metadata, Mapping) else {}
    others = tuple(sorted(set(head) - _KEYS))
    return SkillHead(str(head.get("name")), str(head.get("description")).strip(), told, others)
