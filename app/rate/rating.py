"""What a rater sees: one screen at a time, saved at every answer."""

import time
from collections.abc import Callable, Sequence
from functools import partial
from html import escape
from math import ceil
from typing import Any

import streamlit as st

from app.shared.components import component, heard
from app.shared.pickers import plain
from core import CoreError
from core.errors import InputError
from core.study import rating
from core.study.database import Database
from core.study.rating import Feedback, GivenAnswer, RatingTask, Visit

BREAK_AFTER = 25  # items between two reminders
SENTENCE = "font-size:1.35rem;line-height:1.5"
# The keys on the buttons are too faint to read; a phone has none to press, and no room for a wide
# margin on top.
STYLE = (
    "<style>kbd{color:inherit!important;opacity:1!important}"
    "@media (any-hover:none){kbd{display:none!important}}"
    ".stMainBlockContainer{padding-top:3rem}</style>"
)
NOT_SAVED = "Your answer was not saved."
NOT_CORRECTED = "Your correction was not saved; the answer that you gave before stays."

_questions = component("questions")


def show(database: Database, token: str) -> None:
    """Show where the rater stands; everything is read anew from the database."""
    st.html(STYLE)
    _screen(database, token)


def _screen(database: Database, token: str) -> None:
    if rating.is_open_link(database, token):
        _welcome(database, token)
        return
    visit = rating.visit(database, token, st.session_state.get("rate.back"))
    st.subheader(plain(visit.wording.title), anchor=False)
    answered = st.session_state.get("rate.feedback")
    feedback = rating.feedback(database, token, answered) if answered else None
    if feedback is not None:
        _feedback(feedback, visit)
    elif visit.task is not None:
        _task(database, token, visit, visit.task)
    else:
        _between(database, token, visit, _message())


def _message() -> str:
    """What came of the last click, told once."""
    message: str = st.session_state.pop("rate.message", "")
    return message


def paragraphs(text: str, style: str = "") -> None:
    """Text as it was typed, never as markup."""
    st.html(
        f'<p dir="auto" style="white-space:pre-wrap;overflow-wrap:anywhere;{style}">'
        f"{escape(text)}</p>"
    )


def _welcome(database: Database, token: str) -> None:
    st.subheader("Welcome", anchor=False)
    paragraphs("Join this study. You get a personal link to come back to.")
    if st.button("Join the study", type="primary", shortcut="Enter", key="rate.take"):
        st.query_params["a"] = rating.take_place(database, token)
        st.rerun()


def _between(database: Database, token: str, visit: Visit, message: str) -> None:
    """Everything that is not a question; what came of the last click is part of one message."""
    reason = rating.NO_ANSWERS.get(visit.stage, "")
    if message:
        st.warning(plain(message if reason in message else f"{message} {reason}"))
    elif reason:
        st.info(reason)
    if reason:
        return
    if visit.stage == "consent":
        paragraphs(visit.wording.consent)
        _next("I agree to take part", "consent", lambda: rating.consent(database, token))
    elif visit.stage == "instructions":
        paragraphs(visit.wording.instructions)
        st.caption(
            f"{visit.total} texts, about {_minutes(visit)}. Each answer is saved at once: "
            "you can stop at any time and go on later with the same link, on any device. "
            "With a keyboard, digits answer the question that is marked, Backspace clears the last "
            "answer, and Enter sends."
        )
        _next("I have read this", "ready", lambda: rating.ready(database, token))
    else:
        st.success("That was the last one. Thank you! All your answers are saved.")
        st.markdown("Your completion code:")
        st.code(visit.code, language=None)
        _back(visit)


def _next(label: str, name: str, step: Callable[[], None]) -> None:
    st.button(
        label,
        type="primary",
        shortcut="Enter",
        key=f"rate.{name}",
        on_click=_guarded,
        args=(step, "This could not be saved. "),
    )


def _guarded(step: Callable[[], None], prefix: str) -> None:
    """Run a step of the rater; what fails is told, and nothing is shown as done."""
    try:
        step()
    except CoreError as error:
        st.session_state["rate.message"] = prefix + str(error)


def _task(database: Database, token: str, visit: Visit, task: RatingTask) -> None:
    """One text with its two questions."""
    shown = st.session_state.setdefault(f"rate.shown.{task.id}", time.monotonic())
    with st.container():  # always there: what follows keeps its place, and with it what was chosen
        if st.session_state.get("rate.current", task.id) != task.id:
            st.info("You answered the text before in another tab. Here is the next one.")
    st.session_state["rate.current"] = task.id
    if visit.stage == "practice":
        st.caption(f"Practice {task.number}: you will see afterwards what others think.")
    else:
        st.progress(
            visit.done / visit.total,
            f"{task.number} of {visit.total}, about {_minutes(visit)} left",
        )
    if task.answer is None and visit.done and visit.done % BREAK_AFTER == 0:
        st.info(f"{visit.done} done. Time for a short break? Your answers are saved.")
    key = f"rate.questions.{task.id}.{task.revision}"
    received = {"received": st.session_state.get("rate.received", ""), "message": _message()}
    _questions(
        data={**questions(visit, task), **received},
        key=key,
        on_sent_change=partial(_send, database, token, task, visit, shown, key),
    )
    _back(visit)
    if task.answer is not None:
        st.button("Leave it as it is", key=f"rate.leave.{task.id}", on_click=_go_back, args=(None,))


def questions(visit: Visit, task: RatingTask) -> dict[str, Any]:
    """A text with its two questions and the answers given before, as the component wants them.

    The text is drawn together with its questions: nobody answers below a text that has changed.
    """
    wording, given = visit.wording, task.answer
    label = {
        "text": wording.label_question,
        "options": visit.labels,
        "given": visit.labels.index(given.label) if given else None,
        "first": 1,  # the digit of the first option
        "row": True,
    }
    score = {
        "text": wording.score_question,
        "options": wording.scale,
        "given": given.score if given else None,
        "first": 0,
        "row": False,
    }
    return {
        "id": f"{task.id}.{task.revision}",
        "context": task.context,
        "text": task.text,
        "questions": [label, score],
        "send": "Save the correction" if given else "Send",
    }


def _send(
    database: Database, token: str, task: RatingTask, visit: Visit, shown: float, key: str
) -> None:
    """Save what the component has sent for the text that it showed, and confirm its mark."""
    sent = heard(key, "sent")
    mark = sent.get("mark") if isinstance(sent, dict) else ""
    st.session_state["rate.received"] = mark if isinstance(mark, str) else ""
    try:
        answer = _answer(sent, visit.labels)
        outcome = rating.save(database, token, task, answer, time.monotonic() - shown)
    except CoreError as error:
        refused = NOT_CORRECTED if task.answer else NOT_SAVED
        st.session_state["rate.message"] = f"{refused} {error}"
        return
    _go_back(None)
    if outcome == "changed":
        st.session_state["rate.message"] = (
            "You answered this text differently in another tab, and that answer was kept. "
            "Go back to change it."
        )
    if visit.stage == "practice":
        st.session_state["rate.feedback"] = task.id


def _answer(sent: Any, labels: Sequence[str]) -> GivenAnswer:
    """What the browser has sent, if it is an answer: anybody can send anything."""
    match sent:
        case {"answers": [int(label), int(score)]} if label in range(len(labels)):
            return GivenAnswer(labels[label], score)
    raise InputError("Answer both questions, then send.")


def _back(visit: Visit) -> None:
    if visit.previous:
        st.button(
            "Back to the previous one",
            shortcut="Left",
            key=f"rate.back.{visit.previous}",
            on_click=_go_back,
            args=(visit.previous,),
        )


def _go_back(task: str | None) -> None:
    st.session_state["rate.back"] = task
    st.session_state.pop("rate.current", None)


def _feedback(feedback: Feedback, visit: Visit) -> None:
    """What others think of a practice item."""
    right = feedback.label_right and feedback.score_right
    if right:
        st.success("As most people see it.")
    else:
        st.info("Most people see it like this.")
    lines = f"{visit.wording.label_question} {feedback.label}"
    if feedback.score is not None:
        lines += f"\n{visit.wording.score_question} {visit.wording.scale[feedback.score]}"
    paragraphs(feedback.item, SENTENCE)
    paragraphs(lines)
    paragraphs(feedback.text)
    st.button(
        "Go on",
        type="primary",
        shortcut="Enter",
        key="rate.go_on",
        on_click=lambda: st.session_state.pop("rate.feedback", None),
    )


def _minutes(visit: Visit) -> str:
    minutes = max(1, ceil((visit.total - visit.done) * visit.seconds / 60))
    return f"{minutes} minutes" if minutes > 1 else "a minute"
