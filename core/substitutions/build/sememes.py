"""Describe every sense of WordNet by a set of semantic primitives, as HowNet does with sememes.

Nouns and verbs are described by the concepts directly above them and by their lexical domain,
adjectives by the centre of their cluster, adverbs by the adjective they come from. A sense with
nothing above it is a primitive itself.
"""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from core.substitutions.build.wordnet import PARTS, Relations
from core.substitutions.lexicon import pack, starts, write

SENSE = 0.25  # a sense used at least this often, compared with the word's most usual sense
PART = 0.2  # a part of speech used at least this often, compared with the word's most usual one


def primitives(synset: Any) -> frozenset[str]:
    """The names of the concepts that describe a sense."""
    part = PARTS[synset.pos()]
    if part == "r":
        bases = [base.synset() for lemma in synset.lemmas() for base in lemma.pertainyms()]
        return primitives(bases[0]) if bases else frozenset({synset.name()})
    if part == "a":
        heads = synset.similar_tos() if synset.pos() == "s" else [synset]
        return frozenset(head.name() for head in heads)
    above = synset.hypernyms() + synset.instance_hypernyms()
    domain = synset.lexname().split(".")[1]
    return frozenset({*(concept.name() for concept in above or [synset]), domain})


def entries(relations: Relations) -> dict[str, list[tuple[frozenset[str], bool]]]:
    """For each word its usual senses described, and whether it may stand in for others."""
    described = [primitives(synset) for synset in relations.synsets]
    return {
        f"{word}.{part}": [
            (described[place], relations.share(word, part) >= PART)
            for place, usual in relations.usual(word, part)
            if usual >= SENSE
        ]
        for word, part in relations.senses
    }


def label(description: Iterable[str]) -> str:
    """The primitives for the reader: ``show, product, communication``."""
    return ", ".join(sorted(name.split(".")[0].replace("_", " ") for name in description))


def save(
    path: Path, source: str, described: Mapping[str, list[tuple[frozenset[str], bool]]]
) -> None:
    """Write a sememe lexicon; HowNet and WordNet share this form."""
    rows = {entry: list(dict(senses).items()) for entry, senses in described.items() if senses}
    parts = {entry: entry.rsplit(".", 1)[1] for entry in rows}
    kinds = sorted(
        {(parts[entry], tuple(sorted(kind))) for entry in rows for kind, _ in rows[entry]}
    )
    number = {kind: index for index, kind in enumerate(kinds)}
    flat = [
        (number[parts[entry], tuple(sorted(kind))], stands_in)
        for entry in rows
        for kind, stands_in in rows[entry]
    ]
    write(
        path,
        source=pack([source]),
        entries=pack(rows),
        starts=starts(map(len, rows.values())),
        kinds=np.array([kind for kind, _ in flat], np.uint32),
        stands_in=np.array([stands_in for _, stands_in in flat], np.bool_),
        labels=pack(label(kind) for _, kind in kinds),
    )
