"""Part 6: set functions by hand, with any limits d_i; those with d_i = 1 go to the other pages."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from html import escape
from itertools import chain
from typing import Any

import numpy as np
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from app.shared import exchanges, pickers, tables
from app.shared.question import SET_FUNCTION, Question
from app.theory import charts, work
from core import CoreError, Victim
from core.goals import outputs_of
from core.options import Choice
from core.search import DEFAULT
from core.spec import BY_HAND, AttackSpec
from core.tasks import task_of
from core.theory import Bound, corollary_one, sets
from core.theory.instances import FULL, INSTANCES, OWN, Instance, local_steps, parse, written
from core.theory.matroid import Chosen, PartitionMatroid, SetStep

LINK_READ = "made.linked"  # whether a set function was looked for in the address


@dataclass(frozen=True, eq=False)
class SetFunctionQuestion(Question):
    """A question whose victim is a set function."""

    instance: Instance | None = None

    @cached_property
    def victim(self) -> Victim:
        assert self.instance is not None
        return self.instance.victim


def question(instance: Instance) -> Question:
    """A set function as a question like any sentence's."""
    space, victim = instance.space, instance.victim
    text = space.text(space.origin)
    key = f"by hand: {sorted((sorted(c), v) for c, v in instance.values.items())}"
    task, start = task_of(victim), outputs_of(victim, [text])[0]
    goal = "" if instance.goal is None else f"{instance.goal:g}"
    spec = AttackSpec(
        text, key, Choice(BY_HAND), Choice(DEFAULT), task.key, target=goal, max_changed=1.0
    )
    return SetFunctionQuestion(
        spec, task, space, start, "a set function by hand", instance=instance
    )


def restore() -> None:
    """Take over the set function of a link: once per session, and when a visitor comes back."""
    if LINK_READ in st.session_state and not pickers.came_back():
        return
    st.session_state[LINK_READ] = True
    st.session_state.pop(SET_FUNCTION, None)
    line = st.query_params.get(SET_FUNCTION, "")
    if line:
        try:
            pickers.put(**{SET_FUNCTION: partial(as_question, parse(line))})
        except CoreError as error:
            st.error(pickers.plain(str(error)))


def as_question(instance: Instance) -> Question:
    """Say that a set function takes the place of a sentence, with a way back; it is linked."""
    pickers.address(SET_FUNCTION, written(instance))
    with st.container(border=True, horizontal=True, vertical_alignment="center"):
        title = pickers.plain(instance.title)
        goal = "" if instance.goal is None else f", wanted above {instance.goal:g}"
        st.markdown(f"**A set function by hand: {title}**, f from 0 to {FULL:g}{goal}")
        st.button(
            "Back to sentences",
            key="back_to_sentences",
            on_click=st.session_state.pop,
            args=[SET_FUNCTION],
        )
    return question(instance)


def use(instance: Instance) -> None:
    """Put a set function in the place of the sentence, on every page."""
    pickers.put(**{SET_FUNCTION: partial(as_question, instance)})


def choose_on(place: DeltaGenerator) -> None:
    """The instances that are sentences, to be put in the place of one with a click."""
    with place:
        st.caption("Small functions, each made to show one thing; f is known for every set.")
        for key, one in INSTANCES.items():
            if one.matroid.is_sentence:
                st.button(one.title, key=f"use.{key}", help=one.lesson, on_click=use, args=[one])


def show() -> None:
    """An editor for a small instance, and everything about it."""
    st.latex(r"\max_{S\subseteq V} f(S)\quad\text{s.t.}\quad\vert S\cap B_i\vert\le d_i")
    titles = {one.title: one for one in INSTANCES.values()}
    title = pickers.pick(st.container(), "Instance", [*titles, OWN], "instance")
    start = titles[title] if title in titles else own()
    matroid = start.matroid
    blocks = " ".join(
        f"$B_{{{i}}}$ = {{{', '.join(block)}}}, $d_{{{i}}}$ = {limit}."
        for i, (block, limit) in enumerate(zip(matroid.blocks, matroid.limits, strict=True), 1)
    )
    st.markdown(f"{start.lesson} {blocks}")
    left, right = st.columns([2, 3])
    with left:
        instance = edited(start)
        feed(instance)
    with right:
        result(instance)


def own() -> Instance:
    """A new instance of a chosen shape, with an additive start."""
    cells = st.columns(3)
    positions = pickers.slide(cells[0], "Positions", 2, "hand.positions", 2, 4, step=1)
    each = pickers.slide(cells[1], "Substitutes for each", 2, "hand.each", 2, 3, step=1)
    limit = pickers.slide(cells[2], "Limit d_i", 1, "hand.limit", 1, 2, step=1)
    blocks = tuple(tuple(f"{name}{j + 1}" for j in range(each)) for name in "abcd"[:positions])
    matroid = PartitionMatroid(blocks, (limit,) * positions)
    values = {chosen: 10.0 + 5.0 * len(chosen) for chosen in matroid.sets()}
    return Instance(OWN, "Give every feasible set a value from 0 to 100.", matroid, values)


def edited(start: Instance) -> Instance:
    """The instance with the values of the editor."""
    names = {start.matroid.name(chosen): chosen for chosen in start.matroid.sets()}
    key = f"values.{start.title}.{start.matroid.blocks}.{start.matroid.limits}"
    base, kept = f"base.{key}", f"kept.{key}"
    if key not in st.session_state:  # Streamlit forgets an editor that a page does not draw
        fresh = [{"set": name, "f": start.f(chosen)} for name, chosen in names.items()]
        st.session_state[base] = st.session_state.get(kept, fresh)
    rows: list[dict[str, Any]] = tables.data_editor(
        st.session_state[base],
        key,
        hide_index=True,
        width="stretch",
        height=420,
        disabled=["set"],
        column_config={"f": st.column_config.NumberColumn(min_value=0, max_value=100, step=1)},
        alt="The value of every feasible set; the second column can be edited.",
    )
    pickers.keep(key, rows)
    if any(row["f"] != start.f(names[row["set"]]) for row in rows):
        st.button("As it was", key="hand.reset", on_click=_forget, args=[key, base, kept])
    values = {names[row["set"]]: row["f"] for row in rows}
    return replace(start, values={c: v for c, v in values.items() if v is not None})


def result(instance: Instance) -> None:
    """Local search, the bound, and a picture of all feasible sets."""
    matroid = instance.matroid
    exchange = exchanges.choose(st.container())
    steps, sentences = local_steps(instance, exchange)
    local = next(step for step in steps if step.kind == "stop").chosen
    bound = sets.set_bound(matroid, instance.f, local)
    st.markdown(f"**{verdict(instance, bound)}**")
    if not locally_optimal(instance, local):
        st.caption(
            "An exchange of another pair is better than S: it is no local optimum as the paper has "
            "it, and Theorem 1 is only about those."
        )
    work.show_figure(
        _figure(instance, steps), "sets", f"All {matroid.size} feasible sets by size and f."
    )
    work.symbols(
        st.container(),
        {
            "S": f"{_name(matroid, local)}, f = {bound.f_local:g}",
            "C": f"{_name(matroid, bound.optimum)}, f = {bound.f_optimum:g}",
            r"\lambda_f(V,2)": f"{bound.lambda_pairs:g}",
            r"\lambda_f(S,\vert C\setminus S\vert)": f"{bound.lambda_local:g}",
            r"\xi,\;\delta": f"{bound.xi}, {bound.delta}",
            r"f(V\setminus S)": f"{bound.f_complement:g}",
            r"\text{bound on }f(S)": f"{bound.value:g}, clipped at 0: {max(0, bound.value):g}",
        },
    )
    st.caption(f"Local search, Algorithm 1; exchanges: {exchanges.NAMES[exchange]}.")
    work.show_table(rows(matroid, steps, sentences), "steps")


def verdict(instance: Instance, bound: Bound[Chosen]) -> str:
    """What the instance is, and what follows."""
    values = sets.cube(instance.matroid, instance.f)
    kind = "submodular" if sets.submodular(values) else "not submodular"
    kind += " and monotone" if sets.monotone(values) else " and not monotone"
    end = f"Local search stops at {bound.f_local:g} of {bound.f_optimum:g}."
    if corollary_one(bound):
        third = "Corollary 1 applies: S or V∖S reaches a third of the optimum."
    else:
        third = "So neither corollary applies."
    tells = "tells nothing" if bound.vacuous else f"guarantees {bound.value:g}"
    return f"With 0 on infeasible sets f is {kind}. {third} {end} Theorem 1 {tells} here."


def locally_optimal(instance: Instance, local: Chosen) -> bool:
    """Whether no insertion, deletion or exchange of any pair is better than a set."""
    matroid, f = instance.matroid, instance.f
    moves = (matroid.insertions(local), matroid.deletions(local), matroid.exchanges(local))
    return all(f(other) <= f(local) for other in chain.from_iterable(moves))


def rows(
    matroid: PartitionMatroid, steps: Sequence[SetStep], sentences: Sequence[str] = ()
) -> list[dict[str, Any]]:
    """The steps of local search, with the words that Step through has for them."""
    found = [
        {"step": number, "move": step.kind, "S": matroid.name(step.chosen), "f": step.value}
        | {"tried": len(step.tried)}
        for number, step in enumerate(steps)
    ]
    if sentences:
        found = [row | {"in words": s} for row, s in zip(found, sentences, strict=True)]
    return found


def feed(instance: Instance) -> None:
    """Put the instance in the place of a sentence, where it is one."""
    if not instance.matroid.is_sentence:
        st.caption("A block with d_i = 2 is no word of a sentence: this instance stays here.")
        return
    if SET_FUNCTION in st.session_state:
        as_question(st.session_state[SET_FUNCTION].args[0])
    st.button("Use in place of a sentence", key="feed", on_click=use, args=[instance])
    st.caption(
        "Then all other parts and pages are about it (Lattice, Step through, Race), until you go "
        "back to sentences."
    )


def _figure(instance: Instance, steps: list[SetStep]) -> Any:
    chosen = list(instance.matroid.sets())
    place = {one: number for number, one in enumerate(chosen)}
    path = np.array(
        [place[step.chosen] for step in steps if step.kind not in ("stop", "complement")]
    )
    return charts.sets(
        np.array([len(one) for one in chosen]),
        np.array([instance.f(one) for one in chosen]),
        [escape(instance.matroid.name(one)) for one in chosen],
        path,
    )


def _forget(*keys: str) -> None:
    for key in keys:
        st.session_state.pop(key, None)


def _name(matroid: PartitionMatroid, chosen: Chosen) -> str:
    return pickers.plain(matroid.name(chosen))
