"""What a rater sees: one screen at a time, saved at every answer."""

import time
from collections.abc import Callable, Sequence
from html import escape
from math import ceil

import streamlit as st

from app.pickers import plain
from core import CoreError
from core.study import rating
from core.study.database import Database
from core.study.rating import Answer, Feedback, Task, Visit

BREAK_AFTER = 25  # items between two reminders
RESERVED = "CR"  # letters that Streamlit keeps for itself
SENTENCE = "font-size:1.35rem;line-height:1.5"
# The keys on the buttons are too faint to read, and a phone has no room for a wide margin on top.
STYLE = (
    "<style>kbd{color:inherit!important;opacity:1!important}"
    ".stMainBlockContainer{padding-top:3rem}</style>"
)
# The next text starts at its beginning, also for who scrolled down to send the one before.
TO_THE_TOP = "document.querySelector('[data-testid=stMain]').scrollTo(0, 0)"
NOT_SAVED = "Your answer was not saved. "


def show(database: Database, token: str) -> None:
    """Show where the rater stands; everything is read anew from the database."""
    st.html(STYLE)
    if rating.is_open_link(database, token):
        _welcome(database, token)
        return
    visit = rating.visit(database, token, st.session_state.get("rate.back"))
    st.subheader(plain(visit.wording.title), anchor=False)
    told = st.session_state.get("rate.feedback")
    feedback = rating.feedback(database, token, told) if told else None
    if feedback is not None:
        _feedback(feedback, visit)
    elif visit.task is not None:
        _task(database, token, visit, visit.task)
    else:
        _messages()
        _between(database, token, visit)


def _messages() -> None:
    """What came of the last click; near the button, or a phone would not show it."""
    for kind in ("error", "warning"):
        if message := st.session_state.pop(f"rate.{kind}", None):
            getattr(st, kind)(plain(message))


def paragraphs(text: str, style: str = "") -> None:
    """Text as it was typed, never as markup."""
    st.html(
        f'<p dir="auto" style="white-space:pre-wrap;overflow-wrap:anywhere;{style}">'
        f"{escape(text)}</p>"
    )


def _welcome(database: Database, token: str) -> None:
    st.subheader("Welcome", anchor=False)
    paragraphs("This link gives you a place in a study. Your place then has an address of its own.")
    if st.button("Take a place", type="primary", shortcut="Enter", key="rate.take"):
        st.query_params["a"] = rating.take_place(database, token)
        st.rerun()


def _between(database: Database, token: str, visit: Visit) -> None:
    """Everything that is not a question."""
    if visit.stage == "consent":
        paragraphs(visit.wording.consent)
        _next("I agree to take part", "consent", lambda: rating.consent(database, token))
    elif visit.stage == "instructions":
        paragraphs(visit.wording.instructions)
        st.caption(
            f"{visit.total} texts, about {_minutes(visit)}. Each answer is saved at once: "
            "you can stop at any time and go on later with the same link, on any device."
        )
        _next("I have read this", "ready", lambda: rating.ready(database, token))
    elif visit.stage == "done":
        st.success("That was the last one. Thank you! All your answers are saved.")
        st.markdown("Your completion code:")
        st.code(visit.code, language=None)
        _back(visit)
    elif visit.stage == "paused":
        st.info("The study is paused. Your answers are saved; please open this link again later.")
    else:
        st.info("The study is closed. Thank you for your time.")


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
        st.session_state["rate.error"] = prefix + str(error)


def _task(database: Database, token: str, visit: Visit, task: Task) -> None:
    """One text with its two questions."""
    shown = st.session_state.setdefault(f"rate.shown.{task.id}", time.monotonic())
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
    if task.context:
        paragraphs(task.context, "opacity:.8")
    paragraphs(task.text, SENTENCE)
    st.html(f"<script>/* {task.id} */{TO_THE_TOP}</script>", unsafe_allow_javascript=True)
    chosen = _chosen(task, visit.labels)
    wording = visit.wording
    _choices(task, "label", wording.label_question, visit.labels, letters(visit.labels), chosen[0])
    points = [str(point) for point in range(len(wording.scale))]
    _choices(task, "score", wording.score_question, wording.scale, points, chosen[1])
    with st.container():  # always there: Send keeps its place
        _messages()
    st.button(
        "Send" if task.answer is None else "Save the correction",
        type="primary",
        shortcut="Enter",
        width="stretch",
        key=f"rate.send.{task.id}.{task.revision}",
        on_click=_send,
        args=(database, token, task, visit, shown),
    )
    _back(visit)
    if task.answer is not None:
        st.button("Leave it as it is", key=f"rate.leave.{task.id}", on_click=_go_back, args=(None,))


def _choices(
    task: Task,
    name: str,
    question: str,
    options: Sequence[str],
    keys: Sequence[str | None],
    chosen: int | None,
) -> None:
    """Buttons with their keys on them; the chosen one is filled."""
    st.markdown(f"**{plain(question)}**")
    row = st.container(horizontal=name == "label", gap="small")
    for number, (option, key) in enumerate(zip(options, keys, strict=True)):
        row.button(
            plain(option),
            shortcut=key,
            type="primary" if number == chosen else "secondary",
            width="stretch",
            key=f"rate.{name}.{task.id}.{number}",
            on_click=_choose,
            args=(task, name, number),
        )


def letters(labels: Sequence[str]) -> list[str | None]:
    """A key for each label: a letter of its name, each once, as long as there are letters."""
    keys: list[str | None] = []
    for label in labels:
        own = [letter for letter in label.upper() if letter.isascii() and letter.isalpha()]
        spare = [*own, *"ABDEFGHIJKLMNOPQSTUVWXYZ"]
        keys.append(next((one for one in spare if one not in (*keys, *RESERVED)), None))
    return keys


def _choose(task: Task, name: str, number: int) -> None:
    st.session_state[_slot(task, name)] = number


def _chosen(task: Task, labels: Sequence[str]) -> tuple[int | None, int | None]:
    """What is chosen so far: in this session, or else the answer given before."""
    given = (labels.index(task.answer.label), task.answer.score) if task.answer else (None, None)
    return (
        st.session_state.get(_slot(task, "label"), given[0]),
        st.session_state.get(_slot(task, "score"), given[1]),
    )


def _slot(task: Task, name: str) -> str:
    return f"rate.{name}.{task.id}@{task.revision}"


def _send(database: Database, token: str, task: Task, visit: Visit, shown: float) -> None:
    label, score = _chosen(task, visit.labels)
    if label is None or score is None:
        st.session_state["rate.warning"] = "Answer both questions first, then send."
        return
    answer = Answer(visit.labels[label], score)
    try:
        outcome = rating.save(database, token, task, answer, time.monotonic() - shown)
    except CoreError as error:
        st.session_state["rate.error"] = NOT_SAVED + str(error)
        return
    _go_back(None)
    if outcome == "changed":
        st.session_state["rate.warning"] = (
            "You answered this text differently in another tab, and that answer was kept. "
            "Go back to change it."
        )
    if visit.stage == "practice":
        st.session_state["rate.feedback"] = task.id


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
    said = f"{visit.wording.label_question} {feedback.label}"
    if feedback.score is not None:
        said += f"\n{visit.wording.score_question} {visit.wording.scale[feedback.score]}"
    paragraphs(feedback.item, SENTENCE)
    paragraphs(said)
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
