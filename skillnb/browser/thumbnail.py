"""Small copies of screenshots, for the notebook itself."""

from __future__ import annotations

import io

from PIL import Image

__all__ = ["thumbnail"]

_WIDTH = 560


def thumbnail(jpeg: bytes) -> bytes:
    """A JPEG of 560 pixels' width (12 to 25 kB for a usual page): 40 of them leave a notebook under 2 MB."""
    with Image.open(io.BytesIO(jpeg)) as picture:
        picture.draft("RGB", (_WIDTH * 2, _WIDTH * 2))
        picture.thumbnail((_WIDTH, _WIDTH * 4))
        out = io.BytesIO()
        picture.save(out, "JPEG", quality=50)
    return out.getvalue()
