"""What a TOML file of a plan may say, and one clear sentence for whatever is wrong."""

import re
from pathlib import Path
from typing import Any

import pytest

from core import InputError
from core.experiment.data import Limits, Source
from core.experiment.plan import SearchChoice, plan_of
from core.experiment.plan_file import make_plan, read_plan
from tests.toys.places import ROOT
from tests.toys.plans import SMALL, with_

FULL = """
name = "sst2"
victims = ["bilstm-sst2", "toy"]
substitutions = ["sememe", { method = "toy", constraints = ["stop-words", "at-most=8"] }]
goals = ["untargeted", "targeted", "targeted=positive"]
searches = ["ls", "pso", { method = "ga", seeds = [3, 5], options = { population = 30 } }]

[data]
file = "dev.tsv"
text = "content"
label = 1
labels = ["negative", "positive"]

[limits]
words = [5, 50]
modification = 0.2
enforced = "constraint"
budget = 5000
rows = 100
sample_seed = 7
"""


def test_a_full_plan_is_read(tmp_path: Path) -> None:
    path = tmp_path / "plan.toml"
    path.write_text(FULL, encoding="utf-8")
    plan = read_plan(path)
    assert plan.data == Source(
        file="dev.tsv",
        text="content",
        reference=1,
        labels=(("0", "negative"), ("1", "positive")),
    )
    assert plan.limits == Limits(5, 50, 0.2, "constraint", 5000, 100, 7)
    assert [choice.name for choice in plan.substitutions] == [
        "sememe",
        "toy (stop-words, at-most=8)",
    ]
    assert plan.searches == (
        SearchChoice("ls"),
        SearchChoice("pso", (), tuple(range(10))),
        SearchChoice("ga", ("population=30",), (3, 5)),
    )
    assert [choice.name for choice in plan.searches] == ["ls", "pso", "ga (population=30)"]
    assert plan.goals == ("untargeted", "targeted", "targeted=positive")


def test_the_plan_in_the_readme_can_be_run(tmp_path: Path) -> None:
    readme = ROOT / "assets" / "experiments" / "README.md"
    (text,) = re.findall(r"```toml\n(.*?)```", readme.read_text(encoding="utf-8"), re.DOTALL)
    (tmp_path / "plan.toml").write_text(text, encoding="utf-8")
    plan = read_plan(tmp_path / "plan.toml")
    assert plan.limits.rows == 50
    assert [search.name for search in plan.searches] == ["ls", "greedy", "pso"]


@pytest.mark.parametrize(("written", "seconds"), [(True, 10.0), (False, 0.0), (3, 3.0), (0.5, 0.5)])
def test_proofs_are_a_switch_or_seconds(written: bool | float, seconds: float) -> None:
    plan = make_plan(with_(proofs=written))
    assert plan.proofs == seconds
    assert plan_of(plan.as_dict()) == plan
    older = plan.as_dict()
    del older["proofs"]
    assert plan_of(older).proofs == 0.0


def test_what_is_left_out_is_the_papers_rule() -> None:
    plan = make_plan(SMALL)
    assert plan.limits == Limits(10, 100, 0.25, "post-check", None, None, 0)
    assert plan.goals == ("untargeted",)


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (with_(serches=["ls"]), 'unknown key "serches"; did you mean "searches"?'),
        (with_(qqq=1), 'unknown key "qqq"; use name, victims'),
        (with_(name=3), "name must be a text in quotes, not 3"),
        (with_(name="../up"), 'The name "../up" cannot be used for a file'),
        (with_(victims=[]), "no victim"),
        (with_(victims=["toi"]), 'There is no victim "toi". Did you mean "toy"?'),
        (with_(victims=["toy", "toy"]), 'The victim "toy" is in the plan twice'),
        (with_(victims=[1]), "victims must be a text in quotes, not 1"),
        (with_(substitutions=["sinonym"]), 'Did you mean "synonym"?'),
        (with_(substitutions=[{"constraints": []}]), 'does not say "method"'),
        (with_(substitutions=[3]), "must be a text in quotes or a table, not 3"),
        (with_(searches=[{"method": "ls", "sed": 1}]), 'did you mean "seeds"?'),
        (with_(searches=[{"method": "ls", "options": {"exchang": "any"}}]), '"exchange"?'),
        (with_(searches=[{"method": "pso", "seeds": 0}]), "seeds is 0; give a number of runs"),
        (with_(searches=[{"method": "pso", "seeds": [1, 1]}]), "a list of different numbers"),
        (with_(searches=[{"method": "pso", "seeds": ["a"]}]), "must be a whole number, not 'a'"),
        (with_(goals=["targetted"]), 'There is no goal "targetted"'),
        (with_(goals=["targeted="]), 'There is no goal "targeted="'),
        (with_(data={}), "exactly one of file, bundled, held_out and hub"),
        (with_(data={"file": "a", "hub": "b"}), "exactly one of file, bundled, held_out and hub"),
        (with_(data={"bundled": "sentment"}), 'Did you mean "sentiment"?'),
        (with_(data={"file": "a.csv", "txt": "b"}), '[data] of the plan has the unknown key "txt"'),
        (with_(limits={"words": [10]}), "give two numbers"),
        (with_(limits={"words": [20, 10]}), "give the fewest words"),
        (with_(limits={"words": ["a", 10]}), "must be a whole number, not 'a'"),
        (with_(limits={"modification": 25}), "a share of the words, from 0 to 1"),
        (with_(limits={"modification": True}), "must be a number, not True"),
        (with_(limits={"enforced": "often"}), 'write "post-check" or "constraint"'),
        (with_(proofs=-1), "proofs is -1.0; write true, or seconds for each"),
        (with_(proofs="yes"), "proofs must be true, false or a number, not 'yes'"),
        (with_(limits={"budget": 0}), "budget is 0; it must be at least 1"),
        ({key: SMALL[key] for key in SMALL if key != "data"}, 'does not say "data"; add it'),
    ],
)
def test_what_is_wrong_is_said_in_a_sentence(content: dict[str, Any], words: str) -> None:
    with pytest.raises(InputError) as caught:
        make_plan(content)
    assert words in str(caught.value)


def test_a_file_that_is_no_plan_is_named(tmp_path: Path) -> None:
    path = tmp_path / "plan.toml"
    with pytest.raises(InputError, match=r"plan.toml cannot be read \(No such file"):
        read_plan(path)
    path.write_text("name = ", encoding="utf-8")
    with pytest.raises(InputError, match=r"plan.toml cannot be read \(Invalid value"):
        read_plan(path)
