"""Ask a judge about one attempt. Whatever goes wrong, the verdict is then unknown, and nothing is learnt from it."""

from __future__ import annotations

from collections.abc import Callable

from skillnb.llm.protocol import Chat, ModelFailed
from skillnb.rules.judging import Case, judged, question, undecided
from skillnb.terms.judgement import Judgement
from skillnb.terms.record import ModelUse

__all__ = ["judge"]


async def judge(case: Case, chat: Chat, mask: Callable[[str], str], *, seconds: float) -> tuple[Judgement, ModelUse]:
    """The judgement and what it took. The model's name is kept as it is, slashes and all."""
    asked = question(case, mask)
    try:
        reply = await chat.ask(asked.system, asked.user, asked.schema, seconds=seconds)
    except ModelFailed as error:
        spent = ModelUse(
            model=chat.name,
            calls=1,
            prompt_tokens=error.prompt_tokens,
            completion_tokens=error.completion_tokens,
            cost=error.cost,
        )
        return undecided(case, asked, chat.name, f"the judge failed ({error.kind}): {error.message}"), spent
    use = ModelUse(
        model=chat.name,
        calls=1,
        prompt_tokens=reply.prompt_tokens,
        completion_tokens=reply.completion_tokens,
        cost=reply.cost,
    )
    return judged(case, asked, chat.name, reply.text), use
