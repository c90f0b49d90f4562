"""What rules must know of Playwright's API: which calls are coroutines, which act on the page, which only look for it.

A test compares these sets with the installed Playwright.
"""

from __future__ import annotations

__all__ = ["ACTIONS", "COROUTINES", "DISTINCTIVE", "ELEMENT_ACTIONS", "LOCATORS"]

ACTIONS = frozenset(
    {
        "check", "clear", "click", "dblclick", "dispatch_event", "drag_and_drop", "drag_to", "drop", "fill", "go_back",
        "go_forward", "goto", "hover", "insert_text", "press", "press_sequentially", "reload", "select_option",
        "set_checked", "set_content", "set_input_files", "tap", "type", "uncheck",
    }
)  # fmt: skip
"""Change the page or what it holds."""

ELEMENT_ACTIONS = frozenset(
    {
        "blur", "check", "clear", "click", "dblclick", "dispatch_event", "drag_to", "fill", "focus", "hover", "press",
        "press_sequentially", "scroll_into_view_if_needed", "select_option", "select_text", "set_checked",
        "set_input_files", "tap", "type", "uncheck",
    }
)  # fmt: skip
"""Methods of a locator that act; none of them is also one by which a locator is made."""

COROUTINES = ACTIONS | frozenset(
    {
        "accept", "add_init_script", "add_locator_handler", "all", "all_inner_texts", "all_text_contents",
        "aria_snapshot", "blur", "bounding_box", "bring_to_front", "close", "content", "count", "dismiss",
        "element_handle", "element_handles", "eval_on_selector", "eval_on_selector_all", "evaluate", "evaluate_all",
        "evaluate_handle", "expose_binding", "expose_function", "focus", "get_attribute", "highlight", "inner_html",
        "inner_text", "input_value", "is_checked", "is_disabled", "is_editable", "is_enabled", "is_hidden",
        "is_visible", "new_page", "opener", "pause", "pdf", "query_selector", "query_selector_all", "route",
        "save_as", "screenshot", "scroll_into_view_if_needed", "select_text", "set_extra_http_headers",
        "set_viewport_size", "storage_state", "text_content", "title", "unroute", "wait_for", "wait_for_event",
        "wait_for_function", "wait_for_load_state", "wait_for_selector", "wait_for_timeout", "wait_for_url",
    }
)  # fmt: skip
"""Do nothing unless awaited."""

DISTINCTIVE = frozenset(
    {
        "bring_to_front", "click", "dblclick", "drag_and_drop", "drag_to", "fill", "go_back", "go_forward", "goto",
        "hover", "inner_text", "input_value", "press_sequentially", "scroll_into_view_if_needed", "select_option",
        "set_checked", "set_input_files", "text_content", "uncheck", "wait_for_event", "wait_for_function",
        "wait_for_load_state", "wait_for_selector", "wait_for_timeout", "wait_for_url",
    }
)  # fmt: skip
"""Names that mean Playwright whatever they are called on."""

LOCATORS = frozenset(
    {
        "and_", "filter", "frame_locator", "get_by_alt_text", "get_by_label", "get_by_placeholder", "get_by_role",
        "get_by_test_id", "get_by_text", "get_by_title", "locator", "nth", "or_",
    }
)  # fmt: skip
"""Describe an element and do nothing by themselves."""
