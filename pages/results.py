"""Results: experiments on many sentences, started here or by the command line."""

import streamlit as st

from app.results import claims, experiments, hardening
from app.results import form as experiment_form
from app.results import parts as experiment_parts
from app.shared import door, pickers
from core import CoreError

POLL = 1.0  # seconds between two looks at an experiment that runs

st.markdown(
    "**Which search is best on many sentences?** Run an experiment by the paper's rules, watch it, "
    "and take its tables away. It goes on when you leave."
)
if door.opens(
    "New experiment, adversarial training: for the organiser",
    "On this server only the organiser starts, resumes and cancels experiments and adversarial "
    "training. Enter the passphrase to do so.",
):
    with st.expander("New experiment"):
        experiment_form.show()
    with st.expander("Adversarial training: does it help?"):
        hardening.show()
with st.expander("The paper's claims: do they hold here?"):
    claims.show()
known = experiments.found()
if not known:
    st.info("There is no experiment yet. Start one above: the bundled sentences take a minute.")
    st.stop()
name = pickers.pick(st.container(), "Experiment", list(known), "experiment")
path = known[name]
run = experiments.run_of(path)


def watch() -> None:
    """How far a run is; drawn again and again while it runs."""
    if run is None:
        return
    experiment_parts.progress(run)
    if not run.running and busy:
        st.rerun()  # the run is over: stop looking


busy = run is not None and run.running
st.fragment(watch, run_every=POLL if busy else None)()
try:
    results = experiments.read(path)
    experiment_parts.state(results, path, busy=busy)
    results = experiment_parts.filtered(results)
    experiment_parts.show(results)
except CoreError as error:
    if not busy:
        st.error(pickers.plain(str(error)))
