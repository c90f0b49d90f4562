"""Element decisions without a model: which element of a short list one plain sentence is about, or none.

    python -m bench.grounding bench/data/grounding-own.json [--embed none|hashed|minilm] [--distractors] [--json]

A decision is an object (instruction, elements, gold or gold_index, action, value, difficulty) or an array in that order
of [difficulty, instruction, elements, gold, action, value]; a file holds a list of them, or an object with the list
under ``E`` or ``decisions``. An element is written as ``textbox "Username" value="alice"``; gold null: none is right.
"""

from __future__ import annotations

import argparse
import contextlib
import importlib
import json
import os
import random
import re
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from skillnb.agent.likeness import Likenesses
from skillnb.errors import SkillnbError
from skillnb.llm.protocol import Embedder
from skillnb.rules.readings import readings, settle
from skillnb.rules.roles import CHOOSERS, CLICKABLES, FILLABLES
from skillnb.rules.similarity import closeness
from skillnb.terms.action import Abstain
from skillnb.terms.observation import Node, Observation

_ELEMENT = re.compile(r'^(?P<role>\w+)(?: "(?P<name>.*?)")?(?: value="(?P<value>.*)")?$')
_KEYS = ("difficulty", "instruction", "elements", "gold", "action", "value")
_DISTRACTORS = 25
_EMBEDDERS = ("none", "hashed", "minilm")


class Decision(NamedTuple):
    difficulty: str
    instruction: str
    elements: tuple[str, ...]
    gold: int | None
    action: str
    value: str | None


class Answer(NamedTuple):
    decision: Decision
    chosen: int | None
    forced: int | None
    reason: str
    seconds: float

    @property
    def kind(self) -> str:
        if self.chosen is None:
            return "abstained" if self.decision.gold is not None else "rightly_abstained"
        return "right" if self.chosen == self.decision.gold else "wrong"


def decisions(text: str) -> list[Decision]:
    read = json.loads(text)
    rows = read if isinstance(read, list) else read.get("E", read.get("decisions"))
    return [_decision(row) for row in rows]


def _decision(row: Any) -> Decision:
    known: dict[str, Any] = dict(zip(_KEYS, row, strict=False)) if isinstance(row, list) else dict(row)
    gold = known.get("gold", known.get("gold_index"))
    if gold is not None and not 0 <= gold < len(known["elements"]):
        raise SystemExit(f"gold {gold} is none of the {len(known['elements'])} elements of {known['instruction']!r}")
    return Decision(
        str(known.get("difficulty", "")),
        known["instruction"],
        tuple(known["elements"]),
        gold,
        known.get("action") or "",
        known.get("value"),
    )


def observation(elements: Sequence[str]) -> Observation:
    return Observation(url="", title="", nodes=tuple(_node(at, text) for at, text in enumerate(elements)))


def _node(at: int, text: str) -> Node:
    read = _ELEMENT.match(text)
    if read is None:
        raise SystemExit(f'{text!r} is not an element: write it as role "name" or role "name" value="..."')
    name, checked = read["name"] or "", ""
    if name.endswith("(checked)"):
        name, checked = name.removesuffix("(checked)").rstrip(), "true"
    ref = f"e{at + 1}"
    return Node(
        index=at, depth=0, parent=-1, role=read["role"], name=name, text=read["value"] or "", ref=ref, checked=checked
    )


def with_distractors(items: Sequence[Decision], seed: int = 7) -> list[Decision]:
    """Each that has a right element, with those of other decisions before and behind its own, but for its very twin."""
    rng, made = random.Random(seed), []
    for item in items:
        if item.gold is None:
            continue  # among the others there may well be a right one
        right = item.elements[item.gold]
        others = [text for other in items if other is not item for text in other.elements if text != right]
        extra = rng.sample(sorted(set(others) - set(item.elements)), _DISTRACTORS)
        at = rng.randrange(_DISTRACTORS + 1)
        elements = (*extra[:at], *item.elements, *extra[at:])
        made.append(item._replace(elements=elements, gold=item.gold + at))
    return made


def answer(decision: Decision, likenesses: Likenesses | None) -> Answer:
    seen = observation(decision.elements)
    begun = time.perf_counter()
    understood = readings(decision.instruction, frozenset())
    if isinstance(understood, Abstain):
        found: Any = understood
    else:
        found = settle(understood, {}, seen)
        if isinstance(found, Abstain) and likenesses is not None:
            found = settle(understood, {}, seen, likenesses.table(understood, {}, seen))
    seconds = time.perf_counter() - begun
    if isinstance(found, Abstain):
        return Answer(decision, None, _forced(decision, seen, likenesses), found.reason, seconds)
    chosen = next((node.index for node in seen.nodes if found.target and node.ref == found.target.ref), None)
    return Answer(decision, chosen, chosen, found.target.how if found.target else "", seconds)


def _forced(decision: Decision, seen: Observation, likenesses: Likenesses | None) -> int:
    """A guess, for comparison only: a field where something is typed, else a control, most alike to the sentence."""
    said = decision.instruction.replace(decision.value or "\0", "").replace("''", "").strip()
    kinds = FILLABLES | CHOOSERS if decision.value else CLICKABLES | CHOOSERS
    pool = [node for node in seen.nodes if node.role in kinds] or list(seen.nodes)
    named = {node.index: f"{node.role} {node.name}" for node in pool}
    if likenesses is None:
        return max(pool, key=lambda node: closeness(said, node.name)).index
    likeness = likenesses.of((said, *named.values()))
    return max(pool, key=lambda node: likeness(said, named[node.index])).index


def embedder(name: str) -> Embedder | None:
    if name == "none":
        return None
    try:
        models: Any = importlib.import_module("skillnb.models")
        settings: Any = importlib.import_module("skillnb.config").model_settings({}, "")
        made: Embedder = models.open_embedder(settings._replace(embedding=name), os.environ)
    except (ImportError, AttributeError) as error:
        raise SystemExit(f"--embed {name}: this installation has no such embedding ({error})") from error
    except SkillnbError as error:
        raise SystemExit(f"--embed {name}: {error}") from error
    return made


def best_available() -> str:
    for name in ("minilm", "hashed"):
        with contextlib.suppress(SystemExit):
            embedder(name)
            return name
    return "none"


def report(answers: Sequence[Answer], embed: str) -> dict[str, object]:
    counts = Counter(item.kind for item in answers)
    with_gold = [item for item in answers if item.decision.gold is not None]
    return {
        "n": len(answers),
        "n_with_a_right_element": len(with_gold),
        "embed": embed,
        "forced_right": sum(item.forced == item.decision.gold for item in with_gold),
        **{kind: counts[kind] for kind in ("right", "wrong", "abstained", "rightly_abstained")},
        "ms_per_decision": round(1000 * sum(item.seconds for item in answers) / max(1, len(answers)), 2),
        "ms_per_element": round(
            1000 * sum(item.seconds for item in answers) / max(1, sum(len(item.decision.elements) for item in answers)),
            3,
        ),
    }


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description="Element decisions without a model.")
    parser.add_argument("file", type=Path)
    parser.add_argument("--embed", choices=_EMBEDDERS, default="none")
    parser.add_argument("--distractors", action="store_true", help=f"add {_DISTRACTORS} elements of other decisions")
    parser.add_argument("--each", action="store_true", help="one line for each decision")
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args(arguments)
    items = decisions(given.file.read_text(encoding="utf-8"))
    used = embedder(given.embed)
    likenesses = Likenesses(used) if used else None
    items = with_distractors(items) if given.distractors else items
    answers = [answer(item, likenesses) for item in items]
    if given.each:
        for item in answers:
            chosen = "" if item.chosen is None else item.decision.elements[item.chosen]
            print(f"{item.kind:17} {item.decision.instruction!r} {chosen}: {item.reason}")
    told = report(answers, used.name if used else "none") | {"best_available": best_available()}
    print(json.dumps(told) if given.json else "\n".join(f"{key:24} {value}" for key, value in told.items()))


if __name__ == "__main__":
    main()
