"""Models that are scripts, and what they are asked about: the shop's page of reviews."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import Any

from skillnb.codec import decode
from skillnb.rules.bundles import mime
from skillnb.terms.brief import ModelLimits
from skillnb.terms.record import FallbackReport, GuidedReport
from skillnb.testing.chats.scripted import ScriptedChat
from tests.promises.conftest import Played, Stage
from tests.promises.workflows import parameter, step, workflow

__all__ = [
    "asked",
    "deletions",
    "DONE",
    "FIELD",
    "FILL",
    "GIVE_UP",
    "inserting",
    "NEVER",
    "POST",
    "POSTED",
    "PRESS",
    "reports",
    "says",
    "Script",
    "why",
    "WIPE",
    "wish",
]

POSTED = 'await gate.text(role="status", contains="Review posted")'
NEVER = 'await gate.text(role="status", contains="Never said")'
FIELD, POST, WIPE = 'textbox "Your review"', 'button "Post review"', 'button "Delete all"'
Script = Sequence[str] | Callable[[str, str, dict[str, object]], str]


def says(action: str, element: str = "", value: str = "") -> str:
    return json.dumps({"action": action, "element": element, "value": value})


DONE, GIVE_UP = says("done"), says("give_up")
FILL, PRESS = says("fill", FIELD, "{words}"), says("click", POST)


def asked(stage: Stage, script: Script, *, small: bool = False, **limits: object) -> ScriptedChat:
    chat = ScriptedChat(script, small=small)
    stage.chat, stage.limits = chat, ModelLimits(**limits)  # type: ignore[arg-type]
    return chat


def wish(
    stage: Stage, path: str = "/reviews", *, name: str = "post-a-review", post: str = POSTED, **more: Any
) -> Played:
    """A step with nothing but its intent; ``words`` is its parameter."""
    made = workflow(
        stage.shop.url,
        step(name, post=post, **more),
        parameters=(parameter("words"),),
    )
    return stage.play(path, made, words="Sturdy and sharp")


def reports(stage: Stage) -> list[GuidedReport]:
    shown = [bundle[mime("fallback")] for bundle in stage.shells[-1].shown if mime("fallback") in bundle]
    return [way for item in shown for way in decode(FallbackReport, json.dumps(item), "a fallback").guided]


def why(stage: Stage) -> str:
    return reports(stage)[-1].reason


def inserting(html: str) -> str:
    """Code that puts ``html`` at the end of the page's first form, or of the page."""
    script = f"(document.querySelector('main form') ?? document.body).insertAdjacentHTML('beforeend', `{html}`)"
    return f"await page.evaluate({script!r})"


def deletions(stage: Stage) -> int:
    return stage.shop.count("POST", "/reviews/delete-all")
