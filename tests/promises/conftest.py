"""One shop and one Chromium for a module; a workspace; a stage on which the kernel's side of a run is played."""

from __future__ import annotations

import asyncio
import json
import os
import time
from collections.abc import Coroutine, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from playwright.async_api import Browser, Page, Playwright, async_playwright

from skillnb.agent.moves import Limits
from skillnb.agent.pursuit import Model
from skillnb.agent.session import Session
from skillnb.browser.chromium import find_chromium
from skillnb.browser.live import LivePage
from skillnb.codec import decode
from skillnb.errors import InNotebook
from skillnb.llm.protocol import Chat
from skillnb.rules.bundles import mime
from skillnb.rules.hosts import host_of
from skillnb.rules.masking import Masker
from skillnb.rules.patches import after_run
from skillnb.terms.brief import ModelLimits
from skillnb.terms.cascade import Move
from skillnb.terms.memory import Gathered, Memory
from skillnb.terms.record import StepResult
from skillnb.terms.workflow import Workflow
from skillnb.testing.shell import PlainShell
from skillnb.testing.site import Site, serving
from tests.promises.workflows import step, workflow


class Played(NamedTuple):
    """What became of a called workflow: every step, what the call itself raised, and where the page was then."""

    steps: tuple[StepResult, ...]
    error: str
    path: str

    @property
    def ways(self) -> list[str]:
        return [f"{item.outcome} by {item.path}" for item in self.steps]

    @property
    def last(self) -> StepResult:
        return self.steps[-1]

    @property
    def moves(self) -> list[Move]:
        return [item.move for item in self.last.happened]


@dataclass
class Stage:
    """A page of the shop where Alice has logged in, and the real session on it, in this process."""

    loop: asyncio.Runner
    browser: Browser
    shop: Site
    downloads: Path
    gate_seconds: float = 2.0
    action_seconds: float = 2.0
    shells: list[PlainShell] = field(default_factory=list)
    memories: tuple[Memory, ...] = ()
    """What earlier plays have left, once ``learn`` was asked to keep it."""
    gathered: Gathered = field(default_factory=Gathered)
    chat: Chat | None = None
    """The model that steps may ask."""
    limits: ModelLimits = ModelLimits()  # noqa: RUF009 - a frozen value
    """Of the model; the shop's host is put in."""
    secrets: dict[str, str] = field(default_factory=dict)
    """Masked in all that is shown and asked."""

    def run(self, work: Coroutine[Any, Any, Any]) -> Any:
        return self.loop.run(work)

    async def opened(self, path: str) -> Page:
        context = await self.browser.new_context(base_url=self.shop.url)
        context.set_default_timeout(self.action_seconds * 1000)
        context.set_default_navigation_timeout(15_000)
        await context.request.post("/login", form={"username": "alice", "password": "wonder-land-7"})
        page = await context.new_page()
        await page.goto(path)
        return page

    def session(self, page: Page, *workflows: Workflow, main: str = "kit/outer", **values: object) -> Session:
        """A session whose notebook is ``main``; else one that does nothing but call the others."""
        shell = PlainShell()
        self.shells.append(shell)
        outer = workflow(self.shop.url, step("all"), name="kit/outer")
        masker = Masker(self.secrets)
        limits = replace(self.limits, hosts=(host_of(self.shop.url), *self.limits.hosts))
        session = Session(
            page=LivePage(page, self.downloads),
            live_page=page,
            shell=shell,
            workflows={item.name: item for item in (outer, *workflows)},
            main=main,
            values=values,
            secrets=frozenset(),
            limits=Limits(gate_seconds=self.gate_seconds, repair=True, model=self.chat is not None),
            resolve_call=lambda _workflow, arguments: dict(arguments),
            dispatches=None,
            mask=masker.term,
            clock=time.monotonic,
            memories=self.memories,
            model=Model(self.chat, limits, masker.json) if self.chat else None,
        )
        shell.namespace.update(session.bindings(session.params))
        return session

    def play(self, path: str, *workflows: Workflow, **values: object) -> Played:
        """Call the first workflow on the page at ``path``."""
        return self.loop.run(self._play(path, workflows, values))

    async def _play(self, path: str, workflows: tuple[Workflow, ...], values: dict[str, object]) -> Played:
        page = await self.opened(path)
        try:
            session, error = self.session(page, *workflows), ""
            try:
                await session.call(workflows[0].name, **values)
            except InNotebook as raised:
                error = type(raised).__name__
            steps = tuple(
                decode(StepResult, json.dumps(bundle[mime("step")]), "a step")
                for bundle in self.shells[-1].shown
                if mime("step") in bundle
            )
            self.gathered = session.recall.gathered()
            return Played(steps, error, page.url.removeprefix(self.shop.url))
        finally:
            await page.context.close()

    def learn(self, played: Played) -> None:
        """Keep what the play that just ended has seen, as a passing run does."""
        names = {step.workflow for step in played.steps}
        known = {memory.workflow: memory for memory in self.memories}
        empty = {name: Memory(workflow=name) for name in names}
        told = {**empty, **known}
        self.memories = tuple(
            after_run(memory, self.gathered, played.steps, f"run {len(self.shells)}", passed=True, passes=3)[0]
            for memory in told.values()
        )

    def changes(self) -> list[str]:
        """What was asked of the shop that may have changed it, but for logging in."""
        entries = [entry for entry in self.shop.log() if entry["path"] != "/login"]
        return [f"{entry['method']} {entry['path']}" for entry in entries]


class _Home(NamedTuple):
    loop: asyncio.Runner
    playwright: Playwright
    browser: Browser


@pytest.fixture(scope="module")
def _chromium() -> Iterator[_Home]:
    with asyncio.Runner() as loop:

        async def start() -> _Home:
            playwright = await async_playwright().start()
            browser = await playwright.chromium.launch(
                executable_path=find_chromium(os.environ), args=["--no-sandbox", "--disable-gpu"]
            )
            return _Home(loop, playwright, browser)

        home = loop.run(start())
        yield home
        loop.run(home.browser.close())
        loop.run(home.playwright.stop())


@pytest.fixture(scope="module")
def _shop() -> Iterator[Site]:
    with serving() as site:
        yield site


@pytest.fixture
def shop(_shop: Site) -> Iterator[Site]:
    """As it was seeded, nothing counted, nothing changed."""
    _shop.reset()
    yield _shop
    assert _shop.faults == ()


@pytest.fixture
def stage(_chromium: _Home, shop: Site, tmp_path: Path) -> Stage:
    return Stage(_chromium.loop, _chromium.browser, shop, tmp_path)


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A workspace. Limits are short, so that what fails fails soon."""
    (tmp_path / "workflows").mkdir()
    monkeypatch.setenv("SKILLNB_GATE_SECONDS", "2")
    monkeypatch.setenv("SKILLNB_ACTION_SECONDS", "2")
    monkeypatch.setenv("SKILLNB_SCREENSHOTS", "off")
    return tmp_path
