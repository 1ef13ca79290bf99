"""A Python function or an estimator as a victim."""

from collections.abc import Sequence

import numpy as np
import pytest

from core.errors import InputError
from core.victims import Victim
from core.victims.adapters.function import FunctionVictim, from_estimator
from tests.toys import tiny


def test_an_estimator_is_a_victim() -> None:
    victim = from_estimator(tiny.WordCounter())
    assert isinstance(victim, Victim)
    assert victim.labels == ("0", "1")
    np.testing.assert_allclose(victim.predict(["good", "x"])[:, 1], [0.731059, 0.5], atol=1e-6)
    assert victim.predict([]).shape == (0, 2)
    assert from_estimator(tiny.WordCounter(), ["bad", "good"]).labels == ("bad", "good")


def test_objects_that_are_no_classifiers_are_refused() -> None:
    class Unfitted:
        def predict_proba(self, texts: Sequence[str]) -> None:
            """Never called."""

    with pytest.raises(InputError, match="int has no predict_proba"):
        from_estimator(3)
    with pytest.raises(InputError, match="Unfitted has no classes_; fit it first"):
        from_estimator(Unfitted())


@pytest.mark.parametrize(
    ("answer", "complaint"),
    [
        ([[0.5, 0.5]], "2 rows of 2 numbers"),
        ([[0.2, 0.3, 0.5]] * 2, "one for each of no, yes"),
        ([[0.5, 0.5], [2.0, -1.0]], "for text 2 it answered 2, -1. Apply a softmax"),
        ([[0.5, 0.5], [1.0, 1.0]], "sum to 1"),
        ([[0.5, 0.5], [float("nan"), 1.0]], "nan"),
        ([["a", "b"]] * 2, "something else"),
        (None, "something else|numbers of shape"),
        ([[0.5, 0.5], [1.0]], "something else"),
    ],
)
def test_wrong_answers_are_one_sentence(answer: object, complaint: str) -> None:
    victim = FunctionVictim(("no", "yes"), lambda _: answer)
    with pytest.raises(InputError, match=complaint):
        victim.predict(["a", "b"])


def test_rounded_probabilities_are_accepted() -> None:
    victim = FunctionVictim(("no", "yes"), lambda texts: [[0.3333, 0.6666]] * len(texts))
    assert victim.predict(["a"]).sum() == pytest.approx(1, abs=1e-15)


def test_a_victim_needs_labels() -> None:
    with pytest.raises(InputError, match="at least two different labels"):
        FunctionVictim(("only",), lambda texts: [[1.0]] * len(texts))
