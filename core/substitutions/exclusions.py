"""What never says the same, whatever the vectors say: opposites, others of a kind, phrases.

The table is made from WordNet by ``build.exclusions``.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from functools import cache

from core.substitutions.lexicon import table, unpack
from core.substitutions.morphology import Reading, lemmas
from core.substitutions.vocabulary import is_name, usage
from core.substitutions.wordnet import wordnet

LONGEST = 3  # words of a phrase
OFTEN = 0.15  # beside a name, a word that has a capital so often is a part of the name


@cache
def _opposites() -> frozenset[tuple[str, ...]]:
    return frozenset(tuple(line.split(" ")) for line in unpack(table("exclusions")["opposites"]))


@cache
def _kinds() -> Mapping[str, frozenset[int]]:
    stored = table("exclusions")
    found = defaultdict[str, set[int]](set)
    for entry, kind in zip(unpack(stored["entries"]), stored["kinds"].tolist(), strict=True):
        found[entry].add(kind)
    return {entry: frozenset(kinds) for entry, kinds in found.items()}


@cache
def _phrases() -> frozenset[str]:
    return frozenset(unpack(table("exclusions")["phrases"]))


def is_excluded(reading: Reading, form: str) -> bool:
    """Whether a form is the opposite of a word, or another of its kind: an hour is no second."""
    for lemma in {form, *lemmas(form)}:
        kinds = _kinds().get(f"{lemma}.{reading.part}", frozenset())
        other = not kinds.isdisjoint(_kinds().get(reading.entry, frozenset()))
        if other or tuple(sorted((lemma, reading.lemma))) in _opposites():
            return True
    return False


def is_modifying_participle(word: str, own: str) -> bool:
    """Whether a verb's form is used as an adjective: ``stunning`` does not mean ``shocking``."""
    as_verb = any(f"{lemma}.v" in wordnet().entries for lemma in lemmas(word.lower()))
    return own == "JJ" and as_verb and word.lower().endswith(("ing", "ed", "en"))


def phrase_of(words: Sequence[str], place: int) -> str:
    """The phrase of WordNet that the word at a place belongs to, or nothing."""
    for size in range(2, LONGEST + 1):
        for start in range(max(0, place - size + 1), min(place, len(words) - size) + 1):
            here = [word.lower() for word in words[start : start + size]]
            bases = [next(iter(sorted(lemmas(word), key=len)), word) for word in here]
            for read in (here, [bases[0], *here[1:]], [*here[:-1], bases[-1]]):
                if " ".join(read) in _phrases():
                    return " ".join(read)
    return ""


def is_part_of_name(words: Sequence[str], place: int) -> bool:
    """Whether a word in a text without capitals belongs to the name beside it: austin powers."""
    if any(word != word.lower() for word in words):
        return False
    used = usage().get(words[place])
    beside = (*words[max(0, place - 1) : place], *words[place + 1 : place + 2])
    return used is not None and used.capital >= OFTEN and any(map(is_name, beside))
