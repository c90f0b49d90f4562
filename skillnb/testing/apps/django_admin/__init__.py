"""Django's own admin, in several released versions. ``app.toml`` says how it is installed, seeded and served."""

from __future__ import annotations
