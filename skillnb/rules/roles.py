"""Which roles can be clicked, filled, ticked or chosen from; the same table serves grounding, relocation and gates."""

from __future__ import annotations

__all__ = [
    "CHOOSERS",
    "CLICKABLES",
    "FIELDS",
    "FILLABLES",
    "NAMED_FROM_CONTENT",
    "SOFT_CLICKABLES",
    "TICKABLES",
    "UPLOADABLES",
]

FILLABLES = frozenset({"textbox", "searchbox", "spinbutton", "combobox"})
"""A combobox only where its options are not printed: one that prints them is chosen from, not typed into."""

TICKABLES = frozenset({"checkbox", "switch", "radio", "menuitemcheckbox", "menuitemradio"})

CHOOSERS = frozenset({"combobox", "listbox"})

UPLOADABLES = frozenset({"button"})
"""Chromium exposes a file input as a button."""

CLICKABLES = frozenset({"link", "button", "menuitem", "tab", "option", "treeitem"}) | TICKABLES

SOFT_CLICKABLES = frozenset({"heading", "generic", "img", "cell", "gridcell", "row", "listitem", "paragraph"})
"""Clickable only where the pointer over them is a hand, and only where no real control has the name."""

FIELDS = frozenset({"textbox", "searchbox", "spinbutton", "slider", "combobox", "listbox"})
"""Their printed text is a value, not something the page says."""

NAMED_FROM_CONTENT = frozenset(
    {
        "button",
        "cell",
        "checkbox",
        "columnheader",
        "gridcell",
        "heading",
        "link",
        "listitem",
        "menuitem",
        "menuitemcheckbox",
        "menuitemradio",
        "option",
        "radio",
        "row",
        "rowheader",
        "switch",
        "tab",
        "tooltip",
        "treeitem",
    }
)
"""Named by what they contain. Strictly a list item is not, but people call it by its text."""
