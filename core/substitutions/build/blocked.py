"""Build the list of blocked words: ``python -m core.substitutions.build.blocked --sources DIR``.

DIR holds three lists from the npm registry, as ``npm pack naughty-words@1.2.0 cuss@2.2.0
@dsojevic/profanity-list@1.0.0`` fetches them. What they all miss is added by hand in
``assets/lexicon/blocked-by-hand.txt``, masked by rot13; WordNet's everyday words that a list has
for its own reasons are left out here. No term is kept, only its hash.
"""

import argparse
import codecs
import json
import tarfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

import numpy as np
import regex

from core.errors import ResourceMissingError
from core.package_files import sha256
from core.substitutions import lexicon
from core.substitutions.blocked import digest, plain
from core.substitutions.morphology import lemmas

SOURCES: Final = {
    "naughty-words-1.2.0.tgz": ("c34b05e10a97ec7b9e0c3dd91d09888187c0f08d0812eaea79679795585b217e"),
    "cuss-2.2.0.tgz": ("66b19c6086d3fb3eac3769daf97dd695290ecc24b0fddbc30688418c629b776f"),
    "dsojevic-profanity-list-1.0.0.tgz": (
        "d9ff073baa8527685758262690fedd4bc6563107486a4f07896f822cd057cba4"
    ),
}
BY_HAND: Final = lexicon.FOLDER / "blocked-by-hand.txt"
CERTAIN: Final = 2  # cuss: how sure it is that a term is meant badly
_CUSS = regex.compile(r"^\s*(?:'([^']+)'|\"([^\"]+)\"|([\w-]+)):\s*(\d),", regex.MULTILINE)


def terms(folder: Path) -> set[str]:
    """All blocked terms and their inflected forms."""
    files = {name: folder / name for name in SOURCES}
    for name, path in files.items():
        if not path.is_file() or sha256(path) != SOURCES[name]:
            raise ResourceMissingError(f"{path} is missing or of another version; see {__name__}.")
    naughty, cuss, severe = files.values()
    found = {*_json(naughty, "package/en.json"), *_certain(cuss), *_severe(severe)}
    added, left_out = _by_hand(BY_HAND.read_text(encoding="utf-8"))
    left_out |= {form for term in left_out for form in inflected(term)}
    listed = {plain(term) for term in found | added} - left_out
    return (listed | {form for term in listed for form in inflected(term)}) - left_out


def _json(path: Path, inside: str) -> Any:
    return json.loads(_member(path, inside))


def _member(path: Path, inside: str) -> str:
    with tarfile.open(path) as archive:
        file = archive.extractfile(inside)
        assert file is not None
        return file.read().decode("utf-8")


def _certain(path: Path) -> Iterator[str]:
    for match in _CUSS.finditer(_member(path, "package/index.js")):
        if int(match[4]) >= CERTAIN:
            yield match[1] or match[2] or match[3]


def _severe(path: Path) -> Iterator[str]:
    rows: list[Mapping[str, Any]] = _json(path, "package/en.json")
    for row in rows:
        if row["severity"] > 1:
            yield from (term.replace("*", "") for term in row["match"].split("|"))


def _by_hand(text: str) -> tuple[set[str], set[str]]:
    """What is added, and, behind a minus, what is left out."""
    lines = [line for line in text.splitlines() if line and not line.startswith("#")]
    read = {codecs.decode(line, "rot13") for line in lines}
    return (
        {term for term in read if not term.startswith("-")},
        {term[1:] for term in read if term.startswith("-")},
    )


def inflected(term: str) -> Iterator[str]:
    """The forms of a term as a noun and as a verb, unless they are those of another word."""
    from lemminflect import getAllInflections, getAllInflectionsOOV

    if not term.isalpha():
        return
    for part in ("NOUN", "VERB"):
        forms = getAllInflections(term, part) or getAllInflectionsOOV(term, part)
        for form in (form for spellings in forms.values() for form in spellings):
            if not lemmas(form) - {term}:
                yield form


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog=f"python -m {__spec__.name}", description=__doc__)
    parser.add_argument("--sources", type=Path, required=True, help="folder with the packages")
    options = parser.parse_args(arguments)
    digests = sorted(map(digest, terms(options.sources)))
    lexicon.write(lexicon.FOLDER / "blocked.npz", digests=np.unique(np.array(digests, np.uint64)))


if __name__ == "__main__":
    main()
