"""Which sense a word has in its sentence, and whether a swap keeps it, by the encoder MiniLM.

The sense is that whose description is nearest to the sentence.
A sentence and a description (``film: a story shown on a screen``) are compared by their vectors of
all-MiniLM-L6-v2. The descriptions of words with several senses are encoded ahead.
"""

from collections.abc import Iterable, Sequence
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core import assets
from core.substitutions.lexicon import read, write
from core.substitutions.thesaurus import thesaurus
from core.text import remembered

FILE = assets.FOLDER / "thesaurus" / "glosses.npz"
REBUILD = "python -m core.substitutions.build.glosses"
BLOCK = 40  # words that are encoded together: a word's sense does not hang on a distant paragraph
BATCH = 32  # texts in one forward pass
LAYER = 4  # after which the states of single words are compared

Vectors = NDArray[np.float32]


def encode(texts: Sequence[str]) -> Vectors:
    """One unit vector for each text: the mean of the encoder's last layer."""
    import torch

    from core.victims.networks.batching import padded
    from core.victims.networks.minilm import CLASSIFY, LAYERS, LIMIT, SEPARATE, WordPieces
    from core.victims.networks.single import mask_of

    encoder, reader = _encoder(), WordPieces()
    rows = [[CLASSIFY, *reader.text_ids(text)[: LIMIT - 2], SEPARATE] for text in texts]
    found = []
    with torch.inference_mode():
        for start in range(0, len(rows), BATCH):
            ids, lengths = padded(rows[start : start + BATCH])
            states = encoder.run(encoder.embed(ids), lengths, 0, LAYERS)
            found.append((states * mask_of(lengths, ids.shape[1])).sum(dim=1).numpy())
    sums = np.concatenate(found)
    return np.asarray(sums / np.linalg.norm(sums, axis=1, keepdims=True), dtype=np.float32)


@cache
def _encoder() -> Any:
    from core.victims.networks.minilm import load_encoder

    return load_encoder().eval()


def described() -> list[tuple[str, str]]:
    """Every sense of the words that have several, with its entry, in the order of the vectors."""
    several = ((entry, senses) for entry, senses in thesaurus().items() if len(senses) > 1)
    return [(entry, sense.gloss) for entry, senses in several for sense in senses]


def build() -> None:
    """Encode the descriptions of all senses, one byte for each number."""
    vectors = encode([f"{entry.rsplit('.', 1)[0]}: {gloss}" for entry, gloss in described()])
    scales = np.abs(vectors).max(axis=1)
    codes = np.round(vectors / scales[:, None] * 127).astype(np.int8)
    write(FILE, codes=codes, scales=scales.astype(np.float32))


@cache
def _known() -> dict[str, Vectors]:
    stored = read(FILE, REBUILD)
    scaled = stored["codes"] * (stored["scales"][:, None] / 127)
    vectors: Vectors = scaled.astype(np.float32)
    known, place = dict[str, Vectors](), 0
    for entry, senses in thesaurus().items():
        if len(senses) > 1:
            known[entry] = vectors[place : place + len(senses)]
            place += len(senses)
    return known


def likeness(words: Sequence[str], place: int, entry: str) -> tuple[float, ...]:
    """How near each sense of an entry is to the words around a place; one sense needs no model."""
    if entry not in _known():
        return (1.0,)
    start = place // BLOCK * BLOCK
    around = _encoded(tuple(words[start : start + BLOCK]))
    return tuple((_known()[entry] @ around).tolist())


@remembered(512, longest=2_000)
def _encoded(words: tuple[str, ...]) -> Vectors:
    vector: Vectors = encode([" ".join(words)])[0]
    return vector


def steadiness(words: Sequence[str], swaps: Sequence[tuple[int, str]]) -> tuple[float, ...]:
    """How alike the encoder sees a word and each swap of it, in the sentence: 1 is the same.

    Compared are the hidden states of the word itself after layer ``LAYER``, not of the sentence.
    """
    if not swaps:
        return ()
    places = list(dict.fromkeys(place for place, _ in swaps))
    asked = [*((place, words[place]) for place in places), *swaps]
    states = _word_states(words, asked)
    before = dict(zip(places, states, strict=False))
    pairs = zip(swaps, states[len(places) :], strict=True)
    return tuple(float(before[place] @ state) for (place, _), state in pairs)


def _word_states(words: Sequence[str], swaps: Sequence[tuple[int, str]]) -> Vectors:
    """The unit vector of each swapped word among the words around it."""
    import torch

    from core.victims.networks.batching import padded
    from core.victims.networks.minilm import CLASSIFY, SEPARATE, WordPieces

    reader = WordPieces()
    rows, spans = [], []
    for place, form in swaps:
        start = place // BLOCK * BLOCK
        before = [CLASSIFY, *reader.text_ids(" ".join(words[start:place]))]
        own = reader.text_ids(form)
        behind = reader.text_ids(" ".join(words[place + 1 : start + BLOCK]))
        rows.append([*before, *own, *behind, SEPARATE])
        spans.append(slice(len(before), len(before) + len(own)))
    found = []
    with torch.inference_mode():
        for first in range(0, len(rows), BATCH):
            ids, lengths = padded(rows[first : first + BATCH])
            states = _encoder().run(_encoder().embed(ids), lengths, 0, LAYER)
            inside = zip(states, spans[first : first + BATCH], strict=True)
            found += [row[span].mean(dim=0).numpy() for row, span in inside]
    vectors = np.stack(found)
    return np.asarray(vectors / np.linalg.norm(vectors, axis=1, keepdims=True), dtype=np.float32)


def margin(likenesses: Sequence[float], fitting: Iterable[int]) -> float:
    """How much nearer the fitting senses are than the others; 1 where there are no others."""
    chosen = set(fitting)
    others = [value for number, value in enumerate(likenesses) if number not in chosen]
    return max(likenesses[number] for number in chosen) - max(others) if others else 1.0
