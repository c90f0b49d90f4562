from __future__ import annotations

import inspect

from playwright import async_api

from skillnb.rules.playwrightnames import ACTIONS, COROUTINES, DISTINCTIVE, LOCATORS

_CLASSES = (
    async_api.Page,
    async_api.Locator,
    async_api.Frame,
    async_api.Keyboard,
    async_api.Mouse,
    async_api.BrowserContext,
    async_api.Dialog,
    async_api.Download,
)


def _methods(asynchronous: bool) -> set[str]:
    return {
        name
        for kind in _CLASSES
        for name, method in vars(kind).items()
        if inspect.isfunction(method) and inspect.iscoroutinefunction(inspect.unwrap(method)) is asynchronous
    }


def test_every_coroutine_named_here_is_one_in_the_installed_playwright() -> None:
    assert set() == COROUTINES - _methods(asynchronous=True)
    assert set() == COROUTINES & _methods(asynchronous=False)


def test_locators_are_none() -> None:
    assert set() == LOCATORS - _methods(asynchronous=False)
    assert set() == LOCATORS & _methods(asynchronous=True)


def test_every_method_of_page_and_locator_that_could_be_forgotten_is_known() -> None:
    rare = {
        "add_script_tag", "add_style_tag", "cancel_pick_locator", "clear_console_messages", "clear_page_errors",
        "console_messages", "emulate_media", "hide_highlight", "normalize", "page_errors", "pick_locator",
        "remove_locator_handler", "request_gc", "requests", "route_from_har", "route_web_socket", "unroute_all",
    }  # fmt: skip
    known = {
        name
        for kind in (async_api.Page, async_api.Locator)
        for name, method in vars(kind).items()
        if inspect.iscoroutinefunction(inspect.unwrap(method))
    }
    assert set() == known - COROUTINES - rare


def test_the_sets_lie_within_each_other() -> None:
    assert ACTIONS < COROUTINES
    assert DISTINCTIVE < COROUTINES
