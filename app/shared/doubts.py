"""Where a victim may be wrong about a sentence, the page asks what is right before any attack."""

from collections.abc import Mapping
from typing import Any, Final

import numpy as np
import streamlit as st

from app.shared import jobs, loaders, pickers
from core import VICTIMS, CoreError
from core.goals import outputs_of
from core.spec import AttackSpec
from core.tasks import Task
from core.tasks.protocol import Output

UNSURE: Final = 0.3  # the likeliest label must lead the next one by so much
ANSWERED: Final = "answer.of"  # in the session: the sentence whose label a visitor has told
_KEPT: Final = 2_000  # second opinions


def ask(spec: AttackSpec, task: Task, start: Output) -> None:
    """Ask which label is right, and go no further, if the victim's may be wrong."""
    found = reasons(spec, task, start)
    if not found:
        return
    jobs.keep_to()
    with st.container(border=True):
        st.markdown(f"**Which label is right?** {pickers.plain(' '.join(found))}")
        st.caption(
            "An attack turns a right answer into a wrong one, so it must know what is right."
        )
        row = st.container(horizontal=True)
        for label in task.choices:
            row.button(label, key=f"right.{label}", on_click=_tell, args=[spec.text, label])
    st.stop()


def forget_answer() -> None:
    """What a visitor has told is right holds for that sentence only."""
    text = st.session_state.get("text", st.session_state.get("kept.text"))
    if ANSWERED in st.session_state and st.session_state[ANSWERED] != text:
        for name in (ANSWERED, "reference", "kept.reference"):
            st.session_state.pop(name, None)
        pickers.address("reference")


def reasons(spec: AttackSpec, task: Task, start: Output) -> list[str]:
    """Why the answer of a trained victim may be wrong, in sentences."""
    if accuracy(spec.victim) is None or np.shape(start) != (len(task.choices),):
        return []
    said, found = task.answer(start), []
    below, most = np.sort(start)[-2:]
    if most - below < UNSURE:
        found.append(f"The victim says {said}, but is only {most:.0%} sure.")
    second = second_victim(spec.victim)
    opinion = _opinion(second, spec.text, dict(spec.context)) if second else None
    if opinion is not None and task.answer(opinion) != said:
        other = f"{second} says {task.answer(opinion)} ({max(opinion):.0%})"
        found.append(f"{other}; {spec.victim} says {said} ({most:.0%}).")
    return found


def second_victim(victim: str) -> str:
    """The most accurate other victim for the same task; empty if there is none here."""
    card = VICTIMS[victim].card
    same = {
        key: share
        for key, entry in VICTIMS.items()
        if (share := accuracy(key)) is not None
        and key != victim
        and not entry.missing()
        and all(entry.card.get(part) == card.get(part) for part in ("task", "labels"))
    }
    return max(same, key=same.__getitem__, default="")


def accuracy(victim: str) -> float | None:
    """The share of held-out rows that a victim gets right, if it is trained and measured."""
    measured: Mapping[str, Any] = VICTIMS[victim].card.get("held_out", {})
    return measured.get("accuracy")


@st.cache_data(max_entries=_KEPT, show_spinner=False)
def _opinion(victim: str, text: str, context: dict[str, str]) -> Output:
    """What another victim says; nothing if it cannot be asked."""
    try:
        return outputs_of(loaders.victim(victim, context), [text])[0]
    except CoreError:
        return None


def _tell(text: str, label: str) -> None:
    pickers.put(**{"reference": label, ANSWERED: text})
