"""Attack a sentence with local search: the trace as a table, the best score as a curve."""

import pandas as pd
import streamlit as st

from app import charts, highlight, loaders
from core import Attack, CoreError, SearchSpace, trace, untargeted
from core.goals import probabilities
from core.search import LocalSearch
from core.substitutions import SUBSTITUTIONS
from core.victims import VICTIMS

VERDICT = {
    "success": ("success", "The attack succeeds: the victim changes its mind."),
    "over_limit": ("warning", "The label flips, but more words changed than the limit allows."),
    "failed": (
        "info",
        "A local optimum: no single change of a word raises the score, and the label holds.",
    ),
    "budget": ("info", "The budget is spent before the label flips."),
    "cancelled": ("info", "Stopped."),
}

st.title("Attack a sentence with local search")
st.caption(
    "Each step tries every one-word change and keeps the best. Here the victim and the synonyms are "
    "toys with hand-set weights, so that you can follow every number."
)

examples = loaders.examples()
title = st.selectbox("Example", examples, key="example", bind="query-params")
with st.form("attack"):
    text = st.text_area("Sentence", examples[title]["text"], key=f"text-{title}", height=80)
    left, middle, right = st.columns(3)
    victim_key = left.selectbox("Victim", VICTIMS, key="victim", bind="query-params")
    method = middle.selectbox("Substitutes", SUBSTITUTIONS, key="substitution", bind="query-params")
    limit = right.slider(
        "Words that may change, %", 0, 100, 25, 5, key="limit", bind="query-params"
    )
    budget = st.number_input(
        "Budget, distinct queries", 1, 100_000, 2_000, key="budget", bind="query-params"
    )
    st.form_submit_button("Attack", type="primary")

try:
    victim, substitution = loaders.victim(victim_key), loaders.substitution(method)
    space = SearchSpace.from_text(text, substitution)
    before = probabilities(victim, [text])[0]
    label = int(before.argmax())
    result = Attack(
        space, untargeted(victim, space, label), LocalSearch(), budget, max_changed=limit / 100
    ).run()
except CoreError as error:
    st.error(str(error))
    st.stop()

kind, verdict = VERDICT[result.status]
getattr(st, kind)(verdict)
st.html(highlight.changed_words(space, result.state))

after = probabilities(victim, [result.text])[0]
name = victim.labels[label]
cells = st.columns(4)
cells[0].metric(f"P({name})", f"{after[label]:.2f}", f"{after[label] - before[label]:+.2f}")
cells[1].metric("Words changed", f"{len(space.changed(result.state))} of {len(space.choices)}")
cells[2].metric("Queries", f"{result.queries:,}", help="Distinct texts the victim was asked about.")
cells[3].metric(
    "Requests",
    f"{result.requests:,}",
    help="Texts asked for, repeated ones too: the paper's count.",
)

st.subheader("Best score against queries")
paper = st.toggle("Count requests, as the paper does", key="requests", bind="query-params")
threshold = 0.5 if len(victim.labels) == 2 else None
figure = charts.query_curve(trace.curve(result.steps), threshold, requests=paper)
st.plotly_chart(figure, width="stretch", key="curve", config={"displaylogo": False})

st.subheader("Every step")
table = pd.DataFrame(trace.rows(space, result.steps)).drop(columns="text")
st.dataframe(table, hide_index=True, width="stretch", key="steps")
st.caption(
    f"{len(space.choices)} words, {space.elements} substitutes, {space.size:,} sentences in the space."
)
