"""What all Explore pages ask: which sentence, which victim, which substitutes, which goal."""

from collections.abc import Hashable
from dataclasses import dataclass, replace
from functools import cached_property, partial
from hashlib import blake2b

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from app.shared import choices, doubts, jobs, loaders, loosest, own_tables, pickers, recorded
from app.shared.recorded import Recorded
from core import SUBSTITUTIONS, VICTIMS, Attack, CoreError, Goal, Search, SearchSpace, Victim
from core.edits import Edits
from core.goals import judge_of, outputs_of
from core.narrate import Rules
from core.options import Choice
from core.search import DEFAULT
from core.spec import AttackSpec, modern
from core.tasks import Task, task_named, task_of_card
from core.tasks.protocol import GoalKind, Judge, Output, Reference, parted, usual_goal

# The inputs of an attack: its ``AttackSpec`` writes the address, not each of them.
_pick = partial(pickers.pick, in_address=False)
_number = partial(pickers.number, in_address=False)
_switch = partial(pickers.switch, in_address=False)
_HOW = frozenset(("search", "search_option", "seed", "budget"))  # the page's own inputs
MORE_WORDS = ("embedding", "synonym", "sememe")  # where most words have substitutes
_WHAT = ("text", "victim", "words")  # what an address names whenever it is of an attack
# What an address leaves unsaid, as ever: a link from before means the sentence it was made of.
UNSAID = AttackSpec(
    "A charming and often very funny film, with a smart script and a warm, honest ending.",
    *("bilstm-sst2", Choice("sememe"), Choice(DEFAULT)),
)
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
    recorded: Recorded | None = None  # local search on this very question, if it comes with the app

    @property
    def kind(self) -> GoalKind:
        """The goal, with what can be said about it."""
        return self.task.goals[self.spec.goal]

    @property
    def rules(self) -> Rules:
        """What counts in an attack on it."""
        allowed = self.space.allowed(self.spec.max_changed)
        return Rules(allowed, self.kind.measure, self.kind.reached)

    @property
    def given(self) -> dict[str, str]:
        """The texts beside the sentence, which stay as they are, by their titles."""
        context = self.spec.context
        return {field.title: context.get(field.key, "") for field in self.task.context}

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


def stop_if_empty(question: Question) -> None:
    """Where no word can be swapped, say so and what could help, and end the page there."""
    if question.space.elements:
        return
    if question.plain is not None and question.plain.elements:
        st.info("Your edits leave no word that can be swapped: unlock one, or undo an edit.")
        st.stop()
    method = question.spec.substitution.method
    nothing = f"No word of this sentence has a substitute by {method}, so nothing can be attacked. "
    st.info(pickers.plain(f"{nothing}Names, numbers and words in no dictionary have none."))
    for other in MORE_WORDS:
        if other != method and not SUBSTITUTIONS[other].missing():
            name, use = choices.words_name(other), partial(pickers.put, words=other)
            st.button(f"Try {name}", key=f"try.{other}", on_click=use)
    st.stop()


def _ask() -> Question:
    if by_hand := st.session_state.get(SET_FUNCTION):
        found: Question = by_hand()
        linked = _restore_address(found.spec)
        return replace(found, spec=replace(found.spec, search=linked.search))
    pickers.address(SET_FUNCTION)
    doubts.forget_answer()
    first = next(iter(recorded.examples().values())).spec
    linked = _restore_address(UNSAID if _names_an_attack() else first)
    for name in (*_WHAT, *linked.context):  # what an address leaves unsaid too
        pickers.start(name, linked.parts()[name])
    spec = _inputs(linked)
    _link(spec, first)
    if known := _recorded_answer(spec):
        return known
    found = _answer(spec)
    if not spec.reference:
        doubts.ask(found.spec, found.task, found.start)
    return found


def answer(spec: AttackSpec) -> Question:
    """The question that a description of an attack asks; its victim is loaded if need be."""
    return _recorded_answer(spec) or _answer(spec)


def _names_an_attack() -> bool:
    """Whether the address says anything of what is attacked, and not only how it is shown."""
    said = modern(dict.fromkeys(st.query_params, ()))
    return bool(said.keys() & UNSAID.params().keys() - _HOW)


def _inputs(linked: AttackSpec) -> AttackSpec:
    """Draw the inputs; the attack that they describe may have no reference yet."""
    cells = st.columns([2, 2, 2, 1.4], vertical_alignment="bottom")
    _choose_example(cells[0])
    victim_key = _pick(
        *(cells[1], "Model under attack", choices.victims(), "victim", choices.victim_name),
        on_change=_follow_the_victim,
    )
    methods = pickers.options(SUBSTITUTIONS, linked.substitution.method)
    method = _pick(cells[2], "Substitutes", methods, "words", choices.words_name)
    task = task_of_card(VICTIMS[victim_key].card)
    menu = cells[3].popover("Goal and limits", width="stretch")
    with menu:
        reference = _reference(task)
        goal, target = _goal(task)
    limit = _number(menu, "Words that may change, %", 25.0, "limit", 0.0, 100.0)
    hard = _switch(menu, "Never go beyond this limit, not even on the way", "hard")
    levels = menu.container()
    with menu:
        pickers.about({"Victim": (VICTIMS, victim_key), "Substitutes": (SUBSTITUTIONS, method)})
    context = {field.key: pickers.write(field.title, "", field.key) for field in task.context}
    sentence, button = st.columns([6, 1], vertical_alignment="center")
    with sentence:
        text = pickers.write(
            *(task.attacked.title, linked.text, "text"),
            hidden_label=True,
            on_change=_ask_for_attack,
        )
    button.button(*("Attack", "attack"), type="primary", width="stretch", on_click=_ask_for_attack)
    if own_tables.needs_file(method):
        own_tables.choose(method)
    given = linked.substitution
    options = loosest.choose(levels, method, given.options)
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
        edits=_edits((text, method, options), linked.edits),
    )


def _ask_for_attack() -> None:
    """Enter in the sentence, or the button: pages that show no attack by themselves are to."""
    st.session_state["attack.wanted"] = True


def attack_wanted() -> bool:
    """Whether the visitor has just asked for an attack; it is asked for once."""
    return bool(st.session_state.pop("attack.wanted", False))


def _choose_example(place: DeltaGenerator) -> None:
    """A bundled sentence, or that the visitor's own is in use."""
    titles = ["your own", *recorded.examples()]
    st.session_state.example = _example_in_use() or titles[0]
    place.selectbox("Sentence", titles, key="example", on_change=_use_example)


def _example_in_use() -> str:
    """The title of the bundled sentence in the inputs, or nothing."""
    text = st.session_state.get("text", st.session_state.get("kept.text"))
    fits = (title for title, one in recorded.examples().items() if one.text == text)
    return next(fits, "")


def _use_example() -> None:
    """Take over a bundled sentence with the victim and the substitutes it was chosen for."""
    if chosen := recorded.examples().get(st.session_state.example):
        given = dict(chosen.context)
        pickers.put(text=chosen.text, victim=chosen.victim, words=chosen.words, **given)


def _follow_the_victim() -> None:
    """A film review is no news item, and a question is attacked with other words than a review."""
    known = [st.session_state.get(key, "") for key in ("kept.victim", "victim")]
    before, now = (task_named(key).substitution for key in known)
    if before != now:
        pickers.put(words=now or next(iter(recorded.examples().values())).words)
    _use_a_fitting_example()


def _use_a_fitting_example() -> None:
    """In place of a bundled sentence comes one for the model."""
    used, victim = _example_in_use(), st.session_state.victim
    fitting = [
        one
        for one in recorded.examples().values()
        if choices.victim_group(one.victim) == choices.victim_group(victim)
    ]
    if used and fitting and recorded.examples()[used] not in fitting:
        first = min(fitting, key=lambda one: one.victim != victim)
        pickers.put(text=first.text, **dict(first.context))


def _recorded_answer(spec: AttackSpec) -> Question | None:
    """The question from what comes with the app, without a victim, if it is recorded there."""
    known = recorded.find(spec)
    if known is None or (spec.reference or known.spec.reference) != known.spec.reference:
        return None
    spec = replace(spec, reference=known.spec.reference)
    unchanged = spec == replace(known.spec, search=spec.search)
    task, plain = task_of_card(VICTIMS[spec.victim].card), known.trace.space
    space, same = spec.edited(plain), known if unchanged else None
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
    spec = replace(spec, reference=spec.reference or task.read([str(task.answer(start))]))
    return Question(spec, task, spec.edited(plain), start, source, plain)


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
        if pickers.came_back() or name in known:
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


def _link(spec: AttackSpec, first: AttackSpec) -> None:
    """Write a question into the page's address; how it is searched is up to the page.

    The attack that a newcomer meets needs no words; every other one is named in full.
    """
    said, unsaid = spec.params(), spec.params(UNSAID)
    fresh = replace(spec, search=first.search, seed=first.seed, budget=first.budget) == first
    in_full = (*_WHAT, *spec.context)
    pickers.write_address(
        {
            name: () if fresh else (said if name in in_full else unsaid)[name]
            for name in said
            if name not in _HOW
        }
    )


def _edits(of: Hashable, linked: Edits) -> Edits:
    """The visitor's edits of this sentence, at first a link's; another sentence starts anew."""
    is_link = "edits.of" not in st.session_state or pickers.came_back()
    if is_link or st.session_state["edits.of"] != of:
        st.session_state["edits"] = linked if is_link else Edits()
        st.session_state["edits.of"] = of
    found: Edits = st.session_state["edits"]
    return found
