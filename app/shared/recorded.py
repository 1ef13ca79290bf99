"""Attacks that come with the app, so that its first screen needs no model.

Made by ``python -m app.shared.recorded``; make them again when a victim or the substitutes change.
What was approved by reading must come out again: another sentence has to be read first.
"""

import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache

from core import SUBSTITUTIONS, VICTIMS, assets, trace
from core.attack import Trace
from core.errors import CoreError
from core.goals import outputs_of
from core.options import Choice
from core.search import DEFAULT
from core.spec import AttackSpec
from core.tasks import task_named, task_of
from core.tasks.protocol import Output
from core.victims import given

FOLDER = assets.FOLDER / "recorded"


@dataclass(frozen=True)
class Example:
    """A bundled sentence, with the victim and the substitutes it was chosen for."""

    title: str
    text: str
    victim: str
    words: str
    context: Mapping[str, str] = field(default_factory=dict)
    approved: str = ""  # the attacked sentence, read and found to say the same

    @property
    def spec(self) -> AttackSpec:
        parts = Choice(self.words), Choice(DEFAULT)
        return AttackSpec(self.text, self.victim, *parts, context=self.context)


@dataclass(frozen=True)
class Recorded:
    """Local search on a bundled sentence, and what the victim said before and after it."""

    trace: Trace
    spec: AttackSpec
    start: Output
    end: Output
    source: str


@cache
def examples() -> dict[str, Example]:
    """The bundled sentences by title; a newcomer meets the first."""
    return {row["title"]: Example(**row) for row in assets.read_json("examples.json")}


def find(spec: AttackSpec) -> Recorded | None:
    """The recorded attack on this sentence; a damaged file is as good as none."""
    return _all().get(_key(spec))


def _key(spec: AttackSpec) -> tuple[object, ...]:
    return spec.text, spec.victim, spec.substitution, tuple(sorted(spec.context.items()))


@cache
def _all() -> dict[tuple[object, ...], Recorded]:
    found = {}
    for path in sorted(FOLDER.glob("*.json")):
        try:
            known = trace.load(path)
            spec = AttackSpec.of_trace(known)
            said = task_named(spec.victim).output
            start, end = said(known.about["start"]), said(known.about["end"])
            found[_key(spec)] = Recorded(known, spec, start, end, str(known.about["source"]))
        except (CoreError, KeyError):
            continue
    return found


def record(example: Example) -> Trace:
    """Run local search on a sentence with the victim and the substitutes it was chosen for."""
    substitution = SUBSTITUTIONS[example.words]()
    victim = given(VICTIMS[example.victim](), example.context)
    spec = example.spec.settled(victim)
    attack = spec.prepare(victim, substitution)
    result, task = attack.run(), task_of(victim)
    start, end = map(task.plain, outputs_of(victim, [example.text, result.text]))
    source = getattr(substitution, "source", SUBSTITUTIONS[example.words].card["source"])
    about = {**spec.plain(), "start": start, "end": end, "source": source}
    return Trace(attack.space, result, about)


def main() -> int:
    """Record every bundled sentence; those that need to be read again are named."""
    FOLDER.mkdir(exist_ok=True)
    wrong = 0
    for number, example in enumerate(examples().values(), start=1):
        recording = record(example)
        trace.save(recording, FOLDER / f"{number}.json")
        unread = bool(example.approved) and recording.result.text != example.approved
        wrong += unread
        note = "; read it, since another one was approved" if unread else ""
        sys.stdout.write(f"{recording.result.status}: {recording.result.text}{note}\n")
    return 1 if wrong else 0


if __name__ == "__main__":
    raise SystemExit(main())
