"""A small web shop with an issue tracker, to test on: counts requests, resets, and changes its pages when told to."""

from __future__ import annotations

from skillnb.testing.site.control import Site
from skillnb.testing.site.serving import serving
from skillnb.testing.site.switch import Mutated

__all__ = ["Mutated", "serving", "Site"]
