"""What all Explore pages ask: which sentence, which victim, which substitutes, which goal."""

from dataclasses import dataclass

import streamlit as st

from app import loaders
from app.pickers import about, available, pick, write
from core import SUBSTITUTIONS, VICTIMS, Goal, SearchSpace, Victim, targeted, untargeted
from core.goals import probabilities

AS_SAID = "what the victim says"
UNTARGETED = "any other label"
LIMITS = {"25 %": 0.25, "10 %": 0.1, "50 %": 0.5, "all": 1.0}


@dataclass(frozen=True)
class Question:
    """A sentence to attack, and everything needed to attack it."""

    space: SearchSpace
    victim: Victim
    goal: Goal
    label: int  # the true label
    target: int | None
    max_changed: float
    source: str  # where the substitutes come from, if the method can tell

    @property
    def wanted(self) -> str:
        """What the attack is after, in words."""
        if self.target is None:
            return f"anything but {self.victim.labels[self.label]}"
        return self.victim.labels[self.target]


def ask() -> Question:
    """Draw the inputs, all of them bound to the address of the page, and build the question."""
    examples = loaders.examples()

    def use_example() -> None:
        st.session_state.text = examples[st.session_state.example]

    cells = st.columns(3)
    cells[0].selectbox("Example", examples, key="example", on_change=use_example)
    victim_key = pick(cells[1], "Victim", available(VICTIMS), "victim")
    method = pick(cells[2], "Substitutes", available(SUBSTITUTIONS), "words")
    premise = ""
    if VICTIMS[victim_key].card.get("needs_premise"):
        premise = write("Premise (stays as it is)", "", "premise")
    text = write("Sentence", next(iter(examples.values())), "text")
    with st.expander("Goal, limit, and what the victim and the substitutes are"):
        cells = st.columns(3)
        labels = VICTIMS[victim_key].card["labels"]
        true = pick(cells[0], "True label", [AS_SAID, *labels], "label")
        wanted = pick(cells[1], "Attack towards", [UNTARGETED, *labels], "target")
        limit = pick(cells[2], "Words that may change", list(LIMITS), "limit")
        about({"Victim": (VICTIMS, victim_key), "Substitutes": (SUBSTITUTIONS, method)})
    victim = loaders.victim(victim_key, premise)
    substitution = loaders.substitution(method)
    source = getattr(substitution, "source", SUBSTITUTIONS[method].card.get("source", ""))
    space = SearchSpace.from_text(text, substitution)
    said = int(probabilities(victim, [text])[0].argmax())
    label = victim.labels.index(true) if true in victim.labels else said
    target = None if wanted == UNTARGETED else victim.labels.index(wanted)
    goal = untargeted(victim, space, label) if target is None else targeted(victim, space, target)
    return Question(space, victim, goal, label, target, LIMITS[limit], source)
