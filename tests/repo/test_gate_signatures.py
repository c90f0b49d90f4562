"""A gate means the same to those who call it live, to those who read it as data, and in its documentation."""

from __future__ import annotations

import inspect

import pytest

from skillnb.agent.gate import Gates
from skillnb.rules.gatesource import SIGNATURES, Signature
from skillnb.terms.gate import GateKind


@pytest.mark.parametrize(("kind", "read"), list(SIGNATURES.items()))
def test_what_can_be_called_is_what_can_be_read(kind: GateKind, read: Signature) -> None:
    live = [item for item in inspect.signature(getattr(Gates, kind)).parameters.values() if item.name != "self"]
    assert tuple(item.name for item in live if item.kind is item.POSITIONAL_OR_KEYWORD) == read.positional
    assert {item.name for item in live} == read.all


def test_every_kind_but_custom_can_be_called() -> None:
    public = {name for name in vars(Gates) if not name.startswith("_")}
    assert public == {str(kind) for kind in GateKind if kind is not GateKind.CUSTOM}
