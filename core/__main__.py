"""The command line: python -m core list | space | attack | prove | run | table | study ..."""

import argparse
import json
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, NoReturn

from core import ladder, trace
from core.attack import Trace
from core.constraints import CONSTRAINTS
from core.errors import CoreError, InputError, require
from core.experiment import commands as experiments
from core.generators import follow
from core.goals import outputs_of
from core.options import Choice, ignored
from core.prove import Effort, claim_of, optimum, prove, prover_of
from core.prove.claim import SECONDS, count_text
from core.registry import Entry, find
from core.search import DEFAULT, SEARCHES, Search
from core.space import SearchSpace
from core.spec import AttackSpec, make_substitution
from core.study import commands as studies
from core.substitutions import SUBSTITUTIONS, blocked
from core.tasks import TASKS, Task, task_of
from core.tasks.protocol import Outputs, joined
from core.victims import VICTIMS, Victim, add_configured, given

LIMIT = "largest share of changed words, checked once on the answer: --max-changed 0.25"

ANSWERS = ("answer", "adversarial_answer")  # of the victim, to the original and to what was found


class Parser(argparse.ArgumentParser):
    """A parser whose errors are one line."""

    def error(self, message: str) -> NoReturn:
        """Turn a wrong argument into the same kind of error as any other wrong input."""
        raise InputError(f"{message}; see: {self.prog} --help")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command; wrong input ends as one line on stderr and exit code 2."""
    try:
        add_configured()
        options = parser().parse_args(arguments)
        if getattr(options, "all_words", False):
            blocked.allow()
        data, lines = options.run(options)
    except CoreError as error:
        print(f"swapscope: {' '.join(str(error).split())}", file=sys.stderr)  # always one line
        return 2
    except KeyboardInterrupt:
        print("swapscope: stopped", file=sys.stderr)
        return 130
    try:
        sys.stdout.reconfigure(errors="backslashreplace")  # type: ignore[union-attr]
        print(
            json.dumps(data, ensure_ascii=False) if options.json else "\n".join(lines), flush=True
        )
    except OSError as error:  # the reader is gone, or the disk is full
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # so that exit is quiet
        if not isinstance(error, BrokenPipeError):
            print(f"swapscope: could not write the answer: {error.strerror}.", file=sys.stderr)
            return 2
    return 0


def parser() -> Parser:
    """All commands and their options."""
    top = Parser(prog="python -m core", description="Word-level attacks as traces of a search.")
    names = (
        "list | space | attack | prove | run | table | transfer | export | paper | harden | study"
    )
    commands = top.add_subparsers(required=True, metavar=names)

    def command(name: str, run: Callable[..., Any], about: str) -> argparse.ArgumentParser:
        sub = commands.add_parser(name, help=about, description=about)
        sub.set_defaults(run=run)
        sub.add_argument("--json", action="store_true", help="print JSON")
        return sub

    command("list", show_list, "Show everything that can be chosen, and what is missing.")
    space = command("space", show_space, "Show the substitutes of a text and why they are there.")
    attack = command("attack", run_attack, "Attack a text.")
    proof = command("prove", run_proof, "Prove that no swaps flip a text, or find the fewest.")
    experiments.add(command)
    for sub in (space, attack, proof):
        sub.add_argument("text", metavar="TEXT", help="the text, or - to read it from stdin")
        sub.add_argument(
            "--substitution", help="where substitutes come from (default: the task's, or toy)"
        )
        sub.add_argument("--substitution-option", action="append", default=[], metavar="NAME=VALUE")
        sub.add_argument("--constraint", action="append", default=[], metavar="NAME[=VALUE]")
        sub.add_argument(
            "--all-words", action="store_true", help="offer blocked words too (slurs): for research"
        )
    for sub in (attack, proof):
        sub.add_argument("--victim", default="toy", help="the model under attack")
        sub.add_argument(
            *("--context", "--premise"),
            action="append",
            default=[],
            metavar="TEXT",
            help="what stays fixed beside the text: a pair's premise, a question's passage",
        )
        sub.add_argument("--goal", help="the task's first goal unless --target is given")
        sub.add_argument("--target", metavar="LABEL", help="attack towards this label")
        sub.add_argument(
            *("--reference", "--label"),
            action="append",
            default=[],
            metavar="TEXT",
            help="what is right: a label, an answer, a translation; may be repeated (default: "
            "what the victim says)",
        )
        sub.add_argument("--max-changed", type=float, default=0.25, metavar="R")
    attack.add_argument("--search", default=DEFAULT, help=", ".join(SEARCHES))
    attack.add_argument("--search-option", action="append", default=[], metavar="NAME=VALUE")
    attack.add_argument("--budget", type=int, metavar="N", help="most distinct queries")
    attack.add_argument("--seed", type=int, default=0, metavar="K")
    attack.add_argument(
        "--hard-limit", action="store_true", help="keep to --max-changed during the search too"
    )
    attack.add_argument(
        "--ladder",
        type=int,
        nargs="?",
        const=ladder.ANY,
        metavar="LEVEL",
        help=f"harmless words first, then looser ones up to a level: {_listed(ladder.NAMES)}",
    )
    attack.add_argument(
        "--trace", type=_trace_path, metavar="FILE", help="save the trace (.json or .npz)"
    )
    proof.add_argument("--seconds", type=float, default=SECONDS, metavar="S")
    proof.add_argument("--nodes", type=int, metavar="N", help="most sentences to look at")
    proof.add_argument("--highest", action="store_true", help="the highest score there is, too")
    proof.set_defaults(search=DEFAULT, search_option=[], hard_limit=False, budget=None, seed=0)
    about = "Back the studies up or restore them; set the passphrase."
    studies.add(commands.add_parser("study", help=about, description=about))
    return top


def show_list(options: argparse.Namespace) -> tuple[dict[str, Any], list[str]]:
    """Every registry, with what is missing and why."""
    data = {
        "victims": {key: _describe(entry) for key, entry in VICTIMS.items()},
        "substitutions": {key: _describe(entry) for key, entry in SUBSTITUTIONS.items()},
        "searches": {key: _search(search) for key, search in SEARCHES.items()},
        "goals": {
            name: _available(f"{kind.score}; success when {kind.success}.")
            for make in TASKS.values()
            for name, kind in make(()).goals.items()
        },
        "constraints": {
            "max-changed": _available(LIMIT),
            **{key: _describe(entry) for key, entry in CONSTRAINTS.items()},
        },
    }
    lines = []
    for kind, entries in data.items():
        lines.append(kind)
        width = max(map(len, entries)) + 2
        for key, entry in entries.items():
            mark = "  " if entry["available"] else "- "
            lines.append(f"{mark}{key:<{width}}{entry['about']}")
            if not entry["available"]:
                lines.append(f"{'':<{width + 2}}not available: {entry['missing']}")
    return data, lines


def show_space(options: argparse.Namespace) -> tuple[dict[str, Any], list[str]]:
    """The words of a text, their substitutes with reasons, and the size of the space."""
    space = _space(options)
    words = [
        {
            "word": column[0],
            "substitutes": [
                {"word": word, "reason": reason}
                for word, reason in zip(column[1:], reasons[1:], strict=True)
            ],
            "note": note,
        }
        for column, reasons, note in zip(space.choices, space.reasons, space.notes, strict=True)
    ]
    data = {"text": space.text(space.origin), "words": words, "elements": space.elements}
    lines = [
        f"{column[0]:<16}{', '.join(column[1:]) or f'({note})'}"
        for column, note in zip(space.choices, space.notes, strict=True)
    ]
    lines.append(f"{len(words)} words, {space.elements} substitutes, {space.size:,} sentences")
    return {**data, "size": space.size}, lines


def run_attack(options: argparse.Namespace) -> tuple[dict[str, Any], list[str]]:
    """Attack a text and print the answer."""
    spec, victim = _spec(options)
    for note in ignored(find(SEARCHES, spec.search.method, "search"), spec.search.options):
        print(f"swapscope: {note}", file=sys.stderr)
    if options.ladder is not None:
        return _climb(spec, victim, options)
    attack = spec.prepare(victim)
    return _told(Trace(attack.space, attack.run(), spec.plain()), spec, victim, options)


def _climb(
    spec: AttackSpec, victim: Victim, options: argparse.Namespace
) -> tuple[dict[str, Any], list[str]]:
    """The answer of the level at which the victim falls, or of the loosest one."""
    require(options.ladder in ladder.NAMES, f"--ladder is one of: {_listed(ladder.NAMES)}.")
    fall = follow(ladder.climb(spec, victim, options.ladder), lambda _: None)
    data, lines = _told(fall.traces[-1], spec, victim, options)
    levels = [
        {
            **{"level": level, "name": ladder.NAMES[level], "status": done.result.status},
            **{"queries": done.result.queries, "substitutes": done.space.elements},
        }
        for level, done in zip(fall.levels, fall.traces, strict=True)
    ]
    told = {"level": fall.level, "verdict": fall.verdict, "levels": levels}
    lines += [
        f"level {row['level']} ({row['name']}): {row['status']}, {row['queries']} queries, "
        f"{row['substitutes']} substitutes"
        for row in levels
    ]
    counts = {"queries": fall.queries, "requests": fall.requests}
    return {**data, **told, **counts}, [*lines, fall.verdict]


def _listed(names: Mapping[int, str]) -> str:
    return ", ".join(f"{number} ({name})" for number, name in names.items())


def _told(
    done: Trace, spec: AttackSpec, victim: Victim, options: argparse.Namespace
) -> tuple[dict[str, Any], list[str]]:
    """What an attack answers, as JSON and as lines; saved if it is to be."""
    space, result = done.space, done.result
    changed = space.changed(result.state)
    data = {
        "text": spec.text,
        "label": joined(spec.reference),
        "target": spec.target or None,
        "status": result.status,
        "success": result.success,
        "adversarial": result.text,
        "score": result.score,
        "queries": result.queries,
        "requests": result.requests,
        "changed": list(changed),
        "changed_rate": len(changed) / len(space.choices),
        "seconds": result.seconds,
        "forward_seconds": result.forward_seconds,
    }
    texts = _answers(task_of(victim), spec, outputs_of(victim, [spec.text, result.text]))
    if options.trace:
        trace.save(done, options.trace)
    lines = [
        f"{row['kind']:<12}{row['score']:.4f}  {row['queries']:>6} queries  {row['change']}"
        for row in trace.rows(space, result.steps)
    ]
    lines += [
        f"{result.status}: {len(changed)} of {len(space.choices)} words changed, "
        f"{result.queries} queries ({result.requests} requests), score {result.score:.4f}",
        result.text,
    ]
    lines += [f"{name.replace('_', ' ')}: {texts[name]}" for name in ANSWERS if name in texts]
    return {**data, **texts}, lines


def _answers(task: Task, spec: AttackSpec, outputs: Outputs) -> dict[str, Any]:
    """What the status alone does not tell: the answers, where they are texts and no labels."""
    if task.choices:
        return {}
    known = {"task": spec.task, "context": dict(spec.context), "reference": list(spec.reference)}
    return {**known, **dict(zip(ANSWERS, map(task.answer, outputs), strict=True))}


def run_proof(options: argparse.Namespace) -> tuple[dict[str, Any], list[str]]:
    """Prove that no allowed swaps of a text reach the goal, or find the fewest that do."""
    spec, victim = _spec(options)
    space = spec.space(make_substitution(spec.substitution))
    claim = claim_of(spec, victim, space)
    size = f"{count_text(claim.sentences)} sentences change at most {claim.most} of "
    size += f"{len(space.choices)} words"
    print(f"swapscope: {size}; {prover_of(claim).title}", file=sys.stderr)
    proof = prove(claim, Effort(options.seconds, options.nodes))
    adversarial = None if proof.state is None else space.text(proof.state)
    data = {
        **{"text": spec.text, "label": joined(spec.reference), "verdict": proof.verdict},
        **{"adversarial": adversarial, "changed": proof.changed, "minimal": proof.minimal},
        **{"safe": proof.safe, "sentences": proof.sentences, "nodes": proof.nodes},
        **{"seconds": proof.seconds, "prover": proof.prover},
    }
    lines = [proof.sentence, *([adversarial] if adversarial else [])]
    if options.highest:
        found = optimum(claim, Effort(options.seconds, options.nodes))
        text = space.text(found.best.state)
        data["highest"] = {"score": found.best.score, "text": text, "certain": found.certain}
        sure = "none scores more" if found.certain else "a better one may exist"
        lines += [f"highest score {found.best.score:.4f}, {sure}:", text]
    return data, lines


def _trace_path(name: str) -> Path:
    """Refuse before a long run what could not be written after it."""
    path = Path(name)
    if path.suffix not in trace.SUFFIXES or not path.parent.is_dir():
        raise argparse.ArgumentTypeError(
            f'"{name}" must end in .json or .npz, in a folder that exists'
        )
    return path


def _space(options: argparse.Namespace) -> SearchSpace:
    return SearchSpace.from_text(_text(options), make_substitution(_substitution(options)))


def _spec(options: argparse.Namespace) -> tuple[AttackSpec, Victim]:
    """What is to be attacked, with a reference, and its victim."""
    victim = find(VICTIMS, options.victim, "victim")()
    task = task_of(victim)
    context = _context(task, options.context)
    spec = AttackSpec(
        _text(options),
        options.victim,
        _substitution(options, task.substitution),
        Choice(options.search, tuple(options.search_option)),
        task.key,
        context,
        tuple(options.reference),
        options.goal or "",
        options.target or "",
        options.max_changed,
        options.hard_limit,
        options.budget,
        options.seed,
    )
    kind = find(task.goals, spec.goal, "goal of this victim")
    require(
        kind.needs_target == (options.target is not None),
        "A targeted goal needs --target LABEL, and only that goal.",
    )
    if spec.target:
        task.read([spec.target])
    bound = given(victim, context)
    return spec.settled(bound), bound


def _context(task: Task, texts: Sequence[str]) -> dict[str, str]:
    """What stays fixed: the one text that a task has beside the attacked one, or NAME=TEXT."""
    fields = {field.key: field for field in task.context}
    if not fields:
        return {}
    if len(fields) == 1:
        return dict.fromkeys(fields, texts[-1] if texts else "")
    pairs = [text.partition("=") for text in texts]
    return {find(fields, name, "context").key: text for name, _, text in pairs}


def _substitution(options: argparse.Namespace, usual: str = "") -> Choice:
    method = options.substitution or usual or "toy"
    return Choice(method, tuple(options.substitution_option), tuple(options.constraint))


def _text(options: argparse.Namespace) -> str:
    if options.text != "-":
        return str(options.text)
    require(sys.stdin is not None, "There is nothing to read: stdin is closed.")
    return sys.stdin.buffer.read().decode(errors="surrogateescape").rstrip("\r\n")


def _describe(entry: Entry[Any]) -> dict[str, Any]:
    missing = entry.missing()
    return {"about": entry.about, "available": not missing, "missing": missing, **entry.card}


def _available(about: str) -> dict[str, Any]:
    return {"about": about, "available": True, "missing": ""}


def _search(search: type[Search]) -> dict[str, Any]:
    card = search.card
    return {
        **_available(card.about),
        **{"title": card.title, "sees": card.sees, "randomised": card.randomised},
    }


if __name__ == "__main__":
    sys.exit(main())
