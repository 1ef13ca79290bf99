"""Plans, and what differs between two of them."""

from dataclasses import replace
from random import Random

import pytest

from core import SEARCHES, Objective, SearchSpace, function_goal
from core.experiment.plan import Plan, difference
from core.experiment.plan_file import make_plan
from tests.toys.plans import SMALL, with_


def test_the_difference_of_two_plans_names_every_key() -> None:
    before = make_plan(SMALL)
    after = make_plan(with_(limits={"budget": 50}, searches=["ls", "greedy"]))
    assert difference(before.as_dict(), after.as_dict()) == [
        "searches.greedy was added",
        "limits.budget was None and is 50",
    ]
    assert difference(before.as_dict(), before.as_dict()) == []
    assert isinstance(before, Plan)


def test_choices_are_compared_by_name() -> None:
    some = {"method": "pso", "options": {"population": 4}, "seeds": 1}
    before = make_plan(with_(searches=["ls", "greedy", some]))
    for changed, said in (
        (["greedy", some], ["searches.ls was removed"]),
        (
            ["ls", "greedy", {**some, "seeds": 2}],
            ["searches.pso (population=4).seeds was [0] and is [0, 1]"],
        ),
        (
            ["ls", "greedy", {**some, "options": {"population": 5}}],
            ["searches.pso (population=4) was removed", "searches.pso (population=5) was added"],
        ),
        (["greedy", "ls", some], ["searches are in another order"]),
    ):
        after = make_plan(with_(searches=changed))
        assert difference(before.as_dict(), after.as_dict()) == said
    strict = {"method": "toy", "constraints": ["stop-words"]}
    after = make_plan(with_(searches=["ls", "greedy", some], substitutions=["toy", strict]))
    before = replace(before, substitutions=after.substitutions[:1])
    assert difference(before.as_dict(), after.as_dict()) == [
        "substitutions.toy (stop-words) was added"
    ]


class Spy(Random):
    """A generator that knows whether it was asked."""

    used = False

    def random(self) -> float:
        self.used = True
        return super().random()

    def getrandbits(self, k: int) -> int:
        self.used = True
        return super().getrandbits(k)


@pytest.mark.parametrize("key", SEARCHES)
def test_the_searches_that_draw_at_random_have_ten_runs(key: str) -> None:
    space = SearchSpace.from_choices([f"w{n}", f"a{n}", f"b{n}", f"c{n}"] for n in range(4))
    goal = function_goal(lambda state: sum((c * 7 + n * 3) % 5 for n, c in enumerate(state)) / 100)
    rng = Spy(0)
    for _ in SEARCHES[key]()(space, Objective(space, goal), rng):
        pass
    assert rng.used == SEARCHES[key].card.randomised
    (search,) = make_plan(with_(searches=[key])).searches
    assert len(search.seeds) == (10 if rng.used else 1)
