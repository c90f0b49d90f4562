"""The head of a SKILL.md: YAML between two lines of dashes. The only module that knows YAML."""

from __future__ import annotations

from typing import NamedTuple

import yaml

__all__ = ["BadFrontmatter", "Frontmatter", "read_frontmatter", "write_frontmatter"]

_LINE = "---"


class Frontmatter(NamedTuple):
    head: dict[str, object]
    body: str


class BadFrontmatter(NamedTuple):
    line: int
    problem: str


def read_frontmatter(text: str) -> Frontmatter | BadFrontmatter:
    """Total: any text has a head and a body, or a line with what is wrong."""
    lines = text.removeprefix("\ufeff").replace("\r\n", "\n").split("\n")
    if lines[0].rstrip() != _LINE:
        return BadFrontmatter(1, "the file does not begin with a line ---")
    end = next((at for at, line in enumerate(lines[1:], start=1) if line.rstrip() == _LINE), 0)
    if not end:
        return BadFrontmatter(1, "the head that begins with --- does not end with another ---")
    try:
        head = yaml.safe_load("\n".join(lines[1:end]))
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        problem = getattr(error, "problem", None) or str(error).split("\n")[0]
        return BadFrontmatter((mark.line if mark else 0) + 2, f"not YAML: {problem}")
    except (ValueError, RecursionError) as error:
        return BadFrontmatter(2, f"not YAML: {type(error).__name__}")
    if not isinstance(head, dict):
        return BadFrontmatter(2, "the head is no list of `key: value` lines")
    return Frontmatter({str(key): value for key, value in head.items()}, "\n".join(lines[end + 1 :]).lstrip("\n"))


def write_frontmatter(read: Frontmatter) -> str:
    printable = all(str(value).isprintable() for value in read.head.values())
    head = yaml.safe_dump(read.head, sort_keys=False, allow_unicode=printable, width=1_000_000)
    return f"{_LINE}\n{head}{_LINE}\n\n{read.body.rstrip()}\n"
