"""Attack a sentence with local search: the trace as a table, the best score as a curve."""

import pandas as pd
import streamlit as st

from app import charts, highlight, loaders, pickers
from core import SUBSTITUTIONS, VICTIMS, Attack, CoreError, SearchSpace, trace, untargeted
from core.goals import probabilities
from core.search import LocalSearch

VERDICT = {
    "success": ("success", "The attack succeeds: the victim changes its mind."),
    "over_limit": ("warning", "The label flips, but only with more changed words than allowed."),
    "failed": ("info", "The attack fails: no change of a single word raises the score any more."),
    "budget": ("info", "The budget was spent before the label flipped."),
}

st.title("Attack a sentence with local search")
st.caption("Each step tries every change of one word and keeps the best one.")

examples = loaders.examples()
if "text" not in st.session_state and "text" not in st.query_params:
    st.session_state.text = next(iter(examples.values()))


def use_example() -> None:
    """Put the chosen example into the text field."""
    st.session_state.text = examples[st.session_state.example]


cells = st.columns(3)
cells[0].selectbox("Example", examples, key="example", on_change=use_example)
victim_key = pickers.pick(cells[1], "Victim", VICTIMS, "victim")
method = pickers.pick(cells[2], "Substitutes", SUBSTITUTIONS, "words")
with st.form("attack"):
    premise = ""
    if VICTIMS[victim_key].card.get("needs_premise"):
        premise = st.text_area("Premise (stays as it is)", key="premise", bind="query-params")
    text = st.text_area("Sentence", key="text", height=80, bind="query-params")
    cells = st.columns([2, 2, 1], vertical_alignment="bottom")
    limit = cells[0].number_input("Words that may change, %", 0, 100, 25, key="limit")
    budget = cells[1].number_input("Budget, queries", 1, 100_000, 2_000, key="budget")
    cells[2].form_submit_button("Attack", type="primary", width="stretch")
with st.expander("What the victim and the substitutes are"):
    pickers.about({"Victim": (VICTIMS, victim_key), "Substitutes": (SUBSTITUTIONS, method)})

try:
    victim = loaders.victim(victim_key, premise)
    space = SearchSpace.from_text(text, loaders.substitution(method))
    before = probabilities(victim, [text])[0]
    label = int(before.argmax())
    goal = untargeted(victim, space, label)
    with st.spinner(f"Attacking {victim_key} …"):
        result = Attack(space, goal, LocalSearch(), budget, max_changed=limit / 100).run()
except CoreError as error:
    st.error(pickers.plain(str(error)))
    st.stop()

kind, verdict = VERDICT[result.status]
getattr(st, kind)(verdict)
st.html(highlight.changed_words(space, result.state))

after = probabilities(victim, [result.text])[0]
cells = st.columns(4)
name = victim.labels[label]
cells[0].metric(f"P({name})", f"{after[label]:.2f}", f"{after[label] - before[label]:+.2f}")
cells[1].metric("Words changed", f"{len(space.changed(result.state))} of {len(space.choices)}")
cells[2].metric("Queries", f"{result.queries:,}", help="Distinct texts the victim was asked about.")
cells[3].metric("Requests", f"{result.requests:,}", help="Repeated texts too: the paper's count.")

st.subheader("Best score against queries")
paper = st.toggle("Count requests, as the paper does", key="requests")
threshold = 0.5 if len(victim.labels) == 2 else None
figure = charts.query_curve(trace.curve(result.steps), threshold, requests=paper)
st.plotly_chart(figure, width="stretch", key="curve", config={"displaylogo": False})

st.subheader("Every step")
st.dataframe(
    pd.DataFrame(trace.rows(space, result.steps)).drop(columns="text"),
    hide_index=True,
    width="stretch",
    key="steps",
)
st.subheader("Every word and its substitutes")
st.caption(f"{space.elements} substitutes, {space.size:,} sentences.")
st.dataframe(pd.DataFrame(space.rows()), hide_index=True, width="stretch", key="space")
