"""Measure our own searches: python -m tests.tools.measure_swift DATA [FILE] [--only SETTING].

DATA is the folder with ``sst2/dev.tsv`` and ``imdb/train.tsv.gz``. All searches of a setting attack
the same correctly classified sentences, without a budget, so that every comparison is paired.
"""

import argparse
import json
import platform
from collections.abc import Iterator, Sequence
from math import comb
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from core import SEARCHES, SUBSTITUTIONS, VICTIMS, Attack, SearchSpace, untargeted
from core import text as words_and_gaps
from core.assets import FOLDER
from core.goals import probabilities, remembered
from core.search import finder, name_of
from core.theory import certify
from core.trace import first_success
from core.victims import Victim
from core.victims.training.data import clean, load, natural, plain, read_rows

SEED, LIMIT, DRAWS = 0, 0.25, 2_000
MOST = 1_000  # the success curve ends here
RIVALS = ("ls", "ibgs", "sbgs", "greedy")
CERTIFIED = ("swift", "pso+ls", "ga+ls", "ls")
OURS = ("swift", "ls-label", "portfolio")
HYBRIDS = ("pso", "pso+ls", "ga", "ga+ls")
SETTINGS = (  # victim, substitution, sentences, searches
    ("cnn-sst2", "embedding", 300, (*RIVALS, *OURS, *HYBRIDS)),
    ("cnn-sst2", "sememe", 300, (*RIVALS, *OURS, *HYBRIDS)),
    ("bilstm-sst2", "embedding", 300, (*RIVALS, *OURS, *HYBRIDS)),
    ("bilstm-sst2", "sememe", 300, (*RIVALS, *OURS, *HYBRIDS)),
    ("cnn-imdb", "embedding", 150, (*RIVALS, *OURS, *HYBRIDS)),
    ("minilm-sst2", "embedding", 300, (*RIVALS, *OURS, *HYBRIDS)),
    ("minilm-sst2", "sememe", 300, (*RIVALS, *OURS, *HYBRIDS)),
)


def sentences(data: Path, victim: str) -> list[tuple[str, int]]:
    """Rows of 10 to 100 words (reviews: 60 to 100) that the victim was not trained on, shuffled."""
    if victim.endswith("imdb"):
        split = load("imdb", data)
        rows = [(clean(row.text), row.label) for row in (*split.held_out, *split.stop)]
        least = 60
    else:
        read = read_rows(data / "sst2" / "dev.tsv", ("negative", "positive"))
        rows = [(natural(plain(row.text)), row.label) for row in read]
        least = 10
    fit = [row for row in rows if least <= len(words_and_gaps.split(row[0])[0]) <= 100]
    order = np.random.default_rng(SEED).permutation(len(fit))
    return [fit[index] for index in order]


def cases(
    data: Path, name: str, victim: Victim, substitution: str, most: int
) -> Iterator[tuple[SearchSpace, int]]:
    """The spaces of the first correctly classified sentences."""
    substitute, found = SUBSTITUTIONS[substitution](), 0
    for text, label in sentences(data, name):
        if found < most and int(probabilities(victim, [text])[0].argmax()) == label:
            found += 1
            yield SearchSpace.from_text(text, substitute), label


def mcnemar(ours: NDArray[np.bool_], theirs: NDArray[np.bool_]) -> float:
    """The exact two-sided probability of so uneven a split of the sentences that only one won."""
    won, lost = int((ours & ~theirs).sum()), int((theirs & ~ours).sum())
    tail: float = sum(comb(won + lost, k) for k in range(min(won, lost) + 1)) / 2 ** (won + lost)
    return min(1.0, 2 * tail)


def interval(values: NDArray[np.float64]) -> list[float]:
    """The 95 % bootstrap interval of a mean."""
    rng = np.random.default_rng(SEED)
    means = values[rng.integers(0, len(values), size=(DRAWS, len(values)))].mean(axis=1)
    return [round(float(edge), 4) for edge in np.quantile(means, (0.025, 0.975))]


def area(firsts: NDArray[np.int_], longest: int) -> NDArray[np.float64]:
    """Each sentence's share of the area under success against queries, 20 to ``longest``."""
    left: NDArray[np.int_] = np.clip(longest + 1 - np.maximum(firsts, 20), 0, None)
    return left / (longest - 19)


def summary(rows: Sequence[dict[str, Any]], base: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """One search on one setting, against local search on the same sentences."""

    def column(name: str, of: Sequence[dict[str, Any]] = rows) -> NDArray[Any]:
        return np.array([row[name] for row in of])

    won, ls_won = column("success"), column("success", base)
    failed = [row for row in rows if "certified" in row]
    words, ls_words = column("words")[won].mean(), column("words", base)[ls_won].mean()
    at = {str(b): round(float((column("first") <= b).mean()), 4) for b in (20, 40, 80, 160, 320)}
    return {
        "success": round(float(won.mean()), 4),
        "lost_to_ls": int((ls_won & ~won).sum()),
        "won_from_ls": int((won & ~ls_won).sum()),
        "mcnemar": round(mcnemar(won, ls_won), 4),
        "queries": round(float(column("queries").mean()), 2),
        "queries_of_ls": round(float(column("queries").sum() / column("queries", base).sum()), 4),
        "words": round(float(words), 3),
        "words_of_ls": round(float(words / ls_words), 4),
        "success_at": at,
        "failed": len(failed),
        "certified": sum(row["certified"] for row in failed),
    }


def setting(
    data: Path, name: str, substitution: str, most: int, keys: Sequence[str]
) -> dict[str, Any]:
    """Attack the sentences of a setting with every search and compare."""
    victim = VICTIMS[name]()
    rows: dict[str, list[dict[str, Any]]] = {key: [] for key in keys}
    members: dict[str, int] = {}
    for space, label in cases(data, name, victim, substitution, most):
        goal = remembered(untargeted(victim, space, label), space)
        for key in keys:
            result = Attack(space, goal, SEARCHES[key](), seed=SEED, max_changed=LIMIT).run()
            row = {
                "success": result.success,
                "queries": result.queries,
                "words": len(space.changed(result.state)),
                "first": first_success(result.steps, space.allowed(LIMIT)) or MOST + 1,
            }
            if result.status == "failed" and key in CERTIFIED:
                row["certified"] = certify(space, goal, result.state).holds
            if key == "portfolio" and result.success:
                who = name_of(finder(SEARCHES[key](), result.steps))
                members[who] = members.get(who, 0) + 1
            rows[key].append(row)
    searches = {key: summary(rows[key], rows["ls"]) for key in keys}
    longest = int(np.mean([row["queries"] for row in rows["ls"]]))
    ahead = {}
    if "swift" in keys:
        firsts = {key: np.array([row["first"] for row in rows[key]]) for key in keys}
        for key in (key for key in RIVALS if key in keys):
            more = [
                int((firsts["swift"] <= b).sum()) - int((firsts[key] <= b).sum())
                for b in range(20, MOST + 1)
            ]
            gap = area(firsts["swift"], longest) - area(firsts[key], longest)
            ahead[key] = {
                "area_gap": round(float(gap.mean()), 4),
                "interval": interval(gap),
                "least_lead_at_any_budget": min(more),
            }
    card = json.loads((FOLDER / "victims" / name / "card.json").read_text(encoding="utf-8"))
    return {
        "victim": name,
        "weights": card["files"]["weights.safetensors"],
        "substitution": substitution,
        "sentences": len(rows["ls"]),
        "searches": searches,
        "curve_to": longest,
        "swift_ahead_of": ahead,
        "portfolio_members": members,
    }


def full(settings: Sequence[dict[str, Any]]) -> str:
    """The measured table as a README shows it."""
    head: tuple[str, ...]
    head = ("victim", "words", "sentences", "search", "success (%)", "lost to, won from LS")
    head += ("queries", "of LS's (%)", "words changed", "of LS's", "certified")
    lines = [head, ("---",) * len(head)]
    for each in settings:
        for key, row in each["searches"].items():
            certified = f"{row['certified']} of {row['failed']}" if row["failed"] else ""
            lines.append(
                (
                    *(each["victim"], each["substitution"], str(each["sentences"]), key),
                    *(f"{100 * row['success']:.1f}", f"{row['lost_to_ls']}, {row['won_from_ls']}"),
                    *(f"{row['queries']:.1f}", f"{100 * row['queries_of_ls']:.1f}"),
                    *(f"{row['words']:.2f}", f"{row['words_of_ls']:.3f}", certified),
                )
            )
    return rows_of(lines)


def short(settings: Sequence[dict[str, Any]]) -> str:
    """Success, queries and changed words of local search and our own, a line a setting."""
    keys = ("ls", *OURS)
    lines = [("victim", "words", *(f"`{key}`" for key in keys)), ("---",) * (2 + len(keys))]
    for each in settings:
        rows = [each["searches"][key] for key in keys]
        figures = [
            f"{100 * row['success']:.1f}, {row['queries']:.1f}, {row['words']:.2f}" for row in rows
        ]
        lines.append((f"{each['victim']} ({each['sentences']})", each["substitution"], *figures))
    return rows_of(lines)


def rows_of(lines: Sequence[tuple[str, ...]]) -> str:
    """Lines of cells as Markdown."""
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def stored(file: Path) -> list[dict[str, Any]]:
    """The settings that a file holds."""
    return list(json.loads(file.read_text(encoding="utf-8"))["settings"]) if file.exists() else []


def setting_of(each: dict[str, Any]) -> tuple[str, str, int]:
    """Which setting a result belongs to."""
    return each["victim"], each["substitution"], each["sentences"]


def merged(old: Sequence[dict[str, Any]], new: dict[str, Any]) -> list[dict[str, Any]]:
    """The measured settings in their order, a new one in the place of what was there."""
    found = {setting_of(each): each for each in (*old, new)}
    return [found.pop(each[:3]) for each in SETTINGS if each[:3] in found] + [*found.values()]


def renewed(old: dict[str, Any], new: dict[str, Any]) -> dict[str, Any]:
    """A setting with some searches measured anew, on its sentences and its victim."""
    base = old["searches"]["ls"]
    if (old["weights"], base) != (new["weights"], new["searches"]["ls"]):
        raise SystemExit(f"Local search has changed on {old['victim']}; measure the whole setting.")
    return {**old, "searches": {**old["searches"], **new["searches"]}}


TABLES = {"full": full, "short": short}


def main() -> None:
    """Measure every setting and write the file after each; settings may run in many processes."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path)
    parser.add_argument("file", type=Path, nargs="?", default=FOLDER / "swift" / "swift.json")
    parser.add_argument("--few", type=int, default=10**6, help="at most so many sentences")
    parser.add_argument(
        "--only", default="", help="settings that begin so, as in cnn-sst2/embedding/300"
    )
    parser.add_argument(
        "--search",
        nargs="+",
        choices=("ls-label", *HYBRIDS),
        help="measure these anew, beside local search",
    )
    parser.add_argument("--table", choices=TABLES, help="only show what the file holds")
    options = parser.parse_args()
    if options.table:
        print(TABLES[options.table](stored(options.file)))
        return
    torch.set_num_threads(1)
    versions = {"python": platform.python_version(), "torch": torch.__version__}
    versions["numpy"] = np.__version__
    about = {
        "command": "python -m tests.tools.measure_swift DATA",
        "seed": SEED,
        "versions": versions,
    }
    for name, substitution, most, keys in SETTINGS:
        measured = ("ls", *options.search) if options.search else keys
        chosen = f"{name}/{substitution}/{most}".startswith(options.only)
        if chosen and set(measured) <= set(keys):
            new = setting(options.data, name, substitution, min(most, options.few), measured)
            print(name, substitution, json.dumps(new["searches"]), flush=True)
            known = stored(options.file)
            if options.search:
                old = next(each for each in known if setting_of(each) == setting_of(new))
                new = renewed(old, new)
            text = json.dumps({**about, "settings": merged(known, new)}, indent=1)
            options.file.parent.mkdir(exist_ok=True)
            options.file.write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
