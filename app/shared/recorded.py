"""Attacks that come with the app, so that its first screen needs no model.

Made by ``python -m app.shared.recorded``; make them again when the victim or the substitutes
change.
"""

import sys
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from core import SUBSTITUTIONS, VICTIMS, assets, trace
from core.attack import Trace
from core.errors import CoreError
from core.goals import outputs_of
from core.options import Choice
from core.search import DEFAULT
from core.spec import AttackSpec
from core.tasks import task_named, task_of
from core.tasks.protocol import Output

FOLDER = assets.FOLDER / "recorded"
VICTIM, WORDS = "bilstm-sst2", "sememe"  # where a newcomer starts


@dataclass(frozen=True)
class Recorded:
    """Local search on a bundled sentence, and what the victim said about the original."""

    trace: Trace
    spec: AttackSpec
    start: Output
    source: str


def find(text: str, victim: str, words: str) -> Recorded | None:
    """The recorded attack on this sentence; a damaged file is as good as none."""
    return _all().get((text, victim, words))


@cache
def _all() -> dict[tuple[str, str, str], Recorded]:
    found = {}
    for path in sorted(FOLDER.glob("*.json")):
        try:
            known = trace.load(path)
            spec = AttackSpec.of_trace(known)
            start = task_named(spec.victim).output(known.about["start"])
            key = (spec.text, spec.victim, spec.substitution.method)
            found[key] = Recorded(known, spec, start, str(known.about["source"]))
        except (CoreError, KeyError):
            continue
    return found


def record(text: str) -> Trace:
    """Run local search on a sentence with the victim and the substitutes a newcomer meets."""
    victim, substitution = VICTIMS[VICTIM](), SUBSTITUTIONS[WORDS]()
    spec = AttackSpec(text, VICTIM, Choice(WORDS), Choice(DEFAULT)).settled(victim)
    attack = spec.prepare(victim, substitution)
    about = {
        **spec.plain(),
        "start": task_of(victim).plain(outputs_of(victim, [text])[0]),
        "source": getattr(substitution, "source", SUBSTITUTIONS[WORDS].card["source"]),
    }
    return Trace(attack.space, attack.run(), about)


def main() -> None:
    """Record every bundled sentence."""
    FOLDER.mkdir(exist_ok=True)
    for number, example in enumerate(assets.read_json("examples.json"), start=1):
        recording = record(example["text"])
        trace.save(recording, Path(FOLDER / f"{number}.json"))
        sys.stdout.write(f"{recording.result.status}: {recording.result.text}\n")


if __name__ == "__main__":
    main()
