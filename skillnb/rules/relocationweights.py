"""What each piece of evidence weighs when an element is looked for again, and when an answer is sure enough.

Fitted by ``python -m bench.fitting`` on 302 elements of 18 public sites whose pages changed over about 2.7 years; the
procedure is in ``docs/relocation.md``. ``above`` is not in that data and was set by hand: as much as a name.
"""

from __future__ import annotations

from typing import NamedTuple

__all__ = ["SHIPPED", "Weights"]


class Weights(NamedTuple):
    features: tuple[float, ...]
    """One for each of ``likeness.FEATURES``."""
    lead: float
    clash: float
    constant: float
    """The log-odds that an answer is right: ``lead`` times its lead over the next element, ``clash`` times how unlike
    its name is, and ``constant``."""
    accept: float
    """The operating point: from this confidence on the answer is given."""


SHIPPED = Weights(
    features=(1.56, 1.96, 3.61, 3.01, 0.95, 0.94, 1.04, 1.41, 2.26, 1.87, 0.72, 0.78, 1.16, 3.61, 2.51, 1.92, 1.75),
    lead=0.58,
    clash=-4.14,
    constant=0.32,
    accept=0.676,
)
