"""How well an embedding finds the right skill: top-1 and top-5 of a retrieval set, and milliseconds a query.

    python -m bench.embedding FILE [--embedding hashed|minilm|NAME/NUMBERS] [--json]

FILE is JSON: ``skills``, a list of [name, description], and ``queries``, a list of [text, name of the right skill].
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
from pathlib import Path

from skillnb.config import model_settings
from skillnb.models import open_embedder
from skillnb.testing.embedders.contract import likeness


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m bench.embedding")
    parser.add_argument("file", type=Path)
    parser.add_argument("--embedding", default="hashed")
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    data = json.loads(given.file.read_text("utf-8"))
    embedder = open_embedder(model_settings({}, "")._replace(embedding=given.embedding), os.environ)
    names = [name for name, _ in data["skills"]]
    vectors = embedder.embed([text for _, text in data["skills"]])
    ranks, milliseconds = [], []
    for query, right in data["queries"]:
        before = time.process_time()
        [asked] = embedder.embed([query])
        milliseconds.append(1000 * (time.process_time() - before))
        order = sorted(range(len(names)), key=lambda at: -likeness(asked, vectors[at]))
        ranks.append(order.index(names.index(right)))
    facts = {
        "embedding": embedder.name,
        "skills": len(names),
        "queries": len(ranks),
        "top1": round(sum(rank < 1 for rank in ranks) / len(ranks), 3),
        "top5": round(sum(rank < 5 for rank in ranks) / len(ranks), 3),
        "cpu_ms_least": round(min(milliseconds), 2),
    }
    if given.json:
        print(json.dumps(facts))
    else:
        print("\n".join(f"{name:14} {value}" for name, value in facts.items()))
    return 0


if __name__ == "__main__":
    sys.exit(main())
