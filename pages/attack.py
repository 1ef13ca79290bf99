"""Attack a sentence with local search: the trace as a table, the best score as a curve."""

import pandas as pd
import streamlit as st

from app import charts, highlight, pickers, question
from app.running import run
from core import Attack, CoreError, trace
from core.goals import probabilities
from core.search import LocalSearch

VERDICT = {
    "success": ("success", "The attack succeeds: the victim changes its mind."),
    "over_limit": ("warning", "The label flips, but only with more changed words than allowed."),
    "failed": ("info", "The attack fails: no change of a single word raises the score any more."),
    "budget": ("info", "The budget was spent before the label flipped."),
    "skipped": ("info", "There is nothing to attack: the original already reaches the goal."),
}

st.header("Local search, step by step in numbers")
st.caption("Each step tries every change of one word and keeps the best one.")
try:
    asked = question.ask()
    budget = st.number_input("Budget, queries", 1, 100_000, 2_000, key="budget")
    attack = Attack(asked.space, asked.goal, LocalSearch(), budget, max_changed=asked.max_changed)
    result = run(attack, "Local search")
    space, victim, label = asked.space, asked.victim, asked.label
    before, after = probabilities(victim, [space.text(space.origin), result.text])
except CoreError as error:
    st.error(pickers.plain(str(error)))
    st.stop()
kind, verdict = VERDICT[result.status]
getattr(st, kind)(verdict)
st.html(highlight.changed_words(space, result.state))

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
