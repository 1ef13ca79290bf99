"""What all Explore pages ask: which sentence, which victim, which substitutes, which goal."""

from collections.abc import Hashable
from dataclasses import dataclass, replace
from functools import cached_property, partial
from hashlib import blake2b

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from app.shared import jobs, loaders, own_tables, pickers, recorded
from app.shared.recorded import VICTIM, WORDS
from core import SUBSTITUTIONS, VICTIMS, Attack, CoreError, Goal, Search, SearchSpace, Victim
from core.attack import Trace
from core.edits import Edits
from core.goals import judge_of, outputs_of
from core.options import Choice
from core.search import DEFAULT
from core.spec import AttackSpec, modern
from core.tasks import Task, task_of_card
from core.tasks.protocol import GoalKind, Judge, Output, Reference, parted, usual_goal

# The inputs of an attack: its ``AttackSpec`` writes the address, not each of them.
_pick = partial(pickers.pick, in_address=False)
_number = partial(pickers.number, in_address=False)
_switch = partial(pickers.switch, in_address=False)
_HOW = frozenset(("search", "search_option", "seed", "budget"))  # the page's own inputs
AS_SAID = "what the victim says"
SET_FUNCTION = "made"  # how the session and links name a set function by hand, from Theory


@dataclass(frozen=True, eq=False)
class Question:
    """A sentence to attack, and everything needed to attack it; the victim is loaded when used.

    ``spec`` has a reference; its search is the address's, if it names one: each page asks anew.
    """

    spec: AttackSpec
    task: Task
    space: SearchSpace
    start: Output  # what the victim says about the sentence
    source: str = ""  # where the substitutes come from, if the method can tell
    plain: SearchSpace | None = None  # the space before the visitor's edits
    recorded: Trace | None = None  # local search on this very question, if it comes with the app

    @property
    def kind(self) -> GoalKind:
        """The goal, with what can be said about it."""
        return self.task.goals[self.spec.goal]

    @property
    def wanted(self) -> str:
        """What the attack is after, in words."""
        return self.spec.target or f"anything but {' or '.join(self.spec.reference)}"

    @cached_property
    def scoring_key(self) -> Hashable:
        """Equal for questions in which every sentence has the same score; short, as it is kept."""
        spec, space = self.spec, self.space
        goal = (spec.reference, spec.goal, spec.target)
        details = (spec.victim, sorted(spec.context.items()), space.choices, space.gaps, goal)
        return blake2b(repr(details).encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()

    @property
    def attack_key(self) -> Hashable:
        """Equal for questions that every search answers in the same way."""
        return (self.scoring_key, self.spec.max_changed, self.spec.hard_limit)

    def by(self, search: Choice, seed: int = 0, budget: int | None = None) -> AttackSpec:
        """The attack on this question by a search."""
        return replace(self.spec, search=search, seed=seed, budget=budget)

    @property
    def threshold(self) -> float | None:
        """The score at which the goal is reached, where there is one."""
        return self.kind.flips_at

    @property
    def judge(self) -> Judge:
        """Scores and successes of what the victim says, without the victim."""
        spec = self.spec
        return judge_of(self.task, spec.goal, spec.reference, spec.target, self.start)

    @cached_property
    def victim(self) -> Victim:
        """The victim, loaded once per server."""
        return loaders.victim(self.spec.victim, self.spec.context)

    @cached_property
    def goal(self) -> Goal:
        """What the attack maximises."""
        return self.spec.goal_on(self.victim, self.space)

    def attack(self, search: Search, budget: int | None = None, seed: int = 0) -> Attack:
        limits = (self.spec.max_changed, self.spec.hard_limit)
        return Attack(self.space, self.goal, search, budget, seed, *limits)


def ask() -> Question:
    """Draw the inputs, all of them part of the page's address, and build the question.

    What this visitor computes about another question, on whatever page, is cancelled.
    """
    try:
        question = _ask()
    except CoreError:
        jobs.keep_to()
        raise
    jobs.keep_to(question.scoring_key, question.attack_key)
    return question


def _ask() -> Question:
    if by_hand := st.session_state.get(SET_FUNCTION):
        found: Question = by_hand()
        linked = _restore_address(found.spec)
        return replace(found, spec=replace(found.spec, search=linked.search))
    pickers.address(SET_FUNCTION)
    first = next(iter(loaders.examples().values()))["text"]
    defaults = AttackSpec(first, VICTIM, Choice(WORDS), Choice(DEFAULT))
    spec = _inputs(defaults, linked=_restore_address(defaults))
    _link(spec, defaults)
    return _recorded_answer(spec) or _answer(spec)


def _inputs(defaults: AttackSpec, linked: AttackSpec) -> AttackSpec:
    """Draw the inputs; the attack that they describe may have no reference yet."""
    cells = st.columns([2, 2, 2, 1.4], vertical_alignment="bottom")
    _choose_example(cells[0])
    victim_key = _pick(cells[1], "Victim", pickers.options(VICTIMS, VICTIM), "victim")
    method = _pick(cells[2], "Substitutes", pickers.options(SUBSTITUTIONS, WORDS), "words")
    task = task_of_card(VICTIMS[victim_key].card)
    menu = cells[3].popover("Goal and limits", width="stretch")
    with menu:
        reference = _reference(task)
        goal, target = _goal(task)
    limit = _number(menu, "Words that may change, %", 25.0, "limit", 0.0, 100.0)
    hard = _switch(menu, "Never go beyond this limit, not even on the way", "hard")
    with menu:
        pickers.about({"Victim": (VICTIMS, victim_key), "Substitutes": (SUBSTITUTIONS, method)})
    context = {field.key: pickers.write(field.title, "", field.key) for field in task.context}
    text = pickers.write(task.attacked.title, defaults.text, "text", hidden_label=True)
    if own_tables.needs_file(method):
        own_tables.choose(method)
    given = linked.substitution
    options = pickers.settings("substitution_option", method, given.options)
    constraints = pickers.settings("constraint", method, given.constraints)
    return AttackSpec(
        text,
        victim_key,
        Choice(method, options, constraints),
        linked.search,
        task.key,
        context,
        reference,
        goal,
        target,
        limit / 100,
        hard,
        edits=_edits((text, method), linked.edits),
    )


def _choose_example(place: DeltaGenerator) -> None:
    """A bundled sentence, or that the visitor's own is in use."""
    examples = loaders.examples()

    def use_example() -> None:
        """Take over a bundled sentence with the victim and the substitutes it was chosen for."""
        if chosen := examples.get(st.session_state.example):
            pickers.put(text=chosen["text"], victim=VICTIM, words=WORDS)

    titles = ["your own", *examples]
    current = st.session_state.get("text", st.query_params.get("text"))
    fits = [title for title, row in examples.items() if current in (None, row["text"])]
    st.session_state.example = fits[0] if fits else titles[0]
    place.selectbox("Sentence", titles, key="example", on_change=use_example)


def _recorded_answer(spec: AttackSpec) -> Question | None:
    """The question from what comes with the app, without a victim, if it is recorded there."""
    words = spec.substitution
    if words.options or words.constraints:
        return None
    known = recorded.find(spec.text, spec.victim, words.method)
    if known is None or (spec.reference or known.spec.reference) != known.spec.reference:
        return None
    spec = replace(spec, reference=known.spec.reference)
    unchanged = spec == replace(known.spec, search=spec.search)
    task, plain = task_of_card(VICTIMS[spec.victim].card), known.trace.space
    space, same = spec.edits.apply(plain), known.trace if unchanged else None
    return Question(spec, task, space, known.start, known.source, plain, same)


def _answer(spec: AttackSpec) -> Question:
    """The question with what the victim says about the sentence: right, where nothing else is."""
    words, task = spec.substitution, task_of_card(VICTIMS[spec.victim].card)
    task.check(spec.context, spec.reference)
    victim = loaders.victim(spec.victim, spec.context)
    substitution = loaders.substitution(words.method, words.options, words.constraints)
    source = getattr(substitution, "source", SUBSTITUTIONS[words.method].card.get("source", ""))
    plain = SearchSpace.from_text(spec.text, substitution)
    start = outputs_of(victim, [spec.text])[0]
    right = spec.reference or task.read([str(task.answer(start))])
    spec = replace(spec, reference=right).settled(victim)
    return Question(spec, task, spec.edits.apply(plain), start, source, plain)


def _restore_address(defaults: AttackSpec) -> AttackSpec:
    """Start the inputs as the address says; a link from before has its names renewed."""
    params = {name: st.query_params.get_all(name) for name in st.query_params}
    known = modern(params)
    for name in params.keys() - known.keys():
        del st.query_params[name]
    try:
        linked = AttackSpec.of_address(known, defaults)
    except CoreError:
        pickers.address("edits")
        raise
    for name, value in linked.parts().items():
        if name in known:
            pickers.start(name, value)
    return linked


def _reference(task: Task) -> Reference:
    """What is right; empty if the victim is to say it."""
    title, key = task.reference.title, task.reference.key
    if task.choices:
        chosen = _pick(st.container(), title, [AS_SAID, *task.choices], key)
        return () if chosen == AS_SAID else (chosen,)
    typed = pickers.write(f"{title} (empty: {AS_SAID}; several: | between them)", "", key)
    return task.read(parted(typed)) if typed.strip() else ()


def _goal(task: Task) -> tuple[str, str]:
    """The goal, and its target if it has one."""
    target = _target(task)
    names = [name for name, kind in task.goals.items() if kind.needs_target == bool(target)]
    if len(names) < 2:
        return usual_goal(task, target), target
    return _pick(st.container(), "Goal", names, "goal", lambda name: task.goals[name].title), target


def _target(task: Task) -> str:
    """What the attack aims at; empty for nothing in particular."""
    if not any(kind.needs_target for kind in task.goals.values()):
        return ""
    free = task.goals[usual_goal(task)].title
    if not task.choices:
        return pickers.write(f"Attack towards (empty: {free})", "", "target").strip()
    chosen = _pick(st.container(), "Attack towards", [free, *task.choices], "target")
    return "" if chosen == free else chosen


def _link(spec: AttackSpec, defaults: AttackSpec) -> None:
    """Write a question into the page's address; how it is searched is up to the page."""
    for name, values in spec.params(defaults).items():
        if name not in _HOW:
            pickers.address(name, *values)


def _edits(of: Hashable, linked: Edits) -> Edits:
    """The visitor's edits of this sentence, at first a link's; another sentence starts anew."""
    if st.session_state.get("edits.of") != of:
        st.session_state["edits"] = Edits() if "edits.of" in st.session_state else linked
        st.session_state["edits.of"] = of
    found: Edits = st.session_state["edits"]
    return found
