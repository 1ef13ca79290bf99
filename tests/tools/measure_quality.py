"""Measure the quality parts on hand-written sentence pairs: python -m tests.tools.measure_quality.

Prints Markdown: the grammar checkers that are available here, perplexity of right, wrong and
shuffled sentences, and times. Uses a new cache folder, so that nothing is remembered. Times are
seconds of one processor core, child processes included, so that a busy machine gives the same.
"""

import os
import random
import statistics
import tempfile
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any, TypeVar

from core import assets
from core.quality import CHECKERS, METRICS, ScoreCache
from core.quality.constraints import LanguageModelFilter, SentenceSimilarity
from core.quality.models import load_smollm2
from core.substitutions.protocol import Column, Substitute

T = TypeVar("T")

# Words of the right sentences and a word of the same meaning.
SYNONYMS = {
    "actors": "performers",
    "brilliant": "excellent",
    "scene": "sequence",
    "movie": "film",
    "funny": "amusing",
    "plot": "story",
    "thin": "weak",
    "understand": "grasp",
    "joke": "gag",
    "lost": "dropped",
    "teacher": "instructor",
    "reasons": "grounds",
    "stay": "remain",
    "rings": "sounds",
    "rooms": "chambers",
    "small": "little",
    "company": "firm",
    "fall": "drop",
    "honest": "sincere",
    "attempt": "effort",
    "bought": "purchased",
    "house": "home",
    "near": "beside",
    "reach": "attain",
    "hill": "slope",
    "doctor": "physician",
    "large": "big",
    "market": "fair",
    "leave": "quit",
    "early": "soon",
    "called": "phoned",
}


def timed(make: Callable[[], T]) -> tuple[T, float]:
    start = sum(os.times()[:4])
    made = make()
    return made, sum(os.times()[:4]) - start


def row(*cells: object) -> None:
    print("| " + " | ".join(map(str, cells)) + " |")


def grammar(pairs: list[dict[str, str]]) -> None:
    kinds = list(dict.fromkeys(pair["kind"] for pair in pairs))
    columns = {}
    for name, entry in CHECKERS.items():
        if reason := entry.missing():
            print(f"{name}: {reason}\n")
            continue
        checker = entry()
        checker.issues(["Warm up."])
        right, seconds = timed(partial(checker.issues, [pair["right"] for pair in pairs]))
        wrong = checker.issues([pair["wrong"] for pair in pairs])
        caught = Counter(
            pair["kind"]
            for pair, before, after in zip(pairs, right, wrong, strict=True)
            if len(after) > len(before)
        )
        columns[name] = (caught, sum(map(bool, right)), 1_000 * seconds / len(pairs))
    row("wrong sentences with more errors than the right one", "pairs", *columns)
    row(*["---"] * (2 + len(columns)))
    for kind in kinds:
        total = sum(pair["kind"] == kind for pair in pairs)
        row(kind, total, *(caught[kind] for caught, _, _ in columns.values()))
    row("**all**", len(pairs), *(f"**{caught.total()}**" for caught, _, _ in columns.values()))
    row("right sentences with an error", len(pairs), *(false for _, false, _ in columns.values()))
    row("ms per sentence", "", *(f"{ms:.1f}" for _, _, ms in columns.values()))


def perplexity(pairs: list[dict[str, str]]) -> Any:
    _, first = timed(METRICS["perplexity"])
    load_smollm2.cache_clear()
    metric, later = timed(METRICS["perplexity"])
    rng = random.Random(0)
    shuffled = [" ".join(rng.sample(w := pair["right"].split(), len(w))) for pair in pairs]
    right, seconds = timed(lambda: metric.scores([pair["right"] for pair in pairs]))
    wrong = metric.scores([pair["wrong"] for pair in pairs])
    mixed = metric.scores(shuffled)
    print()
    row("perplexity", "median", "above the right sentence")
    row("---", "---", "---")
    row("right", f"{statistics.median(right):.0f}", "")
    row("wrong", f"{statistics.median(wrong):.0f}", f"{(wrong > right).mean():.1%}")
    row("shuffled", f"{statistics.median(mixed):.0f}", f"{(mixed > right).mean():.1%}")
    for name, start in (("no start", None), ("<|im_start|>", "<|im_start|>")):
        tokens = () if start is None else (metric.model.tokenizer.get_vocab()[start],)
        other = replace(metric, model=replace(metric.model, start=tokens))
        before = other.scores([pair["right"] for pair in pairs])
        after = other.scores([pair["wrong"] for pair in pairs])
        row(
            f"wrong, after {name}",
            f"{statistics.median(after):.0f}",
            f"{(after > before).mean():.1%}",
        )
    print(f"\nSmolLM2: first load with conversion {first:.1f} s, later {later:.1f} s;", end=" ")
    print(f"{len(pairs) / seconds:.1f} short sentences per second")
    return metric.model


def constraints(pairs: list[dict[str, str]], model: Any) -> None:
    metric, load = timed(METRICS["similarity"])
    right, wrong = ([pair[side] for pair in pairs] for side in ("right", "wrong"))
    _, seconds = timed(lambda: metric.scores(right, wrong))
    print(f"MiniLM: load {load:.1f} s; {2 * len(pairs) / seconds:.0f} short sentences per second")
    words = " ".join(right).replace(".", "").replace("?", "").split()[:100]
    rng = random.Random(0)
    known = sorted(set(words))
    columns = [Column(tuple(Substitute(w, "") for w in rng.sample(known, 20))) for _ in words]
    for least in (0.5, 0.7):
        keep = SentenceSimilarity(least, encoder=metric.encoder, cache=ScoreCache())
        synonyms = [
            Column((Substitute(SYNONYMS[w], ""),)) if w in SYNONYMS else Column() for w in words
        ]
        others = [Column((c.substitutes[0],)) for c in columns]
        kept = [sum(bool(c.substitutes) for c in keep(words, part)) for part in (synonyms, others)]
        asked = sum(bool(c.substitutes) for c in synonyms)
        print(f"similarity >= {least}: keeps {kept[0]} of {asked} synonyms,", end=" ")
        print(f"{kept[1]} of {len(others)} random words of the text")
    for name, constraint in (
        ("sentence similarity", SentenceSimilarity(encoder=metric.encoder, cache=ScoreCache())),
        ("language-model filter", LanguageModelFilter(model=model, cache=ScoreCache())),
    ):
        kept_of = partial(constraint, words, columns)
        _, cold = timed(kept_of)
        _, warm = timed(kept_of)
        print(f"{name}: 100 words, 20 substitutes each: {cold:.1f} s, from the cache {warm:.2f} s")


def main() -> None:
    import torch

    torch.set_num_threads(1)
    pairs = assets.read_json("quality/grammar_pairs.json")
    with tempfile.TemporaryDirectory() as folder:
        os.environ["SWAPSCOPE_CACHE"] = folder
        grammar(pairs)
        constraints(pairs, perplexity(pairs))


if __name__ == "__main__":
    main()
