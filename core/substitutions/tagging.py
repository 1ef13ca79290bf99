"""Penn Treebank tags by NLTK's averaged perceptron tagger, with weights taught by build.teach."""

import json
from collections.abc import Sequence
from functools import cache
from typing import Any

from core.substitutions.lexicon import table, unpack
from core.substitutions.vocabulary import is_plain
from core.text import remembered, word_tokens

UNIVERSAL = {
    "NN": "NOUN", "VB": "VERB", "MD": "VERB", "JJ": "ADJ", "RB": "ADV", "WRB": "ADV",
    "PRP": "PRON", "WP": "PRON", "EX": "DET", "DT": "DET", "PDT": "DET", "WDT": "DET",
    "IN": "ADP", "CC": "CONJ", "CD": "NUM", "TO": "PRT", "RP": "PRT", "POS": "PRT",
}  # fmt: skip


def tag(words: Sequence[str]) -> tuple[str, ...]:
    """Tag the words of a text; a contraction gets the tag of its first part (``don't``: of ``do``).

    Capitals that only mark the start of a sentence are ignored, since they make ordinary words
    look like names.
    """
    return _tag(tuple(words))


def universal(penn: str) -> str:
    """The coarse part of speech of a Penn tag (NOUN, VERB, ADJ, ADV, ...), X if it has none."""
    return UNIVERSAL.get(penn.rstrip("$"), UNIVERSAL.get(penn[:2], "X"))


def parts(words: Sequence[str]) -> list[tuple[int, str]]:
    """The tokens that the tagger sees, each with the position of its word.

    Contractions come apart, and ordinary words lose the capital of a sentence start.
    """
    found = []
    for position, word in enumerate(words):
        plain = word.replace("’", "'")
        if word[:1].isupper() and is_plain(word):
            plain = plain.lower()
        first = len(word_tokens(plain)[0])
        found += [(position, part) for part in (plain[:first], plain[first:]) if part]
    return found


@remembered(2_048, longest=2_000)
def _tag(words: tuple[str, ...]) -> tuple[str, ...]:
    pieces = parts(words)
    # Words come without punctuation; the tagger expects a sentence to end.
    tagged = _tagger().tag([*(part for _, part in pieces), "."])
    found: dict[int, str] = {}
    for (position, _), pair in zip(pieces, tagged, strict=False):
        found.setdefault(position, pair[1])
    return tuple(found[position] for position in range(len(words)))


@cache
def _tagger() -> Any:
    """NLTK's tagger with our copy of its weights."""
    from nltk.tag.perceptron import PerceptronTagger

    stored = table("tagger")
    classes = unpack(stored["classes"])
    starts = stored["starts"].tolist()
    tags = [classes[number] for number in stored["tags"].tolist()]
    weights = (stored["weights"] / 1000).tolist()
    tagger = PerceptronTagger(load=False)
    tagger.tagdict = json.loads(unpack(stored["tagdict"])[0])
    tagger.classes = set(classes)
    tagger.model.classes = tagger.classes
    tagger.model.weights = {
        feature: dict(zip(tags[start:end], weights[start:end], strict=True))
        for feature, start, end in zip(unpack(stored["features"]), starts, starts[1:], strict=False)
    }
    return tagger
