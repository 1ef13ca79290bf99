"""What is a success, and how a goal asks its victim."""

from collections.abc import Callable, Sequence

import numpy as np
import pytest

from core import Attack, InputError, SearchSpace, function_goal, goals, targeted, untargeted
from core.goals import label_index, probabilities, remembered
from core.search.local import Greedy, LocalSearch
from core.search.ranked import SaliencyGreedy
from core.victims import Victim, toy
from tests.toys.topics import TWO, Topics


def test_success_is_the_top_label_not_a_majority() -> None:
    states = [(0, 0), (1, 0), (2, 0)]
    away = untargeted(Topics(), TWO, "news")(states)
    assert away.successes.tolist() == [False, True, True]
    assert away.scores == pytest.approx([0.55, 0.62, 0.67])
    towards = targeted(Topics(), TWO, "sport")(states)
    assert towards.successes.tolist() == [False, False, True]
    assert towards.scores == pytest.approx([0.3, 0.22, 0.34])


class Rounding:
    """With its first word changed both labels are level, and it rounds by state and by text."""

    labels = ("a", "b")

    def rows(self, level: int, last: str) -> list[float]:
        b = 0.5 + level * 2.0**-53 if last == "b" else 0.8
        return [1 - b, b]

    def predict(self, texts: Sequence[str]) -> np.ndarray:
        found = [self.rows(-1, text[-1]) if text[0] == "A" else [0.9, 0.1] for text in texts]
        return np.array(found)

    def bind(self, space: SearchSpace) -> Callable[[np.ndarray], np.ndarray]:
        def answers(states: np.ndarray) -> np.ndarray:
            found = [self.rows(1, "bB"[last]) if first else [0.9, 0.1] for first, last in states]
            return np.array(found)

        return answers


def test_a_search_goes_on_from_a_tie_that_is_rounded_in_two_ways() -> None:
    space = SearchSpace.from_choices([["a", "A"], ["b", "B"]])
    victim = Rounding()
    attack = Attack(space, untargeted(victim, space, "a"), LocalSearch(), max_changed=1.0)
    result = attack.run()
    assert (result.status, result.state) == ("success", (1, 1))


def test_a_hidden_word_is_the_victims_own_token() -> None:
    victim = Topics()
    Attack(TWO, untargeted(victim, TWO, "news"), SaliencyGreedy()).run()
    assert {"<gone> b", "a <gone>"} <= set(victim.asked)


SPACE = SearchSpace.from_choices([["a", "a1", "a2"], ["b", "b1"]])


def test_labels_by_name_or_index() -> None:
    victim = toy.load()
    assert isinstance(victim, Victim)
    assert label_index(victim, "positive") == label_index(victim, 1) == 1
    for wrong in ("neutral", 2, -1):
        with pytest.raises(InputError, match="Its labels are: negative, positive"):
            label_index(victim, wrong)


def test_goals_score_as_the_paper_says() -> None:
    space = SearchSpace.from_choices([["love", "favor"], ["movie", "picture"]])
    victim = toy.load()
    negative, positive = victim.predict([space.text((1, 1))])[0]
    assert untargeted(victim, space, "positive")([(1, 1)])[0].score == pytest.approx(1 - positive)
    assert targeted(victim, space, "negative")([(1, 1)])[0].score == pytest.approx(negative)


@pytest.mark.parametrize(
    ("rows", "message"),
    [([[0.5]], "shape"), ([[np.nan, 0.5]], "sum to 1"), ([[5.0, -4.0]], "sum to 1")],
)
def test_a_victim_that_answers_nonsense_is_named(rows: list[list[float]], message: str) -> None:
    class Odd:
        labels = ("a", "b")

        def predict(self, texts: Sequence[str]) -> np.ndarray:
            return np.array(rows)

    with pytest.raises(InputError, match=message):
        probabilities(Odd(), ["text"])


def test_a_goal_that_remembers_asks_once_and_every_attack_counts_its_own() -> None:
    asked: list[tuple[int, ...]] = []

    def f(state: tuple[int, ...]) -> float:
        asked.append(state)
        return float(sum(state))

    plain = function_goal(f)
    alone = Attack(SPACE, plain, LocalSearch()).run()
    asked.clear()
    goal = remembered(plain, SPACE)
    first, second = (Attack(SPACE, goal, LocalSearch()).run() for _ in range(2))
    assert first == second == alone
    assert len(asked) == len(set(asked)) == alone.queries
    assert goal([(1, 0), (1, 0), (0, 1)]).scores.tolist() == [1.0, 1.0, 1.0]


def test_a_full_memory_asks_again_and_answers_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(goals, "MOST_KEPT", 1)
    plain = function_goal(lambda state: float(sum(state)))
    goal = remembered(plain, SPACE)
    for _ in range(2):
        assert Attack(SPACE, goal, Greedy()).run() == Attack(SPACE, plain, Greedy()).run()
