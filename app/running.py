"""Running an attack inside a page: it shows how far it is, and any click stops it."""

from dataclasses import replace

import streamlit as st

from core import Attack, AttackResult


def run(attack: Attack, name: str) -> AttackResult:
    """Run to the end, telling how far it is."""
    place = st.empty()

    def tick() -> bool:
        """Called between two batches: a call of Streamlit lets a newer click end this run."""
        place.caption(told)
        return False

    told = f"{name} …"
    steps = replace(attack, cancelled=tick).steps()
    while True:
        try:
            step = next(steps)
        except StopIteration as end:
            place.empty()
            result: AttackResult = end.value
            return result
        told = f"{name}: {step.queries:,} queries, best score {step.best.score:.3f} …"
