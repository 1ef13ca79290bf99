"""A short tour of the Explore pages on the first visit; dismissed once, it stays away."""

from app.shared.components import component

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

_component = component("tour")


def show() -> None:
    """Offer the tour, unless this browser has dismissed it."""
    _component(data={"cards": CARDS}, key="tour")
