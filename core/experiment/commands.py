"""The commands of experiments: run a plan, show its table, export its results, harden a victim."""

import json
import signal
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, replace
from functools import partial
from pathlib import Path
from time import monotonic
from typing import Any, Final, TextIO, TypeAlias

from core.errors import require
from core.experiment import metrics, paper, replication, runner
from core.experiment.claims import figures_table, findings
from core.experiment.cluster import Ray
from core.experiment.comparing import METHOD, Comparison, compare
from core.experiment.engines import PROCESSES, Engine, Local, Pool
from core.experiment.exporting import export
from core.experiment.hardening import (
    SEARCH,
    SEMEME,
    SHARE,
    HardeningProgress,
    HardeningTask,
    harden,
)
from core.experiment.levels import level_lines, level_tables
from core.experiment.metrics import METRICS, Quality
from core.experiment.plan import SearchChoice
from core.experiment.plan_file import read_plan
from core.experiment.proofs import gaps, proof_table, truths
from core.experiment.replication import (
    MINUTES,
    ROWS,
    RUNS,
    Extent,
    plain_figures,
    replicate,
    reread,
)
from core.experiment.results import Results, load
from core.experiment.robustness import robustness, robustness_table
from core.experiment.runner import RunProgress
from core.experiment.tables import definitions, detail_table, interval_table, noted, paper_tables
from core.experiment.transferring import transfer, transfer_table
from core.options import Choice

Command: TypeAlias = Callable[[str, Callable[..., Any], str], ArgumentParser]
Printed: TypeAlias = tuple[dict[str, Any], list[str]]

UNFINISHED: Final = "Not finished yet: the searches have not all attacked the same inputs."
_PAUSE: Final = 10.0  # seconds between two lines of progress where there is no terminal


def add(command: Command) -> None:
    """Add the commands and their options."""
    _add_run(command)
    _add_readers(command)
    _add_paper(command)
    _add_harden(command)


def _add_run(command: Command) -> None:
    run = command("run", run_plan, "Run the experiment of a plan, or continue it.")
    run.add_argument("plan", type=Path, metavar="PLAN", help="a TOML file")
    run.add_argument("--engine", choices=["local", "pool", "ray"], default="local")
    run.add_argument("--workers", type=int, metavar="N", help="processes (default: 2)")
    run.add_argument(
        "--address", metavar="HOST:PORT", help="a Ray cluster (default: one on this machine)"
    )
    run.add_argument(
        "--together", type=int, metavar="N", help="sentences side by side in one process"
    )
    run.add_argument("--results", type=Path, metavar="FILE", help="default: NAME.results.jsonl")
    run.add_argument(
        "--data", type=Path, metavar="DIR", help="where the data are (default: beside the plan)"
    )


def _add_readers(command: Command) -> None:
    """The commands that read results."""
    table = command("table", show_table, "Show the results of an experiment, as far as it is.")
    table.add_argument("--format", choices=["text", "markdown", "latex"], default="text")
    table.add_argument(
        "--count", choices=["requests", "queries"], default="requests", help="beside the success"
    )
    table.add_argument(
        "--quality",
        action="store_true",
        help="grammar, perplexity and similarity too; needs models",
    )
    table.add_argument("--paper", action="store_true", help="the paper's rows beside ours")
    transfer = command("transfer", show_transfer, "Ask other victims about the successes.")
    transfer.add_argument("--to", action="append", default=[], metavar="VICTIM", required=True)
    save = command("export", export_results, "Write the results for other programs.")
    for sub in (table, transfer, save):
        sub.add_argument("file", type=Path, metavar="FILE", help="a plan, or a file of results")
    save.add_argument("out", type=Path, metavar="OUT", help="a name in .csv, .parquet or .tex")
    save.add_argument("--style", choices=["plain", "textattack"], default="plain")
    save.add_argument(
        "--raw",
        action="store_true",
        help="CSV for programs: no apostrophe before texts that a spreadsheet would run",
    )


def _add_paper(command: Command) -> None:
    again = command("paper", repeat_paper, "Repeat the paper's scenarios, and judge its claims.")
    again.add_argument("plan", nargs="*", metavar="NAME", help="default: all 26")
    again.add_argument(
        "--data", type=Path, metavar="DIR", help="the data; else judge what is there"
    )
    again.add_argument(
        "--results", type=Path, metavar="DIR", required=True, help="files of results"
    )
    again.add_argument("--rows", type=int, default=ROWS, metavar="N", help="inputs of a scenario")
    again.add_argument(
        "--runs", type=int, default=RUNS, metavar="N", help="most runs of a randomised search"
    )
    again.add_argument(
        "--minutes", type=float, default=MINUTES, metavar="M", help="most minutes for a scenario"
    )
    again.add_argument("--keep", type=Path, metavar="FILE", help="write the figures, without texts")


def _add_harden(command: Command) -> None:
    hard = command("harden", harden_victim, "Adversarial training: craft, train, attack again.")
    hard.add_argument("victim", metavar="VICTIM", help="a bundled victim")
    hard.add_argument("--data", type=Path, metavar="DIR", help="its training data: train it anew")
    hard.add_argument(
        "--plan", type=Path, metavar="PLAN", help="train it further on the data of a plan"
    )
    hard.add_argument(
        "--share",
        type=float,
        default=SHARE,
        metavar="R",
        help="examples to craft, as a share of the training rows (default: 0.08)",
    )
    default = f"default: {SEARCH.method}"
    hard.add_argument(
        "--certify",
        action="store_true",
        help="train a word-CNN so that proofs succeed, without examples",
    )
    hard.add_argument("--search", metavar="SEARCH", help=f"crafts the examples ({default})")
    hard.add_argument(
        "--against",
        action="append",
        default=[],
        metavar="SEARCH",
        help="attacks before and after (default: the one that crafts)",
    )
    hard.add_argument("--substitution", metavar="NAME", help="default: sememe")
    hard.add_argument("--rows", type=int, metavar="N", help="most held-out rows to attack")
    hard.add_argument("--seed", type=int, default=0, metavar="K")
    hard.add_argument(
        "--control",
        action="store_true",
        help="add the attacked rows as they were: what does more training alone do?",
    )
    hard.add_argument("--out", type=Path, metavar="DIR", help="keep the hardened victim here")


def run_plan(options: Namespace) -> Printed:
    """Run what is left of a plan, showing how far it is."""
    plan = read_plan(options.plan)
    for note in plan.notes():
        sys.stderr.write(f"swapscope: {note}\n")
    path = options.results or _results_path(options.plan)
    folder = options.data or options.plan.parent
    with _screen() as screen:
        results = runner.run(plan, path, folder, _engine(options), screen.show)
    data = {"results": str(path), "statuses": results.statuses(), "finished": results.finished}
    return data, [*results.report(), f"Results: {path}"]


def repeat_paper(options: Namespace) -> Printed:
    """Run the paper's scenarios as far as time allows, or only read what was run before."""
    extent = Extent(options.rows, options.runs, options.minutes)
    known = []
    for name in options.plan or replication.names():
        with _screen() as screen:
            run = partial(replicate, data=options.data, extent=extent, watch=screen.show)
            known.append((run if options.data else reread)(name, results=options.results))
            sys.stderr.write(f"{name}: {known[-1].summary}\n")
    figures = [each.figures for each in known if each.figures]
    if options.keep:
        text = json.dumps(plain_figures(figures, extent), indent=1)
        options.keep.write_text(f"{text}\n", encoding="utf-8")
    found = findings(figures)
    data = {"figures": [asdict(each) for each in figures]}
    data |= {"claims": [{"claim": each.claim.text, "verdict": each.verdict} for each in found]}
    return data, [figures_table(figures).text(), "", *(each.sentence for each in found)]


def harden_victim(options: Namespace) -> Printed:
    """Train a victim with adversarial examples, showing how far it is, and attack it again."""
    task = _task(options)
    with _screen() as screen:
        report = harden(task, screen.show)
    drops = [{**asdict(each), "verdict": each.verdict} for each in report.drops]
    return _finite({**asdict(report), "drops": drops}), report.lines()


def _task(options: Namespace) -> HardeningTask:
    """What the options ask for; a plan says what they leave open."""
    plan = None if options.plan is None else read_plan(options.plan)
    search = SearchChoice(options.search) if options.search else SEARCH
    substitution = Choice(options.substitution) if options.substitution else SEMEME
    task = HardeningTask(
        options.victim,
        options.data,
        share=options.share,
        substitution=substitution,
        search=search,
        attackers=tuple(map(SearchChoice, options.against)),
        rows=options.rows,
        seed=options.seed,
        out=options.out,
        certify=options.certify,
        control=options.control,
    )
    if plan is None:
        return task
    return replace(
        task,
        source=plan.data,
        base=options.plan.parent,
        substitution=substitution if options.substitution else plan.substitutions[0],
        search=search if options.search else plan.searches[0],
        attackers=task.attackers or plan.searches,
        limits=plan.limits,
    )


def show_table(options: Namespace) -> Printed:
    """Tables in the paper's form, all metrics, and which differences are real."""
    results = find_results(options.file)
    quality = Quality.load() if options.quality else None
    measured = metrics.lines(results, quality)
    reports = robustness(results)
    tables = [*level_tables(results), *paper_tables(measured, options.count)]
    tables += [detail_table(measured), interval_table(measured), robustness_table(reports)]
    certain = gaps(results)
    if certain:
        tables.append(proof_table(certain))
    found = [paper.beside(line, results.plan) for line in measured] if options.paper else []
    pairs = [each for each in found if each]
    if pairs:
        tables.append(paper.beside_table(pairs))
    first = [] if results.finished else [UNFINISHED, ""]
    drawn = [line for table in tables for line in (getattr(table, options.format)(), "")]
    notes = [results.plan.limits.rule, *definitions(measured, quality.about if quality else None)]
    notes.append("")
    for each in pairs:
        notes.append(f"{each.line.scenario.victim}, {each.line.search}: {'; '.join(each.differs)}.")
    notes += [
        f"{each.scenario.victim}, {each.scenario.substitution}: {each.sentence}" for each in reports
    ]
    notes += [
        f"{truth.scenario.victim}, {truth.scenario.substitution}: {truth.sentence}"
        for truth in truths(results)
    ]
    if options.paper and not pairs:
        notes.append("The paper has none of these scenarios.")
    comparisons = compare(results)
    if comparisons:
        notes += ["", METHOD, *map(_judgement, comparisons)]
    data = {
        "plan": results.plan.as_dict(),
        "finished": results.finished,
        "lines": [asdict(line) for line in measured],
        "levels": [asdict(line) for line in level_lines(results)],
        "comparisons": [{**asdict(each), "verdict": each.verdict} for each in comparisons],
        "robustness": [
            {
                "scenario": each.scenario,
                "attacked": len(each.rows),
                "fallen": len(each.all_fallen),
                "to": {name: len(rows) for name, rows in each.fallen.items()},
            }
            for each in reports
        ],
        "proofs": [
            {
                **{"scenario": gap.truth.scenario, "search": gap.search},
                **{"falls": len(gap.truth.falls), "safe": len(gap.truth.safe)},
                **{"open": len(gap.truth.open), "found": gap.found, "missed": gap.missed},
                **{"words_above": gap.above, "minimal": gap.minimal},
            }
            for gap in certain
        ],
        "metrics": {name: metric.card() for name, metric in METRICS.items()},
    }
    notes += ["", *results.report()]
    return _finite(data), [*noted(first, options.format), *drawn, *noted(notes, options.format)]


def _finite(data: Any) -> Any:
    """JSON has no sign for what is not a number: it becomes null."""
    if isinstance(data, dict):
        return {key: _finite(value) for key, value in data.items()}
    if isinstance(data, list | tuple):
        return [_finite(value) for value in data]
    return None if data != data else data


def _judgement(each: Comparison) -> str:
    victim, substitution, goal = each.scenario
    return (
        f"{victim}, {substitution}, {goal}, {each.what}: {each.verdict} "
        f"({each.inputs:,} inputs, p = {each.p:.3g}, corrected {each.corrected:.3g})."
    )


def show_transfer(options: Namespace) -> Printed:
    """How often other victims are right about the adversarial examples."""
    found = transfer(find_results(options.file), options.to)
    data = {"transfer": [asdict(each) for each in found]}
    return _finite(data), [transfer_table(found).text()]


def export_results(options: Namespace) -> Printed:
    count = export(find_results(options.file), options.out, options.style, raw=options.raw)
    return {"rows": count, "file": str(options.out)}, [f"{count:,} rows written to {options.out}"]


def find_results(path: Path) -> Results:
    """The results of a plan, or in a file of results."""
    return load(_results_path(path) if path.suffix == ".toml" else path)


def _results_path(plan: Path) -> Path:
    return plan.parent / f"{read_plan(plan).name}.results.jsonl"


def _engine(options: Namespace) -> Engine:
    local, ray = (options.engine == name for name in ("local", "ray"))
    require(not local or options.workers is None, "--workers is for --engine pool and ray.")
    require(local or options.together is None, "--together is for --engine local only.")
    require(ray or options.address is None, "--address is for --engine ray only.")
    if local:
        return Local() if options.together is None else Local(options.together)
    processes = PROCESSES if options.workers is None else options.workers
    return Ray(options.address or "", processes) if ray else Pool(processes)


@contextmanager
def _screen() -> Iterator["Screen"]:
    """Progress on stderr; being terminated ends the work as gently as Ctrl-C."""
    before = signal.signal(signal.SIGTERM, _stop)
    screen = Screen(sys.stderr)
    try:
        yield screen
    finally:
        screen.end()
        signal.signal(signal.SIGTERM, before)


def _stop(*_: object) -> None:
    raise KeyboardInterrupt


class Screen:
    """One line of progress: rewritten on a terminal, a new one now and then elsewhere."""

    def __init__(self, out: TextIO) -> None:
        self._out = out
        self._live = out.isatty()
        self._last = -_PAUSE

    def show(self, progress: RunProgress | HardeningProgress) -> None:
        pause = 0.2 if self._live else _PAUSE
        if monotonic() - self._last >= pause or progress.done == progress.total:
            self._last = monotonic()
            line = progress.about if isinstance(progress, HardeningProgress) else progress.sentence
            self._out.write(f"\r\x1b[K{line}" if self._live else f"{line}\n")
            self._out.flush()

    def end(self) -> None:
        if self._live:
            self._out.write("\n")
