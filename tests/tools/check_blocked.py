"""Look for blocked words in columns of many sentences: python -m tests.tools.check_blocked DATA.

DATA is the folder with sst2/, mr/ and agnews/. Compared are the words of every column with the
terms of the public lists themselves (--sources, as ``core.substitutions.build.blocked`` needs
them), not with their hashes. Ends with 1 if there is one.
"""

import argparse
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random
from typing import Final

from core import SUBSTITUTIONS
from core.substitutions.blocked import plain
from core.substitutions.build.blocked import terms
from core.text import split
from core.victims.training.data import clean, load, natural

METHODS: Final = ("synonym", "sememe", "embedding", "inflection", "plausible")
SETS: Final = ("sst2", "mr", "ag")
SHORTEST: Final = 8  # words
SEED: Final = 0


def sentences(data: Path, count: int) -> Iterator[str]:
    """So many sentences, from every set as many."""
    for number, name in enumerate(SETS):
        rows = load(name, data)
        texts = [natural(clean(row.text)) for row in (*rows.train, *rows.held_out)]
        long = [text for text in texts if len(text.split()) >= SHORTEST]
        yield from Random(SEED).sample(long, (count + number) // len(SETS))


def offered(method: str, texts: Sequence[str]) -> Iterator[str]:
    """Every substitute of every word."""
    substitution = (
        SUBSTITUTIONS[method]() if method != "plausible" else SUBSTITUTIONS[method](level=3)
    )
    for text in texts:
        for column in substitution(split(text).words):
            yield from (one.word for one in column.substitutes)


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser("python -m tests.tools.check_blocked", description=__doc__)
    parser.add_argument("data", type=Path)
    parser.add_argument("--sources", type=Path, required=True)
    parser.add_argument("--sentences", type=int, default=2_000)
    options = parser.parse_args(arguments)
    texts, blocked = list(sentences(options.data, options.sentences)), terms(options.sources)
    found = 0
    for method in METHODS:
        words = list(offered(method, texts))
        bad = [
            word for word in words if any(plain(part) in blocked for part in (word, *word.split()))
        ]
        found += len(bad)
        print(
            f"{method}: {len(words):,} substitutes in {len(texts):,} sentences, {len(bad)} blocked"
        )
    return int(found > 0)


if __name__ == "__main__":
    sys.exit(main())
