"""``params``: the run's parameter values as attributes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

__all__ = ["Params", "SecretText"]


class SecretText(str):
    """A secret's value: text wherever it is used, but never shown by repr, as a debugger or a traceback would."""

    __slots__ = ()

    def __repr__(self) -> str:
        return "'[secret]'"


class Params:
    """Read-only attributes; an undeclared name says which are declared."""

    __slots__ = ("_values",)

    def __init__(self, values: Mapping[str, object], secrets: frozenset[str]) -> None:
        made = {name: SecretText(value) if name in secrets else value for name, value in values.items()}
        object.__setattr__(self, "_values", made)

    def __getattr__(self, name: str) -> object:
        values = _values(self)
        if name in values:
            return values[name]
        raise AttributeError(f"no parameter {name!r}; declared: {', '.join(values) or 'none'}")

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"parameters can't be set while a workflow runs (params.{name} = ...)")

    def __iter__(self) -> Iterator[str]:
        return iter(_values(self))

    def __dir__(self) -> list[str]:
        return sorted(_values(self))

    def __repr__(self) -> str:
        return "params(" + ", ".join(f"{name}={value!r}" for name, value in _values(self).items()) + ")"


def _values(params: Params) -> dict[str, object]:
    found: dict[str, object] = object.__getattribute__(params, "_values")
    return found
