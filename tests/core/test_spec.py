"""An attack written down: every way back and forth, and everything written before."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.shared import recorded
from core import SEARCHES, SUBSTITUTIONS, VICTIMS, InputError, trace
from core.attack import AttackResult
from core.edits import Edits
from core.experiment import results, runner, store
from core.experiment.data import Enforced, Limits, Source
from core.experiment.engines import Local
from core.experiment.exporting import rows
from core.experiment.inputs import Input
from core.experiment.plan import Plan, SearchChoice, plan_of
from core.experiment.plan_file import read_plan
from core.experiment.work import spec_of, spec_of_record
from core.options import DIGITS, Choice
from core.space import State
from core.spec import AttackSpec, modern
from core.study.judgements import judged_items
from core.tasks import TASKS, task_named, task_of_card
from tests.toys.before import BEFORE, old_study

TEXT = "A charming and often very funny film, with a smart script and a warm, honest ending."
PLAIN = AttackSpec(TEXT, "toy", Choice("toy"), Choice("ls"))
FULL = AttackSpec(
    "A man plays.",
    "dnn-snli",
    Choice("synonym", (), ("stop-words", "at-most=8")),
    Choice("pso", ("population=5",)),
    "pair",
    {"premise": "A man & a guitar?"},
    ("entailment",),
    "targeted",
    "contradiction",
    0.4,
    True,
    77,
    3,
    Edits((1,), ((2, "x"),), ((0, "ein"),)),
)


WORDS = st.text(st.characters(exclude_categories=["Cs"]), min_size=1)
LISTS = st.lists(WORDS, max_size=3).map(tuple)
PLACES = st.integers(0, 1_000)
PAIRS = st.lists(st.tuples(PLACES, WORDS), max_size=3).map(tuple)
NUMBERS = st.integers(1, 10**DIGITS - 1)


@st.composite
def specs(draw: st.DrawFn) -> AttackSpec:
    victim = draw(st.sampled_from(["toy", "dnn-snli"]))
    goal = draw(st.sampled_from(["untargeted", "targeted"]))
    substitution = Choice(draw(st.sampled_from(list(SUBSTITUTIONS))), draw(LISTS), draw(LISTS))
    return AttackSpec(
        draw(WORDS),
        victim,
        substitution,
        Choice(draw(st.sampled_from(list(SEARCHES))), draw(LISTS)),
        context={"premise": draw(st.just("") | WORDS)} if victim == "dnn-snli" else {},
        reference=draw(LISTS),
        goal=goal,
        target=draw(WORDS) if goal == "targeted" else "",
        max_changed=draw(st.floats(0, 1)),
        hard_limit=draw(st.booleans()),
        budget=draw(st.none() | NUMBERS),
        seed=draw(st.just(0) | NUMBERS),
        edits=Edits(draw(st.lists(PLACES, max_size=3).map(tuple)), draw(PAIRS), draw(PAIRS)),
    )


@given(specs())
def test_every_field_comes_back_from_an_address_json_and_a_plan(spec: AttackSpec) -> None:
    assert AttackSpec.of_address(parse_qs(spec.address()), PLAIN) == spec
    assert AttackSpec.of_plain(json.loads(json.dumps(spec.plain())), spec.text) == spec
    goal = f"{spec.goal}={spec.target}" if spec.target else spec.goal
    search = SearchChoice(spec.search.method, spec.search.options, (spec.seed,))
    enforced: Enforced = "constraint" if spec.hard_limit else "post-check"
    plan = Plan(
        *("mine", Source("rows.csv"), (spec.victim,), (spec.substitution,), (search,), (goal,)),
        Limits(modification=spec.max_changed, enforced=enforced, budget=spec.budget),
    )
    kept = plan_of(json.loads(json.dumps(plan.as_dict())))
    row = Input(1, spec.text, spec.reference, spec.context)
    key = (1, spec.victim, spec.substitution.name, goal, search.name, spec.seed)
    found = spec_of(kept, row, key, task_named(spec.victim))
    assert found == replace(spec, edits=Edits())


@pytest.mark.parametrize("spec", [replace(PLAIN, budget=300), FULL])
def test_it_comes_back_from_its_address_and_its_json(spec: AttackSpec) -> None:
    assert AttackSpec.of_address(parse_qs(spec.address()), PLAIN) == spec
    plain = json.loads(json.dumps(spec.plain()))
    assert AttackSpec.of_plain(plain, spec.text) == spec
    assert hash(spec) == hash(replace(spec))


def test_an_address_that_says_little_or_nonsense_is_read_as_far_as_it_goes() -> None:
    assert AttackSpec.of_address({}, PLAIN) == PLAIN
    odd = {"victim": ["nobody"], "limit": ["-1"], "seed": ["-1"], "budget": ["many"]}
    assert AttackSpec.of_address(odd, PLAIN) == PLAIN
    assert AttackSpec.of_address({"limit": ["inf"], "budget": ["0"]}, PLAIN) == PLAIN


def test_old_names_and_titles_in_addresses_are_read() -> None:
    old = "text=I+love+this&victim=toy&words=toy&label=positive&target=negative&search=Local+search"
    found = AttackSpec.of_address(parse_qs(old), PLAIN)
    assert (found.reference, found.target, found.goal) == (("positive",), "negative", "targeted")
    assert (found.text, found.search) == ("I love this", Choice("ls"))
    pair = "victim=dnn-snli&premise=Rain.&search=pso"
    assert AttackSpec.of_address(parse_qs(pair), PLAIN).context == {"premise": "Rain."}
    assert modern({"label": ["a"], "reference": ["b"]}) == {"reference": ["b"]}


def test_no_field_of_a_task_has_the_name_of_another_parameter() -> None:
    taken = set(parse_qs(FULL.address())) - {"premise"}
    for make in TASKS.values():
        assert not taken & {field.key for field in make(()).context}


def test_the_attack_it_prepares_is_the_one_it_tells_of() -> None:
    spec = replace(PLAIN, goal="targeted", target="negative", max_changed=0.5, edits=Edits((1,)))
    attack = spec.prepare(VICTIMS["toy"](), SUBSTITUTIONS["toy"]())
    assert (attack.max_changed, attack.budget, attack.space.choices[1]) == (
        0.5,
        None,
        ("charming",),
    )
    assert attack.run() == spec.prepare().run()
    assert spec.settled(VICTIMS["toy"]()).reference == ("positive",)


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"reference": ("neutral",)}, "Its labels are: negative, positive"),
        ({"reference": ("negative", "positive")}, "one true label, not 2"),
        ({"goal": "bleu"}, 'no goal "bleu"'),
        ({"goal": "targeted"}, "needs a target"),
        ({"target": "negative"}, "has no target"),
        ({"goal": "targeted", "target": "nobody"}, 'no label "nobody"'),
    ],
)
def test_what_cannot_be_attacked_is_said(changes: dict[str, Any], words: str) -> None:
    with pytest.raises(InputError, match=words):
        replace(PLAIN, **changes).prepare()


OLD = {
    "command_line.json": replace(
        PLAIN,
        search=Choice("ls", ("exchange=any",)),
        reference=("positive",),
        goal="targeted",
        target="negative",
        max_changed=0.5,
        hard_limit=True,
    ),
    "command_line_pair.npz": AttackSpec(
        "A man is playing a guitar on the street",
        "dnn-snli",
        Choice("synonym", (), ("stop-words",)),
        Choice("ls"),
        "pair",
        {"premise": "A man plays a guitar outside."},
        ("neutral",),
        max_changed=0.5,
    ),
    "page.json": replace(
        PLAIN,
        substitution=Choice("toy", (), ("stop-words",)),
        search=Choice("ls", ("exchange=any",)),
        reference=("positive",),
        goal="targeted",
        target="negative",
        max_changed=0.4,
        hard_limit=True,
        budget=500,
        edits=Edits((1,)),
    ),
    "by_hand.json": replace(PLAIN, search=Choice("by hand")),
    "recorded.json": AttackSpec(
        "", "bilstm-sst2", Choice("sememe"), Choice("ls"), reference=("positive",)
    ),
}


@pytest.mark.parametrize("name", OLD)
def test_traces_written_before_are_read(name: str) -> None:
    old = trace.load(BEFORE / name)
    found = AttackSpec.of_trace(old)
    if name == "recorded.json":
        found = replace(found, text="")
    if name == "command_line_pair.npz":  # whatever the victim said about it then
        found = replace(found, reference=("neutral",))
    assert found == OLD[name]


def tried(result: AttackResult) -> list[tuple[State, float]]:
    """Every sentence with its score; whether a tie is a success is decided otherwise now."""
    return [(one.state, one.score) for step in result.steps for one in step.tried]


def test_an_attack_of_a_trace_written_before_can_be_run_again() -> None:
    for name in ("command_line.json", "command_line_pair.npz"):
        old = trace.load(BEFORE / name)
        again = AttackSpec.of_trace(old).prepare()
        assert again.space.choices == old.space.choices
        found = again.run()
        before = old.result
        assert (found.text, found.status, found.queries) == (
            *(before.text, before.status, before.queries),
        )
        assert tried(found) == tried(before)


def test_the_recorded_first_screen_opens() -> None:
    old = trace.load(BEFORE / "recorded.json")
    found = recorded.find(AttackSpec.of_trace(old))
    assert found is not None
    assert found.trace.result == old.result
    assert found.start.tolist() == pytest.approx(old.about["start"], abs=1e-12)


def test_an_experiment_written_before_goes_on_and_says_the_same(tmp_path: Path) -> None:
    folder = BEFORE / "experiment"
    path = tmp_path / "pairs.results.jsonl"
    lines = (folder / "pairs.results.jsonl").read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join(lines[:-3]))  # three attacks are not finished
    before = results.load(folder / "pairs.results.jsonl")
    assert before.plan == read_plan(folder / "pairs.toml")
    assert plan_of(before.plan.as_dict()) == before.plan
    after = runner.run(before.plan, path, folder, Local(1))
    assert after.attacks == before.attacks
    assert (after.inputs, after.judged) == (before.inputs, before.judged)
    assert rows(after) == rows(before)
    sessions = [each for each in store.read(path).records if each["kind"] == "session"]
    assert [each.get("format") for each in sessions] == [None, 2]


def test_a_study_written_before_opens_and_its_links_lead_to_the_same_attacks(
    tmp_path: Path,
) -> None:
    database, study = old_study(tmp_path)
    items = [judged.item for judged in judged_items(database, study)]
    database.close()
    assert sum(len(item.label) > 0 for item in items) == len(items) > 2
    links = [item.trace for item in items if item.trace]
    page = AttackSpec.of_trace(trace.load(BEFORE / "page.json"))
    (own,) = (link for link in links if "victim=toy" in link)
    assert AttackSpec.of_address(parse_qs(own), PLAIN) == page
    run = results.load(BEFORE / "sentiment.results.jsonl")
    known = {spec_of_record(run, attack) for attack in run.attacks}
    others = {AttackSpec.of_address(parse_qs(link), PLAIN) for link in links if link != own}
    assert others
    assert others <= known


def test_the_task_of_a_victim_by_its_card() -> None:
    assert task_of_card({"needs_premise": True, "labels": ["a", "b"]}).key == "pair"
    assert task_of_card({}).choices == ()
    with pytest.raises(InputError, match='There is no task "singing"'):
        task_of_card({"task_key": "singing"})
