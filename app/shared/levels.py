"""At which level of plausibility a sentence falls, tried on demand."""

from functools import partial
from typing import Any

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from app.shared import jobs, own_tables, pickers, running
from app.shared.jobs import Computation
from app.shared.question import Question
from core import CoreError
from core.attack import Trace
from core.ladder import ANY, NAMES, Fall, climb, level_of_reason
from core.spec import AttackSpec
from core.study import calibration
from core.victims import VICTIMS


def show(place: DeltaGenerator, question: Question, spec: AttackSpec) -> None:
    """Offer to climb from harmless words to any, and tell where the sentence falls."""
    if spec.victim not in VICTIMS or own_tables.needs_file(spec.substitution.method):
        return  # a set function by hand, or a table that only this session has
    held, key = jobs.session_jobs("ladder"), (question.scoring_key, spec.address())
    with place.popover("At which level?", width="stretch"):
        st.caption(
            "Attacks with harmless words first, and with looser ones only if those fail: close "
            "words, near ones, then any. The looser the words, the likelier a reader notices."
        )
        if st.button("Try the levels", key="ladder.begin"):
            begun = held.begin(key, lambda: Computation(climb(spec, question.victim)))
            begun.wait(running.MOMENT)
        job = held.get(key)
        if job is None or job.cancelled:
            return
        if job.running:
            running.watch("ladder", key, partial(_tell, job), name="ladder.stop")
        elif job.error:
            held.forget(key)
            raise CoreError(job.error)
        elif job.result is not None:
            _draw(job.result)


def _tell(job: Computation[Trace, Fall], _: Any) -> tuple[float, str]:
    done = len(job.steps)
    return done / ANY, f"Trying {NAMES[min(done + 1, ANY)]} words …"


def _draw(fall: Fall) -> None:
    st.markdown(f"**{pickers.plain(fall.verdict)}**")
    st.dataframe(rows(fall), hide_index=True, width="stretch", key="ladder.rows")
    if fall.level is not None:
        st.table(swaps(fall.traces[-1]), border="horizontal")
    if fall.level and (known := calibration.load()):
        st.caption(pickers.plain(known.sentence(fall.level)))
    st.caption(f"{fall.queries:,} distinct questions to the model on all levels together.")


def rows(fall: Fall) -> list[dict[str, Any]]:
    """What became of each level."""
    return [
        {
            **{"level": f"{level} {NAMES[level]}", "status": trace.result.status},
            **{"substitutes": trace.space.elements, "queries": trace.result.queries},
            "words changed": len(trace.space.changed(trace.result.state)),
        }
        for level, trace in zip(fall.levels, fall.traces, strict=True)
    ]


def swaps(trace: Trace) -> list[dict[str, str]]:
    """Each swap with its level and its reason."""
    space, state = trace.space, trace.result.state
    reasons = {at: space.reasons[at][state[at]] for at in space.changed(state)}
    return [
        {
            "swap": pickers.plain(f"{space.choices[at][0]} → {space.choices[at][state[at]]}"),
            "level": NAMES[level_of_reason(reason)],
            "why": pickers.plain(reason),
        }
        for at, reason in reasons.items()
    ]
