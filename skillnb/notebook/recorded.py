"""A proposal made from a recording becomes a workflow: the notebook that a person then reads and finishes."""

from __future__ import annotations

from collections.abc import Sequence

from skillnb.notebook.assemble import Header
from skillnb.notebook.compose import StepDraft, compose
from skillnb.rules.proposing import Proposal, ProposedStep
from skillnb.rules.recordedcalls import Remark
from skillnb.terms.workflow import Effect, Provenance, StepSettings, Workflow

__all__ = ["from_recording"]

_METHOD = "recorded"


def from_recording(name: str, proposal: Proposal) -> Workflow:
    """``name`` is ``site/name``, the caller's to check."""
    header = Header(
        name=name,
        site=name.split("/")[0],
        task_type=name.split("/")[1],
        start_url=proposal.start_url,
        locale=proposal.locale,
        timezone=proposal.timezone,
        provenance=Provenance(method=_METHOD),
    )
    steps = tuple(_draft(step) for step in proposal.steps)
    return compose(header, _card(name, proposal), proposal.parameters, steps)


def _card(name: str, proposal: Proposal) -> str:
    title = name.split("/")[1].replace("-", " ").capitalize()
    once = [step.intent for step in proposal.steps if step.effect is Effect.ONCE]
    needed = [f"`{each.name}`" + (" (a secret)" if each.secret else "") for each in proposal.parameters]
    changes = f"by the steps {_listed([f'“{intent}”' for intent in once])}" if once else "nothing that it knows of"
    parts = [
        f"# {title}",
        "**Use it when** … (write here which task it is for).",
        f"**It changes** the site {changes}." if once else f"**It changes** {changes}.",
        f"**It needs** {_listed(needed) or 'no parameters'}.",
        "Made from a recording. Steps, parameters, gates and effects are proposals: read them before relying on it.",
    ]
    noted = _bullets(proposal.remarks)
    return "\n\n".join([*parts, f"Of the recording:\n\n{noted}"] if noted else parts)


def _listed(items: Sequence[str]) -> str:
    return " and ".join([", ".join(items[:-1]), items[-1]]) if len(items) > 1 else "".join(items)


def _bullets(remarks: Sequence[Remark]) -> str:
    said = [f"line {each.line}: {each.text}" if each.line else each.text for each in remarks]
    return "\n".join(f"- {' '.join(text.split())}" for text in dict.fromkeys(said))


def _draft(step: ProposedStep) -> StepDraft:
    noted = _bullets(step.remarks)
    return StepDraft(
        name=step.name,
        intent=step.intent,
        procedure=step.procedure,
        pre=step.pre,
        code=step.code,
        post=step.post,
        settings=StepSettings(effect=step.effect, formalized=bool(step.code), optional=step.optional),
        note=f"**To look at** (lines of the recording)\n\n{noted}" if noted else "",
    )
