"""Part 1: is f submodular, is it monotone? The worst witness, and all the gaps."""

from typing import Any

import streamlit as st

from app.shared import highlight, pickers
from app.shared.question import Question
from app.theory import charts, work
from core import function_goal, theory
from core.measure import SET_FUNCTION
from core.narrate.words import count
from core.space import SearchSpace, State
from core.theory import Submodularity

TOLERANCE = 1e-6  # victims compute with seven digits; a smaller gap may be rounding
PAPER: dict[State, float] = {(0, 0): 2.432e-5, (0, 1): 2.724e-5, (1, 0): 2.664e-5, (1, 1): 3.141e-5}


def show(question: Question) -> None:
    """Check the visitor's sentence, or look at the paper's example."""
    explain(question)
    if pickers.switch(st.container(), "Show the paper's own example instead", "example.paper"):
        show_paper()
        return
    space = work.trim(question)
    if space is None:
        return
    pairs = theory.pairs_of(space)
    total = 1 + space.elements + pairs
    st.markdown(
        rf"$1+\vert V\vert+\text{{pairs}}$ = 1 + {space.elements:,} + {pairs:,} = "
        f"**{count(total, 'query')}**: the original, every substitute alone, every two at two "
        "words."
    )
    if work.refused(total):
        return
    found = work.computed(
        question,
        "check",
        space.choices,
        f"Check with {count(total, 'query')}",
        lambda: theory.submodularity_steps(
            space, work.goal_on(question, space), TOLERANCE, work.MOST
        ),
    )
    if found is not None:
        result(space, found)


def explain(question: Question) -> None:
    """The definitions, and what their letters are here."""
    left, right = st.columns([3, 2], vertical_alignment="center")
    left.latex(
        r"f \text{ is submodular if for all } X\subseteq Y\subseteq V,\; e\in V\setminus Y\\[2pt]"
        r"f(X\cup\{e\})-f(X)\;\ge\;f(Y\cup\{e\})-f(Y)"
    )
    left.latex(r"f \text{ is monotone if for all } X\subseteq Y\\ f(X)\le f(Y)")
    work.symbols(
        right,
        {
            "f": meaning(question),
            "V": "all substitutes that the sliders keep",
            "X": "∅, the original sentence",
            "Y": "{y}, one substitute",
            "e": "a substitute of another word",
        },
    )


def meaning(question: Question) -> str:
    """What f is here."""
    if question.kind.measure == SET_FUNCTION:
        return "the value of a set of substitutes, as it was given by hand"
    return f"what the attack maximises: the probability of {pickers.plain(question.wanted)}"


def show_paper() -> None:
    """The example of the paper: four values of BERT on an IMDB review."""
    space = SearchSpace.from_choices([["movie", "cinema"], ["have", "get"]])
    st.caption(
        "The paper's own numbers: P(negative) of BERT on a review, X = ∅, Y = {cinema}, e = get. "
        "Only the two words that change are shown."
    )
    result(space, theory.submodularity(space, function_goal(PAPER.__getitem__), tolerance=0.0))


def result(space: SearchSpace, found: Submodularity) -> None:
    """What the check found."""
    cells = st.container(horizontal=True, gap="large")
    share = found.count / found.pairs if found.pairs else 0.0
    cells.metric("Pairs compared", f"{found.pairs:,}")
    cells.metric("Violations", f"{found.count:,}", help="Pairs whose gap is above 0.")
    cells.metric("Share", f"{share:.1%}")
    cells.metric(
        "f falls", f"{found.drops:,}", help="Steps to a larger set that lower f: not monotone."
    )
    st.markdown(f"**{verdict(found)}** {monotony(space, found)}")
    for worst in found.worst(1):
        st.subheader("The worst witness")
        st.latex(
            rf"\begin{{aligned}}f(X\cup\{{e\}})-f(X)&={_tex(worst.f_e - worst.f_empty)}\\"
            rf"<\;f(Y\cup\{{e\}})-f(Y)&={_tex(worst.f_both - worst.f_y)}\end{{aligned}}"
        )
        sets = {
            "X": ((), worst.f_empty),
            "Y = {y}": ((worst.y,), worst.f_y),
            "X ∪ {e}": ((worst.e,), worst.f_e),
            "Y ∪ {e}": ((worst.y, worst.e), worst.f_both),
        }
        for name, (elements, value) in sets.items():
            left, right = st.columns([1, 4], vertical_alignment="center")
            left.markdown(f"**{name}**  \nf = {value:.4g}")
            right.html(highlight.changed_words(space, theory.state_of(space, *elements)))
    if found.pairs:
        st.subheader("All gaps")
        description = f"Histogram of {found.pairs} gaps, {found.count} of them above 0."
        work.show_figure(charts.gaps(found.gaps, found.tolerance), "gaps", description)
        if found.tolerance:
            st.caption(f"A gap counts from {found.tolerance:g} on; below, it may be rounding.")
        with st.expander("The largest gaps as a table"):
            work.show_table(rows(space, found), "violations")


def verdict(found: Submodularity) -> str:
    """What follows, and what does not."""
    if not found.pairs:
        return "Nothing to compare: fewer than two words have substitutes."
    if found.holds:
        return (
            "No violation among these sets. That is no proof that f is submodular: larger sets "
            "were not looked at."
        )
    return "f is not submodular: one violation is enough."


def monotony(space: SearchSpace, found: Submodularity) -> str:
    """Whether f ever falls, with the worst case."""
    drop = found.worst_drop
    if drop is None:
        return "It never falls by adding a substitute here."
    word = pickers.plain(space.choices[drop.e[0]][drop.e[1]])
    kept = "the original" if drop.y is None else pickers.plain(space.choices[drop.y[0]][drop.y[1]])
    return (
        f"It is not monotone either: adding “{word}” to {kept} lowers f from {drop.before:.4g} to "
        f"{drop.after:.4g}."
    )


def rows(space: SearchSpace, found: Submodularity, most: int = 500) -> list[dict[str, Any]]:
    """The violations with the largest gaps."""
    return [
        {
            "y": space.choices[one.y[0]][one.y[1]],
            "e": space.choices[one.e[0]][one.e[1]],
            "f(∅)": one.f_empty,
            "f({e})": one.f_e,
            "f({y})": one.f_y,
            "f({y, e})": one.f_both,
            "gap": one.gap,
        }
        for one in found.worst(most)
    ]


def _tex(value: float) -> str:
    mantissa, power = f"{value:.2e}".split("e")
    return rf"{mantissa}\cdot 10^{{{int(power)}}}"
