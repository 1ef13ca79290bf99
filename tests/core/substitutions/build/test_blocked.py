"""How the list of blocked words is made, from tiny packages; words here are harmless stand-ins."""

import codecs
import json
import tarfile
from io import BytesIO
from pathlib import Path

import pytest

from core.errors import ResourceMissingError
from core.package_files import sha256
from core.substitutions.build import blocked


def packed(path: Path, inside: str, text: str) -> None:
    with tarfile.open(path, "w:gz") as archive:
        content = text.encode()
        entry = tarfile.TarInfo(inside)
        entry.size = len(content)
        archive.addfile(entry, BytesIO(content))


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    naughty, cuss, severe = (tmp_path / name for name in blocked.SOURCES)
    packed(naughty, "package/en.json", json.dumps(["zorble", "bad word", "table"]))
    packed(cuss, "package/index.js", "export const cuss = {\n  frobbed: 2,\n  'mild one': 0,\n}")
    rows = [{"severity": 3, "match": "gri*dge|plonk"}, {"severity": 1, "match": "drat"}]
    packed(severe, "package/en.json", json.dumps(rows))
    by_hand = tmp_path / "by-hand.txt"
    masked = (codecs.encode(word, "rot13") for word in ("quux", "-table"))
    by_hand.write_text("\n".join(["# masked", *masked]))
    hashes = {path.name: sha256(path) for path in (naughty, cuss, severe)}
    monkeypatch.setattr(blocked, "SOURCES", hashes)
    monkeypatch.setattr(blocked, "BY_HAND", by_hand)
    return tmp_path


def test_terms_come_from_all_lists_with_their_forms(folder: Path) -> None:
    found = blocked.terms(folder)
    assert {"zorble", "zorbles", "badword", "frobbed", "gridge", "plonk", "quux"} <= found
    assert not {"table", "tables", "mildone", "drat"} & found


def test_another_version_of_a_list_is_refused(folder: Path) -> None:
    (folder / "cuss-2.2.0.tgz").write_bytes(b"other")
    with pytest.raises(ResourceMissingError, match="of another version"):
        blocked.terms(folder)
