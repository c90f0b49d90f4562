"""Forms with files, as browsers send them."""

from __future__ import annotations

import re

from skillnb.testing.site.visit import Upload

__all__ = ["read_parts"]

_NAME = re.compile(r'\bname="((?:[^"\\]|\\.)*)"')
_FILE = re.compile(r'\bfilename="((?:[^"\\]|\\.)*)"')


def read_parts(body: bytes, boundary: str) -> tuple[dict[str, tuple[str, ...]], dict[str, Upload]]:
    """Fields and files. What is not a part of a form is left out."""
    form: dict[str, tuple[str, ...]] = {}
    files: dict[str, Upload] = {}
    for piece in (b"\r\n" + body).split(b"\r\n--" + boundary.encode())[1:]:
        head, blank, content = piece.partition(b"\r\n\r\n")
        told = head.decode("utf-8", "replace")
        name = _NAME.search(told)
        if not blank or name is None:
            continue
        file = _FILE.search(told)
        if file is not None:
            files[name[1]] = Upload(file[1], content)
        else:
            form[name[1]] = (*form.get(name[1], ()), content.decode("utf-8", "replace"))
    return form, files
