"""Build assets/lexicon: ``python -m core.substitutions.build --sources DIR``.

The tagger is taught by ``build.teach``, unless NLTK's own weights are asked for.
"""

import argparse
import sys
import tempfile
import time
from collections.abc import Mapping
from pathlib import Path

from core.errors import CoreError
from core.substitutions import lexicon
from core.substitutions.build import forms, neighbours, sememes, sources, tagger, wordnet, words

BUNDLED = "WordNet 3.0 concepts (bundled)"


def build(folder: Path, target: Path, hashes: Mapping[str, str], nltk_tagger: bool = False) -> None:
    """Build every table from the packages in the folder."""
    begin = time.perf_counter()

    def report(done: str) -> None:
        sys.stdout.write(f"{time.perf_counter() - begin:6.1f} s  {done}\n")
        sys.stdout.flush()

    with tempfile.TemporaryDirectory() as temporary:
        unpacked = sources.unpack(folder, Path(temporary), hashes)
        if nltk_tagger:
            tagger.build(unpacked, target)
            report("tagger.npz")
        relations = wordnet.Relations(sources.wordnet(unpacked))
        wordnet.save(relations, target / "wordnet.npz")
        report("wordnet.npz")
        sememes.save(target / "sememes.npz", BUNDLED, sememes.entries(relations))
        report("sememes.npz")
        vocabulary = neighbours.save(
            target / "neighbours.npz", unpacked / neighbours.VECTORS, relations.banned
        )
        report("neighbours.npz")
        counts = words.build(unpacked, target, vocabulary, relations.ordinary)
        report("words.npz")
        forms.save(target / "forms.npz", relations.senses, counts)
        report("forms.npz")


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m core.substitutions.build", description=__doc__)
    parser.add_argument("--sources", type=Path, required=True, help="folder with the packages")
    parser.add_argument("--target", type=Path, default=lexicon.FOLDER, help="folder to write to")
    parser.add_argument(
        "--nltk-tagger", action="store_true", help="replace the taught tagger by NLTK's own"
    )
    options = parser.parse_args(arguments)
    try:
        build(options.sources, options.target, sources.SOURCES, options.nltk_tagger)
    except CoreError as error:
        sys.stderr.write(f"{error}\n")
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
