"""Attack a sentence with local search: the trace as a table, the best score as a curve."""

import pandas as pd
import streamlit as st

from app import charts, highlight, loaders
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


st.selectbox("Example", examples, key="example", on_change=use_example)
with st.form("attack"):
    text = st.text_area("Sentence", key="text", height=80, bind="query-params")
    cells = st.columns(4)
    victim_key = cells[0].selectbox("Victim", VICTIMS, key="victim", bind="query-params")
    method = cells[1].selectbox("Substitutes", SUBSTITUTIONS, key="words", bind="query-params")
    limit = cells[2].number_input("Words that may change, %", 0, 100, 25, key="limit")
    budget = cells[3].number_input("Budget, queries", 1, 100_000, 2_000, key="budget")
    st.form_submit_button("Attack", type="primary")
st.caption(f"{VICTIMS[victim_key].about} {SUBSTITUTIONS[method].about}")

try:
    victim = loaders.victim(victim_key)
    space = SearchSpace.from_text(text, loaders.substitution(method))
    before = probabilities(victim, [text])[0]
    label = int(before.argmax())
    goal = untargeted(victim, space, label)
    result = Attack(space, goal, LocalSearch(), budget, max_changed=limit / 100).run()
except CoreError as error:
    st.error(str(error))
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
st.caption(
    f"The space: {len(space.choices)} words, {space.elements} substitutes, "
    f"{space.size:,} sentences."
)
