"""Weights are fetched by hash with the ordinary client, here from a folder of small wheels."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path
from zipfile import ZipFile

import pytest

from skillnb.errors import ModelNotFetched, ModelNotReady
from skillnb.llm.weights import Weights, WeightsFile, fetch, file_of, known, present, weights_named
from skillnb.llm.wheels import Wheel

PARTS = (b"one " * 1000, b"two " * 1000, b"ten")


class Index:
    """Wheels ``tiny-weights-N`` of which each holds one part."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        folder.mkdir()
        self.wheels = [self.add(number, part) for number, part in zip((1, 2, 10), PARTS, strict=True)]

    def add(self, number: int, part: bytes) -> Wheel:
        name = f"tiny_weights_{number}"
        path = self.folder / f"{name}-1.0-py3-none-any.whl"
        with ZipFile(path, "w") as wheel:
            wheel.writestr(f"{name}/part{number}.bin", part)
            wheel.writestr(f"{name}/__init__.py", "raise SystemExit('imported')")
            wheel.writestr(f"{name}-1.0.dist-info/METADATA", f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
            wheel.writestr(
                f"{name}-1.0.dist-info/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
            )
            wheel.writestr(f"{name}-1.0.dist-info/RECORD", "")
        return Wheel(name.replace("_", "-"), "1.0", hashlib.sha256(path.read_bytes()).hexdigest())

    def path(self, number: int) -> Path:
        return self.folder / f"tiny_weights_{number}-1.0-py3-none-any.whl"

    def weights(self, sha256: str = "") -> Weights:
        whole = hashlib.sha256(b"".join(PARTS)).hexdigest()
        file = WeightsFile("model.gguf", r"part\d+\.bin$", sum(map(len, PARTS)), sha256 or whole)
        return Weights("tiny", "Tiny", "tests", "none", tuple(reversed(self.wheels)), (file,))


@pytest.fixture
def index(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Index:
    for name in os.environ:
        if name.startswith("PIP_"):
            monkeypatch.delenv(name)
    monkeypatch.setenv("PIP_CONFIG_FILE", os.devnull)
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(tmp_path / "index"))
    return Index(tmp_path / "index")


def test_parts_are_put_together_in_the_order_of_their_numbers(index: Index, tmp_path: Path) -> None:
    told: list[str] = []
    models = tmp_path / "models"
    assert not present(index.weights(), models)
    assert fetch(index.weights(), models, told.append)
    assert file_of(index.weights(), ".gguf", models).read_bytes() == b"".join(PARTS)
    assert told == [*(f"tiny: package {count} of 3" for count in (1, 2, 3)), "tiny: model.gguf"]
    assert sorted(path.name for path in models.iterdir()) == ["tiny", "tiny.lock"]
    assert not fetch(index.weights(), models, told.append)
    assert len(told) == 4


def test_a_package_of_another_hash_is_refused(index: Index, tmp_path: Path) -> None:
    wanted = index.weights()
    index.add(2, b"other")
    with pytest.raises(ModelNotFetched, match="tiny-weights-2"):
        fetch(wanted, tmp_path / "models", lambda line: None)
    assert not present(wanted, tmp_path / "models")


def test_an_interrupted_fetch_goes_on_where_it_stopped(index: Index, tmp_path: Path) -> None:
    models, away = tmp_path / "models", tmp_path / "away.whl"
    index.path(1).rename(away)
    with pytest.raises(ModelNotFetched, match="tiny-weights-1"):
        fetch(index.weights(), models, lambda line: None)
    away.rename(index.path(1))
    index.path(2).unlink()
    index.path(10).unlink()
    assert fetch(index.weights(), models, lambda line: None)
    assert present(index.weights(), models)


def test_a_torn_download_is_made_anew(index: Index, tmp_path: Path) -> None:
    parts = tmp_path / "models" / "tiny.parts"
    parts.mkdir(parents=True)
    (parts / index.path(2).name).write_bytes(index.path(2).read_bytes()[:100])
    assert fetch(index.weights(), tmp_path / "models", lambda line: None)


def test_a_whole_of_another_hash_leaves_no_file(index: Index, tmp_path: Path) -> None:
    with pytest.raises(ModelNotFetched, match=r"model\.gguf has sha256 [0-9a-f]{64}, not 00"):
        fetch(index.weights("00"), tmp_path / "models", lambda line: None)
    assert list((tmp_path / "models" / "tiny").iterdir()) == []


def test_what_is_not_there_says_how_to_get_it(tmp_path: Path) -> None:
    with pytest.raises(ModelNotReady, match="run `skillnb model fetch smollm2`"):
        file_of(weights_named("smollm2"), ".gguf", tmp_path)
    with pytest.raises(ModelNotReady, match="it is for something else"):
        file_of(weights_named("minilm"), ".gguf", tmp_path)
    with pytest.raises(ModelNotReady, match="there are: smollm2, qwen05, qwen15, minilm"):
        weights_named("gpt-9")


def test_the_table_is_pinned_throughout() -> None:
    for weights in known().values():
        hashes = [wheel.sha256 for wheel in weights.packages] + [file.sha256 for file in weights.files]
        assert all(len(each) == 64 and int(each, 16) for each in hashes), weights.name
        assert weights.size > 20_000_000
        assert weights.licence
