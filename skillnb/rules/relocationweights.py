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
    margin: float
    quality: float
    clash: float
    constant: float
    """The log-odds that an answer is right: ``margin`` times its lead, ``quality`` times its share of what can be
    attained, ``clash`` times how unlike its name is, and ``constant``."""
    accept: float
    """The operating point: from this confidence on the answer is given."""


SHIPPED = Weights(
    features=(1.6, 2.0, 3.6, 3.0, 1.0, 1.0, 1.0, 1.4, 2.3, 1.9, 0.7, 0.8, 1.2, 3.0, 2.5, 1.9, 1.7),
    margin=0.66,
    quality=2.0,
    clash=-3.6,
    constant=-1.73,
    accept=0.66,
)
