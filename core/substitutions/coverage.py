"""Measure the substitutions: ``python -m core.substitutions.coverage --data FILE``.

The file has one sentence in a line, in the last of its tab-separated columns.
"""

import argparse
import gzip
import json
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from core.errors import CoreError, InputError
from core.substitutions import SUBSTITUTIONS
from core.substitutions.embedding import neighbours
from core.substitutions.lexicon import FOLDER
from core.substitutions.morphology import part_of
from core.substitutions.protocol import Substitution
from core.substitutions.sememe import load
from core.substitutions.tagging import tag
from core.substitutions.vocabulary import is_stop_word
from core.text import split

METHODS: dict[str, Callable[[], Substitution]] = {
    "synonym": lambda: SUBSTITUTIONS["synonym"](),
    "synonym, strict": lambda: SUBSTITUTIONS["synonym"](strict=True),
    "sememe, bundled": lambda: SUBSTITUTIONS["sememe"](lexicon="wordnet"),
    "sememe, bundled, no limit": lambda: SUBSTITUTIONS["sememe"](lexicon="wordnet", limit=None),
    "embedding": lambda: SUBSTITUTIONS["embedding"](),
    "embedding, ga": lambda: SUBSTITUTIONS["embedding"](rule="ga"),
    "embedding, textfooler": lambda: SUBSTITUTIONS["embedding"](rule="textfooler"),
    "inflection": lambda: SUBSTITUTIONS["inflection"](),
}
PARTS = {"n": "noun", "v": "verb", "a": "adj", "r": "adv"}


@dataclass(frozen=True)
class Coverage:
    """How far a method serves the nouns, verbs, adjectives and adverbs of a set of sentences.

    A content word is one of these four parts of speech and no stop word.
    """

    mean_substitutes: float
    served: float
    served_with_stop_words: float
    served_noun: float
    served_verb: float
    served_adj: float
    served_adv: float
    seconds_per_sentence: float


def sentences(path: Path) -> list[tuple[str, ...]]:
    """The words of each sentence in a file, without a header line."""
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (FileNotFoundError, IsADirectoryError, UnicodeDecodeError):
        raise InputError(
            f"{path} is not a text file; give one with a sentence in a line."
        ) from None
    if lines and lines[0].split("\t")[0] == "label":
        lines = lines[1:]
    found = [split(line.split("\t")[-1]).words for line in lines]
    if not any(found):
        raise InputError(f"{path} has no sentences; give a file with a sentence in a line.")
    return [words for words in found if words]


def measure(substitution: Substitution, texts: Sequence[Sequence[str]]) -> Coverage:
    """Run a method over the sentences; the first one warms it up."""
    substitution(texts[0])
    begin = time.perf_counter()
    columns = [substitution(words) for words in texts]
    seconds = (time.perf_counter() - begin) / len(texts)
    served: dict[str, list[int]] = {part: [] for part in PARTS}
    stopped = 0
    for words, row in zip(texts, columns, strict=True):
        for word, own, column in zip(words, tag(words), row, strict=True):
            if part := part_of(own):
                if is_stop_word(word):
                    stopped += 1
                else:
                    served[part].append(len(column.substitutes))
    everything = [count for counts in served.values() for count in counts]
    return Coverage(
        mean_substitutes=sum(everything) / max(1, len(everything)),
        served=_share(everything),
        served_with_stop_words=sum(map(bool, everything)) / max(1, len(everything) + stopped),
        served_noun=_share(served["n"]),
        served_verb=_share(served["v"]),
        served_adj=_share(served["a"]),
        served_adv=_share(served["r"]),
        seconds_per_sentence=seconds,
    )


def _share(counts: Sequence[int]) -> float:
    return sum(map(bool, counts)) / max(1, len(counts))


def sememe_overlap(
    reference: Mapping[str, Mapping[str, Sequence[str]]], path: Path = FOLDER / "sememes.npz"
) -> dict[str, float]:
    """Compare a sememe lexicon with candidates given as word -> part -> words.

    Only entries that both know and only candidates among the reference's own words are compared.
    """
    lexicon = load(path)
    parts = {name: part for part, name in PARTS.items()}
    both = ours_total = theirs_total = entries = known = served = candidates = 0
    for word, by_part in reference.items():
        for name, words in by_part.items():
            entries += 1
            entry = f"{word}.{parts[name]}"
            if entry not in lexicon.entries:
                continue
            known += 1
            mine = {
                member.rsplit(".", 1)[0]
                for kind in lexicon.of(entry)
                for member in lexicon.members.get(kind, ())
            } - {word}
            candidates += len(mine)
            served += bool(mine)
            ours, theirs = mine & reference.keys(), set(words) - {word}
            both += len(ours & theirs)
            ours_total += len(ours)
            theirs_total += len(theirs)
    return {
        "entries_of_the_reference": entries,
        "entries_known": known / max(1, entries),
        "entries_served": served / max(1, known),
        "mean_candidates": candidates / max(1, known),
        "precision": both / max(1, ours_total),
        "recall": both / max(1, theirs_total),
    }


def neighbour_overlap(reference: Mapping[str, Sequence[str]]) -> dict[str, float]:
    """Compare the neighbours under GA's rule with lists made from the same vectors.

    The reference only knows the words of its own vocabulary, so ours are limited to it.
    """
    table = neighbours()
    same = both = union = compared = 0
    for word, listed in reference.items():
        if word not in table.places:
            continue
        inside = [(other, near) for other, near in table.of(word) if other in reference]
        mine = {other for other, near in inside[:8] if near >= 0.75}
        theirs = set(listed)
        compared += 1
        same += mine == theirs
        both += len(mine & theirs)
        union += len(mine | theirs)
    return {
        "words_compared": compared,
        "same_list": same / max(1, compared),
        "jaccard": both / max(1, union),
    }


def report(options: argparse.Namespace) -> dict[str, Any]:
    """Everything that was asked for, as one table."""
    texts = sentences(options.data)
    found: dict[str, Any] = {
        "sentences": len(texts),
        "methods": {name: asdict(measure(make(), texts)) for name, make in METHODS.items()},
    }
    if options.sememe:
        found["sememe_overlap"] = sememe_overlap(_json(options.sememe))
    if options.counterfit:
        found["neighbour_overlap"] = neighbour_overlap(_json(options.counterfit))
    return found


def _json(path: Path) -> Any:
    with gzip.open(path, "rt", encoding="utf-8") as file:
        return json.load(file)


def table(found: Mapping[str, Any]) -> str:
    """The report for the reader."""
    lines = [f"{'':26} {'mean':>6} {'served':>7} {'noun':>5} {'verb':>5} {'adj':>5} {'adv':>5} ms"]
    for name, row in found["methods"].items():
        shares = " ".join(f"{100 * row[f'served_{part}']:5.1f}" for part in PARTS.values())
        lines.append(
            f"{name:26} {row['mean_substitutes']:6.1f} {100 * row['served']:6.1f}% {shares} "
            f"{1000 * row['seconds_per_sentence']:.1f}"
        )
    for extra in ("sememe_overlap", "neighbour_overlap"):
        for name, value in found.get(extra, {}).items():
            lines.append(f"{extra}.{name} {value:.4g}")
    return "\n".join(lines) + "\n"


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m core.substitutions.coverage")
    parser.add_argument("--data", type=Path, required=True, help="a sentence in each line")
    parser.add_argument("--sememe", type=Path, help="sememe candidates to compare with (json.gz)")
    parser.add_argument("--counterfit", type=Path, help="neighbours to compare with (json.gz)")
    parser.add_argument("--write", type=Path, help="also write the figures to this JSON file")
    options = parser.parse_args(arguments)
    try:
        found = report(options)
    except CoreError as error:
        sys.stderr.write(f"{error}\n")
        return 2
    if options.write:
        rounded = json.loads(json.dumps(found), parse_float=lambda text: round(float(text), 5))
        options.write.write_text(json.dumps(rounded, indent=1) + "\n", encoding="utf-8")
    sys.stdout.write(table(found))
    return 0


if __name__ == "__main__":
    sys.exit(main())
