"""Promise 7 with a model: how far it may go, where, and how often; what is said when it fails."""

from __future__ import annotations

import pytest

from skillnb.llm.protocol import ModelFailed
from skillnb.terms.brief import ModelLimits
from skillnb.terms.outcome import FailureClass, Outcome, Path, Verdict
from skillnb.testing.chats.scripted import ScriptedChat
from tests.promises.conftest import Played, Stage
from tests.promises.models import (
    FIELD,
    FILL,
    GIVE_UP,
    NEVER,
    POSTED,
    PRESS,
    WIPE,
    Script,
    asked,
    deletions,
    inserting,
    reports,
    says,
    why,
    wish,
)
from tests.promises.workflows import parameter, step, workflow


def test_going_round_in_circles_ends(stage: Stage) -> None:
    chat = asked(stage, lambda *_: says("press", FIELD, "Escape"))
    assert wish(stage).last.outcome is Outcome.FAILED
    assert "going round in circles" in why(stage)
    assert len(chat.asked) == 2


@pytest.mark.parametrize(
    ("limits", "told"),
    [
        ({"actions": 3}, "limit of 3 actions"),
        ({"calls": 3}, "limit of 3 model calls"),
        ({"tokens": 3000}, "limit of 3000 tokens"),
        ({"dollars": 0.05}, "limit of $0.05"),
        ({"seconds": 3.0}, "limit of 3 s"),
    ],
)
def test_each_limit_of_a_step_is_held_and_named(stage: Stage, limits: dict[str, float], told: str) -> None:
    """The page changes with every press, so nothing but the limit ends it."""

    class Dear(ScriptedChat):
        async def ask(self, system: str, user: str, schema: dict[str, object], *, seconds: float):  # type: ignore[no-untyped-def]
            reply = await super().ask(system, user, schema, seconds=seconds)
            return reply._replace(prompt_tokens=500, completion_tokens=20, cost=0.02)

    stage.limits = ModelLimits(**limits)  # type: ignore[arg-type]
    stage.chat = chat = Dear(lambda *_: says("click", 'button "More"'))
    more = inserting("<button type=button onclick='this.nextElementSibling.append(1)'>More</button><p>n</p>")
    before = step("before", code=more, post='await gate.visible(role="button", name="More")')
    played = stage.play("/reviews", workflow(stage.shop.url, before, step("more", post=NEVER)))
    assert (played.last.outcome, played.last.failure) == (Outcome.FAILED, FailureClass.MODEL)
    assert told in why(stage)
    assert len(chat.asked) <= 6
    assert played.last.use.actions <= 6


def test_a_limit_that_is_spent_before_the_first_action_leaves_the_page_alone(stage: Stage) -> None:
    chat = asked(stage, [FILL], calls=0)
    played = wish(stage)
    assert (len(chat.asked), reports(stage)[-1].verdict, stage.changes()) == (0, Verdict.UNKNOWN, [])
    assert played.last.path is None


def test_procedure_and_intent_share_the_limits_of_their_step(stage: Stage) -> None:
    chat = asked(stage, lambda *_: GIVE_UP, calls=1)
    post = step("post", "Make the owner happy somehow.", post=POSTED)
    stage.play("/reviews", workflow(stage.shop.url, post))
    assert len(chat.asked) == 1


def _with_link(stage: Stage, html: str, script: Script) -> Played:
    asked(stage, script)
    before = step("before", code=inserting(html), post='await gate.visible(text="Elsewhere")')
    return stage.play("/notes", workflow(stage.shop.url, before, step("leave", post=NEVER)))


def test_a_link_to_another_host_is_not_followed(stage: Stage) -> None:
    away = stage.shop.url.replace("127.0.0.1", "localhost")
    played = _with_link(stage, f"<a href='{away}/reviews'>Elsewhere</a>", [says("click", 'link "Elsewhere"'), GIVE_UP])
    assert stage.shop.count("GET", "/reviews") == 0
    assert "not among the hosts" in reports(stage)[-1].attempts[0].reason
    assert played.last.outcome is Outcome.FAILED


def test_a_page_that_has_led_to_another_host_is_left_alone(stage: Stage) -> None:
    away = stage.shop.url.replace("127.0.0.1", "localhost")
    html = f"<button type=button onclick='location=\"{away}/reviews\"'>Elsewhere</button>"
    chat = ScriptedChat([])
    played = _with_link(stage, html, [says("click", 'button "Elsewhere"'), says("click", WIPE)])
    assert played.path.startswith("http://localhost")
    assert "is on localhost" in why(stage)
    assert deletions(stage) == 0
    assert chat.asked == []


def test_a_declared_host_may_be_acted_on(stage: Stage) -> None:
    away = stage.shop.url.replace("127.0.0.1", "localhost")
    code = f"await page.goto({away + '/reviews'!r})"
    before = step("before", code=code, post='await gate.visible(role="button", name="Post review")')
    made = workflow(stage.shop.url, before, step("post", post=POSTED), parameters=(parameter("words"),))
    asked(stage, [FILL, PRESS], hosts=(away.removeprefix("http://"),))
    assert stage.play("/notes", made, words="x").ways[-1] == "passed by intent"
    asked(stage, [FILL, PRESS])
    assert stage.play("/notes", made, words="x").ways[-1].startswith("failed")


@pytest.mark.parametrize("kind", ["unreachable", "refused", "timeout", "malformed", "limit"])
def test_a_model_that_fails_is_named_as_the_cause(stage: Stage, kind: str) -> None:
    def fails(*_: object) -> str:
        raise ModelFailed(kind, "for this test", prompt_tokens=7)

    asked(stage, fails)
    played = wish(stage)
    assert (played.last.outcome, played.last.failure, played.last.path) == (Outcome.FAILED, FailureClass.MODEL, None)
    assert f"({kind})" in played.last.reason
    assert played.last.tokens == 7


def test_a_small_model_chooses_among_eight(stage: Stage) -> None:
    chat = asked(stage, [GIVE_UP], small=True)
    wish(stage, "/stock")
    properties = chat.asked[0].schema["properties"]
    assert isinstance(properties, dict)
    assert len(properties["element"]["enum"]) <= 9
    assert len(chat.asked[0].user) < 6000


def test_an_element_in_a_frame_of_the_site_can_be_chosen(stage: Stage) -> None:
    def answers(_system: str, user: str, _schema: dict[str, object]) -> str:
        field = next(
            line.strip()
            for line in user.partition("ELEMENTS")[2].splitlines()
            if line.strip().startswith('textbox "Street"')
        )
        return says("fill", field, "{words}") if "done" not in user.partition("PAGE")[0] else GIVE_UP

    asked(stage, answers)
    wish(stage, "/frames", name="fill-in-the-street")
    first = reports(stage)[-1].attempts[0]
    assert (first.done, first.target is not None) == (True, True)


def test_path_of_a_failed_intent_is_told(stage: Stage) -> None:
    asked(stage, [FILL, GIVE_UP])
    assert wish(stage).last.path is Path.INTENT


def test_a_small_model_is_not_offered_what_it_has_just_filled(stage: Stage) -> None:
    chat = asked(stage, [FILL, PRESS], small=True)
    assert wish(stage).ways == ["passed by intent"]
    offered = [str(item.schema["properties"]) for item in chat.asked]
    assert [FIELD in item for item in offered] == [True, False]
