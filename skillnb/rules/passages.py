"""Recorded doings of a step: the page before it and after it, as gates are asked about them offline."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import NamedTuple

from skillnb.rules.roles import FIELDS
from skillnb.rules.tree import selected_options
from skillnb.terms.observation import Node, Observation
from skillnb.terms.workflow import Role, Workflow

__all__ = ["at_rest", "before_step", "different", "neighbours", "other_pages", "Passage", "shows", "used_by", "whole"]


class Passage(NamedTuple):
    """A step that passed in a recorded run."""

    run: str
    step: str
    values: Mapping[str, object]
    """Of the run's parameters; a secret is the mark that stands in the record for it."""
    secrets: frozenset[str]
    before: Observation | None
    """None where it was not recorded."""
    after: Observation
    elsewhere: tuple[Observation, ...]
    """After the other steps of the same run."""


def at_rest(seen: Observation) -> Observation:
    """As if the page had come to rest and every field had been read back.

    A record is made the moment the last gate holds and keeps the values that this very gate has asked for. Of other
    fields the printed value stands in, in which white space is folded.
    """
    nodes = tuple(
        replace(node, value=node.text)
        if node.role in FIELDS and node.value is None and selected_options(seen.nodes, at) is None
        else node
        for at, node in enumerate(seen.nodes)
    )
    return replace(seen, nodes=nodes, settled=True)


def before_step(after_previous: Observation) -> Observation:
    """The end of one step as the beginning of the next, in which nothing has been answered, asked or downloaded yet."""
    seen = after_previous
    return Observation(url=seen.url, title=seen.title, nodes=seen.nodes, settled=seen.settled)


def different(one: Observation, other: Observation) -> bool:
    """Do they show different things? Handles and focus are not shown."""
    return one.url != other.url or tuple(map(_plain, one.nodes)) != tuple(map(_plain, other.nodes))


def other_pages(passage: Passage) -> tuple[Observation, ...]:
    """Pages at other addresses that the run has seen, as if this step had ended there, with what it did itself.

    Later steps on the same page are left out: what this step did may rightly be seen there still.
    """
    made: dict[str, Observation] = {}
    after = passage.after
    for seen in passage.elsewhere:
        if _path(seen.url) != _path(after.url):
            made.setdefault(_path(seen.url), seen)
    return tuple(replace(after, url=seen.url, nodes=seen.nodes) for seen in made.values())


def used_by(workflow: Workflow, step: str) -> tuple[str, ...]:
    """Parameters in the step's procedure and code, secrets left out."""
    names: dict[str, None] = {}
    for cell in workflow.cells:
        if cell.step == step and cell.role is Role.CODE:
            names.update(dict.fromkeys(re.findall(r"\bparams\.(\w+)", cell.source)))
        elif cell.step == step and cell.role is Role.PROCEDURE:
            names.update(dict.fromkeys(re.findall(r"\{(\w+)\}", cell.source)))
    open_ones = {parameter.name for parameter in workflow.parameters if not parameter.secret}
    return tuple(name for name in names if name in open_ones)


def neighbours(value: object) -> tuple[str | int, ...]:
    """Values next to this one, of which one must not be taken for the other: the next number, and one digit more."""
    if isinstance(value, bool) or not isinstance(value, str | int) or not str(value).strip():
        return ()
    text = str(value)
    digits = list(re.finditer(r"\d", text))
    made = [f"{text}2"]
    if digits:
        at = digits[-1].start()
        made.insert(0, f"{text[:at]}{(int(text[at]) + 1) % 10}{text[at + 1 :]}")
    return tuple(int(each) for each in made) if isinstance(value, int) else tuple(made)


def whole(text: str) -> re.Pattern[str]:
    """The text where it is no part of a longer word."""
    return re.compile(rf"(?<!\w){re.escape(text)}(?!\w)")


def shows(seen: Observation, value: object) -> bool:
    """Does the page show the value somewhere?"""
    pattern = whole(str(value))
    return any(
        pattern.search(text) is not None for node in seen.nodes for text in (node.name, node.text, node.value or "")
    )


def _plain(node: Node) -> Node:
    return replace(node, ref="", active=False, url="", value=None)


def _path(url: str) -> str:
    return re.split(r"[?#]", url, maxsplit=1)[0]
