"""What all Explore pages ask: which sentence, which victim, which substitutes, which goal."""

from collections.abc import Hashable
from dataclasses import dataclass, field
from functools import cached_property
from hashlib import blake2b
from typing import Any

import numpy as np
import streamlit as st

from app import jobs, loaders, pickers, recorded
from app.recorded import VICTIM, WORDS
from core import (
    SUBSTITUTIONS,
    VICTIMS,
    Attack,
    CoreError,
    Goal,
    Search,
    SearchSpace,
    Victim,
    targeted,
    untargeted,
)
from core.edits import Edits
from core.goals import judge_of, probabilities
from core.objective import Floats
from core.tasks.classification import Classification
from core.tasks.protocol import Judge
from core.trace import Trace

AS_SAID = "what the victim says"
UNTARGETED = "any other label"


@dataclass(frozen=True, eq=False)
class Question:
    """A sentence to attack, and everything needed to attack it; the victim is loaded when used."""

    text: str
    premise: str
    victim_key: str
    method: str
    space: SearchSpace
    labels: tuple[str, ...]
    start: Floats  # what the victim says about the sentence
    label: int  # the true label
    target: int | None
    max_changed: float
    hard_limit: bool
    source: str  # where the substitutes come from, if the method can tell
    edits: Edits = field(default_factory=Edits)
    substitution_option: tuple[str, ...] = ()
    constraint: tuple[str, ...] = ()
    plain: SearchSpace | None = None  # the space before the visitor's edits
    recorded: Trace | None = None  # local search on this very question, if it comes with the app

    @property
    def wanted(self) -> str:
        """What the attack is after, in words."""
        if self.target is None:
            return f"anything but {self.labels[self.label]}"
        return self.labels[self.target]

    @cached_property
    def ground(self) -> Hashable:
        """Equal for questions in which every sentence has the same score; short, as it is kept."""
        sentence = (self.space.choices, self.space.gaps)
        told = (self.victim_key, self.premise, *sentence, self.label, self.target)
        return blake2b(repr(told).encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()

    @property
    def identity(self) -> Hashable:
        """Equal for questions that every search answers in the same way."""
        return (self.ground, self.max_changed, self.hard_limit)

    @property
    def about(self) -> dict[str, Any]:
        """What a trace says about the question it belongs to."""
        return {
            **{"victim": self.victim_key, "words": self.method, "premise": self.premise},
            **{"label": self.label, "target": self.target, "edits": self.edits.text()},
            **{"max_changed": self.max_changed, "hard_limit": self.hard_limit},
            "substitution_option": self.substitution_option,
            "constraint": self.constraint,
        }

    @property
    def threshold(self) -> float | None:
        """The score at which the label flips, where there is one: with two labels."""
        return 0.5 if len(self.labels) == 2 else None

    @property
    def judge(self) -> Judge:
        """Scores and successes of what the victim says, without the victim."""
        task, reference = Classification(self.labels), (self.labels[self.label],)
        if self.target is None:
            return judge_of(task, "untargeted", reference)
        return judge_of(task, "targeted", reference, self.labels[self.target])

    @cached_property
    def victim(self) -> Victim:
        """The victim, loaded once a server."""
        return loaders.victim(self.victim_key, {"premise": self.premise})

    @cached_property
    def goal(self) -> Goal:
        """What the attack maximises."""
        if self.target is None:
            return untargeted(self.victim, self.space, self.label)
        return targeted(self.victim, self.space, self.target)

    def attack(self, search: Search, budget: int | None = None, seed: int = 0) -> Attack:
        """An attack on this question."""
        limits = {"max_changed": self.max_changed, "hard_limit": self.hard_limit}
        return Attack(self.space, self.goal, search, budget, seed, **limits)  # type: ignore[arg-type]


def ask() -> Question:
    """Draw the inputs, all of them part of the page's address, and build the question.

    What this visitor computes about another question, on whatever page, is cancelled.
    """
    try:
        asked = _ask()
    except CoreError:
        jobs.keep_to()
        raise
    jobs.keep_to(asked.ground, asked.identity)
    return asked


def _ask() -> Question:
    if made := st.session_state.get("made"):  # a set function by hand, from the Theory page
        found: Question = made()
        return found
    pickers.address("made")
    examples = loaders.examples()

    def use_example() -> None:
        """Take over a bundled sentence with the victim and the substitutes it was chosen for."""
        if chosen := examples.get(st.session_state.example):
            pickers.put(text=chosen["text"], victim=VICTIM, words=WORDS)

    cells = st.columns([2, 2, 2, 1.4], vertical_alignment="bottom")
    titles = ["your own", *examples]
    current = st.session_state.get("text", st.query_params.get("text"))
    fits = [title for title, row in examples.items() if current in (None, row["text"])]
    st.session_state.example = fits[0] if fits else titles[0]
    cells[0].selectbox("Sentence", titles, key="example", on_change=use_example)
    victim_key = pickers.pick(cells[1], "Victim", pickers.options(VICTIMS, VICTIM), "victim")
    method = pickers.pick(cells[2], "Substitutes", pickers.options(SUBSTITUTIONS, WORDS), "words")
    labels = tuple(VICTIMS[victim_key].card["labels"])
    menu = cells[3].popover("Goal and limits", width="stretch")
    true = pickers.pick(menu, "True label", [AS_SAID, *labels], "label")
    wanted = pickers.pick(menu, "Attack towards", [UNTARGETED, *labels], "target")
    limit = pickers.number(menu, "Words that may change, %", 25, "limit", 0, 100)
    hard = pickers.switch(menu, "Never go beyond this limit, not even on the way", "hard")
    with menu:
        pickers.about({"Victim": (VICTIMS, victim_key), "Substitutes": (SUBSTITUTIONS, method)})
    premise = ""
    if VICTIMS[victim_key].card.get("needs_premise"):
        premise = pickers.write("Premise (stays as it is)", "", "premise")
    first = next(iter(examples.values()))["text"]
    text = pickers.write("The sentence to attack", first, "text", hidden_label=True)
    options, constraints = (
        pickers.settings(key, method) for key in ("substitution_option", "constraint")
    )
    edits = pickers.edits((text, method))
    rest = {
        "substitution_option": options,
        "constraint": constraints,
        "target": None if wanted == UNTARGETED else labels.index(wanted),
        "max_changed": limit / 100,
        "hard_limit": hard,
        "edits": edits,
    }
    known = None if options or constraints else recorded.find(text, victim_key, method)
    if known and known.label == (labels.index(true) if true in labels else known.label):
        unchanged = not edits.any and rest["target"] is None and (limit, hard) == (25, False)
        return _question(
            (text, premise, victim_key, method),
            known.trace.space,
            labels,
            np.array(known.start),
            known.label,
            recorded=known.trace if unchanged else None,
            source=known.source,
            **rest,
        )
    victim = loaders.victim(victim_key, {"premise": premise})
    substitution = loaders.substitution(method, options, constraints)
    source = getattr(substitution, "source", SUBSTITUTIONS[method].card.get("source", ""))
    space = SearchSpace.from_text(text, substitution)
    start = probabilities(victim, [text])[0]
    label = labels.index(true) if true in labels else int(start.argmax())
    asked = (text, premise, victim_key, method)
    return _question(asked, space, victim.labels, start, label, source=source, **rest)


def _question(
    asked: tuple[str, str, str, str],
    space: SearchSpace,
    labels: tuple[str, ...],
    start: Floats,
    label: int,
    **rest: Any,
) -> Question:
    edited = rest["edits"].apply(space)
    return Question(*asked, edited, labels, start, label, plain=space, **rest)
