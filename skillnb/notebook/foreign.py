"""A skill that somebody else wrote becomes a workflow of guidance only: no code, no gates, nothing proven."""

from __future__ import annotations

import re
from collections.abc import Sequence

from skillnb.notebook.assemble import Header
from skillnb.notebook.compose import StepDraft, compose
from skillnb.rules.foundvalues import may_be_named
from skillnb.rules.procedure import placeholders
from skillnb.rules.skillbody import ForeignStep
from skillnb.rules.skillhead import SkillHead
from skillnb.terms.workflow import Effect, Parameter, ParameterType, Provenance, StepSettings, Workflow

__all__ = ["from_foreign"]

_METHOD = "imported skill"


def from_foreign(name: str, start_url: str, head: SkillHead, body: str, steps: Sequence[ForeignStep]) -> Workflow:
    """``{name}`` in its sentences becomes a required parameter. Each step counts as done once: nothing says more."""
    texts = [text for step in steps for text in (step.intent, *step.procedure)]
    braced = [each for text in texts for each in placeholders(text)]
    named = [each for each in dict.fromkeys(braced) if may_be_named(each)]
    parameters = tuple(
        Parameter(name=each, type=ParameterType.STRING, default="null", required=True, help="named in the skill")
        for each in named
    )
    header = Header(
        name=name,
        site=name.split("/")[0],
        task_type=head.name,
        start_url=start_url,
        provenance=Provenance(method=_METHOD),
    )
    return compose(header, _card(head, body), parameters, tuple(_drafts(steps, frozenset(named))))


def _drafts(steps: Sequence[ForeignStep], named: frozenset[str]) -> list[StepDraft]:
    made: list[StepDraft] = []
    for step in steps:
        slug = re.sub(r"[^a-z0-9]+", "-", step.intent.lower()).strip("-")[:40].strip("-") or "step"
        taken = {each.name for each in made}
        number, name = 2, slug
        while name in taken:
            name, number = f"{slug}-{number}", number + 1
        made.append(
            StepDraft(
                name=name,
                intent=_plain(step.intent, named),
                procedure=tuple(_plain(text, named) for text in step.procedure),
                settings=StepSettings(effect=Effect.ONCE, formalized=False),
            )
        )
    return made


def _card(head: SkillHead, body: str) -> str:
    quoted = "\n".join(f"> {line}".rstrip() for line in body.strip().split("\n"))
    title = head.name.replace("-", " ").capitalize()
    told = (
        "Imported from a skill without a notebook: its steps are guidance only. There is no code, no gate, and nothing "
        "proves that a run did what it should, so runs stay unverified until gates are written."
    )
    when = f"**Use it when** {' '.join(head.description.split())}"
    return "\n\n".join([f"# {title}", when, told, "The skill as it was:", quoted])


def _plain(text: str, named: frozenset[str]) -> str:
    """Other names in braces would be taken for parameters."""
    return re.sub(r"\{([A-Za-z_]\w*)\}", lambda found: found[0] if found[1] in named else f"({found[1]})", text)
