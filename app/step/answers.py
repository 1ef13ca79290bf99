"""What the victim says before and after an attack, where its answers are texts."""

import streamlit as st

from app.shared import highlight, loaders, pickers
from core import VICTIMS, CoreError
from core.attack import Trace
from core.goals import outputs_of
from core.spec import AttackSpec
from core.tasks import task_of, task_of_card
from core.tasks.protocol import Shown

_KEPT = "step.said"  # in the session: the attack, and what is shown of it


def show(trace: Trace) -> None:
    """Both answers beside each other; a label is told by the score."""
    try:
        shown = _shown(trace)
    except CoreError as error:  # the steps are there, though the victim cannot be asked
        st.caption(pickers.plain(str(error)))
        return
    if shown:
        st.html(highlight.prediction(shown))


def _shown(trace: Trace) -> Shown | None:
    """The victim is asked once about an attack, however often the page is drawn."""
    spec = AttackSpec.of_trace(trace)
    if spec.victim not in VICTIMS or task_of_card(VICTIMS[spec.victim].card).choices:
        return None
    asked = (spec.address(), trace.result.text)
    known: tuple[object, Shown | None] = st.session_state.get(_KEPT, (None, None))
    if known[0] != asked:
        known = st.session_state[_KEPT] = (asked, _answers(spec, trace.result.text))
    return known[1]


def _answers(spec: AttackSpec, text: str) -> Shown | None:
    victim = loaders.victim(spec.victim, spec.context)
    task = task_of(victim)
    if task.choices:  # known only now, of a victim whose card does not tell its labels
        return None
    before, after = outputs_of(victim, [spec.text, text])
    return task.shown(before, after, spec.reference, spec.context)
