"""Adversarial training as a form: craft, train, attack again, and see what it gained."""

from functools import partial
from typing import Final

import streamlit as st

from app.experiment_views import table_html
from app.jobs import Computation
from app.pickers import options, plain
from app.traces import name as search_name
from core import SEARCHES, SUBSTITUTIONS, VICTIMS
from core.experiment.hardened import Report
from core.experiment.hardening import SHARE, Step, Task, steps
from core.experiment.plan import SearchChoice
from core.spec import Choice
from core.victims.recipes import RECIPES

POLL: Final = 1.0  # seconds between two looks at it


def show() -> None:
    """The form, how far it is, and the report."""
    first, second, third, fourth = st.columns(4)
    victims = [key for key in options(VICTIMS, "cnn-sst2") if key in RECIPES]
    victim = first.selectbox("Victim", victims, key="harden.victim")
    words = second.selectbox("Substitutes", options(SUBSTITUTIONS, "sememe"), key="harden.words")
    known = [key for key in SEARCHES if key != "exhaustive"]
    search = third.selectbox("Search", known, format_func=search_name, key="harden.search")
    share = fourth.number_input(
        "Examples, % of the training rows", 1, 100, round(100 * SHARE), key="harden.share"
    )
    st.caption(
        "The victim is trained a little further on the bundled sentences of its task, which takes "
        "a minute or two. With its whole training data it is trained anew: python -m core harden "
        f"{victim} --data DIR"
    )
    run: Computation[Step, Report] | None = st.session_state.get("harden.run")
    busy = run is not None and run.running
    st.button(
        "Harden it",
        key="harden.go",
        on_click=_start,
        args=(victim, words, search, share / 100),
        disabled=busy,
    )
    if run is None:
        return
    if busy:
        st.fragment(partial(_watch, run), run_every=POLL)()
    elif run.error:
        st.error(plain(run.error))
    elif run.result is None:
        st.info("Stopped; nothing was kept.")
    else:
        _report(run.result)


def _start(victim: str, words: str, search: str, share: float) -> None:
    crafting = Choice(words), SearchChoice(search)
    task = Task(victim, share=share, substitution=crafting[0], search=crafting[1])
    st.session_state["harden.run"] = run = Computation(steps(task))
    run.start()


def _watch(run: Computation[Step, Report]) -> None:
    """How far it is, and a button to stop it."""
    if not run.running:
        st.rerun()
    step = run.last
    share = step.done / step.total if step and step.total else 0.0
    st.progress(min(1.0, share), plain(step.about) if step else "Starting …")
    st.button("Stop", key="harden.stop", on_click=run.cancel)


def _report(report: Report) -> None:
    st.html(table_html(report.table()))
    lines = report.lines()
    table = lines.index(report.table().text())
    for line in [*lines[:table], *lines[table + 1 : -1]]:  # the last one is about --out
        if line:
            st.caption(plain(line))
