"""Part 2: the optimum, the searches, and what Theorem 1 says about them."""

from collections.abc import Generator, Sequence, Set
from typing import Any

import streamlit as st

from app.shared import choices, highlight, pickers, words
from app.shared.charts import GREY
from app.shared.question import Question
from app.theory import charts, work
from core import SEARCHES, theory
from core.objective import Floats
from core.search import COMPARED, registered
from core.space import SearchSpace, State
from core.theory import Bound, Outcome, Progress

SENTENCE = (
    "Well written, nicely acted and beautifully shot and scored, the film works on several levels, "
    "openly questioning social mores while ensnaring the audience with its emotional pull."
)


def show(question: Question) -> None:
    """Enumerate, search, and compare with the bound."""
    st.latex(
        r"\begin{aligned}2f(S)&+f(V\setminus S)\\ \ge f(C)&+\max\{\xi\,\lambda_f(V,2),\\"
        r"&\delta\,\lambda_f(V,2)+\lambda_f(S,\vert C\setminus S\vert)\}\end{aligned}"
    )
    st.caption(
        "Theorem 1, for any local optimum S and an optimum C. Solved for f(S) it is a lower bound."
    )
    st.button(
        "Use the sentence of the paper’s figure", on_click=pickers.put, kwargs={"text": SENTENCE}
    )
    space = work.trim(question)
    if space is None:
        return
    cells = st.columns([3, 1], vertical_alignment="bottom")
    searches = pickers.several(
        cells[0],
        "Searches",
        choices.for_space(space)[0],
        "searches",
        registered(COMPARED),
        len(SEARCHES),
        choices.title,
    )
    seeds = pickers.number(cells[1], "Seeds, if random", 5, "runs", 1, 30)
    table = work.table_of(question, space)
    if table is None:
        return
    compared = work.computed(
        question,
        "bound",
        (space.choices, tuple(searches), seeds),
        "Search and compare",
        lambda: steps(space, table, searches, seeds),
        at_once=True,
    )
    if compared is not None:
        result(space, table, *compared)


def steps(
    space: SearchSpace, table: Floats, searches: Sequence[str], seeds: int
) -> Generator[Progress, None, tuple[list[Outcome], Bound[State]]]:
    """The searches on the enumerated values, then the bound."""
    found = yield from theory.outcomes_steps(space, table, range(seeds), searches)
    local = theory.local_optimum(space, table, "any")  # the theorem is about no other
    bound = yield from theory.theorem_one_steps(space, table, local)
    return found, bound


def result(
    space: SearchSpace, table: Floats, found: Sequence[Outcome], bound: Bound[State]
) -> None:
    """The figure, the numbers of the theorem, and whether they tell anything."""
    st.markdown(f"**{verdict(bound, space)}**")
    lines = {
        "optimum f(C)": (bound.f_optimum, charts.GREEN),
        "f(C)/2, only if f were submodular": (bound.f_optimum / 2, charts.ORANGE),
        f"Theorem 1: {bound.value:.3g}, clipped at 0": (max(0.0, bound.value), charts.RED),
        "original f(∅)": (float(table[space.origin]), GREY),
    }
    names = {one.search: choices.title(one.search) for one in found}
    best = "".join(f"{names[one.search]} finds {one.value:.4g}; " for one in found[:1])
    description = f"{best}the optimum is {bound.f_optimum:.4g}."
    work.show_figure(charts.outcomes(found, names, lines), "outcomes", description)
    st.caption(
        "Searches run on the enumerated values to their own end: here none stops at a success."
    )
    numbers(bound)
    sets(space, bound)
    with st.expander("Everything as a table", expanded=False):
        work.show_table(rows(space, table, found, bound), "searches")


def numbers(bound: Bound[State]) -> None:
    """The quantities of the theorem, explained on hover."""
    raw = f"{bound.value:.3g}"
    cells = st.container(horizontal=True, gap="large")
    cells.metric(
        r"$\lambda_f(V,2)$",
        f"{bound.lambda_pairs:.4g}",
        help="The submodularity index of pairs: the least, over all sets A and two more elements, "
        "of what they gain one by one less what they gain together. 0 only if f is submodular.",
    )
    cells.metric(
        r"$\lambda_f(S,\vert C\setminus S\vert)$",
        f"{bound.lambda_local:.4g}",
        help="The same for sets A inside S and up to |C∖S| more elements.",
    )
    cells.metric(
        r"$\xi$",
        f"{bound.xi:,}",
        help="How often λ_f(V, 2) is counted, from the sizes of S, C and V: the pairs of S∖C, the "
        "pairs of C∖S, |V∖(S∪C)| times |S|, and |C∖S| times |S∩C|.",
    )
    cells.metric(
        r"$\delta$",
        f"{bound.delta:,}",
        help="The same in the second half of the theorem: ξ less the pairs of C∖S, plus |C∖S|.",
    )
    cells.metric(
        r"bound on $f(S)$",
        f"{max(0.0, bound.value):.3g}",
        help=f"(right-hand side − f(V∖S)) / 2 = {raw}; f is never below 0, so it is shown as at "
        "least 0.",
    )


def sets(space: SearchSpace, bound: Bound[State]) -> None:
    """S, C and V, written out."""
    counts(space, *(set(_elements(state)) for state in (bound.local, bound.optimum)))
    work.symbols(
        st.container(),
        {
            "S": "where local search stops, with exchanges of any pair: "
            f"{_set(space, bound.local)}, f = {bound.f_local:.5g}",
            "C": f"the optimum: {_set(space, bound.optimum)}, f = {bound.f_optimum:.5g}",
            "V": f"all {space.elements:,} substitutes kept by the sliders",
            r"V\setminus S": f"what S does not take: f = {bound.f_complement:.5g}"
            + ("" if bound.f_complement else ", as two substitutes of one word are infeasible"),
            r"\text{right-hand side}": f"{bound.right:.5g}",
            r"\text{bound on } f(S)": f"{bound.value:.5g}, clipped at 0: {max(0, bound.value):.5g}",
        },
    )
    st.caption("The sentence of S:")
    st.html(highlight.changed_words(space, bound.local))


def counts(space: SearchSpace, local: Set[Any], best: Set[Any]) -> None:
    """ξ and δ, from the sizes of S, C and V."""
    s_only, c_only, both = len(local - best), len(best - local), len(local & best)
    rest = space.elements - len(local | best)
    xi, delta = theory.counts_of(local, best, space.elements)
    st.latex(
        r"\begin{aligned}"
        r"\xi&=\tbinom{\vert S\setminus C\vert}{2}+\tbinom{\vert C\setminus S\vert}{2}"
        r"+\vert V\setminus(S\cup C)\vert\,\vert S\vert\\"
        r"&\quad+\vert C\setminus S\vert\,\vert S\cap C\vert\\"
        rf"&=\tbinom{{{s_only}}}{{2}}+\tbinom{{{c_only}}}{{2}}+{rest}\cdot{len(local)}"
        rf"+{c_only}\cdot{both}={xi}\\"
        r"\delta&=\xi-\tbinom{\vert C\setminus S\vert}{2}+\vert C\setminus S\vert\\"
        rf"&={xi}-\tbinom{{{c_only}}}{{2}}+{c_only}={delta}"
        r"\end{aligned}"
    )


def verdict(bound: Bound[State], space: SearchSpace) -> str:
    """Whether the bound tells anything here, and why."""
    if bound.f_local >= bound.f_optimum - 1e-12:
        found = "Local search finds the optimum here."
    else:
        share = bound.f_local / bound.f_optimum
        found = f"Local search reaches {share:.0%} of the optimum here."
    if not bound.vacuous:
        return (
            f"{found} The bound tells something: f(S) is at least {bound.value:.4g}. "
            "That is rare: it needs a space with almost no clashing substitutes."
        )
    why = (
        f"it is {bound.value:.3g}, and f is never below 0 anyway. Sets with two substitutes of one "
        rf"word count as 0, which drives $\lambda_f(V,2)$ down to {bound.lambda_pairs:.3g}; "
        rf"the theorem multiplies it by $\xi$ = {bound.xi:,} or $\delta$ = {bound.delta:,}."
    )
    if bound.submodular:
        why = f"it is {bound.value:.3g}, and f is never below 0 anyway."
    half = "" if theory.corollary_two(bound, space) else " Nothing guarantees f(C)/2 here."
    return f"{found} The bound tells nothing: {why}{half}"


def rows(
    space: SearchSpace, table: Floats, found: Sequence[Outcome], bound: Bound[State]
) -> list[dict[str, Any]]:
    """Every value of the figure, and every number of the theorem."""
    best = ("optimum", None, bound.f_optimum, space.size, bound.optimum)
    start = ("original", None, float(table[space.origin]), 1, space.origin)
    runs = [(choices.title(o.search), o.seed, o.value, o.queries, o.state) for o in found]
    numbers = {
        "Theorem 1, raw": bound.value,
        "Theorem 1, clipped at 0": max(0.0, bound.value),
        "f(C)/2": bound.f_optimum / 2,
        "λ_f(V, 2)": bound.lambda_pairs,
        "λ_f(S, |C∖S|)": bound.lambda_local,
        "ξ": bound.xi,
        "δ": bound.delta,
        "f(V∖S)": bound.f_complement,
    }
    return [
        *(
            {
                "what": what,
                "seed": seed,
                "value": value,
                "queries": count,
                "text": space.text(state),
            }
            for what, seed, value, count, state in (best, start, *runs)
        ),
        *({"what": what, "value": float(value)} for what, value in numbers.items()),
    ]


def _set(space: SearchSpace, state: State) -> str:
    return pickers.plain(words.chosen(space, state))


def _elements(state: State) -> list[tuple[int, int]]:
    return [(at, choice) for at, choice in enumerate(state) if choice]
