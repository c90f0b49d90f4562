"""Pages for tests: recorded snapshots of real pages, and pages written out as snapshot lines."""

from __future__ import annotations

from pathlib import Path
from textwrap import dedent

from skillnb.rules.snapshot import parse_snapshot
from skillnb.terms.observation import Node, Observation

__all__ = ["GOLDEN", "page", "recorded", "recorded_text"]

GOLDEN = Path(__file__).parent / "golden" / "snapshots"


def recorded_text(name: str) -> str:
    return (GOLDEN / f"{name}.txt").read_text(encoding="utf-8")


def recorded(name: str, url: str = "http://site/") -> Observation:
    return Observation(url=url, title="", nodes=parse_snapshot(recorded_text(name)))


def page(text: str, *, url: str = "http://site/", settled: bool = True) -> Observation:
    nodes: tuple[Node, ...] = parse_snapshot(dedent(text).strip("\n"))
    return Observation(url=url, title="", nodes=nodes, settled=settled)
