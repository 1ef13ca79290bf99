"""Prove it: a button, the verdict, and the tree of what was looked at."""

from typing import Any

import streamlit as st

from app.prove import sentences, tree, work
from app.prove.work import ProofTask
from app.shared import highlight, pickers
from app.shared.question import Question
from core.errors import CoreError
from core.prove import Proof, counts_of

WHY = (
    "Each dot is a sentence. The proof asks how far, at worst, the label of now stays above the "
    "others after any swaps that are still allowed. Where that is above 0, every sentence below "
    "is safe and nobody has to look at it; else it is looked at one swap further."
)


def offer(question: Question) -> None:
    """Offer a proof, and show what it has come to."""
    with st.container(border=True):
        try:
            _show(question)
        except CoreError as error:
            st.error(pickers.plain(str(error)))


def _show(question: Question) -> None:
    """A button, or how far the proof is, or its verdict."""
    task = work.task_on(question)
    if task is None or task.cancelled:
        if not _asked(question, stopped=task is not None):
            return
        work.forget(question)
        work.begin(question)
        task = work.task_on(question)
    assert task is not None
    if task.running:
        work.watch(question)
    elif task.result is not None:
        _result(question, task, task.result)
    else:
        work.forget(question)
        st.rerun()


def _asked(question: Question, *, stopped: bool) -> bool:
    """A button, and what a proof would be about."""
    space = question.space
    counts = counts_of(space, space.allowed(question.spec.max_changed))
    row = st.container(horizontal=True, vertical_alignment="center")
    clicked = row.button("Prove it", key="prove", icon=":material/verified:")
    said = sentences.before(counts, len(space.choices))
    row.caption(f"The proof was stopped. {said}" if stopped else said)
    return clicked


def _result(question: Question, task: ProofTask, proof: Proof) -> None:
    """The verdict, the sentence of the fewest words, and the tree."""
    st.markdown(f"**{sentences.verdict(proof, question.kind.reached)}**")
    if proof.state is not None:
        st.html(highlight.changed_words(question.space, proof.state))
    st.caption(pickers.plain(sentences.looked(proof)))
    drawn = tree.dots(question.space, task.looks)
    if len(drawn) > 1:
        with st.expander("The tree of the proof"):
            st.caption(WHY)
            alt = f"A tree of {len(drawn)} sentences that were looked at."
            look: dict[str, Any] = {"width": "stretch", "config": {"displaylogo": False}}
            st.plotly_chart(tree.figure(drawn), key="prove.tree", alt=alt, **look)
            if len(task.looks) == work.DRAWN:
                st.caption(f"The first {work.DRAWN} of {proof.nodes:,} looks.")


def fewest(question: Question) -> Proof | None:
    """The proof of a question, started if need be; None until it is over.

    How far it is stands where the page offers it.
    """
    task = work.task_on(question)
    if task is None:
        work.begin(question)
        task = work.task_on(question)
    return task.result if task else None
