"""One limit of changed words: the attack's, which reaches every search."""

import json
from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from pathlib import Path
from random import Random

import pytest

from core import SEARCHES, Attack, Objective, Search, SearchSpace, Step, function_goal
from core.__main__ import main
from core.errors import InputError
from core.objective import Goal
from core.options import configure, ignored
from core.search.label import LabelSearch
from core.search.portfolio import Portfolio
from core.search.swift import Swift

SPACE = SearchSpace.from_choices([[f"{i}", f"{i}a"] for i in range(8)])
ONCE = ("swift", "ls-label", "portfolio")  # they had a limit of their own


def needing(words: int) -> Goal:
    """A goal that needs so many changed words."""
    return function_goal(lambda state: sum(map(bool, state)) / 8, lambda value: value >= words / 8)


@pytest.mark.parametrize("key", SEARCHES)
def test_the_attacks_limit_is_the_only_one(key: str) -> None:
    found: list[Objective] = []

    class Spying(Search):
        def __call__(self, space: SearchSpace, objective: Objective, rng: Random) -> Iterator[Step]:
            found.append(objective)
            return SEARCHES[key]()(space, objective, rng)

    for share, words in ((0.0, 0), (0.25, 2), (0.5, 4), (1.0, 8)):
        Attack(SPACE, needing(3), Spying(), budget=5, max_changed=share).run()
        assert (found[-1].allowed, found[-1].most) == (words, None)
    kind = SEARCHES[key]
    assert is_dataclass(kind)
    own = {field.name for field in fields(kind)}
    assert key == "exhaustive" or "limit" not in own


@pytest.mark.parametrize(("share", "words"), [(0.29, 29), (0.58, 58), (0.57, 57), (0.07, 7)])
def test_a_share_of_a_hundred_words_is_exact(share: float, words: int) -> None:
    space = SearchSpace.from_choices([f"{i}"] for i in range(100))
    assert space.allowed(share) == words


def test_a_success_within_a_wider_limit_is_the_end() -> None:
    for search in (Swift(probes=0), Portfolio()):
        result = Attack(SPACE, needing(4), search, max_changed=0.5).run()
        assert result.status == "success"
        kinds = [step.kind for step in result.steps]
        assert kinds.count("start") == 1  # a portfolio needs no second member
        assert "rank" not in kinds  # swift does not start again for fewer words
    narrow = Attack(SPACE, needing(4), Portfolio(), max_changed=0.25).run()
    assert narrow.status == "over_limit"
    assert [step.kind for step in narrow.steps].count("start") > 1


def test_ls_label_draws_again_only_beyond_the_attacks_limit() -> None:
    search = LabelSearch(distance="column", starts=1)
    rounds = {
        share: sum(
            step.kind == "init"
            for step in Attack(SPACE, needing(4), search, max_changed=share).run().steps
        )
        for share in (0.25, 0.5)
    }
    assert rounds == {0.25: search.rounds, 0.5: 1}


@pytest.mark.parametrize("key", ONCE)
def test_an_old_limit_is_accepted_ignored_and_said_once(key: str) -> None:
    search = SEARCHES[key]()
    assert configure(search, ["limit=0.5"]) == search
    assert ignored(search, ["limit=0.5", "limit=0.1"]) == [
        "The setting limit is ignored: the attack's own limit of changed words counts."
    ]
    assert ignored(search, []) == []
    with pytest.raises(InputError, match='no setting "limits"'):
        configure(search, ["limits=0.5"])


def test_an_old_name_of_a_setting_still_sets_it() -> None:
    assert configure(Swift(), ["thrift=4"]) == Swift(doubt_after_success=4.0)
    assert ignored(Swift(), ["thrift=4"]) == []


def test_the_command_line_takes_old_settings(capsys: pytest.CaptureFixture[str]) -> None:
    attack = ["attack", "I love this movie", "--search", "swift", "--json"]
    answers = []
    for settings in ([], ["--search-option", "limit=0.5"]):
        assert main([*attack, *settings]) == 0
        out, err = capsys.readouterr()
        answers.append({k: v for k, v in json.loads(out).items() if "seconds" not in k})
        assert err.count("The setting limit is ignored") == bool(settings)
    assert answers[0] == answers[1]


def test_a_plan_with_an_old_limit_runs(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    plan = tmp_path / "old.toml"
    plan.write_text(
        """
name = "old"
victims = ["toy"]
substitutions = ["toy"]
searches = [{ method = "swift", options = { limit = 0.25 } }]
data = { bundled = "sentiment" }
limits = { rows = 3, modification = 0.5 }
"""
    )
    assert main(["run", str(plan)]) == 0
    err = capsys.readouterr().err
    assert err.count("swift (limit=0.25): The setting limit is ignored") == 1
    assert main(["table", str(plan)]) == 0
    assert "swift (limit=0.25)" in capsys.readouterr().out
