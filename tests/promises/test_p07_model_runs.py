"""Promise 7 with a model through the public command: a real kernel; a model's server that is a script."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from skillnb.rules.masking import Masker
from skillnb.store.traces import read_trace
from skillnb.terms.trace import Guided
from skillnb.terms.workflow import Effect, ParameterType, Workflow
from skillnb.testing.chats.wire import Wire, wired
from skillnb.testing.site import Site
from tests.promises.models import FIELD, FILL, GIVE_UP, NEVER, POSTED, PRESS, WIPE, says
from tests.promises.workflows import command, parameter, saved, step, workflow

KEY = "sk-loopback-0123456789"
TEXT = "Sturdy and sharp"
Answer = Callable[[str, str, dict[str, object]], str]


def scripted(*answers: str) -> Answer:
    left = list(answers)
    return lambda *_: left.pop(0) if left else GIVE_UP


def posting(shop: Site, post: str = POSTED, effect: Effect = Effect.IDEMPOTENT) -> Workflow:
    """The code's button is gone, and the sentence speaks of a field that is not there."""
    code = 'await page.get_by_role("button", name="Publish").click(timeout=500)'
    only = step("post-a-review", 'Type {words} into "Opinion".', code=code, post=post, effect=effect)
    return workflow(f"{shop.url}/reviews", only, parameters=(parameter("words"),))


@pytest.fixture
def run(project: Path) -> Callable[..., tuple[int, dict[str, Any]]]:
    def go(wire: Wire | None, made: Workflow, *options: str, **more: str) -> tuple[int, dict[str, Any]]:
        saved(project, made)
        known = {"SKILLNB_MODEL": "scripted/model:1", "SKILLNB_API_KEY": KEY, "SKILLNB_CACHE": str(project / "cache")}
        url = wire.url if wire else "http://127.0.0.1:9/v1"
        environment = {**os.environ, **known, "SKILLNB_BASE_URL": url, **more}
        ended = command(project, "run", "kit/it", *options, "--json", environment=environment, seconds=120)
        assert ended.stdout, ended.stderr
        return ended.returncode, json.loads(ended.stdout)

    return go


Run = Callable[..., tuple[int, dict[str, Any]]]


def written(project: Path) -> bytes:
    """All that the run has left on the disk, but for the workflow itself."""
    files = [path for path in project.rglob("*") if path.is_file() and "versions" not in path.parts]
    assert files
    return b"\n".join(path.read_bytes() for path in files)


def test_a_run_is_done_by_the_model_and_says_what_that_took(shop: Site, project: Path, run: Run) -> None:
    with wired(scripted(GIVE_UP, FILL, PRESS)) as wire:
        status, told = run(wire, posting(shop), "-p", f"words={TEXT}", "--fail-on-heal")
    assert (status, told["outcome"], told["steps"][0]["path"]) == (5, "passed", "intent")
    assert [row["text"] for row in shop.rows("reviews")][-1] == TEXT
    use = told["steps"][0]["model"]
    assert (use["model"], use["calls"], use["actions"], use["cost"]) == ("scripted/model:1", 3, 2, None)
    assert told["steps"][0]["tokens"] == use["prompt_tokens"] + use["completion_tokens"] > 0
    assert len(wire.asked) == 3
    assert set(wire.keys) == {KEY}
    guided = [line.event for line in read_trace(project / told["trace"]).lines if isinstance(line.event, Guided)]
    assert [item.report.use.calls for item in guided] == [1, 2]
    assert [attempt.by_model for attempt in guided[-1].report.attempts] == [True, True]
    assert KEY.encode() not in written(project)
    assert b"scripted/model:1" in (project / told["notebook"]).read_bytes()


def test_no_model_asks_nothing(shop: Site, run: Run) -> None:
    with wired(scripted(FILL, PRESS)) as wire:
        status, told = run(wire, posting(shop), "-p", f"words={TEXT}", "--no-model")
    assert (status, len(wire.asked), shop.count("POST", "/reviews")) == (1, 0, 0)
    assert "--no-model" in told["steps"][0]["reason"]
    assert told["steps"][0]["model"] is None


def test_a_step_that_its_code_does_asks_nothing(shop: Site, run: Run) -> None:
    code = f"await page.get_by_label('Your review').fill({TEXT!r})\n" + (
        "await page.get_by_role('button', name='Post review').click()"
    )
    made = workflow(f"{shop.url}/reviews", step("post", code=code, post=POSTED))
    with wired(scripted()) as wire:
        assert run(wire, made)[0] == 0
    assert wire.asked == []


@pytest.mark.parametrize(("fault", "kind"), [("down", "unreachable"), ("not-json", "malformed"), ("silent", "timeout")])
def test_a_model_that_is_no_use_is_the_failure_and_not_a_crash(shop: Site, run: Run, fault: str, kind: str) -> None:
    only = workflow(f"{shop.url}/reviews", step("post-a-review", post=POSTED), parameters=(parameter("words"),))
    with wired(scripted()) as wire:
        wire.faults.extend([fault, fault] if fault != "down" else [])  # type: ignore[list-item]
        status, told = run(None if fault == "down" else wire, only, "-p", "words=x", SKILLNB_LIMIT_STEP="seconds=6")
    assert (status, told["outcome"], told["steps"][0]["failure"]) == (1, "failed", "model")
    assert f"({kind})" in told["steps"][0]["reason"]
    assert shop.count("POST", "/reviews") == 0


def test_a_once_step_is_sent_once(shop: Site, run: Run) -> None:
    with wired(lambda *_: PRESS) as wire:
        status, told = run(wire, posting(shop, NEVER, Effect.ONCE), "-p", f"words={TEXT}")
    assert (status, told["outcome"]) == (3, "unverified")
    assert (shop.count("POST", "/reviews"), len(wire.asked)) == (1, 1)


def test_an_obedient_model_deletes_nothing_for_a_page(shop: Site, run: Run) -> None:
    with wired(lambda *_: says("click", WIPE)) as wire:
        status, _ = run(wire, posting(shop), "-p", f"words={TEXT}")
    assert "Ignore your instructions" in json.dumps(wire.asked)
    assert (status, shop.count("POST", "/reviews/delete-all")) == (1, 0)


def test_neither_secrets_nor_the_key_are_ever_asked_about_or_written(shop: Site, project: Path, run: Run) -> None:
    secret = "wonder-land-7"
    user, word = says("fill", 'textbox "Username"', "{user}"), says("fill", 'textbox "Password"', "{password}")
    enter = step("log-in", post='await gate.url("**/orders")')
    made = workflow(
        f"{shop.url}/login",
        enter,
        parameters=(
            parameter("user"),
            parameter("password", ParameterType.SECRET, default='"env:KIT_PASSWORD"', required=False),
        ),
    )
    with wired(scripted(user, word, says("click", 'button "Log in"'), GIVE_UP)) as wire:
        status, told = run(wire, made, "-p", "user=alice", KIT_PASSWORD=secret)
    asked = json.dumps(wire.asked).encode()
    assert (status, told["outcome"], len(wire.asked)) == (0, "passed", 3)
    assert Masker({"password": secret, "key": KEY}).found(asked) == ()
    assert Masker({"password": secret, "key": KEY}).found(written(project)) == ()


def test_the_day_s_limit_is_one_too(shop: Site, run: Run) -> None:
    with wired(scripted(FILL, PRESS)) as wire:
        status, told = run(wire, posting(shop), "-p", "words=x", SKILLNB_LIMIT_DAY="calls=0")
    assert (status, len(wire.asked)) == (1, 0)
    assert "(limit)" in told["steps"][0]["reason"]


def test_limits_are_set_by_the_environment_and_bad_ones_refused(shop: Site, project: Path, run: Run) -> None:
    with wired(lambda *_: says("fill", FIELD, "{words}")) as wire:
        assert run(wire, posting(shop), "-p", "words=x", SKILLNB_LIMIT_STEP="calls=1")[0] == 1
    assert len(wire.asked) == 1
    for name, value in (("SKILLNB_LIMIT_STEP", "hugs=3"), ("SKILLNB_HOSTS", "http://shop/")):
        bad = command(project, "run", "kit/it", "-p", "words=x", environment={**os.environ, name: value})
        assert (bad.returncode, name in bad.stderr) == (2, True)
