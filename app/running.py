"""Running an attack inside a page: it shows how far it is, and can always be stopped."""

from collections.abc import Callable
from dataclasses import replace
from time import perf_counter

import streamlit as st

from core import Attack, AttackResult, Step

TICK = 0.1  # seconds between two looks at the page


def run(attack: Attack, name: str, on_stop: Callable[[], None] | None = None) -> AttackResult:
    """Run to the end, telling how far it is; any click ends it, the one on its button too."""
    place = st.empty()
    with place.container(horizontal=True, vertical_alignment="center"):
        line = st.empty()
        st.button("Stop the search", key="run.stop", on_click=on_stop)
    told, last = f"{name} …", 0.0

    def tick() -> bool:
        """Called between two batches: a call of Streamlit lets a newer click end this run."""
        nonlocal last
        if perf_counter() - last > TICK:
            line.caption(told)
            last = perf_counter()
        return False

    steps = replace(attack, cancelled=tick).steps()
    while True:
        try:
            step = next(steps)
        except StopIteration as end:
            place.empty()
            result: AttackResult = end.value
            return result
        told = progress(attack, name, step)


def progress(attack: Attack, name: str, step: Step) -> str:
    """How far an attack is, without the score where the search must not see it."""
    best = "" if attack.label_only else f", best score {step.best.score:.3f}"
    return f"{name}: {step.queries:,} queries{best} …"
