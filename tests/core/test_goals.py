"""What is a success, and how a goal asks its victim."""

import pytest

from core import (
    Attack,
    targeted,
    untargeted,
)
from core.search.ranked import SaliencyGreedy
from tests.toys.topics import TWO, Topics


def test_success_is_the_top_label_not_a_majority() -> None:
    states = [(0, 0), (1, 0), (2, 0)]
    away = untargeted(Topics(), TWO, "news")(states)
    assert away.successes.tolist() == [False, True, True]
    assert away.scores == pytest.approx([0.55, 0.62, 0.67])
    towards = targeted(Topics(), TWO, "sport")(states)
    assert towards.successes.tolist() == [False, False, True]
    assert towards.scores == pytest.approx([0.3, 0.22, 0.34])


def test_a_hidden_word_is_the_victims_own_token() -> None:
    victim = Topics()
    Attack(TWO, untargeted(victim, TWO, "news"), SaliencyGreedy()).run()
    assert {"<gone> b", "a <gone>"} <= set(victim.asked)
