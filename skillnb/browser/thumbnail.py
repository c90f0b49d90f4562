"""Small copies of screenshots, for the notebook itself."""

from __future__ import annotations

import io

from PIL import Image

__all__ = ["thumbnail"]

_WIDTH = 360


def thumbnail(jpeg: bytes) -> bytes:
    """A JPEG of 360 pixels' width (8 to 15 kB for a usual page)."""
    with Image.open(io.BytesIO(jpeg)) as picture:
        picture.draft("RGB", (_WIDTH * 2, _WIDTH * 2))
        picture.thumbnail((_WIDTH, _WIDTH * 4))
        out = io.BytesIO()
        picture.save(out, "JPEG", quality=55)
    return out.getvalue()
