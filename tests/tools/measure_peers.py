"""Our searches beside their strongest rivals: python -m tests.tools.measure_peers DATA [FILE].

All searches of a setting attack the same correctly classified sentences in one run on one thread,
and the processor's seconds are counted, those of the victim too. Nothing is remembered from one
search to the next. DATA is the folder of the training data.
"""

import argparse
import json
import platform
from collections.abc import Iterator, Sequence
from pathlib import Path
from time import process_time
from typing import Any

import numpy as np
import torch

from core import SEARCHES, SUBSTITUTIONS, VICTIMS, Attack, SearchSpace, untargeted
from core.assets import FOLDER
from core.goals import probabilities
from core.quality.similarity import Similarity
from core.trace import first_success
from core.victims import Victim, given
from core.victims.recipes import RECIPES
from core.victims.training.data import clean, load
from tests.tools.measure_swift import LIMIT, MOST, SEED, interval, rows_of, sentences

BY_SCORE = ("ls", "ibgs", "sbgs", "swift", "bba")
BY_LABEL = ("ls-label", "hqa", "texthacker")
BUDGETS = (10, 25, 50, 100, 200, 400, 500, 800, 1_000)
SETTINGS = (  # victim, sentences, searches, most queries
    ("bilstm-sst2", 300, BY_SCORE, None),
    ("cnn-sst2", 300, BY_SCORE, None),
    ("minilm-sst2", 100, BY_SCORE, None),
    ("cnn-imdb", 60, BY_SCORE, None),
    ("wordcnn-ag", 100, BY_SCORE, None),
    ("esim-snli", 200, BY_SCORE, None),
    ("bilstm-sst2", 300, BY_LABEL, MOST),
    ("cnn-imdb", 60, BY_LABEL, MOST),
)


def questions(data: Path, name: str, most: int) -> Iterator[tuple[Victim, SearchSpace, int]]:
    """Victims, spaces and labels of the first texts that a victim classifies correctly."""
    victim, source, found = VICTIMS[name](), SUBSTITUTIONS["embedding"](), 0
    if RECIPES[name].data in ("sst2", "imdb"):
        rows = [("", text, label) for text, label in sentences(data, name)]
    else:
        held_out = load(RECIPES[name].data, data).held_out
        order = np.random.default_rng(SEED).permutation(len(held_out))
        chosen = [held_out[index] for index in order]
        rows = [(row.context, clean(row.text), row.label) for row in chosen]
    for context, text, label in rows:
        asked = given(victim, {"premise": context} if context else {})
        if found < most and int(probabilities(asked, [text])[0].argmax()) == label:
            found += 1
            yield asked, SearchSpace.from_text(text, source), label


def measured(victim: Victim, space: SearchSpace, label: int, key: str, budget: int | None) -> Any:
    """One attack in numbers."""
    goal = untargeted(victim, space, label)
    attack = Attack(space, goal, SEARCHES[key](), budget, SEED, LIMIT)
    began = process_time()
    result = attack.run()
    return {
        "seconds": process_time() - began,
        "success": result.success,
        "queries": result.queries,
        "first": first_success(result.steps, space.allowed(LIMIT)) or MOST + 1,
        "words": len(space.changed(result.state)),
        "text": result.text,
    }


def summary(rows: Sequence[dict[str, Any]], originals: Sequence[str]) -> dict[str, Any]:
    """One search on one setting."""

    def mean(name: str, of: Sequence[dict[str, Any]]) -> float:
        return round(float(np.mean([row[name] for row in of])), 4) if of else 0.0

    won = [row for row in rows if row["success"]]
    pairs = [(text, row["text"]) for text, row in zip(originals, rows, strict=True) if row in won]
    similar = Similarity.load().scores(*map(list, zip(*pairs, strict=True))) if pairs else [0.0]
    first = np.array([row["first"] for row in rows])
    return {
        "success": mean("success", rows),
        "queries": mean("queries", rows),
        "queries_first": mean("first", won),
        "words": mean("words", won),
        "similarity": round(float(np.mean(similar)), 4),
        "seconds": mean("seconds", rows),
        "success_at": {str(b): round(float((first <= b).mean()), 4) for b in BUDGETS},
    }


def ahead(ours: Sequence[dict[str, Any]], theirs: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """At each budget the difference in the share of successes, with its interval."""
    result = {}
    for budget in BUDGETS:
        pairs = zip(ours, theirs, strict=True)
        gap = [float(a["first"] <= budget) - float(b["first"] <= budget) for a, b in pairs]
        result[str(budget)] = [round(float(np.mean(gap)), 4), *interval(np.array(gap))]
    return result


def setting(
    data: Path, name: str, most: int, keys: Sequence[str], budget: int | None
) -> dict[str, Any]:
    """Attack the texts of a setting with every search and compare the first of ours with each."""
    rows: dict[str, list[dict[str, Any]]] = {key: [] for key in keys}
    originals = []
    for number, (victim, space, label) in enumerate(questions(data, name, most)):
        originals.append(space.text(space.origin))
        if not number:  # what is loaded on the way is nobody's time
            for key in keys:
                measured(victim, space, label, key, 50)
        for key in keys:
            rows[key].append(measured(victim, space, label, key, budget))
    ours = "swift" if "swift" in keys else "ls-label"
    return {
        "victim": name,
        "texts": len(originals),
        "budget": budget,
        "searches": {key: summary(rows[key], originals) for key in keys},
        "ahead": {key: ahead(rows[ours], rows[key]) for key in keys if key != ours},
    }


def table(settings: Sequence[dict[str, Any]]) -> str:
    """The measured figures as a README shows them."""
    at = ("10", "25", "50", "100", "200", "400", "1000")
    head = ("victim", "texts", "search", "success (%)", *(f"at {budget}" for budget in at))
    head += ("queries to first success", "to the end", "words", "similarity", "CPU seconds")
    lines = [head, ("---",) * len(head)]
    for each in settings:
        for key, row in each["searches"].items():
            shares = [row["success"], *(row["success_at"][budget] for budget in at)]
            figures = [f"{100 * share:.1f}" for share in shares]
            figures += [f"{row[name]:.1f}" for name in ("queries_first", "queries")]
            figures += [f"{row['words']:.2f}", f"{row['similarity']:.3f}", f"{row['seconds']:.3f}"]
            lines.append((each["victim"], str(each["texts"]), f"`{key}`", *figures))
    return rows_of(lines)


def main() -> None:
    """Measure the settings and write the file after each; or show the table of what it holds."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path)
    parser.add_argument("file", type=Path, nargs="?", default=FOLDER / "swift" / "peers.json")
    parser.add_argument("--few", type=int, default=10**6, help="at most so many texts a setting")
    parser.add_argument("--only", default="", help="settings that begin so, as bilstm-sst2/ls")
    parser.add_argument("--table", action="store_true", help="only show what the file holds")
    options = parser.parse_args()
    known = json.loads(options.file.read_text())["settings"] if options.file.exists() else []
    if options.table:
        print(table(known))
        return
    torch.set_num_threads(1)
    about = {"python": platform.python_version(), "torch": torch.__version__}
    about |= {"numpy": np.__version__, "command": "python -m tests.tools.measure_peers DATA"}
    for name, most, keys, budget in SETTINGS:
        if f"{name}/{keys[0]}".startswith(options.only):
            new = setting(options.data, name, min(most, options.few), keys, budget)
            same = [(each["victim"], each["budget"]) != (name, budget) for each in known]
            known = [each for each, other in zip(known, same, strict=True) if other] + [new]
            text = json.dumps({**about, "seed": SEED, "settings": known}, indent=1)
            options.file.write_text(text + "\n", encoding="utf-8")
            print(table([new]), flush=True)


if __name__ == "__main__":
    main()
