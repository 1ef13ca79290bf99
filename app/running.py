"""Running an attack inside a page: it shows how far it is, and any click stops it."""

import streamlit as st

from core import Attack, AttackResult


def run(attack: Attack, name: str) -> AttackResult:
    """Run to the end; between two steps Streamlit may leave the run for a newer click."""
    place = st.empty()
    steps = attack.steps()
    while True:
        try:
            step = next(steps)
        except StopIteration as end:
            place.empty()
            result: AttackResult = end.value
            return result
        place.caption(f"{name}: {step.queries:,} queries, best score {step.best.score:.3f} …")
