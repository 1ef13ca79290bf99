"""The command line: python -m core list | space | attack | run | table | harden | study ..."""

import argparse
import json
import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NoReturn

from core import trace
from core.attack import Attack
from core.constraints import CONSTRAINTS, constrained
from core.errors import CoreError, InputError, require
from core.experiment import commands as experiments
from core.goals import label_index, probabilities, targeted, untargeted
from core.options import configure, ignored
from core.registry import Entry, find
from core.search import DEFAULT, SEARCHES, Search
from core.space import SearchSpace
from core.study import commands as studies
from core.substitutions import SUBSTITUTIONS
from core.victims import VICTIMS, add_configured, with_premise

GOALS = {
    "untargeted": "1 - P(true label); success when another label is on top.",
    "targeted": "P(target label), given by --target; success when it is on top.",
}
LIMIT = "largest share of changed words, checked once on the answer: --max-changed 0.25"


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
    names = "list | space | attack | run | table | transfer | export | harden | study"
    commands = top.add_subparsers(required=True, metavar=names)

    def command(name: str, run: Callable[..., Any], about: str) -> argparse.ArgumentParser:
        sub = commands.add_parser(name, help=about, description=about)
        sub.set_defaults(run=run)
        sub.add_argument("--json", action="store_true", help="print JSON")
        return sub

    command("list", show_list, "Show everything that can be chosen, and what is missing.")
    space = command("space", show_space, "Show the substitutes of a text and why they are there.")
    attack = command("attack", run_attack, "Attack a text.")
    experiments.add(command)
    for sub in (space, attack):
        sub.add_argument("text", metavar="TEXT", help="the text, or - to read it from stdin")
        sub.add_argument("--substitution", default="toy", help="where substitutes come from")
        sub.add_argument("--substitution-option", action="append", default=[], metavar="NAME=VALUE")
        sub.add_argument("--constraint", action="append", default=[], metavar="NAME[=VALUE]")
    attack.add_argument("--victim", default="toy", help="the model under attack")
    attack.add_argument("--premise", default="", help="the fixed first sentence of a pair")
    attack.add_argument("--search", default=DEFAULT, help=", ".join(SEARCHES))
    attack.add_argument("--search-option", action="append", default=[], metavar="NAME=VALUE")
    attack.add_argument("--goal", choices=list(GOALS), help="untargeted unless --target is given")
    attack.add_argument("--target", metavar="LABEL", help="attack towards this label")
    attack.add_argument("--label", help="the true label (default: what the victim says)")
    attack.add_argument("--budget", type=int, metavar="N", help="most distinct queries")
    attack.add_argument("--seed", type=int, default=0, metavar="K")
    attack.add_argument("--max-changed", type=float, default=0.25, metavar="R")
    attack.add_argument(
        "--hard-limit", action="store_true", help="keep to --max-changed during the search too"
    )
    attack.add_argument(
        "--trace", type=_trace_path, metavar="FILE", help="save the trace (.json or .npz)"
    )
    about = "Back the studies up or restore them; set the passphrase."
    studies.add(commands.add_parser("study", help=about, description=about))
    return top


def show_list(options: argparse.Namespace) -> tuple[dict[str, Any], list[str]]:
    """Every registry, with what is missing and why."""
    data = {
        "victims": {key: _describe(entry) for key, entry in VICTIMS.items()},
        "substitutions": {key: _describe(entry) for key, entry in SUBSTITUTIONS.items()},
        "searches": {key: _search(search) for key, search in SEARCHES.items()},
        "goals": {key: _available(about) for key, about in GOALS.items()},
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
    space = _space(options)
    victim = with_premise(find(VICTIMS, options.victim, "victim")(), options.premise)
    search = find(SEARCHES, options.search, "search")()
    for note in ignored(search, options.search_option):
        print(f"swapscope: {note}", file=sys.stderr)
    search = configure(search, options.search_option)
    original = space.text(space.origin)
    if options.label is None:
        label = int(probabilities(victim, [original])[0].argmax())
    else:
        label = label_index(victim, options.label)
    wanted = "untargeted" if options.target is None else "targeted"
    require(
        options.goal in (None, wanted), "A targeted goal needs --target LABEL, and only that goal."
    )
    target = None if options.target is None else label_index(victim, options.target)
    goal = untargeted(victim, space, label) if target is None else targeted(victim, space, target)
    limits = (options.budget, options.seed, options.max_changed, options.hard_limit)
    attack = Attack(space, goal, search, *limits)
    result = attack.run()
    changed = space.changed(result.state)
    data = {
        "text": original,
        "label": victim.labels[label],
        "target": None if target is None else victim.labels[target],
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
    if options.trace:
        keys = (
            *("victim", "premise", "substitution", "substitution_option", "constraint"),
            *("search", "search_option", "seed", "budget", "max_changed", "hard_limit"),
        )
        about = {key: vars(options)[key] for key in keys}
        about |= {"label": data["label"], "target": data["target"]}
        trace.save(trace.Trace(space, result, about), options.trace)
    lines = [
        f"{row['kind']:<12}{row['score']:.4f}  {row['queries']:>6} queries  {row['change']}"
        for row in trace.rows(space, result.steps)
    ]
    lines += [
        f"{result.status}: {len(changed)} of {len(space.choices)} words changed, "
        f"{result.queries} queries ({result.requests} requests), score {result.score:.4f}",
        result.text,
    ]
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
    text = options.text
    if text == "-":
        require(sys.stdin is not None, "There is nothing to read: stdin is closed.")
        text = sys.stdin.buffer.read().decode(errors="surrogateescape").rstrip("\r\n")
    substitution = find(SUBSTITUTIONS, options.substitution, "substitution")()
    substitution = configure(substitution, options.substitution_option)
    return SearchSpace.from_text(text, constrained(substitution, options.constraint))


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
