"""Derive from WordNet 3.0 what may not stand in for what: opposites, kinds of a kind, phrases.

``python -m core.substitutions.build.exclusions --sources DIR``; the packages are those of the
lexicon.
"""

import argparse
import tempfile
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import Any, Final

import numpy as np

from core.substitutions import lexicon
from core.substitutions.blocked import is_blocked
from core.substitutions.build import sources
from core.substitutions.build.wordnet import PARTS, is_word

KINDS: Final = (  # nothing of such a kind says the same as another: an hour is no second
    *("time_unit.n.01", "calendar_day.n.01", "calendar_month.n.01", "season.n.02", "weekday.n.01"),
    *("digit.n.01", "large_integer.n.01", "cardinal.a.01", "ordinal.a.01", "rank.n.02"),
    *("color.n.01", "chromatic.a.03", "achromatic.a.01", "relative.n.01", "animal.n.01"),
    *("body_part.n.01", "food.n.01", "food.n.02", "plant.n.02", "clothing.n.01", "vehicle.n.01"),
    *("musical_instrument.n.01", "sport.n.01", "meal.n.01", "language.n.01", "disease.n.01"),
    *("unit_of_measurement.n.01", "monetary_unit.n.01", "compass_point.n.01", "container.n.01"),
    *("religion.n.02", "military_rank.n.01", "metallic_element.n.01", "building.n.01"),
)
USUAL: Final = 2  # senses of a word that make it one of a kind
LONGEST: Final = 3  # words of a phrase


def opposites(reader: Any) -> Iterator[tuple[str, str]]:
    """Antonyms, and what is similar to the one as the opposite of the other."""
    for synset in reader.all_synsets():
        for lemma in synset.lemmas():
            for other in lemma.antonyms():
                near = [lemma.name(), *_similar(synset)]
                far = [other.name(), *_similar(other.synset())]
                for pair in (*product(near, far[:1]), *product(near[:1], far)):
                    if all(map(is_word, pair)):
                        yield tuple(sorted(pair))


def _similar(synset: Any) -> list[str]:
    return [name for near in synset.similar_tos() for name in near.lemma_names()]


def kinds(reader: Any) -> Iterator[tuple[str, int]]:
    """Entries such as ``hour.n`` with the number of a kind that they are of."""
    for number, name in enumerate(KINDS):
        root = reader.synset(name)
        below = {*root.closure(lambda s: [*s.hyponyms(), *s.instance_hyponyms()])}
        for synset in below | {*root.similar_tos()}:
            part = PARTS[synset.pos()]
            for word in filter(is_word, synset.lemma_names()):
                if synset in reader.synsets(word, synset.pos())[:USUAL]:
                    yield f"{word}.{part}", number


def phrases(reader: Any) -> Iterator[str]:
    """What WordNet has of several plain words."""
    for name in reader.all_lemma_names():
        words = name.split("_")
        plain = 1 < len(words) <= LONGEST and all(map(str.isalpha, words)) and name.islower()
        if plain and not is_blocked(" ".join(words)):
            yield " ".join(words)


def save(reader: Any, path: Path) -> None:
    of_kinds = sorted(set(kinds(reader)))
    lexicon.write(
        path,
        opposites=lexicon.pack(f"{one} {other}" for one, other in sorted(set(opposites(reader)))),
        entries=lexicon.pack(entry for entry, _ in of_kinds),
        kinds=np.array([number for _, number in of_kinds], dtype=np.uint8),
        phrases=lexicon.pack(sorted(set(phrases(reader)))),
    )


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog=f"python -m {__spec__.name}", description=__doc__)
    parser.add_argument("--sources", type=Path, required=True, help="folder with the packages")
    options = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as temporary:
        unpacked = sources.unpack(options.sources, Path(temporary), sources.SOURCES)
        save(sources.wordnet(unpacked), lexicon.FOLDER / "exclusions.npz")


if __name__ == "__main__":
    main()
