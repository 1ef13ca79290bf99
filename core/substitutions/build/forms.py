"""Tabulate the inflected forms of WordNet's words with LemmInflect's tables."""

from collections.abc import Iterable, Mapping
from pathlib import Path

import numpy as np

from core.substitutions.blocked import is_blocked
from core.substitutions.lexicon import pack, write

TAGS = ("NNS", "VBD", "VBG", "VBN", "VBZ", "JJR", "JJS", "RBR", "RBS")
UPOS = {"n": "NOUN", "v": "VERB", "a": "ADJ", "r": "ADV"}


def inflected(word: str, part: str, counts: Mapping[str, int]) -> list[tuple[str, str]]:
    """The (tag, form) pairs of a word, for each tag a spelling in use first.

    Words outside LemmInflect's tables follow its rules, as long as the form has been seen in print.
    """
    from lemminflect import getAllInflections, getAllInflectionsOOV

    found = getAllInflections(word, upos=UPOS[part])
    if not found:
        guessed = getAllInflectionsOOV(word, UPOS[part])
        found = {tag: [form for form in guessed[tag] if form in counts] for tag in guessed}
    if "VBD" in found:
        found.setdefault("VBN", found["VBD"])  # LemmInflect leaves out equal participles
    return [
        (tag, form)
        for tag in TAGS
        for form in sorted(found.get(tag, ()), key=lambda form: form not in counts)
        if form != word or tag in ("VBD", "VBN")  # "hit" is a past tense, "tedium" no plural
    ]


def save(path: Path, entries: Iterable[tuple[str, str]], counts: Mapping[str, int]) -> None:
    """Write forms.npz: one row (entry, tag, form) for each inflected form."""
    rows = [
        (f"{word}.{part}", tag, form)
        for word, part in entries
        for tag, form in inflected(word, part, counts)
        if not is_blocked(form)
    ]
    write(
        path,
        entries=pack(entry for entry, _, _ in rows),
        tags=np.array([TAGS.index(tag) for _, tag, _ in rows], np.uint8),
        forms=pack(form for _, _, form in rows),
    )
