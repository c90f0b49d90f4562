"""Masking of text that arrives in pieces and has to be passed on before it is whole."""

from __future__ import annotations

from skillnb.rules.masking import Masker

__all__ = ["StreamMasker"]


class StreamMasker:
    """What comes out, put together, is what the whole text masked would be, wherever it was cut.

    Held back is only what may still turn out to be the beginning of a secret, or of a mark that stands for one.
    """

    def __init__(self, masker: Masker) -> None:
        self._masker, self._held = masker, ""

    def feed(self, text: str) -> str:
        """The next piece, masked as far as it can be."""
        seen = self._held + text
        stop = self._masker.settled(seen)
        self._held = seen[stop:]
        return self._masker.text(seen[:stop])

    def end(self) -> str:
        """The rest: nothing more comes."""
        rest, self._held = self._held, ""
        return self._masker.text(rest)
