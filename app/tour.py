"""A short tour of the Explore pages on the first visit; dismissed once, it stays away."""

import streamlit as st

from core.assets import FOLDER

HTML = """
<div class="tour" role="region" aria-label="A short tour" hidden>
  <button class="close" aria-label="Close the tour for good">×</button>
  <h2></h2>
  <p></p>
  <div class="row">
    <span class="count"></span>
    <button class="back">Back</button>
    <button class="next">Next</button>
  </div>
</div>
"""
CARDS = [
    {
        "title": "The whole search space",
        "text": "Each word stands on top of a column of substitutes. An attack picks at most one "
        "from each column, until the victim changes its mind. The line is the current sentence.",
    },
    {
        "title": "Try it yourself",
        "text": "Click a substitute to swap it in. Colours tell what each swap does on its own. "
        "“Beat the search” compares your attack with local search.",
    },
    {
        "title": "Step through",
        "text": "Watch a search move by move: everything it tried, what it rejected, and why it "
        "took the step it took. Space plays, the arrow keys step.",
    },
    {
        "title": "Race",
        "text": "Local search, a particle swarm and a genetic algorithm on the same sentence, "
        "compared at equal numbers of queries. The address of a page is a link to its view.",
    },
]

_component = st.components.v2.component(
    "swapscope_tour",
    html=HTML,
    css=(FOLDER / "tour" / "tour.css").read_text(encoding="utf-8"),
    js=(FOLDER / "tour" / "tour.js").read_text(encoding="utf-8"),
)


def show() -> None:
    """Offer the tour, unless this browser has dismissed it."""
    _component(data={"cards": CARDS}, key="tour")
