"""The kernel that every workflow notebook names: stock Python, so that it opens on any machine."""

from __future__ import annotations

__all__ = ["KERNELSPEC", "LANGUAGE_INFO"]

KERNELSPEC = {"name": "python3", "display_name": "Python 3 (ipykernel)", "language": "python"}

LANGUAGE_INFO = {
    "codemirror_mode": {"name": "ipython", "version": 3},
    "file_extension": ".py",
    "mimetype": "text/x-python",
    "name": "python",
    "nbconvert_exporter": "python",
    "pygments_lexer": "ipython3",
    "version": "3.11.0",
}
"""Filled in beforehand: JupyterLab would add the block on opening and so dirty the file."""
