"""Other inflections of the same word by LemmInflect, as in Morpheus (Tan et al., 2020).

Departs from Morpheus: the forms come in a fixed order instead of shuffled, the original form is
left out, and a word whose part of speech has no lemma takes its first lemma, not a random one.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from core.substitutions.columns import column, stem
from core.substitutions.protocol import Column
from core.substitutions.tagging import tag, universal
from core.text import remembered

PARTS = ("NOUN", "VERB", "ADJ")
NAMES = {
    "NN": "singular", "NNS": "plural", "VB": "base form", "VBD": "past tense",
    "VBG": "-ing form", "VBN": "past participle", "VBP": "present", "VBZ": "third person singular",
    "JJ": "positive", "JJR": "comparative", "JJS": "superlative", "MD": "modal",
}  # fmt: skip


@dataclass(frozen=True)
class Inflection:
    """All forms of a word's lemma with the same part of speech."""

    def __call__(self, words: Sequence[str]) -> tuple[Column, ...]:
        return tuple(_column(word, own) for word, own in zip(words, tag(words), strict=True))


@remembered(1 << 14)
def _column(word: str, own: str) -> Column:
    from lemminflect import getAllInflections, getAllLemmas

    part = universal(own)
    if own in ("NNP", "NNPS") and word[:1].isupper():
        return Column(note="proper name")
    if part not in PARTS or not word[:1].isalpha():
        return Column(note=f"part of speech {own}")
    if stem(word)[1]:
        return Column(note="possessive")
    plain = word.lower()
    lemmas = getAllLemmas(plain)
    if not lemmas:
        return Column(note="LemmInflect has no lemma for it")
    # Morpheus takes any part of speech where the tagged one has no lemma.
    lemma = lemmas.get(part, next(iter(lemmas.values())))[0]
    forms = getAllInflections(lemma, upos=part)
    found = (
        (form, f"{kind} ({NAMES.get(kind, 'form')}) of {lemma}")
        for kind, spellings in forms.items()
        for form in spellings
    )
    return column(word, found, "no other form")
