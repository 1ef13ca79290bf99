"""Measure at which level of plausibility sentences fall: python -m tests.tools.measure_levels OUT.

Local search climbs the ladder, the strictest words first, on our own sentences (assets/sentences)
and, with --data, on held-out rows of SST-2 and rows of AG's News that the victim gets right. OUT is
a folder: ``attacks.jsonl`` grows with every attack, so that a run that ends is continued;
``read.tsv`` has the flips by harmless and close words in random order, without their level, for
blind readers, and ``key.tsv`` says what each was. Prints Markdown. The rows of --data are not ours:
keep OUT outside the project.
"""

import argparse
import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from random import Random
from statistics import fmean, median
from time import perf_counter, process_time
from typing import Final

from core import VICTIMS
from core.assets import FOLDER
from core.generators import follow
from core.ladder import ANY, NAMES, climb, level_of_reason
from core.options import Choice
from core.spec import AttackSpec
from core.statistics import CONFIDENCE, bootstrap
from core.substitutions.plausible import LEVELS, Plausible
from core.text import split
from core.victims import Victim
from core.victims.training.data import clean, load, natural, plain, read_rows

VICTIMS_READ: Final = {"bilstm-sst2": "sentiment", "minilm-sst2": "sentiment", "wordcnn-ag": "news"}
OWN: Final = {"sentiment": ("opinions", "sentiment"), "news": ("headlines", "news")}
WORDS: Final = range(8, 41)
SEED: Final = 0
LONG: Final = 30  # words
READ_TO: Final = 2  # the loosest level whose flips are read


@dataclass(frozen=True)
class Climbed:
    """What one sentence did on the ladder."""

    victim: str
    source: str  # own or data
    row: int
    level: int | None  # the strictest at which it fell; None: it stands
    most: int  # the loosest that was tried
    queries: int
    words: int
    changed: int
    seconds: float
    label: str
    original: str
    adversarial: str
    swaps: tuple[tuple[str, str, int, str], ...]  # from, to, level, reason


def sentences(task: str, data: Path | None, count: int) -> Iterator[tuple[str, int, str, str]]:
    """Source, number, text and label of the sentences to attack: our own, then others' ones."""
    own = [
        (row["text"], row["label"])
        for name in OWN[task]
        if (path := FOLDER / "sentences" / f"{name}.jsonl").exists()
        for row in map(json.loads, path.read_text(encoding="utf-8").splitlines())
    ]
    sources = {"own": own, **({"data": _foreign(task, data)} if data else {})}
    for source, rows in sources.items():
        fit = [(text, label) for text, label in rows if len(split(text).words) in WORDS]
        chosen = Random(SEED).sample(fit, min(count, len(fit)))
        yield from ((source, number, *row) for number, row in enumerate(chosen))


def _foreign(task: str, data: Path) -> list[tuple[str, str]]:
    if task == "news":
        labels = VICTIMS["wordcnn-ag"].card["labels"]
        return [(clean(row.text), labels[row.label]) for row in load("ag", data).held_out]
    labels = ("negative", "positive")
    rows = read_rows(data / "sst2" / "dev.tsv", labels)
    return [(natural(plain(row.text)), labels[row.label]) for row in rows]


def climbed(key: str, victim: Victim, row: tuple[str, int, str, str], most: int) -> Climbed | None:
    """One sentence on the ladder; none if the victim is wrong about it."""
    source, number, text, label = row
    spec = AttackSpec(text, key, Choice("plausible"), Choice("ls"), reference=(label,))
    began = perf_counter()
    fall = follow(climb(spec, victim, most), lambda _: None)
    last = fall.traces[-1]
    if last.result.status == "skipped":
        return None
    space, state = last.space, last.result.state
    at = space.changed(state) if fall.level else ()
    swaps = [
        (space.choices[i][0], space.choices[i][state[i]], space.reasons[i][state[i]]) for i in at
    ]
    return Climbed(
        *(key, source, number, fall.level, most, fall.queries, len(split(text).words), len(at)),
        *(perf_counter() - began, label, text, last.result.text if fall.level else ""),
        tuple((old, new, level_of_reason(reason), reason) for old, new, reason in swaps),
    )


def measure(out: Path, data: Path | None, count: int, most: int, victims: Sequence[str]) -> None:
    """Attack what is not in the file yet."""
    path = out / "attacks.jsonl"
    done = {(one["victim"], one["source"], one["row"]) for one in _rows(path)}
    for key in victims:
        victim = VICTIMS[key]()
        for row in sentences(VICTIMS_READ[key], data, count):
            if (key, *row[:2]) in done:
                continue
            found = climbed(key, victim, row, most)
            skipped = {"victim": key, "source": row[0], "row": row[1], "wrong": True}
            with path.open("a", encoding="utf-8") as file:
                file.write(json.dumps(asdict(found) if found else skipped) + "\n")


def speed() -> list[str]:
    """Markdown: processor seconds for the columns of a 30-word sentence, the models loaded."""
    texts = (text for _, _, text, _ in sentences("sentiment", None, 100))
    words = [word for text in texts for word in split(text).words]
    lines = ["| level | seconds for 30 words, median of 10 |", "|---|---|"]
    for level in LEVELS:
        substitution, seconds = Plausible(level), []
        substitution(["A", "good", "film"])
        for number in range(10):
            start = LONG * (10 * level + number)  # no level has seen another's words
            began = process_time()
            substitution(words[start : start + LONG])
            seconds.append(process_time() - began)
        lines.append(f"| {LEVELS[level]} | {median(seconds):.2f} |")
    return lines


def _rows(path: Path) -> list[dict[str, object]]:
    lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
    return [json.loads(line) for line in lines]


def read(path: Path) -> list[Climbed]:
    """The attacks so far."""
    return [Climbed(**one) for one in _rows(path) if "wrong" not in one]  # type: ignore[arg-type]


def for_readers(out: Path, attacks: Sequence[Climbed]) -> None:
    """Write the flips to read in random order, and what each was into another file."""
    flips = [one for one in attacks if one.level is not None and one.level <= READ_TO]
    Random(SEED).shuffle(flips)
    shown = [f"{n}\t{one.label}\t{one.original}\t{one.adversarial}" for n, one in enumerate(flips)]
    keys = [
        f"{n}\t{one.victim}\t{one.source}\t{one.level}\t{one.changed}"
        for n, one in enumerate(flips)
    ]
    (out / "read.tsv").write_text("\n".join(["number\tlabel\toriginal\tchanged", *shown]) + "\n")
    (out / "key.tsv").write_text("\n".join(["number\tvictim\tsource\tlevel\tswaps", *keys]) + "\n")


def table(attacks: Sequence[Climbed]) -> list[str]:
    """Markdown: for each victim and source the share that falls up to each level."""
    most = max((one.most for one in attacks), default=ANY)
    levels = [level for level in NAMES if level <= most]
    lines = [
        f"| victim | sentences | attacked | {' | '.join(NAMES[level] for level in levels)} "
        "| queries | words changed | seconds |",
        "|---" * (6 + len(levels)) + "|",
    ]
    groups = dict.fromkeys((one.victim, one.source) for one in attacks)
    for victim, source in groups:
        own = [one for one in attacks if (one.victim, one.source) == (victim, source)]
        flips = [one for one in own if one.level]
        shares = []
        for level in levels:
            fell = [one.level is not None and one.level <= level for one in own]
            share = bootstrap(fell)
            interval = f"{share.low:.0%}, {share.high:.0%}"
            shares.append(f"{sum(fell)} = {share.value:.0%} [{interval}]")
        numbers = (
            f"{fmean(one.queries for one in own):.0f}",
            f"{fmean(one.changed for one in flips):.1f}" if flips else "-",
            f"{median(one.seconds for one in own):.2f}",
        )
        lines.append(f"| {' | '.join((victim, source, str(len(own)), *shares, *numbers))} |")
    note = f"Shares with their {CONFIDENCE:.0%} interval; queries and seconds are of whole ladders."
    return [*lines, "", note]


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser("python -m tests.tools.measure_levels", description=__doc__)
    parser.add_argument("out", type=Path)
    parser.add_argument("--speed", action="store_true", help="measure only how long columns take")
    parser.add_argument("--data", type=Path, help="the folder with sst2/ and agnews/")
    parser.add_argument("--sentences", type=int, default=75, help="of each source and task")
    parser.add_argument("--most", type=int, default=ANY, choices=list(NAMES), help="loosest level")
    parser.add_argument("--victims", nargs="+", default=list(VICTIMS_READ), choices=VICTIMS_READ)
    options = parser.parse_args(arguments)
    if options.speed:
        print("\n".join(speed()))
        return
    options.out.mkdir(parents=True, exist_ok=True)
    measure(options.out, options.data, options.sentences, options.most, options.victims)
    attacks = read(options.out / "attacks.jsonl")
    for_readers(options.out, attacks)
    print("\n".join(table(attacks)))


if __name__ == "__main__":
    main()
