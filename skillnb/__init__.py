"""skillnb: durable web-agent workflows, kept as versioned notebooks and run behind gates."""

from __future__ import annotations

__all__ = ["__version__"]

__version__ = "0.1.0"
