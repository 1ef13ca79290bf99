"""The model of which substitutes matter, on answers worked out by hand."""

from dataclasses import replace

import numpy as np
import pytest

from core import State
from core.objective import Candidate
from core.search import additive
from core.search.additive import Additive, log_odds


def answer(state: State, gain: float) -> Candidate:
    """A sentence whose log-odds lie so much above those of an original with even odds."""
    return Candidate(state, 1 / (1 + float(np.exp(-gain))), success=False)


def model() -> Additive:
    return Additive(np.array([3, 0, 3], dtype=np.int32), answer((0, 0, 0), -3.0))


def test_log_odds_are_finite_everywhere() -> None:
    assert log_odds(0.5) == 0.0
    assert -20 < log_odds(-1.0) < log_odds(0.2) < log_odds(0.8) < log_odds(50.0) < 20


def test_one_answer_tells_about_every_substitute_of_its_words() -> None:
    ours = model()
    before = ours.guess(np.array([[2, 0, 0]], dtype=np.int32))[0]
    ours.learn([answer((1, 0, 0), -1.0)])
    asked, sibling, other = ours.guess(np.array([[1, 0, 0], [2, 0, 0], [0, 0, 2]], dtype=np.int32))
    assert asked == pytest.approx(2.0, abs=0.1)
    assert asked > sibling > before
    assert sibling > other


def test_an_answer_about_two_words_is_shared_and_a_second_tells_them_apart() -> None:
    ours = model()
    ours.learn([answer((1, 0, 1), -1.0)])
    first, second = ours.guess(np.array([[1, 0, 0], [0, 0, 1]], dtype=np.int32))
    assert first == pytest.approx(second)
    ours.learn([answer((0, 0, 1), -3.0)])
    first, second = ours.guess(np.array([[1, 0, 0], [0, 0, 1]], dtype=np.int32))
    assert first > 1.5 > 0.2 > second


def test_plans_grow_word_by_word_and_are_new() -> None:
    ours = model()
    ours.learn([answer((1, 0, 0), 0.0)])
    plans = list(ours.plans(5, optimism=0.0))
    states = [ours.state(plan.chosen) for plan in plans]
    assert [sum(map(bool, state)) for state in states] == [1, 2]
    assert not ours.seen & set(states)
    assert states[0][0] == states[1][0]


def test_the_bar_follows_what_was_seen() -> None:
    ours = model()
    assert ours.bar == pytest.approx(3.0)
    ours.learn([answer((1, 0, 0), 0.5)])
    assert ours.bar == pytest.approx(3.5)
    ours.learn([replace(answer((2, 0, 0), 1.0), success=True)])
    assert ours.bar == pytest.approx(3.5)
    early = model()
    early.learn([replace(answer((2, 0, 0), -1.0), success=True)])
    assert early.bar == pytest.approx(2.0)


def test_the_model_remembers_only_so_many_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(additive, "MEMORY", 2)
    ours, fresh = model(), model()
    answers = [answer((i, 0, j), i - j) for i in range(3) for j in range(1, 3)]
    ours.learn(answers)
    fresh.learn(answers[-2:])
    states = np.array([a.state for a in answers], dtype=np.int32)
    assert ours.guess(states) == pytest.approx(fresh.guess(states))
    assert ours.seen > {a.state for a in answers}
