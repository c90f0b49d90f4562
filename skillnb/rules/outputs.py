"""A cell's outputs with the secrets masked: in every text of theirs, in none of the words of the notebook format."""

from __future__ import annotations

import base64
import binascii
import json
from collections.abc import Mapping, Sequence
from typing import Any

from skillnb.codec import decode, plain
from skillnb.errors import Undecodable
from skillnb.rules.bundles import mime
from skillnb.rules.masking import Masker
from skillnb.terms.gate import GateResult
from skillnb.terms.record import FallbackReport, RepairReport, StepResult

__all__ = ["masked_outputs"]

_TERMS: dict[str, Any] = {
    mime("gate"): GateResult,
    mime("step"): StepResult,
    mime("fallback"): FallbackReport,
    mime("repair"): RepairReport,
}


def masked_outputs(outputs: Sequence[Mapping[str, Any]], mask: Masker) -> list[dict[str, Any]]:
    """A secret that was printed in two goes is found: what one stream was sent is one text, whatever stands between."""
    made = [dict(output) for output in outputs]
    for stream in ("stdout", "stderr"):
        parts = [output for output in made if output["output_type"] == "stream" and output["name"] == stream]
        for part, text in zip(parts, mask.pieces([part["text"] for part in parts]), strict=True):
            part["text"] = text
    for output in made:
        if output["output_type"] == "error":
            lines = mask.pieces([f"{line}\n" for line in output["traceback"]])
            output["traceback"] = [line.removesuffix("\n") for line in lines]
            output["ename"], output["evalue"] = mask.text(output["ename"]), mask.json(output["evalue"])
        elif output["output_type"] != "stream":
            output["data"] = {kind: _data(kind, value, mask) for kind, value in output["data"].items()}
            output["metadata"] = {kind: mask.json(value) for kind, value in output["metadata"].items()}
    return made


def _data(kind: str, value: Any, mask: Masker) -> Any:
    if kind in _TERMS:
        try:
            return plain(mask.term(decode(_TERMS[kind], json.dumps(value), kind)))
        except Undecodable:
            return mask.json(value)  # some other program's, under a name of ours
    if isinstance(value, str) and kind.startswith(("image/", "audio/", "video/")) and not kind.endswith("+xml"):
        return _binary(value, mask)
    return mask.json(value)


def _binary(value: str, mask: Masker) -> str:
    """Base64 of a picture's bytes means nothing as text: the bytes are what may hold a secret."""
    try:
        names = mask.found(base64.b64decode(value))
    except binascii.Error:
        return mask.text(value)
    return base64.b64encode(f"[secret:{names[0]}]".encode()).decode("ascii") if names else value
