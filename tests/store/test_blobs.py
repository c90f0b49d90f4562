"""Blobs: the same bytes once, under their digest."""

from __future__ import annotations

from pathlib import Path

from skillnb.codec import digest_bytes
from skillnb.store.blobs import BlobFolder


def test_bytes_are_kept_once_and_found_by_their_digest(tmp_path: Path) -> None:
    blobs = BlobFolder(tmp_path)
    name = blobs.put(b"picture", ".jpg")
    assert name == blobs.put(b"picture", ".jpg") == digest_bytes(b"picture")
    assert Path(blobs.path(name)).read_bytes() == b"picture"
    assert Path(blobs.path(name)).suffix == ".jpg"
    assert len([path for path in tmp_path.rglob("*") if path.is_file()]) == 1


def test_what_is_not_there_has_no_path(tmp_path: Path) -> None:
    assert BlobFolder(tmp_path).path(digest_bytes(b"")) == ""
