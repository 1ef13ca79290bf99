"""Adversarial training as a form: craft, train, attack again, and see what it gained."""

from functools import partial
from typing import Final

import streamlit as st

from app.results.views import table_html
from app.shared import choices, door, jobs, own_tables, running
from app.shared.jobs import Computation
from app.shared.pickers import options, plain
from core import VICTIMS, assets
from core.experiment.hardened import BeforeAfter, Report
from core.experiment.hardening import SHARE, HardeningProgress, HardeningTask, steps
from core.experiment.plan import SearchChoice
from core.options import Choice
from core.victims.recipes import RECIPES

KEY: Final = "run"  # a visitor has one at a time
MEASURED: Final = "hardening/cnn-sst2.json"  # how it was made: assets/hardening/README.md


def show() -> None:
    """A measured run to look at, and the form for one's own."""
    measured = Report.of_plain(assets.read_json(MEASURED))
    st.caption(plain(few_rows(measured.drops[0])))
    with st.expander("A measured run to look at"):
        _report(measured)
    _own_run()


def few_rows(measured: BeforeAfter) -> str:
    """How many rows it takes to see something."""
    return (
        "The bundled sentences make a handful of examples: enough to watch how it works, too few "
        f"to see what it brings. To find a drop as large as the measured one below "
        f"({100 * measured.drop.value:.1f} points) in four of five tries takes about "
        f"{measured.rows_needed} held-out rows that both victims get right."
    )


def _own_run() -> None:
    """The form, how far it is, and the report."""
    first, second, third, fourth = st.columns(4)
    victims = [key for key in options(VICTIMS, "cnn-sst2") if key in RECIPES]
    victim = first.selectbox("Victim", victims, key="harden.victim")
    words = second.selectbox("Substitutes", own_tables.without_file("sememe"), key="harden.words")
    search = third.selectbox(
        "Search", choices.for_any_space(), format_func=choices.title, key="harden.search"
    )
    share = fourth.number_input(
        "Examples, % of the training rows", 1, 100, round(100 * SHARE), key="harden.share"
    )
    st.caption(
        "The victim is trained a little further on the bundled sentences of its task, which takes "
        "a minute or two. With its whole training data it is trained anew: python -m core harden "
        f"{victim} --data DIR"
    )
    run: Computation[HardeningProgress, Report] | None = st.session_state.get("harden.run")
    if run is not None and run.cancelled and KEY not in jobs.session_jobs("harden"):
        run = _begin()  # it was cancelled because the connection was lost for a while
    busy = run is not None and run.running and not run.cancelled
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
        running.watch("harden", KEY, _tell, name="harden.stop")
    elif run.error:
        st.error(plain(run.error))
    elif run.result is None:
        st.info("Stopped; nothing was kept.")
    else:
        _report(run.result)


def _start(victim: str, words: str, search: str, share: float) -> None:
    if not door.allowed():
        return
    crafting = Choice(words), SearchChoice(search)
    task = HardeningTask(victim, share=share, substitution=crafting[0], search=crafting[1])
    st.session_state["harden.task"] = task
    jobs.session_jobs("harden").forget(KEY)
    _begin()


def _begin() -> Computation[HardeningProgress, Report]:
    task: HardeningTask = st.session_state["harden.task"]
    make = partial(_computation, task)
    run: Computation[HardeningProgress, Report] = jobs.session_jobs("harden").begin(KEY, make)
    st.session_state["harden.run"] = run
    return run


def _computation(task: HardeningTask) -> Computation[HardeningProgress, Report]:
    return Computation(steps(task), jobs.EXPERIMENTS)


def _tell(run: Computation[HardeningProgress, Report]) -> tuple[float, str]:
    """How far it is."""
    step = run.last
    share = step.done / step.total if step and step.total else 0.0
    return share, plain(step.about) if step else "Starting …"


def _report(report: Report) -> None:
    st.html(table_html(report.table()))
    lines = report.lines()
    table = lines.index(report.table().text())
    for line in [*lines[:table], *lines[table + 1 : -1]]:  # the last one is about --out
        if line:
            st.caption(plain(line))
