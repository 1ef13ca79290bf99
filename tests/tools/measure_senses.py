"""Measure what tells the right sense of a word: python -m tests.tools.measure_senses [--every N].

On the sentences of assets/thesaurus/senses.tsv, whose sense is known: a swap of the right sense is
good, one that only other senses have is bad. Prints, for the margin between senses and for the
steadiness of the word's own state, how often a good swap is above a bad one, and what thresholds
of the margin keep.
"""

import argparse
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from core.assets import FOLDER
from core.substitutions.morphology import inflect, readings
from core.substitutions.senses import likeness, margin, steadiness
from core.substitutions.tagging import tag
from core.substitutions.thesaurus import thesaurus
from core.text import split

MARGINS = (0.0, 0.01, 0.02, 0.035, 0.05)


class Scored(NamedTuple):
    """A swap, whether it is of the right sense, and both signals."""

    good: bool
    margin: float
    steadiness: float


def swaps(entry: str, gloss: str, marked: str) -> Iterator[Scored]:
    """Every swap of the marked word, inflected as it is there."""
    words = split(marked.replace("*", "")).words
    place = len(split(marked.partition("*")[0]).words)
    possible = readings(words[place].lower(), tag(words)[place], thesaurus())
    reading = next((found for found in possible if found.entry == entry), None)
    if reading is None:
        return
    senses, near = thesaurus()[entry], likeness(words, place, entry)
    listed = [(*sense.harmless, *sense.close) for sense in senses]
    at = next(number for number, sense in enumerate(senses) if sense.gloss == gloss)
    forms = {
        name: form
        for name in dict.fromkeys(name for names in listed for name in names)
        if " " not in name and (form := inflect(f"{name}.{reading.part}", reading.tag))
    }
    alike = steadiness(words, [(place, form) for form in forms.values()])
    for name, same in zip(forms, alike, strict=True):
        own = [number for number, names in enumerate(listed) if name in names]
        yield Scored(at in own, margin(near, own), same)


def above(good: NDArray[np.float64], bad: NDArray[np.float64]) -> float:
    """How often a good one is above a bad one."""
    return float((good[:, None] > bad[None]).mean())


def main() -> None:
    parser = argparse.ArgumentParser("python -m tests.tools.measure_senses", description=__doc__)
    parser.add_argument("--every", type=int, default=1, help="take every n-th sentence")
    every = parser.parse_args().every
    lines = (FOLDER / "thesaurus" / "senses.tsv").read_text(encoding="utf-8").splitlines()[1:]
    rows = [one for line in lines[::every] for one in swaps(*line.split("\t"))]
    found = np.array(rows, dtype=float)
    good, bad = found[found[:, 0] == 1], found[found[:, 0] == 0]
    print(f"{len(good)} swaps of the right sense, {len(bad)} of another")
    for column, name in ((1, "margin"), (2, "steadiness")):
        share = above(good[:, column], bad[:, column])
        print(f"{name}: a good swap is above a bad one in {share:.0%} of the pairs")
    for least in MARGINS:
        kept, wrong = (good[:, 1] >= least).sum(), (bad[:, 1] >= least).sum()
        shares = f"{kept / len(good):.0%} of the good kept, {wrong / len(bad):.0%} of the bad"
        print(f"margin {least}: {shares}; {wrong / (kept + wrong):.0%} of what is kept is bad")


if __name__ == "__main__":
    main()
