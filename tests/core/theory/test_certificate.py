"""What a local optimum certifies."""

from core import SearchSpace, State, function_goal, theory
from tests.toys.cases import E1, E2
from tests.toys.topics import TWO


def test_a_certificate_holds_at_a_local_optimum() -> None:
    certificate = theory.certify(E1.space, function_goal(E1.f), (2, 1, 1))
    assert certificate.holds
    assert len(certificate.tried) == 6
    assert certificate.gains.max() < 0


def test_a_certificate_names_what_is_better() -> None:
    goal = function_goal(E2.f)
    certificate = theory.certify(E2.space, goal, E2.state("a b"))
    assert not certificate.holds
    assert certificate.better is not None
    assert [E2.words(candidate.state) for candidate in certificate.better] == ["a b c"]
    full = theory.certify(E2.space, goal, E2.state("a b"), exchange="any")
    assert full.better is not None
    assert [E2.words(candidate.state) for candidate in full.better] == ["a b c", "b c"]


def test_a_certificate_allows_gains_up_to_epsilon() -> None:
    f: dict[State, float] = {(0, 0): 1.0, (1, 0): 1.05}
    goal = function_goal(lambda state: f.get(state, 0.0))
    assert not theory.certify(TWO, goal, (0, 0)).holds
    assert theory.certify(TWO, goal, (0, 0), epsilon=0.1).holds
    lonely = SearchSpace.from_choices([["a"]])
    assert theory.certify(lonely, function_goal(lambda state: 0.0), (0,)).holds
