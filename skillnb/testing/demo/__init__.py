"""The demonstration: shipped workflows on released versions of a real application, checked from outside."""

from __future__ import annotations
