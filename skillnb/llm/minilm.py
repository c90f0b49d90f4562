"""Embeddings of all-MiniLM-L6-v2: mean of the tokens' vectors, 384 numbers, computed here by onnxruntime."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from skillnb.errors import ModelNotReady
from skillnb.llm.vectors import unit
from skillnb.llm.wordpiece import WordPiece

__all__ = ["MiniLmEmbedder"]

_LONGEST = 128
"""Tokens it was trained on; the rest of a longer text is not looked at."""


class MiniLmEmbedder:
    name, dimension = "all-MiniLM-L6-v2-int8", 384

    def __init__(self, weights: Path, tokenizer: Path, *, threads: int = 1) -> None:
        """Raises ModelNotReady where the extra is not installed."""
        vocabulary = json.loads(tokenizer.read_text("utf-8"))["model"]["vocab"]
        self._words = WordPiece(vocabulary, _LONGEST)
        self._numpy, runtime = _libraries()
        options = runtime.SessionOptions()
        options.intra_op_num_threads = threads
        self._session = runtime.InferenceSession(str(weights), options, providers=["CPUExecutionProvider"])
        self._inputs = [each.name for each in self._session.get_inputs()]

    def embed(self, texts: Sequence[str]) -> tuple[tuple[float, ...], ...]:
        return tuple(self._vector(text) if text.strip() else (0.0,) * self.dimension for text in texts)

    def _vector(self, text: str) -> tuple[float, ...]:
        """One text at a time: a batch is quantized together, and a vector would depend on its company."""
        ids = self._numpy.array([self._words.ids(text)], dtype="int64")
        given = {"input_ids": ids, "attention_mask": ids * 0 + 1, "token_type_ids": ids * 0}
        tokens = self._session.run(None, {name: given[name] for name in self._inputs})[0]
        return unit([float(number) for number in tokens[0].mean(axis=0)])


def _libraries() -> tuple[Any, Any]:
    try:
        # an optional extra
        import numpy

        # and another, which loads a large library
        import onnxruntime
    except ImportError as error:
        raise ModelNotReady(
            model="minilm",
            problem=f"the extra `embed` is not installed ({error})",
            remedy="run `pip install 'skillnb[embed]'`",
        ) from error
    return numpy, onnxruntime
