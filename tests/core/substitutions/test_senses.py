"""Senses in context: right often enough to be of use, and surer where they are surer."""

from pathlib import Path

import numpy as np
import pytest

from core.errors import ResourceMissingError
from core.substitutions import senses
from core.substitutions.plausible import SURE
from core.substitutions.senses import described, encode, likeness, margin
from core.substitutions.thesaurus import thesaurus
from core.text import split

SENTENCES = senses.FILE.parent / "senses.tsv"


def test_a_word_with_one_sense_needs_no_model() -> None:
    (entry, _) = next((e, s) for e, s in thesaurus().items() if len(s) == 1)
    assert likeness(["anything"], 0, entry) == (1.0,)


def test_the_senses_of_sentences_written_for_this_are_found() -> None:
    lines = SENTENCES.read_text(encoding="utf-8").splitlines()[1:]
    right, sure = [], []
    for line in lines:
        entry, gloss, marked = line.split("\t")
        words = split(marked.replace("*", "")).words
        near = likeness(words, 0, entry)
        best = int(np.argmax(near))
        right.append(thesaurus()[entry][best].gloss == gloss)
        sure.append(margin(near, [best]) >= SURE)
    found = np.array(right)
    assert found.mean() > 0.75
    assert found[np.array(sure)].mean() > 0.83


def test_stored_vectors_are_those_of_the_thesaurus() -> None:
    entry, gloss = described()[0]
    (vector,) = encode([f"{entry.rsplit('.', 1)[0]}: {gloss}"])
    assert len(senses._known()[entry][0]) == len(vector)
    assert float(senses._known()[entry][0] @ vector) > 0.999
    assert sum(map(len, senses._known().values())) == len(described())


def test_the_margin_is_between_senses_that_fit_and_the_others() -> None:
    assert margin((0.5, 0.3, 0.1), [1, 2]) == pytest.approx(-0.2)
    assert margin((0.5, 0.3), [0, 1]) == 1.0


def test_missing_vectors_are_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(senses, "FILE", tmp_path / "glosses.npz")
    with pytest.raises(ResourceMissingError, match="rebuild it with"):
        senses._known.__wrapped__()
