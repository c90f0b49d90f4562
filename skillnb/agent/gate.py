"""``gate``: what a workflow's gate cells call. Each call is a gate as data, asked until it holds or time is up."""

from __future__ import annotations

import re
import sys
from collections.abc import Awaitable, Callable

from skillnb.terms.gate import Argument, Fixed, Gate, GateKind, GateResult, Operand, Pattern

__all__ = ["Asker", "Gates"]

_Text = str | re.Pattern[str] | None
Asker = Callable[[Gate, float | None], Awaitable[GateResult]]

_FLAGS = ((re.IGNORECASE, "i"), (re.MULTILINE, "m"), (re.DOTALL, "s"), (re.VERBOSE, "x"))


class Gates:
    """Predicates on observable state. All wait like web-first assertions (``timeout`` in s) and raise GateFailed."""

    def __init__(self, ask: Asker) -> None:
        self._ask = ask

    def url(self, pattern: str | re.Pattern[str], *, timeout: float | None = None) -> Awaitable[GateResult]:
        """The address: ``*`` stays within a path segment, ``**`` crosses them; the whole URL without its fragment."""
        return self._make(GateKind.URL, timeout, pattern=pattern)

    def visible(
        self,
        *,
        role: str | None = None,
        name: _Text = None,
        text: _Text = None,
        label: _Text = None,
        placeholder: _Text = None,
        exact: bool = False,
        near: str | None = None,
        timeout: float | None = None,
    ) -> Awaitable[GateResult]:
        """At least one such element is shown."""
        return self._make(
            GateKind.VISIBLE,
            timeout,
            role=role,
            name=name,
            text=text,
            label=label,
            placeholder=placeholder,
            exact=exact or None,
            near=near,
        )

    def value(
        self,
        *,
        role: str | None = None,
        name: _Text = None,
        label: _Text = None,
        placeholder: _Text = None,
        equals: str | int | float | None = None,
        contains: str | None = None,
        checked: bool | None = None,
        exact: bool = False,
        near: str | None = None,
        timeout: float | None = None,
    ) -> Awaitable[GateResult]:
        """The committed value of exactly one form field, read back from the page; of a select, its option's label."""
        return self._make(
            GateKind.VALUE,
            timeout,
            role=role,
            name=name,
            label=label,
            placeholder=placeholder,
            equals=equals,
            contains=contains,
            checked=checked,
            exact=exact or None,
            near=near,
        )

    def text(
        self,
        *,
        role: str | None = None,
        name: _Text = None,
        contains: _Text = None,
        equals: _Text = None,
        timeout: float | None = None,
    ) -> Awaitable[GateResult]:
        """Text of an element of that role, or of the whole page."""
        return self._make(GateKind.TEXT, timeout, role=role, name=name, contains=contains, equals=equals)

    def count(
        self,
        *,
        role: str | None = None,
        name: _Text = None,
        text: _Text = None,
        label: _Text = None,
        equals: int | None = None,
        at_least: int | None = None,
        at_most: int | None = None,
        exact: bool = False,
        near: str | None = None,
        timeout: float | None = None,
    ) -> Awaitable[GateResult]:
        """So many such elements are shown."""
        return self._make(
            GateKind.COUNT,
            timeout,
            role=role,
            name=name,
            text=text,
            label=label,
            equals=equals,
            at_least=at_least,
            at_most=at_most,
            exact=exact or None,
            near=near,
        )

    def absent(
        self,
        *,
        role: str | None = None,
        name: _Text = None,
        text: _Text = None,
        label: _Text = None,
        placeholder: _Text = None,
        exact: bool = False,
        near: str | None = None,
        timeout: float | None = None,
    ) -> Awaitable[GateResult]:
        """No such element is shown, on a page that has come to rest."""
        return self._make(
            GateKind.ABSENT,
            timeout,
            role=role,
            name=name,
            text=text,
            label=label,
            placeholder=placeholder,
            exact=exact or None,
            near=near,
        )

    def response(
        self, method: str, pattern: str | re.Pattern[str], *, status: int | None = None, timeout: float | None = None
    ) -> Awaitable[GateResult]:
        """Since the step began the site has answered such a request."""
        return self._make(GateKind.RESPONSE, timeout, method=method, pattern=pattern, status=status)

    def file(
        self, name_pattern: str | re.Pattern[str], *, min_size: int = 1, timeout: float | None = None
    ) -> Awaitable[GateResult]:
        """Since the step began a file of that name (a glob) was downloaded whole, of ``min_size`` bytes or more."""
        return self._make(GateKind.FILE, timeout, name_pattern=name_pattern, min_size=min_size)

    def _make(self, kind: GateKind, timeout: float | None, **given: object) -> Awaitable[GateResult]:
        # two frames up is the cell; its line tells which of the parsed gates this call is
        line = sys._getframe(2).f_lineno
        arguments = tuple(
            Argument(name=name, value=_operand(value)) for name, value in given.items() if value is not None
        )
        shown = ", ".join(f"{argument.name}={_shown(argument.value)}" for argument in arguments)
        gate = Gate(kind=kind, expression=f"gate.{kind}({shown})", arguments=arguments, line=line)
        return self._ask(gate, timeout)


def _operand(value: object) -> Operand:
    if isinstance(value, re.Pattern):
        flags = "".join(letter for flag, letter in _FLAGS if value.flags & flag)
        return Pattern(source=value.pattern, flags=flags)
    if isinstance(value, (bool, int, float)):
        return Fixed(value=value)
    return Fixed(value=str(value))


def _shown(operand: Operand) -> str:
    return repr(operand.value) if isinstance(operand, Fixed) else repr(operand)
